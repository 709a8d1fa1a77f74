#!/usr/bin/env python3
"""Starts a command that says "waiting" when it waits, then sends it a signal.

interrupt.py SIGNAL WHOM COMMAND...: WHOM is "group", as a terminal does it, or
"one". Prints how the command ended, whether that was at once, and which of its
processes are still there."""

import os
import signal
import subprocess
import sys
import time

name, whom, command = sys.argv[1], sys.argv[2], sys.argv[3:]
process = subprocess.Popen(
    command, start_new_session=True, stdout=subprocess.PIPE,
    stderr=subprocess.STDOUT, text=True,
    preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
said = []
for line in process.stdout:
    if line.startswith("waiting"):
        break
    said.append(line)
begin = time.monotonic()
send = os.killpg if whom == "group" else os.kill
send(process.pid, getattr(signal, name))
process.wait()
print("at once" if time.monotonic() - begin < 20 else "late")
code = process.returncode
print("died by", signal.Signals(-code).name if code < 0 else f"no signal: {code}")
time.sleep(0.2)
running = []
for entry in os.listdir("/proc"):
    try:
        if entry.isdigit() and os.getsid(int(entry)) == process.pid:
            stat = open(f"/proc/{entry}/stat").read()
            if stat.rsplit(") ")[1][0] != "Z":
                running.append(stat)
    except OSError:
        pass
print(len(running), "still running")
print("said", *said, process.stdout.read())
