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
  __device__ index_t iteration(index_t s) const { return s; }
  /// What source() needs of the row at position s whose first term is \p begin.
  template <class Loop>
  __device__ index_t base(const Loop &, index_t, index_t) const {
    return 0;
  }
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
/// the order in which they are read.
struct row_level_order {
  const std::uint32_t *iterations; ///< Of positions.
  const index_t *offsets;          ///< Of the positions' first sources.
  const std::int32_t *sources;

  __device__ index_t iteration(index_t s) const { return iterations[s]; }
  template <class Loop>
  __device__ index_t base(const Loop &, index_t s, index_t begin) const {
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
