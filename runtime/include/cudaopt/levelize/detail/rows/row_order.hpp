// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The two orders in which the rows of a row_loop are executed: the loop's own
/// (loop_order), and that of their levels (row_level_order). A position is a
/// row's index in the order; cells are numbered by positions. Warps claim
/// blocks of positions one after the other.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_ROWS_ROW_ORDER_HPP
#define CUDAOPT_LEVELIZE_DETAIL_ROWS_ROW_ORDER_HPP

#include "cudaopt/levelize/config.hpp"

#if CUDAOPT_CUDA

namespace cudaopt::detail {

/// Position s is iteration s. Blocks are 32 consecutive rows each, or, after
/// row_lines::make(), parts of lines in the order of their levels.
struct loop_order {
  const std::uint32_t *starts = nullptr; ///< First positions of blocks.
  const std::uint32_t *order = nullptr;  ///< Blocks as they are claimed.
  index_t size = 0;                      ///< Blocks.

  index_t blocks(index_t positions) const {
    return order ? size : (positions + 31) / 32;
  }
  __device__ index_t iteration(index_t s) const { return s; }
  /// The positions of a block.
  struct range {
    index_t begin, end;
  };
  __device__ range rows(index_t block, index_t positions) const {
    if (order) {
      const std::uint32_t b = order[block];
      return {starts[b], starts[b + 1]};
    }
    const index_t begin = block * 32;
    return {begin, begin + 32 < positions ? begin + 32 : positions};
  }
  /// The position that writes what term k of position s reads, or ~row where
  /// that is an old value.
  template <class Loop>
  __device__ index_t source(const Loop &loop, index_t s, index_t k) const {
    const index_t row = loop.source(k), t = loop.iteration(row);
    return t >= 0 && t < s ? t : ~row;
  }
};

/// Positions by level, as a plan keeps them; the sources of terms are already
/// positions, in the order in which they are read. A block's rows are of one
/// level, so that none of them waits for another.
struct row_level_order {
  static constexpr std::uint32_t no_gate = ~0u; ///< The gate of no block.

  const std::uint32_t *iterations; ///< By position.
  const index_t *offsets;          ///< By position: its first source.
  const std::int32_t *sources;     ///< A position, or ~row for an old value.
  const std::uint32_t *starts;     ///< First positions of blocks, and the end.
  /// The position for which a block waits before it polls its own sources: a
  /// row a few levels before.
  const std::uint32_t *level_gates;
  index_t size; ///< The number of blocks.

  index_t blocks(index_t) const { return size; }
  __device__ index_t iteration(index_t s) const { return iterations[s]; }
};

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_ROWS_ROW_ORDER_HPP
