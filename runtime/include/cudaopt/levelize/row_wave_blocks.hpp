// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The blocks of rows sorted by level: which rows a warp claims at a time.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_ROW_WAVE_BLOCKS_HPP
#define CUDAOPT_LEVELIZE_ROW_WAVE_BLOCKS_HPP

#include "cudaopt/levelize/row_cuts.hpp"
#include "cudaopt/levelize/row_levels.hpp"

#if CUDAOPT_CUDA

namespace cudaopt::detail {

/// Blocks have rows of one level, and each long row has its own.
template <class Key>
__global__ void __launch_bounds__(256)
    mark_levels(index_t rows, const Key *keys, Key *runs) {
  for (index_t s = index_t(blockIdx.x) * blockDim.x + threadIdx.x; s < rows;
       s += index_t(gridDim.x) * blockDim.x)
    if (s > 0 && (!row_keys::is_short(keys[s]) || keys[s] != keys[s - 1]))
      runs[s] = Key(s);
}

/// The first block of each level, and the number of blocks.
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

/// Blocks wait first for rows as far along in their level, this many levels
/// before.
constexpr std::uint32_t gate_levels = 5;

template <class Key>
__global__ void __launch_bounds__(256)
    place_gates(index_t blocks, const Key *keys, const Key *starts,
                const Key *of_level, Key *gates) {
  for (index_t b = index_t(blockIdx.x) * blockDim.x + threadIdx.x; b < blocks;
       b += index_t(gridDim.x) * blockDim.x) {
    const Key level = row_keys::level(keys[starts[b]]);
    Key gate = row_level_order::nobody;
    if (level >= gate_levels) {
      const Key *there = of_level + (level - gate_levels);
      const index_t width = of_level[level + 1] - of_level[level];
      const index_t along = b - of_level[level];
      gate = starts[there[0] + along * (there[1] - there[0]) / width];
    }
    gates[b] = gate;
  }
}

struct row_wave_blocks {
  buffer<std::uint32_t> starts, gates;

  index_t size() const { return gates.size(); }

  /// From sorted \p keys.
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
      s = gates.allocate(memory, cuts.blocks);
    if (s != status::ok)
      return s;
    starts = std::move(cuts.starts);
    find_level_blocks<<<row_blocks(n + 1), 256, 0, on>>>(
        n, keys.data(), cuts.before.data(), levels, of_level.data());
    place_gates<<<row_blocks(size()), 256, 0, on>>>(
        size(), keys.data(), starts.data(), of_level.data(), gates.data());
    s = memory.check(cudaGetLastError());
    cuts.runs.give_back(memory);
    cuts.before.give_back(memory);
    of_level.give_back(memory);
    return s;
  }
};

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_ROW_WAVE_BLOCKS_HPP
