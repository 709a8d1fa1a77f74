#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes one source of the snippets in the comments of the runtime's public headers.

    snippets.py INCLUDE-DIRECTORY SOURCE

Each `\\code{.cpp}` becomes a namespace of its own. The struct `scatter`, which the
snippets of several headers use, is that of levelize.hpp.
"""

import pathlib
import re
import sys

# Their functions are declared where the compiler compiles CUDA.
CUDA_ALONE = ("calibrate.hpp", "memory_pools.hpp")


def snippets(header):
    """The texts of a header's snippets, without the signs of the comment."""
    text = "\n".join(re.findall(r"(?m)^ *///? ?(.*)$", header.read_text()))
    return re.findall(r"(?s)\\code\{\.cpp\}\n(.*?)\\endcode", text)


def main():
    runtime = pathlib.Path(sys.argv[1]) / "cudaopt"
    headers = [runtime / "levelize.hpp", runtime / "host_loop.hpp",
               *sorted((runtime / "levelize").glob("*.hpp"))]
    includes = {"#include <cstdio>", "#include <vector>"}
    bodies = []
    for header in headers:
        for number, text in enumerate(snippets(header)):
            includes.update(re.findall(r"(?m)^#include .*$", text))
            text = re.sub(r"(?m)^#include .*\n", "", text).strip()
            name = f"{header.stem}_{number}"
            if re.search(r"\bscatter\b", text) and "struct scatter" not in text:
                text = "using levelize_0::scatter;\n" + text
            text = f"// {header.name}\nnamespace {name} {{\n{text}\n}} // namespace {name}\n"
            if header.name in CUDA_ALONE:
                text = f"#if CUDAOPT_CUDA\n{text}#endif\n"
            bodies.append(text)
        print(f"{header.name}: {len(snippets(header))}")
    pathlib.Path(sys.argv[2]).write_text("\n".join(sorted(includes)) + "\n\n" + "\n".join(bodies))


if __name__ == "__main__":
    main()
