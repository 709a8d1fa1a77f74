"""apply_hints.py FILE -- COMMAND: FILE with the fix-it hints that COMMAND prints."""

import re
import subprocess
import sys

name, command = sys.argv[1], sys.argv[3:]
text = open(name, "rb").read()
lines = [0]
for line in text.splitlines(keepends=True):
    lines.append(lines[-1] + len(line))
said = subprocess.run(command, capture_output=True, check=False).stderr
hints = set()
for hint in re.finditer(rb'^fix-it:"[^"]*":\{(\d+):(\d+)-(\d+):(\d+)\}:"(.*)"$', said, re.M):
    begin, column, end, end_column = map(int, hint.groups()[:4])
    new = hint[5].decode("unicode_escape").encode("latin-1")
    hints.add((lines[begin - 1] + column - 1, lines[end - 1] + end_column - 1, new))
for begin, end, new in sorted(hints, reverse=True):
    text = text[:begin] + new + text[end:]
sys.stdout.buffer.write(text)
