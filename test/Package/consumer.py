#!/usr/bin/env python3
"""consumer.py PREFIX FOLDER COMPILER [CUDA-FLAGS]: builds and tests the project
in Consumer with the package in PREFIX, and looks at what was compiled."""

import os
import pathlib
import shutil
import subprocess
import sys

prefix, folder, compiler = sys.argv[1:4]
flags = " ".join(sys.argv[4:])
definitions = []
if "clang" in compiler:
    # CMake tries clang with GPUs that CUDA 13 no longer knows.
    definitions = ["-DCMAKE_CUDA_COMPILER_ID_TEST_FLAGS_FIRST=--cuda-gpu-arch=sm_80 "
                   + flags]
source = pathlib.Path(__file__).resolve().parent / "Consumer"
work = pathlib.Path(folder)
shutil.rmtree(work, ignore_errors=True)
shutil.copytree(source, work / "source")
build = work / "build"


def run(*words):
    done = subprocess.run(list(map(str, words)), stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))}\n{done.stdout}")
    return done.stdout


def shared_bytes(library):
    """Of the kernel: the padded tile has 4224 bytes, the other 4096."""
    text = next(build.glob(f"CMakeFiles/{library}.dir/**/transpose.cu.o"))
    return {size for size in (4096, 4224, 5120, 5248)
            if f"SHARED:{size} " in run("cuobjdump", "-res-usage", text)}


run("cmake", "-G", "Ninja", "-S", work / "source", "-B", build,
    f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_CUDA_COMPILER={compiler}",
    "-DCMAKE_CUDA_ARCHITECTURES=80", f"-DCMAKE_CUDA_FLAGS={flags}", *definitions)
run("cmake", "--build", build)
if shutil.which("cuobjdump"):
    sizes = {library: sum(shared_bytes(library))
             for library in ("enabled", "plain", "generated")}
    if {sizes["enabled"], sizes["generated"]} != {sizes["plain"] + 128}:
        sys.exit(f"a row of padding is 128 bytes: {sizes}")
if "no work to do" not in run("cmake", "--build", build):
    sys.exit("a second build has work to do")
# The generated file depends on the headers of its source.
os.utime(work / "source/kernels/tile.h")
if "Optimizing" not in run("cmake", "--build", build):
    sys.exit("a new header generates nothing")
print(run("ctest", "--test-dir", build))
