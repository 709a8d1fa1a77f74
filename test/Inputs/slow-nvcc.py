#!/usr/bin/env python3
"""Stands for an nvcc that takes its time, and has a child that does the work.

An argument -DHOW=code ends with a code when the child was interrupted, as nvcc
does; -DHOW=late finishes in spite of all signals."""

import os
import signal
import subprocess
import sys

how = [a[6:] for a in sys.argv if a.startswith("-DHOW=")]
print("nvcc", *sys.argv[1:], flush=True)
if "late" in how:
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, signal.SIG_IGN)
    print("waiting", flush=True)
    os.system("sleep 1")
    open(sys.argv[sys.argv.index("-o") + 1], "w").write("done\n")
    sys.exit(0)
if "code" in how:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
else:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
child = subprocess.Popen(
    ["sh", "-c", "echo waiting; exec sleep 60"],
    preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
sys.exit(2 if child.wait() else 0)
