// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// How many blocks a kernel gets.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_LAUNCH_HPP
#define CUDAOPT_LEVELIZE_LAUNCH_HPP

#include "cudaopt/levelize/buffer.hpp"

#include <algorithm>

#if CUDAOPT_CUDA

namespace cudaopt::detail {

constexpr int block_threads = 256;
constexpr int warp_lanes = 32;

/// The blocks of \p kernel that the current device holds at a time; 1 at
/// least, so that a failed query shows as the failed launch that follows.
template <class Kernel>
int resident_blocks(Kernel *kernel, int threads = block_threads) {
  int device = 0, processors = 1, blocks = 1;
  (void)cudaGetDevice(&device);
  (void)cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount,
                               device);
  (void)cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads,
                                                      0);
  return std::max(1, processors * blocks);
}

/// Blocks for a kernel that strides over \p items, one a thread.
template <class Kernel> int blocks_for(Kernel *kernel, index_t items) {
  const index_t enough = (items + block_threads - 1) / block_threads;
  return int(
      std::max<index_t>(1, std::min<index_t>(enough, resident_blocks(kernel))));
}

#if defined(__CUDACC__)
/// Of the whole grid, one-dimensional.
__device__ inline index_t grid_thread() {
  return index_t(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ inline index_t grid_threads() {
  return index_t(gridDim.x) * blockDim.x;
}
__device__ inline unsigned lane_of_warp() {
  return threadIdx.x % unsigned(warp_lanes);
}
#endif

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_LAUNCH_HPP
