// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Cuts runs of positions into blocks of 32 and a rest, which warps claim one
/// by one. For runs of 40 and 10 positions the blocks begin at 0, 32 and 40.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_ROWS_ROW_CUTS_HPP
#define CUDAOPT_LEVELIZE_DETAIL_ROWS_ROW_CUTS_HPP

#include "cudaopt/levelize/detail/rows/row_engine.hpp"
#include "cudaopt/levelize/detail/support/device_algorithms.hpp"

#if CUDAOPT_CUDA

namespace cudaopt::detail {

/// The operation of the scan that spreads the beginnings of runs: of two, the
/// later.
struct latest {
  __device__ std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const {
    return a > b ? a : b;
  }
};

/// Writes 1 where a block begins, which is each 32nd position of a run, else 0.
template <class Number>
__global__ void __launch_bounds__(256)
    mark_blocks(index_t size, const Number *runs, Number *begins) {
  for (index_t s = index_t(blockIdx.x) * blockDim.x + threadIdx.x; s <= size;
       s += index_t(gridDim.x) * blockDim.x)
    begins[s] = s < size && (s - runs[s + 1]) % 32 == 0;
}

/// Writes the first position of each block, and \p size at the end.
template <class Number>
__global__ void __launch_bounds__(256)
    place_blocks(index_t size, const Number *before, Number *starts) {
  for (index_t s = index_t(blockIdx.x) * blockDim.x + threadIdx.x; s <= size;
       s += index_t(gridDim.x) * blockDim.x)
    if (s == size || before[s + 1] != before[s])
      starts[before[s]] = Number(s);
}

/// The cuts of all positions. allocate(), then a kernel that marks runs, then
/// make().
struct row_cuts {
  buffer<std::uint32_t> runs;   ///< At s + 1: the first position of s's run.
  buffer<std::uint32_t> before; ///< At s: how many blocks begin before s.
  buffer<std::uint32_t> starts; ///< First positions of blocks, and the end.
  index_t blocks = 0;           ///< The number of blocks.

  /// Makes room for \p size positions. Then the caller sets runs[s] to s where
  /// a run begins; elsewhere it stays 0.
  status allocate(scratch &memory, index_t size) {
    status s = runs.allocate_filled(memory, size + 1, 0);
    return s == status::ok ? before.allocate(memory, size + 1) : s;
  }
  /// Makes the blocks from the marks. Waits for the stream, as the host needs
  /// their number.
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
#endif // CUDAOPT_LEVELIZE_DETAIL_ROWS_ROW_CUTS_HPP
