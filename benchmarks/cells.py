#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the example cell-proliferation on a machine with GPUs, and prints a
table of times (medians, of events on the GPU), rates and verdicts.

  cells.py --program build/bin/cell-proliferation [--histogram FILE]
           [--target FILE ...] [--only PART ...] [--passes N] [--json FILE]

Without --histogram, cells begin as the example's. Targets are what was measured at
the end of the experiments, in their order; without them, they are what the program
makes of that histogram by model 3 with another seed, so that a fit says how well the
model is found again, and nothing about cells."""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from book import inputs

ROOT = pathlib.Path(__file__).resolve().parent.parent
START = ROOT / "examples" / "cell-proliferation" / "samples" / "start.txt"
TARGET_SEED = 2  # All else has 1.
# The published models: proportion, mean and deviation of each type, in hours.
MODELS = {
    1: [(1.0, 46.1, 28.9)],
    2: [(0.86, 46.0, 26.4), (0.14, -1, -1)],
    3: [(0.06, -1, -1), (0.47, 63.7, 28.9), (0.47, 41.1, 14.3)],
    4: [(0.28, 83.9, 26.6), (0.72, 44.2, 19.5)],
}
# The published experiments: hours, and the least fluorescence that divides.
EXPERIMENTS = [(240, 11.0), (504, 8.7)]
# What the published steps are compared at.
STEP_HOURS = (120, 168, 240, 336, 504)
PRECISIONS = ("double", "float")


class Bench:
    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        self.results = {}
        self.histogram = options.histogram or START
        for number, types in MODELS.items():
            rows = "".join("%r %r %r\n" % row for row in types)
            self.types(number).write_text(rows)
        self.inputs = [inputs.from_file(self.histogram, ROOT),
                       inputs.from_source(__file__, ROOT, "MODELS")]
        if options.target:
            self.targets = options.target
            self.inputs += [inputs.from_file(path, ROOT) for path in self.targets]
        else:
            self.targets = [self.make_target(*conditions) for conditions in EXPERIMENTS]

    def types(self, number):
        return self.folder / f"types{number}"

    def target(self, experiment):
        return self.targets[experiment] if experiment < len(self.targets) else None

    def make_target(self, hours, least):
        """What the program makes of the histogram, on the CPU."""
        path = self.folder / f"after-{hours}.txt"
        arguments = self.model3(hours, least, "--cpu", "--seed", TARGET_SEED, "-o", path)
        code, _, said, _ = self.start(*arguments)
        if code != 0:
            sys.exit(f"no target: {said}")
        words = " ".join(str(getattr(word, "name", word)) for word in arguments)
        self.inputs.append(inputs.from_file(
            path, ROOT, seed=TARGET_SEED,
            generator=f"cell-proliferation -h {self.histogram.name} {words}"))
        return path

    def keep(self, name, facts):
        """Keeps what one pass said."""
        self.results.setdefault(name, []).append(facts)

    def start(self, *arguments, timeout=200):
        """Returns the exit code, stdout, stderr and seconds of a run."""
        command = [self.options.program, "-h", self.histogram, *arguments]
        begin = time.monotonic()
        try:
            done = subprocess.run(
                list(map(str, command)),
                capture_output=True,
                text=True,
                timeout=timeout,
            )
        except subprocess.TimeoutExpired:
            return 124, "", f"longer than {timeout} s", timeout
        seconds = time.monotonic() - begin
        return done.returncode, done.stdout, done.stderr, seconds

    def report(self, name, *arguments, timeout=200, **more):
        """Runs with --report; prints, keeps with more, and returns what that says."""
        code, _, said, seconds = self.start(
            *arguments, "--report", "-o", "/dev/null", timeout=timeout
        )
        facts = dict(re.findall(r"^(\w+)  +(.*)$", said, re.MULTILINE))
        if code != 0:
            print(f"{name:34} FAILED: {said.strip()}", flush=True)
        else:
            cells = float(facts["roots"]) * float(facts["simulated"])
            cells += 2 * float(facts["divisions"])
            print(
                f"{name:34} {float(facts['time_ms'].split()[0]):12.4f} ms"
                f" {cells:10.4g} cells {float(facts['cells_s']):10.4g}/s"
                f" {facts['memory_mb']:>7} MB  {facts['hash']}"
                f"  (process {seconds:.1f} s)",
                flush=True,
            )
        self.keep(name, {"code": code, "seconds": seconds, **more, **facts})
        return facts

    def model3(self, hours, least, *more):
        return ["-c", self.types(3), "-t", hours, "-p", least, *more]

    def batch(self, number, count):
        """A batch of a model with so many seeds."""
        path = self.folder / f"batch{number}-{count}"
        numbers = " ".join("%r %r %r" % row for row in MODELS[number])
        path.write_text("".join(f"{i + 1} {numbers}\n" for i in range(count)))
        return path

    # The parts.

    def single(self):
        for hours, least in EXPERIMENTS:
            for precision in PRECISIONS:
                self.report(
                    f"one run {hours} h {precision}",
                    *self.model3(hours, least),
                    *("--precision", precision, "--repeat", 51),
                )

    def machines(self):
        """The same bits on the CPU, one GPU and more."""
        for hours, least in EXPERIMENTS:
            for precision in PRECISIONS:
                hashes = set()
                for machine in (["--gpus", 1], ["--gpus", 2], ["--cpu"]):
                    name = f"{' '.join(map(str, machine))} {hours} h {precision}"
                    arguments = self.model3(hours, least, *machine)
                    if machine[-1] == 2 and self.gpus < 2:
                        continue
                    facts = self.report(
                        name, *arguments, "--precision", precision, "--repeat", 5
                    )
                    hashes.add(facts.get("hash"))
                print("SAME HASH" if len(hashes) == 1 else "HASHES DIFFER")

    def batches(self):
        for count in (1000, 5000):
            for precision in PRECISIONS:
                self.report(
                    f"{count} runs 240 h {precision}",
                    *("-t", 240, "-p", 11, "--batch", self.batch(3, count)),
                    *("--precision", precision, "--repeat", 3),
                    *("--data", self.target(0) or self.histogram),
                )
        for precision in PRECISIONS:
            self.report(
                f"200 runs 504 h {precision}",
                *("-t", 504, "-p", 8.7, "--batch", self.batch(3, 200)),
                *("--precision", precision, "--repeat", 3),
                *("--data", self.target(1) or self.histogram),
            )

    def deep(self):
        # The last has more than 10^12 leaves, on paths of 64 bits.
        for hours, least in ((720, 1e-3), (1000, 1e-3), (1040, 1e-6)):
            for precision in reversed(PRECISIONS):
                for gpus in range(1, min(self.gpus, 2) + 1):
                    self.report(
                        f"deep {hours} h {least:g} {precision} {gpus} GPU",
                        *self.model3(hours, least, "--gpus", gpus),
                        *("--precision", precision),
                    )

    def variants(self):
        # At 504 h the others copy for minutes.
        quick = ["host-loop", "host-loop-opt", "gpu-histogram", "all-levels"]
        for (hours, least), names in zip(EXPERIMENTS, (["all"], quick)):
            for name in names:
                code, said, error, _ = self.start(
                    *self.model3(hours, least), "--variant", name, timeout=60
                )
                print(f"variants, {hours} h\n{said}{error}", flush=True)
                self.keep(f"variant {name} {hours} h", {"code": code, "table": said})

    def steps(self):
        """The published steps, by the hours of the experiment."""
        quick = ["host-loop", "gpu-histogram", "all-levels"]
        slow = ["dynamic", "dynamic-slots", "bounding", "depth-inference"]
        for hours in STEP_HOURS * self.options.passes:
            arguments = self.model3(hours, EXPERIMENTS[0][1])
            for name in quick + (slow if hours <= 240 else []):
                code, said, error, _ = self.start(
                    *arguments, "--variant", name, timeout=30
                )
                print(f"steps, {hours} h, {name}: {error or 'done'}", flush=True)
                for row in said.splitlines()[1:]:
                    self.keep_step(hours, row)

    def keep_step(self, hours, row):
        name, cells = row[:16].strip(), row[16:].split(None, 6)
        columns = "time_ms kernels_ms memory_mb depth launches refused cells"
        facts = dict(zip(columns.split(), cells))
        wrong = re.match(r"WRONG: (\d+) instead of (\d+)", facts["cells"])
        if wrong:
            facts["lost"] = str(int(wrong[2]) - int(wrong[1]))
        self.keep(f"steps {hours} h {name}", {
            "code": 0,
            "case": f"steps {hours} h",
            "variant": name,
            "right": "0" if wrong else "1",
            **facts,
        })

    def hours(self):
        """One core and one GPU, by the hours of the experiment."""
        for _, least in EXPERIMENTS:
            for hours in STEP_HOURS:
                for variant, machine in (
                    ("one core", ["--cpu", "--threads", 1, "--repeat", 3]),
                    ("one GPU", ["--repeat", 21]),
                ):
                    case = f"{hours} h down to {least:g}"
                    self.report(
                        f"{case}, {variant}",
                        *self.model3(hours, least, *machine),
                        case=case,
                        variant=variant,
                    )

    def fit(self):
        """How far the published models are from what was measured; pictures."""
        for index, (hours, least) in enumerate(EXPERIMENTS):
            if not self.target(index):
                continue
            data = ["--data", self.target(index)]
            for number in MODELS:
                run = ["-t", hours, "-p", least, *data]
                batch = self.batch(number, 1)
                code, said, error, _ = self.start(*run, "--batch", batch)
                facts = dict(zip(*map(str.split, said.splitlines()))) if said else {}
                name = f"fit, {hours} h, model {number}"
                print(f"{name}: {facts or error}", flush=True)
                self.keep(name, {
                    "code": code,
                    "case": f"fit, {hours} h",
                    "variant": f"model {number}",
                    **facts,
                })
            if self.options.json:
                picture = self.options.json.with_name(f"fit-{hours}.svg")
                self.start(*self.model3(hours, least), *data, "--plot", picture)

    def validate(self):
        for number in MODELS:
            for hours, least in EXPERIMENTS:
                code, said, error, seconds = self.start(
                    *("-c", self.types(number), "-t", hours, "-p", least),
                    *("--validate", 64),
                )
                name = f"model {number}, {hours} h, 64 seeds"
                last = (said + error).strip().splitlines()[-1]
                print(f"{name:34} {last}  ({seconds:.1f} s)", flush=True)
                self.keep(name, {"code": code, "table": said + error})

    def calibrate(self):
        for _ in range(self.options.passes):
            code, said, error, seconds = self.start(
                *("-t", 240, "-p", 11, "--calibrate", "--data", self.target(0))
            )
            print(said + error + f"process {seconds:.2f} s", flush=True)
            distance = re.search(r"Hellinger distance +([\d.]+)", said + error)
            self.keep("calibration", {
                "code": code,
                "table": said + error,
                "time_ms": f"{1000 * seconds:.0f}",
                "hellinger": distance[1] if distance else "",
            })

    PARTS = (
        "single machines batches hours fit steps validate calibrate variants deep"
    ).split()

    def run(self):
        listing = subprocess.run(
            ["nvidia-smi", "-L"], capture_output=True, text=True, check=True
        ).stdout
        print(listing, flush=True)
        self.gpus = len(listing.strip().splitlines())
        code, _, said, _ = self.start(*self.model3(24, 11), "--gpus", 1, "-o", "/dev/null")
        if code != 0:  # Else the CPU's times would be called the GPU's.
            sys.exit(f"the program uses no GPU: {said}")
        for part in self.options.only or self.PARTS:
            print(f"\n== {part} ==", flush=True)
            getattr(self, part)()
            if self.options.json:
                found = {"inputs": self.inputs, "cases": self.results}
                self.options.json.write_text(json.dumps(found, indent=1))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    file = lambda name: pathlib.Path(name).resolve(strict=True)
    parser.add_argument("--program", type=file, required=True)
    parser.add_argument("--histogram", type=file)
    parser.add_argument("--target", type=file, nargs="+", default=[])
    parser.add_argument("--only", nargs="+", choices=Bench.PARTS)
    parser.add_argument("--passes", type=int, default=1,
                        help="of what the program does not repeat itself")
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        Bench(options, pathlib.Path(folder)).run()


if __name__ == "__main__":
    sys.exit(main())
