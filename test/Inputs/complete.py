#!/usr/bin/env python3
"""Asks the bash completion of cuda-opt for completions of some words."""

import os
import subprocess
import sys

WORDS = [
    ["--lay"],
    ["--layout", "=", "p"],
    ["--verify", "="],
    ["--no-re"],
    ["explain", "unknown-b"],
]



script = open(sys.argv[1]).read()
tool = os.environ["CUDA_OPT"] # The completion runs it.
for words in WORDS:
    line = " ".join(f"'{word}'" for word in [tool] + words)
    run = f"""{script}
COMP_WORDS=({line}); COMP_CWORD={len(words)}
compopt() {{ :; }}
_cuda_opt; echo "${{COMPREPLY[@]}}" """
    found = subprocess.run(["bash", "-c", run], capture_output=True, text=True)
    print("cuda-opt", *words, "->", found.stdout.strip(), found.stderr.strip())
