"""Checks an output: ascending fluorescence, so many columns, types that add up."""

import sys

rows = [list(map(float, line.split("\t"))) for line in open(sys.argv[1])]
assert len(rows) > 20
assert all(len(row) == int(sys.argv[2]) for row in rows)
assert [row[0] for row in rows] == sorted({row[0] for row in rows})
assert all(row[1] > 0 and row[1] == int(row[1]) for row in rows)
assert all(sum(row[2:]) == row[1] for row in rows if row[2:])
