// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// `*p = op(*p, v)` as one step, for all types of 2, 4 and 8 bytes.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_ATOMIC_UPDATE_HPP
#define CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_ATOMIC_UPDATE_HPP

#include "cudaopt/levelize/detail/support/memory.hpp"
#include "cudaopt/levelize/loop.hpp"

#if CUDAOPT_CUDA && defined(__CUDACC__)

namespace cudaopt::detail {

/// The type that CUDA's atomics have for an integer of \p Bytes bytes.
template <std::size_t Bytes, bool Signed>
using atomic_integer = std::conditional_t<
    Bytes == 4, std::conditional_t<Signed, int, unsigned>,
    std::conditional_t<Signed, long long, unsigned long long>>;

/// The update by compare and swap, for operations without an instruction.
template <class T, class Op>
__device__ void update_by_exchange(T *p, Op op, T v) {
  using B = std::conditional_t<
      sizeof(T) == 2, unsigned short,
      std::conditional_t<sizeof(T) == 4, unsigned, unsigned long long>>;
  B *word = reinterpret_cast<B *>(p);
  B seen = *reinterpret_cast<volatile B *>(word), expected;
  do {
    expected = seen;
    seen = atomicCAS(word, expected, bit_cast<B>(op(bit_cast<T>(expected), v)));
  } while (seen != expected);
}

/// Updates \p *p in one atomic step. Does nothing for types of other sizes,
/// whose loops are refused. Additions of floats in global memory take subnormal
/// numbers for 0, as the hardware's atomics do.
template <class T, class Op> __device__ void update_atomic(T *p, Op op, T v) {
  if constexpr (std::is_integral_v<T> && (sizeof(T) == 4 || sizeof(T) == 8)) {
    using U = atomic_integer<sizeof(T), false>;
    using S = atomic_integer<sizeof(T), std::is_signed_v<T>>;
    if constexpr (std::is_same_v<Op, plus>)
      atomicAdd(reinterpret_cast<U *>(p), U(v));
    else if constexpr (std::is_same_v<Op, minimum>)
      atomicMin(reinterpret_cast<S *>(p), S(v));
    else if constexpr (std::is_same_v<Op, maximum>)
      atomicMax(reinterpret_cast<S *>(p), S(v));
    else if constexpr (std::is_same_v<Op, bit_and>)
      atomicAnd(reinterpret_cast<U *>(p), U(v));
    else if constexpr (std::is_same_v<Op, bit_or>)
      atomicOr(reinterpret_cast<U *>(p), U(v));
    else if constexpr (std::is_same_v<Op, bit_xor>)
      atomicXor(reinterpret_cast<U *>(p), U(v));
    else
      update_by_exchange(p, op, v);
  } else if constexpr (std::is_floating_point_v<T> &&
                       std::is_same_v<Op, plus>) {
    atomicAdd(p, v);
  } else if constexpr (sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8) {
    update_by_exchange(p, op, v);
  }
}

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_ATOMIC_UPDATE_HPP
