#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures how far cuda-opt removes the bank conflicts of 38 known jobs.

Runs cuda-opt on banks/jobs/ and compares the layout that it chose for each job
with the job as written and with the best layout known for it.
"""

import argparse
import dataclasses
import json
import math
import pathlib
import subprocess
import sys
import tempfile

JOBS = pathlib.Path(__file__).resolve().parent / "banks" / "jobs"
FLAGS = ["-std=c++17", "-arch=sm_90"]
TOLERANCE = 0.005
GOAL_REACHED = 36
GOAL_GEOMEAN = 1.03


@dataclasses.dataclass(frozen=True)
class Job:
    kernel: str
    array: str
    # Wavefronts of a block as written, and their lower bound, each access at the
    # width that the source has.
    before: int
    bound: int
    # Ratio to the bound of the job as written and of the best layout known, for
    # the access pattern alone that the job is named after. "identity" is not
    # before / bound where the kernel must do more than that pattern: the comment
    # in the table says what.
    identity: float
    best: float
    bonus: bool = False  # A second spelling of a job: not in the totals.

    @property
    def number(self):
        return self.kernel.partition("_")[0].removeprefix("job")


TABLE = [
    Job("job01_product_52", "AS", 35360, 11024, 3.21, 1.00),
    Job("job02_transpose_float", "tile", 1056, 64, 16.50, 1.00),
    Job("job03_transpose_double", "tile", 1088, 128, 8.50, 1.00),
    Job("job04_transpose_half", "tile", 544, 64, 8.50, 1.00),
    Job("job05_transpose_uchar", "tile", 288, 64, 4.50, 1.00),
    Job("job06_transpose_float_16", "tile", 72, 16, 4.50, 1.00),
    # 7, 8: one store more, of the corner that the first antidiagonal reads.
    Job("job07_wavefront_16", "temp", 563, 143, 3.96, 1.00),
    Job("job08_wavefront_32", "temp", 4131, 287, 14.44, 287 / 286),
    # The divisions by the pivot, the broadcasts of row i + 1 and the rows written
    # back: 165 requests, of which 15 conflict.
    Job("job09_lud_diagonal", "shadow", 1683, 976, 1.81, 1.00),
    # The divisions by the pivot: 32 requests that conflict.
    Job("job10_lud_perimeter", "peri_col", 3168, 424, 7.43, 1.00),
    Job("job11_lud_internal", "peri_col", 136, 136, 1.00, 1.00),
    # One store of the tile less.
    Job("job12_layer_forward", "weight_matrix", 85, 85, 1.00, 1.00),
    Job("job13_heat_2d", "heat", 48, 48, 1.00, 1.00),
    Job("job14_particle_forces", "rA_shared", 10100, 2828, 3.57, 1.00),
    Job("job15_convolution_columns", "s_data", 4672, 584, 8.00, 1.00),
    Job("job16_convolution_rows", "s_data", 584, 292, 2.00, 1.00),
    Job("job17_cosine_transform", "block", 288, 64, 4.50, 1.00),
    Job("job18_bitonic_sort", "s_key", 6144, 3584, 1.71, 1.00),
    Job("job19_walsh", "s_data", 832, 384, 2.17, 1.00),
    # One load more, of the result.
    Job("job20_reduce_interleaved", "sdata", 150, 45, 3.39, 1.00),
    # One store more, of the zero at the root.
    Job("job21_scan", "temp", 1466, 317, 4.64, 1.00),
    Job("job22_haar", "shared", 96, 64, 1.50, 1.00),
    # The exchange of job 23 runs twice: real parts, imaginary parts.
    Job("job23_fft_exchange", "smem", 288, 64, 4.50, 1.00),
    # 24, 24b: also the stores that fill the tile, without conflicts.
    Job("job24_sgemm_b", "Bs", 1056, 544, 2.00, 1.00),
    Job("job24b_sgemm_b_split", "Bs", 544, 544, 1.00, 1.00),
    # Neighbouring lanes read the same 16 bytes: such loads take two phases, not
    # four.
    Job("job25_sgemm_a", "As", 320, 288, 1.11, 1.00),
    Job("job26_hgemm_fragments_32", "A", 320, 128, 2.50, 1.00),
    Job("job26b_hgemm_fragments_64", "A", 1152, 256, 4.50, 1.00),
    Job("job27_transpose_double2", "tile", 288, 64, 4.50, 1.00),
    Job("job28_quads", "quads", 128, 32, 4.00, 1.00),
    Job("job28s_quads", "quads", 128, 32, 4.00, 1.00, bonus=True),
    Job("job29_bodies", "bodies", 256, 32, 8.00, 1.00),
    Job("job29s_bodies", "bodies", 256, 32, 8.00, 1.00, bonus=True),
    Job("job30_histogram", "hist", 4224, 256, 16.50, 1.00),
    Job("job31_matmul", "As", 1056, 1056, 1.00, 1.00),
    Job("job32_matmul_transposed", "Bs", 32800, 1056, 31.06, 1.00),
    Job("job33_matmul_transposed_double", "Bs", 4112, 272, 15.12, 1.00),
    # Also the stores that fill the tile: 60 requests, of which 20 conflict.
    Job("job34_stencil_3d", "tile", 304, 172, 2.00, 1.00),
    # The elimination itself: a triangle of column accesses, which broadcasts the
    # pivots. The ratio of the table takes full columns.
    Job("job35_batched_lu", "a", 2887, 437, 10.60, 1.00),
    Job("job36_antidiagonals", "tile", 1088, 96, 11.33, 1.17),
]


def run(options):
    """Returns (kernel, array) -> (report of the kernel, report of the array)."""
    sources = sorted(JOBS.glob("*.cu"))
    flags = list(FLAGS)
    if options.cuda_path:
        flags.append(f"--cuda-path={options.cuda_path}")
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        subprocess.run(
            [options.cuda_opt, "--passes=bank-layout", "--quiet",
             f"--report=json:{report}",
             f"--output-dir={folder}", *sources, "--", *flags], check=True)
        files = json.loads(report.read_text())["files"]
    return {
        (kernel["name"], array["name"]): (kernel, array)
        for file in files
        for kernel in file["kernels"]
        for array in kernel["arrays"]
    }


def classify(job, array):
    """Tells how the counts in the report relate to the job's own."""
    counts = array["wavefronts"]
    if (counts["before"], counts["bound"]) == (job.before, job.bound):
        return "source"
    # The compiler merges neighbouring accesses of a lane, up to 16 bytes, and loads
    # what does not change in a loop once.
    if array["exact"] and counts["before"] <= job.before:
        return "merged"
    return "unknown"


def measure(job, kernel, array):
    counts = array["wavefronts"]
    kind = classify(job, array)
    rewritten = array["decision"] == "rewritten"
    if kind == "unknown":
        # A job that cuda-opt could not count, but left alone, costs what it did.
        after = counts["after"] if rewritten else job.before
        counts = {"before": job.before, "after": after, "bound": job.bound}
    ratio = counts["after"] / counts["bound"]
    shared = kernel["shared_bytes"]
    return {
        "job": job.number,
        "kernel": job.kernel,
        "bonus": job.bonus,
        "counts": kind,
        **counts,
        "identity": round(job.identity, 4),
        "best": round(job.best, 4),
        # A layout whose counts are not those of the job proves nothing.
        "reached": (ratio <= job.best + TOLERANCE
                    and (kind != "unknown" or not rewritten)),
        "beyond": kind != "unknown" and ratio < job.best - TOLERANCE,
        "worse": counts["after"] > counts["before"],
        "rewritten": rewritten,
        "layout": array["layout"]["after"],
        "message": array["message"],
        # Of the kernel: other arrays of it may have changed, too.
        "extra_bytes": shared["after"] - shared["before"],
    }


def show(row):
    marks = {"source": "", "merged": "w", "unknown": "?"}[row["counts"]]
    goal = ("ok" if row["reached"] else "--") + marks
    goal += "+" if row["beyond"] else ""
    what = (row["layout"] if row["rewritten"]
            else f"kept: {row['message']}")
    print(
        f"{row['job']:4}{row['before']:7}{row['after']:7}{row['bound']:7}"
        f"{row['identity']:7.2f}{row['before'] / row['bound']:7.2f}"
        f"{row['after'] / row['bound']:7.2f}{row['best']:6.2f} {goal:4}"
        f"{row['extra_bytes']:6}  {what}"
    )


def summarize(rows):
    jobs = [row for row in rows if not row["bonus"]]

    def geomean(key):
        logs = [math.log(row[key] / row["bound"]) for row in jobs]
        return math.exp(sum(logs) / len(logs))

    return {
        "jobs": len(jobs),
        "reached": sum(row["reached"] for row in jobs),
        "beyond": sum(row["beyond"] for row in jobs),
        "worse": sum(row["worse"] for row in jobs),
        "merged": [row["job"] for row in rows if row["counts"] == "merged"],
        "unknown": [row["job"] for row in rows if row["counts"] == "unknown"],
        "geomean_before": round(geomean("before"), 4),
        "geomean_after": round(geomean("after"), 4),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cuda-opt", default="build/bin/cuda-opt")
    parser.add_argument("--cuda-path", help="CUDA Toolkit to parse against")
    parser.add_argument("--check", action="store_true",
                        help="exit with 1 if a goal is missed")
    parser.add_argument("--json", help="file to write the numbers to")
    options = parser.parse_args()

    reports = run(options)
    missing = [job.kernel for job in TABLE
               if (job.kernel, job.array) not in reports]
    if missing:
        sys.exit(f"not in the report: {', '.join(missing)}")
    rows = [measure(job, *reports[job.kernel, job.array]) for job in TABLE]

    print("                                   / bound")
    print(f"{'job':4}{'before':>7}{'after':>7}{'bound':>7}{'known':>7}"
          f"{'before':>7}{'after':>7}{'best':>6} {'goal':4}{'bytes':>6}"
          "  layout, or why kept")
    for row in rows:
        show(row)
    total = summarize(rows)
    print(f"\nat or below best: {total['reached']} of {total['jobs']} "
          f"(goal {GOAL_REACHED}), below it (+): {total['beyond']}")
    print(f"worse than as written: {total['worse']} (goal 0)")
    print(f"geomean after / bound: {total['geomean_after']:.3f} "
          f"(goal {GOAL_GEOMEAN}), before / bound: "
          f"{total['geomean_before']:.3f}")
    if total["merged"]:
        print("counted as compiled, at fewer accesses than the source has (w): "
              + ", ".join(total["merged"]))
    if total["unknown"]:
        print("not all accesses counted (?): " + ", ".join(total["unknown"]))
    if options.json:
        pathlib.Path(options.json).write_text(
            json.dumps({"jobs": rows, "total": total}, indent=2) + "\n")
    failed = (total["reached"] < GOAL_REACHED or total["worse"] > 0
              or total["geomean_after"] > GOAL_GEOMEAN)
    if options.check and failed:
        sys.exit(1)


if __name__ == "__main__":
    main()
