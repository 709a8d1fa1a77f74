# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables of the page, made from a book."""

from book.markdown import geometric_mean, number, percent, table
from book.published import BYTES, MICROSECONDS, PRODUCT


class Tables:
    """Each public method returns the Markdown of one table."""

    def __init__(self, book):
        self.book = book

    def value(self, *key):
        figure = self.book.find(*key)
        return figure.value if figure else None

    def cell(self, *key):
        return number(self.value(*key))

    def share(self, *key):
        """Returns what a variant has of the original's, as text."""
        suite, case, variant, metric = key
        mine, original = self.value(*key), self.value(suite, case, "original", metric)
        return f"{mine / original:.3f}" if mine and original else ""

    def with_published(self, suite, case, variant, metric):
        figure = self.book.find(suite, case, variant, metric)
        if not figure:
            return ""
        published = figure.published
        return number(figure.value) + (f" ({number(published)})" if published else "")

    def all_shares(self, suite, cases):
        """Returns what rewriting leaves of the time, as text."""
        ratios = [self.value(suite, case, "rewritten", "ratio") for case in cases]
        return (f"{min(ratios):.2f} to {max(ratios):.2f} of the time, geometric mean"
                f" {geometric_mean(ratios):.2f}")

    def summary(self):
        """The README's."""
        banks = self.book.cases("banks")
        largest = {case.split()[0]: case for case in self.reuse_cases()}
        loop = "paper: randAcc"
        once, core, port = (self.cell("loops", loop, variant, "time_ms")
                            for variant in ("renaming", "one core", "paper_levels"))
        solves = self.speeds_over_cusparse()
        run = "240 h down to 11"
        tool = [f.value for f in self.book.of("tool") if f.metric == "ratio"]
        return table(["what", "measured"], [
            [f"`bank-layout`, {len(banks)} kernels from transposes to LU",
             self.all_shares("banks", banks)],
            [f"`shared-reuse`, {len(largest)} kernels at their largest size",
             self.all_shares("reuse", largest.values())],
            ["`levelize`, `A[w[i]] = f(A[r[i]])`, 2^26 iterations",
             f"{once} ms; one core {core} ms, the published algorithm {port} ms"],
            [f"its runtime, triangular solves of {len(solves)} matrices",
             "cuSPARSE needs {:.2f} times as long with its analysis, {:.2f} times"
             " without".format(*map(geometric_mean, zip(*solves)))],
            ["`examples/cell-proliferation`, 240 hours",
             f"{self.cell('cells', run, 'one GPU', 'time_ms')} ms; one core"
             f" {self.cell('cells', run, 'one core', 'time_ms')} ms"],
            ["cuda-opt beside `nvcc -c`, three files, two CPU cores",
             f"{min(tool):.2f} to {max(tool):.2f} of its time"],
        ], left=2)

    # Layouts.

    def layouts(self):
        """Counted wavefronts and times of bank-layout's own page."""
        rows = []
        for case in self.book.cases("banks"):
            counted = [self.cell("banks", case, variant, "wavefronts")
                       for variant in ("original", "rewritten")]
            ratios = [self.value("banks", case, variant, "ratio")
                      for variant in ("rewritten", "padded", "swizzled")]
            rows.append([case.replace("_", " "), *counted,
                         self.cell("banks", case, "original", "time_ms"),
                         *(f"{ratio:.3f}" if ratio else "" for ratio in ratios)])
        return table(["kernel", "wavefronts", "after", "ms", "after, share of it",
                      "pitch + 1", "CuTe"], rows)

    def banks_times(self):
        variants = ("rewritten", "padded", "swizzled", "published")
        rows = []
        for case in self.book.cases("banks"):
            row = [case, self.cell("banks", case, "original", "time_ms")]
            for variant in variants:
                figure = self.book.find("banks", case, variant, "ratio")
                row.append(f"{figure.value:.3f} ({figure.least:.3f}-{figure.greatest:.3f})"
                           if figure else "")
            equal = [f.value for f in self.book.of("banks")
                     if f.case == case and f.metric == "equal"]
            rows.append([*row, "yes" if all(equal) else "NO"])
        return table(["kernel", "original, ms", *variants, "same bits"], rows)

    def banks_wavefronts(self):
        rows = []
        for case in self.book.cases("banks"):
            for variant in ("original", "rewritten"):
                counted = self.value("banks", case, variant, "wavefronts")
                if counted is None:
                    continue
                predicted = self.value("banks", case, variant, "wavefronts", True)
                rows.append([
                    case, variant, number(predicted), number(counted),
                    percent(predicted / counted - 1),
                    self.cell("banks", case, variant, "instructions"),
                    self.cell("banks", case, variant, "registers"),
                    self.cell("banks", case, variant, "shared_bytes"),
                    self.cell("banks", case, variant, "warps_percent") + " %",
                    self.cell("banks", case, variant, "lsu_percent") + " %",
                    self.cell("banks", case, variant, "dram_percent") + " %",
                ])
        return table(["kernel", "variant", "wavefronts, predicted", "counted", "off by",
                      "instructions", "registers", "bytes", "warps", "shared pipe",
                      "DRAM"], rows, left=2)

    def banks_energy(self):
        rows = []
        for case in self.book.cases("banks"):
            original = self.value("banks", case, "original", "joules")
            for variant in self.book.variants("banks", case):
                joules = self.value("banks", case, variant, "joules")
                if original and joules:
                    rows.append([case, variant, number(1000 * joules),
                                 f"{joules / original:.3f}",
                                 self.cell("banks", case, variant, "watts")])
        return table(["kernel", "variant", "mJ a launch", "of the original's", "watts"],
                     rows, left=2)

    def product(self):
        """Document 000's comparison: its kernel as it was, with its layout, with ours."""
        def shares(variant):
            return [self.share("banks", "product", variant, metric) for metric in
                    ("instructions", "shared_bytes", "time_ms", "joules", "wavefronts")]

        before, after = PRODUCT["instructions"]
        bytes_before = 8 * 52 * 52
        printed = [after / before, 1 + PRODUCT["shared bytes more"] / bytes_before,
                   *(b / a for a, b in (PRODUCT["seconds"], PRODUCT["joules"])), None]
        rows = [["printed, Jetson TK1"] + [f"{x:.3f}" if x else "" for x in printed],
                ["its layout here", *shares("published")],
                ["cuda-opt", *shares("rewritten")]]
        return table(["share of the original's", "instructions", "shared bytes", "time",
                      "energy", "wavefronts"], rows)

    # Arrays that share bytes.

    def document_001_bytes(self):
        rows = []
        for (example, kernel), (before, after) in BYTES.items():
            def ours(variant, options):
                case = f"{example}, {options}: {kernel}"
                return number(self.value("predicted", case, variant, "shared_bytes", True))

            rows.append([example, before, after, ours("original", "--reuse=bytes"),
                         ours("rewritten", "--reuse=bytes"),
                         ours("rewritten", "--reuse=bytes --reorder")])
        return table(["", "printed, before", "after", "here, before", "after",
                      "with `--reorder`"], rows)

    def document_001_times(self):
        rows = []
        for kernel, sizes in MICROSECONDS.items():
            cases = self.book.cases("reuse", kernel + " ")
            for (size, (before, after)), case in zip(sizes.items(), cases):
                times = [self.value("reuse", case, variant, "time_ms")
                         for variant in ("original", "rewritten")]
                rows.append([kernel, size, before, after, percent(1 - after / before),
                             case.split()[1], *(number(1000 * t) for t in times),
                             percent(1 - times[1] / times[0])])
        return table(["", "size", "printed, us", "shared", "less", "size here", "us",
                      "shared", "less"], rows)

    def reuse_cases(self):
        """Those that are not document 001's."""
        return [case for case in self.book.cases("reuse")
                if case.split()[0] not in MICROSECONDS]

    def reuse(self):
        rows = []
        for case in self.reuse_cases():
            def pair(metric):
                return (self.cell("reuse", case, "original", metric) + " -> "
                        + self.cell("reuse", case, "rewritten", metric))

            def speed(variant):
                ratio = self.value("reuse", case, variant, "ratio")
                return f"{1 / ratio:.3f}" if ratio else ""

            rows.append([case, pair("shared_bytes"), pair("blocks_per_sm"),
                         pair("registers"), self.cell("reuse", case, "original", "time_ms"),
                         speed("rewritten"), speed("by_hand")])
        return table(["kernel, size", "bytes", "blocks/SM", "registers", "original, ms",
                      "original / rewritten", "/ by hand"], rows)

    # Loops.

    def loop_cases(self, program):
        return self.book.cases("loops", program + ": ")

    def paper_2(self):
        rows = []
        for case in self.loop_cases("paper"):
            def value(variant, metric="time_ms"):
                return self.with_published("loops", case, variant, metric)

            cpu = self.book.find("loops", case, "one core", "time_ms")
            total = self.book.find("loops", case, "paper_levels with transfers", "time_ms")
            speed = (f"{cpu.value / total.value:.2f} ({cpu.published / total.published:.2f})"
                     if cpu and total else "")
            rows.append([case.split(": ")[1], value("paper_levels", "levels"),
                         value("paper_levels"), value("transfers"),
                         value("paper_levels with transfers"), value("one core"), speed])
        return table(["", "levels", "DC + Exec, ms", "Mem", "Total", "one core", "speedup"],
                     rows)

    def paper_3(self):
        rows = []
        for case in self.loop_cases("paper"):
            cpu = self.book.find("loops", case, "one core", "time_ms")
            part = self.book.find("loops", case, "paper_levels, dependences", "time_ms")
            if not (cpu and part):
                continue
            rows.append([case.split(": ")[1],
                         self.with_published("loops", case, part.variant, "time_ms"),
                         self.with_published("loops", case, "one core", "time_ms"),
                         f"{part.value / cpu.value:.3f}"
                         f" ({part.published / cpu.published:.2f})"])
        return table(["", "DC, ms", "one core", "DC / core"], rows)

    def paper_5(self):
        rows = []
        for name in ("randAcc", "randAcc3"):
            variant = "paper_levels with transfers"
            rows.append([name] + [
                self.with_published("loops", f"paper: {name}", v, "time_ms")
                for v in (f"{variant}, no pipelining", variant)])
        return table(["", "pipelining off, ms", "on"], rows)

    def paper_6(self):
        rows = []
        for case in self.loop_cases("paper"):
            row = [case.split(": ")[1]]
            for part in (1, 2, 4, 8):
                name = f"paper_levels, 1/{part}"
                row.append(self.with_published("loops", case, name, "levels"))
                row.append(self.with_published("loops", case, f"{name} with transfers",
                                               "time_ms"))
            rows.append(row)
        sizes = ("1", "1/2", "1/4", "1/8")
        header = [""]
        for size in sizes:
            header += [f"levels, {size}", "ms"]
        return table(header, rows)

    def paper_4(self):
        rows = []
        for part in (1, 2, 4, 8):
            name = f"paper_levels x 50, 1/{part}"
            rows.append([f"1/{part}",
                         self.with_published("loops", "paper: fdtd-2d", name, "time_ms"),
                         self.with_published("loops", "paper: fdtd-2d", name + ", reuse",
                                             "time_ms")])
        return table(["auxiliary array", "reuse off, ms", "on"], rows)

    def ours(self):
        """The document's algorithm and ours, on the device."""
        rows = []
        for case in self.loop_cases("paper"):
            port = self.value("loops", case, "paper_levels", "time_ms")
            cpu = self.value("loops", case, "one core", "time_ms")
            best = None
            for variant in ("doall proven", "renaming", "tickets", "doall checked"):
                time = self.value("loops", case, variant, "time_ms")
                if time and (best is None or time < best[1]):
                    best = variant, time
            if port and best:
                rows.append([case.split(": ")[1], number(cpu), number(port), number(best[1]),
                             best[0], f"{port / best[1]:.2f}", f"{cpu / best[1]:.0f}"])
        return table(["", "one core, ms", "document's algorithm", "ours", "", "port / ours",
                      "core / ours"], rows)

    def loop_times(self, program):
        rows = []
        for case in self.loop_cases(program):
            for variant in self.book.variants("loops", case):
                mine = [f for f in self.book.of("loops")
                        if (f.case, f.variant) == (case, variant)]
                text = ", ".join(f"{f.metric} {number(f.value)}" for f in mine)
                rows.append([case.split(": ")[1], variant, text])
        return table(["loop", "variant", ""], rows, left=3)

    def random_accesses(self):
        rows = []
        for case in self.loop_cases("indirect"):
            for variant in self.book.variants("loops", case):
                inspection, again, once, scratch = (
                    self.value("loops", case, variant, metric) for metric in
                    ("inspection_ms", "again_ms", "once_ms", "scratch_bytes"))
                if once:
                    rows.append([case.split(": ")[1], f"`{variant}`", number(inspection),
                                 number(again), number(once), f"{scratch / 1e6:.0f}"])
        return table(["loop", "strategy", "inspection, ms", "again", "once", "scratch, MB"],
                     rows, left=2)

    def sweep(self):
        case = "triangular: Gauss-Seidel sweep"
        return table(["one core, ms", "once", "with a plan"], [[
            self.cell("loops", case, variant, "time_ms")
            for variant in ("one core", "once", "planned")]], left=0)

    def peers(self):
        """With a plan, against the best of the peers."""
        ratios = {}
        for case, times in self.solve_times().items():
            peers = [self.value("loops", case, peer, "time_ms")
                     for peer in ("Liu", "Capellini", "NaN-cached")]
            if any(peers):
                ratios[case] = min(filter(None, peers)) / times[3]
        return ratios

    def triangular_summary(self):
        once, again = zip(*self.speeds_over_cusparse())
        peers = self.peers()
        names = [case.split(": ")[1] for case in self.solve_times()]

        def row(what, values):
            least = min(values)
            return [what, f"{geometric_mean(values):.2f}",
                    f"{least:.2f} (`{names[list(values).index(least)]}`)"]

        return table(["", "geometric mean", "least"], [
            row("one solve with all that it needs, against analysis + solve", once),
            row("a solve with a plan, against a solve", again),
            row("a solve with a plan, against the best of the peers",
                list(peers.values()))])

    def solve_times(self):
        """Maps matrices to cuSPARSE's analysis and solve, and ours: once and with a plan."""
        times = {}
        for case in self.loop_cases("triangular"):
            mine = [self.value("loops", case, variant, "time_ms") for variant in
                    ("cuSPARSE analysis", "cuSPARSE solve", "once", "planned")]
            if None not in mine:
                times[case] = mine
        return times

    def speeds_over_cusparse(self):
        """Returns pairs: once, and with a plan."""
        return [((analysis + solve) / once, solve / again)
                for analysis, solve, once, again in self.solve_times().values()]

    def triangular(self):
        peers = self.peers()
        rows = []
        for (case, times), mine in zip(self.solve_times().items(),
                                       self.speeds_over_cusparse()):
            rows.append([case.split(": ")[1], self.cell("loops", case, "matrix", "rows"),
                         self.cell("loops", case, "matrix", "levels"),
                         *map(number, times), *(f"{x:.2f}" for x in mine),
                         f"{peers[case]:.2f}"])
        return table(["matrix", "rows", "levels", "cuSPARSE analysis, ms", "solve", "ours once",
                      "with a plan", "once", "again", "best peer / ours"], rows)

    # The application.

    def cells(self):
        rows = []
        for case in self.book.cases("cells"):
            if self.value("cells", case, "cuda-opt", "time_ms"):
                rows.append([case, self.cell("cells", case, "cuda-opt", "time_ms"),
                             self.cell("cells", case, "cuda-opt", "cells_per_s"),
                             self.cell("cells", case, "cuda-opt", "memory_mb")])
        return table(["", "ms", "cells/s", "MB"], rows)

    def hours(self):
        rows = []
        for case in self.book.cases("cells"):
            core, gpu = (self.value("cells", case, variant, "time_ms")
                         for variant in ("one core", "one GPU"))
            if core and gpu:
                rows.append([case, number(core), number(gpu), f"{core / gpu:.0f}"])
        return table(["experiment", "one core, ms", "one GPU, ms", "core / GPU"], rows)

    def fit(self):
        rows = []
        for case in self.book.cases("cells", "fit, "):
            for variant in self.book.variants("cells", case):
                rows.append([case.removeprefix("fit, "), variant,
                             self.cell("cells", case, variant, "hellinger"),
                             self.cell("cells", case, variant, "overlap")])
        return table(["experiment", "", "Hellinger distance", "overlap"], rows, left=2)

    def steps(self):
        cases = self.book.cases("cells", "steps ")
        variants = list(dict.fromkeys(
            v for case in cases for v in self.book.variants("cells", case)))
        rows = []
        for variant in variants:
            for metric in ("time_ms", "memory_mb"):
                rows.append([variant, metric.replace("_", ", ")] + [
                    self.cell("cells", case, variant, metric) for case in cases])
        header = ["", ""] + [case.removeprefix("steps ") for case in cases]
        return table(header, rows, left=2)

    def steps_at(self, hours):
        case = f"steps {hours} h"
        metrics = ("time_ms", "kernels_ms", "memory_mb", "launches", "refused", "lost")
        return table(["variant", "ms", "of kernels", "MB", "launches", "refused",
                      "cells lost"],
                     [[variant] + [self.cell("cells", case, variant, m) for m in metrics]
                      for variant in self.book.variants("cells", case)])

    # Without a GPU.

    def predicted(self):
        rows = []
        for case in self.book.cases("predicted"):
            if "--" in case:
                continue

            def value(variant, metric):
                figure = self.book.find("predicted", case, variant, metric, True)
                return number(figure.value) if figure else ""

            rows.append([case] + [value(v, "wavefronts")
                                  for v in ("original", "rewritten", "bound")]
                        + [value(v, m) for m in ("shared_bytes", "blocks_per_sm")
                           for v in ("original", "rewritten")])
        return table(["kernel", "wavefronts a block", "rewritten", "bound", "bytes",
                      "rewritten", "blocks/SM", "rewritten"], rows)

    def jobs(self):
        rows = []
        for case in self.book.cases("jobs"):
            rows.append([case] + [
                number(self.book.find("jobs", case, v, "wavefronts", True).value)
                for v in ("before", "after", "bound")])
        return table(["job", "wavefronts a block", "after", "bound"], rows)

    def tool(self):
        rows = [[case, self.cell("tool", case, "cuda-opt", "time_s"),
                 self.cell("tool", case, "nvcc -c", "time_s"),
                 self.cell("tool", case, "cuda-opt", "ratio")]
                for case in self.book.cases("tool")]
        return table(["file", "cuda-opt, s", "nvcc -c, s", "ratio"], rows)

    def machine(self):
        rows = [[f.case, f.variant, number(f.value)] for f in self.book.of("machine")]
        return table(["program", "", "a second"], rows, left=2)

    def runs(self):
        rows = []
        for suite, run in self.book.runs.items():
            m = run["machine"]
            gpu = "" if m["gpu"] == "none" else f"{m['gpu']}, driver {m['driver']}; "
            rows.append([f"`{suite}`", f"`{run['command']}`", f"{run['seconds']:.0f}",
                         run["date"], run["revision"], f"{gpu}{m['cores']} cores, {m['cpu']}"])
        return table(["suite", "command", "seconds", "date", "revision", "machine"], rows,
                     left=6)
