// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Cuts positions into blocks, which warps claim one by one.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_ROW_CUTS_HPP
#define CUDAOPT_LEVELIZE_ROW_CUTS_HPP

#include "cudaopt/levelize/device_algorithms.hpp"
#include "cudaopt/levelize/row_engine.hpp"

#if CUDAOPT_CUDA

namespace cudaopt::detail {

struct latest {
  __device__ std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const {
    return a > b ? a : b;
  }
};

/// 1 where a block begins: each 32nd position of a run.
template <class Number>
__global__ void __launch_bounds__(256)
    mark_blocks(index_t size, const Number *runs, Number *begins) {
  for (index_t s = index_t(blockIdx.x) * blockDim.x + threadIdx.x; s <= size;
       s += index_t(gridDim.x) * blockDim.x)
    begins[s] = s < size && (s - runs[s + 1]) % 32 == 0;
}

template <class Number>
__global__ void __launch_bounds__(256)
    place_blocks(index_t size, const Number *before, Number *starts) {
  for (index_t s = index_t(blockIdx.x) * blockDim.x + threadIdx.x; s <= size;
       s += index_t(gridDim.x) * blockDim.x)
    if (s == size || before[s + 1] != before[s])
      starts[before[s]] = Number(s);
}

/// Runs of positions, each cut into blocks of 32 and a rest.
struct row_cuts {
  buffer<std::uint32_t> runs;   ///< The first position of s's run, at s + 1.
  buffer<std::uint32_t> before; ///< Blocks that begin before s.
  buffer<std::uint32_t> starts; ///< Of blocks, and of the one after the last.
  index_t blocks = 0;

  /// For \p size positions; where a run begins at s, runs[s] is to become s,
  /// else 0.
  status allocate(scratch &memory, index_t size) {
    status s = runs.allocate_filled(memory, size + 1, 0);
    return s == status::ok ? before.allocate(memory, size + 1) : s;
  }
  /// Waits for the number of blocks.
  status make(scratch &memory) {
    const index_t size = runs.size() - 1;
    const stream on = memory.on();
    status s = combined_before(memory, runs.data(), size + 1, latest());
    if (s != status::ok)
      return s;
    mark_blocks<<<row_blocks(size + 1), 256, 0, on>>>(size, runs.data(),
                                                      before.data());
    s = memory.check(cudaGetLastError());
    if (s == status::ok)
      s = sums_before(memory, before.data(), size + 1);
    std::uint32_t count = 0;
    if (s == status::ok)
      s = memory.check(cudaMemcpyAsync(&count, before.data() + size,
                                       sizeof(count), cudaMemcpyDefault, on));
    if (s == status::ok)
      s = memory.check(cudaStreamSynchronize(on));
    blocks = count;
    if (s == status::ok)
      s = starts.allocate(memory, blocks + 1);
    if (s != status::ok)
      return s;
    place_blocks<<<row_blocks(size + 1), 256, 0, on>>>(size, before.data(),
                                                       starts.data());
    return memory.check(cudaGetLastError());
  }
};

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_ROW_CUTS_HPP
