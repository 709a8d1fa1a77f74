// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The second half of strategy::ordered_reduction: folds the recorded values of
/// each location, in the loop's order, into the location's value. The values of
/// one location are a segment of the sorted order. Short segments have a thread
/// each; long ones have a warp, which cannot add faster, as the order is fixed,
/// but loads ahead.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_SEGMENT_FOLD_HPP
#define CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_SEGMENT_FOLD_HPP

#include "cudaopt/levelize/detail/inspect/update_kinds.hpp"
#include "cudaopt/levelize/detail/strategies/chain_table.hpp"

#if CUDAOPT_CUDA && defined(__CUDACC__)

namespace cudaopt::detail {

/// Values as they were recorded, one a slot, and their order by location.
template <class Number> struct recorded_values {
  chain_view<Number> order;
  const char *values;
  unsigned slot_bytes;

  __device__ const char *at(index_t p) const {
    return values + index_t(order.iterations[p]) * slot_bytes;
  }
  /// Returns true if a segment begins at position \p p.
  __device__ bool is_head(index_t p) const {
    return p == 0 || order.locations[p - 1] != order.locations[p];
  }
  __device__ bool has(index_t p, Number location) const {
    return p < order.size && order.locations[p] == location;
  }
};

/// Folds short segments. A thread has a position; if a short segment begins
/// there, it folds the segment.
template <class Number>
__global__ void __launch_bounds__(block_threads)
    fold_short(recorded_values<Number> from,
               const __grid_constant__ updated_arrays arrays, index_t first) {
  const index_t p = first + grid_thread();
  if (p >= from.order.size || !from.is_head(p))
    return;
  const Number location = from.order.locations[p];
  if (from.has(p + long_chain, location))
    return;
  index_t end = p + 1;
  while (from.has(end, location))
    ++end;
  const folded_element e = element_at(arrays, index_t(location));
  with_kind(e.kind, [&](auto zero, auto op) {
    using V = decltype(zero);
    V x = load_number<V>(e.place, e.kind.bytes);
#pragma unroll 4
    for (index_t q = p; q < end; ++q)
      x = op(x, load_number<V>(from.at(q), e.kind.bytes));
    store_number(e.place, e.kind.bytes, x);
  });
}

/// The numbers of values that a lane and a warp have in flight.
constexpr int fold_each = 8;
constexpr int fold_chunk = fold_each * warp_lanes;

/// What a lane holds of a segment: values of one chunk, and the indices of
/// those of the next chunk.
template <class V, class Number> struct fold_reader {
  const recorded_values<Number> &from;
  Number location;
  unsigned bytes;
  bool is_mine[fold_each] = {};
  Number places[fold_each] = {};
  V values[fold_each] = {};

  /// Starts the loads that find the values of the chunk at \p p. Nothing here
  /// waits for their results.
  __device__ void find(index_t p) {
#pragma unroll
    for (int k = 0; k < fold_each; ++k) {
      const index_t q = p + k * warp_lanes + lane_of_warp();
      const index_t there = q < from.order.size ? q : 0;
      is_mine[k] = from.order.locations[there] == location && q == there;
      places[k] = from.order.iterations[there];
    }
  }
  /// The number of values found; waits for the loads of find().
  __device__ int count() const {
    int valid = 0;
#pragma unroll
    for (int k = 0; k < fold_each; ++k)
      valid += __popc(__ballot_sync(~0u, is_mine[k]));
    return valid;
  }
  __device__ void load() {
#pragma unroll
    for (int k = 0; k < fold_each; ++k)
      if (is_mine[k])
        values[k] = load_number<V>(
            from.values + index_t(places[k]) * from.slot_bytes, bytes);
  }
};

/// Folds the long segment at position \p p by one warp. Lanes load ahead,
/// indices for two chunks and values for one, while all of them fold the same
/// values in order. \p chunk is shared memory for one chunk.
template <class V, class Op, class Number>
__device__ void fold_long_one(const recorded_values<Number> &from, index_t p,
                              const folded_element &e, Op op, V *chunk) {
  fold_reader<V, Number> reader{from, from.order.locations[p], e.kind.bytes};
  V x = load_number<V>(e.place, e.kind.bytes);
  reader.find(p);
  int valid = reader.count();
  reader.load();
  reader.find(p + fold_chunk);
  int next = reader.count();
  while (valid > 0) {
#pragma unroll
    for (int k = 0; k < fold_each; ++k)
      chunk[k * warp_lanes + lane_of_warp()] = reader.values[k];
    __syncwarp();
    p += fold_chunk;
    reader.load();
    reader.find(p + fold_chunk);
    if (valid == fold_chunk) {
#pragma unroll 32
      for (int k = 0; k < fold_chunk; ++k)
        x = op(x, chunk[k]);
    } else {
      for (int k = 0; k < valid; ++k)
        x = op(x, chunk[k]);
    }
    __syncwarp();
    valid = next;
    next = next > 0 ? reader.count() : 0;
  }
  if (lane_of_warp() == 0)
    store_number(e.place, e.kind.bytes, x);
}

/// Warps of a block that folds long segments.
constexpr int fold_warps = 4;

template <class Number>
__global__ void __launch_bounds__(fold_warps *warp_lanes)
    fold_long(recorded_values<Number> from,
              const __grid_constant__ updated_arrays arrays) {
  __shared__ std::uint64_t chunks[fold_warps][fold_chunk];
  const int warp = int(threadIdx.x) / warp_lanes;
  for (index_t k = index_t(blockIdx.x) * fold_warps + warp;
       k < from.order.number_long; k += index_t(gridDim.x) * fold_warps) {
    const index_t p = index_t(from.order.long_chains[k]);
    const folded_element e =
        element_at(arrays, index_t(from.order.locations[p]));
    with_kind(e.kind, [&](auto zero, auto op) {
      using V = decltype(zero);
      fold_long_one<V>(from, p, e, op, reinterpret_cast<V *>(chunks[warp]));
    });
  }
}

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_SEGMENT_FOLD_HPP
