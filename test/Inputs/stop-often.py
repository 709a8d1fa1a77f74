#!/usr/bin/env python3
"""Runs a command that is stopped for 50 ms after each 7 ms of its run, so that
every clock it could ask says that it is late."""

import signal
import subprocess
import sys
import time

process = subprocess.Popen(sys.argv[1:])
while True:
    try:
        sys.exit(process.wait(timeout=0.007))
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGSTOP)
        time.sleep(0.05)
        process.send_signal(signal.SIGCONT)
