#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the layouts of cuda-opt on a GPU.

Each kernel of banks/gpu/ exists as a programmer writes it (original), as cuda-opt
rewrites that (rewritten), with rows made longer by hand (padded), with a
swizzle of CuTe by hand (swizzled), and some with the layout of a publication
(published).

  bank_gpu.py build --out DIR    rewrites and compiles; needs no GPU
  bank_gpu.py run --out DIR      runs the programs of DIR; needs no compiler
  bank_gpu.py print --out DIR    prints the tables of earlier runs again
"""

import csv
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

import gpu_programs
from gpu_programs import run_quietly

SOURCES = pathlib.Path(__file__).resolve().parent / "banks" / "gpu"
VARIANTS = {
    "original": [],
    "rewritten": [],
    "padded": ["-DPADDED"],
    "swizzled": ["-DSWIZZLED"],
    "published": ["-DPUBLISHED"],
}
# How often a loop runs in the report, if nobody knows how often it does.
ASSUMED_TRIPS = 10
PERCENT = "avg.pct_of_peak_sustained_elapsed"
COUNTERS = {
    "wavefronts": "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum",
    "conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
    "loads": "smsp__inst_executed_op_shared_ld.sum",
    "stores": "smsp__inst_executed_op_shared_st.sum",
    "instructions": "smsp__inst_executed.sum",
    "warps_percent": "sm__warps_active.avg.pct_of_peak_sustained_active",
    "lsu_percent": f"l1tex__data_pipe_lsu_wavefronts.{PERCENT}",
    "dram_percent": f"dram__throughput.{PERCENT}",
}


def variants_of(name):
    """Returns those that the source has."""
    text = (SOURCES / f"{name}.cu").read_text()
    return [
        variant
        for variant, flags in VARIANTS.items()
        if all(f"defined({flag.removeprefix('-D')})" in text for flag in flags)
    ]


# Step 1: build.


def compile_variant(options, name, variant):
    source = SOURCES / f"{name}.cu"
    if variant == "rewritten":
        source = options.out / f"{name}.opt.cu"
    flags = [f"-I{SOURCES}", *VARIANTS[variant]]
    output = options.out / f"{name}.{variant}"
    return gpu_programs.compile_program(options, source, output, flags)


def rewrite(options, name):
    report = f"--report=json:{options.out / name}.report.json"
    output = options.out / f"{name}.opt.cu"
    gpu_programs.rewrite(options, SOURCES / f"{name}.cu", output,
                         ["--passes=bank-layout", report])


def build(options):
    gpu_programs.build(options, variants_of, rewrite, compile_variant)


# Step 2: run.


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
        files = {variant: pathlib.Path(folder) / variant for variant in variants_of(name)}
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


def measure_energy(options, name, variant):
    """Returns, for each pass, joules of a launch and watts, nothing if the GPU does not
    tell."""
    if not options.energy:
        return []
    program = options.out / f"{name}.{variant}"
    arguments = ["--json", "--repeat", 1, "--energy", options.energy]
    outputs = [json.loads(run_quietly([program, *arguments]))
               for _ in range(options.passes)]
    return [{key: output[key] for key in ("joules", "watts") if key in output}
            for output in outputs]


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
    variants = variants_of(name)
    outputs = gpu_programs.time_variants(options, name, variants)
    resources = json.loads(gpu_programs.resources_path(options, name).read_text())
    result = {
        "equal": compare_results(options, name),
        "blocks": outputs["original"][0]["blocks"],
        "rounds": outputs["original"][0]["rounds"],
        "predicted": predict(options, name, outputs["original"][0]),
        "variants": {},
    }
    for variant, runs in outputs.items():
        result["variants"][variant] = {
            **gpu_programs.summarize(runs, outputs["original"]),
            **resources[variant],
            "energy": measure_energy(options, name, variant),
        }
        if options.ncu:
            result["variants"][variant]["counted"] = count(options, name, variant)
    return result


def run(options):
    results = gpu_programs.load_results(options)
    for name in options.names:
        results[name] = measure(options, name)
        gpu_programs.save_results(options, results)
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
        for other in others:
            if other not in variants:
                cells += f"{'':31}"
                continue
            v = variants[other]
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
        f"{'instructions':>14}{'warps':>7}"
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
            cells += f"{counted['dram_percent']:6.1f}%{v['registers']:6}"
            print(f"{cells}{counted['instructions']:14.0f}{counted['warps_percent']:6.1f}%")


def print_energy(results):
    print("\nenergy of a launch, idle power included; share of the original's; power")
    for name, result in results.items():
        original = median_energy(result["variants"]["original"], "joules")
        for variant, v in result["variants"].items():
            joules = median_energy(v, "joules")
            if original and joules:
                cells = f"{name:17}{variant:10}{joules * 1000:10.4f} mJ"
                watts = median_energy(v, "watts")
                print(f"{cells}{joules / original:7.3f}{watts:7.0f} W")


def median_energy(variant, key):
    """Returns the median of the passes that tell it, None if none does."""
    values = [one[key] for one in variant["energy"] if key in one]
    return statistics.median(values) if values else None


def print_tables(options):
    results = gpu_programs.load_results(options)
    print_times(results)
    print_counts(results)
    print_energy(results)
    for name, result in results.items():
        for array, reason in result["predicted"]["reasons"].items():
            print(f"{name}: {array} kept, {reason}")


def main():
    parser = gpu_programs.make_parser(__doc__, "build/bank-gpu")
    parser.add_argument("--ncu", help="count wavefronts with this profiler")
    parser.add_argument("--energy", type=float, default=0, metavar="SECONDS",
                        help="let each variant run so long, and tell its energy")
    known = [path.stem for path in SOURCES.glob("*.cu")]
    options = gpu_programs.parse(parser, known)
    {"build": build, "run": run, "print": print_tables}[options.step](options)


if __name__ == "__main__":
    main()
