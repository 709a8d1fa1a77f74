// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Measures the host's part of a device_model: random reads from its caches and
/// from memory. Also makes the directory of the cache.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_MODEL_HOST_SPEED_HPP
#define CUDAOPT_LEVELIZE_DETAIL_MODEL_HOST_SPEED_HPP

#include "cudaopt/levelize/detail/model/model_file.hpp"

#include <algorithm>
#include <chrono>
#include <sys/stat.h>
#include <vector>

namespace cudaopt::detail {

/// The time in ns of a random read from 2^\p bits words of four bytes, the
/// least of three trials.
inline float random_read_ns(int bits) {
  const std::vector<std::uint32_t> table(std::size_t(1) << bits, 1);
  constexpr std::uint64_t count = 1 << 22;
  float best = 1e30f;
  for (int k = 0; k < 3; ++k) {
    const auto begin = std::chrono::steady_clock::now();
    std::uint64_t place = 1, sum = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
      place = place * 6364136223846793005ull + 1442695040888963407ull;
      sum += table[place >> (64 - bits)];
    }
    const std::chrono::duration<float, std::nano> took =
        std::chrono::steady_clock::now() - begin;
    if (sum == count)
      best = std::min(best, took.count() / float(count));
  }
  return best;
}

inline void measure_host(device_model &m) {
  m.host_near_ns = random_read_ns(16);
  m.host_far_ns = random_read_ns(26);
}

/// Makes a directory and those above it, as `mkdir -p` does. Errors are ignored
/// and show when a file is written there.
inline void make_directories(const std::string &path) {
  for (std::size_t end = path.find('/', 1); end != std::string::npos;
       end = path.find('/', end + 1))
    (void)mkdir(path.substr(0, end).c_str(), 0777);
  (void)mkdir(path.c_str(), 0777);
}

} // namespace cudaopt::detail

#endif // CUDAOPT_LEVELIZE_DETAIL_MODEL_HOST_SPEED_HPP
