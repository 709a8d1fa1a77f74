// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The kernels that execute a row_loop: one for each order, the copy of cells
/// to x, and the pass that looks at all sources beforehand.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_ROWS_ROW_KERNELS_HPP
#define CUDAOPT_LEVELIZE_DETAIL_ROWS_ROW_KERNELS_HPP

#include "cudaopt/levelize/detail/rows/row_block.hpp"
#include "cudaopt/levelize/detail/rows/row_wave.hpp"

#if CUDAOPT_CUDA

namespace cudaopt::detail {

/// Threads of a block of the kernels that execute rows.
constexpr int row_threads = 128;

/// Runs blocks of rows until none is left. Warps claim them in order, and a row
/// waits only for rows of blocks claimed before. So the first unfinished block
/// is always some running warp's that need not wait, and all waits end,
/// whichever blocks of the grid are resident.
template <class Warp, class Loop, class Order>
__device__ void run_blocks(const Loop &loop, const Order &order,
                           const row_run &run) {
  extern __shared__ std::int64_t row_memory[];
  using slots = row_slots<Loop>;
  char *memory = reinterpret_cast<char *>(row_memory) +
                 threadIdx.x / 32 * slots::bytes(run.slots);
  const slots mine(memory, run.slots);
  const row_cells<typename Loop::value_type> cells(
      run.cells, load_relaxed(&run.control->epoch));
  Warp warp(loop, order, run, mine, cells);
  auto *next = reinterpret_cast<unsigned long long *>(&run.control->next);
  for (bool goes_on = true; goes_on;) {
    index_t block = 0;
    if (threadIdx.x % 32 == 0)
      block = index_t(atomicAdd(next, 1ull));
    block = __shfl_sync(full_warp, block, 0);
    goes_on = block < run.blocks && warp.execute(block);
  }
  __syncthreads();
  // The last block prepares the next execution: all others have read all.
  if (threadIdx.x == 0) {
    __threadfence();
    if (atomicAdd(&run.control->finished, 1u) == gridDim.x - 1) {
      run.control->next = 0;
      run.control->finished = 0;
      run.control->epoch += 1;
    }
  }
}

template <class Loop>
__global__ void __launch_bounds__(row_threads, 5)
    run_rows(const Loop loop, const loop_order order, const row_run run) {
  run_blocks<row_block<Loop>>(loop, order, run);
}
template <class Loop>
__global__ void __launch_bounds__(row_threads, 5)
    run_waves(const Loop loop, const row_level_order order, const row_run run) {
  run_blocks<row_wave<Loop>>(loop, order, run);
}

/// The kernel that executes rows in an order of type \p Order.
template <class Loop, class Order> struct row_kernel;
template <class Loop> struct row_kernel<Loop, loop_order> {
  static constexpr auto run = run_rows<Loop>;
};
template <class Loop> struct row_kernel<Loop, row_level_order> {
  static constexpr auto run = run_waves<Loop>;
};

/// Copies the cells to x, after all rows have read what they need of its old
/// values. Leaves x alone if the execution stalled.
template <class Loop, class Order>
__global__ void __launch_bounds__(256)
    commit_rows(const Loop loop, const Order order, const row_run run) {
  using cells = row_cells<typename Loop::value_type>;
  const cells from(run.cells, 0);
  if (load_relaxed(&run.control->watch.stalled))
    return;
  for (index_t s = index_t(blockIdx.x) * blockDim.x + threadIdx.x;
       s < run.positions; s += index_t(gridDim.x) * blockDim.x)
    loop.x.data[loop.row(order.iteration(s))] = cells::value(from.load(s));
}

/// What one pass over the sources of all rows tells.
struct row_facts {
  unsigned long long terms = 0;
  unsigned long long longest = 0; ///< The most terms of a row.
  unsigned long long old = 0;     ///< Terms that read old values.
  /// Terms whose source is at most 32 rows before.
  unsigned long long near = 0;
  /// The first iteration that reads outside of x; ~0 if there is none.
  unsigned long long first_bad = ~0ull;
};

/// Gathers row_facts. Eight lanes have a row.
template <class Loop>
__global__ void __launch_bounds__(256)
    inspect_rows(const Loop loop, index_t rows, row_facts *facts) {
  unsigned long long terms = 0, longest = 0, old = 0, near = 0, bad = ~0ull;
  const index_t groups = index_t(gridDim.x) * blockDim.x / 8;
  for (index_t t = (index_t(blockIdx.x) * blockDim.x + threadIdx.x) / 8;
       t < rows; t += groups) {
    const index_t i = loop.row(t), begin = loop.begin(i), end = loop.end(i);
    if (threadIdx.x % 8 == 0 && end > begin) {
      const auto length = (unsigned long long)(end - begin);
      terms += length;
      longest = length > longest ? length : longest;
    }
    for (index_t k = begin + threadIdx.x % 8; k < end; k += 8) {
      const index_t j = loop.source(k), u = loop.iteration(j);
      if (std::uint64_t(j) >= std::uint64_t(loop.x.size))
        bad = (unsigned long long)t < bad ? (unsigned long long)t : bad;
      const bool is_old = u < 0 || u >= t;
      old += is_old;
      near += !is_old && t - u <= 32;
    }
  }
  terms = warp_sum(terms);
  old = warp_sum(old);
  near = warp_sum(near);
  longest = warp_max(longest);
  if (bad != ~0ull)
    atomicMin(&facts->first_bad, bad);
  if (threadIdx.x % 32 == 0) {
    atomicAdd(&facts->terms, terms);
    atomicAdd(&facts->old, old);
    atomicAdd(&facts->near, near);
    atomicMax(&facts->longest, longest);
  }
}

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_ROWS_ROW_KERNELS_HPP
