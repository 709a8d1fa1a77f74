// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The orders in which rows are executed. A position is a place in the order;
/// cells are numbered by positions.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_ROW_ORDER_HPP
#define CUDAOPT_LEVELIZE_ROW_ORDER_HPP

#include "cudaopt/levelize/config.hpp"

#if CUDAOPT_CUDA

namespace cudaopt::detail {

/// Position s is iteration s. Nothing needs to be known of the loop.
struct loop_order {
  /// Blocks of a processor, and loads of a lane on their way at a time: many
  /// rows in flight are worth more than many loads.
  static constexpr int blocks = 5;
  static constexpr unsigned loads = 2;

  __device__ bool has_row(index_t) const { return true; }
  __device__ index_t iteration(index_t s) const { return s; }
  /// What source() needs of the row at position s whose first term is \p begin.
  __device__ index_t base(index_t, index_t) const { return 0; }
  template <class Loop>
  __device__ index_t end(const Loop &loop, index_t, index_t row,
                         index_t) const {
    return loop.end(row);
  }
  /// The position that writes what term k of position s reads, or ~row where
  /// that is an old value.
  template <class Loop>
  __device__ index_t source(const Loop &loop, index_t s, index_t,
                            index_t k) const {
    const index_t row = loop.source(k), t = loop.iteration(row);
    return t < s ? t : ~row;
  }
};

/// Positions by level, as a plan keeps them; sources are already positions, in
/// the order in which they are read. Long rows have a warp's positions for
/// themselves, all but the first without a row.
struct row_level_order {
  static constexpr std::uint32_t nobody = ~0u;
  static constexpr int blocks = 4;
  static constexpr unsigned loads = 4;

  const std::uint32_t *iterations; ///< Of positions.
  const index_t *offsets;          ///< Of the positions' first sources.
  const std::int32_t *sources;

  __device__ bool has_row(index_t s) const { return iterations[s] != nobody; }
  __device__ index_t iteration(index_t s) const { return iterations[s]; }
  __device__ index_t base(index_t s, index_t begin) const {
    return offsets[s] - begin;
  }
  template <class Loop>
  __device__ index_t end(const Loop &, index_t s, index_t,
                         index_t begin) const {
    return begin + (offsets[s + 1] - offsets[s]);
  }
  template <class Loop>
  __device__ index_t source(const Loop &, index_t, index_t base,
                            index_t k) const {
    return sources[base + k];
  }
};

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_ROW_ORDER_HPP
