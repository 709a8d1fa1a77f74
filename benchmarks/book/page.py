# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes docs/Measurements.md from Measurements.in.md and a book.

In the text, {{table NAME}} and {{table NAME ARGUMENT}} are tables, {{plot NAME}} is a
picture, {{picture FILE}} one that a suite drew, {{SUITE | CASE | VARIANT | METRIC}} is a figure, and with " / VARIANT" behind
it the ratio to the same of another variant. A figure that is not in the book ends the
program: no page is better than one with gaps."""

import pathlib
import re
import shutil

from book import figures
from book.tables import Tables, number

TEXT = pathlib.Path(__file__).with_name("Measurements.in.md")


class MissingFigure(Exception):
    """The text names a figure that the book does not have."""


def find(book, suite, case, variant, metric):
    predicted = metric.startswith("predicted ")
    figure = book.find(suite, case, variant, metric.removeprefix("predicted "), predicted)
    if figure is None:
        raise MissingFigure(f"not measured: {suite} | {case} | {variant} | {metric}")
    return figure.value


def replace_figure(book, words):
    suite, case, variant, metric = (word.strip() for word in words.split("|"))
    metric, _, other = metric.partition(" / ")
    value = find(book, suite, case, variant, metric)
    if not other:
        return number(value)
    return f"{value / find(book, suite, case, other, metric):.3g}"


def fill(text, book, plots):
    """Returns the text with what the book says in the place of its marks."""
    tables = Tables(book)

    def replace(match):
        words = " ".join(match[1].split())
        if "|" in words:
            return replace_figure(book, words)
        kind, name, *arguments = words.split()
        if kind == "table":
            return getattr(tables, name)(*arguments)
        if kind == "plot":
            return plots.picture(name)
        if kind == "picture":
            return plots.copy(name)
        raise ValueError(f"what is '{words}'?")

    return re.sub(r"\{\{(.*?)\}\}", replace, text, flags=re.DOTALL)


def write(out, folder):
    """Writes Measurements.md, and its pictures and data into measurements/. out has the
    book, and the pictures that suites drew."""
    from book.plots import Plots  # Nothing else needs matplotlib.

    book = figures.load(out / "measurements.json")
    pictures = folder / "measurements"
    shutil.rmtree(pictures, ignore_errors=True)
    pictures.mkdir(parents=True)
    page = fill(TEXT.read_text(), book, Plots(book, out, pictures))
    book.save(pictures)
    (folder / "Measurements.md").write_text(page)
