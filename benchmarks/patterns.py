#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Says what the matrices of levelize/triangular.cu are: rows, terms, levels, what a
solve takes at least on an H200, and the SHA-256 of the row pointers and columns.

  c++ -O3 -std=c++17 -mfma -o patterns levelize/patterns.cpp
  patterns.py --program ./patterns [--json FILE]"""

import argparse
import hashlib
import json
import pathlib
import subprocess
import tempfile


def describe(program, name):
    digest, count = hashlib.sha256(), 0
    with tempfile.TemporaryFile("w+") as said, subprocess.Popen(
            [program, name], stdout=subprocess.PIPE, stderr=said) as process:
        while part := process.stdout.read(1 << 20):
            digest.update(part)
            count += len(part)
        if process.wait() != 0:
            raise SystemExit(f"{program} {name}: exit code {process.returncode}")
        said.seek(0)
        return {**json.load(said), "bytes": count, "sha256": digest.hexdigest()}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=lambda name: pathlib.Path(name).resolve(),
                        required=True)
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    names = subprocess.run([options.program], check=True, capture_output=True,
                           text=True).stdout.split()
    found = {}
    for name in names:
        found[name] = facts = describe(options.program, name)
        print(name, *(f"{key} {value}" for key, value in facts.items()), flush=True)
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
