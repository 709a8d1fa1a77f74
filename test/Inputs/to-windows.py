#!/usr/bin/env python3
"""Copies a text, with a mark of Unicode before it and CR LF behind its lines."""

import sys

text = open(sys.argv[1], "rb").read()
with open(sys.argv[2], "wb") as copy:
    copy.write(b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n"))
