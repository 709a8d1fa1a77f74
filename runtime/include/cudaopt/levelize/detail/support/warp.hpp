// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Reductions over the 32 lanes of a warp, which all lanes must call together;
/// each gets the result.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_SUPPORT_WARP_HPP
#define CUDAOPT_LEVELIZE_DETAIL_SUPPORT_WARP_HPP

#include "cudaopt/levelize/config.hpp"

namespace cudaopt::detail {

constexpr int warp_lanes = 32;
constexpr unsigned full_warp = ~0u;

#if CUDAOPT_CUDA && defined(__CUDACC__)

/// The calling thread's lane, in a one-dimensional block.
__device__ inline unsigned lane_of_warp() {
  return threadIdx.x % unsigned(warp_lanes);
}

/// Combines the \p n of all lanes. \p combine is associative and commutative.
template <class Number, class Combine>
__device__ Number warp_fold(Number n, Combine combine) {
  for (int d = warp_lanes / 2; d; d /= 2)
    n = combine(n, __shfl_xor_sync(full_warp, n, d));
  return n;
}

template <class Number> __device__ Number warp_sum(Number n) {
  return warp_fold(n, [](Number a, Number b) { return a + b; });
}
template <class Number> __device__ Number warp_max(Number n) {
  return warp_fold(n, [](Number a, Number b) { return b > a ? b : a; });
}
template <class Number> __device__ Number warp_min(Number n) {
  return warp_fold(n, [](Number a, Number b) { return b < a ? b : a; });
}
template <class Number> __device__ Number warp_or(Number n) {
  return warp_fold(n, [](Number a, Number b) { return a | b; });
}

// Words have instructions since sm_80.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
__device__ inline unsigned warp_max(unsigned n) {
  return __reduce_max_sync(full_warp, n);
}
__device__ inline int warp_max(int n) {
  return __reduce_max_sync(full_warp, n);
}
__device__ inline unsigned warp_min(unsigned n) {
  return __reduce_min_sync(full_warp, n);
}
__device__ inline unsigned warp_or(unsigned n) {
  return __reduce_or_sync(full_warp, n);
}
#endif

#endif

} // namespace cudaopt::detail

#endif // CUDAOPT_LEVELIZE_DETAIL_SUPPORT_WARP_HPP
