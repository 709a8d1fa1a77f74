// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What each strategy takes for loops of many shapes, and which one the model
/// chooses: for one run and for a hundred. Argument: iterations.
///
///   nvcc -arch=native -O3 -std=c++17 -Xcompiler -fno-strict-aliasing
///     -I runtime/include -I test/Runtime benchmarks/levelize/choices.cu
//===----------------------------------------------------------------------===//

#include "cudaopt/levelize.hpp"
#include "random_loop.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

using namespace cudaopt;
using namespace cudaopt::test;

namespace {

struct measured {
  float inspect_ms = -1, execute_ms = -1; ///< Below 0: does not apply.
  strategy chosen = strategy::automatic;
  float of_runs(int runs) const {
    return inspect_ms / float(runs) + execute_ms;
  }
};

template <class Loop>
measured measure(const problem<Loop> &p, void *memory, const options &wanted) {
  measured result;
  const Loop loop = p.at(memory);
  cudaMemcpy(memory, p.image.data(), p.bytes(), cudaMemcpyHostToDevice);
  plan made;
  for (int k = 0; k < 2; ++k) // The first one warms the pool.
    if (inspect(made, loop, p.iterations, wanted) != status::ok)
      return result;
  result.inspect_ms = made.info().inspect_ms;
  result.chosen = made.info().chosen;
  std::vector<float> times;
  for (int k = 0; k < 3; ++k) {
    cudaDeviceSynchronize();
    const auto begin = std::chrono::steady_clock::now();
    if (execute(made, loop) != status::ok || check(made) != status::ok)
      return measured();
    times.push_back(std::chrono::duration<float, std::milli>(
                        std::chrono::steady_clock::now() - begin)
                        .count());
  }
  std::sort(times.begin(), times.end());
  result.execute_ms = times[1];
  return result;
}

template <class Loop>
void compare_all(const char *name, const problem<Loop> &p, bool is_deep) {
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
    if (all[s].execute_ms >= 0)
      std::printf("  %-18s %9.3f + %9.3f ms\n", name_of(strategy(s)),
                  double(all[s].inspect_ms), double(all[s].execute_ms));
  }
  for (int runs : {1, 100}) {
    options wanted;
    wanted.where = backend::gpu;
    wanted.expected_runs = runs;
    const measured automatic = measure(p, memory, wanted);
    int best = 0;
    for (int s = 2; s < num_strategies; ++s)
      if (all[s].execute_ms >= 0 &&
          (!best || all[s].of_runs(runs) < all[best].of_runs(runs)))
        best = s;
    std::printf("  %3d runs: %s %.3f ms each, best %s %.3f\n", runs,
                name_of(automatic.chosen), double(automatic.of_runs(runs)),
                name_of(strategy(best)), double(all[best].of_runs(runs)));
  }
  std::fflush(stdout);
  cudaFree(memory);
}

} // namespace

int main(int argc, char **argv) {
  const index_t n = argc > 1 ? std::atoll(argv[1]) : 1'000'000;
  random_engine random(1);
  for (family f :
       {family::mixed, family::arrays, family::reads_many, family::hot,
        family::near, family::updates, family::writes, family::independent,
        family::chains, family::owned, family::overlapping})
    compare_all(name_of(f), make_table_problem(random, f, n, 2 * n),
                f == family::hot || f == family::near);
  compare_all("mixed, few elements",
              make_table_problem(random, family::mixed, n, n / 50), false);
  return 0;
}
