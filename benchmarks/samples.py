#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles NVIDIA's CUDA samples through the launcher.

FOLDER is a checkout of github.com/NVIDIA/cuda-samples. Each source that plain
nvcc compiles is compiled by `cuda-opt nvcc`, too, and must end alike; what the
launcher itself takes is measured with a compiler that does nothing. Then some
samples are built with CMake and Ninja: twice, after a header was touched, and
with ccache on either side of cuda-opt. With --plugin, each source that plain
clang compiles is compiled with the plugin, too. Nothing needs a GPU.
"""

import argparse
import json
import os
import pathlib
import platform
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

FLAGS = ["-std=c++17", "-arch=sm_90", "--extended-lambda", "-lineinfo"]
SUMMARY = re.compile(r"(\d+) kernels?, (\d+) arrays? rewritten, (\d+) kept"
                     r"(?:, (\d+) kernels? in less)?")


class Run:
    """A command that ended: its code, its words, its times."""

    def __init__(self, command, environment, folder=None):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.perf_counter()
        ended = subprocess.run([str(w) for w in command], env=environment,
                               cwd=folder, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True,
                               errors="replace", check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.wall = time.perf_counter() - start
        self.cpu = (after.ru_utime - before.ru_utime
                    + after.ru_stime - before.ru_stime)
        self.code, self.text = ended.returncode, ended.stdout


def find_samples(root):
    """The folders whose CMakeLists.txt makes a program of CUDA sources."""
    samples = {}
    for listing in sorted(root.glob("Samples/*/*/CMakeLists.txt")):
        text = listing.read_text(errors="replace")
        sources = []
        for names in re.findall(r"add_executable\(\s*\S+([^)]*)\)", text):
            sources += [listing.parent / n for n in names.split()
                        if n.endswith(".cu") and "$" not in n]
        sources = [s for s in sources if s.exists()]
        if sources:
            samples[listing.parent] = sources
    return samples


def mentions_shared(folder):
    return any("__shared__" in f.read_text(errors="replace")
               for f in folder.rglob("*") if f.suffix in (".cu", ".cuh", ".h"))


class Benchmark:
    def __init__(self, options, scratch):
        self.options, self.scratch = options, scratch
        self.deadline = time.monotonic() + 60 * options.minutes
        toolkit = str(pathlib.Path(options.nvcc).resolve().parent.parent)
        self.environment = dict(os.environ, CUDA_PATH=toolkit,
                                CUDA_HOME=toolkit, CUDAOPT_CACHE_DIR="",
                                CCACHE_DIR=str(scratch / "ccache"))
        self.cuda_opt = str(pathlib.Path(options.cuda_opt).resolve())
        # Named like the compiler, so that it is launched as one.
        self.idle = scratch / "idle" / "nvcc"
        self.idle.parent.mkdir()
        self.idle.symlink_to("/bin/true")

    def is_late(self):
        return time.monotonic() > self.deadline

    def command(self, source, product):
        root = pathlib.Path(self.options.folder).resolve()
        return [*FLAGS, "-I", root / "Common", "-I", source.parent / "inc",
                "-c", source, "-o", product]

    def own_time(self, source, products):
        """The times of the launcher alone, and what it said."""
        environment = dict(self.environment,
                           CUDAOPT_CACHE_DIR=str(self.scratch / "cache"))
        runs = [Run([self.cuda_opt, self.idle, "--keep",
                     *self.command(source, self.scratch / product)],
                    environment) for product in products]
        return {"wall": min(r.wall for r in runs),
                "cpu": min(r.cpu for r in runs)}, runs[-1].text

    def count_results(self):
        return len(list(self.scratch.glob("cache/llvmcache-*")))

    def source(self, source):
        """Compiles one source by nvcc, and through the launcher."""
        words = self.command(source, self.scratch / "a.o")
        repeat = range(self.options.repeat)
        # No result is known for another product. As in any first build, what
        # all sources begin with is.
        known = self.count_results()
        cold, text = self.own_time(source, ["a.o", *(f"{i}.o" for i in repeat)])
        result = {
            "source": str(source.relative_to(
                pathlib.Path(self.options.folder).resolve())),
            "code": 0, "cold": cold, "parsed": self.count_results() > known,
            "fell_back": "compiling the original" in text,
            "rewritten": (self.scratch / "a.o.cuda-opt").exists(),
        }
        counts = SUMMARY.search(text)
        if counts:
            result["arrays"] = int(counts[2])
            result["smaller_kernels"] = int(counts[4] or 0)
        if result["rewritten"] or not self.options.only_rewritten:
            plain = Run([self.options.nvcc, *words], self.environment)
            if plain.code:
                return None
            ours = Run([self.cuda_opt, self.options.nvcc, *words],
                       self.environment)
            text += ours.text
            result["code"] = ours.code
            result["fell_back"] |= "compiling the original" in ours.text
            result["nvcc"] = {"wall": plain.wall, "cpu": plain.cpu}
            result["through"] = {"wall": ours.wall, "cpu": ours.cpu}
            result["warm"] = self.own_time(source, ["a.o" for _ in repeat])[0]
        if result["fell_back"] or result["code"]:
            result["said"] = [line for line in text.splitlines()
                              if "cuda-opt" in line][:3]
        for folder in self.scratch.glob("*.cuda-opt"):
            shutil.rmtree(folder)
        return result

    def sources(self, samples, known, keep):
        """Goes on behind what is known; keeps what is found, one by one."""
        results = {r["source"]: r for r in known}
        root = pathlib.Path(self.options.folder).resolve()
        done = set()
        for folder, sources in samples.items():
            if len(done) == self.options.samples or self.is_late():
                break
            for source in sources:
                name = str(source.relative_to(root))
                result = results.get(name) or self.source(source)
                if not result:
                    continue
                done.add(folder)
                if name not in results:
                    results[name] = result
                    keep(list(results.values()))
                    print(f"{name}: {result['code']} "
                          f"{'rewritten' if result['rewritten'] else ''}",
                          flush=True)
        return list(results.values())

    # Builds

    def write_project(self, samples, project):
        project.mkdir()
        root = pathlib.Path(self.options.folder).resolve()
        lines = ["cmake_minimum_required(VERSION 3.20)",
                 "project(samples LANGUAGES CXX CUDA)",
                 "set(CMAKE_CUDA_STANDARD 17)",
                 "set(CMAKE_CUDA_ARCHITECTURES 90)"]
        for number, (folder, sources) in enumerate(samples.items()):
            copy = project / f"{number}-{folder.name}"
            shutil.copytree(folder, copy)
            names = " ".join(f"{copy.name}/{s.relative_to(folder)}"
                             for s in sources)
            lines += [f"add_library(s{number} OBJECT {names})",
                      f"target_include_directories(s{number} PRIVATE "
                      f"{root}/Common {copy.name}/inc)"]
        (project / "CMakeLists.txt").write_text("\n".join(lines) + "\n")

    def build(self, project, name, launcher, **more):
        """Configures and builds; returns what the checks found."""
        build = project / name
        environment = dict(self.environment, **more)
        steps = {"configure": Run(
            ["cmake", "-G", "Ninja", "-S", project, "-B", build,
             f"-DCMAKE_CUDA_COMPILER={self.options.nvcc}",
             f"-DCMAKE_CUDA_COMPILER_LAUNCHER={launcher}"], environment)}
        ninja = ["ninja", "-C", build, "-j1"]
        steps["build"] = Run(ninja, environment)
        steps["again"] = Run(ninja, environment)
        header = max([*project.glob("*/*.h"), *project.glob("*/*.cuh")],
                     key=lambda p: (p.suffix == ".cuh", "__shared__" in
                                    p.read_text(errors="replace")))
        header.touch()
        steps["touched"] = Run([*ninja, "-n"], environment)
        result = {k: r.code for k, r in steps.items()}
        result["second_build_is_idle"] = "no work to do" in steps["again"].text
        result["header_rebuilds"] = "no work to do" not in steps["touched"].text
        result["leftovers"] = len(list(build.rglob("*.cuda-opt")))
        if any(r.code for r in steps.values()):
            result["said"] = [r.text[-1000:] for r in steps.values() if r.code]
        return result

    def rebuild(self, project, name, launcher, **more):
        """Builds all again with what ccache remembers."""
        environment = dict(self.environment, **more)
        first = self.build(project, name, launcher, **more)
        subprocess.run(["ccache", "-z"], env=environment, check=True,
                       stdout=subprocess.DEVNULL)
        subprocess.run(["ninja", "-C", project / name, "-t", "clean"],
                       env=environment, check=True, stdout=subprocess.DEVNULL)
        again = Run(["ninja", "-C", project / name, "-j1"], environment)
        said = subprocess.run(["ccache", "--print-stats"], env=environment,
                              check=True, capture_output=True, text=True)
        stats = dict(line.split("\t") for line in said.stdout.splitlines())
        hits = sum(int(stats.get(k, 0)) for k in
                   ("direct_cache_hit", "preprocessed_cache_hit"))
        return {**first, "rebuild": again.code, "rebuild_s": again.wall,
                "ccache_hits": hits,
                "ccache_misses": int(stats.get("cache_miss", 0))}

    def builds(self, samples):
        project = self.scratch / "project"
        self.write_project(samples, project)
        cache = str(self.scratch / "cache")
        results = {"plain": self.build(project, "plain", ""),
                   "launcher": self.build(project, "launcher", self.cuda_opt,
                                          CUDAOPT_CACHE_DIR=cache)}
        if shutil.which("ccache"):
            results["cuda-opt;ccache"] = self.rebuild(
                project, "before", f"{self.cuda_opt};ccache",
                CUDAOPT_CACHE_DIR=cache)
            results["CCACHE_PREFIX"] = self.rebuild(
                project, "behind", "ccache", CCACHE_PREFIX=self.cuda_opt,
                CCACHE_EXTRAFILES=self.cuda_opt, CUDAOPT_CACHE_DIR=cache,
                CCACHE_DIR=str(self.scratch / "ccache2"))
        return results

    # clang

    def clang_flags(self, folder):
        toolkit = self.environment["CUDA_PATH"]
        root = pathlib.Path(self.options.folder).resolve()
        return [f"--cuda-path={toolkit}", "--cuda-gpu-arch=sm_90",
                "-std=c++17", "-w", "-Wno-unknown-cuda-version",
                "-I", root / "Common", "-I", folder / "inc",
                "-isystem", f"{toolkit}/include/cccl"]

    def plugin_source(self, folder, source):
        """Compiles one source by clang, with and without the plugin."""
        # A command's jobs share what the first one makes.
        with_cache = dict(self.environment,
                          CUDAOPT_CACHE_DIR=str(self.scratch / "plugin"))
        flags = self.clang_flags(folder)
        words = [self.options.clang, *flags, "-c", source, "-o",
                 self.scratch / "clang.o"]
        plain = Run(words, self.environment)
        if plain.code:
            return None
        plugin = f"-fplugin={self.options.plugin}"
        ours = Run([*words, plugin], with_cache)
        # What each of them makes of the source.
        texts = [self.scratch / "plugin.cu", self.scratch / "tool.cu"]
        for text in texts:
            text.unlink(missing_ok=True)
        runs = [Run([self.options.clang, *flags, "-fsyntax-only", source,
                     plugin, f"-fplugin-arg-cudaopt-o={texts[0]}"],
                    self.environment),
                Run([self.cuda_opt, source, "-o", texts[1], "--", *flags],
                    self.environment)]
        # The plugin tells clang which lines it has put in.
        made = [text.exists() and
                [line for line in text.read_bytes().splitlines()
                 if not line.startswith(b"#line ")] for text in texts]
        said = "".join(r.text for r in (ours, *runs)
                       if r.code or "compiling the original" in r.text)
        return {"source": str(source.relative_to(
                    pathlib.Path(self.options.folder).resolve())),
                "code": ours.code, "clang": plain.cpu,
                "with_plugin": ours.cpu,
                "fell_back": "compiling the original" in ours.text,
                "changed": made[0] is not False
                           and texts[0].read_bytes() != source.read_bytes(),
                "is_text_of_tool": made[0] is not False
                                   and made[0] == made[1],
                "said": said[-300:]}

    def plugin(self, samples, known, keep):
        """Compiles what clang takes; goes on behind what is known."""
        root = pathlib.Path(self.options.folder).resolve()
        results = {r["source"]: r for r in known}
        done = set()
        for folder, source in ((f, s) for f in samples for s in samples[f]):
            if len(done) == self.options.plugin_samples or self.is_late():
                break
            name = str(source.relative_to(root))
            result = results.get(name) or self.plugin_source(folder, source)
            if not result:
                continue
            done.add(folder)
            if name not in results:
                results[name] = result
                keep(list(results.values()))
                print(f"{name}: {result['code']} with the plugin", flush=True)
        return list(results.values())


def summarize(results):
    """The figures of the page."""
    timed = [r for r in results if "nvcc" in r]

    def percent(kind, time="cpu"):
        """Of nvcc's time, of the sources that nvcc compiled."""
        nvcc = sum(r["nvcc"][time] for r in timed)
        return timed and round(
            100 * sum(r[kind][time] for r in timed) / nvcc, 1)

    def median_percent(kind):
        return timed and round(100 * statistics.median(
            r[kind]["cpu"] / r["nvcc"]["cpu"] for r in timed), 1)

    passed = [r for r in results if not r["parsed"]]
    parsed = [r for r in results if r["parsed"]]
    hits = [r for r in parsed if "warm" in r]
    ms = lambda rows, kind: round(1000 * statistics.median(
        r[kind]["cpu"] for r in rows), 1) if rows else None
    return {
        "sources": len(results),
        "failures": [r["source"] for r in results if r["code"]],
        "fell_back": [r["source"] for r in results if r["fell_back"]],
        "rewritten_sources": sum(r["rewritten"] for r in results),
        "rewritten_arrays": sum(r.get("arrays", 0) for r in results),
        "smaller_kernels": sum(r.get("smaller_kernels", 0) for r in results),
        "timed_sources": len(timed),
        "nvcc_cpu_s": round(sum(r["nvcc"]["cpu"] for r in timed), 1),
        "cold_percent": percent("cold"),
        "cold_median_percent": median_percent("cold"),
        "cold_wall_percent": percent("cold", "wall"),
        "warm_percent": percent("warm"),
        "parsed_sources": len(parsed),
        "cold_cpu_ms": ms(parsed, "cold"),
        "hit_cpu_ms": ms(hits, "warm"),
        "no_candidate_cpu_ms": ms(passed, "cold"),
    }


def summarize_plugin(results):
    ratios = [r["with_plugin"] / r["clang"] for r in results]
    return {
        "samples": len({os.path.dirname(r["source"]) for r in results}),
        "compiled_by_clang": len(results),
        "compiled_with_plugin": sum(not r["code"] for r in results),
        "failures": [r for r in results if r["code"]],
        "fell_back": [r["source"] for r in results if r["fell_back"]],
        "changed": sum(r["changed"] for r in results),
        "other_text_than_tool": [r["source"] for r in results
                                 if not r["is_text_of_tool"]],
        "clang_cpu_s": round(sum(r["clang"] for r in results), 1),
        "percent": ratios and round(
            100 * (sum(r["with_plugin"] for r in results)
                   / sum(r["clang"] for r in results) - 1), 1),
        "median_percent": ratios and round(
            100 * (statistics.median(ratios) - 1), 1),
        "sources": results,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--cuda-opt", default="build/bin/cuda-opt")
    parser.add_argument("--nvcc", default=shutil.which("nvcc"))
    parser.add_argument("--samples", type=int, default=1000,
                        help="stop behind so many samples that nvcc compiles; "
                        "0: only build, with those that come first")
    parser.add_argument("--only-rewritten", action="store_true",
                        help="have nvcc compile only what changes; the rest "
                        "reaches it as it is")
    parser.add_argument("--skip", type=int, default=0,
                        help="begin behind so many samples")
    parser.add_argument("--builds", type=int, default=6,
                        help="samples to build with CMake; 0: none")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--clang", default="clang++")
    parser.add_argument("--plugin", help="CudaOptPlugin.so: try clang, too")
    parser.add_argument("--plugin-samples", type=int, default=1000,
                        help="stop behind so many samples that clang compiles")
    parser.add_argument("--minutes", type=float, default=1e6,
                        help="measure no new source behind so many")
    parser.add_argument("--json", help="file for the results; a run goes on "
                        "behind those that are there")
    options = parser.parse_args()
    samples = find_samples(pathlib.Path(options.folder).resolve())
    # Those with shared arrays first.
    samples = dict(sorted(samples.items(),
                          key=lambda s: not mentions_shared(s[0])))
    samples = dict(list(samples.items())[options.skip:])
    kept = pathlib.Path(options.json) if options.json else None
    report = {"machine": f"{platform.processor() or platform.machine()}, "
                         f"{os.cpu_count()} cores",
              "command": " ".join(sys.argv), "sources": []}
    if kept and kept.exists():
        report = json.loads(kept.read_text())

    def keep(results):
        report["sources"] = results
        report["samples"] = len({os.path.dirname(r["source"]) for r in results})
        report["summary"] = summarize(results)
        if kept:
            kept.write_text(json.dumps(report, indent=1))

    with tempfile.TemporaryDirectory() as scratch:
        benchmark = Benchmark(options, pathlib.Path(scratch))
        results = benchmark.sources(samples, report["sources"], keep)
        keep(results)
        compiled = {r["source"] for r in results}
        root = pathlib.Path(options.folder).resolve()
        usable = {f: s for f, s in samples.items()
                  if not compiled or all(str(x.relative_to(root)) in compiled
                                         for x in s)}
        if options.builds:
            chosen = dict(list(usable.items())[:options.builds])
            report["builds"] = benchmark.builds(chosen)
        if options.plugin:
            known = report.get("plugin", {}).get("sources", [])

            def keep_plugin(found):
                report["plugin"] = summarize_plugin(found)
                keep(results)

            keep_plugin(benchmark.plugin(usable, known, keep_plugin))
    keep(results)
    print(json.dumps({k: v for k, v in report.items() if k != "sources"},
                     indent=1))
    return 1 if report["summary"]["failures"] else 0


if __name__ == "__main__":
    sys.exit(main())
