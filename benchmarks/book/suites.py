# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The suites: commands that build and measure, and what their results mean."""

import dataclasses
import json
import pathlib
import re
import sys
from typing import Callable

from book import inputs
from book.figures import Figure
from book.published import BYTES
from reuse_gpu import SIZES
from rows_gpu import SIZES as LENGTHS

BENCHMARKS = pathlib.Path(__file__).resolve().parent.parent
ROOT = BENCHMARKS.parent


@dataclasses.dataclass(frozen=True)
class Suite:
    name: str
    title: str
    needs_gpu: bool
    # Each maps the options, and the suite's folder, to command lines, or lists of such
    # that may run at the same time.
    build: Callable
    measure: Callable
    # Maps the folder to figures; passes are figures of the same key.
    read: Callable
    # Maps the options, and the suite's folder, to inputs by case.
    find_inputs: Callable
    # They are sources, so that those count that were built.
    inputs_are_built: bool = False


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
    yield "time_ms", summary["median_ms"], min(times), max(times), len(times)
    yield ("ratio", summary["ratio"], summary["ratio_least"], summary["ratio_greatest"],
           len(times))


# Layouts, on a GPU.


def measure_banks(options, folder):
    counters = ["--ncu", options.ncu] if options.ncu else []
    return [
        script("bank_gpu.py", "run", "--out", folder, "--passes", options.passes,
               "--energy", 0.5, *counters)
    ]


def read_banks(folder):
    for case, result in read_json(folder / "results.json").items():
        for variant, v in result["variants"].items():
            def figure(metric, value, **more):
                return Figure("banks", case, variant, metric, value, **more)

            for metric, value, least, greatest, passes in list_times(v):
                yield figure(metric, value, least=least, greatest=greatest,
                             passes=passes)
            yield figure("equal", int(result["equal"][variant]))
            for fact in ("registers", "shared_bytes"):
                yield figure(fact, v[fact])
            for energy in v["energy"]:
                for fact, value in energy.items():
                    yield figure(fact, value)
            for name, value in (v.get("counted") or {}).items():
                yield figure(name, value)
            if variant in result["predicted"]:
                yield figure("wavefronts", result["predicted"][variant], predicted=True)
        yield Figure("banks", case, "bound", "wavefronts", result["predicted"]["bound"],
                     predicted=True)


def find_banks_inputs(options, folder):
    return {source.stem: [inputs.from_source(source, ROOT)]
            for source in sorted((BENCHMARKS / "banks" / "gpu").glob("*.cu"))}


# Arrays that share bytes, on a GPU.


def measure_reuse(options, folder):
    return [script("reuse_gpu.py", "run", "--out", folder, "--passes", options.passes)]


def read_sizes(suite):
    """Returns what reads the results of kernels that ran at several sizes."""
    def read(folder):
        for kernel, sizes in read_json(folder / "results.json").items():
            for variants in sizes:
                for variant, v in variants.items():
                    yield from read_variant(f"{kernel} {v['size']}", variant, v, variants)

    def read_variant(case, variant, v, variants):
        def figure(metric, value, **more):
            return Figure(suite, case, variant, metric, value, **more)

        for metric, value, least, greatest, passes in list_times(v):
            yield figure(metric, value, least=least, greatest=greatest, passes=passes)
        yield figure("equal", int(v["digest"] == variants["original"]["digest"]))
        for fact in ("shared_bytes", "blocks_per_sm", "registers"):
            yield figure(fact, v[fact])

    return read


def find_reuse_inputs(options, folder):
    sources = {source.stem: source for part in ("gpu", "examples")
               for source in sorted((BENCHMARKS / "reuse" / part).glob("*.cu"))}
    return {f"{kernel} {size}": [inputs.from_source(sources[kernel], ROOT,
                                                    f"--size {size}")]
            for kernel, sizes in SIZES.items() for size in sizes}


# Rows of global memory, on a GPU.


def measure_rows(options, folder):
    return [script("rows_gpu.py", "run", "--out", folder, "--passes", options.passes)]


def find_rows_inputs(options, folder):
    return {f"{source.stem} {size}": [inputs.from_source(source, ROOT, f"--size {size}")]
            for source in sorted((BENCHMARKS / "rows" / "gpu").glob("*.cu"))
            for size in LENGTHS}


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
    return [[
        [options.nvcc, f"-arch={options.arch}", "-O3", "-std=c++17", "-Xlinker", "-s",
         f"-I{ROOT / 'runtime/include'}", *LOOP_FLAGS.get(name, []),
         "-o", folder / name, BENCHMARKS / "levelize" / f"{name}.cu"]
        for name in LOOPS
    ]]


def measure_loops(options, folder):
    # The names of the cases begin with that of their program.
    return [
        ["env", f"CUDAOPT_BENCHMARK_RECORDS={folder / name}.jsonl",
         folder / name, *arguments]
        for _ in range(options.passes) for name, arguments in LOOPS.items()
    ]


def read_loops(folder):
    for name in LOOPS:
        path = folder / f"{name}.jsonl"
        rows = path.read_text().splitlines() if path.exists() else []
        for row in map(json.loads, rows):
            yield Figure(suite="loops", **{**row, "case": f"{name}: {row['case']}"})


def find_loops_inputs(options, folder):
    """Each program makes its loops' arrays by hashes of their indices; the matrices are
    those of the suite `patterns`, which hashes them."""
    makers = {"triangular": "matrices.hpp", "choices": "../../test/Runtime/random_loop.hpp"}
    seeds = {"triangular": 17, "choices": 1}  # All else are hashes of indices.
    return {
        name: [inputs.from_source(
            BENCHMARKS / "levelize" / makers.get(name, f"{name}.cu"), ROOT,
            " ".join([name, *arguments]), seeds.get(name))]
        for name, arguments in LOOPS.items()
    }


# The matrices of these loops, without a GPU.


def measure_patterns(options, folder):
    program = folder / "patterns"
    # The flags of the programs that solve: products and sums may be one operation.
    return [
        [options.cxx, "-O3", "-std=c++17", "-mfma", "-o", program,
         BENCHMARKS / "levelize" / "patterns.cpp"],
        script("patterns.py", "--program", program, "--json", folder / "results.json"),
    ]


def read_patterns(folder):
    for name, facts in read_json(folder / "results.json").items():
        for metric in ("rows", "terms", "longest_row", "levels", "chain", "bound_ms"):
            yield Figure("patterns", name, "matrix", metric, facts[metric],
                         predicted=metric == "bound_ms")


def find_patterns_inputs(options, folder):
    generator = BENCHMARKS / "levelize" / "matrices.hpp"
    return {
        name: [{"file": name, "generator": inputs.name_of(generator, ROOT),
                "bytes": facts["bytes"], "sha256": facts["sha256"]}]
        for name, facts in read_json(folder / "results.json").items()
    }


# The application, on a GPU.


def build_cells(options, folder):
    """Without a program that was built with cuda-opt it is built alone; the steps that
    are measured do not need the rewritten loop."""
    program = folder / "cell-proliferation"
    if options.cells.exists():
        return [["cmake", "-E", "copy", options.cells, program]]
    alone = folder / "alone"
    return [
        ["cmake", "-S", ROOT / "examples" / "cell-proliferation", "-B", alone,
         f"-DCELLS_CUDA_ARCH={options.arch}",
         f"-DCUDAToolkit_ROOT={pathlib.Path(options.nvcc).resolve().parent.parent}"],
        ["cmake", "--build", alone, "--parallel"],
        ["cmake", "-E", "copy", alone / "bin" / "cell-proliferation", program],
    ]


def measure_cells(options, folder):
    data = ["--histogram", options.histogram] if options.histogram else []
    if options.target:
        data += ["--target", *options.target]
    parts = "single machines batches hours fit calibrate steps".split()
    return [
        script("cells.py", "--program", folder / "cell-proliferation", *data,
               "--passes", options.passes, "--only", *parts,
               "--json", folder / "results.json")
    ]


CELL_METRICS = ("time_ms", "kernels_ms", "memory_mb", "cells_s", "hellinger", "overlap",
                "launches", "refused", "lost", "right")
NUMBER = r"[\d.]+(?:e[+-]?\d+)?"


def read_cells(folder):
    for case, passes in read_json(folder / "results.json")["cases"].items():
        for facts in passes:
            if facts.get("code") == 0:
                yield from read_case(case, facts)


def read_case(case, facts):
    spread = re.match(rf"({NUMBER}) \(({NUMBER}) to ({NUMBER}), (\d+) runs\)",
                      str(facts.get("time_ms", "")))
    for metric in CELL_METRICS:
        match = re.match(NUMBER, str(facts.get(metric, "")))
        if not match:
            continue
        value, more = float(match[0]), {}
        if spread and metric in ("time_ms", "cells_s") and int(spread[4]) > 1:
            median, least, greatest = map(float, spread.groups()[:3])
            ends = (least, greatest) if metric == "time_ms" else (
                value * median / greatest, value * median / least)
            more = {"least": ends[0], "greatest": ends[1], "passes": int(spread[4])}
        name = {"cells_s": "cells_per_s"}.get(metric, metric)
        yield Figure("cells", facts.get("case", case), facts.get("variant", "cuda-opt"),
                     name, value, **more)


def find_cells_inputs(options, folder):
    return {"": read_json(folder / "results.json")["inputs"]}


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


def find_predicted_inputs(options, folder):
    return {name: [inputs.from_file(source, ROOT)]
            for name, (source, _) in list_predictions().items()}


def measure_jobs(options, folder):
    return [script("bank_jobs.py", "--cuda-opt", options.cuda_opt,
                   "--json", folder / "results.json")]


def read_jobs(folder):
    for row in read_json(folder / "results.json")["jobs"]:
        for variant in ("before", "after", "bound"):
            yield Figure("jobs", row["job"], variant, "wavefronts", row[variant],
                         predicted=True)


def find_jobs_inputs(options, folder):
    sources = sorted((BENCHMARKS / "banks" / "jobs").glob("*.cu"))
    texts = {source: source.read_text() for source in sources}
    return {row["job"]: [inputs.from_file(source, ROOT) for source, text in texts.items()
                         if f"{row['kernel']}(" in text]
            for row in read_json(folder / "results.json")["jobs"]}


def measure_tool(options, folder):
    return [script("tool_speed.py", "--cuda-opt", options.cuda_opt, "--nvcc",
                   options.nvcc, "--repeat", options.passes,
                   "--json", folder / "results.json")]


def read_tool(folder):
    for row in read_json(folder / "results.json"):
        for one in row["passes"]:
            yield Figure("tool", row["file"], "cuda-opt", "time_s", one["cuda_opt_s"])
            yield Figure("tool", row["file"], "nvcc -c", "time_s", one["nvcc_s"])
            yield Figure("tool", row["file"], "cuda-opt", "ratio",
                         one["cuda_opt_s"] / one["nvcc_s"])
        for one in row["first"]:
            yield Figure("tool", row["file"], "first with its flags", "time_s",
                         one["cuda_opt_s"])
            yield Figure("tool", row["file"], "first with its flags", "ratio",
                         one["cuda_opt_s"] / one["nvcc_s"])


def find_tool_inputs(options, folder):
    return {row["file"]: [inputs.from_file(BENCHMARKS / "inputs" / row["file"], ROOT)]
            for row in read_json(folder / "results.json")}


def measure_machine(options, folder):
    tools = pathlib.Path(options.cuda_opt).parent
    return [script("machine_speed.py", "--cuda-sim", tools / "cuda-sim", "--cuda-fuzz",
                   tools / "cuda-fuzz", "--repeat", options.passes,
                   "--json", folder / "results.json")]


def read_machine(folder):
    results = read_json(folder / "results.json")
    for row in results["programs"]:
        for variant, key in (("all checks", "checked_passes"),
                             ("without races", "no_races_passes")):
            for rate in row[key]:
                yield Figure("machine", row["program"], variant,
                             "warp_instructions_per_s", rate)
    for rate in results["fuzz"]["passes"]:
        yield Figure("machine", "cuda-fuzz", "pairs", "pairs_per_s", rate / 60)


def find_machine_inputs(options, folder):
    results = read_json(folder / "results.json")
    found = {row["program"]: [inputs.from_source(
                ROOT / "examples" / row["program"] / f"{row['program']}.cu", ROOT,
                " ".join(row["arguments"]))] for row in results["programs"]}
    return {**found, "cuda-fuzz": [{"generator": "cuda-fuzz", "is_source": True,
                                    "arguments": results["fuzz"]["arguments"]}]}


SUITES = [
    Suite("banks", "Layouts, on a GPU", True, build_by("bank_gpu.py"), measure_banks,
          read_banks, find_banks_inputs, inputs_are_built=True),
    Suite("reuse", "Arrays that share bytes, on a GPU", True, build_by("reuse_gpu.py"),
          measure_reuse, read_sizes("reuse"), find_reuse_inputs, inputs_are_built=True),
    Suite("rows", "Rows of global memory, on a GPU", True, build_by("rows_gpu.py"),
          measure_rows, read_sizes("rows"), find_rows_inputs, inputs_are_built=True),
    Suite("loops", "Loops with indirect accesses, on a GPU", True, build_loops,
          measure_loops, read_loops, find_loops_inputs, inputs_are_built=True),
    Suite("cells", "Proliferation of cells, on a GPU", True, build_cells,
          measure_cells, read_cells, find_cells_inputs),
    Suite("patterns", "The matrices of the triangular solves", False, no_commands,
          measure_patterns, read_patterns, find_patterns_inputs),
    Suite("predicted", "What the reports predict", False, no_commands,
          measure_predicted, read_predicted, find_predicted_inputs),
    Suite("jobs", "Layouts of 38 known jobs", False, no_commands, measure_jobs,
          read_jobs, find_jobs_inputs),
    Suite("tool", "The time of cuda-opt", False, no_commands, measure_tool, read_tool,
          find_tool_inputs),
    Suite("machine", "The speed of the interpreter", False, no_commands,
          measure_machine, read_machine, find_machine_inputs),
]
