// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Sparse lower triangular solves and a Gauss-Seidel sweep: one CPU core,
/// cuSPARSE, published synchronisation-free solves, and the runtime's dataflow
/// over rows, in the loop's order and by levels. Results of the runtime are
/// compared bit for bit with the CPU's.
///
///   nvcc -arch=sm_90 -O3 -std=c++17 -Xcompiler -mfma -I runtime/include
///   triangular.cu -lcusparse -o triangular
///   triangular [-t] [-p] [NAME or FILE.mtx]...
///
/// NAMEs are of matrices::suite(), all by default; -t tries tunings, -p runs
/// the peers.
//===----------------------------------------------------------------------===//

#include "cusparse_solve.hpp"
#include "matrix_market.hpp"
#include "peers.hpp"
#include "record.hpp"
#include "row_bound.hpp"
#include "row_system.hpp"

#include "cudaopt/levelize/detail/strategies/owner.hpp"
#include "cudaopt/levelize/run.hpp"

#include <cmath>
#include <cstring>
#include <future>

using namespace cudaopt;
using cudaopt::bench::record;
using owner = detail::on_device<strategy::owner>;

namespace {

/// One inspection for \p runs executions.
template <class Loop>
std::unique_ptr<detail::plan_state> inspect(const Loop &loop, index_t rows,
                                            int runs) {
  options o;
  o.expected_runs = runs;
  o.stall_ms = 3000;
  plan_info info;
  detail::scratch memory(o, nullptr);
  const detail::location_map map = detail::map_locations(loop.arrays());
  detail::inspection in{rows, map, o, memory, info};
  std::unique_ptr<detail::plan_state> result;
  const status s = owner::inspect(in, loop, result);
  if (s != status::ok) {
    std::printf("inspection: %s\n", name_of(s));
    std::exit(1);
  }
  return result;
}

template <class Loop>
void execute(detail::plan_state &state, const Loop &loop, index_t rows) {
  REQUIRE(owner::execute(static_cast<owner::state &>(state), loop, rows,
                         nullptr) == status::ok);
}

bool is_same(const system_of_rows &s, const on_gpu &g) {
  const std::vector<double> x = g.x.to_host();
  return std::memcmp(x.data(), s.x.data(), x.size() * sizeof(double)) == 0;
}

/// What the runtime needs, in ms.
struct own_times {
  double one_shot = 0, in_order = 0, plan = 0, by_level = 0;
  double public_call = 0; ///< One solve by what programs call, its choice too.
  bool is_right = true, has_levels = false;
};

/// Inspects, chooses and executes, as programs do.
template <class Loop> void call_once(const Loop &loop, index_t rows) {
  plan p;
  REQUIRE(cudaopt::run(p, loop, rows) == status::ok);
  REQUIRE(check(p) == status::ok);
}

template <class Loop> own_times run_owner(const system_of_rows &s, on_gpu &g) {
  const index_t n = s.p.rows;
  const Loop loop = g.loop<Loop>(n);
  own_times t;
  t.one_shot = median_ms(
      [&] {
        auto state = inspect(loop, n, 1);
        execute(*state, loop, n);
      },
      5);
  for (int runs : {1, 100}) {
    std::unique_ptr<detail::plan_state> state;
    const double plan = median_ms([&] { state = inspect(loop, n, runs); }, 3);
    g.reset(n);
    execute(*state, loop, n);
    t.is_right &= is_same(s, g);
    (runs == 1 ? t.in_order : t.by_level) =
        median_ms([&] { execute(*state, loop, n); });
    if (runs > 1) {
      t.plan = plan;
      t.has_levels = static_cast<owner::state &>(*state).uses_levels;
    }
  }
  g.reset(n);
  call_once(loop, n);
  t.is_right &= is_same(s, g);
  t.public_call = median_ms([&] { call_once(loop, n); }, 5);
  return t;
}

/// Times of tunings, as SLOTS/BLOCKS.
template <class Loop> void tune(const system_of_rows &s, on_gpu &g) {
  const index_t n = s.p.rows;
  const Loop loop = g.loop<Loop>(n);
  for (int runs : {1, 5}) {
    auto state = inspect(loop, n, runs);
    auto &st = static_cast<owner::state &>(*state);
    const unsigned usual = owner::tuning_for(st).slots;
    std::printf("  %s:", st.uses_levels ? "levels" : "order");
    for (unsigned slots : {usual, usual + usual / 2, 2 * usual})
      for (int part : {1, 2, 4}) {
        detail::row_tuning tuning{slots};
        if (slots > 32 || (!st.uses_levels && (slots & (slots - 1))) ||
            owner::fit<Loop>(st, tuning) != cudaSuccess)
          continue;
        tuning.blocks = st.engine.blocks / part;
        if (owner::fit<Loop>(st, tuning) != cudaSuccess)
          continue;
        std::printf(" %u/%d:%.3f", slots, st.engine.blocks,
                    median_ms([&] { execute(*state, loop, n); }, 3));
      }
    std::printf("\n");
  }
}

struct peer_times {
  double liu = 0, capellini = 0, nan_cached = 0;
};

peer_times run_peers(const system_of_rows &s, on_gpu &g) {
  const std::int64_t n = s.p.rows;
  std::vector<index_t> ptr(n + 1);
  std::vector<int> row(s.p.col.size()), waits(n);
  std::vector<double> a(s.p.col.size());
  for (int j : s.p.col)
    ++ptr[j + 1];
  for (std::int64_t j = 0; j < n; ++j)
    ptr[j + 1] += ptr[j];
  std::vector<index_t> at(ptr.begin(), ptr.end() - 1);
  for (std::int64_t i = 0; i < n; ++i) {
    waits[i] = int(s.p.ptr[i + 1] - s.p.ptr[i]) - 1;
    for (index_t k = s.p.ptr[i]; k < s.p.ptr[i + 1]; ++k) {
      row[at[s.p.col[k]]] = int(i);
      a[at[s.p.col[k]]++] = s.a[k];
    }
  }
  const device_array<index_t> by_column(ptr);
  const device_array<int> rows(row), lacks(waits), left(waits);
  const device_array<double> values(a), sums(n);
  const device_array<std::uint32_t> flags(n);
  const device_array<unsigned long long> next(1);
  const peers::rows columns{
      n,          by_column.data(), rows.data(), values.data(),
      g.b.data(), g.x.data(),       next.data()};
  const peers::rows by_row{n,          g.ptr.data(), g.col.data(), g.a.data(),
                           g.b.data(), g.x.data(),   next.data()};
  int processors = 1;
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
  const unsigned blocks = unsigned(processors) * 8;
  peer_times t;
  t.liu = median_ms(
      [&] {
        next.fill(0);
        sums.fill(0);
        cudaMemcpyAsync(left.data(), lacks.data(), n * sizeof(int),
                        cudaMemcpyDeviceToDevice);
        peers::liu<0><<<blocks, 256>>>(columns, left.data(), sums.data());
      },
      3);
  t.capellini = median_ms(
      [&] {
        next.fill(0);
        flags.fill(0);
        peers::capellini<0><<<blocks, 256>>>(by_row, flags.data());
      },
      3);
  t.nan_cached = median_ms(
      [&] {
        next.fill(0);
        g.x.fill(0xff);
        peers::nan_cached<0><<<blocks, 256>>>(by_row);
      },
      3);
  return t;
}

/// The geometric mean and the least of ratios.
struct ratios {
  double logarithms = 0, least = 1e9;
  int count = 0;
  std::string at;

  void add(double ratio, const std::string &name) {
    logarithms += std::log(ratio);
    ++count;
    if (ratio < least) {
      least = ratio;
      at = name;
    }
  }
  void print(const char *what) const {
    if (count)
      std::printf("%s: geometric mean of %d %.2fx, least %.2fx (%s)\n", what,
                  count, std::exp(logarithms / count), least, at.c_str());
  }
};

struct summary {
  ratios one_shot, public_call, alone, peers, bound;
  int wrong = 0;
};

void report(const std::string &name, const matrices::pattern &p, bool tunes,
            bool with_peers, summary &all) {
  system_of_rows s(name, p, false);
  s.run_on_cpu<row_loops::solve>();
  on_gpu g(s);
  const own_times own = run_owner<row_loops::solve>(s, g);
  const vendor_times vendor = run_cusparse(s, g);
  const double n = double(s.p.rows), nnz = double(s.p.terms());
  const double bound =
      matrices::bound_ms(s.p, s.levels, matrices::longest_chain(s.p));
  const double alone = std::min(own.in_order, own.by_level);
  std::printf("%-20s %9.0f %9.0f %7lld | cpu %8.3f | cus %8.3f + %8.3f | "
              "once %8.3f (%5.1fx) public %8.3f order %8.3f plan %8.3f level "
              "%8.3f (%5.2fx) %3.0f%%%s%s",
              s.name.c_str(), n, nnz, (long long)s.levels, s.cpu_ms,
              vendor.analysis_ms, vendor.solve_ms, own.one_shot,
              (vendor.analysis_ms + vendor.solve_ms) / own.one_shot,
              own.public_call, own.in_order, own.plan, own.by_level,
              vendor.solve_ms / alone, 100 * bound / alone,
              own.has_levels ? "" : " (in order)",
              own.is_right ? "" : " WRONG");
  const char *at = s.name.c_str();
  record(at, "matrix", "rows", n);
  record(at, "matrix", "levels", double(s.levels));
  record(at, "one core", "time_ms", s.cpu_ms);
  record(at, "cuSPARSE analysis", "time_ms", vendor.analysis_ms);
  record(at, "cuSPARSE solve", "time_ms", vendor.solve_ms);
  record(at, "once", "time_ms", own.one_shot);
  record(at, "once, public call", "time_ms", own.public_call);
  record(at, "plan", "time_ms", own.plan);
  record(at, "planned", "time_ms", alone);
  record(at, "planned", "right", own.is_right);
  if (with_peers) {
    const peer_times t = run_peers(s, g);
    record(at, "Liu", "time_ms", t.liu);
    record(at, "Capellini", "time_ms", t.capellini);
    record(at, "NaN-cached", "time_ms", t.nan_cached);
    const double best = std::min({t.liu, t.capellini, t.nan_cached});
    std::printf(" | liu %.3f capellini %.3f nan %.3f (%.2fx)", t.liu,
                t.capellini, t.nan_cached, best / alone);
    all.peers.add(best / alone, name);
  }
  std::printf("\n");
  if (tunes)
    tune<row_loops::solve>(s, g);
  std::fflush(stdout);
  all.wrong += !own.is_right;
  all.one_shot.add((vendor.analysis_ms + vendor.solve_ms) / own.one_shot, name);
  all.public_call.add((vendor.analysis_ms + vendor.solve_ms) / own.public_call,
                      name);
  all.alone.add(vendor.solve_ms / alone, name);
  all.bound.add(bound / alone, name);
}

void report_sweep(int size, bool tunes) {
  system_of_rows s("sweep", matrices::box(size, size, size), true);
  s.run_on_cpu<row_loops::sweep>();
  on_gpu g(s);
  const own_times own = run_owner<row_loops::sweep>(s, g);
  std::printf("27-point Gauss-Seidel sweep %d^3, %lld levels: cpu %.3f once "
              "%.3f public %.3f order %.3f plan %.3f level %.3f%s\n",
              size, (long long)s.levels, s.cpu_ms, own.one_shot,
              own.public_call, own.in_order, own.plan, own.by_level,
              own.is_right ? "" : " WRONG");
  record("Gauss-Seidel sweep", "one core", "time_ms", s.cpu_ms);
  record("Gauss-Seidel sweep", "once", "time_ms", own.one_shot);
  record("Gauss-Seidel sweep", "once, public call", "time_ms", own.public_call);
  record("Gauss-Seidel sweep", "plan", "time_ms", own.plan);
  record("Gauss-Seidel sweep", "planned", "time_ms",
         std::min(own.in_order, own.by_level));
  record("Gauss-Seidel sweep", "planned", "right", own.is_right);
  if (tunes)
    tune<row_loops::sweep>(s, g);
}

} // namespace

int main(int argc, char **argv) {
  bool tunes = false, with_peers = false;
  std::vector<std::string> names;
  for (int i = 1; i < argc; ++i)
    if (!std::strcmp(argv[i], "-t"))
      tunes = true;
    else if (!std::strcmp(argv[i], "-p"))
      with_peers = true;
    else
      names.push_back(argv[i]);
  std::vector<matrices::named> chosen;
  for (const matrices::named &m : matrices::suite())
    if (names.empty() || std::count(names.begin(), names.end(), m.name))
      chosen.push_back(m);
  for (const std::string &name : names)
    if (name.find('.') != std::string::npos)
      chosen.push_back(
          {name, [name] { return lower(matrices::read_matrix_market(name)); }});
  std::vector<std::future<matrices::pattern>> made;
  for (const matrices::named &m : chosen)
    made.push_back(std::async(std::launch::async, m.make));
  cudaMemPool_t pool;
  std::uint64_t keep = ~0ull;
  REQUIRE(cudaDeviceGetDefaultMemPool(&pool, 0) == cudaSuccess);
  REQUIRE(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold,
                                  &keep) == cudaSuccess);
  summary all;
  if (names.empty() || std::count(names.begin(), names.end(), "sweep"))
    report_sweep(104, tunes);
  for (std::size_t m = 0; m < chosen.size(); ++m)
    report(chosen[m].name, made[m].get(), tunes, with_peers, all);
  all.one_shot.print("one solve with all it needs, against cuSPARSE");
  all.public_call.print("the same by the public call");
  all.alone.print("a solve with a plan, against cuSPARSE");
  all.peers.print("a solve with a plan, against the best peer");
  all.bound.print("a solve with a plan, of the bound");
  std::printf("%d wrong\n", all.wrong);
  return all.wrong != 0;
}
