# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers, shares and tables as Markdown."""

import math


def number(value):
    """Returns the value with the digits that a reader needs."""
    if value is None:
        return ""
    if value == int(value) and abs(value) < 1e7:
        return str(int(value))
    if abs(value) >= 1e7:
        return f"{value:.3g}".replace("e+0", "e").replace("e+", "e")
    return f"{value:.{max(0, 3 - int(math.floor(math.log10(abs(value)))) - 1)}f}"


def percent(share):
    return f"{100 * share:.1f} %"


def table(header, rows, left=1):
    """Returns Markdown; the columns from `left` on are flushed right."""
    rules = ["---"] * left + ["--:"] * (len(header) - left)
    lines = [header, rules, *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def geometric_mean(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan
