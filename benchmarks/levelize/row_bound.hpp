// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What a solve in the loop's order takes at least on an H200. Host only.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_BENCHMARKS_LEVELIZE_ROW_BOUND_HPP
#define CUDAOPT_BENCHMARKS_LEVELIZE_ROW_BOUND_HPP

#include "matrices.hpp"

namespace matrices {

/// The longest chain of additions of which each needs the one before: terms of
/// a row in their order, and rows after those that they read.
inline std::int64_t longest_chain(const pattern &p) {
  std::vector<int> additions(std::size_t(p.rows), 0);
  int most = 0;
  for (std::int64_t i = 0; i < p.rows; ++i) {
    for (std::int64_t k = p.ptr[i]; k < p.ptr[i + 1] && p.col[k] < i; ++k)
      additions[i] = std::max(additions[i], additions[p.col[k]]) + 1;
    most = std::max(most, additions[i]);
  }
  return most;
}

inline std::int64_t longest_row(const pattern &p) {
  std::int64_t most = 0;
  for (std::int64_t i = 0; i < p.rows; ++i)
    most = std::max(most, p.ptr[i + 1] - p.ptr[i]);
  return most;
}

/// Three things that an exact solve in double precision cannot avoid, of which
/// the slowest is the bound: all bytes at 4.3 TB/s; a hop of 0.28 us from
/// multiprocessor to multiprocessor for each level, which chains that stay in
/// a warp go below; 4 ns for each addition of the longest chain.
inline double bound_ms(const pattern &p, std::int64_t levels,
                       std::int64_t chain) {
  const double bytes = 12.0 * double(p.terms()) + 24.0 * double(p.rows);
  return std::max(
      {bytes / 4.3e9, double(levels) * 0.28e-3, double(chain) * 4e-6});
}

} // namespace matrices

#endif // CUDAOPT_BENCHMARKS_LEVELIZE_ROW_BOUND_HPP
