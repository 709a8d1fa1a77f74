#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares compilations that may use the cache with compilations that may not,
after each step of random histories of a small source tree.

A history begins with a seed, a fresh tree and an empty cache. Each step changes
something (a text, a time, a link, a folder, a flag, a variable), or nothing, and
then compiles twice, with a compiler that only copies what it is given. Products,
messages and exit codes must be the same. A step may also edit a file while the
tool reads it: the product must then be that of before or of after.

--seed=A --steps=N runs N steps in histories of --history steps, with the seeds
A, A+1, ...; --log=FILE has a line for each seed that is done, and a run with the
same file goes on behind them. Exits with 1 if anything differed.
"""

import argparse
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

# Replaces nvcc: the product is the text that it was given.
STUB = """#!/bin/sh
while [ $# -gt 0 ]; do
  case "$1" in
  -o) out=$2; shift ;;
  *.cu) in=$1 ;;
  esac
  shift
done
case "$in" in
*.cuda-opt/*) cat "${in%/*}"/* > "$out" ;;
*) cat "$in" > "$out" ;;
esac
"""

SOURCE = """#include "cuda.h"
#include "shape.h"
#include <element.h>
#if __has_include("option.h")
#include "option.h"
#endif
#if __has_include(<extra.h>)
#include <extra.h>
#endif
#include "once.h"
#include "twice.h"
#include <device.h>
#ifdef FLAG
constexpr int Flag = FLAG;
#else
constexpr int Flag = 0;
#endif
#ifndef OPTION
#define OPTION 0
#endif
#ifndef EXTRA
#define EXTRA 0
#endif
constexpr int Side = N + OPTION + EXTRA + Flag + Device + Twice;
// TEXT
__global__ void k(Element *out, const Element *in) {
  __shared__ Element t[Side][Side];
  t[threadIdx.y][threadIdx.x] = in[threadIdx.y * Side + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * Side + threadIdx.x] = t[threadIdx.x][threadIdx.y];
}
void launch(Element *o, const Element *i) { k<<<1, dim3(32, 32)>>>(o, i); }
__global__ void line(float *out, const float *in) {
  __shared__ float s[8192];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x ^ 1];
}
"""

# Another file of the program.
OTHER = """#include "cuda.h"
#include "launch.h"
#if __has_include("option.h")
#include "option.h"
#endif
#ifndef OPTION
#define OPTION 0
#endif
__global__ void line(float *out, const float *in);
void other(float *o, const float *i) { line<<<1, Launched + OPTION>>>(o, i); }
"""

# All texts of a file have the same length, so that sizes reveal nothing.
TEXTS = {
    "shape.h": [f"#define N {n}\n" for n in (32, 33, 48, 64)],
    "element.h": [f"using Element = {t};\n" for t in ("float", "short", "int  ")],
    "option.h": [f"#define OPTION {n}\n" for n in (0, 1, 8)],
    "extra.h": [f"#define EXTRA {n}\n" for n in (0, 2, 4)],
    "once.h": ["#pragma once\n#ifdef TWICE\n#undef TWICE\n#define TWICE 8\n"
               "#else\n#define TWICE 0\n#endif\n"],
    "twice.h": ["#pragma once\n#ifdef TWICE\n#undef TWICE\n#define TWICE 8\n"
                "#else\n#define TWICE 0\n#endif\nconstexpr int Twice = TWICE;\n"],
    "device.h": [f"constexpr int Device = {n};\n" for n in (0, 1, 2)],
    "launch.h": [f"constexpr int Launched = {n};\n" for n in (128, 256, 512)],
    "next.h": [f"#define NEXT {n}\n" for n in (0, 1)],
}
NEXT = "#include_next <element.h>\n"
FOLDERS = ["src", "inc1", "inc2", "inc3", "sys", "res/include"]
CONFIGURATIONS = ["Layout: pad\n", "Layout: xor\n", "Reuse:  off\n"]
LAYOUTS = ["pad", "xor", "keep"]


class Tree:
    """The files, flags and variables of one history."""

    def __init__(self, root, resources, rng):
        self.root, self.rng = root, rng
        self.flags = ["-I../inc1", "-I../link", "-I../inc2"]
        self.variables = {}
        self.folder = "src"
        for name in FOLDERS:
            (root / name).mkdir(parents=True)
        (root / "link").symlink_to("inc3")
        (root / "work").symlink_to("src")
        (root / "src/a.cu").write_text(SOURCE)
        (root / "src/b.cu").write_text(OTHER)
        shutil.copy(f"{resources}/include/__clang_cuda_builtin_vars.h",
                    root / "res/include")
        for name, folder in (("shape.h", "src"), ("element.h", "inc2"),
                             ("once.h", "src"), ("twice.h", "src"),
                             ("launch.h", "src"),
                             ("device.h", "res/include")):
            (root / folder / name).write_text(TEXTS[name][0])
        (root / "src/flags").write_text("-DFLAG=0\n")

    def files(self):
        return [f for d in FOLDERS
                for f in sorted((self.root / d).glob("*.h"))
                if f.name in TEXTS and f.is_file()]

    def place(self):
        name = self.rng.choice(sorted(TEXTS))
        return self.root / self.rng.choice(FOLDERS) / name

    def text(self, name):
        if name == "element.h" and self.rng.random() < 0.2:
            return NEXT
        return self.rng.choice(TEXTS[name])

    def clear(self, path):
        if path.is_symlink() or path.is_file():
            path.unlink()
        elif path.is_dir():
            shutil.rmtree(path)

    # The steps of a history. Each may find nothing to do.

    def nothing(self):
        pass

    def edit(self):
        path = self.rng.choice(self.files())
        path.write_text(self.text(path.name))

    def edit_in_secret(self):
        """The same size, and the time of before."""
        path = self.rng.choice(self.files())
        stat = path.stat()
        path.write_text(self.text(path.name))
        os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))

    def edit_source_in_secret(self):
        path = self.root / "src/a.cu"
        stat = path.stat()
        words = ["// TEXT", "// text", "//    2", "#undef N\n#define N 40\n//"]
        text = SOURCE.replace("// TEXT", self.rng.choice(words))
        path.write_text(text)
        os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))

    def replace(self):
        """As cp -p or rsync -t put a file in the place of another."""
        path = self.rng.choice(self.files())
        new = path.with_suffix(".new")
        new.write_text(self.text(path.name))
        stat = path.stat()
        os.utime(new, ns=(stat.st_atime_ns, stat.st_mtime_ns))
        new.rename(path)

    def touch(self):
        self.rng.choice(self.files()).touch()

    def age(self):
        path = self.rng.choice(self.files())
        os.utime(path, (946684800, self.rng.choice([946684800, 978307200])))

    def create(self):
        path = self.place()
        self.clear(path)
        path.write_text(self.text(path.name))

    def remove(self):
        self.rng.choice(self.files()).unlink()

    def move(self):
        path = self.rng.choice(self.files())
        to = self.root / self.rng.choice(FOLDERS) / path.name
        if to != path:
            self.clear(to)
            path.rename(to)

    def link_file(self):
        """Another name for a file, or for its copy: #pragma once knows."""
        path, to = self.rng.choice(self.files()), self.place()
        if path.is_symlink() or (to.exists() and path.samefile(to)):
            return
        self.clear(to)
        if self.rng.random() < 0.4:
            to.symlink_to(path)
        elif self.rng.random() < 0.5:
            os.link(path, to)
        else:
            shutil.copy2(path, to)

    def make_folder(self):
        path = self.place()
        self.clear(path)
        path.mkdir()

    def retarget(self):
        link = self.root / "link"
        link.unlink()
        link.symlink_to(self.rng.choice(["inc1", "inc2", "inc3", "sys", "none"]))

    def swap_folders(self):
        one, two = self.rng.sample(["inc1", "inc2", "inc3"], 2)
        (self.root / one).rename(self.root / "swap")
        (self.root / two).rename(self.root / one)
        (self.root / "swap").rename(self.root / two)

    def set_flags(self):
        choices = ["-I../inc1", "-I../inc2", "-I../inc3", "-I../link", "-I.",
                   "-isystem../sys", "-iquote../inc3", "-I../absent"]
        self.flags = self.rng.sample(choices, self.rng.randint(1, 5))
        if self.rng.random() < 0.3:
            self.flags.append(f"-DFLAG={self.rng.choice([0, 1, 16])}")
        elif self.rng.random() < 0.4:
            self.flags += ["--options-file", "flags"]

    def edit_options_file(self):
        value = self.rng.choice([0, 1, 2])
        (self.root / "src/flags").write_text(f"-DFLAG={value}\n")

    def set_variable(self):
        name = self.rng.choice(["CPATH", "CPLUS_INCLUDE_PATH", "CUDAOPT_FLAGS",
                                "NVCC_APPEND_FLAGS", "NVCC_PREPEND_FLAGS"])
        values = {"CUDAOPT_FLAGS": [f"--layout={x}" for x in LAYOUTS],
                  "NVCC_APPEND_FLAGS": ["-DFLAG=4", "-DFLAG=8"],
                  "NVCC_PREPEND_FLAGS": ["-I../inc3", "-DOTHER=1"]}
        folders = [str(self.root / f) for f in ("inc1", "inc3", "link", "sys")]
        if self.variables.pop(name, None) is None:
            self.variables[name] = self.rng.choice(values.get(name, folders))

    def configure(self):
        path = self.root / self.rng.choice(["src", "."]) / ".cuda-opt"
        if path.exists() and self.rng.random() < 0.5:
            path.unlink()
        else:
            inherits = self.rng.choice(["", "InheritParentConfig: true\n"])
            path.write_text(self.rng.choice(CONFIGURATIONS) + inherits)

    def go_elsewhere(self):
        self.folder = "work" if self.folder == "src" else "src"

    def repair(self):
        """So that most trees compile."""
        for name, folder in (("shape.h", "src"), ("element.h", "inc2"),
                             ("once.h", "src"), ("twice.h", "src"),
                             ("launch.h", "src"),
                             ("device.h", "res/include")):
            path = self.root / folder / name
            if not path.is_file():
                self.clear(path)
                path.write_text(self.text(name))
        self.flags = ["-I../inc1", "-I../link", "-I../inc2"]


STEPS = [Tree.nothing] * 2 + [Tree.edit] * 2 + [Tree.edit_in_secret] * 3 + [
    Tree.edit_source_in_secret, Tree.replace, Tree.replace, Tree.touch, Tree.age,
    Tree.create, Tree.create, Tree.create, Tree.remove, Tree.move,
    Tree.link_file, Tree.link_file, Tree.make_folder, Tree.retarget,
    Tree.swap_folders, Tree.set_flags, Tree.edit_options_file,
    Tree.set_variable, Tree.configure, Tree.go_elsewhere]


class History:
    def __init__(self, options, seed, folder):
        self.options, self.seed = options, seed
        self.rng = random.Random(seed)
        self.root = folder / "tree"
        self.root.mkdir()
        self.cache = folder / "cache"
        self.tree = Tree(self.root, options.resources, self.rng)
        self.compiler = folder / "nvcc"
        self.compiler.write_text(STUB)
        self.compiler.chmod(0o755)
        self.done = {"steps": 0, "hits": 0, "rewritten": 0, "different": 0}

    def environment(self, cache):
        environment = dict(os.environ, CUDAOPT_CACHE_DIR=str(cache),
                           **self.tree.variables)
        environment["PWD"] = str(self.root / self.tree.folder)
        return environment

    def command(self):
        command = [str(self.compiler), "-nocudainc", "-arch=sm_90",
                   f"-resource-dir={self.root}/res", *self.tree.flags,
                   "-I", str(ROOT / "test/Inputs"), "-c", "a.cu", "-o", "a.o"]
        if self.seed % 2:
            return [self.options.cuda_opt, *command]
        self.write_database(command)
        return [self.options.cuda_opt, "--whole-program", "-p", "..", *command]

    def write_database(self, command):
        """Every other history is of a program of two files."""
        folder = str(self.root / self.tree.folder)
        entries = [{"directory": folder, "file": file,
                    "arguments": [file if word == "a.cu" else word
                                  for word in command]}
                   for file in ("a.cu", "b.cu")]
        if self.tree.flags.count("-I."):  # Some flags make it another command.
            entries[0]["arguments"].append("-DOTHER")
        text = json.dumps(entries)
        path = self.root / "compile_commands.json"
        if not path.exists() or path.read_text() != text:
            path.write_text(text)

    def plugin_command(self):
        flags = list(self.tree.flags)
        if "--options-file" in flags:
            flags[flags.index("--options-file"):] = ["@flags"]
        return [self.options.clang, "-x", "cuda", "-fsyntax-only", "-w",
                "--cuda-device-only", "--cuda-gpu-arch=sm_90", "-nocudainc",
                "-nocudalib", f"-resource-dir={self.root}/res",
                f"-fplugin={self.options.plugin}",
                "-fplugin-arg-cudaopt-o=a.o", *flags,
                "-I", str(ROOT / "test/Inputs"), "a.cu"]

    def start(self, command, cache):
        folder = self.root / self.tree.folder
        (folder / "a.o").unlink(missing_ok=True)
        return subprocess.Popen(
            command, cwd=folder, env=self.environment(cache), text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def finish(self, process):
        messages, _ = process.communicate()
        product = self.root / "src/a.o"
        text = product.read_text() if product.exists() else ""
        return process.returncode, messages, text

    def run(self, command, cache):
        return self.finish(self.start(command, cache))

    def entries(self):
        if not self.cache.is_dir():
            return set()
        return {(e.name, e.stat().st_mtime_ns) for e in os.scandir(self.cache)}

    def compare(self, what, command):
        before = self.entries()
        cached = self.run(command, self.cache)
        self.done["hits"] += bool(before) and self.entries() == before
        fresh = self.run(command, "")
        self.done["rewritten"] += "1 array rewritten" in fresh[1]
        if cached == fresh:
            return
        self.done["different"] += 1
        print(f"seed {self.seed}, step {self.done['steps']} ({what}): "
              f"{' '.join(command)}\n--- from the cache\n{cached}\n"
              f"--- anew\n{fresh}", file=sys.stderr)

    def race(self):
        """Edits while the tool reads."""
        source = self.root / "src/a.cu"
        before = self.run(self.command(), "")[2], source.read_text()
        process = self.start(self.command(), self.cache)
        time.sleep(self.rng.random() * self.options.race_seconds)
        self.rng.choice([Tree.edit, Tree.edit_in_secret, Tree.replace,
                         Tree.edit_source_in_secret, Tree.create])(self.tree)
        raced = self.finish(process)[2]
        after = self.run(self.command(), "")[2], source.read_text()
        # The compiler may also see a file that is half written.
        if raced in before + after or not raced:
            return
        self.done["different"] += 1
        print(f"seed {self.seed}, step {self.done['steps']}: edited while it was "
              f"read\n--- before\n{before}\n--- raced\n{raced}\n--- after\n"
              f"{after}", file=sys.stderr)

    def step(self):
        if not self.tree.files() or self.rng.random() < 0.3:
            self.tree.repair()
        change = self.rng.choice(STEPS)
        change(self.tree)
        if self.tree.files() and self.rng.random() < self.options.races:
            self.race()
        self.compare(change.__name__, self.command())
        if self.options.plugin:
            self.compare(change.__name__, self.plugin_command())
        self.done["steps"] += 1


def read_log(path):
    if not path or not os.path.exists(path):
        return {}
    lines = map(json.loads, open(path, encoding="utf-8"))
    return {line["seed"]: line for line in lines}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--cuda-opt", default=str(ROOT / "build/bin/cuda-opt"))
    parser.add_argument("--plugin", help="CudaOptPlugin.so, to try it as well")
    parser.add_argument("--clang", default="clang++-22")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=500)
    parser.add_argument("--history", type=int, default=50)
    parser.add_argument("--races", type=float, default=0.05,
                        help="share of steps with an edit while the tool reads")
    parser.add_argument("--race-seconds", type=float, default=0.06)
    parser.add_argument("--log", help="lines of JSON, one a seed")
    options = parser.parse_args()
    options.cuda_opt = os.path.abspath(options.cuda_opt)
    if options.plugin:
        options.plugin = os.path.abspath(options.plugin)
    options.resources = subprocess.run(
        [options.clang, "-print-resource-dir"], check=True, text=True,
        capture_output=True).stdout.strip()
    known = read_log(options.log)
    total = {"steps": 0, "hits": 0, "rewritten": 0, "different": 0}
    seed = options.seed
    while total["steps"] < options.steps:
        done = known.get(seed)
        if not done:
            with tempfile.TemporaryDirectory() as folder:
                history = History(options, seed, pathlib.Path(folder))
                left = options.steps - total["steps"]
                for _ in range(min(options.history, left)):
                    history.step()
            done = dict(history.done, seed=seed)
            if options.log:
                with open(options.log, "a", encoding="utf-8") as log:
                    log.write(json.dumps(done) + "\n")
        for key in total:
            total[key] += done[key]
        seed += 1
    print(f"seeds {options.seed} to {seed - 1}: {total['steps']} steps, "
          f"{total['hits']} answered by the cache, {total['rewritten']} "
          f"rewritten, {total['different']} different")
    sys.exit(total["different"] != 0)


if __name__ == "__main__":
    main()
