#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs bank-layout over checkouts of CUDA programs and tells what it did.

Every .cu file that no other file includes is rewritten in a scratch copy of its
checkout, with the include folders and macros that its Makefile names. Counts are
predictions, per block, summed over arrays whose accesses can be counted.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import queue
import re
import shutil
import subprocess
import sys
import tempfile

import makefile

LARGEST_FILE = 2 << 20  # Larger ones are data.
TIMEOUT_S = 60
SOURCES = {".cu", ".cuh", ".h", ".hpp", ".c", ".cpp", ".inl"}
MAKEFILES = ("Makefile", "makefile", "GNUmakefile")
HEADER_FOLDERS = ("Common", "common", "include", "inc", "util")
# Kept by choice: the array may be rewritten, but no layout is worth it.
CHOICES = {"no-conflict", "uncounted-accesses", "no-gain", "uncertain-gain", "few-warps",
           "much-memory", "too-large", "loses-occupancy", "dynamic-memory"}
# Of layouts: the first that the text matches.
FAMILIES = (("fields", r"struct of arrays"), ("T", r"T ="),
            ("permute", r"transposed|dimensions"), ("rotate", r"%"),
            ("xor", r"\^"), ("pad", r"."))
WRONG = 70  # The exit status if a rewrite changes what the kernel computes.


class Checkout:
    """A scratch copy of a checkout, in which files change and change back."""

    def __init__(self, original, copy):
        self.original, self.copy = original, copy
        shutil.copytree(original, copy, symlinks=True, ignore=self.ignored)
        self.stamps = self.stamp()

    @staticmethod
    def ignored(folder, names):
        paths = [pathlib.Path(folder, name) for name in names]
        return [path.name for path in paths if path.name == ".git"
                or path.is_file() and path.stat().st_size > LARGEST_FILE]

    def stamp(self):
        result = {}
        for folder, _, names in os.walk(self.copy):
            for name in names:
                path = os.path.join(folder, name)
                status = os.lstat(path)
                result[path] = (status.st_mtime_ns, status.st_size,
                                status.st_ino)
        return result

    def restore(self):
        for path, _ in self.stamp().items() - self.stamps.items():
            source = self.name(path, self.original)
            if source.exists():
                shutil.copy2(source, path)
            else:
                os.remove(path)
        self.stamps = self.stamp()

    def name(self, path, base=pathlib.Path()):
        """The path of a file of the copy, below \\p base."""
        path = pathlib.Path(os.path.realpath(path))
        if path.is_relative_to(self.copy):
            return base / path.relative_to(self.copy)
        return path


def find_sources(checkout):
    """The .cu files that are translation units."""
    sources, included = [], set()
    for path in sorted(checkout.rglob("*")):
        if path.suffix not in SOURCES or not path.is_file():
            continue
        if path.stat().st_size > LARGEST_FILE:
            continue
        if path.suffix == ".cu":
            sources.append(path)
        text = path.read_text(errors="replace")
        for name in re.findall(r'#\s*include\s*["<]([^">]+\.cu)[">]', text):
            included.add(os.path.normpath(path.parent / name))
    return [path.relative_to(checkout) for path in sources
            if str(path) not in included]


def guess_flags(source, top, more):
    folders = [folder for folder in source.parents
               if folder.is_relative_to(top)]
    makefiles = [folder / name for folder in folders for name in MAKEFILES
                 if (folder / name).is_file()]
    flags = makefile.Makefile(makefiles[0]).flags() if makefiles else {}
    flags.setdefault(("std",), "-std=c++17")
    program = makefiles[0].parent if makefiles else source.parent
    guesses = [folder for folder in folders if folder.is_relative_to(program)]
    guesses += [folder / name for folder in folders for name in HEADER_FOLDERS]
    guesses += more
    for folder in guesses:
        # A cuda.h of the program's own must not hide the toolkit's.
        if folder.is_dir() and not (folder / "cuda.h").exists():
            flags.setdefault(("I", str(folder)), f"-I{folder}")
    return list(flags.values())


def execute(command, folder, limit):
    """The exit status, None after the time limit, and standard error."""
    try:
        done = subprocess.run(command, cwd=folder, timeout=limit, text=True,
                              capture_output=True, errors="replace")
    except subprocess.TimeoutExpired:
        return None, ""
    return done.returncode, done.stderr


def run_tool(options, arguments, source, flags, limit=TIMEOUT_S):
    return execute([options.cuda_opt, "--passes=bank-layout", "--quiet", *arguments, source,
                    "--", *flags], source.parent, limit)


def name_outcome(status, text):
    if status is None:
        return "timed out"
    if status < 0 or status >= 128:
        return "crashed"
    if status == 0:
        return "ok, some errors" if "clang reports" in text else "ok"
    return "with errors" if status == 3 else f"exit {status}"


def read_rows(checkout, report, source):
    """One row for each array of the report."""
    rows = []
    kernels = [kernel for file in json.loads(report.read_text())["files"]
               for kernel in file["kernels"]]
    folder = (checkout.copy / source).parent  # Where the tool ran.
    for kernel in kernels:
        place = f"{checkout.name(folder / kernel['file'])}:{kernel['line']}"
        for array in kernel["arrays"] or [{}]:
            file = checkout.name(folder / array.get("file", kernel["file"]))
            rows.append({
                "checkout": checkout.original.name, "source": str(source),
                "kernel": kernel["name"], "kernel_place": place,
                "block": kernel["block"]["origin"],
                "array": array.get("name"), "file": str(file),
                "line": array.get("line"), "type": array.get("type"),
                "extents": array.get("extents"),
                "layout": array.get("layout"),
                "decision": array.get("decision"),
                "reason": array.get("reason"),
                "message": array.get("message"),
                "exact": array.get("exact"),
                "uncounted": array.get("uncounted", 0),
                **(array.get("wavefronts") or
                   {"before": 0, "after": 0, "bound": 0})})
    return rows


def compare_compilation(options, checkout, source, flags):
    nvcc = [options.nvcc, *flags, "-arch=sm_90", "-c", "-o", os.devnull,
            source]
    if execute(nvcc, source.parent, 10 * TIMEOUT_S)[0] == 0:
        return "compiles"
    checkout.restore()
    if execute(nvcc, source.parent, 10 * TIMEOUT_S)[0] == 0:
        return "regression"
    return "original does not compile"


def check_again(options, checkout, source, flags):
    """What the tool makes of its own output."""
    status, _ = run_tool(options, ["--check"], source, flags)
    return {0: "unchanged", 3: "unchanged", 1: "changed again"}.get(
        status, name_outcome(status, ""))


def check_on_machine(options, checkout, name, flags):
    """What becomes of each rewritten array if the machine has the last word,
    and whether it found one to be wrong."""
    source = checkout.copy / name
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder, "report.json")
        arguments = ["--check", "--verify=machine", f"--report=json:{report}"]
        status, text = run_tool(options, arguments, source, flags, 10 * TIMEOUT_S)
        rows = read_rows(checkout, report, name) if report.exists() else []
    verdicts = {(row["kernel_place"], row["line"], row["array"]):
                row["reason"] or "equal" for row in rows
                if row["decision"] in ("rewritten", "kept")}
    ended = {0: None, 1: None, 3: None, WRONG: "wrong"}
    return verdicts, ended.get(status, name_outcome(status, text))


def process(options, checkout, name):
    source = checkout.copy / name
    flags = guess_flags(source, checkout.copy, options.include)
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder, "report.json")
        status, text = run_tool(options, ["-i", f"--report=json:{report}"], source, flags)
        rows = read_rows(checkout, report, name) if report.exists() else []
    result = {"file": f"{checkout.original.name}/{name}",
              "outcome": name_outcome(status, text), "rows": rows,
              "error": next((line.replace(f"{checkout.copy}/", "")
                             for line in text.splitlines()
                             if "error" in line), None)}
    rewritten = [row for row in rows if row["decision"] == "rewritten"]
    if rewritten and options.again:
        result["again"] = check_again(options, checkout, source, flags)
    if rewritten and options.compile:
        result["compile"] = compare_compilation(options, checkout, source,
                                                flags)
    if rewritten or status != 0:
        checkout.restore()
    if rewritten and options.machine:
        verdicts, result["machine"] = check_on_machine(options, checkout, name,
                                                       flags)
        for row in rewritten:
            place = row["kernel_place"], row["line"], row["array"]
            row["machine"] = verdicts.get(place, result["machine"])
    return result


def process_all(options, scratch):
    tasks, copies = [], {}
    for number, original in enumerate(options.checkouts):
        copies[original] = queue.SimpleQueue()
        for job in range(options.jobs):
            copies[original].put(
                Checkout(original, scratch / str(job) / str(number)))
        tasks += [(original, name) for name in find_sources(original)
                  if re.search(options.filter, str(name))]

    def run(task):
        original, name = task
        checkout = copies[original].get()
        try:
            return process(options, checkout, name)
        finally:
            copies[original].put(checkout)

    results = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for result in pool.map(run, tasks):
            results.append(result)
            if sys.stderr.isatty():
                print(f"\r{len(results)}/{len(tasks)}", end="",
                      file=sys.stderr)
    return results


def merge_rows(results):
    """One row for each array: files that include the same header agree, or
    the one that knows most speaks."""
    def rank(row):
        return (row["decision"] == "rewritten", row["reason"] in CHOICES,
                row["before"] > 0, row["before"] - row["bound"])

    best = {}
    for row in (row for result in results for row in result["rows"]):
        key = (row["checkout"], row["kernel_place"], row["kernel"],
               row["file"], row["line"], row["array"])
        if key not in best or rank(row) > rank(best[key]):
            best[key] = row
    return list(best.values())


def name_family(row):
    text = row["layout"]["after"]
    return next(name for name, pattern in FAMILIES if re.search(pattern, text))


def excess(rows):
    """Wavefronts above the bound, before and after."""
    return (sum(row["before"] - row["bound"] for row in rows),
            sum(row["after"] - row["bound"] for row in rows))


def print_table(title, counts):
    print(f"\n{title}")
    for name, count in counts.most_common():
        print(f"  {name:28}{count:7}")


def print_cost(title, kernels):
    """What became of the excess of \\p kernels, a list of lists of rows."""
    print(f"\n{title}")
    rows = [row for kernel in kernels for row in kernel]
    before, after, bound = (sum(row[key] for row in rows)
                            for key in ("before", "after", "bound"))
    print(f"  kernels {len(kernels)}, wavefronts before {before:.0f}, "
          f"after {after:.0f}, bound {bound:.0f}")
    above, left = excess(rows)
    if not above:
        return
    ratios = [1 - after / before for before, after in map(excess, kernels)
              if before > 0]
    clean = sum(ratio > 1 - 1e-9 for ratio in ratios)
    print(f"  excess {above:.0f}, left {left:.0f}, removed "
          f"{1 - left / above:.1%}")
    print(f"  kernels with excess {len(ratios)}, removed on average "
          f"{sum(ratios) / len(ratios):.1%}, bound reached in {clean}")


def print_remaining(arrays, count):
    print(f"\nlargest excess that remains\n  {'before':>10}{'after':>10}"
          f"{'bound':>10}  array")
    worst = sorted(arrays, key=lambda row: row["bound"] - row["after"])
    for row in worst[:count]:
        if row["after"] <= row["bound"]:
            break
        print(f"  {row['before']:10.0f}{row['after']:10.0f}"
              f"{row['bound']:10.0f}  {row['checkout']}/{row['file']}:"
              f"{row['line']} {row['kernel']} {row['array']} "
              f"{row['reason'] or 'rewritten'}")


def print_check(title, results, key, bad):
    """The outcomes of a check of all rewritten files, and the bad ones."""
    outcomes = [result for result in results if result.get(key)]
    print_table(title, collections.Counter(r[key] for r in outcomes))
    for result in outcomes:
        if result[key] in bad:
            print(f"  {result[key]}: {result['file']}")


def print_checks(results, rewritten, options):
    if options.compile:
        print_check("rewritten files", results, "compile", {"regression"})
    if options.again:
        print_check("rewritten files, once more", results, "again",
                    {"changed again", "crashed", "timed out"})
    if options.machine:
        print_table("rewritten arrays, on the machine", collections.Counter(
            row.get("machine") or "no verdict" for row in rewritten))
        print_check("files that the machine did not end well on", results,
                    "machine", {"wrong", "crashed", "timed out"})


def print_all(results, options):
    rows = merge_rows(results)
    arrays = [row for row in rows if row["array"] is not None]
    kernels = collections.defaultdict(list)
    for row in rows:
        key = row["checkout"], row["kernel_place"], row["kernel"]
        kernels[key].append(row)
    print_table("files", collections.Counter(r["outcome"] for r in results))
    for result in results:
        if result["outcome"] in ("crashed", "timed out"):
            print(f"  {result['outcome']}: {result['file']}")
    rewritten = [row for row in arrays if row["decision"] == "rewritten"]
    print(f"\nkernels {len(kernels)}, arrays {len(arrays)}, "
          f"rewritten {len(rewritten)}")
    print_table("arrays rewritten to",
                collections.Counter(map(name_family, rewritten)))
    print_table("arrays kept because of", collections.Counter(
        row["reason"] for row in arrays if row["decision"] == "kept"))
    partly = [row for row in arrays if row["uncounted"]]
    print(f"\narrays with accesses that are not counted {len(partly)}, "
          f"accesses {sum(row['uncounted'] for row in partly)}")
    counted = [[row for row in kernel if row["before"]]
               for kernel in kernels.values()]
    free = [[row for row in kernel
             if row["decision"] == "rewritten" or row["reason"] in CHOICES]
            for kernel in counted]
    print_cost("counted arrays of all kernels", list(filter(None, counted)))
    print_cost("counted arrays that may be rewritten",
               list(filter(None, free)))
    print_remaining(arrays, options.worst)
    print_checks(results, rewritten, options)


def make_parser(description):
    """Options of all that run over checkouts."""
    def resolve(path):
        return pathlib.Path(path).resolve()

    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("checkouts", nargs="+", metavar="DIR", type=resolve)
    parser.add_argument("--cuda-opt", type=resolve,
                        default=resolve("build/bin/cuda-opt"))
    parser.add_argument("--nvcc", default=shutil.which("nvcc"))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--filter", default="",
                        help="regular expression of the files to take")
    parser.add_argument("--include", action="append", default=[], type=resolve,
                        help="another folder of headers, searched last")
    parser.add_argument("--json", type=pathlib.Path, help="file for all results")
    return parser


def main():
    parser = make_parser(__doc__)
    parser.add_argument("--worst", type=int, default=40,
                        help="arrays to list by the excess that remains")
    parser.add_argument("--compile", action="store_true",
                        help="compile what changed, as nvcc -c does")
    parser.add_argument("--again", action="store_true",
                        help="run cuda-opt on its own output")
    parser.add_argument("--machine", action="store_true",
                        help="let --verify=machine judge what was rewritten")
    options = parser.parse_args()
    if options.compile and not options.nvcc:
        parser.error("no nvcc in PATH; name one with --nvcc")
    with tempfile.TemporaryDirectory() as folder:
        results = process_all(options, pathlib.Path(folder).resolve())
    print_all(results, options)
    if options.json:
        options.json.write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
