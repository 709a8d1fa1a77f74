// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Measures one benchmark and prints its rows of the paper's tables.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_BENCHMARKS_LEVELIZE_PAPER_ROWS_HPP
#define CUDAOPT_BENCHMARKS_LEVELIZE_PAPER_ROWS_HPP

#include "paper_figures.hpp"
#include "paper_plain.hpp"
#include "program_runs.hpp"
#include "record.hpp"

#include <string>

namespace cudaopt::bench {

inline options paper_mode(double auxiliary, bool pipelined) {
  options o;
  o.paper = {auxiliary, true, pipelined};
  return o;
}

/// A benchmark whose data are in \p data; `bytes_in` and `bytes_out` go to the
/// device and back where the data live on the host.
template <class... Loops> class benchmark {
public:
  benchmark(const paper_figures &figures, image &data,
            const program<Loops...> &on_host, std::size_t bytes_in,
            std::size_t bytes_out)
      : Figures(figures), Data(data), Host(on_host),
        Device(on_host.at(data.to_device())) {
    Data.fix();
    CpuMs = time_of([&] { run_on_cpu(); });
    Data.fix_reference();
    TransferMs = Data.transfer_ms(bytes_in, bytes_out);
    std::printf("\n%s: one CPU core %.1f ms (paper %.0f), transfers %.1f ms "
                "(paper %.0f)\n",
                Figures.name, CpuMs, 1e3 * Figures.cpu, TransferMs,
                1e3 * Figures.transfers);
    record(Figures.name, "one core", "time_ms", CpuMs, 1e3 * Figures.cpu);
    record(Figures.name, "transfers", "time_ms", TransferMs,
           1e3 * Figures.transfers);
  }

  double cpu_ms() const { return CpuMs; }

  /// Tables 2, 3 and 5: the paper's algorithm.
  void print_port() {
    Port = run_paper(Device, paper_mode(1, true));
    const run_result off = run_paper(Device, paper_mode(1, false));
    std::printf("  table 2   %-28s levels %3d (%d), DC+Exec %9.3f ms (%.0f), "
                "with transfers %9.1f (%.0f), speedup %6.2f (%.2f)\n",
                "the paper's algorithm", int(Port.levels), Figures.levels,
                Port.total_ms, 1e3 * Figures.both, Port.total_ms + TransferMs,
                1e3 * Figures.total, CpuMs / (Port.total_ms + TransferMs),
                Figures.cpu / Figures.total);
    std::printf("  table 3   DC %9.3f ms (%.0f), Exec+Mem %9.1f (%.0f), DC/CPU "
                "%.3f (%.2f)\n",
                off.inspect_ms, 1e3 * Figures.inspection,
                off.total_ms - off.inspect_ms + TransferMs, 1e3 * Figures.rest,
                off.inspect_ms / CpuMs, Figures.inspection / Figures.cpu);
    record_port("paper_levels", "levels", Port.levels, Figures.levels);
    record_port("paper_levels", "time_ms", Port.total_ms, 1e3 * Figures.both);
    record_port("paper_levels with transfers", "time_ms",
                Port.total_ms + TransferMs, 1e3 * Figures.total);
    record_port("paper_levels, dependences", "time_ms", off.inspect_ms,
                1e3 * Figures.inspection);
    record_port("paper_levels with transfers, no pipelining", "time_ms",
                off.total_ms + TransferMs, 1e3 * Figures.pipeline_off);
    if (Figures.pipeline_off > 0)
      std::printf("  table 5   pipelining off %9.3f ms, with transfers %.1f "
                  "(%.0f); on %9.3f, %.1f (%.0f)\n",
                  off.total_ms, off.total_ms + TransferMs,
                  1e3 * Figures.pipeline_off, Port.total_ms,
                  Port.total_ms + TransferMs, 1e3 * Figures.pipeline_on);
  }

  /// Table 6.
  void print_auxiliary() {
    const double sizes[4] = {1, 0.5, 0.25, 0.125};
    std::printf("  table 6  ");
    for (int k = 0; k < 4; ++k) {
      const run_result r =
          run_paper(Device, paper_mode(sizes[k], true), false, 1);
      std::printf(" aux %g: levels %d (%d), %.3f ms, %.1f (%.0f);", sizes[k],
                  int(r.levels), Figures.levels_of[k], r.total_ms,
                  r.total_ms + TransferMs, 1e3 * Figures.totals[k]);
      const std::string name = auxiliary_name("paper_levels", sizes[k]);
      record_port(name.c_str(), "levels", r.levels, Figures.levels_of[k]);
      record_port((name + " with transfers").c_str(), "time_ms",
                  r.total_ms + TransferMs, 1e3 * Figures.totals[k]);
    }
    std::printf("\n");
  }

  /// Table 4.
  void print_reuse(int repeats) {
    program<Loops...> longer = Device;
    longer.repeats = repeats;
    const double sizes[4] = {1, 0.5, 0.25, 0.125};
    std::printf("  table 4  ");
    for (int k = 0; k < 4; ++k) {
      const options o = paper_mode(sizes[k], true);
      const double off = run_paper(longer, o, false, 1).total_ms;
      const double on = run_paper(longer, o, true, 1).total_ms;
      std::printf(" aux %g: off %.1f ms (%.0f), on %.1f (%.0f);", sizes[k], off,
                  1e3 * reuse_figures[k][0], on, 1e3 * reuse_figures[k][1]);
      const std::string name = auxiliary_name("paper_levels x 50", sizes[k]);
      record_port(name.c_str(), "time_ms", off, 1e3 * reuse_figures[k][0]);
      record_port((name + ", reuse").c_str(), "time_ms", on,
                  1e3 * reuse_figures[k][1]);
    }
    std::printf("\n");
  }

  /// The plain kernel, and the same loop with a proof.
  void print_proof() {
    const auto sure = Device.with_proof();
    const double plain = kernel_ms([&] {
      Device.for_each(
          [](const auto &s) { launch_plain(s.loop, s.iterations); });
    });
    Data.restore();
    detail::on_device<strategy::doall>::state state;
    auto execute = [&] {
      sure.for_each([&](const auto &s) {
        (void)detail::on_device<strategy::doall>::execute(
            state, s.loop, s.iterations, nullptr);
      });
    };
    const double ours = kernel_ms(execute);
    std::printf("  plain kernel %.4f ms, doall proven %.4f ms: %.3f of plain\n",
                plain, ours, ours / plain);
    record(Figures.name, "plain kernel", "time_ms", plain);
    record(Figures.name, "doall proven, kernel", "time_ms", ours);
    print_ours<strategy::doall>("doall proven", sure);
  }

  /// One of our strategies.
  template <strategy S> void print_ours(const char *name) {
    print_ours<S>(name, Device);
  }

private:
  /// The paper's algorithm runs all of its programs, and gives their results;
  /// there are none to compare with for another number of repeats.
  run_result run_paper(const program<Loops...> &p, const options &wanted,
                       bool reuse = false, int runs = 3) {
    const run_result r =
        run_by<strategy::paper_levels>(p, Data, wanted, reuse, runs);
    REQUIRE(r.answer == status::ok);
    REQUIRE(r.is_right || p.repeats != Host.repeats);
    return r;
  }

  template <strategy S, class Program>
  void print_ours(const char *name, const Program &p) {
    const run_result r = run_by<S>(p, Data, {}, false, 5);
    REQUIRE(r.answer == status::unsupported ||
            (r.answer == status::ok && r.is_right));
    if (r.answer != status::ok) {
      std::printf("  %-28s %s after %.3f ms\n", name, name_of(r.answer),
                  r.total_ms);
      return;
    }
    std::printf("  %-28s inspect %8.3f ms, total %9.3f ms: %7.2fx CPU, "
                "%6.2fx the paper's algorithm; with transfers %6.2fx CPU\n",
                name, r.inspect_ms, r.total_ms, CpuMs / r.total_ms,
                Port.total_ms / r.total_ms, CpuMs / (r.total_ms + TransferMs));
    std::fflush(stdout);
    record(Figures.name, name, "time_ms", r.total_ms);
    record(Figures.name, name, "inspection_ms", r.inspect_ms);
    record(Figures.name, name, "right", r.is_right);
  }

  void record_port(const char *variant, const char *metric, double value,
                   double published) const {
    record(Figures.name, variant, metric, value, published);
  }
  static std::string auxiliary_name(const char *variant, double size) {
    return std::string(variant) + ", 1/" + std::to_string(int(1 / size));
  }

  void run_on_cpu() {
    direct_memory memory;
    for (int k = 0; k < Host.repeats; ++k)
      Host.for_each([&](const auto &s) {
        for (index_t i = 0; i < s.iterations; ++i)
          s.loop.body(i, memory);
      });
  }

  const paper_figures &Figures;
  image &Data;
  program<Loops...> Host, Device;
  double CpuMs = 0, TransferMs = 0;
  run_result Port;
};

} // namespace cudaopt::bench

#endif // CUDAOPT_BENCHMARKS_LEVELIZE_PAPER_ROWS_HPP
