# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The suites: commands that build and measure, and what their results mean."""

import dataclasses
import json
import pathlib
import re
import sys
from typing import Callable

from book.figures import Figure
from book.published import BYTES

BENCHMARKS = pathlib.Path(__file__).resolve().parent.parent
ROOT = BENCHMARKS.parent


@dataclasses.dataclass(frozen=True)
class Suite:
    name: str
    title: str
    needs_gpu: bool
    # Each maps the options, and the suite's folder, to command lines.
    build: Callable
    measure: Callable
    # Maps the folder to figures.
    read: Callable


def script(name, *arguments):
    return [sys.executable, BENCHMARKS / name, *arguments]


def read_json(path):
    return json.loads(path.read_text())


def no_commands(options, folder):
    return []


def build_by(name):
    """Returns what builds by the script of this name."""
    return lambda options, folder: [
        script(name, "build", "--out", folder, "--cuda-opt", options.cuda_opt,
               "--nvcc", options.nvcc, "--arch", options.arch)
    ]


def list_times(summary):
    """Yields the metrics, values and spreads of what gpu_programs.summarize says."""
    times = summary["pass_ms"]
    yield "time_ms", summary["median_ms"], min(times), max(times)
    yield "ratio", summary["ratio"], summary["ratio_least"], summary["ratio_greatest"]


# Layouts, on a GPU.


def measure_banks(options, folder):
    counters = ["--ncu", options.ncu] if options.ncu else []
    return [
        script("bank_gpu.py", "run", "--out", folder, "--passes", 3,
               "--energy", 1, *counters)
    ]


def read_banks(folder):
    for case, result in read_json(folder / "results.json").items():
        for variant, v in result["variants"].items():
            def figure(metric, value, **more):
                return Figure("banks", case, variant, metric, value, **more)

            for metric, value, least, greatest in list_times(v):
                yield figure(metric, value, least=least, greatest=greatest)
            yield figure("equal", int(result["equal"][variant]))
            for fact in ("registers", "shared_bytes", "joules", "watts"):
                if fact in v:
                    yield figure(fact, v[fact])
            for name, value in (v.get("counted") or {}).items():
                yield figure(name, value)
            if variant in result["predicted"]:
                yield figure("wavefronts", result["predicted"][variant], predicted=True)
        yield Figure("banks", case, "bound", "wavefronts", result["predicted"]["bound"],
                     predicted=True)


# Arrays that share bytes, on a GPU.


def measure_reuse(options, folder):
    return [script("reuse_gpu.py", "run", "--out", folder, "--passes", 3)]


def read_reuse(folder):
    for kernel, sizes in read_json(folder / "results.json").items():
        for variants in sizes:
            for variant, v in variants.items():
                def figure(metric, value, **more):
                    case = f"{kernel} {v['size']}"
                    return Figure("reuse", case, variant, metric, value, **more)

                for metric, value, least, greatest in list_times(v):
                    yield figure(metric, value, least=least, greatest=greatest)
                yield figure("equal", int(v["digest"] == variants["original"]["digest"]))
                for fact in ("shared_bytes", "blocks_per_sm", "registers"):
                    yield figure(fact, v[fact])


# Loops with indirect accesses, on a GPU.

LOOPS = {
    "paper": [],
    "indirect": ["67108864", "67108864", "3"],
    "triangular": ["-p"],
    "updates": ["24"],
    "choices": [],
}
LOOP_FLAGS = {
    "paper": ["-fmad=false"],
    "triangular": ["-lcusparse", "-Xcompiler=-mfma"],
    "choices": ["-Xcompiler", "-fno-strict-aliasing", f"-I{ROOT / 'test/Runtime'}"],
}


def build_loops(options, folder):
    return [
        [options.nvcc, f"-arch={options.arch}", "-O3", "-std=c++17", "-Xlinker", "-s",
         f"-I{ROOT / 'runtime/include'}", *LOOP_FLAGS.get(name, []),
         "-o", folder / name, BENCHMARKS / "levelize" / f"{name}.cu"]
        for name in LOOPS
    ]


def measure_loops(options, folder):
    # The names of the cases begin with that of their program.
    return [
        ["env", f"CUDAOPT_BENCHMARK_RECORDS={folder / name}.jsonl",
         folder / name, *arguments]
        for name, arguments in LOOPS.items()
    ]


def read_loops(folder):
    for name in LOOPS:
        path = folder / f"{name}.jsonl"
        rows = path.read_text().splitlines() if path.exists() else []
        for row in map(json.loads, rows):
            yield Figure(suite="loops", **{**row, "case": f"{name}: {row['case']}"})


# The application, on a GPU.


def build_cells(options, folder):
    return [["cmake", "-E", "copy", options.cells, folder / "cell-proliferation"]]


def measure_cells(options, folder):
    inputs = ["--histogram", options.histogram] if options.histogram else []
    if options.target:
        inputs += ["--target", *options.target]
    parts = "single machines batches hours fit calibrate steps".split()
    return [
        script("cells.py", "--program", folder / "cell-proliferation", *inputs,
               "--only", *parts, "--json", folder / "results.json")
    ]


CELL_METRICS = ("time_ms", "kernels_ms", "memory_mb", "cells_s", "hellinger", "overlap",
                "launches", "refused", "lost", "right")


def read_cells(folder):
    for case, facts in read_json(folder / "results.json").items():
        if facts.get("code") != 0:
            continue
        variant = facts.get("variant", "cuda-opt")
        for metric in CELL_METRICS:
            if match := re.match(r"[\d.e+-]+", str(facts.get(metric, ""))):
                name = {"cells_s": "cells_per_s"}.get(metric, metric)
                yield Figure("cells", facts.get("case", case), variant, name,
                             float(match[0]))


# Without a GPU.


# The kernels of document 001 gain bytes, but no block, on GPUs of today.
BYTES_OPTIONS = ("--reuse=bytes", "--reuse=bytes --reorder")


def list_predictions():
    """Returns sources and options by the name of the prediction, which tells both."""
    banks, reuse = (sorted((BENCHMARKS / folder / "gpu").glob("*.cu"))
                    for folder in ("banks", "reuse"))
    examples = sorted((ROOT / "examples").glob("[!c]*/*.cu"))
    predictions = {source.stem: (source, "") for source in banks + examples}
    # Another `product` is in banks/.
    predictions |= {f"{source.stem}, reuse": (source, "") for source in reuse}
    return predictions | {
        f"{name}, {more}": (ROOT / "examples" / name / f"{name}.cu", more)
        for name, _ in BYTES for more in BYTES_OPTIONS}


def measure_predicted(options, folder):
    return [
        [options.cuda_opt, "--quiet", f"--arch={options.arch}", "--check",
         *more.split(), f"--report=json:{folder / name}.json", source, "--",
         "-std=c++17", f"-I{source.parent}"]
        for name, (source, more) in list_predictions().items()
    ]


def read_predicted(folder):
    # Reports of other names are left from older runs.
    for name in sorted(list_predictions()):
        for file in read_json(folder / f"{name}.json")["files"]:
            for kernel in file["kernels"]:
                case = f"{name}: {kernel['name']}"
                for metric in ("wavefronts", "shared_bytes", "blocks_per_sm"):
                    values = kernel.get(metric) or {}
                    for variant, key in (("original", "before"), ("rewritten", "after"),
                                         ("bound", "bound")):
                        if values.get(key) is not None:
                            yield Figure("predicted", case, variant, metric,
                                         values[key], predicted=True)


def measure_jobs(options, folder):
    return [script("bank_jobs.py", "--cuda-opt", options.cuda_opt,
                   "--json", folder / "results.json")]


def read_jobs(folder):
    for row in read_json(folder / "results.json")["jobs"]:
        for variant in ("before", "after", "bound"):
            yield Figure("jobs", row["job"], variant, "wavefronts", row[variant],
                         predicted=True)


def measure_tool(options, folder):
    return [script("tool_speed.py", "--cuda-opt", options.cuda_opt, "--nvcc",
                   options.nvcc, "--json", folder / "results.json")]


def read_tool(folder):
    for row in read_json(folder / "results.json"):
        yield Figure("tool", row["file"], "cuda-opt", "time_s", row["cuda_opt_s"])
        yield Figure("tool", row["file"], "nvcc -c", "time_s", row["nvcc_s"])
        yield Figure("tool", row["file"], "cuda-opt", "ratio", row["ratio"])


def measure_machine(options, folder):
    tools = pathlib.Path(options.cuda_opt).parent
    return [script("machine_speed.py", "--cuda-sim", tools / "cuda-sim", "--cuda-fuzz",
                   tools / "cuda-fuzz", "--json", folder / "results.json")]


def read_machine(folder):
    results = read_json(folder / "results.json")
    for row in results["programs"]:
        for variant, key in (("all checks", "checked_per_s"),
                             ("without races", "no_races_per_s")):
            yield Figure("machine", row["program"], variant,
                         "warp_instructions_per_s", row[key])
    yield Figure("machine", "cuda-fuzz", "pairs", "pairs_per_s",
                 results["fuzz"]["pairs_per_minute"] / 60)


SUITES = [
    Suite("banks", "Layouts, on a GPU", True, build_by("bank_gpu.py"), measure_banks, read_banks),
    Suite("reuse", "Arrays that share bytes, on a GPU", True, build_by("reuse_gpu.py"),
          measure_reuse, read_reuse),
    Suite("loops", "Loops with indirect accesses, on a GPU", True, build_loops,
          measure_loops, read_loops),
    Suite("cells", "Proliferation of cells, on a GPU", True, build_cells,
          measure_cells, read_cells),
    Suite("predicted", "What the reports predict", False, no_commands,
          measure_predicted, read_predicted),
    Suite("jobs", "Layouts of 38 known jobs", False, no_commands, measure_jobs,
          read_jobs),
    Suite("tool", "The time of cuda-opt", False, no_commands, measure_tool, read_tool),
    Suite("machine", "The speed of the interpreter", False, no_commands,
          measure_machine, read_machine),
]
