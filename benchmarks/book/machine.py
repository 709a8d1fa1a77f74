# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the machine of a run is."""

import os
import pathlib
import re
import subprocess


def first_line(command):
    """Returns the first line that the command prints, None if it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return None
    lines = done.stdout.strip().splitlines()
    return lines[0] if done.returncode == 0 and lines else None


def find_processor():
    text = pathlib.Path("/proc/cpuinfo").read_text()
    match = re.search(r"^model name\s*: (.*)$", text, re.MULTILINE)
    return match[1] if match else "unknown"


def describe():
    gpu = first_line(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"])
    driver = first_line(
        ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"])
    return {
        "gpu": gpu or "none",
        "driver": driver or "none",
        "cpu": find_processor(),
        "cores": os.cpu_count(),
    }
