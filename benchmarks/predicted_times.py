#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares predicted with measured times of layouts.

Has cuda-opt count the work of each kernel of banks/gpu as written, rewritten,
padded and swizzled by hand (--print=work), and compares the ratios of the
predicted times with those of the times in docs/measurements.
"""

import argparse
import json
import pathlib
import re
import statistics
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
BOOK = HERE.parent / "docs" / "measurements" / "measurements.json"
FLAGS = ["-std=c++17", "-arch=sm_90"]
MACROS = {"padded": ["-DPADDED"], "swizzled": ["-DSWIZZLED"]}
GOAL_MEDIAN = 0.08


def measured_ratios():
    """Returns the ratio to the original's time by case and variant."""
    return {
        (figure["case"], figure["variant"]): figure["value"]
        for figure in json.loads(BOOK.read_text())["figures"]
        if figure["suite"] == "banks"
        and figure["metric"] == "ratio"
        and figure["variant"] in {"rewritten", *MACROS}
    }


def predicted_cycles(options, source, macros):
    """Returns the cycles of the slowest launch; None if none is counted."""
    said = subprocess.run(
        [options.cuda_opt, "--print=work", source, "--", *FLAGS, *macros],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    cycles = [int(each) for each in re.findall(r"; (\d+) cycles a block:", said)]
    return max(cycles, default=None)


def rewrite(options, source, output):
    subprocess.run(
        [options.cuda_opt, "--quiet", "-o", output, source, "--", *FLAGS], check=True
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cuda-opt", default="build/bin/cuda-opt")
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()

    errors, rows = [], []
    for (case, variant), measured in sorted(measured_ratios().items()):
        source = HERE / "banks" / "gpu" / f"{case}.cu"
        # The rewritten text includes headers beside the original.
        with tempfile.NamedTemporaryFile(
            suffix=".cu", prefix=f".{case}-", dir=source.parent
        ) as rewritten:
            text = source
            if variant == "rewritten":
                rewrite(options, source, rewritten.name)
                text = rewritten.name
            before = predicted_cycles(options, source, [])
            after = predicted_cycles(options, text, MACROS.get(variant, []))
        if not before or not after:
            print(f"{case:18}{variant:12}not counted")
            continue
        predicted = after / before
        errors.append(abs(predicted / measured - 1))
        rows.append({"case": case, "variant": variant, "predicted": predicted})
        print(f"{case:18}{variant:12}predicted {predicted:.3f}  measured {measured:.3f}")

    median = statistics.median(errors)
    near = sum(error <= 0.2 for error in errors) / len(errors)
    print(f"{len(errors)} ratios: median error {median:.3f}, {near:.0%} within 20%")
    print(f"goal of the median: {GOAL_MEDIAN}")
    if options.json:
        options.json.write_text(json.dumps({"rows": rows, "median": median}))


if __name__ == "__main__":
    main()
