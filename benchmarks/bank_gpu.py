#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the layouts of cuda-opt on a GPU.

Each kernel of banks/gpu/ exists as a programmer writes it (original), as cuda-opt
rewrites that (rewritten), with rows made longer by hand (padded), and with a
swizzle of CuTe by hand (swizzled).

  bank_gpu.py build --out DIR    rewrites and compiles; needs no GPU
  bank_gpu.py run --out DIR      runs the programs of DIR; needs no compiler
  bank_gpu.py print --out DIR    prints the tables of earlier runs again
"""

import argparse
import concurrent.futures
import csv
import json
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

SOURCES = pathlib.Path(__file__).resolve().parent / "banks" / "gpu"
VARIANTS = {
    "original": [],
    "rewritten": [],
    "padded": ["-DPADDED"],
    "swizzled": ["-DSWIZZLED"],
}
# How often a loop runs in the report, if nobody knows how often it does.
ASSUMED_TRIPS = 10
PERCENT = "avg.pct_of_peak_sustained_elapsed"
COUNTERS = {
    "wavefronts": "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum",
    "conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
    "loads": "smsp__inst_executed_op_shared_ld.sum",
    "stores": "smsp__inst_executed_op_shared_st.sum",
    "lsu_percent": f"l1tex__data_pipe_lsu_wavefronts.{PERCENT}",
    "dram_percent": f"dram__throughput.{PERCENT}",
}


def run_quietly(command):
    """Returns the output; ends the script with it if the command fails."""
    command = list(map(str, command))
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    if done.returncode != 0:
        sys.exit(f"{done.stdout}{' '.join(command)}: exit code {done.returncode}")
    return done.stdout


# Step 1: build.


def compile_variant(options, name, variant):
    """Returns the resources that ptxas says the kernel takes."""
    source = SOURCES / f"{name}.cu"
    if variant == "rewritten":
        source = options.out / f"{name}.opt.cu"
    output = run_quietly(
        [options.nvcc, "-O3", "-std=c++17", "-lineinfo", f"-arch={options.arch}"]
        + ["-Xptxas", "-v", "-Xlinker", "-s", f"-I{SOURCES}", *VARIANTS[variant]]
        + ["-o", options.out / f"{name}.{variant}", source]
    )
    registers = re.search(r"Used (\d+) registers", output)
    spilled = re.search(r"(\d+) bytes spill stores", output)
    shared = re.search(r"(\d+) bytes smem", output)
    return {
        "registers": int(registers[1]),
        "spilled_bytes": int(spilled[1]),
        "shared_bytes": int(shared[1]),
    }


def rewrite(options, name):
    run_quietly(
        [options.cuda_opt, "--quiet", f"--arch={options.arch}"]
        + [f"--report=json:{options.out / name}.report.json"]
        + ["-o", options.out / f"{name}.opt.cu", SOURCES / f"{name}.cu"]
        + ["--", "-std=c++17", f"-arch={options.arch}"]
    )


def build(options):
    options.out.mkdir(parents=True, exist_ok=True)
    jobs = [(name, variant) for name in options.names for variant in VARIANTS]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(lambda name: rewrite(options, name), options.names))
        resources = list(pool.map(lambda job: compile_variant(options, *job), jobs))
    for name in options.names:
        mine = {v: r for (n, v), r in zip(jobs, resources) if n == name}
        path = options.out / f"{name}.resources.json"
        path.write_text(json.dumps(mine, indent=2) + "\n")
        registers = (f"{v} {r['registers']} registers" for v, r in mine.items())
        print(name, *registers, sep="  ")


# Step 2: run.


def time_variants(options, name):
    """Returns the outputs of the programs by variant, a list in the order of the
    passes. A pass runs each variant once, so that all see the same machine."""
    outputs = {variant: [] for variant in VARIANTS}
    order = list(VARIANTS)
    for index in range(options.passes):
        for variant in order[index % 4 :] + order[: index % 4]:
            program = options.out / f"{name}.{variant}"
            output = run_quietly([program, "--json", "--repeat", options.repeat])
            outputs[variant].append(json.loads(output))
    return outputs


def is_equal(left, right):
    size = 1 << 24
    with open(left, "rb") as a, open(right, "rb") as b:
        while True:
            bytes_a, bytes_b = a.read(size), b.read(size)
            if bytes_a != bytes_b:
                return False
            if not bytes_a:
                return True


def compare_results(options, name):
    """Returns, by variant, if its result has the bits of the original's."""
    equal = {}
    with tempfile.TemporaryDirectory() as folder:
        files = {variant: pathlib.Path(folder) / variant for variant in VARIANTS}
        for variant, file in files.items():
            program = options.out / f"{name}.{variant}"
            run_quietly([program, "--repeat", 1, "--dump", file])
            equal[variant] = is_equal(files["original"], file)
            if variant != "original":
                file.unlink()
    return equal


def count(options, name, variant):
    """Returns the counters of one launch, nothing if ncu fails."""
    command = (
        [options.ncu, "--clock-control", "none", "--csv", "--page", "raw"]
        + ["--print-units", "base", "--launch-count", 1]
        + ["--metrics", ",".join(COUNTERS.values())]
        + [options.out / f"{name}.{variant}", "--repeat", 1]
    )
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, text=True)
    # Names, units, values; what the program and ncu print has no quotes before it.
    lines = done.stdout.splitlines()
    rows = list(csv.reader(line for line in lines if line[:1] == '"'))
    if len(rows) != 3:
        print(f"{done.stdout}{name}.{variant}: no counters", file=sys.stderr)
        return None
    values = dict(zip(rows[0], rows[2]))
    return {
        key: float(values[counter].replace(",", ""))
        for key, counter in COUNTERS.items()
    }


def predict(options, name, output):
    """Returns the wavefronts of one launch that the report promises."""
    report = json.loads((options.out / f"{name}.report.json").read_text())
    kernels = [kernel for file in report["files"] for kernel in file["kernels"]]
    if len(kernels) != 1:
        sys.exit(f"{name}: the report has {len(kernels)} kernels")
    scale = output["blocks"]
    if output["rounds"]:
        scale *= output["rounds"] / ASSUMED_TRIPS
    cost = kernels[0]["wavefronts"]
    return {
        "original": cost["before"] * scale,
        "rewritten": cost["after"] * scale,
        "bound": cost["bound"] * scale,
        "reasons": {
            array["name"]: array["reason"]
            for array in kernels[0]["arrays"]
            if array["decision"] != "rewritten"
        },
    }


def measure(options, name):
    outputs = time_variants(options, name)
    resources = json.loads((options.out / f"{name}.resources.json").read_text())
    result = {
        "equal": compare_results(options, name),
        "blocks": outputs["original"][0]["blocks"],
        "rounds": outputs["original"][0]["rounds"],
        "predicted": predict(options, name, outputs["original"][0]),
        "variants": {},
    }
    for variant, runs in outputs.items():
        times = [run["median_ms"] for run in runs]
        ratios = [
            run["median_ms"] / original["median_ms"]
            for run, original in zip(runs, outputs["original"])
        ]
        result["variants"][variant] = {
            "median_ms": statistics.median(times),
            "min_ms": min(run["min_ms"] for run in runs),
            "pass_ms": times,
            "ratio": statistics.median(ratios),
            "ratio_least": min(ratios),
            "ratio_greatest": max(ratios),
            **resources[variant],
        }
        if options.ncu:
            result["variants"][variant]["counted"] = count(options, name, variant)
    return result


def run(options):
    results = {}
    if options.results.exists():
        results = json.loads(options.results.read_text())
    for name in options.names:
        results[name] = measure(options, name)
        options.results.write_text(json.dumps(results, indent=2) + "\n")
    print_tables(options)
    if not all(all(results[name]["equal"].values()) for name in options.names):
        sys.exit("results differ")


# Tables.


def print_times(results):
    print("median time of a launch; share of the original's (least to greatest)")
    others = list(VARIANTS)[1:]
    print(f"{'kernel':17}{'original':>10}" + "".join(f"{v:>31}" for v in others))
    for name, result in results.items():
        variants = result["variants"]
        cells = f"{name:17}{variants['original']['median_ms']:8.4f}ms"
        for v in (variants[other] for other in others):
            spread = f"({v['ratio_least']:.3f}-{v['ratio_greatest']:.3f})"
            cells += f"{v['median_ms']:9.4f}ms {v['ratio']:5.3f} {spread:>14}"
        different = [v for v, equal in result["equal"].items() if not equal]
        if different:
            cells += f"  DIFFERENT: {' '.join(different)}"
        print(cells)


def print_counts(results):
    print(
        "\nwavefronts of shared memory in a launch; requests; how busy are the pipe"
        " of shared memory and the device's memory\n"
        f"{'kernel':17}{'variant':10}{'predicted':>13}{'counted':>13}{'off by':>8}"
        f"{'conflicts':>13}{'loads':>12}{'stores':>12}{'pipe':>7}{'DRAM':>7}{'regs':>6}"
    )
    for name, result in results.items():
        for variant, v in result["variants"].items():
            counted = v.get("counted")
            if not counted:
                continue
            cells = f"{name:17}{variant:10}"
            if variant in result["predicted"]:
                predicted = result["predicted"][variant]
                off = predicted / counted["wavefronts"] - 1
                cells += f"{predicted:13.0f}{counted['wavefronts']:13.0f}{off:8.1%}"
            else:
                cells += f"{'':13}{counted['wavefronts']:13.0f}{'':8}"
            cells += f"{counted['conflicts']:13.0f}{counted['loads']:12.0f}"
            cells += f"{counted['stores']:12.0f}{counted['lsu_percent']:6.1f}%"
            print(f"{cells}{counted['dram_percent']:6.1f}%{v['registers']:6}")


def print_tables(options):
    results = json.loads(options.results.read_text())
    print_times(results)
    print_counts(results)
    for name, result in results.items():
        for array, reason in result["predicted"]["reasons"].items():
            print(f"{name}: {array} kept, {reason}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("step", choices=["build", "run", "print"])
    parser.add_argument("--out", type=pathlib.Path, default="build/bank-gpu")
    parser.add_argument("--only", help="kernels, with commas between them")
    parser.add_argument("--cuda-opt", default="build/bin/cuda-opt")
    parser.add_argument("--nvcc", default=shutil.which("nvcc"))
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--jobs", type=int, default=2, help="of the step build")
    parser.add_argument("--passes", type=int, default=4, help="runs of each program")
    parser.add_argument("--repeat", type=int, default=21, help="launches of a run")
    parser.add_argument("--ncu", help="count wavefronts with this profiler")
    parser.add_argument("--results", type=pathlib.Path, help="default: in OUT")
    options = parser.parse_args()
    options.results = options.results or options.out / "results.json"

    known = sorted(path.stem for path in SOURCES.glob("*.cu"))
    options.names = options.only.split(",") if options.only else known
    if unknown := set(options.names) - set(known):
        parser.error(f"no such kernel: {' '.join(sorted(unknown))}")
    {"build": build, "run": run, "print": print_tables}[options.step](options)


if __name__ == "__main__":
    main()
