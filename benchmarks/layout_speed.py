#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures what the search for layouts takes per array.

Runs cuda-opt in turn with --layout=auto and with --layout=keep, which models
the kernels and searches nothing, on each file of banks/. The difference of the
medians, divided by the arrays of the file, is the time of an array: patterns,
search, verification and rewriting.
"""

import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import tempfile

BANKS = pathlib.Path(__file__).resolve().parent / "banks"
# Milliseconds an array, at most; more with three dimensions.
GOAL, GOAL_3D = 50, 1000


def seconds(command):
    """Of the processor, so that other processes matter less."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)


def read_arrays(report):
    files = json.loads(report.read_text())["files"]
    kernels = [kernel for file in files for kernel in file["kernels"]]
    return [array for kernel in kernels for array in kernel["arrays"]]


def measure(source, options, report):
    def tool(layout):
        return [options.cuda_opt, "--passes=bank-layout", "--quiet", f"--layout={layout}",
                f"--report=json:{report}", "-o", os.devnull, source]

    times = {"auto": [], "keep": []}
    for _ in range(options.repeat + 1):
        for layout in ("keep", "auto"):
            times[layout].append(seconds(tool(layout)))
    arrays = read_arrays(report)  # Of the last run, which was auto.
    medians = {name: statistics.median(all[1:]) for name, all in times.items()}
    has_3d = any(len(array["extents"]) > 2 for array in arrays)
    return {
        "file": f"{source.parent.name}/{source.name}",
        "arrays": len(arrays),
        "keep_s": round(medians["keep"], 4),
        "auto_s": round(medians["auto"], 4),
        "ms_per_array": round(
            1000 * (medians["auto"] - medians["keep"]) / len(arrays), 1),
        "goal_ms": GOAL_3D if has_3d else GOAL,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cuda-opt", default="build/bin/cuda-opt")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--json", help="file to write the numbers to")
    options = parser.parse_args()

    rows = []
    print(f"{'file':26}{'arrays':>7}{'keep':>9}{'auto':>9}{'an array':>11}{'goal':>9}")
    with tempfile.TemporaryDirectory() as folder:
        for source in sorted(BANKS.glob("*/*.cu")):
            row = measure(source, options, pathlib.Path(folder) / "report.json")
            rows.append(row)
            print(f"{row['file']:26}{row['arrays']:7}{row['keep_s']:8.3f}s"
                  f"{row['auto_s']:8.3f}s{row['ms_per_array']:9.1f}ms"
                  f"{row['goal_ms']:7}ms")
    slow = [row["file"] for row in rows if row["ms_per_array"] > row["goal_ms"]]
    print(f"slower than the goal: {', '.join(slow) or 'none'}")
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(rows, indent=2) + "\n")


if __name__ == "__main__":
    main()
