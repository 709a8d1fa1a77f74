# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Figures, and the file that keeps those of a run."""

import csv
import dataclasses
import json
import pathlib

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
    predicted: bool = False  # By a model, not measured.
    published: float | None = None  # What the document prints for the same.

    @property
    def key(self):
        return self.suite, self.case, self.variant, self.metric, self.predicted

    @property
    def is_less_better(self):
        ends = (e for e in DIRECTIONS if self.metric.endswith(e))
        return DIRECTIONS.get(next(ends, ""))


@dataclasses.dataclass
class Book:
    """The figures of a run, and what tells where they come from."""

    # By suite: command, seconds, date, revision, machine.
    runs: dict = dataclasses.field(default_factory=dict)
    figures: list = dataclasses.field(default_factory=list)

    def replace(self, suite, run, figures):
        """Puts the figures in the place of those that the suite had."""
        self.figures = [f for f in self.figures if f.suite != suite] + figures
        self.runs[suite] = run

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
            "figures": [
                {key: value for key, value in row.items() if value is not None}
                for row in rows
            ],
        }
        text = json.dumps(document, indent=1)
        (folder / "measurements.json").write_text(text + "\n")
        with open(folder / "measurements.csv", "w", newline="") as file:
            fields = [field.name for field in dataclasses.fields(Figure)]
            writer = csv.DictWriter(file, fields)
            writer.writeheader()
            writer.writerows(rows)


def load(path):
    """Returns the book of a measurements.json; ValueError tells what is wrong."""
    document = json.loads(pathlib.Path(path).read_text())
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        raise ValueError(f"not a book of schema {SCHEMA}")
    return Book(
        document["runs"], [Figure(**figure) for figure in document["figures"]]
    )
