// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// How many blocks a kernel gets, and the indices of its threads.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_SUPPORT_LAUNCH_HPP
#define CUDAOPT_LEVELIZE_DETAIL_SUPPORT_LAUNCH_HPP

#include "cudaopt/levelize/detail/support/buffer.hpp"
#include "cudaopt/levelize/detail/support/warp.hpp"

#include <algorithm>

#if CUDAOPT_CUDA

namespace cudaopt::detail {

/// Threads of a block of most kernels of the runtime.
constexpr int block_threads = 256;

/// The number of multiprocessors of the current device; 1 if that is unknown.
inline int processor_count() {
  int device = 0, processors = 1;
  (void)cudaGetDevice(&device);
  (void)cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount,
                               device);
  return processors;
}

/// The blocks of \p kernel that the current device holds at a time; 1 at
/// least, so that a failed query shows as the failed launch that follows.
template <class Kernel>
int resident_blocks(Kernel *kernel, int threads = block_threads) {
  int blocks = 1;
  (void)cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads,
                                                      0);
  return std::max(1, processor_count() * blocks);
}

/// Ok if the device has code for \p kernel: an inspection that launches nothing
/// must not leave that to the execution, which may have modified data when it
/// fails.
template <class Kernel> status expect_code(scratch &memory, Kernel *kernel) {
  cudaFuncAttributes facts{};
  return memory.check(
      cudaFuncGetAttributes(&facts, reinterpret_cast<const void *>(kernel)));
}

/// Blocks for a kernel whose grid strides over \p items: enough for all of
/// them, but no more than are resident at a time.
template <class Kernel>
int blocks_for(Kernel *kernel, index_t items, int threads = block_threads) {
  const index_t enough = (items + threads - 1) / threads;
  return int(std::max<index_t>(
      1, std::min<index_t>(enough, resident_blocks(kernel, threads))));
}

/// Threads of a block for a kernel with a thread for each item: fewer where
/// items are few, such as rows that are long, so that all multiprocessors get
/// some.
inline int threads_for(index_t items) {
  int threads = block_threads;
  while (threads > warp_lanes &&
         items < index_t(threads) * 2 * processor_count())
    threads /= 2;
  return threads;
}

#if defined(__CUDACC__)
/// The calling thread's index in the whole grid, which is one-dimensional, and
/// the number of its threads.
__device__ inline index_t grid_thread() {
  return index_t(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ inline index_t grid_threads() {
  return index_t(gridDim.x) * blockDim.x;
}
#endif

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_SUPPORT_LAUNCH_HPP
