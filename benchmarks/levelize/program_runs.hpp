// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// A benchmark's data on host and device, and the time of its loops in each
/// way.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_BENCHMARKS_LEVELIZE_PROGRAM_RUNS_HPP
#define CUDAOPT_BENCHMARKS_LEVELIZE_PROGRAM_RUNS_HPP

#include "device_array.hpp"

#include "cudaopt/levelize/detail/inspect/numbers.hpp"
#include "cudaopt/levelize/detail/strategies/doall.hpp"
#include "cudaopt/levelize/detail/strategies/paper_levels.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <tuple>
#include <vector>

namespace cudaopt::bench {

template <class T> T *moved(T *p, std::ptrdiff_t by) {
  return reinterpret_cast<T *>(reinterpret_cast<std::intptr_t>(p) + by);
}

/// The same loop with its caller's proof.
template <class Loop> struct proven : Loop {
  static constexpr bool is_independent = true;
};

template <class Call> double time_of(Call call) {
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  const double begin = now_ms();
  call();
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  return now_ms() - begin;
}

inline std::uint64_t hash(std::uint64_t x) {
  x = (x + 0x9e3779b97f4a7c15ull) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 30)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

/// p[k] = value(k), by some threads.
template <class T, class Value> void fill(T *p, index_t size, Value value) {
  constexpr int number = 8;
  std::vector<std::thread> threads;
  for (int t = 0; t < number; ++t)
    threads.emplace_back([=] {
      for (index_t k = size * t / number; k < size * (t + 1) / number; ++k)
        p[k] = value(k);
    });
  for (std::thread &t : threads)
    t.join();
}

/// The median of \p runs.
template <class Call> double median_of(int runs, Call call) {
  std::vector<double> times;
  for (int k = 0; k < runs; ++k)
    times.push_back(time_of(call));
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

/// Of one of ten calls in a row, which must not wait.
template <class Call> double kernel_ms(Call call) {
  cudaEvent_t first, last;
  REQUIRE(cudaEventCreate(&first) == cudaSuccess);
  REQUIRE(cudaEventCreate(&last) == cudaSuccess);
  std::vector<float> times;
  for (int k = 0; k < 5; ++k) {
    REQUIRE(cudaEventRecord(first) == cudaSuccess);
    for (int c = 0; c < 10; ++c)
      call();
    REQUIRE(cudaEventRecord(last) == cudaSuccess);
    REQUIRE(cudaEventSynchronize(last) == cudaSuccess);
    float ms = 0;
    REQUIRE(cudaEventElapsedTime(&ms, first, last) == cudaSuccess);
    times.push_back(ms / 10);
  }
  REQUIRE(cudaEventDestroy(first) == cudaSuccess);
  REQUIRE(cudaEventDestroy(last) == cudaSuccess);
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

static __global__ void count_differences(const std::uint32_t *a,
                                         const std::uint32_t *b, index_t words,
                                         unsigned long long *result) {
  unsigned long long mine = 0;
  for (index_t k = index_t(blockIdx.x) * blockDim.x + threadIdx.x; k < words;
       k += index_t(gridDim.x) * blockDim.x)
    mine += a[k] != b[k];
  if (mine)
    atomicAdd(result, mine);
}

/// All arrays of a benchmark, in one piece of pinned memory.
class image {
public:
  explicit image(std::size_t bytes) : Capacity(bytes) {
    void *p = nullptr;
    REQUIRE(cudaMallocHost(&p, bytes) == cudaSuccess);
    Host = static_cast<char *>(p);
    for (char **d : {&Device, &Initial, &Reference}) {
      REQUIRE(cudaMalloc(&p, bytes) == cudaSuccess);
      *d = static_cast<char *>(p);
    }
    REQUIRE(cudaMalloc(reinterpret_cast<void **>(&Differences), 8) ==
            cudaSuccess);
  }
  ~image() {
    (void)cudaFreeHost(Host);
    for (void *p :
         {static_cast<void *>(Device), static_cast<void *>(Initial),
          static_cast<void *>(Reference), static_cast<void *>(Differences)})
      (void)cudaFree(p);
  }
  image(const image &) = delete;

  template <class T> T *add(index_t size) {
    char *p = Host + Used;
    Used = (Used + std::size_t(size) * sizeof(T) + 255) / 256 * 256;
    if (Used > Capacity)
      std::abort();
    return reinterpret_cast<T *>(p);
  }
  std::ptrdiff_t to_device() const { return Device - Host; }

  /// The host's data are what every run begins with.
  void fix() {
    REQUIRE(cudaMemcpy(Initial, Host, Used, cudaMemcpyHostToDevice) ==
            cudaSuccess);
  }
  /// The host's data are what every run must end with.
  void fix_reference() {
    REQUIRE(cudaMemcpy(Reference, Host, Used, cudaMemcpyHostToDevice) ==
            cudaSuccess);
  }
  void restore() {
    REQUIRE(cudaMemcpy(Device, Initial, Used, cudaMemcpyDeviceToDevice) ==
            cudaSuccess);
  }
  bool is_right() {
    REQUIRE(cudaMemset(Differences, 0, 8) == cudaSuccess);
    count_differences<<<1024, 256>>>(
        reinterpret_cast<const std::uint32_t *>(Device),
        reinterpret_cast<const std::uint32_t *>(Reference), index_t(Used / 4),
        Differences);
    unsigned long long result = 0;
    REQUIRE(cudaMemcpy(&result, Differences, 8, cudaMemcpyDeviceToHost) ==
            cudaSuccess);
    return result == 0;
  }
  /// Of copies between pinned and device memory.
  double transfer_ms(std::size_t in, std::size_t out) {
    return median_of(3, [&] {
      REQUIRE(cudaMemcpyAsync(Device, Host, in, cudaMemcpyHostToDevice) ==
              cudaSuccess);
      REQUIRE(cudaMemcpyAsync(Host, Device, out, cudaMemcpyDeviceToHost) ==
              cudaSuccess);
    });
  }

private:
  std::size_t Capacity, Used = 0;
  char *Host = nullptr, *Device = nullptr, *Initial = nullptr,
       *Reference = nullptr;
  unsigned long long *Differences = nullptr;
};

/// One loop of a benchmark.
template <class Loop> struct step {
  Loop loop;
  index_t iterations;

  /// Where arrays that are \p by bytes away have a copy; each loop numbers
  /// those that it has, since programs share arrays among their loops.
  step at(std::ptrdiff_t by) const {
    step s = *this;
    s.loop.move(by);
    detail::number_members(s.loop);
    return s;
  }
};

/// The loops of a benchmark, one after the other, repeated.
template <class... Loops> struct program {
  std::tuple<step<Loops>...> steps;
  int repeats = 1;

  template <class Call> void for_each(Call call) const {
    std::apply([&](const auto &...s) { (call(s), ...); }, steps);
  }
  program at(std::ptrdiff_t by) const {
    return {
        std::apply([&](const auto &...s) { return std::tuple(s.at(by)...); },
                   steps),
        repeats};
  }
  program<proven<Loops>...> with_proof() const {
    return {std::apply(
                [](const auto &...s) {
                  return std::tuple(
                      step<proven<Loops>>{{s.loop}, s.iterations}...);
                },
                steps),
            repeats};
  }
};

/// How a strategy did.
struct run_result {
  status answer = status::ok;
  bool is_right = true;
  double inspect_ms = 0, total_ms = 0;
  index_t levels = 0;
};

/// Runs a program by one strategy. Times are of whole programs.
template <strategy S, class... Loops> class strategy_run {
  using type = detail::on_device<S>;
  using states =
      std::array<std::unique_ptr<detail::plan_state>, sizeof...(Loops)>;

public:
  strategy_run(const program<Loops...> &p, const options &wanted)
      : Program(p), Wanted(wanted) {}

  /// \p reuse: the first repetition inspects for all.
  run_result run(image &data, bool reuse, int runs) {
    data.restore();
    Result.total_ms = time_of([&] { once(reuse); });
    Result.is_right = data.is_right();
    if (Result.answer != status::ok || runs <= 1)
      return Result;
    std::vector<run_result> results;
    for (int k = 0; k < runs; ++k) {
      Result.total_ms = time_of([&] { once(reuse); });
      results.push_back(Result);
    }
    std::sort(results.begin(), results.end(),
              [](const run_result &a, const run_result &b) {
                return a.total_ms < b.total_ms;
              });
    return results[results.size() / 2];
  }

  /// With the states of the last run.
  void execute() {
    int index = 0;
    Program.for_each([&](const auto &s) {
      run_step(s, States[std::size_t(index++)], false);
    });
  }

private:
  void once(bool reuse) {
    Result.inspect_ms = 0;
    for (int k = 0; k < Program.repeats; ++k) {
      int index = 0;
      Program.for_each([&](const auto &s) {
        if (Result.answer == status::ok)
          run_step(s, States[std::size_t(index++)], k == 0 || !reuse);
      });
    }
  }
  template <class Loop>
  void run_step(const step<Loop> &s, std::unique_ptr<detail::plan_state> &state,
                bool inspects) {
    const double begin = now_ms();
    if (inspects) {
      state.reset();
      detail::scratch memory(Wanted, nullptr);
      plan_info info;
      const detail::location_map map = detail::map_locations(s.loop.arrays());
      detail::inspection in{s.iterations, map, Wanted, memory, info};
      Result.answer = type::inspect(in, s.loop, state);
      REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    }
    Result.inspect_ms += now_ms() - begin;
    if (Result.answer != status::ok)
      return;
    auto &mine = static_cast<typename type::state &>(*state);
    Result.answer = type::execute(mine, s.loop, s.iterations, nullptr);
    if constexpr (S == strategy::paper_levels) {
      REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
      Result.levels =
          std::max(Result.levels, index_t(mine.chunks.last_level()));
    }
  }

  const program<Loops...> &Program;
  options Wanted;
  states States;
  run_result Result;
};

template <strategy S, class... Loops>
run_result run_by(const program<Loops...> &p, image &data,
                  const options &wanted = {}, bool reuse = false,
                  int runs = 3) {
  return strategy_run<S, Loops...>(p, wanted).run(data, reuse, runs);
}

} // namespace cudaopt::bench

#endif // CUDAOPT_BENCHMARKS_LEVELIZE_PROGRAM_RUNS_HPP
