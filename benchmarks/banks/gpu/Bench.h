// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What the programs of this folder share: arguments, inputs, timing, output.
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_BANKS_GPU_BENCH_H
#define BENCHMARKS_BANKS_GPU_BENCH_H

#include "Energy.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#define CHECK(call)                                                            \
  do {                                                                         \
    cudaError_t status = (call);                                               \
    if (status != cudaSuccess) {                                               \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__,                  \
                   cudaGetErrorString(status));                                \
      std::exit(1);                                                            \
    }                                                                          \
  } while (0)

namespace bench {

/// CuTe's Swizzle<B, M, S> for positive S: the B bits from bit M + S on are
/// added, without carry, to those from bit M on.
template <int B, int M, int S> __device__ inline int swizzle(int i) {
  return i ^ ((i >> S) & (((1 << B) - 1) << M));
}

/// The same for an element of a matrix whose rows have Pitch elements, where
/// the row alone decides what is added: compilers do not see that by
/// themselves.
template <int B, int M, int S, int Pitch>
__device__ inline int swizzle(int row, int column) {
  static_assert((1 << (M + S)) >= Pitch && (1 << (M + B)) <= Pitch, "");
  return row * Pitch + (column ^ ((row * Pitch >> S) & (((1 << B) - 1) << M)));
}

/// What a program works on.
struct Work {
  int size;   ///< What it counts is the program's business.
  int rounds; ///< Iterations of the loop around all accesses to shared memory;
              ///< 0 if the kernel has no such loop of unknown length.
};

struct Options {
  Work work;
  int repeat = 21;
  double energy = 0; ///< Seconds of launches whose energy is measured.
  std::string dump;  ///< File that receives the bytes of the result.
  bool isJson = false;
};

[[noreturn]] inline void exitWithUsage(const char *program, Work standard) {
  std::fprintf(stderr,
               "usage: %s [--size N] [--rounds N] [--repeat R] "
               "[--energy SECONDS] [--dump FILE] [--json]\nsize is %d, rounds "
               "%d, if not said otherwise\n",
               program, standard.size, standard.rounds);
  std::exit(1);
}

/// \p granule divides the size.
inline Options parse(int argc, char **argv, Work standard, int granule) {
  Options options{standard};
  for (int i = 1; i < argc; ++i) {
    std::string name = argv[i];
    if (name == "--json") {
      options.isJson = true;
      continue;
    }
    if (++i == argc)
      exitWithUsage(argv[0], standard);
    if (name == "--dump")
      options.dump = argv[i];
    else if (name == "--size")
      options.work.size = std::atoi(argv[i]);
    else if (name == "--rounds" && standard.rounds > 0)
      options.work.rounds = std::atoi(argv[i]);
    else if (name == "--repeat")
      options.repeat = std::atoi(argv[i]);
    else if (name == "--energy")
      options.energy = std::atof(argv[i]);
    else
      exitWithUsage(argv[0], standard);
  }
  const Work &work = options.work;
  if (work.size < granule || work.size % granule != 0 || options.repeat < 1 ||
      (work.rounds < 1 && standard.rounds > 0))
    exitWithUsage(argv[0], standard);
  return options;
}

/// Scatters the bits of \p i: the same numbers on every machine.
inline uint32_t hash(size_t index) {
  auto i = static_cast<uint32_t>(index);
  i = (i ^ (i >> 16)) * 0x7feb352du;
  i = (i ^ (i >> 15)) * 0x846ca68bu;
  return i ^ (i >> 16);
}

/// A number that has few digits, in [-1, 1).
inline float number(size_t i) { return int(hash(i) % 2048) / 1024.0f - 1.0f; }

template <typename T> class DeviceArray {
public:
  explicit DeviceArray(size_t count) : count(count) {
    CHECK(cudaMalloc(&data, bytes()));
    CHECK(cudaMemset(data, 0, bytes()));
  }
  /// \p valueAt maps an index to the element.
  template <typename Function>
  DeviceArray(size_t count, Function valueAt) : DeviceArray(count) {
    std::vector<T> values(count);
    for (size_t i = 0; i < count; ++i)
      values[i] = valueAt(i);
    CHECK(cudaMemcpy(data, values.data(), bytes(), cudaMemcpyHostToDevice));
  }
  DeviceArray(const DeviceArray &) = delete;
  DeviceArray &operator=(const DeviceArray &) = delete;
  ~DeviceArray() { cudaFree(data); }

  T *get() const { return data; }
  size_t bytes() const { return count * sizeof(T); }

  std::vector<T> values() const {
    std::vector<T> copy(count);
    CHECK(cudaMemcpy(copy.data(), data, bytes(), cudaMemcpyDeviceToHost));
    return copy;
  }

  bool write(const std::string &path) const {
    std::vector<T> values = this->values();
    std::FILE *file = std::fopen(path.c_str(), "wb");
    if (!file)
      return false;
    size_t written = std::fwrite(values.data(), 1, bytes(), file);
    return std::fclose(file) == 0 && written == bytes();
  }

private:
  T *data = nullptr;
  size_t count;
};

/// Fills the L2 cache with other data, so that each launch reads its input from
/// memory, as one does whose input was made long before.
class ColdCache {
public:
  ColdCache() {
    int device = 0, bytes = 0;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, device));
    count = 2 * size_t(bytes);
    CHECK(cudaMalloc(&data, count));
  }
  ColdCache(const ColdCache &) = delete;
  ColdCache &operator=(const ColdCache &) = delete;
  ~ColdCache() { cudaFree(data); }

  void fill() { CHECK(cudaMemsetAsync(data, 0, count)); }

private:
  void *data = nullptr;
  size_t count;
};

/// Returns the times of the launches in milliseconds, ascending.
template <typename Function>
std::vector<float> measure(int repeat, Function launch) {
  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  launch(); // Warms up.
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());

  ColdCache cache;
  std::vector<float> times(repeat);
  for (float &time : times) {
    cache.fill();
    CHECK(cudaEventRecord(start));
    launch();
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(stop));
    CHECK(cudaEventSynchronize(stop));
    CHECK(cudaEventElapsedTime(&time, start, stop));
  }
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
  std::sort(times.begin(), times.end());
  return times;
}

/// Measures \p launch of \p blocks blocks, which leaves its result in \p out,
/// however often it runs. \p facts are members of the JSON object that the
/// program knows of itself, with commas between them. Returns the exit code of
/// the program.
template <typename T, typename Function>
int run(const char *kernel, const Options &options, size_t blocks,
        const DeviceArray<T> &out, Function launch, std::string facts = "") {
  std::vector<float> times = measure(options.repeat, launch);
  float median = times[times.size() / 2];
  if (options.energy > 0) {
    Energy energy = measureEnergy(options.energy, launch);
    char text[80];
    std::snprintf(text, sizeof text, "%s\"joules\": %.6g, \"watts\": %.4g",
                  facts.empty() ? "" : ", ", energy.joules, energy.watts);
    if (energy.isKnown)
      facts += text;
  }
  if (!options.dump.empty() && !out.write(options.dump)) {
    std::fprintf(stderr, "cannot write %s\n", options.dump.c_str());
    return 1;
  }
  if (options.isJson)
    std::printf("{\"kernel\": \"%s\", \"median_ms\": %.5f, \"min_ms\": %.5f, "
                "\"launches\": %d, \"size\": %d, \"blocks\": %zu, "
                "\"rounds\": %d%s%s}\n",
                kernel, median, times.front(), options.repeat,
                options.work.size, blocks, options.work.rounds,
                facts.empty() ? "" : ", ", facts.c_str());
  else
    std::printf("%s: median %.4f ms, least %.4f ms, of %d launches%s%s\n",
                kernel, median, times.front(), options.repeat,
                facts.empty() ? "" : "; ", facts.c_str());
  return 0;
}

} // namespace bench

#endif // BENCHMARKS_BANKS_GPU_BENCH_H
