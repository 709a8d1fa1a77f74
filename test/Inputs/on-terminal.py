#!/usr/bin/env python3
"""Runs a command on a terminal of its own, and prints what it shows there."""

import os
import pty
import sys

sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))
