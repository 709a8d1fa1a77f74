// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What each strategy takes for loops of many shapes, and which one the model
/// chooses: for one run and for a hundred, and whether data on the host go to
/// the device. Argument: iterations.
///
///   nvcc -arch=native -O3 -std=c++17 -Xcompiler -fno-strict-aliasing
///     -I runtime/include -I test/Runtime benchmarks/levelize/choices.cu
//===----------------------------------------------------------------------===//

#include "cudaopt/levelize.hpp"
#include "random_loop.hpp"
#include "record.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

using namespace cudaopt;
using namespace cudaopt::test;
using bench::record;

namespace {

struct measured {
  float once_ms = -1; ///< With inspection. Below 0: does not apply.
  float execute_ms = 0;
  strategy chosen = strategy::automatic;

  bool applies() const { return once_ms >= 0; }
  float of_runs(int runs) const {
    return (once_ms + float(runs - 1) * execute_ms) / float(runs);
  }
};

double now_ms() {
  return std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}
/// The median time of \p call, in ms.
template <class Call> float time_of(Call call) {
  double times[5];
  for (double &t : times) {
    const double begin = now_ms();
    call();
    t = now_ms() - begin;
  }
  std::sort(times, times + 5);
  return float(times[2]);
}

template <class Loop>
measured measure(const problem<Loop> &p, void *memory, const options &wanted) {
  measured result;
  const Loop loop = p.at(memory);
  cudaMemcpy(memory, p.image.data(), p.bytes(), cudaMemcpyHostToDevice);
  plan made;
  status s = inspect(made, loop, p.iterations, wanted); // Warms the pool.
  auto execute_now = [&] {
    if (s == status::ok)
      s = execute(made, loop);
    if (s == status::ok)
      s = check(made);
  };
  execute_now();
  const float once_ms = time_of([&] {
    if (s == status::ok)
      s = inspect(made, loop, p.iterations, wanted);
    execute_now();
  });
  result.execute_ms = time_of(execute_now);
  result.chosen = made.info().chosen;
  if (s == status::ok)
    result.once_ms = once_ms;
  return result;
}

/// How many choices were good.
struct verdicts {
  int cases = 0, near_best[2] = {}, not_slower = 0;
};

/// Data on the host: where compare() leaves the loop, and what that takes with
/// the comparison and all copies.
template <class Loop>
void compare_on_host(const problem<Loop> &p, void *memory, verdicts &found) {
  std::uint64_t *image = nullptr;
  if (cudaMallocHost(&image, p.bytes()) != cudaSuccess)
    return;
  std::copy(p.image.begin(), p.image.end(), image);
  const Loop here = p.at(image), there = p.at(memory);
  const float in_order = time_of([&] { run_in_order(here, p.iterations); });
  bool is_there = false;
  plan made;
  const float chosen = time_of([&] {
    is_there =
        compare(here, p.iterations, p.bytes(), p.bytes()).prefers_device();
    if (!is_there)
      return run_in_order(here, p.iterations);
    cudaMemcpyAsync(memory, image, p.bytes(), cudaMemcpyHostToDevice);
    options wanted;
    wanted.where = backend::gpu;
    (void)inspect(made, there, p.iterations, wanted);
    (void)execute(made, there);
    cudaMemcpyAsync(image, memory, p.bytes(), cudaMemcpyDeviceToHost);
    (void)check(made);
  });
  std::printf("  host data: in order %.3f ms, chosen %s %.3f ms: %.2f\n",
              double(in_order), is_there ? name_of(made.info().chosen) : "host",
              double(chosen), double(chosen / in_order));
  found.not_slower += chosen <= 1.1f * in_order;
  cudaFreeHost(image);
}

template <class Loop>
void compare_all(const char *name, const problem<Loop> &p, bool is_deep,
                 verdicts &found) {
  void *memory = nullptr;
  if (cudaMalloc(&memory, p.bytes()) != cudaSuccess)
    return;
  measured all[num_strategies];
  std::printf("%s, %lld iterations:\n", name,
              static_cast<long long>(p.iterations));
  for (int s = 2; s < num_strategies; ++s) {
    if (is_deep && (strategy(s) == strategy::paper_levels ||
                    strategy(s) == strategy::reserve ||
                    strategy(s) == strategy::levels_graph))
      continue;
    options wanted;
    wanted.force = strategy(s);
    wanted.where = backend::gpu;
    all[s] = measure(p, memory, wanted);
    if (all[s].applies())
      std::printf("  %-18s once %9.3f, again %9.3f ms\n", name_of(strategy(s)),
                  double(all[s].once_ms), double(all[s].execute_ms));
  }
  ++found.cases;
  for (int runs : {1, 100}) {
    options wanted;
    wanted.where = backend::gpu;
    wanted.expected_runs = runs;
    const measured automatic = measure(p, memory, wanted);
    int best = 0;
    for (int s = 2; s < num_strategies; ++s)
      if (all[s].applies() &&
          (!best || all[s].of_runs(runs) < all[best].of_runs(runs)))
        best = s;
    const float ratio = automatic.of_runs(runs) / all[best].of_runs(runs);
    found.near_best[runs > 1] += ratio <= 1.25f;
    std::printf("  %3d runs: %s %.3f ms each, best %s %.3f: %.2f\n", runs,
                name_of(automatic.chosen), double(automatic.of_runs(runs)),
                name_of(strategy(best)), double(all[best].of_runs(runs)),
                double(ratio));
    const std::string which = std::string(name) + ", " + std::to_string(runs) +
                              (runs == 1 ? " run" : " runs");
    record(which.c_str(), "chosen", "each_ms", automatic.of_runs(runs));
    record(which.c_str(), "best", "each_ms", all[best].of_runs(runs));
  }
  compare_on_host(p, memory, found);
  std::fflush(stdout);
  cudaFree(memory);
}

} // namespace

int main(int argc, char **argv) {
  const index_t n = argc > 1 ? std::atoll(argv[1]) : 1'000'000;
  random_engine random(1);
  verdicts found;
  for (family f : {family::mixed, family::arrays, family::reads_many,
                   family::updates, family::writes, family::independent,
                   family::chains, family::owned, family::overlapping})
    compare_all(name_of(f), make_table_problem(random, f, n, 2 * n), false,
                found);
  for (family f : {family::hot, family::near}) // Deep.
    compare_all(name_of(f), make_table_problem(random, f, n / 50 + 1, n), true,
                found);
  compare_all("mixed, few elements",
              make_table_problem(random, family::mixed, n, n / 50 + 1), false,
              found);
  std::printf("%d loops: within 1.25 of the best %d for one run, %d for 100; "
              "%d within 1.1 of the host's loop\n",
              found.cases, found.near_best[0], found.near_best[1],
              found.not_slower);
  return 0;
}
