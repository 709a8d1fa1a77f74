# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables of the page, made from a book."""

from book.markdown import geometric_mean, number, percent, table
from book.loop_tables import LoopTables
from book.published import BYTES, MICROSECONDS, PRODUCT


class Tables(LoopTables):
    """Each public method returns the Markdown of one table."""

    def all_speedups(self, suite, cases):
        """Returns how many times as fast rewritten kernels are, as text."""
        speeds = [1 / self.value(suite, case, "rewritten", "ratio") for case in cases]
        return (f"{min(speeds):.2f}x to {max(speeds):.2f}x, geometric mean"
                f" **{geometric_mean(speeds):.2f}x**")

    def summary(self):
        """The README's."""
        banks = self.book.cases("banks")
        largest = {case.split()[0]: case for case in self.reuse_cases()}
        loop = "paper: randAcc"
        once, core, port = (self.value("loops", loop, variant, "time_ms")
                            for variant in ("renaming", "one core", "paper_levels"))
        plan = self.cell("loops", loop, "renaming", "inspection_ms")
        solves = self.solve_times()
        run = "240 h down to 11"
        gpu, host = (self.value("cells", run, variant, "time_ms")
                     for variant in ("one GPU", "one core"))
        tool = [f.value for f in self.book.of("tool")
                if (f.variant, f.metric) == ("cuda-opt", "ratio")]
        return table(["what", "how fast"], [
            [f"`bank-layout`, {len(banks)} kernels from transposes to LU",
             f"{self.all_speedups('banks', banks)}; {self.at_bound(banks)} of them at the"
             " least wavefronts that a layout can have"],
            [f"`shared-reuse`, {len(largest)} kernels at their largest size",
             self.all_speedups("reuse", largest.values())],
            ["`levelize`, `A[w[i]] = f(A[r[i]])`, 2^26 iterations, data resident",
             f"**{core / once:.0f}x** one core, {port / once:.1f}x the published algorithm"
             f" ({number(once)} ms, {plan} ms of them for the plan)"],
            [f"its runtime, triangular solves of {len(solves)} matrices, data resident",
             self.solves_in_words()],
            ["`examples/cell-proliferation`, 240 hours, without copies",
             f"**{host / gpu:.0f}x** one core ({number(gpu)} ms)"],
            ["cost: cuda-opt beside `nvcc -c`, three files, two CPU cores",
             f"{min(tool):.2f} to {max(tool):.2f} of nvcc's time"],
        ], left=2)

    # Layouts.

    def at_bound(self, cases):
        """Returns how many kernels have, rewritten, the wavefronts of the bound."""
        def wavefronts(case, variant):
            return self.value("banks", case, variant, "wavefronts", True)

        return sum(wavefronts(case, "rewritten") == wavefronts(case, "bound")
                   for case in cases)

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
                predicted = self.value("banks", case, variant, "wavefronts", True)
                rows.append([
                    case, variant, number(predicted),
                    number(counted) if counted else "not counted",
                    percent(predicted / counted - 1) if counted else "",
                    *(self.cell("banks", case, variant, metric) for metric in
                      ("instructions", "registers", "shared_bytes")),
                    *(self.busy("banks", case, variant, metric) for metric in
                      ("warps_percent", "lsu_percent", "dram_percent")),
                ])
        return table(["kernel", "variant", "wavefronts, predicted", "counted", "off by",
                      "instructions", "registers", "bytes", "warps", "shared pipe",
                      "DRAM"], rows, left=2)

    def busy(self, *key):
        """Returns the percent of a unit, nothing where they were not counted."""
        cell = self.cell(*key)
        return cell and cell + " %"

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

    # Rows of global memory.

    def rows(self):
        rows = []
        for case in self.book.cases("rows"):
            ratio = self.value("rows", case, "rewritten", "ratio")
            rows.append([case, self.cell("rows", case, "original", "time_ms"),
                         self.cell("rows", case, "rewritten", "time_ms"),
                         f"{1 / ratio:.3f}" if ratio else ""])
        return table(["kernel, columns", "original, ms", "rewritten, ms",
                      "original / rewritten"], rows)

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
                 self.cell("tool", case, "cuda-opt", "ratio"),
                 self.cell("tool", case, "first with its flags", "ratio")
                 or "not measured"]
                for case in self.book.cases("tool")]
        return table(["file", "cuda-opt, s", "nvcc -c, s", "ratio",
                      "the first with its flags"], rows)

    def machine(self):
        rows = [[f.case, f.variant, number(f.value)] for f in self.book.of("machine")]
        return table(["program", "", "a second"], rows, left=2)

    def inputs(self, *suites):
        """What the figures are about; all suites if none is named."""
        rows = {}
        for suite in suites or self.book.runs:
            if not self.book.inputs.get(suite):
                rows[suite] = [f"`{suite}`", "not recorded", "", "", ""]
            for found in self.book.inputs.get(suite, {}).values():
                for one in found:
                    row = self.input_row(suite, one)
                    rows[tuple(row)] = row
        return table(["suite", "input", "made by", "bytes", "SHA-256"], rows.values(),
                     left=3)

    @staticmethod
    def input_row(suite, one):
        digest = one.get("sha256", "")[:16]
        generator, size = one.get("generator", ""), one.get("bytes", "")
        if "seed" in one:
            generator += f", seed {one['seed']}"
        if one.get("is_source"):
            arguments = one.get("arguments")
            return [f"`{suite}`", f"`{arguments}`" if arguments else "made in memory",
                    f"`{generator}`" + (f" ({digest})" if digest else ""), "", ""]
        return [f"`{suite}`", f"`{one['file']}`", generator and f"`{generator}`", size,
                digest]

    def command(self, suite):
        """What printed the figures of a suite."""
        return f"```sh\n{self.book.runs[suite]['command']}\n```"

    def runs(self):
        rows = []
        for suite, run in self.book.runs.items():
            m = run["machine"]
            gpu = "" if m["gpu"] == "none" else f"{m['gpu']}, driver {m['driver']}; "
            rows.append([f"`{suite}`", f"`{run['command']}`", f"{run['seconds']:.0f}",
                         run["date"], run["revision"], f"{gpu}{m['cores']} cores, {m['cpu']}"])
        return table(["suite", "command", "seconds", "date", "revision", "machine"], rows,
                     left=6)
