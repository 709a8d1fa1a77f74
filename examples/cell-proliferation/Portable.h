// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What one source needs so that the host compiler and nvcc give it the same
/// meaning, down to the bits of floating-point results.
///
/// The same bits come out on both only from operations that IEEE 754 rounds
/// correctly: sums, products, quotients, square roots and explicit fma. Nothing
/// that runs in a simulation calls the mathematical library, and neither
/// compiler may fuse a product and a sum by itself (-ffp-contract=off,
/// -fmad=false).
//===----------------------------------------------------------------------===//

#ifndef CELLS_PORTABLE_H
#define CELLS_PORTABLE_H

#include <cmath>
#include <cstdint>
#include <cstring>

#ifdef __CUDACC__
#define CELLS_INLINE __host__ __device__ __forceinline__
#else // Also into functions for a better CPU, see Cpu.cpp.
#define CELLS_INLINE [[gnu::always_inline]] inline
#endif

namespace cells {

/// std::bit_cast, also on the device.
template <typename To, typename From> CELLS_INLINE To bitsAs(From from) {
  static_assert(sizeof(To) == sizeof(From), "the same bits");
  To to;
  std::memcpy(&to, &from, sizeof(to));
  return to;
}

/// The value of a polynomial by Horner's scheme, with fused multiply-adds; the
/// coefficient of the highest power comes first.
template <typename Real, int Count>
CELLS_INLINE Real polynomial(Real x, const Real (&coefficients)[Count]) {
  Real value = coefficients[0];
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
  for (int i = 1; i < Count; ++i)
    value = std::fma(value, x, coefficients[i]);
  return value;
}

/// The index of the highest bit that is set in \p value, which is not 0; the
/// lowest bit has index 0.
CELLS_INLINE int highestBit(uint32_t value) {
#ifdef __CUDA_ARCH__
  return 31 - __clz(value);
#else
  return 31 - __builtin_clz(value);
#endif
}

CELLS_INLINE int highestBit(uint64_t value) {
#ifdef __CUDA_ARCH__
  return 63 - __clzll(value);
#else
  return 63 - __builtin_clzll(value);
#endif
}

} // namespace cells

#endif // CELLS_PORTABLE_H
