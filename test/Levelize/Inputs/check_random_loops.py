"""Thousands of random loops through cuda-opt, checked in few programs.

check_random_loops.py [--seed N] [--count N] [--real | --gpu] CUDA_OPT INCLUDE FOLDER

Rewritten loops are compiled with `checked` in front of the runtime's headers: a
loop then costs milliseconds of compile time instead of a quarter of a second.
Each is compared with its contract (the accesses of slice and body, orders that
the slice allows, memory that was declared), runs by a random strategy of the
CPU backend, and prints the same bits as the original. With --mutants, what
cuda-opt wrote is broken in one place a loop; the exit status is 0 if most of these
are noticed. With --real, the runtime's own headers are compiled, with -O2 and
--march, and every strategy runs: what a compiler contracts is seen only so. With
--gpu, nvcc compiles the rewritten loops, and every strategy runs on the device.
"""
import argparse
import concurrent.futures
import hashlib
import os
import random
import re
import subprocess
import sys
import time

import random_loops

BATCH = 250  # Loops in a program.
REAL_BATCH = 25
GPU_BATCH = 2  # nvcc needs half a minute for a loop and all strategies.
RUNS = 5
HANGS = 3600  # Seconds; a machine that is busy otherwise needs minutes for a program.
STRATEGIES = ("sequential", "tickets", "reserve", "chains", "renaming", "ordered_reduction",
              "levels_graph")
GPU_STRATEGIES = (*STRATEGIES, "doall", "last_writer", "atomic_reduction",
                  "levels_cooperative", "owner", "paper_levels")
HERE = os.path.dirname(os.path.abspath(__file__))


# (what, pattern in the text of a rewritten loop, replacement)
MUTANTS = (
    ("touch dropped", r" touch\.(read|write|update)\([^;]*\);", r" "),
    ("guard dropped", r"    if \(.*\) \{", r"    if (true) {"),
    ("write as read", r"touch\.write\(", r"touch.read("),
    ("read as write", r"touch\.read\(", r"touch.write("),
    ("claims independence", r"\A(?![\s\S]*is_independent)([\s\S]*?)\n  cudaopt::extents arrays",
     r"\1\n  static constexpr bool is_independent = true;\n  cudaopt::extents arrays"),
    ("pointer not visited", r"    visit\([^;]*\);", r"    (void)visit;"),
    ("use dropped", r"cudaopt::(in|index|out)\(\w+, \w+\)(, )?", r""),
    ("extent too small", r"cudaopt::(in|index|out)\((\w+), (64|65|nnz)\)",
     r"cudaopt::\1(\2, \3 / 2)"),
    ("array too small", r"cudaopt::index_t\(64\)", r"cudaopt::index_t(48)"),
    ("subscript off by one", r"(touch\.\w+\(\w+, )", r"\g<1>1 ^ "),
    ("bound off by one", r"k < ptr\[i \+ 1\];", r"k + 1 < ptr[i + 1];"),
)


class Failure(Exception):
    pass


def run(command, **keywords):
    return subprocess.run(command, capture_output=True, text=True, **keywords)


def must(command):
    done = run(command)
    if done.returncode:
        raise Failure(f"{' '.join(command)}\n{done.stderr[:6000]}")
    return done


class Tools:
    def __init__(self, arguments):
        self.cuda_opt = arguments.cuda_opt
        self.include = arguments.include
        self.folder = arguments.folder
        self.cxx = [os.environ.get("CXX", "clang++"), "-std=c++17", "-O0", "-pthread"]
        self.checker = f"{self.folder}/checked_loop.o"
        self.flags = []
        self.backend = "gpu" if arguments.gpu else "cpu"
        self.on_gpu = 0
        os.makedirs(self.folder, exist_ok=True)
        if arguments.real or arguments.gpu:
            self.flags = ["-O2", f"-march={arguments.march}"]
            return
        must([*self.cxx, "-I", self.include, "-c", f"{HERE}/checked/checked_loop.cpp",
              "-o", self.checker])

    def rewrite(self, text, stem):
        with open(f"{stem}.before.cpp", "w") as file:
            file.write(text)
        must([self.cuda_opt, "--passes=levelize", "--quiet", f"{stem}.before.cpp",
              "-o", f"{stem}.after.cpp", "--", "-x", "c++", "-std=c++17",
              "-I", self.include, *self.flags])
        with open(f"{stem}.after.cpp") as file:
            return file.read()

    def compile_original(self, stem):
        must([*self.cxx, *self.flags, "-I", self.include, f"{stem}.before.cpp", "-o", f"{stem}.before"])

    def compile_checked(self, stem):
        must([*self.cxx, "-I", f"{HERE}/checked", "-I", self.include,
              f"{stem}.after.cpp", self.checker, "-o", f"{stem}.after"])

    def compile_real(self, stem):
        compiler = [*self.cxx, *self.flags]
        if self.backend == "gpu":
            compiler = ["nvcc", "-x", "cu", "-std=c++17", "-arch=native", "-O2", "-w",
                        "-Xcompiler", self.flags[1]]
        must([*compiler, "-I", self.include, f"{stem}.after.cpp", "-o", f"{stem}.after"])

    def output(self, program, count, **variables):
        """What each loop printed. One that crashes does not take others along."""
        environment = dict(os.environ, CUDAOPT_LEVELIZE=self.backend,
                           CUDAOPT_LEVELIZE_TRACE="1", **variables)
        lines, number = {}, 0
        while number < count:
            done = run([program, str(number)], env=environment, timeout=HANGS)
            self.on_gpu += done.stderr.count("on the gpu (ok)")
            text = []
            for line in done.stdout.splitlines():
                text.append(line)
                if match := re.match(r"loop(\d+) ", line):
                    number = int(match[1])
                    lines.setdefault(number, []).extend(text)
                    text = []
            if done.returncode == 0:
                break
            number += len(lines.get(number, ())) >= RUNS
            lines.setdefault(number, []).append(f"exit code {done.returncode}")
            number += 1
        return lines

    def remove(self, stem):
        for end in (".before.cpp", ".after.cpp", ".before", ".after"):
            if os.path.exists(stem + end):
                os.remove(stem + end)


def sum_of(stem, *texts):
    """A number that a rerun in another folder can be compared by."""
    text = "\0".join(texts).replace(stem, "")
    digest = hashlib.sha256(text.encode()).hexdigest()
    return int(digest[:16], 16)


def compare_outputs(stem, count, expected, found, how=""):
    for number in range(count):
        if expected.get(number) != found.get(number):
            raise Failure(f"{stem}.before.cpp: loop{number} differs{how}\n"
                          + "\n".join(found.get(number, ["nothing"])))


def check_real_batch(tools, seed, count):
    """As check_batch, but with the runtime's headers and by every strategy."""
    stem = f"{tools.folder}/real{seed}"
    text = random_loops.program_of(random.Random(seed), count, RUNS)
    rewritten = tools.rewrite(text, stem)
    tools.compile_original(stem)
    tools.compile_real(stem)
    expected = tools.output(f"{stem}.before", count)
    for strategy in GPU_STRATEGIES if tools.backend == "gpu" else STRATEGIES:
        found = tools.output(f"{stem}.after", count, CUDAOPT_LEVELIZE_FORCE=strategy)
        compare_outputs(stem, count, expected, found, f" by {strategy}")
    tools.remove(stem)
    return (rewritten.count("!cudaopt::run_loop("),
            sum_of(stem, text, rewritten, str(sorted(expected.items()))))


def check_batch(tools, seed, count):
    """Number of loops that were rewritten, and a sum; raises Failure at a
    difference."""
    stem = f"{tools.folder}/batch{seed}"
    text = random_loops.program_of(random.Random(seed), count, RUNS)
    rewritten = tools.rewrite(text, stem)
    tools.compile_original(stem)
    tools.compile_checked(stem)
    expected = tools.output(f"{stem}.before", count)
    compare_outputs(stem, count, expected, tools.output(f"{stem}.after", count))
    tools.remove(stem)
    return (rewritten.count("!cudaopt::run_loop("),
            sum_of(stem, text, rewritten, str(sorted(expected.items()))))


def mutated(struct, rng):
    """A rewritten loop that is broken in one place, and how."""
    kind, pattern, replacement = rng.choice(MUTANTS)
    end = struct.find("\n#line", struct.find("cudaopt::run_loop("))
    places = list(re.finditer(pattern, struct[:end]))
    if not places:
        return struct, None
    place = rng.choice(places)
    return (struct[:place.start()] + place.expand(replacement) + struct[place.end():], kind)


def check_mutants(tools, seed, count):
    """[noticed, made] for each kind of mutant; those unnoticed are left."""
    stem = f"{tools.folder}/mutants{seed}"
    rng = random.Random(seed)
    text = tools.rewrite(random_loops.program_of(rng, count, RUNS), stem)
    pieces = re.split(r"(?=^struct loop\d+_loop)", text, flags=re.M)
    kinds = {}
    for at, piece in enumerate(pieces):
        if match := re.match(r"struct loop(\d+)_loop", piece):
            pieces[at], kinds[int(match[1])] = mutated(piece, rng)
    with open(f"{stem}.after.cpp", "w") as file:
        file.write("".join(pieces))
    tools.compile_original(stem)
    tools.compile_checked(stem)
    expected = tools.output(f"{stem}.before", count)
    found = tools.output(f"{stem}.after", count)
    counts = {}
    for number, kind in kinds.items():
        if kind:
            noticed = expected.get(number) != found.get(number)
            one = counts.setdefault(kind, [0, 0, []])
            one[0] += noticed
            one[1] += 1
            if not noticed:
                one[2].append(f"{stem}.after.cpp: loop{number}")
    return counts


def tell_mutants(batches):
    """True if most of each kind were noticed. Some break nothing: guards that are
    always true, values that nobody uses."""
    most = True
    for kind, _, _ in MUTANTS:
        of_kind = [counts[kind] for counts in batches if kind in counts]
        noticed, made = (sum(one[k] for one in of_kind) for k in (0, 1))
        print(f"{kind}: {noticed} of {made} noticed")
        for place in [place for one in of_kind for place in one[2]][:5]:
            print(f"  not in {place}")
        most &= noticed * 2 >= made
    return most


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--mutants", action="store_true")
    parser.add_argument("--real", action="store_true")
    parser.add_argument("--gpu", action="store_true")
    parser.add_argument("--march", default="x86-64")
    parser.add_argument("cuda_opt")
    parser.add_argument("include")
    parser.add_argument("folder")
    arguments = parser.parse_args()
    begin = time.monotonic()
    size = GPU_BATCH if arguments.gpu else REAL_BATCH if arguments.real else BATCH
    batches = [(arguments.seed * 1000003 + first, min(size, arguments.count - first))
               for first in range(0, arguments.count, size)]
    try:
        tools = Tools(arguments)
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            check = (check_mutants if arguments.mutants
                     else check_real_batch if arguments.real or arguments.gpu
                     else check_batch)
            jobs = [pool.submit(check, tools, *batch) for batch in batches]
            results = [job.exception() or job.result()
                       for job in concurrent.futures.as_completed(jobs)]
    except Failure as failure:
        results = [failure]
    failures = [result for result in results if isinstance(result, Exception)]
    for failure in failures:
        print(failure if isinstance(failure, Failure) else repr(failure))
    done = [result for result in results if not isinstance(result, Exception)]
    seconds = f"{time.monotonic() - begin:.0f} s"
    if arguments.mutants:
        return 0 if tell_mutants(done) and not failures else 1
    total = sum(one[1] for one in done) % 2 ** 64
    if arguments.gpu:
        print(f"{tools.on_gpu} runs on the device")
    rewritten = sum(one[0] for one in done)
    print(f"{arguments.count} random loops, {rewritten} rewritten, "
          f"{len(failures)} programs wrong, sum {total:016x}, {seconds}")
    # Most loops are rewritten: else nothing was looked at.
    return 1 if failures or 2 * rewritten < arguments.count else 0


if __name__ == "__main__":
    sys.exit(main())
