#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What levelize makes of the loops of public programs.

corpus_levelize.py [--json FILE] [--flag=FLAG...] CUDA_OPT FOLDER...

Parses every C, C++ and CUDA file below the folders twice: as it is, with
--levelize=propose, and with an empty mark in front of each `for` of a scratch
copy, so that each outermost loop has an answer. A loop that lacks nothing but
extents (loop-extent) is accepted: its author has to state them. C is parsed as
C++; where that fails, loops behind the first error may be missing.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SOURCES = {".c", ".cc", ".cpp", ".cxx", ".cu"}
HEADER_FOLDERS = {"include", "Include", "inc", "common", "utilities", "src", "util"}
TIMEOUT_S = 60
MARK = '[[clang::annotate("cudaopt::levelize=")]] '
# Not OpenMP's or MPI's own headers: what a sequential program needs of them.
STUBS = {"omp.h": "inline int omp_get_thread_num() { return 0; }\n"
                  "inline int omp_get_num_threads() { return 1; }\n"
                  "inline int omp_get_max_threads() { return 1; }\n"
                  "inline void omp_set_num_threads(int) {}\n"
                  "double omp_get_wtime();\n"}


def with_marks(text):
    """A mark in front of every `for` that begins a statement; lines stay."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"",
                  lambda m: m[0] if m[0][0] == '"' else re.sub(r"[^\n]", " ", m[0]),
                  text, flags=re.S)
    lines, is_directive = [], False
    for line in text.split("\n"):
        begins = is_directive or line.lstrip().startswith("#")
        is_directive = begins and line.endswith("\\")
        lines.append(line if begins
                     else re.sub(r"(?<![\w:.])for(?=\s*\()", MARK + "for", line))
    return "\n".join(lines)


def is_indirect(text, line):
    """A guess from the text that begins at a line: a subscript in a subscript."""
    depth, loop = 0, []
    for one in text.split("\n")[line - 1:line + 200]:
        loop.append(one)
        depth += one.count("{") - one.count("}")
        if len(loop) > 1 and depth <= 0:
            break
    loop = "\n".join(loop)
    if re.search(r"\w\s*\[[^\[\]]*\w\s*\[", loop):
        return True
    # j = index[k]; x[j]
    names = re.findall(r"(\w+)\s*=\s*[\w.>-]+\s*\[[^\]]*\]\s*[;,]", loop)
    return any(re.search(rf"\w\s*\[[^\]]*\b{name}\b[^\]]*\]", loop) for name in names)


class Corpus:
    def __init__(self, arguments, scratch):
        self.arguments = arguments
        self.scratch = scratch
        for name, text in STUBS.items():
            (scratch / name).write_text(text)

    def flags(self, root, path):
        folders = [path.parent, path.parent.parent]
        folders += [f for f in sorted(root.rglob("*"))
                    if f.is_dir() and f.name in HEADER_FOLDERS]
        kind = [] if path.suffix == ".cu" else ["-x", "c++"]
        return [*kind, "-std=gnu++17", "-w", "-ferror-limit=0", "-fdeclspec",
                *self.arguments.flag, *[f"-I{f}" for f in folders], f"-I{self.scratch}"]

    def run(self, source, report, choice, flags):
        """The loops of the report, or why there is none."""
        command = [self.arguments.cuda_opt, "--passes=levelize", f"--levelize={choice}",
                   "--quiet", f"--report=json:{report}", "-o", os.devnull, str(source),
                   "--", *flags]
        try:
            done = subprocess.run(command, capture_output=True, text=True,
                                  timeout=TIMEOUT_S, errors="replace")
        except subprocess.TimeoutExpired:
            return None, "hang"
        if done.returncode < 0 or done.returncode > 100:
            return None, f"crash ({done.returncode})"
        has_errors = bool(re.search(r"(?:error|fatal error): ", done.stderr))
        loops = []
        if os.path.exists(report):
            with open(report) as file:
                for one in json.load(file)["files"]:
                    loops += one["loops"]
            os.remove(report)
        return loops, "errors" if has_errors else "ok"

    def check(self, root, path):
        text = path.read_text(errors="replace")
        flags = self.flags(root, path)
        name = str(path.relative_to(root.parent)).replace("/", "@")
        report = self.scratch / f"{name}.json"
        proposed, state = self.run(path, report, "propose", flags)
        marked = self.scratch / name
        marked.write_text(with_marks(text))
        loops, marked_state = self.run(marked, report, "marked", flags)
        marked.unlink()
        for loop in loops or []:
            loop["indirect"] = is_indirect(text, loop["line"])
        return {"file": str(path.relative_to(root.parent)),
                "state": state if state not in ("ok", "errors") else marked_state,
                "proposed": proposed or [], "loops": loops or []}


def tell(results):
    states = collections.Counter(r["state"] for r in results)
    print(f"{len(results)} files:", ", ".join(f"{n} {s}" for s, n in states.most_common()))
    for r in results:
        if r["state"] not in ("ok", "errors"):
            print(f"  {r['state']}: {r['file']}")
    loops = [loop for r in results for loop in r["loops"] if loop["reason"] != "loop-again"]
    for title, some in (("all", loops), ("indirect", [l for l in loops if l["indirect"]])):
        accepted = [l for l in some if l["reason"] in (None, "loop-extent")]
        independent = sum(l["independent"] for l in accepted)
        indexing = sum(l["self_indexing"] for l in accepted)
        print(f"{title}: {len(some)} outermost loops, {len(accepted)} accepted "
              f"({independent} independent, {indexing} self-indexing)")
        reasons = collections.Counter(l["reason"] for l in some if l not in accepted)
        for reason, count in reasons.most_common():
            print(f"  {count:5} {reason}")
    print("proposed:")
    for r in results:
        for loop in r["proposed"]:
            if loop["decision"] == "proposed":
                print(f"  {r['file']}:{loop['line']} {loop['function']}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--json", help="all answers")
    parser.add_argument("--flag", action="append", default=[], help="for every file")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("cuda_opt")
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        corpus = Corpus(arguments, pathlib.Path(scratch))
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            jobs = [pool.submit(corpus.check, root.resolve(), path.resolve())
                    for root in arguments.folders for path in sorted(root.rglob("*"))
                    if path.suffix in SOURCES and path.is_file()]
            results = [job.result() for job in jobs]
    tell(results)
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump(results, file, indent=1)
    return any(r["state"] not in ("ok", "errors") for r in results)


if __name__ == "__main__":
    sys.exit(main())
