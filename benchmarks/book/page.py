# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes docs/Measurements.md from Measurements.in.md and a book, and renews what other
pages take from it.

In the text, {{table NAME}} and {{table NAME ARGUMENT}} are tables, {{plot NAME}} is the
path of a picture, {{picture FILE}} that of one that a suite drew, {{SUITE | CASE |
VARIANT | METRIC}} is a figure, and with " / VARIANT" behind it the ratio to the same of
another variant. A figure that is not in the book ends the program: no page is better
than one with gaps. Only what hardware tells some users and not others may be missing:
then the text says so. In the README and the pages of docs/, what stands between
<!-- {{...}} --> and <!-- end --> is renewed.

The book of the page is that of docs/measurements/ with the suites of OUT in the place of
its own."""

import pathlib
import re
import shutil
import tempfile

from bank_gpu import COUNTERS
from book import figures, files
from book.markdown import number
from book.tables import Tables

PICTURES = "measurements"  # In docs/.
MARK = r"\{\{(.*?)\}\}"
TEXT = pathlib.Path(__file__).with_name("Measurements.in.md")
# What may be missing, and what the text says then.
OPTIONAL = {**dict.fromkeys(COUNTERS, "not counted"),
            **dict.fromkeys(("joules", "watts"), "not measured")}


class MissingFigure(Exception):
    """The text names a figure that the book does not have."""


def find(book, suite, case, variant, metric):
    """Returns the value; None where hardware did not tell it."""
    predicted = metric.startswith("predicted ")
    figure = book.find(suite, case, variant, metric.removeprefix("predicted "), predicted)
    if figure is not None:
        return figure.value
    if metric in OPTIONAL and book.find(suite, case, variant, "time_ms"):
        return None
    raise MissingFigure(f"not measured: {suite} | {case} | {variant} | {metric}")


def replace_figure(book, words):
    suite, case, variant, metric = (word.strip() for word in words.split("|"))
    metric, _, other = metric.partition(" / ")
    value = find(book, suite, case, variant, metric)
    divisor = find(book, suite, case, other, metric) if other else 1
    if value is None or divisor is None:
        return OPTIONAL[metric]
    return f"{value / divisor:.3g}" if other else number(value)


def fill(text, book):
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
            return f"{PICTURES}/{name}.png"
        if kind == "picture":
            return f"{PICTURES}/{pathlib.Path(name).name}"
        raise ValueError(f"what is '{words}'?")

    return re.sub(MARK, replace, text, flags=re.DOTALL)


def renew(text, book):
    """Returns the text of another page with new blocks."""
    def replace(match):
        return f"{match[1]}\n{fill(match[2], book)}\n<!-- end -->"

    return re.sub(rf"(<!-- ({MARK}) -->)\n.*?<!-- end -->", replace, text, flags=re.DOTALL)


def pages(book, root):
    """Yields the path and the text of each page that says what the book says."""
    yield root / "docs" / "Measurements.md", fill(TEXT.read_text(), book)
    for path in [root / "README.md", *sorted((root / "docs").glob("*.md"))]:
        if path.name != "Measurements.md":
            yield path, renew(path.read_text(), book)


def write(out, root):
    """Writes all pages, and pictures and data into docs/measurements/. out has the book,
    and the pictures that suites drew. All is made before anything is replaced."""
    from book.plots import Plots  # Nothing else needs matplotlib.

    folder = root / "docs" / PICTURES
    taken = figures.load(out / "measurements.json")
    kept = folder / "measurements.json"
    book = figures.load(kept) if kept.exists() else figures.Book()
    book.take(taken)
    done = list(pages(book, root))
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".new-") as name:
        new = pathlib.Path(name)
        plots = Plots(book, new)
        for kind, name in re.findall(r"\{\{(plot|picture) (\S+)\}\}", TEXT.read_text()):
            if kind == "plot":
                plots.draw(name)
            else:
                shutil.copy(find_picture(name, out, taken, folder), new)
        book.save(new)
        files.replace_all(new, folder)
    for path, text in done:
        files.replace(path, text)


def find_picture(name, out, taken, folder):
    """Returns what the suite drew, or the page's where the suite's figures are, too."""
    drawn = out / name
    suite = pathlib.Path(name).parts[0]
    if suite in taken.runs and (drawn.exists() or out.resolve() != folder.resolve()):
        return drawn
    return folder / drawn.name


def find_stale(root):
    """Returns the pages that do not say what docs/measurements/ says."""
    book = figures.load(root / "docs" / PICTURES / "measurements.json")
    return [path for path, text in pages(book, root)
            if not path.exists() or path.read_text() != text]
