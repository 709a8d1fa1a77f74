# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Figures, and the file that keeps those of a run."""

import csv
import dataclasses
import io
import json
import pathlib
import statistics

from book import files, inputs

SCHEMA = 1
# By the end of a metric's name, the first that fits: is less better?
DIRECTIONS = {
    "_per_s": False,
    "_ms": True,
    "_s": True,
    "_bytes": True,
    "wavefronts": True,
    "joules": True,
    "blocks_per_sm": False,
    "speedup": False,
    "right": False,
    "equal": False,
}
# By the end of a metric's name: the same in every pass, so any change is one.
EXACT = ("_bytes", "wavefronts", "blocks_per_sm", "right", "equal")


@dataclasses.dataclass(frozen=True)
class Figure:
    """A number of a case (a kernel, a loop, a matrix) in a variant."""

    suite: str
    case: str
    variant: str
    metric: str  # Ends in the unit, if it has one.
    value: float
    least: float | None = None  # Of the passes.
    greatest: float | None = None
    passes: int | None = None
    predicted: bool = False  # By a model, not measured.
    published: float | None = None  # What the document prints for the same.

    @property
    def key(self):
        return self.suite, self.case, self.variant, self.metric, self.predicted

    @property
    def is_less_better(self):
        ends = (e for e in DIRECTIONS if self.metric.endswith(e))
        return DIRECTIONS.get(next(ends, ""))

    @property
    def is_exact(self):
        return self.predicted or self.metric.endswith(EXACT)


def merge_passes(figures):
    """Returns one figure for all that have the same key: their median and spread.
    What is wrong in one pass is wrong."""
    passes = {}
    for figure in figures:
        passes.setdefault(figure.key, []).append(figure)
    return [merge(same) for same in passes.values()]


def merge(same):
    first, *others = same
    if not others:
        return first
    values = [figure.value for figure in same]
    if first.is_exact:
        worst = max if first.is_less_better else min
        return dataclasses.replace(first, value=worst(values))
    ends = [end for f in same for end in (f.least, f.greatest) if end is not None]
    return dataclasses.replace(
        first, value=statistics.median(values), least=min(values + ends),
        greatest=max(values + ends), passes=len(same))


@dataclasses.dataclass
class Book:
    """The figures of a run, and what tells where they come from."""

    # By suite: command, seconds, date, revision, machine.
    runs: dict = dataclasses.field(default_factory=dict)
    figures: list = dataclasses.field(default_factory=list)
    # By suite, and case or beginning of cases: what figures are about, see inputs.py.
    inputs: dict = dataclasses.field(default_factory=dict)

    def replace(self, suite, run, figures, inputs):
        """Puts the figures in the place of those that the suite had."""
        self.figures = [f for f in self.figures if f.suite != suite] + figures
        self.runs[suite] = run
        self.inputs[suite] = inputs

    def take(self, other):
        """Takes all suites of another book."""
        for suite, run in other.runs.items():
            self.replace(suite, run, other.of(suite), other.inputs.get(suite, {}))

    def inputs_of(self, figure):
        """Returns those of the case, else of the cases of its beginning, else of all."""
        found = self.inputs.get(figure.suite, {})
        for case in (figure.case, figure.case.partition(": ")[0], ""):
            if case in found:
                return found[case]
        return []

    def of(self, suite):
        return [figure for figure in self.figures if figure.suite == suite]

    def find(self, suite, case, variant, metric, predicted=False):
        """Returns the figure or None."""
        key = suite, case, variant, metric, predicted
        return next((f for f in self.figures if f.key == key), None)

    def cases(self, suite, prefix=""):
        mine = (f.case for f in self.of(suite) if f.case.startswith(prefix))
        return list(dict.fromkeys(mine))

    def variants(self, suite, case):
        mine = (f.variant for f in self.of(suite) if f.case == case)
        return list(dict.fromkeys(mine))

    def save(self, folder):
        """Writes measurements.json and measurements.csv."""
        rows = [dataclasses.asdict(figure) for figure in self.figures]
        document = {
            "schema": SCHEMA,
            "runs": self.runs,
            "inputs": self.inputs,
            "figures": [
                {key: value for key, value in row.items() if value is not None}
                for row in rows
            ],
        }
        text = io.StringIO()
        fields = [field.name for field in dataclasses.fields(Figure)]
        writer = csv.DictWriter(text, [*fields, "inputs"])
        writer.writeheader()
        for figure, row in zip(self.figures, rows):
            named = map(inputs.describe, self.inputs_of(figure))
            writer.writerow({**row, "inputs": "; ".join(named)})
        files.replace(folder / "measurements.json", json.dumps(document, indent=1) + "\n")
        files.replace(folder / "measurements.csv", text.getvalue())


def load(path):
    """Returns the book of a measurements.json; ValueError tells what is wrong."""
    document = json.loads(pathlib.Path(path).read_text())
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        raise ValueError(f"not a book of schema {SCHEMA}")
    return Book(
        document["runs"], [Figure(**figure) for figure in document["figures"]],
        document.get("inputs", {}),
    )
