#!/usr/bin/env python3
"""parity.py TOOL CLANG PLUGIN FOLDER [CUDA]: the tool, the launcher and the
plugin make the same text of each source of a list; prints every difference."""

import pathlib
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

tool, clang, plugin, folder = sys.argv[1:5]
cuda = sys.argv[5] if len(sys.argv) > 5 else None
inputs = pathlib.Path(__file__).resolve().parent
root = inputs.parent.parent
work = pathlib.Path(folder)
shutil.rmtree(work, ignore_errors=True)
work.mkdir(parents=True)
# Whoever the launcher starts has to be called clang.
launched = work / "clang++"
shutil.copy(inputs / "fake-nvcc.py", launched)

bare = ["-nocudainc", "-nocudalib", f"-I{inputs}"]
whole = [f"--cuda-path={cuda}", f"-isystem{cuda}/include/cccl"]
common = ["--cuda-gpu-arch=sm_90", "-Wno-unknown-cuda-version", "-std=c++20",
          f"-I{root}/runtime/include"]
patterns = ["test/Rewrite/*.cu", "test/Passes/*/*.cu",
            "test/Levelize/containers.cu", "examples/[!c]*/*.cu"]
sources = []
for source in [s for pattern in patterns for s in sorted(root.glob(pattern))]:
    has_own_cuda = re.search('include "cuda(/copies)?.h"', source.read_text())
    if has_own_cuda or cuda:
        sources.append((source, bare if has_own_cuda else whole))


def read(path):
    return path.read_bytes() if path.exists() else b"(none)"


def run(words):
    return subprocess.run(list(map(str, words)), capture_output=True, text=True,
                          check=False)


def compare(job):
    """Returns what differs, and whether the source was rewritten."""
    number, (source, flags) = job
    flags = common + flags
    by_tool, by_plugin = work / f"{number}.tool", work / f"{number}.plugin"
    product = work / f"{number}.o"
    said = run([tool, "-o", by_tool, source, "--", *flags])
    run([tool, launched, *flags, "-c", source, "-o", product])
    run([clang, "-x", "cuda", *flags, "--cuda-device-only", "-fsyntax-only",
         f"-fplugin={plugin}", f"-fplugin-arg-cudaopt-o={by_plugin}", source])
    original = read(source)
    text = read(by_tool)
    if text == b"(none)":
        return f"{source}: {said.stderr}", False
    # The launcher's text is that of the original if nothing was rewritten; its
    # file has another name, which its first line mends.
    by_launcher = read(product)
    if text != original:
        by_launcher = by_launcher.split(b"\n", 1)[1]

    def without_lines(rewritten):
        return [line for line in rewritten.split(b"\n")
                if not line.startswith(b"#line ")]
    if read(by_plugin) != by_launcher:
        return f"{source}: the plugin and the launcher differ", True
    if without_lines(by_launcher) != without_lines(text):
        return f"{source}: the tool and the launcher differ", True
    return "", text != original


with ThreadPoolExecutor() as pool:
    results = list(pool.map(compare, enumerate(sources)))
for message, _ in results:
    if message:
        print(message)
rewritten = sum(changed for _, changed in results)
print(f"{len(results)} sources, {rewritten} rewritten, "
      f"{sum(bool(message) for message, _ in results)} differences")
