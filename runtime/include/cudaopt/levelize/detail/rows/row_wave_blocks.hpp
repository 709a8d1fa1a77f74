// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Cuts rows that are sorted by level into blocks, which warps claim one after
/// the other, and gives each block a gate: a row a few levels before for which
/// it waits first. A warp that polled its own sources from the beginning would
/// take bandwidth from warps whose values are due earlier.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_ROWS_ROW_WAVE_BLOCKS_HPP
#define CUDAOPT_LEVELIZE_DETAIL_ROWS_ROW_WAVE_BLOCKS_HPP

#include "cudaopt/levelize/detail/rows/row_cuts.hpp"
#include "cudaopt/levelize/detail/rows/row_levels.hpp"

#if CUDAOPT_CUDA

namespace cudaopt::detail {

/// Marks runs for row_cuts: a run ends with its level, and a long row is a run
/// of its own.
template <class Key>
__global__ void __launch_bounds__(256)
    mark_levels(index_t rows, const Key *keys, Key *runs) {
  for (index_t s = index_t(blockIdx.x) * blockDim.x + threadIdx.x; s < rows;
       s += index_t(gridDim.x) * blockDim.x)
    if (s > 0 && (!row_keys::is_short(keys[s]) || keys[s] != keys[s - 1]))
      runs[s] = Key(s);
}

/// Writes the first block of each level, and at the end the number of blocks.
/// before[s] blocks begin before position s.
template <class Key>
__global__ void __launch_bounds__(256)
    find_level_blocks(index_t rows, const Key *keys, const Key *before,
                      index_t levels, Key *of_level) {
  for (index_t s = index_t(blockIdx.x) * blockDim.x + threadIdx.x; s <= rows;
       s += index_t(gridDim.x) * blockDim.x)
    if (s == rows)
      of_level[levels] = before[s];
    else if (s == 0 || row_keys::level(keys[s - 1]) != row_keys::level(keys[s]))
      of_level[row_keys::level(keys[s])] = before[s];
}

/// A gate is this many levels before its block, and as far along in its level
/// as the block is in its own.
constexpr std::uint32_t gate_levels = 5;

/// Writes the gates of all blocks; blocks of the first levels have none.
template <class Key>
__global__ void __launch_bounds__(256)
    place_gates(index_t blocks, const Key *keys, const Key *starts,
                const Key *of_level, Key *level_gates) {
  for (index_t b = index_t(blockIdx.x) * blockDim.x + threadIdx.x; b < blocks;
       b += index_t(gridDim.x) * blockDim.x) {
    const Key level = row_keys::level(keys[starts[b]]);
    Key gate = row_level_order::no_gate;
    if (level >= gate_levels) {
      const Key *there = of_level + (level - gate_levels);
      const index_t width = of_level[level + 1] - of_level[level];
      const index_t along = b - of_level[level];
      gate = starts[there[0] + along * (there[1] - there[0]) / width];
    }
    level_gates[b] = gate;
  }
}

/// The blocks of a row_level_order: see there.
struct row_wave_blocks {
  buffer<std::uint32_t> starts, level_gates;

  index_t size() const { return level_gates.size(); }

  /// Makes the blocks of rows whose sorted row_keys are \p keys.
  status make(scratch &memory, const buffer<std::uint32_t> &keys,
              index_t levels) {
    const index_t n = keys.size();
    const stream on = memory.on();
    row_cuts cuts;
    buffer<std::uint32_t> of_level;
    status s = cuts.allocate(memory, n);
    if (s == status::ok)
      s = of_level.allocate(memory, levels + 1);
    if (s != status::ok)
      return s;
    mark_levels<<<row_blocks(n), 256, 0, on>>>(n, keys.data(),
                                               cuts.runs.data());
    s = memory.check(cudaGetLastError());
    if (s == status::ok)
      s = cuts.make(memory);
    if (s == status::ok)
      s = level_gates.allocate(memory, cuts.blocks);
    if (s != status::ok)
      return s;
    starts = std::move(cuts.starts);
    find_level_blocks<<<row_blocks(n + 1), 256, 0, on>>>(
        n, keys.data(), cuts.before.data(), levels, of_level.data());
    place_gates<<<row_blocks(size()), 256, 0, on>>>(
        size(), keys.data(), starts.data(), of_level.data(),
        level_gates.data());
    s = memory.check(cudaGetLastError());
    cuts.runs.give_back(memory);
    cuts.before.give_back(memory);
    of_level.give_back(memory);
    return s;
  }
};

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_ROWS_ROW_WAVE_BLOCKS_HPP
