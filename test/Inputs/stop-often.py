#!/usr/bin/env python3
"""Runs a command twice, the second time stopped for 250 ms after every 10 ms in
which it may run. Fails if it then prints something else; prints what it printed."""

import os
import signal
import subprocess
import sys
import threading
import time

command = sys.argv[1:]


def run(stops):
    process = subprocess.Popen(command, stdout=subprocess.PIPE)

    def stop_often():
        while process.poll() is None:
            time.sleep(0.01)
            for each in (signal.SIGSTOP, signal.SIGCONT):
                try:
                    os.kill(process.pid, each)
                except ProcessLookupError:
                    return
                time.sleep(0.25 if each == signal.SIGSTOP else 0)

    if stops:
        threading.Thread(target=stop_often, daemon=True).start()
    return process.communicate()[0], process.returncode


plain, stopped = run(False), run(True)
sys.stdout.buffer.write(plain[0])
sys.exit(plain[1] or (plain != stopped and "stopped and continued, it differs"))
