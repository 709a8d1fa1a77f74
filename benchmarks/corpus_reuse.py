#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the pass shared-reuse over checkouts of CUDA programs and tells what it did.

Every .cu file that no other file includes is rewritten twice, with --reuse=auto and
--reuse=bytes. What changed is compiled before and after: no kernel may come out with
more shared memory, fewer blocks on a multiprocessor, more registers or more accesses
of shared memory, and its shared memory must be as large as predicted.
"""

import collections
import concurrent.futures
import json
import os
import pathlib
import queue
import re
import subprocess
import sys
import tempfile

import corpus

MODES = ("auto", "bytes")
# Of an sm_90: a multiprocessor, and the units it deals in.
THREADS, WARPS, BLOCKS, REGISTERS, SHARED = 2048, 64, 32, 65536, 233472
SHARED_UNIT, SHARED_RESERVED, REGISTER_UNIT = 128, 1024, 256
ENTRY = re.compile(r"^(?:\.visible )?\.entry (\w+)|^(?:\.\w+ )*\.func\b", re.MULTILINE)
ACCESS = re.compile(r"\b(?:ld|st|atom|red)\.(?:\w+\.)*shared\b|\b(?:ld|st)matrix\b")
GENERIC = re.compile(r"\b(?:ld|st)\.(?:volatile\.|relaxed\.\w+\.)?(?:v[24]\.)?[bufs]\d")
BARRIER = re.compile(r"\bbar(?:rier)?\.(?:cta\.)?(?:sync|red)\b")


def round_up(value, unit):
    return -(-value // unit) * unit


def count_blocks(threads, registers, shared):
    """The blocks of \\p threads that fit on a multiprocessor."""
    warps = round_up(threads, 32) // 32
    of_register_file = round_up(registers * 32, REGISTER_UNIT) * warps
    of_shared = round_up(shared + SHARED_RESERVED, SHARED_UNIT)
    return min(BLOCKS, WARPS // warps, REGISTERS // max(of_register_file, 1),
               SHARED // of_shared)


def measure(options, source, flags):
    """What nvcc makes of each kernel, by its mangled name; None if it fails."""
    with tempfile.TemporaryDirectory() as folder:
        ptx = pathlib.Path(folder, "k.ptx")
        flags = [flag for flag in flags if flag != "-rdc=true"]
        if corpus.execute([options.nvcc, *flags, "-arch=sm_90", "-w", "-ptx", "-o", ptx,
                           source], source.parent, 10 * corpus.TIMEOUT_S)[0] != 0:
            return None
        text = ptx.read_text(errors="replace")
        status, log = corpus.execute(
            ["ptxas", "-arch=sm_90", "-v", "-c", "-o", os.devnull, ptx], source.parent,
            10 * corpus.TIMEOUT_S)
    return None if status else merge(read_ptx(text), log)


def read_ptx(text):
    kernels, starts = {}, list(ENTRY.finditer(text))
    ends = [start.start() for start in starts[1:]] + [len(text)]
    for start, end in zip(starts, ends):
        if start[1]:
            body = text[start.end():end]
            kernels[start[1]] = {"accesses": len(ACCESS.findall(body)),
                                 "generic": len(GENERIC.findall(body)),
                                 "barriers": len(BARRIER.findall(body))}
    return kernels


def merge(kernels, log):
    name = None
    for line in log.splitlines():
        if match := re.search(r"Compiling entry function '(\w+)'", line):
            name = match[1]
        elif (match := re.search(r"Used (\d+) registers", line)) and name in kernels:
            shared = re.search(r"(\d+) bytes smem", line)
            kernels[name]["registers"] = int(match[1])
            kernels[name]["shared"] = int(shared[1]) if shared else 0
            name = None
    return {key: kernel for key, kernel in kernels.items() if "registers" in kernel}


def is_mangled(mangled, name):
    plain = re.sub(r"<.*", "", name).split("::")[-1]
    return mangled == plain or f"{len(plain)}{plain}" in mangled


def run_tool(options, source, flags, mode, *more):
    """The outcome, and the kernels of the report, with the files as paths."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder, "report.json")
        status, text = corpus.execute(
            [options.cuda_opt, "--passes=shared-reuse", f"--reuse={mode}", "--quiet",
             f"--report=json:{report}", *more, source, "--", *flags], source.parent,
            10 * corpus.TIMEOUT_S)
        kernels = []
        if report.exists():
            kernels = [kernel for file in json.loads(report.read_text())["files"]
                       for kernel in file["kernels"]]
    for kernel in kernels:
        kernel["file"] = source.parent / kernel["file"]
    return status, text, kernels


def name_files(checkout, kernels):
    for kernel in kernels:
        kernel["file"] = str(checkout.name(kernel["file"]))


def storage_of(kernel):
    return kernel.get("storage") or {}


def is_rewritten(kernel):
    return storage_of(kernel).get("decision") == "rewritten"


def has_choice(kernel):
    """True if there are two shared variables."""
    return len(kernel["arrays"]) > 1 or storage_of(kernel).get("reason") not in (
        None, "few-variables", "not-instantiated") or is_rewritten(kernel)


def compare(before, after, kernels):
    """Rows of what nvcc says of the rewritten kernels, and the violations."""
    rows, violations = [], []
    for mangled, new in after.items():
        old = before.get(mangled)
        kernel = next((k for k in kernels if is_rewritten(k)
                       and is_mangled(mangled, k["name"])), None)
        if not old:
            violations.append(f"{mangled}: is new")
            continue
        block = kernel["block"] if kernel else {}
        threads = block.get("x", 0) * block.get("y", 1) * block.get("z", 1) \
            if block.get("origin") in ("launch", "option") else block.get("max_threads", 0)
        threads = threads or 1024
        for each in (old, new):
            each["blocks"] = count_blocks(threads, each["registers"], each["shared"])
        worse = [key for key in ("shared", "accesses", "generic") if new[key] > old[key]]
        if new["blocks"] < old["blocks"]:
            worse.append("blocks")
        if round_up(new["registers"], 8) > round_up(old["registers"], 8):
            worse.append("registers")
        if worse:
            violations.append(f"{mangled}: more {', '.join(worse)}: {old} -> {new}")
        if kernel:
            rows.append({"mangled": mangled, "name": kernel["name"], "before": old,
                         "after": new, "threads": threads,
                         "predicted": kernel["shared_bytes"],
                         "predicted_blocks": kernel["blocks_per_sm"]})
    return rows, violations


def diff(checkout, path):
    return subprocess.run(["diff", "-u", checkout.name(path, checkout.original), path],
                          text=True, errors="replace", capture_output=True).stdout


def check_mode(options, checkout, name, flags, mode):
    source = checkout.copy / name
    before = measure(options, source, flags)
    status, text, kernels = run_tool(options, source, flags, mode, "-i")
    name_files(checkout, kernels)
    result = {"outcome": corpus.name_outcome(status, text), "kernels": kernels}
    if any(map(is_rewritten, kernels)):
        result["diff"] = "".join(diff(checkout, path)
                                 for path, _ in checkout.stamp().items() - checkout.stamps.items())
        again = run_tool(options, source, flags, mode, "--check")
        result["again"] = {0: "unchanged", 3: "unchanged", 1: "changed again"}.get(
            again[0], corpus.name_outcome(again[0], again[1]))
        after = measure(options, source, flags)
        if before is None:
            result["compile"] = "original does not compile"
        elif after is None:
            result["compile"] = "regression"
        else:
            result["compile"] = "compiles"
            result["rows"], result["violations"] = compare(before, after, kernels)
    checkout.restore()
    if any(map(is_rewritten, kernels)):
        status, text, judged = run_tool(options, source, flags, mode, "--check",
                                        "--verify=machine")
        name_files(checkout, judged)
        result["machine"] = {
            f"{k['file']}:{k['line']} {k['name']}": storage_of(k).get("reason") or "equal"
            for k, first in zip(judged, kernels) if is_rewritten(first)}
        result["machine_outcome"] = corpus.name_outcome(status, text)
        checkout.restore()
    return result


def process(options, checkout, name):
    source = checkout.copy / name
    flags = corpus.guess_flags(source, checkout.copy, options.include)
    status, text, kernels = run_tool(options, source, flags, "auto", "--check")
    name_files(checkout, kernels)
    result = {"file": f"{checkout.original.name}/{name}", "flags": flags,
              "outcome": corpus.name_outcome(status, text), "kernels": kernels}
    # Whatever auto changes, or keeps for want of a step, bytes may change.
    if any(is_rewritten(k) or storage_of(k).get("reason") == "no-occupancy-step"
           for k in kernels):
        for mode in MODES:
            result[mode] = check_mode(options, checkout, name, flags, mode)
    return result


def process_all(options, scratch):
    copies = {}
    for number, original in enumerate(options.checkouts):
        copies[original] = queue.SimpleQueue()
        for job in range(options.jobs):
            copies[original].put(
                corpus.Checkout(original, scratch / str(job) / str(number)))
    tasks = [(original, name) for original in options.checkouts
             for name in corpus.find_sources(original)
             if re.search(options.filter, f"{original.name}/{name}")]

    def run(task):
        checkout = copies[task[0]].get()
        try:
            result = process(options, checkout, task[1])
            if options.lines:  # For those who do not want to wait.
                with options.lines.open("a") as lines:
                    lines.write(json.dumps(result) + "\n")
            return result
        finally:
            copies[task[0]].put(checkout)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        return list(pool.map(run, tasks))


def place_of(kernel):
    return kernel["file"], kernel["line"], kernel["name"]


def print_mode(results, mode):
    done = [(r, r[mode]) for r in results if mode in r]
    rewritten = {(r["file"], k["name"], k["line"]): k for r, m in done
                 for k in m["kernels"] if is_rewritten(k)}
    print(f"\n--reuse={mode}: kernels rewritten {len(rewritten)}, in "
          f"{len({key[0] for key in rewritten})} files; barriers added "
          f"{sum(k['barriers_added'] for k in rewritten.values())}")
    for title, key in (("compiled", "compile"), ("once more", "again")):
        corpus.print_table(title, collections.Counter(m[key] for _, m in done if key in m))
    corpus.print_table("on the machine", collections.Counter(
        verdict for _, m in done for verdict in m.get("machine", {}).values()))
    print("\n  shared bytes, registers, accesses of shared memory, barriers in PTX,"
          " blocks/SM")
    for result, m in done:
        for row in m.get("rows", []):
            old, new = row["before"], row["after"]
            wrong = "" if new["shared"] == row["predicted"]["after"] else \
                f"  predicted {row['predicted']['before']} -> {row['predicted']['after']}"
            print("  " + "; ".join(f"{old[key]} -> {new[key]}" for key in (
                "shared", "registers", "accesses", "barriers", "blocks"))
                + f"  {result['file']} {row['name']}{wrong}")
    for result, m in done:
        for text in m.get("violations", []):
            print(f"  VIOLATION {result['file']}: {text}")
        if m.get("compile") == "regression" or m.get("again") not in (None, "unchanged") \
                or "different" in str(m.get("machine")) or m["outcome"] == "crashed":
            print(f"  WRONG {result['file']}: {m.get('compile')} {m.get('again')} "
                  f"{m.get('machine')} {m['outcome']}")


def print_all(results):
    corpus.print_table("files", collections.Counter(r["outcome"] for r in results))
    for result in results:
        if result["outcome"] in ("crashed", "timed out"):
            print(f"  {result['outcome']}: {result['file']}")
    kernels = {(r["file"].split("/")[0], *place_of(k)): k
               for r in results for k in r["kernels"]}
    chosen = [k for k in kernels.values() if has_choice(k)]
    print(f"\nkernels {len(kernels)}, with two shared variables {len(chosen)}")
    corpus.print_table("what --reuse=auto says of these", collections.Counter(
        "rewritten" if is_rewritten(k) else storage_of(k).get("reason") or "not asked"
        for k in chosen))
    for mode in MODES:
        print_mode(results, mode)


def main():
    parser = corpus.make_parser(__doc__)
    parser.add_argument("--lines", type=pathlib.Path,
                        help="file to add the result of each file to, at once")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        results = process_all(options, pathlib.Path(folder).resolve())
    print_all(results)
    if options.json:
        options.json.write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
