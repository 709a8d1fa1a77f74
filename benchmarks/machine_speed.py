#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures how fast the machine interprets kernels.

cuda-sim runs each example on a small and on a large problem; what the large one
takes longer, it takes for its warp instructions, not for compiling. Runs with all
checks and without the search for races alternate, so that both see the same
machine. Then cuda-fuzz compares random kernels.
"""

import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import tempfile
import time

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent / "examples"
# Arguments of the small and of the large problem.
PROGRAMS = {
    "transpose": (["--size", "64", "--repeat", "1"],
                  ["--size", "2048", "--repeat", "1"]),
    "matmul": (["--repeat", "1"], ["--repeat", "60"]),
    "stencil": (["--size", "64"], ["--size", "2048"]),
    "reduce": (["--size", "1000"], ["--size", "5000000", "--blocks", "8192"]),
}
GOAL_INSTRUCTIONS = 5e6  # Warp instructions a second, all checks, one core.
GOAL_PAIRS = 10000  # Pairs of kernels a minute, two cores.


def run(options, name, arguments, flags, report):
    command = [options.cuda_sim, "--quiet", f"--json={report}", *flags,
               EXAMPLES / name / f"{name}.cu", *arguments, "--", "-std=c++17"]
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    seconds = time.perf_counter() - start
    return seconds, json.loads(report.read_text())["warpInstructions"]


def measure(options, name, report):
    small, large = PROGRAMS[name]
    rates = {"checked": [], "no_races": []}
    for _ in range(options.repeat):
        for kind, flags in (("checked", []), ("no_races", ["--no-races"])):
            short, few = run(options, name, small, flags, report)
            long, many = run(options, name, large, flags, report)
            rates[kind].append((many - few) / (long - short))
    checked, unchecked = (statistics.median(r) for r in rates.values())
    return {
        "program": name,
        "warp_instructions": many,
        "checked_per_s": round(checked),
        "no_races_per_s": round(unchecked),
        "checked_passes": list(map(round, rates["checked"])),
        "no_races_passes": list(map(round, rates["no_races"])),
        "arguments": large,
        "ratio": round(checked / unchecked, 3),
        "goal_per_s": GOAL_INSTRUCTIONS,
    }


def fuzz(options):
    rates = []
    for seed in range(1, options.repeat + 1):
        text = subprocess.run(
            [options.cuda_fuzz, "--quiet", f"--seed={seed}",
             f"--count={options.kernels}", "--jobs=2"],
            check=True, capture_output=True, text=True).stdout
        rates.append(int(re.search(r"(\d+) pairs a minute", text)[1]))
    return {"pairs_per_minute": statistics.median(rates), "goal": GOAL_PAIRS,
            "passes": rates,
            "arguments": f"--seed=1..{options.repeat} --count={options.kernels}"}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cuda-sim", default="build/bin/cuda-sim")
    parser.add_argument("--cuda-fuzz", default="build/bin/cuda-fuzz")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--kernels", type=int, default=2000)
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        programs = [measure(options, name, report) for name in PROGRAMS]
    print(f"{'program':12}{'warp instr.':>12}{'M/s checked':>13}"
          f"{'M/s no races':>14}{'ratio':>8}")
    for row in programs:
        print(f"{row['program']:12}{row['warp_instructions']:12}"
              f"{row['checked_per_s'] / 1e6:13.1f}"
              f"{row['no_races_per_s'] / 1e6:14.1f}{row['ratio']:8.2f}")
    pairs = fuzz(options)
    print(f"cuda-fuzz: {pairs['pairs_per_minute']:.0f} pairs a minute "
          f"(goal {pairs['goal']})")
    if options.json:
        options.json.write_text(json.dumps(
            {"cores": os.cpu_count(), "programs": programs, "fuzz": pairs},
            indent=2) + "\n")


if __name__ == "__main__":
    main()
