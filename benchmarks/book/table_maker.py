# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What all tables of a book are made with."""

from book.markdown import number


class TableMaker:
    """Each public method that is not one of these returns the Markdown of one table."""

    def __init__(self, book):
        self.book = book

    def value(self, *key):
        figure = self.book.find(*key)
        return figure.value if figure else None

    def cell(self, *key):
        return number(self.value(*key))

    def share(self, *key):
        """Returns what a variant has of the original's, as text."""
        suite, case, variant, metric = key
        mine, original = self.value(*key), self.value(suite, case, "original", metric)
        return f"{mine / original:.3f}" if mine and original else ""

    def with_published(self, suite, case, variant, metric):
        figure = self.book.find(suite, case, variant, metric)
        if not figure:
            return ""
        published = figure.published
        return number(figure.value) + (f" ({number(published)})" if published else "")
