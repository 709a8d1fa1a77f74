#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures what cuda-opt adds to a compilation.

Runs cuda-opt and `nvcc -c` in turn on each file of inputs/, so that both see
the same machine, and prints the ratio of their median times. With --baseline,
an older cuda-opt takes the place of nvcc, and seconds are those of the CPU.
"""

import argparse
import json
import os
import pathlib
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

INPUTS = pathlib.Path(__file__).resolve().parent / "inputs"
# What share of nvcc's time cuda-opt may take.
GOALS = {"small.cu": 0.40, "groups.cu": 0.30, "thrust.cu": 0.20}
FLAGS = ["-std=c++17", "-arch=sm_90"]


def seconds(command, environment):
    start = time.perf_counter()
    subprocess.run(command, check=True, env=environment)
    return time.perf_counter() - start


def cpu_seconds(command, environment):
    def spent():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    start = spent()
    subprocess.run(command, check=True, env=environment)
    return spent() - start


def compare(name, options, folder):
    """CPU time of this cuda-opt and of the baseline; each has its own image."""
    source = INPUTS / name
    times = {}
    for run in range(options.repeat + 1):
        for program in (options.baseline, options.cuda_opt):
            environment = dict(os.environ, CUDAOPT_CACHE_DIR=str(
                folder / ("new" if program == options.cuda_opt else "old")))
            time_s = cpu_seconds([program, "--quiet", "-o", folder / name, source,
                                  "--", *FLAGS], environment)
            if run:
                times.setdefault(program, []).append(time_s)
    old, new = times[options.baseline], times[options.cuda_opt]
    return {
        "file": name,
        "baseline_cpu_s": round(statistics.median(old), 4),
        "cuda_opt_cpu_s": round(statistics.median(new), 4),
        "spread_s": round(max(new) - min(new), 4),
        "ratio": round(statistics.median(new) / statistics.median(old), 4),
    }


def measure(name, options, folder):
    source = INPUTS / name
    rewritten = folder / name
    # cuda-opt must read the headers of the nvcc that it is compared to.
    toolkit = str(pathlib.Path(options.nvcc).resolve().parent.parent)
    environment = dict(os.environ, CUDA_PATH=toolkit, CUDA_HOME=toolkit,
                       CUDAOPT_CACHE_DIR=str(folder / "cache"))
    tool = [options.cuda_opt, "--quiet", "-o", rewritten, source, "--", *FLAGS]
    nvcc = [options.nvcc, *FLAGS, "-c", "-o", folder / "out.o", source]
    cache = folder / "cache"

    def time_pair(is_first):
        if is_first:
            shutil.rmtree(cache, ignore_errors=True)
        return {"cuda_opt_s": round(seconds(tool, environment), 4),
                "nvcc_s": round(seconds(nvcc, environment), 4)}

    time_pair(True)  # Fills the disk cache.
    # The first file with new flags makes the image of its headers.
    first = [time_pair(True) for _ in range(options.repeat)]
    pairs = [time_pair(False) for _ in range(options.repeat)]
    if rewritten.read_bytes() == source.read_bytes():
        sys.exit(f"{name}: cuda-opt changed nothing, so its time says little")
    tool_time, nvcc_time, first_time = (
        statistics.median(pair[key] for pair in some) for some, key in
        ((pairs, "cuda_opt_s"), (pairs, "nvcc_s"), (first, "cuda_opt_s")))
    return {
        "file": name,
        "cuda_opt_s": round(tool_time, 4),
        "first_s": round(first_time, 4),
        "nvcc_s": round(nvcc_time, 4),
        "ratio": round(tool_time / nvcc_time, 4),
        "goal": GOALS[name],
        "passes": pairs,
        "first": first,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cuda-opt", default="build/bin/cuda-opt")
    parser.add_argument("--nvcc", default=shutil.which("nvcc"))
    parser.add_argument("--baseline", help="an older cuda-opt")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--json", help="file to write the numbers to")
    options = parser.parse_args()
    if options.baseline:
        with tempfile.TemporaryDirectory() as folder:
            for name in GOALS:
                print(*(f"{key} {value}" for key, value in compare(
                    name, options, pathlib.Path(folder)).items()), sep=", ")
        return
    if not options.nvcc:
        parser.error("no nvcc in PATH; name one with --nvcc")

    rows = []
    print(f"{'file':12}{'cuda-opt':>10}{'first':>10}{'nvcc -c':>10}{'ratio':>8}{'goal':>7}")
    with tempfile.TemporaryDirectory() as folder:
        for name in GOALS:
            row = measure(name, options, pathlib.Path(folder))
            rows.append(row)
            print(
                f"{name:12}{row['cuda_opt_s']:9.2f}s{row['first_s']:9.2f}s"
                f"{row['nvcc_s']:9.2f}s"
                f"{row['ratio']:8.2f}{row['goal']:7.2f}"
            )
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(rows, indent=2) + "\n")


if __name__ == "__main__":
    main()
