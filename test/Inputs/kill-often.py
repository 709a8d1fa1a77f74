#!/usr/bin/env python3
"""Runs a command, kills it after 5, 10, ... ms, with its children or without
them, until it ends by itself; then runs it once more.

After each kill, the product (the last word) must be whole, if it is there."""

import os
import signal
import subprocess
import sys

command = sys.argv[1:]
product = command[-1]
rewritten = f"{product}.cuda-opt/transpose.cu"
environment = dict(os.environ, CUDAOPT_CACHE_DIR=os.path.abspath("cache"))
sleep = 0.005
while True:
    process = subprocess.Popen(command, env=environment, start_new_session=True,
                               stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    try:
        process.wait(timeout=sleep)
        break
    except subprocess.TimeoutExpired:
        if int(sleep * 1000) % 2:
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
        process.wait()
    if os.path.exists(rewritten):
        assert open(rewritten).read().endswith("}\n"), sleep
    sleep *= 1.5
sys.exit(subprocess.run(command, env=environment, check=False).returncode)
