#!/usr/bin/env python3
"""Stands for nvcc: prints its arguments, copies its source to its product.

An argument -DEXIT=N is its exit code, -DSIGNAL=N the signal it dies of."""

import os
import sys

arguments = sys.argv[1:]
print("nvcc", *arguments, flush=True)
if "-o" in arguments:
    sources = [a for a in arguments if a.endswith(".cu")]
    with open(arguments[arguments.index("-o") + 1], "wb") as product:
        product.write(open(sources[0], "rb").read())
    for option in {"-MF", "--dependency-output"} & set(arguments):
        with open(arguments[arguments.index(option) + 1], "w") as dependencies:
            name = sources[0].replace(" ", "\\ ")
            dependencies.write(f"a.o : {name} \\\n    /usr/include/x.h\n")
for argument in arguments:
    if argument.startswith("-DSIGNAL="):
        os.kill(os.getpid(), int(argument[9:]))
    if argument.startswith("-DEXIT="):
        sys.exit(int(argument[7:]))
