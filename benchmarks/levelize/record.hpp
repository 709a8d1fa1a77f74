// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What programs measure, for other programs to read.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_BENCHMARKS_LEVELIZE_RECORD_HPP
#define CUDAOPT_BENCHMARKS_LEVELIZE_RECORD_HPP

#include <cstdio>
#include <cstdlib>

namespace cudaopt::bench {

/// Appends a line of JSON to the file that CUDAOPT_BENCHMARK_RECORDS names, if
/// it names one. \p metric ends in the unit; \p published is what a paper
/// prints for the same, in the same unit, 0 if nothing.
inline void record(const char *name, const char *variant, const char *metric,
                   double value, double published = 0) {
  static std::FILE *const file = [] {
    const char *path = std::getenv("CUDAOPT_BENCHMARK_RECORDS");
    return path ? std::fopen(path, "a") : nullptr;
  }();
  if (!file)
    return;
  std::fprintf(file,
               "{\"case\": \"%s\", \"variant\": \"%s\", \"metric\": \"%s\", "
               "\"value\": %.9g",
               name, variant, metric, value);
  if (published != 0)
    std::fprintf(file, ", \"published\": %.9g", published);
  std::fprintf(file, "}\n");
  std::fflush(file);
}

} // namespace cudaopt::bench

#endif // CUDAOPT_BENCHMARKS_LEVELIZE_RECORD_HPP
