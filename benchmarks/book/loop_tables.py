# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables of loops with indirect accesses, made from a book."""

from book.markdown import geometric_mean, number, percent, table
from book.table_maker import TableMaker


class LoopTables(TableMaker):
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
        return table(["one core, ms", "once", "the plan", "a sweep with it"], [[
            self.cell("loops", case, variant, "time_ms") or "not measured"
            for variant in ("one core", "once", "plan", "planned")]], left=0)

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
        times = self.solve_times()

        def row(what, ratios):
            if len(ratios) < len(times):
                return [what, "not measured", ""]
            least = min(ratios, key=ratios.get)
            return [what, f"{geometric_mean(ratios.values()):.2f}",
                    f"{ratios[least]:.2f} (`{least.split(': ')[1]}`)"]

        speeds = {case: self.speeds(case) for case in times}

        def all_of(name):
            return {case: mine[name] for case, mine in speeds.items() if name in mine}

        return table(["data on the device", "geometric mean", "least"], [
            row("one solve with all that it needs, by an inner call, against analysis"
                " + solve", all_of("once")),
            row("the same by the public call", all_of("public")),
            row("a solve with a plan, against a solve", all_of("again")),
            row("the analysis against the plan", all_of("plan")),
            row("a solve with a plan, against the best of the peers", self.peers()),
            row("one core against one solve with all that it needs",
                all_of("core / once")),
            row("one core against a solve with a plan", all_of("core / again")),
            row("the bound against a solve with a plan", all_of("bound")),
        ])

    def solves_in_words(self):
        """One row of the README."""
        speeds = [self.speeds(case) for case in self.solve_times()]

        def mean(name):
            found = [mine[name] for mine in speeds if name in mine]
            return geometric_mean(found) if len(found) == len(speeds) else None

        public, plan, bound = mean("public"), mean("plan"), mean("bound")
        return (f"cuSPARSE needs {mean('once'):.2f} times as long with its analysis"
                + (f" (by the public call {public:.2f})" if public else
                   " (by an inner call)")
                + f"; {mean('again'):.2f} times without, once there is a plan"
                + (f", which takes {1 / plan:.2f} of its analysis" if plan else "")
                + (f" ({percent(bound)} of the bound)" if bound else "")
                + f"; one core {mean('core / once'):.1f} and {mean('core / again'):.1f}"
                " times")

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
        return [(mine["once"], mine["again"])
                for mine in map(self.speeds, self.solve_times())]

    def speeds(self, case):
        """Returns how many times as long others take as we, by what is compared; what
        was not measured is not there."""
        analysis, solve, once, again = self.solve_times()[case]
        core, plan, public = (self.value("loops", case, variant, "time_ms") for variant in
                              ("one core", "plan", "once, public call"))
        bound = self.bound(case)
        return {
            "once": (analysis + solve) / once,
            "again": solve / again,
            **({"public": (analysis + solve) / public} if public else {}),
            **({"plan": analysis / plan} if plan else {}),
            **({"core / once": core / once, "core / again": core / again} if core else {}),
            **({"bound": bound / again} if bound else {}),
        }

    def bound(self, case):
        return self.value("patterns", case.split(": ")[1], "matrix", "bound_ms", True)

    def triangular(self):
        peers = self.peers()
        rows = []
        for case, (analysis, solve, once, again) in self.solve_times().items():
            name = case.split(": ")[1]
            bound, mine = self.bound(case), self.speeds(case)
            core, plan, public = (
                self.cell("loops", case, variant, "time_ms")
                for variant in ("one core", "plan", "once, public call"))
            rows.append([
                name, self.cell("loops", case, "matrix", "rows"),
                self.cell("patterns", name, "matrix", "terms"),
                self.cell("loops", case, "matrix", "levels"), core, number(analysis),
                number(solve), number(once), public, plan, number(again), number(bound),
                f"{mine['once']:.2f}", f"{mine['again']:.2f}",
                f"{peers[case]:.2f}" if case in peers else "",
                percent(bound / again) if bound else ""])
        header = ["matrix", "rows", "terms", "levels", "one core, ms",
                  "cuSPARSE analysis", "solve", "ours once", "by the public call", "plan",
                  "with a plan", "bound", "once", "again", "best peer / ours",
                  "of the bound"]
        # Columns of what no older run has would be empty; the summary names them.
        full = [k for k in range(len(header)) if any(row[k] for row in rows)]
        return table([header[k] for k in full],
                     [[row[k] for k in full] for row in rows])
