// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Rows in the order of their levels.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_ROW_LEVELS_HPP
#define CUDAOPT_LEVELIZE_ROW_LEVELS_HPP

#include "cudaopt/levelize/loop.hpp"
#include "cudaopt/levelize/row_kernels.hpp"

#if CUDAOPT_CUDA

namespace cudaopt::detail {

/// The loop that computes the rows' levels, from 0: a row is above all rows
/// whose new values it reads.
template <class Loop>
struct level_loop : row_loop<level_loop<Loop>, std::int32_t> {
  static constexpr bool ignores_old_values = true;
  Loop rows;

  explicit level_loop(const Loop &loop) : rows(loop) {
    this->first = loop.first;
    this->stride = loop.stride;
  }
  CUDAOPT_HOST_DEVICE index_t begin(index_t i) const { return rows.begin(i); }
  CUDAOPT_HOST_DEVICE index_t end(index_t i) const { return rows.end(i); }
  CUDAOPT_HOST_DEVICE index_t source(index_t k) const { return rows.source(k); }
  CUDAOPT_HOST_DEVICE std::int32_t start(index_t) const { return -1; }
  CUDAOPT_HOST_DEVICE std::int32_t step(index_t, index_t, std::int32_t level,
                                        std::int32_t highest) const {
    return level > highest ? level : highest;
  }
  CUDAOPT_HOST_DEVICE std::int32_t finish(index_t, std::int32_t highest) const {
    return highest + 1;
  }
};

/// Bits of a key below the level: long rows come first, and rows of a warp are
/// of similar length.
constexpr int length_bits = 3;

/// Keys for a sort from the cells of a level_loop. \p average: of the rows'
/// lengths, or 0 where lengths do not matter.
template <class Loop>
__global__ void __launch_bounds__(256)
    read_levels(const Loop loop, void *cells, index_t rows, index_t average,
                std::uint32_t *keys, std::uint32_t *iterations,
                std::uint32_t *highest) {
  const row_cells<std::int32_t> from(cells, 0);
  std::uint32_t most = 0;
  for (index_t t = index_t(blockIdx.x) * blockDim.x + threadIdx.x; t < rows;
       t += index_t(gridDim.x) * blockDim.x) {
    const auto level =
        std::uint32_t(row_cells<std::int32_t>::value(from.load(t)));
    most = level > most ? level : most;
    std::uint32_t shorter = (1u << length_bits) - 1;
    if (average) {
      const index_t i = loop.row(t);
      for (index_t l = loop.end(i) - loop.begin(i); l > average && shorter;
           l /= 2)
        --shorter;
    }
    keys[t] = level << length_bits | shorter;
    iterations[t] = std::uint32_t(t);
  }
  most = warp_max(most);
  if (threadIdx.x % 32 == 0)
    atomicMax(highest, most);
}

/// Rows with more terms than this get a warp's positions for themselves.
constexpr index_t long_row = 256;

/// How many positions the rows in \p order take; their sums are where they
/// are.
template <class Loop>
__global__ void __launch_bounds__(256)
    measure_rows(const Loop loop, index_t rows, const std::uint32_t *order,
                 index_t *widths) {
  for (index_t s = index_t(blockIdx.x) * blockDim.x + threadIdx.x; s <= rows;
       s += index_t(gridDim.x) * blockDim.x) {
    index_t width = 0;
    if (s < rows) {
      const index_t i = loop.row(order[s]);
      width = loop.end(i) - loop.begin(i) > long_row ? 32 : 1;
    }
    widths[s] = width;
  }
}

/// The positions of iterations and the iterations of positions, and the rows'
/// lengths at their positions. \p places: of the rows in \p order, or null
/// where position s is order[s]'s.
template <class Loop>
__global__ void __launch_bounds__(256)
    place_rows(const Loop loop, index_t rows, const std::uint32_t *order,
               const index_t *places, std::uint32_t *iterations,
               std::uint32_t *positions, index_t *lengths) {
  for (index_t s = index_t(blockIdx.x) * blockDim.x + threadIdx.x; s < rows;
       s += index_t(gridDim.x) * blockDim.x) {
    const index_t t = order[s], i = loop.row(t), at = places ? places[s] : s;
    const index_t length = loop.end(i) - loop.begin(i);
    iterations[at] = std::uint32_t(t);
    positions[t] = std::uint32_t(at);
    lengths[at] = length > 0 ? length : 0;
  }
}

/// The rows' sources as positions; eight lanes a row.
template <class Loop>
__global__ void __launch_bounds__(256)
    place_sources(const Loop loop, index_t count, const row_level_order order,
                  const std::uint32_t *positions, std::int32_t *sources) {
  const index_t groups = index_t(gridDim.x) * blockDim.x / 8;
  for (index_t s = (index_t(blockIdx.x) * blockDim.x + threadIdx.x) / 8;
       s < count; s += groups) {
    if (!order.has_row(s))
      continue;
    const index_t t = order.iteration(s), begin = loop.begin(loop.row(t));
    const index_t base = order.base(s, begin);
    const index_t end = order.end(loop, s, 0, begin);
    for (index_t k = begin + threadIdx.x % 8; k < end; k += 8) {
      const index_t j = loop.source(k), u = loop.iteration(j);
      sources[base + k] = u < t ? std::int32_t(positions[u]) : std::int32_t(~j);
    }
  }
}

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_ROW_LEVELS_HPP
