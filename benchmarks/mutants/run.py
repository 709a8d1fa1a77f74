#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Drops the rules of the tool one at a time (mutants.toml) and tells which of its tests,
and which random kernels of cuda-fuzz, notice.

All mutants are compiled into one copy of the tool, of which a file says which one is
active, so that there is one build and not one for each. The copy is a file system over
the repository and its build directory, at the same path: what did not change is not
built again, and nothing in either is touched. That needs Linux, and root or user
namespaces.

The result of each mutant is a file in --results. Tests whose result is there are not run
again unless the mutant changed, and cuda-fuzz goes on behind the kernels that it has seen."""

import argparse
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIST = pathlib.Path(__file__).with_name("mutants.toml")
INSIDE = "CUDAOPT_MUTANTS_INSIDE"
# What cuda-fuzz makes and how cuda-opt is asked, as in benchmarks/campaign, and how many
# kernels of each there are in a round: a half of them are idioms.
FAMILIES = {
    ("--idioms",): 100,
    ("--idioms", "--reuse=bytes"): 100,
    ("--idioms", "--reuse=poison", "--passes=shared-reuse"): 100,
    ("--idioms", "--reuse=bytes", "--reorder"): 60,
    (): 60,
    ("--phases",): 60,
    ("--phases", "--reuse=bytes", "--passes=bank-layout,shared-reuse"): 60,
    ("--reuse=bytes",): 60,
    ("--phases", "--reuse=poison", "--passes=shared-reuse"): 60,
}
FUZZ_ROUND = sum(FAMILIES.values())
REACHED = "reached-"
# Number of no mutant: it makes them tell where they would differ.
ALL_MUTANTS = -1
SWITCH = """#include <cstdio>
#include <string>
#include <type_traits>
namespace {{
inline int cudaoptActiveMutant() {{
  static const int Active = [] {{
    int Read = 0;
    if (std::FILE *File = std::fopen("{active}", "r")) {{
      if (std::fscanf(File, "%d", &Read) != 1)
        Read = 0;
      std::fclose(File);
    }}
    return Read;
  }}();
  return Active;
}}
template <class T>
concept CudaoptComparable =
    !requires {{ typename T::value_type; }} && requires(const T &A) {{ bool(A == A); }};
/// Tells that mutant Number matters.
inline void cudaoptReach(int Number) {{
  if (std::FILE *File =
          std::fopen(("{reached}" + std::to_string(Number)).c_str(), "w"))
    std::fclose(File);
}}
/// What the rule says, or what it says in mutant Number. Where {all} is active, it is the
/// rule that speaks, and mutants that would say something else are told.
template <int Number, class NewFn, class OldFn>
auto cudaoptMutant(NewFn New, OldFn Old) {{
  using T = std::decay_t<decltype(Old())>;
  static bool IsReached = false;
  const bool Looks = cudaoptActiveMutant() == {all} && !IsReached;
  if constexpr (CudaoptComparable<T>) {{
    if (Looks) {{
      T Kept = Old();
      IsReached = !(T(New()) == Kept);
      if (IsReached)
        cudaoptReach(Number);
      return Kept;
    }}
  }} else if (Looks) {{
    IsReached = true;
    cudaoptReach(Number);
  }}
  return cudaoptActiveMutant() == Number ? T(New()) : T(Old());
}}
}} // namespace
"""


def load():
    with LIST.open("rb") as file:
        mutants = tomllib.load(file)["mutant"]
    for number, mutant in enumerate(mutants, 1):
        mutant["number"] = number
    return mutants


def split(mutant):
    """Returns the text in front of the expression, the expression, and that behind."""
    front, rest = mutant["at"].split("«")
    expression, behind = rest.split("»")
    return front, expression, behind


def check(mutants):
    """Returns the mutants that do not apply, each with the reason."""
    problems = []
    for mutant in mutants:
        text = (ROOT / mutant["file"]).read_text()
        count = text.count("".join(split(mutant)))
        if count != 1:
            problems.append(f"{mutant['name']}: its text occurs {count} times in "
                            f"{mutant['file']}")
        if not mutant.get("tests") and not mutant.get("unit"):
            problems.append(f"{mutant['name']}: no tests")
    names = [mutant["name"] for mutant in mutants]
    problems += [f"{name}: twice" for name in set(names) if names.count(name) > 1]
    return problems


def plant(mutants, active):
    """Writes the sources with all mutants; returns the files that changed."""
    changed = []
    for file in sorted({mutant["file"] for mutant in mutants}):
        path = ROOT / file
        text = (INSIDE_LOWER / file).read_text()
        for mutant in mutants:
            if mutant["file"] != file:
                continue
            front, old, behind = split(mutant)
            new = (f"cudaoptMutant<{mutant['number']}>([&] {{ return {mutant['new']}; }}, "
                   f"[&] {{ return {old}; }})")
            if front + old + behind not in text:
                sys.exit(f"run.py: {mutant['name']}: its text overlaps with that of "
                         "another mutant")
            text = text.replace(front + old + behind, front + new + behind)
        text = SWITCH.format(active=active, all=ALL_MUTANTS,
                             reached=active.with_name(REACHED)) + text
        if path.read_text() != text:
            path.write_text(text)
            changed.append(file)
    return changed


# The repository as it is, beside the copy.
INSIDE_LOWER = pathlib.Path(os.environ.get(INSIDE, "/nonexistent"))


def enter(scratch):
    """Starts this command again where ROOT is a copy that may be changed."""
    for name in ("upper", "work", "lower"):
        (scratch / name).mkdir(parents=True, exist_ok=True)
    mount = (f"mount --bind '{ROOT}' '{scratch}/lower' && "
             f"mount -t overlay overlay -o 'lowerdir={ROOT},upperdir={scratch}/upper,"
             f"workdir={scratch}/work' '{ROOT}' && cd '{ROOT}' && exec \"$@\"")
    command = ["unshare", "--mount"]
    if os.getuid() != 0:
        command.append("--map-root-user")
    environment = dict(os.environ, **{INSIDE: str(scratch / "lower")})
    return subprocess.run(command + ["bash", "-c", mount, "_", sys.executable, *sys.argv],
                          env=environment).returncode


class Runner:
    def __init__(self, arguments):
        self.arguments = arguments
        self.build = ROOT / "build"
        self.active = arguments.scratch / "active"

    def activate(self, number):
        self.active.write_text(f"{number}\n")

    def compile(self, mutants):
        plant(mutants, self.active)
        units = {mutant["unit"].split(":")[0] for mutant in mutants if "unit" in mutant}
        targets = ["cuda-opt", "cuda-sim", "cuda-fuzz", *sorted(units)]
        subprocess.run(["ninja", "-C", self.build, f"-j{self.arguments.jobs}", "-k0",
                        *targets], check=True)

    def failing_lit(self, pattern, stops):
        output = self.arguments.scratch / "lit.json"
        command = ["/usr/lib/llvm-22/bin/lit", "-q", f"-j{self.arguments.jobs}",
                   "-o", output, "--filter", pattern, self.build / "test"]
        if stops:
            command.insert(1, "--max-failures=1")
        subprocess.run(command, cwd=self.build / "test", stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, timeout=self.arguments.timeout)
        tests = json.loads(output.read_text())["tests"]
        return sorted(test["name"] for test in tests
                      if test["code"] in ("FAIL", "TIMEOUT", "UNRESOLVED"))

    def failing_unit(self, unit):
        binary, pattern = unit.split(":")
        result = subprocess.run(
            [self.build / "test/Unit" / binary, f"--gtest_filter={pattern}"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
            timeout=self.arguments.timeout)
        failed = sorted(set(re.findall(r"^\[  FAILED  \] (\S+\.\S+)", result.stdout,
                                       re.M)))
        return failed or (["it ends with %d" % result.returncode]
                          if result.returncode else [])

    def baseline(self, kind, pattern):
        """The tests that fail without any mutant; kept beside the results."""
        path = self.arguments.results / "baseline.json"
        known = json.loads(path.read_text()) if path.exists() else {}
        key = f"{kind} {pattern}"
        if key not in known:
            self.activate(0)
            known[key] = (self.failing_lit(pattern, False) if kind == "lit"
                          else self.failing_unit(pattern))
            path.write_text(json.dumps(known, indent=1))
        return known[key]

    def killers(self, mutant):
        """Tests that fail with the mutant and pass without it."""
        for kind in ("unit", "tests"):
            pattern = mutant.get(kind)
            if not pattern:
                continue
            kind = "unit" if kind == "unit" else "lit"
            before = self.baseline(kind, pattern)
            self.activate(mutant["number"])
            try:
                after = (self.failing_unit(pattern) if kind == "unit"
                         else self.failing_lit(pattern, not before))
            except subprocess.TimeoutExpired:
                after = ["it does not end"]
            new = [test for test in after if test not in before]
            if new:
                return new
        return []

    def failing_kernels(self, family, first, count):
        """What cuda-fuzz says of each kernel that it finds to be wrong, and of each of
        which the tool refuses a plan of its own."""
        result = subprocess.run(
            [self.build / "bin/cuda-fuzz", "--quiet",
             f"--seed={list(FAMILIES).index(family) + 1}", f"--first={first}",
             f"--count={count}", f"--jobs={self.arguments.jobs}", *family],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        found = {f"{kind} {number}": line for line, kind, number in
                 re.findall(r"^((\w+): kernel (\d+) of seed .*)$", result.stdout, re.M)
                 if kind not in ("Unsupported", "EqualOn")}
        if result.returncode and not found:
            return {"none": f"it ends with {result.returncode}"}
        return found

    def without_mutants(self, family, first, count):
        """The kernels that are wrong without any mutant, and the numbers of the mutants
        that would say something else than the rule for some kernel; kept beside the
        results, as long as the mutants are the same."""
        digest = hashlib.sha256("".join(map(fingerprint, load())).encode()).hexdigest()
        path = self.arguments.results / f"baseline-fuzz-{digest[:16]}.json"
        known = json.loads(path.read_text()) if path.exists() else {}
        key = f"{' '.join(family)} {first} {count}"
        if key not in known:
            self.activate(ALL_MUTANTS)
            for old in self.active.parent.glob(f"{REACHED}*"):
                old.unlink()
            wrong = sorted(self.failing_kernels(family, first, count))
            known[key] = {"wrong": wrong, "reached": sorted(
                int(file.name.removeprefix(REACHED))
                for file in self.active.parent.glob(f"{REACHED}*"))}
            path.write_text(json.dumps(known, indent=1))
        return known[key]

    def fuzz(self, mutant, known):
        """Goes on behind the kernels of `known`, an earlier result; returns within how many
        of them one is found that is wrong, or refused by the tool itself, because of the
        mutant, and what cuda-fuzz says of it. Where a mutant says what the rule says,
        nothing need be run."""
        seen, reached = known["kernels"], known.get("reached", False)
        while seen < self.arguments.fuzz:
            for family, each in FAMILIES.items():
                first = seen // FUZZ_ROUND * each
                before = self.without_mutants(family, first, each)
                if mutant["number"] not in before["reached"]:
                    continue
                reached = True
                self.activate(mutant["number"])
                after = self.failing_kernels(family, first, each)
                new = [what for kernel, what in after.items()
                       if kernel not in before["wrong"]]
                if new:
                    return {"killed": True, "kernels": seen + FUZZ_ROUND,
                            "family": " ".join(family), "what": new[0]}
            seen += FUZZ_ROUND
        return {"killed": False, "kernels": seen, "reached": reached}


def fingerprint(mutant):
    wanted = {key: value for key, value in mutant.items()
              if key not in ("number", "rule", "needs", "unseen")}
    return hashlib.sha256(json.dumps(wanted, sort_keys=True).encode()).hexdigest()


def run(mutants, arguments):
    runner = Runner(arguments)
    runner.activate(0)
    files = {mutant["file"] for mutant in mutants}
    runner.compile([mutant for mutant in load() if mutant["file"] in files])
    arguments.results.mkdir(parents=True, exist_ok=True)
    for mutant in mutants:
        path = arguments.results / f"{mutant['name']}.json"
        result = json.loads(path.read_text()) if path.exists() else {}
        fuzz = {"killed": False, "kernels": 0}
        if result.get("fingerprint") == fingerprint(mutant):
            fuzz = result.get("fuzz", fuzz)
        else:
            result = {"name": mutant["name"], "fingerprint": fingerprint(mutant),
                      "tests": runner.killers(mutant)}
        if (not fuzz["killed"] and fuzz["kernels"] < arguments.fuzz
                and "unseen" not in mutant):
            result["fuzz"] = runner.fuzz(mutant, fuzz)
        elif path.exists() and json.loads(path.read_text()) == result:
            continue
        path.write_text(json.dumps(result, indent=1))
        print(row(mutant, result), flush=True)
    runner.activate(0)


def row(mutant, result):
    if result is None:
        return f"| {mutant['name']} | {mutant['rule']} | not run | |"
    tests = result["tests"]
    by_tests = f"{tests[0]}" + (f" and {len(tests) - 1} more" if tests[1:] else "") \
        if tests else "**survives**"
    fuzz = result.get("fuzz")
    needs = mutant.get("needs", "")
    if "unseen" in mutant:
        return (f"| {mutant['name']} | {mutant['rule']} | {by_tests} | "
                f"cannot: {mutant['unseen']} |")
    if fuzz is None:
        by_fuzz = "not run"
    elif fuzz["killed"]:
        by_fuzz = f"within {fuzz['kernels']} kernels"
    else:
        by_fuzz = (f"survives {fuzz['kernels']} kernels"
                   + (", of which some reach it" if fuzz.get("reached") else ""))
    if needs and not (fuzz and fuzz["killed"]):
        by_fuzz += f"; needs {needs}"
    return f"| {mutant['name']} | {mutant['rule']} | {by_tests} | {by_fuzz} |"


def table(mutants, arguments):
    print("| mutant | rule that it drops | killed by | by cuda-fuzz |")
    print("|---|---|---|---|")
    results = []
    for mutant in mutants:
        path = arguments.results / f"{mutant['name']}.json"
        result = json.loads(path.read_text()) if path.exists() else None
        results.append(result)
        print(row(mutant, result))
    known = [result for result in results if result]
    seen = {mutant["name"] for mutant in mutants if "unseen" not in mutant}
    fuzzed = [result["fuzz"] for result in known
              if "fuzz" in result and result["name"] in seen]
    print(f"\n{len(mutants)} mutants, {len(known)} run; tests kill "
          f"{sum(bool(result['tests']) for result in known)}; cuda-fuzz can see "
          f"{len(seen)}, was tried on {len(fuzzed)}, and kills "
          f"{sum(fuzz['killed'] for fuzz in fuzzed)}.")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true",
                        help="only tell which mutants do not apply any more")
    parser.add_argument("--table", action="store_true",
                        help="only print the results that are there")
    parser.add_argument("--only", default="", help="names that match this")
    parser.add_argument("--fuzz", type=int, default=1000,
                        help="kernels of cuda-fuzz for each mutant (default: 1000; "
                        "0 for none)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--timeout", type=int, default=1800,
                        help="seconds for the tests of a mutant")
    parser.add_argument("--scratch", type=pathlib.Path,
                        default=pathlib.Path("/tmp/cuda-opt-mutants"))
    parser.add_argument("--results", type=pathlib.Path, default=None)
    arguments = parser.parse_args()
    arguments.scratch = arguments.scratch.resolve()
    arguments.results = arguments.results or arguments.scratch / "results"
    mutants = [mutant for mutant in load() if re.search(arguments.only, mutant["name"])]
    if INSIDE in os.environ:
        run(mutants, arguments)
        return 0
    if arguments.table:
        table(mutants, arguments)
        return 0
    problems = check(load())
    for problem in problems:
        print(f"run.py: error: {problem}", file=sys.stderr)
    if problems or arguments.check:
        return 1 if problems else 0
    return enter(arguments.scratch)


if __name__ == "__main__":
    sys.exit(main())
