// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The levels of rows, and the kernels that sort rows and their sources by
/// them. Levels are computed by the same dataflow that executes rows: with
/// max() in place of the loop's own step.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_ROWS_ROW_LEVELS_HPP
#define CUDAOPT_LEVELIZE_DETAIL_ROWS_ROW_LEVELS_HPP

#include "cudaopt/levelize/detail/rows/row_kernels.hpp"
#include "cudaopt/levelize/loop.hpp"

#if CUDAOPT_CUDA

namespace cudaopt::detail {

/// The loop that computes the rows' levels, from 1: a row is above all rows
/// whose new values it reads, and old values, 0, are below all rows.
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
  CUDAOPT_HOST_DEVICE std::int32_t start(index_t) const { return 0; }
  CUDAOPT_HOST_DEVICE std::int32_t step(index_t, index_t, std::int32_t level,
                                        std::int32_t highest) const {
    return level > highest ? level : highest;
  }
  CUDAOPT_HOST_DEVICE std::int32_t finish(index_t, std::int32_t highest) const {
    return highest + 1;
  }
};

/// The sort key of a row: its level; within a level, long rows come first, then
/// all that have at most as many terms as a row has slots.
struct row_keys {
  static constexpr int length_bits = 3;
  static constexpr std::uint32_t short_row = (1u << length_bits) - 1;

  __host__ __device__ static std::uint32_t of(std::uint32_t level,
                                              index_t length, unsigned slots) {
    std::uint32_t shorter = short_row;
    for (index_t l = length; l > index_t(slots) && shorter; l /= 2)
      --shorter;
    return level << length_bits | shorter;
  }
  __device__ static std::uint32_t level(std::uint32_t key) {
    return key >> length_bits;
  }
  __device__ static bool is_short(std::uint32_t key) {
    return (key & short_row) == short_row;
  }
};

/// Writes keys for a sort from the cells of a level_loop, and the greatest
/// level; keys count levels from 0.
template <class Loop>
__global__ void __launch_bounds__(256)
    read_levels(const Loop loop, void *cells, index_t rows, unsigned slots,
                std::uint32_t *keys, std::uint32_t *iterations,
                std::uint32_t *highest) {
  const row_cells<std::int32_t> from(cells, 0);
  std::uint32_t most = 0;
  for (index_t t = index_t(blockIdx.x) * blockDim.x + threadIdx.x; t < rows;
       t += index_t(gridDim.x) * blockDim.x) {
    const auto level =
        std::uint32_t(row_cells<std::int32_t>::value(from.load(t)) - 1);
    most = level > most ? level : most;
    const index_t i = loop.row(t);
    keys[t] = row_keys::of(level, loop.end(i) - loop.begin(i), slots);
    iterations[t] = std::uint32_t(t);
  }
  most = warp_max(most);
  if (threadIdx.x % 32 == 0)
    atomicMax(highest, most);
}

/// Inverts the order: writes each iteration's position, and the rows' numbers
/// of terms by position.
template <class Loop>
__global__ void __launch_bounds__(256)
    place_rows(const Loop loop, index_t rows, const std::uint32_t *iterations,
               std::uint32_t *positions, index_t *lengths) {
  for (index_t s = index_t(blockIdx.x) * blockDim.x + threadIdx.x; s < rows;
       s += index_t(gridDim.x) * blockDim.x) {
    const index_t t = iterations[s], i = loop.row(t);
    const index_t length = loop.end(i) - loop.begin(i);
    positions[t] = std::uint32_t(s);
    lengths[s] = length > 0 ? length : 0;
  }
}

/// Writes the rows' sources as positions, or ~row where a term reads an old
/// value. Eight lanes have a row.
template <class Loop>
__global__ void __launch_bounds__(256)
    place_sources(const Loop loop, index_t rows, const row_level_order order,
                  const std::uint32_t *positions, std::int32_t *sources) {
  const index_t groups = index_t(gridDim.x) * blockDim.x / 8;
  for (index_t s = (index_t(blockIdx.x) * blockDim.x + threadIdx.x) / 8;
       s < rows; s += groups) {
    const index_t t = order.iteration(s), begin = loop.begin(loop.row(t));
    const index_t base = order.offsets[s] - begin;
    const index_t end = begin + (order.offsets[s + 1] - order.offsets[s]);
    for (index_t k = begin + threadIdx.x % 8; k < end; k += 8) {
      const index_t j = loop.source(k), u = loop.iteration(j);
      sources[base + k] =
          u >= 0 && u < t ? std::int32_t(positions[u]) : std::int32_t(~j);
    }
  }
}

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_ROWS_ROW_LEVELS_HPP
