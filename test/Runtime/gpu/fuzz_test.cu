// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Random loops by every strategy of a device give the bits of the sequential
/// loop on the host. Arguments: number of small loops that run side by side, of
/// small ones alone, of large ones; threads. Needs a device; built by hand:
///
///   nvcc -arch=native -O2 -std=c++17 -Xcompiler -fno-strict-aliasing
///     -I runtime/include -I test/Runtime test/Runtime/gpu/fuzz_test.cu
//===----------------------------------------------------------------------===//

#include "cudaopt/levelize.hpp"
#include "level_cases.hpp"
#include "random_loop.hpp"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

using namespace cudaopt;
using namespace cudaopt::test;

namespace {

/// What all threads found.
struct tally {
  std::atomic<long> right[num_strategies] = {}, wrong[num_strategies] = {},
                    unsupported[num_strategies] = {};
  std::atomic<long> messages{0};

  long all_wrong() const {
    long sum = 0;
    for (const auto &w : wrong)
      sum += w;
    return sum;
  }
  bool may_print() { return ++messages <= 20; }
};

/// One thread's stream and memory.
class device_run {
public:
  explicit device_run(tally &t) : Tally(t) { cudaStreamCreate(&Stream); }
  ~device_run() {
    cudaFree(Memory);
    cudaStreamDestroy(Stream);
  }

  /// By a third of the strategies if the loop is small.
  template <class Loop>
  void check_all(const problem<Loop> &p, const char *name, std::uint64_t seed) {
    const auto expected = p.expected();
    reserve(p.bytes());
    if (p.iterations < large) {
      for (int s = 0; s < num_strategies; ++s)
        if ((seed + std::uint64_t(s)) % 3 == 0)
          check_one(p, expected, strategy(s), name, seed);
      return;
    }
    const auto begin = std::chrono::steady_clock::now();
    const index_t levels = levels_of(p);
    for (int s = 0; s < num_strategies; ++s)
      if (ends_in_time(strategy(s), levels))
        check_one(p, expected, strategy(s), name, seed);
    const std::chrono::duration<double> took =
        std::chrono::steady_clock::now() - begin;
    std::printf("%s: %lld iterations, %lld levels, %.1f s\n", name,
                static_cast<long long>(p.iterations),
                static_cast<long long>(levels), took.count());
  }

private:
  static constexpr index_t large = 1000;

  template <class Loop> static index_t levels_of(const problem<Loop> &p) {
    if constexpr (detail::is_self_indexing<Loop>::value) {
      return 1; // Its slices do not run apart from it.
    } else {
      auto image = p.image;
      return longest_path(p.at(image.data()), p.iterations);
    }
  }

  /// Of large loops: one thread is slow, and so is what looks at all iterations
  /// once a level, where levels are many.
  static bool ends_in_time(strategy s, index_t levels) {
    if (s == strategy::sequential)
      return false;
    return levels <= 3000 ||
           (s != strategy::levels_graph && s != strategy::paper_levels &&
            s != strategy::reserve);
  }

  void reserve(std::size_t bytes) {
    if (bytes <= Bytes)
      return;
    cudaFree(Memory);
    cudaMalloc(&Memory, 2 * bytes);
    Bytes = 2 * bytes;
  }

  template <class Loop>
  void check_one(const problem<Loop> &p,
                 const std::vector<std::uint64_t> &expected, strategy s,
                 const char *name, std::uint64_t seed) {
    std::vector<std::uint64_t> image(p.image.size());
    plan made;
    options wanted;
    wanted.force = s;
    wanted.where = backend::gpu;
    wanted.stall_ms = 3000;
    wanted.expected_runs = seed % 2 ? 1 : 100; // For automatic choices.
    const Loop loop = p.at(Memory);
    upload(p);
    status answer = inspect(made, loop, p.iterations, wanted, Stream);
    // Some strategies give up where others are far better.
    if (answer == status::unsupported || answer == status::not_profitable) {
      ++Tally.unsupported[int(s)];
      return;
    }
    // Twice: a plan serves for many executions.
    for (int run = 0; run < 2 && answer == status::ok; ++run) {
      if (run)
        upload(p);
      answer = execute(made, loop, Stream);
      if (answer == status::ok)
        answer = check(made);
      cudaMemcpyAsync(image.data(), Memory, p.bytes(), cudaMemcpyDeviceToHost,
                      Stream);
      cudaStreamSynchronize(Stream);
      if (answer == status::ok && image != expected) {
        report(p, s, name, seed, run ? "wrong at the second run" : "wrong");
        return;
      }
    }
    if (answer == status::ok)
      ++Tally.right[int(s)];
    else
      report(p, s, name, seed, name_of(answer));
  }

  template <class Loop> void upload(const problem<Loop> &p) {
    cudaMemcpyAsync(Memory, p.image.data(), p.bytes(), cudaMemcpyHostToDevice,
                    Stream);
  }

  template <class Loop>
  void report(const problem<Loop> &p, strategy s, const char *name,
              std::uint64_t seed, const char *what) {
    ++Tally.wrong[int(s)];
    if (Tally.may_print())
      std::printf("%s by %s: %s (%lld iterations, seed %llu, CUDA: %s)\n", name,
                  name_of(s), what, static_cast<long long>(p.iterations),
                  static_cast<unsigned long long>(seed),
                  cudaGetErrorString(cudaPeekAtLastError()));
  }

  tally &Tally;
  cudaStream_t Stream = nullptr;
  void *Memory = nullptr;
  std::size_t Bytes = 0;
};

/// Loop number \p seed.
void check_loop(device_run &device, std::uint64_t seed, index_t n, index_t m) {
  random_engine random(seed);
  const bool coin = random() & 1;
  const auto one = family(seed % num_families);
  switch (seed % (num_families + 5)) {
  case num_families:
    return device.check_all(
        make_update_problem<std::uint32_t, plus>(random, n, m), "words", seed);
  case num_families + 1:
    return device.check_all(make_update_problem<double, plus>(random, n, m),
                            "doubles", seed);
  case num_families + 2:
    return device.check_all(make_rows_problem<double>(random, n, coin),
                            "rows of doubles", seed);
  case num_families + 3:
    return device.check_all(make_rows_problem<std::uint64_t>(
                                random, n, coin, coin, coin ? 0 : index_t(40)),
                            "rows", seed);
  case num_families + 4:
    return device.check_all(make_self_indexing_problem(random, n, m),
                            "self-indexing", seed);
  default:
    return device.check_all(make_table_problem(random, one, n, m), name_of(one),
                            seed);
  }
}

/// Small loops side by side in one.
constexpr long loops_a_batch = 1000;

struct counts {
  long batches, small, large;
};

void check_some(tally &t, int thread, int threads, counts c) {
  device_run device(t);
  for (long k = thread; k < c.batches + c.small + c.large; k += threads) {
    random_engine random{std::uint64_t(k) * 77 + 5};
    if (k < c.batches) {
      const index_t n = loops_a_batch * block_iterations;
      device.check_all(make_table_problem(random, family::blocks, n, n),
                       "batch", std::uint64_t(k));
      continue;
    }
    const bool is_small = k < c.batches + c.small;
    const index_t n =
        is_small ? 1 + below(random, 300) : 100'000 + below(random, 900'000);
    // Many conflicts in small loops, few and many in large ones.
    const index_t m =
        is_small ? 1 + below(random, 600) : n / 16 + below(random, 2 * n);
    check_loop(device, std::uint64_t(k), n, m);
  }
}

} // namespace

int main(int argc, char **argv) {
  auto argument = [&](int k, long otherwise) {
    return argc > k ? std::atol(argv[k]) : otherwise;
  };
  const counts c{(argument(1, 100'000) + loops_a_batch - 1) / loops_a_batch,
                 argument(2, 4000), argument(3, 19)};
  const int threads = int(argument(4, 8));
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  const auto begin = std::chrono::steady_clock::now();
  tally t;
  std::vector<std::thread> all;
  for (int k = 0; k < threads; ++k)
    all.emplace_back(check_some, std::ref(t), k, threads, c);
  for (std::thread &one : all)
    one.join();
  for (int s = 0; s < num_strategies; ++s)
    std::printf("%-18s %7ld right %5ld wrong %7ld unsupported\n",
                name_of(strategy(s)), t.right[s].load(), t.wrong[s].load(),
                t.unsupported[s].load());
  const std::chrono::duration<double> took =
      std::chrono::steady_clock::now() - begin;
  std::printf("%ld loops side by side, %ld small and %ld large ones in %.1f s: "
              "%ld wrong, CUDA: %s\n",
              c.batches * loops_a_batch, c.small, c.large, took.count(),
              t.all_wrong(), cudaGetErrorString(cudaDeviceSynchronize()));
  return t.all_wrong() != 0;
}
