// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The kernels that calibrate() times, to find what a device's steps cost.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_MODEL_PROBE_KERNELS_HPP
#define CUDAOPT_LEVELIZE_DETAIL_MODEL_PROBE_KERNELS_HPP

#include "cudaopt/levelize/detail/support/memory.hpp"

#if CUDAOPT_CUDA

#include <cooperative_groups.h>

namespace cudaopt::detail {

static __global__ void do_nothing() {}

/// Two blocks hand a value to and fro, \p count times, as one cell with its
/// epoch.
static __global__ void hop_by_cells(cell *cells, index_t count,
                                    std::uint64_t epoch) {
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0)
    store_cell(cells, {1, epoch});
  for (index_t k = blockIdx.x; k < count; k += 2) {
    cell c;
    do {
      c = load_cell(cells + k);
    } while (c.epoch != epoch);
    store_cell(cells + k + 1, {c.value + 1, epoch});
  }
}

/// The same with a flag beside the value: release and acquire. The cells are
/// all 0 before.
static __global__ void hop_by_flags(cell *cells, index_t count, std::uint64_t) {
  if (threadIdx.x != 0)
    return;
  auto flag = [&](index_t k) {
    return reinterpret_cast<std::uint32_t *>(&cells[k].epoch);
  };
  if (blockIdx.x == 0)
    add_release(flag(0), 1);
  for (index_t k = blockIdx.x; k < count; k += 2) {
    while (load_acquire(flag(k)) == 0) {
    }
    store_relaxed(&cells[k + 1].value, load_relaxed(&cells[k].value) + 1);
    add_release(flag(k + 1), 1);
  }
}

static __global__ void sync_grid(index_t times) {
  for (index_t k = 0; k < times; ++k)
    cooperative_groups::this_grid().sync();
}

/// A pseudorandom index below \p size, which is a power of two.
__device__ inline index_t random_place(index_t k, index_t size) {
  auto h = std::uint64_t(k) * 0x9e3779b97f4a7c15ull;
  h = (h ^ (h >> 32)) * 0xbf58476d1ce4e5b9ull;
  return index_t(h >> 20) & (size - 1);
}
__device__ inline index_t probe_thread() {
  return index_t(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ inline index_t probe_threads() {
  return index_t(gridDim.x) * blockDim.x;
}

/// Random reads. The table is all 0 and stays so; the store keeps the compiler
/// from dropping the reads.
static __global__ void gather_randomly(std::uint32_t *table, index_t size) {
  std::uint32_t sum = 0;
  for (index_t k = probe_thread(); k < size; k += probe_threads())
    sum += table[random_place(k, size)];
  if (sum != 0)
    table[0] = sum;
}
static __global__ void update_randomly(std::uint32_t *table, index_t size) {
  for (index_t k = probe_thread(); k < size; k += probe_threads())
    atomicMax(table + random_place(k, size), std::uint32_t(k));
}
static __global__ void fill_randomly(std::uint32_t *table, index_t size) {
  for (index_t k = probe_thread(); k < size; k += probe_threads())
    table[k] = std::uint32_t(random_place(k, index_t(1) << 26));
}

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_MODEL_PROBE_KERNELS_HPP
