#!/usr/bin/env python3
"""Stands for an nvcc whose registers do not suffice: runs the one of $NVCC, and
reports spills for each source with a permutation of elements (`<< 2)`)."""

import os
import subprocess
import sys

arguments = sys.argv[1:]
done = subprocess.run([os.environ["NVCC"], *arguments], stdout=subprocess.PIPE,
                      stderr=subprocess.STDOUT, text=True)
output = done.stdout
if "--resource-usage" in arguments and "<< 2)" in open(arguments[-1]).read():
    output = output.replace(" 0 bytes spill", " 400 bytes spill")
print(output, end="")
sys.exit(done.returncode)
