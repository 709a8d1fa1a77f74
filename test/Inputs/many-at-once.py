#!/usr/bin/env python3
"""Starts a command N times at once, with many-1.o, many-2.o, ... behind it."""

import subprocess
import sys

runs = [subprocess.Popen([*sys.argv[2:], f"many-{i}.o"])
        for i in range(int(sys.argv[1]))]
sys.exit(max(run.wait() for run in runs))
