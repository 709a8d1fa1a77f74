#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures what walks along rows of global memory gain on a GPU if warps read the rows
in tiles: each kernel of rows/gpu/ as it is (original), and as
cuda-opt --passes=global-access rewrites it (rewritten).

  rows_gpu.py build --out DIR   rewrites and compiles; needs no GPU
  rows_gpu.py run --out DIR     runs the programs of DIR; needs no compiler
  rows_gpu.py print --out DIR   prints the table of earlier runs again
"""

import pathlib
import sys

import gpu_programs

SOURCES = pathlib.Path(__file__).resolve().parent / "rows" / "gpu"
NAMES = [path.stem for path in SOURCES.glob("*.cu")]
VARIANTS = ["original", "rewritten"]
# The lengths of the rows. Those that are no multiple of 32 end inside of a tile, and
# rows of 20 have none.
SIZES = [20, 64, 100, 250, 1023, 1024, 4096]


def source_of(options, name, variant):
    return (SOURCES if variant == "original" else options.out) / f"{name}.cu"


def rewrite(options, name):
    output = source_of(options, name, "rewritten")
    gpu_programs.rewrite(options, source_of(options, name, "original"), output,
                         ["--passes=global-access"])
    if "__activemask" not in output.read_text():
        sys.exit(f"{name}: not rewritten")


def compile_variant(options, name, variant):
    return gpu_programs.compile_program(
        options, source_of(options, name, variant), options.out / f"{name}.{variant}",
        [f"-I{SOURCES}"])


def build(options):
    gpu_programs.build(options, lambda name: VARIANTS, rewrite, compile_variant)


def measure(options, name, size):
    outputs = gpu_programs.time_variants(options, name, VARIANTS, ["--size", size])
    facts = ("shared_bytes", "registers", "blocks_per_sm", "digest", "size")
    return {
        variant: {**gpu_programs.summarize(runs, outputs["original"]),
                  **{fact: runs[0][fact] for fact in facts}}
        for variant, runs in outputs.items()
    }


def run(options):
    results = gpu_programs.load_results(options)
    for name in options.names:
        results[name] = [measure(options, name, size) for size in SIZES]
        gpu_programs.save_results(options, results)
    print_table(options)
    if any(len({v["digest"] for v in variants.values()}) != 1
           for name in options.names for variants in results[name]):
        sys.exit("results differ")


def print_table(options):
    print(f"{'kernel':14}{'columns':>8}{'original':>12}{'rewritten':>12}"
          "  rewritten / original (least to greatest)")
    for name, sizes in gpu_programs.load_results(options).items():
        for variants in sizes:
            old, new = variants["original"], variants["rewritten"]
            print(f"{name:14}{old['size']:8}{old['median_ms']:10.4f}ms"
                  f"{new['median_ms']:10.4f}ms  {new['ratio']:.3f} "
                  f"({new['ratio_least']:.3f} to {new['ratio_greatest']:.3f})"
                  + ("" if old["digest"] == new["digest"] else "  DIFFERENT"))


def main():
    options = gpu_programs.parse(gpu_programs.make_parser(__doc__, "build/rows-gpu"),
                                 NAMES)
    {"build": build, "run": run, "print": print_table}[options.step](options)


if __name__ == "__main__":
    main()
