#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which sources of a folder nvcc compiles, and which of them cuda-opt reads.

Every .cu file that no other file includes is given to both, with the include folders
and macros that its Makefile names. One line each is printed: first what nvcc compiles
and cuda-opt does not read, then what it reads in part. Nothing in the folder changes.
The exit code is 1 if there are sources of the first kind.
"""

import collections
import concurrent.futures
import json
import os
import pathlib
import re
import sys
import tempfile

import corpus

# Kept by choice, or because there is nothing to gain.
SETTLED = corpus.CHOICES | {"all-alive", "few-variables"}
# What cuda-opt made of a source. The first ones are failures.
UNREAD = ("crashed", "timed out", "wrong", "error")
IN_PART = "in part"


def first_error(text):
    """The first message with the word, without the place of the source."""
    for line in text.splitlines():
        if re.search(r"\berror\b", line):
            message = re.sub(r"^.*?\berror(?: #\d+\S*)?: ", "", line)
            place = re.search(r"([^/\s:(]+)[:(](\d+)", line)
            return f"{message} ({place[1]}:{place[2]})" if place else message
    return ""


def read_report(path):
    """What cuda-opt decided: the number of rewritten arrays, and why others stay."""
    arrays = [array for file in json.loads(path.read_text())["files"]
              for kernel in file["kernels"] for array in kernel["arrays"]]
    rewritten = sum(array["decision"] == "rewritten" for array in arrays)
    reasons = collections.Counter(array["reason"] for array in arrays
                                  if array.get("reason") not in (None, *SETTLED))
    return rewritten, ", ".join(sorted(reasons))


def read(options, source, flags):
    """What cuda-opt makes of a source, and why."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder, "report.json")
        status, text = corpus.execute(
            [options.cuda_opt, "--check", "--quiet", f"--report=json:{report}", source,
             "--", *flags], source.parent, options.limit)
        outcome = {None: "timed out", 3: "error", corpus.WRONG: "wrong"}.get(status)
        if outcome or status not in (0, 1):
            return outcome or "crashed", first_error(text) or f"exit code {status}"
        if "clang reports" in text:
            return IN_PART, first_error(text)
        rewritten, reasons = read_report(report)
    if status == 1:
        return "changed", f"{rewritten} arrays" if rewritten else "storage"
    return ("refused", reasons) if reasons else ("unchanged", "")


def compile_with_nvcc(options, source, flags):
    """yes, no or timed out; and nvcc's first error."""
    status, text = corpus.execute([options.nvcc, *flags, "-c", "-o", os.devnull, source],
                                  source.parent, 10 * options.limit)
    return {0: "yes", None: "timed out"}.get(status, "no"), first_error(text)


def process(options, task):
    folder, name = task
    source = folder / name
    flags = [*corpus.guess_flags(source, folder, options.include), *options.flag]
    outcome, why = read(options, source, flags)
    row = {"source": f"{folder.name}/{name}", "cuda-opt": outcome, "why": why,
           "nvcc": "not asked", "flags": flags}
    if not options.unread or outcome in (*UNREAD, IN_PART):
        row["nvcc"], row["nvcc_error"] = compile_with_nvcc(options, source, flags)
    return row


def rank(row):
    """What nvcc compiles and cuda-opt does not stands first."""
    missed = 0 if row["cuda-opt"] in UNREAD else 1 if row["cuda-opt"] == IN_PART else 2
    answer = {"yes": 0, "timed out": 1}.get(row["nvcc"], 2)
    return missed == 2, answer, missed, row["cuda-opt"], row["source"]


def print_rows(rows):
    width = max((len(row["source"]) for row in rows), default=0)
    print(f"{'nvcc':10}{'cuda-opt':11}{'source':{width}}  why")
    for row in rows:
        why = row["why"]
        if row["nvcc"] == "no" and row["cuda-opt"] not in (*UNREAD, IN_PART):
            why = f"nvcc: {row['nvcc_error']}"
        print(f"{row['nvcc']:10}{row['cuda-opt']:11}{row['source']:{width}}  {why}"
              .rstrip())


def print_totals(rows):
    counts = collections.Counter((row["nvcc"], row["cuda-opt"]) for row in rows)
    outcomes = [*UNREAD, IN_PART, "refused", "unchanged", "changed"]
    answers = [answer for answer in ("yes", "no", "timed out", "not asked")
               if any(key[0] == answer for key in counts)]
    print(f"\n{'cuda-opt':12}" + "".join(f"{'nvcc ' + a:>16}" for a in answers))
    for outcome in outcomes:
        cells = [counts[answer, outcome] for answer in answers]
        if any(cells):
            print(f"{outcome:12}" + "".join(f"{cell:16}" for cell in cells))
    print(f"{'all':12}" + "".join(
        f"{sum(row['nvcc'] == answer for row in rows):16}" for answer in answers))


def main():
    parser = corpus.make_parser(__doc__)
    parser.add_argument("--flag", action="append", default=[],
                        help="another flag of nvcc (default: -arch=sm_90)")
    parser.add_argument("--limit", type=float, default=corpus.TIMEOUT_S,
                        help="seconds that cuda-opt may take; nvcc has ten times that")
    parser.add_argument("--unread", action="store_true",
                        help="ask nvcc only about what cuda-opt does not read")
    options = parser.parse_args()
    options.flag = options.flag or ["-arch=sm_90"]
    if not options.nvcc:
        parser.error("no nvcc in PATH; name one with --nvcc")
    tasks = [(folder, name) for folder in options.checkouts
             for name in corpus.find_sources(folder)
             if re.search(options.filter, str(name))]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        rows = sorted(pool.map(lambda task: process(options, task), tasks), key=rank)
    print_rows(rows)
    print_totals(rows)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=2) + "\n")
    sys.exit(any(row["nvcc"] == "yes" and row["cuda-opt"] in UNREAD for row in rows))


if __name__ == "__main__":
    main()
