#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures what arrays that share bytes gain on a GPU.

Each kernel of reuse/gpu/ exists as a programmer writes it (original), as
cuda-opt --passes=shared-reuse rewrites that (rewritten), and with the declarations
of reuse/by_hand/ in the place of its own (by_hand). Those of reuse/examples/ are
the kernels of document 001, which gain bytes, but no block, on GPUs of today: they
are rewritten with --reuse=bytes. Those of reuse/decline/ must keep their arrays
apart.

  reuse_gpu.py build --out DIR   rewrites and compiles; needs no GPU
  reuse_gpu.py run --out DIR     runs the programs of DIR; needs no compiler
  reuse_gpu.py print --out DIR   prints the table of earlier runs again
"""

import json
import pathlib
import re
import sys

import gpu_programs

ROOT = pathlib.Path(__file__).resolve().parent / "reuse"
SOURCES = ROOT / "gpu"
EXAMPLES = ROOT.parent.parent / "examples"
NAMES = [path.stem for path in SOURCES.glob("*.cu")]
EXAMPLE_NAMES = [path.stem for path in (ROOT / "examples").glob("*.cu")]
DECLARATIONS = re.compile(r"(^  __shared__ .*;\n)+", re.MULTILINE)
# The sizes of the problem; without an entry, the program's own.
SIZES = {
    "curvature": [512, 1024, 2048, 4096, 8192],
    "curvature3d": [512, 1024, 2048],
    "harris": [1020, 4080, 8160],
    "canny": [1008, 4032, 8064],
    "product": [16384, 131072],
    "denoise": [16, 32, 64, 128],
    "segmentation": [60, 132, 252, 516],
}


# Step 1: build.


def variants_of(name):
    variants = ["original", "rewritten"]
    return variants + ([] if name in EXAMPLE_NAMES else ["by_hand"])


def source_of(options, name, variant):
    if variant != "original":
        return options.out / f"{name}.{variant}.cu"
    folder = EXAMPLES / name if name in EXAMPLE_NAMES else SOURCES
    return folder / f"{name}.cu"


def rewrite(options, name):
    """Makes the sources of the other variants."""
    original = source_of(options, name, "original")
    output = source_of(options, name, "rewritten")
    flags = ["--reuse=bytes"] if name in EXAMPLE_NAMES else []
    gpu_programs.rewrite(options, original, output, ["--passes=shared-reuse", *flags])
    if "by_hand" not in variants_of(name):
        return
    mine = (ROOT / "by_hand" / f"{name}.inc").read_text()
    text, count = DECLARATIONS.subn(lambda _: mine, original.read_text())
    if count != 1:
        sys.exit(f"{original}: {count} groups of shared arrays")
    source_of(options, name, "by_hand").write_text(text)


def compile_variant(options, name, variant):
    source = source_of(options, name, variant)
    output = options.out / f"{name}.{variant}"
    flags = [f"-I{SOURCES}"]
    if name in EXAMPLE_NAMES:
        flags = [f"-I{EXAMPLES / name}", f'-DSOURCE="{source.resolve()}"']
        source = ROOT / "examples" / f"{name}.cu"
    return gpu_programs.compile_program(options, source, output, flags)


def check_declined(options):
    """Returns the kernels whose arrays share bytes though that gains nothing."""
    wrong = []
    for source in sorted((ROOT / "decline").glob("*.cu")):
        output = options.out / f"declined.{source.name}"
        gpu_programs.rewrite(options, source, output, ["--passes=shared-reuse"])
        # Arrays of which each thread has one element may become variables.
        is_kept = "union" not in output.read_text()
        print(f"{source.stem}  {'kept' if is_kept else 'REWRITTEN'}")
        if not is_kept:
            wrong.append(source.stem)
    return wrong


def build(options):
    gpu_programs.build(options, variants_of, rewrite, compile_variant)
    if wrong := check_declined(options):
        sys.exit(f"must be kept: {' '.join(wrong)}")


# Step 2: run.


def measure(options, name, size):
    """Returns what the variants did at a size (None: the program's own)."""
    arguments = ["--size", size] if size else []
    outputs = gpu_programs.time_variants(options, name, variants_of(name), arguments)
    resources = json.loads(gpu_programs.resources_path(options, name).read_text())
    facts = ("shared_bytes", "registers", "blocks_per_sm", "digest")
    return {
        variant: {
            **gpu_programs.summarize(runs, outputs["original"]),
            **{fact: runs[0][fact] for fact in facts},
            "spilled_bytes": resources[variant]["spilled_bytes"],
            "size": runs[0]["size"],
        }
        for variant, runs in outputs.items()
    }


def is_equal(variants):
    return len({variant["digest"] for variant in variants.values()}) == 1


def run(options):
    results = gpu_programs.load_results(options)
    for name in options.names:
        results[name] = [measure(options, name, n) for n in SIZES.get(name, [None])]
        gpu_programs.save_results(options, results)
    print_table(options)
    if not all(is_equal(v) for name in options.names for v in results[name]):
        sys.exit("results differ")


def print_table(options):
    print(
        "bytes of shared memory, blocks on an SM, registers, median time of a"
        " launch; the original's time over it (least to greatest)\n"
        f"{'kernel':12}{'size':>7}  {'variant':10}{'bytes':>7}{'blocks':>7}"
        f"{'regs':>5}{'time':>12}{'speed':>7}"
    )
    for name, sizes in gpu_programs.load_results(options).items():
        for variants in sizes:
            for variant, v in variants.items():
                cells = f"{name:12}{v['size']:7}  {variant:10}{v['shared_bytes']:7}"
                cells += f"{v['blocks_per_sm']:7}{v['registers']:5}"
                cells += f"{v['median_ms']:10.4f}ms{1 / v['ratio']:7.3f}"
                cells += f" ({1 / v['ratio_greatest']:.3f}-{1 / v['ratio_least']:.3f})"
                if v["digest"] != variants["original"]["digest"]:
                    cells += "  DIFFERENT"
                print(cells)


def main():
    parser = gpu_programs.make_parser(__doc__, "build/reuse-gpu")
    options = gpu_programs.parse(parser, NAMES + EXAMPLE_NAMES)
    {"build": build, "run": run, "print": print_table}[options.step](options)


if __name__ == "__main__":
    main()
