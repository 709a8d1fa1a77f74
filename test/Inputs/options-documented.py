#!/usr/bin/env python3
"""Fails for each option of `cuda-opt --help` that another file lacks."""

import re
import sys

options = re.findall(r"^  (--?[A-Za-z][A-Za-z-]*)", open(sys.argv[1]).read(), re.M)
assert len(options) > 30, options
missing = False
for name in sys.argv[2:]:
    text = open(name).read().replace("\\-", "-")
    for option in options:
        # A flag with a value that is joined: -I<dir>, -Rpass=<regex>.
        if not re.search(re.escape(option) + r"(?![A-Za-z])", text):
            print(f"{name} lacks {option}")
            missing = True
sys.exit(missing)
