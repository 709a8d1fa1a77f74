# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the scripts that measure kernels on a GPU share: they build variants of
programs, run them in turn, and print tables."""

import argparse
import concurrent.futures
import json
import pathlib
import re
import shutil
import statistics
import subprocess
import sys


def run_quietly(command):
    """Returns the output; ends the script with it if the command fails."""
    command = list(map(str, command))
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    if done.returncode != 0:
        sys.exit(f"{done.stdout}{' '.join(command)}: exit code {done.returncode}")
    return done.stdout


def rewrite(options, source, output, flags):
    """Has cuda-opt rewrite the source."""
    run_quietly(
        [options.cuda_opt, "--quiet", f"--arch={options.arch}", *flags]
        + ["-o", output, source, "--", "-std=c++17", f"-arch={options.arch}"]
    )


def compile_program(options, source, output, flags):
    """Returns the resources that ptxas says the kernel takes."""
    said = run_quietly(
        [options.nvcc, "-O3", "-std=c++17", "-lineinfo", f"-arch={options.arch}"]
        + ["-Xptxas", "-v", "-Xlinker", "-s", *flags, "-o", output, source]
    )
    registers = re.search(r"Used (\d+) registers", said)
    spilled = re.search(r"(\d+) bytes spill stores", said)
    shared = re.search(r"(\d+) bytes smem", said)
    return {
        "registers": int(registers[1]),
        "spilled_bytes": int(spilled[1]),
        "shared_bytes": int(shared[1]) if shared else 0,
    }


def build(options, variants_of, rewrite_one, compile_one):
    """Calls rewrite_one(options, name) and compile_one(options, name, variant) for
    all, and keeps the resources that the latter returns."""
    options.out.mkdir(parents=True, exist_ok=True)
    jobs = [(name, variant) for name in options.names for variant in variants_of(name)]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(lambda name: rewrite_one(options, name), options.names))
        resources = list(pool.map(lambda job: compile_one(options, *job), jobs))
    for name in options.names:
        mine = {v: r for (n, v), r in zip(jobs, resources) if n == name}
        resources_path(options, name).write_text(json.dumps(mine, indent=2) + "\n")
        registers = (f"{v} {r['registers']} registers" for v, r in mine.items())
        print(name, *registers, sep="  ")


def resources_path(options, name):
    return options.out / f"{name}.resources.json"


def time_variants(options, name, variants, arguments=()):
    """Returns the outputs of the programs by variant, a list in the order of the
    passes. A pass runs each variant once, so that all see the same machine."""
    outputs = {variant: [] for variant in variants}
    order = list(variants)
    for index in range(options.passes):
        first = index % len(order)
        for variant in order[first:] + order[:first]:
            program = options.out / f"{name}.{variant}"
            command = [program, "--json", "--repeat", options.repeat, *arguments]
            outputs[variant].append(json.loads(run_quietly(command)))
    return outputs


def summarize(runs, originals):
    """Returns the times of a variant, and their share of the original's."""
    ratios = [
        run["median_ms"] / original["median_ms"]
        for run, original in zip(runs, originals)
    ]
    return {
        "median_ms": statistics.median(run["median_ms"] for run in runs),
        "min_ms": min(run["min_ms"] for run in runs),
        "pass_ms": [run["median_ms"] for run in runs],
        "ratio": statistics.median(ratios),
        "ratio_least": min(ratios),
        "ratio_greatest": max(ratios),
    }


def load_results(options):
    return json.loads(options.results.read_text()) if options.results.exists() else {}


def save_results(options, results):
    options.results.write_text(json.dumps(results, indent=2) + "\n")


def make_parser(description, out):
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("step", choices=["build", "run", "print"])
    parser.add_argument("--out", type=pathlib.Path, default=out)
    parser.add_argument("--only", help="kernels, with commas between them")
    parser.add_argument("--cuda-opt", default="build/bin/cuda-opt")
    parser.add_argument("--nvcc", default=shutil.which("nvcc"))
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--jobs", type=int, default=2, help="of the step build")
    parser.add_argument("--passes", type=int, default=4, help="runs of each program")
    parser.add_argument("--repeat", type=int, default=21, help="launches of a run")
    parser.add_argument("--results", type=pathlib.Path, help="default: in OUT")
    return parser


def parse(parser, known):
    """Returns the options; names are those of --only, or all that are known."""
    options = parser.parse_args()
    options.results = options.results or options.out / "results.json"
    options.names = options.only.split(",") if options.only else sorted(known)
    if unknown := set(options.names) - set(known):
        parser.error(f"no such kernel: {' '.join(sorted(unknown))}")
    return options
