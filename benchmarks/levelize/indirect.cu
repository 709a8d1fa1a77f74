// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Loops of random accesses: randAcc `A[w[i]] = ..; B[i] = A[r[i]]` and
/// randAcc3, which reads A three times. Prints inspection and execution of each
/// strategy, all in device memory, medians of some runs, and whether the result
/// is that of the host's loop.
///
///   indirect [iterations [elements [runs [keep]]]]
///
/// One run: phases alone, for a profiler. keep 0: memory that plans free goes
/// back to the system at once.
///
///   nvcc -arch=sm_90 -O3 -std=c++17 -I runtime/include
///        benchmarks/levelize/indirect.cu
//===----------------------------------------------------------------------===//

#include "device_array.hpp"
#include "record.hpp"

#include "cudaopt/levelize/detail/strategies/levels.hpp"
#include "cudaopt/levelize/detail/strategies/renaming.hpp"

#include "cudaopt/levelize/memory_pools.hpp"
#include "cudaopt/levelize/run.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

using namespace cudaopt;
using cudaopt::bench::record;

namespace {

template <int Reads> struct random_accesses {
  static constexpr auto strategies =
      strategy_set(strategy::renaming, strategy::tickets,
                   strategy::levels_graph, strategy::levels_cooperative);
  array<float> A;
  float *B;
  const std::uint32_t *w, *r;
  index_t iterations;

  extents arrays() const { return extents_of(A); }
  template <class Touch>
  CUDAOPT_HOST_DEVICE void slice(index_t i, Touch &touch) const {
    touch.write(A, w[i]);
    for (int k = 0; k < Reads; ++k)
      touch.read(A, r[k * iterations + i]);
  }
  template <class Memory>
  CUDAOPT_HOST_DEVICE void body(index_t i, Memory &memory) const {
    memory.store(A, w[i], float(i & 1023) * 1.5f);
    float sum = 0;
    for (int k = 0; k < Reads; ++k)
      sum += memory.load(A, r[k * iterations + i]);
    B[i] = sum;
  }
};

/// What no order can be faster than: the same accesses without an order.
template <class Loop> __global__ void run_unordered(Loop loop, index_t n) {
  detail::relaxed_memory memory;
  for (index_t i = detail::grid_thread(); i < n; i += detail::grid_threads())
    loop.body(i, memory);
}

std::uint32_t below(std::uint64_t seed, std::uint32_t bound) {
  seed = (seed + 0x9e3779b97f4a7c15ull) * 0xbf58476d1ce4e5b9ull;
  seed = (seed ^ (seed >> 30)) * 0x94d049bb133111ebull;
  return std::uint32_t((seed ^ (seed >> 31)) % bound);
}

template <class T> T *on_device(const std::vector<T> &v) {
  T *p = nullptr;
  if (cudaMalloc(&p, v.size() * sizeof(T)) != cudaSuccess ||
      cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice) !=
          cudaSuccess)
    std::abort();
  return p;
}

/// Times of what happens between begin() and end().
class clock {
public:
  clock() {
    (void)cudaEventCreate(&First);
    (void)cudaEventCreate(&Last);
  }
  void begin() { (void)cudaEventRecord(First); }
  void end() {
    (void)cudaEventRecord(Last);
    (void)cudaEventSynchronize(Last);
    float ms = 0;
    (void)cudaEventElapsedTime(&ms, First, Last);
    Times.push_back(ms);
  }
  float median() {
    std::sort(Times.begin(), Times.end());
    return Times.empty() ? 0 : Times[Times.size() / 2];
  }

private:
  cudaEvent_t First, Last;
  std::vector<float> Times;
};

template <class Call> float time_of(int runs, Call call) {
  clock c;
  for (int k = 0; k < runs; ++k) {
    c.begin();
    call();
    c.end();
  }
  return c.median();
}

template <int Reads> class benchmark {
public:
  benchmark(index_t n, index_t m, int runs) : N(n), M(m), Runs(runs) {
    std::vector<std::uint32_t> w(n), r(n * Reads);
    for (index_t i = 0; i < n; ++i)
      w[i] = below(2 * i, std::uint32_t(m));
    for (index_t i = 0; i < n * Reads; ++i)
      r[i] = below(2 * i + 1, std::uint32_t(m));
    A.resize(m);
    for (index_t j = 0; j < m; ++j)
      A[j] = float(j & 4095) + 0.25f;
    std::vector<float> a = A, b(n);
    direct_memory memory;
    random_accesses<Reads> host{
        {a.data(), m, 0}, b.data(), w.data(), r.data(), n};
    for (index_t i = 0; i < n; ++i)
      host.body(i, memory);
    ExpectedA = std::move(a);
    ExpectedB = std::move(b);
    Loop = {{on_device(A), m, 0},
            on_device(ExpectedB),
            on_device(w),
            on_device(r),
            n};
  }
  ~benchmark() {
    (void)cudaFree(Loop.A.data);
    (void)cudaFree(Loop.B);
    (void)cudaFree(const_cast<std::uint32_t *>(Loop.w));
    (void)cudaFree(const_cast<std::uint32_t *>(Loop.r));
  }

  void run() {
    const float free_ms = time_of(Runs, [&] {
      run_unordered<<<detail::blocks_for(run_unordered<random_accesses<Reads>>,
                                         N),
                      detail::block_threads>>>(Loop, N);
    });
    std::printf("randAcc%d n=%lld m=%lld: unordered %.3f ms\n", Reads,
                (long long)N, (long long)M, free_ms);
    for (strategy s : {strategy::renaming, strategy::tickets,
                       strategy::levels_graph, strategy::levels_cooperative})
      run(s);
    for (index_t windows : {4, 16, 64})
      run(strategy::tickets, windows);
    phases();
  }

  void phases() {
    renaming_phases();
    renaming_kernels();
    ticket_phases();
  }

private:
  void restore() {
    (void)cudaMemcpy(Loop.A.data, A.data(), M * sizeof(float),
                     cudaMemcpyHostToDevice);
    (void)cudaMemset(Loop.B, 0, N * sizeof(float));
  }
  bool is_right() {
    std::vector<float> a(M), b(N);
    (void)cudaMemcpy(a.data(), Loop.A.data, M * sizeof(float),
                     cudaMemcpyDeviceToHost);
    (void)cudaMemcpy(b.data(), Loop.B, N * sizeof(float),
                     cudaMemcpyDeviceToHost);
    return std::memcmp(a.data(), ExpectedA.data(), M * sizeof(float)) == 0 &&
           std::memcmp(b.data(), ExpectedB.data(), N * sizeof(float)) == 0;
  }

  /// \p windows: the plan has memory for one window of so many at a time.
  void run(strategy by, index_t windows = 1) {
    options wanted;
    wanted.force = by;
    wanted.window = windows > 1 ? (N + windows - 1) / windows : 0;
    plan p;
    clock inspections, executions, totals;
    status s = status::ok;
    bool right = true;
    for (int k = 0; k < Runs && s == status::ok; ++k) {
      p.invalidate();
      inspections.begin();
      s = cudaopt::inspect(p, Loop, N, wanted);
      inspections.end();
    }
    for (int k = 0; k < Runs && s == status::ok; ++k) {
      restore();
      executions.begin();
      s = cudaopt::execute(p, Loop);
      executions.end();
      if (s == status::ok)
        s = cudaopt::check(p);
      if (k < 2)
        right &= is_right();
    }
    const std::size_t bytes = p.info().bytes;
    const long long levels = p.info().levels;
    for (int k = 0; k < Runs && s == status::ok; ++k) {
      restore();
      p.invalidate();
      totals.begin();
      s = cudaopt::inspect(p, Loop, N, wanted);
      if (s == status::ok)
        s = cudaopt::execute(p, Loop);
      totals.end();
    }
    const float inspect_ms = inspections.median();
    std::printf("  %-18s %-8s %-5s inspect %8.3f ms (%6.2f G accesses/s), "
                "execute %7.3f ms, one-shot %8.3f ms, %.0f MB, levels %lld, "
                "windows %lld\n",
                name_of(by), name_of(s), right ? "right" : "WRONG", inspect_ms,
                double(N) * (Reads + 1) / inspect_ms * 1e-6,
                executions.median(), totals.median(), double(bytes) * 1e-6,
                levels, (long long)windows);
    std::fflush(stdout);
    if (s != status::ok)
      return;
    REQUIRE(right);
    std::string way = name_of(by);
    if (windows > 1)
      way += " in " + std::to_string(windows) + " windows";
    const std::string name = "randAcc" + std::to_string(Reads);
    record(name.c_str(), way.c_str(), "inspection_ms", inspect_ms);
    record(name.c_str(), way.c_str(), "again_ms", executions.median());
    record(name.c_str(), way.c_str(), "once_ms", totals.median());
    record(name.c_str(), way.c_str(), "scratch_bytes", double(bytes));
    record(name.c_str(), way.c_str(), "right", right);
  }

  /// The kernels of an inspection one by one.
  void renaming_phases() {
    using number = std::uint32_t;
    options wanted;
    detail::scratch memory(wanted, nullptr);
    plan_info info;
    const detail::location_map map = detail::map_locations(Loop.arrays());
    detail::inspection work{N, map, wanted, memory, info};
    detail::renamed_loop<number> result;
    detail::bad_iteration bad;
    detail::buffer<number> locations, stores, sources;
    detail::buffer<detail::first_store<number>> first;
    if (bad.allocate(memory) != status::ok ||
        locations.allocate(memory, N) != status::ok ||
        stores.allocate(memory, N) != status::ok ||
        first.allocate(memory, M + 1) != status::ok ||
        sources.allocate(memory, N * Reads) != status::ok)
      return;
    std::printf("  renaming: count %.3f", time_of(Runs, [&] {
                  (void)detail::summarize_accesses(work, Loop,
                                                   result.list.summary);
                }));
    auto walk = [&](auto sink) {
      return time_of(Runs, [&] {
        (void)detail::walk_accesses(work, Loop, result.list, sink, bad.data());
      });
    };
    auto store = detail::store_sink<number>{locations.data(), stores.data()};
    std::printf(", stores %.3f", walk(store));
    clock sorts;
    for (int k = 0; k < Runs; ++k) {
      (void)detail::walk_accesses(
          work, Loop, result.list,
          detail::store_sink<number>{locations.data(), stores.data()},
          bad.data());
      sorts.begin();
      (void)detail::sort_pairs(memory, locations, stores, 0,
                               detail::bits_below(map.locations));
      sorts.end();
    }
    std::printf(", sort %.3f", sorts.median());
    std::printf(
        ", table %.3f", time_of(Runs, [&] {
          detail::find_first_stores<<<
              detail::blocks_for(detail::find_first_stores<number>, N + 1),
              detail::block_threads>>>(locations.data(), stores.data(), N,
                                       first.data(), map.locations);
        }));
    const detail::sorted_stores<number> sorted{locations.data(), stores.data(),
                                               first.data(), number(N)};
    std::printf(", sources %.3f ms\n", walk(detail::source_sink<number, false>{
                                           sorted, sources.data(), nullptr}));
  }

  /// The kernels of an execution one by one.
  void renaming_kernels() {
    using number = std::uint32_t;
    using cells_type = detail::narrow_cells;
    options wanted;
    wanted.force = strategy::renaming;
    plan p;
    if (cudaopt::inspect(p, Loop, N, wanted) != status::ok)
      return;
    auto &state = static_cast<detail::on_device<strategy::renaming>::state &>(
        *detail::contents_of(p).state);
    auto &renamed = state.narrow;
    const cells_type cells{state.small.data(), 0};
    const detail::renamed_arrays<number, cells_type> all{
        renamed.list.entries(), renamed.list.stores(), renamed.of_reads.data(),
        renamed.of_updates.data(), cells};
    auto time_run = [&](auto *kernel) {
      return time_of(Runs, [&] {
        state.control.begin(nullptr);
        kernel<<<detail::blocks_for(kernel, N), detail::block_threads>>>(
            Loop, N, all, state.control.control(), state.control.guard());
      });
    };
    using loop = random_accesses<Reads>;
    auto *iterate = detail::run_renamed<loop, number, cells_type>;
    (void)time_run(iterate);
    std::printf("  renaming: iterations %.3f", time_run(iterate));
    auto *finals = detail::write_final_stores<number, cells_type>;
    std::printf(", %lld final stores %.3f ms\n", (long long)renamed.finals,
                time_of(Runs, [&] {
                  finals<<<detail::blocks_for(finals, renamed.finals),
                           detail::block_threads>>>(renamed.final_stores.data(),
                                                    renamed.finals, cells,
                                                    Loop.arrays(), state.map);
                }));
  }

  void ticket_phases() {
    using number = std::uint32_t;
    options wanted;
    detail::scratch memory(wanted, nullptr);
    plan_info info;
    const detail::location_map map = detail::map_locations(Loop.arrays());
    detail::inspection work{N, map, wanted, memory, info};
    detail::ticket_table<number> table;
    (void)detail::summarize_accesses(work, Loop, table.list.summary);
    const index_t accesses = table.list.summary.accesses();
    if (table.tickets.allocate(memory, accesses) != status::ok)
      return;
    clock sorts, visits, scatters;
    for (int k = 0; k < Runs; ++k) {
      detail::access_order<number> order(work);
      sorts.begin();
      (void)order.sort(Loop, table.list);
      sorts.end();
      visits.begin();
      (void)order.visit(
          table.list, detail::ticket_visit<number>{table.tickets.data(), true});
      visits.end();
      scatters.begin();
      (void)order.by_entry(table.tickets);
      scatters.end();
    }
    std::printf("  tickets: walk and sort %.3f, visit %.3f, by entry %.3f ms\n",
                sorts.median(), visits.median(), scatters.median());
  }

  index_t N, M;
  int Runs;
  std::vector<float> A, ExpectedA, ExpectedB;
  random_accesses<Reads> Loop;
};

index_t argument(int argc, char **argv, int k, index_t otherwise) {
  return argc > k ? std::strtoll(argv[k], nullptr, 10) : otherwise;
}

} // namespace

int main(int argc, char **argv) {
  const index_t n = argument(argc, argv, 1, index_t(64) << 20);
  const index_t m = argument(argc, argv, 2, n);
  const int runs = int(argument(argc, argv, 3, 5));
  if (argument(argc, argv, 4, 1) == 0)
    (void)keep_memory(0);
  if (runs > 1) {
    benchmark<1>(n, m, runs).run();
    benchmark<3>(n / 2, m, runs).run();
  } else {
    benchmark<1>(n, m, runs).phases();
  }
  const cudaError_t e = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(e));
  return e != cudaSuccess;
}
