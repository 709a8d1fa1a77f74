# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The pictures of the page, made from a book: PNG for the page, SVG beside it."""

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

from book.tables import Tables  # noqa: E402

# Colours that remain apart for colour-blind readers (Okabe and Ito).
BLUE, ORANGE, GREEN, GREY = "#0072b2", "#e69f00", "#009e73", "#999999"
BLACK, RED = "#000000", "#d55e00"


def short(case):
    return case.split(": ")[-1]


class Plots:
    """Each public method but draw makes one picture."""

    def __init__(self, book, folder):
        self.book = book
        self.folder = folder

    def draw(self, name):
        """Makes and saves the picture of this name."""
        plt.rcParams.update({"font.size": 9, "axes.spines.top": False,
                             "axes.spines.right": False, "svg.hashsalt": "book"})
        getattr(self, name)()
        plt.tight_layout()
        plt.savefig(self.folder / f"{name}.png", dpi=110, metadata={"Software": None})
        plt.savefig(self.folder / f"{name}.svg", metadata={"Date": None})
        plt.close()

    def values(self, suite, cases, variant, metric):
        found = (self.book.find(suite, case, variant, metric) for case in cases)
        return [figure.value if figure else float("nan") for figure in found]

    def bars(self, labels, series, ylabel):
        """Draws groups of bars; series has (label, values, colour)."""
        width = 0.8 / len(series)
        for index, (label, values, colour) in enumerate(series):
            places = [i + (index - (len(series) - 1) / 2) * width
                      for i in range(len(labels))]
            plt.bar(places, values, width, label=label, color=colour)
        plt.xticks(range(len(labels)), labels, rotation=35, ha="right")
        plt.ylabel(ylabel)
        plt.legend(frameon=False, ncols=len(series), loc="lower left",
                   bbox_to_anchor=(0, 1))

    # Layouts.

    def banks_times(self):
        cases = self.book.cases("banks")
        plt.figure(figsize=(8, 3.6))
        colours = {"rewritten": BLUE, "padded": ORANGE, "swizzled": GREEN, "published": RED}
        series = [(variant, self.values("banks", cases, variant, "ratio"), colour)
                  for variant, colour in colours.items()]
        self.bars(cases, series, "time, share of the original's")
        plt.axhline(1, color=GREY, linewidth=0.8)

    def banks_wavefronts(self):
        plt.figure(figsize=(4.4, 4))
        for variant, colour in (("original", ORANGE), ("rewritten", BLUE)):
            pairs = []
            for case in self.book.cases("banks"):
                counted = self.book.find("banks", case, variant, "wavefronts")
                promised = self.book.find("banks", case, variant, "wavefronts", True)
                if counted and promised:
                    pairs.append((promised.value, counted.value))
            if pairs:
                plt.scatter(*zip(*pairs), label=variant, color=colour, s=18)
        plt.axline((1e6, 1e6), (1e8, 1e8), color=GREY, linewidth=0.8)
        plt.xscale("log")
        plt.yscale("log")
        plt.xlabel("wavefronts of a launch, predicted")
        plt.ylabel("counted")
        plt.legend(frameon=False)

    def banks_energy(self):
        cases = [case for case in self.book.cases("banks")
                 if self.book.find("banks", case, "original", "joules")]
        plt.figure(figsize=(8, 3.2))
        original = self.values("banks", cases, "original", "joules")
        series = []
        for variant, colour in (("rewritten", BLUE), ("published", RED)):
            values = self.values("banks", cases, variant, "joules")
            series.append((variant, [a / b for a, b in zip(values, original)], colour))
        self.bars(cases, series, "energy, share of the original's")
        plt.axhline(1, color=GREY, linewidth=0.8)

    # Arrays that share bytes.

    def reuse(self):
        plt.figure(figsize=(6, 3.4))
        kernels = {}
        for case in self.book.cases("reuse"):
            kernel, size = case.rsplit(" ", 1)
            ratio = self.book.find("reuse", case, "rewritten", "ratio")
            kernels.setdefault(kernel, []).append((int(size), 1 / ratio.value))
        for kernel, pairs in kernels.items():
            plt.plot(*zip(*pairs), marker="o", markersize=3, label=kernel)
        plt.xscale("log", base=2)
        plt.axhline(1, color=GREY, linewidth=0.8)
        plt.xlabel("size")
        plt.ylabel("original's time / rewritten's")
        plt.legend(frameon=False)

    # Loops.

    def paper(self):
        cases = self.book.cases("loops", "paper: ")
        plt.figure(figsize=(8, 3.6))

        def speeds(variant):
            core = self.values("loops", cases, "one core", "time_ms")
            times = self.values("loops", cases, variant, "time_ms")
            return [a / b for a, b in zip(core, times)]

        published = []
        for case in cases:
            core = self.book.find("loops", case, "one core", "time_ms")
            both = self.book.find("loops", case, "paper_levels", "time_ms")
            published.append(core.published / both.published if both else float("nan"))
        ours = [max((x for x in pair if x == x), default=float("nan"))
                for pair in zip(speeds("doall proven"), speeds("renaming"))]
        self.bars([short(case) for case in cases],
                  [("printed in 2013", published, GREY),
                   ("its algorithms here", speeds("paper_levels"), ORANGE),
                   ("ours", ours, BLUE)], "one core's time / time on the device")
        plt.yscale("log")
        plt.axhline(1, color=GREY, linewidth=0.8)

    def auxiliary(self):
        cases = self.book.cases("loops", "paper: ")
        plt.figure(figsize=(6, 3.4))
        for case in cases:
            times = [self.book.find("loops", case, f"paper_levels, 1/{part} with transfers",
                                    "time_ms") for part in (1, 2, 4, 8)]
            if all(times):
                plt.plot(range(4), [t.value / times[0].value for t in times], marker="o",
                         markersize=3, label=short(case))
        plt.xticks(range(4), ["1", "1/2", "1/4", "1/8"])
        plt.xlabel("size of the auxiliary array")
        plt.ylabel("time, share of the time with 1")
        plt.legend(frameon=False)

    def triangular(self):
        plt.figure(figsize=(7, 3.4))
        once, again = zip(*Tables(self.book).speeds_over_cusparse())
        for values, label, colour in ((once, "analysis + solve", ORANGE),
                                      (again, "solve alone", BLUE)):
            plt.plot(range(1, len(values) + 1), sorted(values), marker="o", markersize=3,
                     label=label, color=colour)
        plt.yscale("log")
        plt.axhline(1, color=GREY, linewidth=0.8)
        plt.xlabel("matrices, in the order of each curve")
        plt.ylabel("cuSPARSE's time / ours")
        plt.legend(frameon=False)

    # The application.

    def hours(self):
        figure, (times, speeds) = plt.subplots(1, 2, figsize=(8, 3.2))
        for least, style in (("11", "-"), ("8.7", "--")):
            ending = f" h down to {least}"
            cases = [c for c in self.book.cases("cells") if c.endswith(ending)]
            hours = [float(case.removesuffix(ending)) for case in cases]
            core, gpu = (self.values("cells", cases, variant, "time_ms")
                         for variant in ("one core", "one GPU"))
            for values, machine, colour in ((core, "one core", ORANGE),
                                            (gpu, "one GPU", BLUE)):
                times.plot(hours, values, style, marker="o", markersize=3, color=colour,
                           label=f"{machine}, down to {least}")
            speeds.plot(hours, [a / b for a, b in zip(core, gpu)], style, marker="o",
                        markersize=3, color=BLACK, label=f"down to {least}")
        times.set_yscale("log")
        times.set_ylabel("ms")
        speeds.set_ylabel("one core's time / GPU's")
        speeds.set_ylim(bottom=0)
        for axes in (times, speeds):
            axes.set_xlabel("hours")
            axes.legend(frameon=False, fontsize=7)

    def steps(self):
        self.by_hours("time_ms", "ms, from the roots to the histogram")

    def steps_memory(self):
        self.by_hours("memory_mb", "MB on the device")

    def by_hours(self, metric, ylabel):
        plt.figure(figsize=(6.4, 3.8))
        cases = self.book.cases("cells", "steps ")
        lines = {}
        for case in cases:
            hours = float(case.split()[1])
            for variant in self.book.variants("cells", case):
                figure = self.book.find("cells", case, variant, metric)
                if figure:
                    lines.setdefault(variant, []).append((hours, figure.value))
        for variant, pairs in lines.items():
            is_ours = variant == "this program"
            plt.plot(*zip(*pairs), marker="o", markersize=3, label=variant,
                     color=BLACK if is_ours else None, linewidth=2 if is_ours else 1)
        plt.yscale("log")
        plt.xlabel("hours")
        plt.ylabel(ylabel)
        plt.legend(frameon=False, fontsize=7, bbox_to_anchor=(1, 1), loc="upper left")
