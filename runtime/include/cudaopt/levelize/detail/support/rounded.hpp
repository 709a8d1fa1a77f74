// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What rounding.hpp is made of: operations of which no compiler makes one with
/// others, and what the host compiler may do with those of a program.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_SUPPORT_ROUNDED_HPP
#define CUDAOPT_LEVELIZE_DETAIL_SUPPORT_ROUNDED_HPP

#include "cudaopt/levelize/config.hpp"

#include <type_traits>

namespace cudaopt::detail {

/// True if the host compiler may contract, as far as macros tell: there is none
/// for -ffp-contract=off, so that targets with fused operations count.
constexpr bool may_contract =
#if defined(__FMA__) || defined(__FMA4__) || defined(__AVX512F__) ||           \
    !(defined(__x86_64__) || defined(__i386__) || defined(_M_X64))
    true;
#else
    false;
#endif

/// True if the host compiler may use other operations than the source says
/// (-ffast-math and its parts), or other precisions (x87).
constexpr bool may_reassociate =
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) ||                 \
    defined(__RECIPROCAL_MATH__) ||                                            \
    (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) ||                 \
    (defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0 &&               \
     __FLT_EVAL_METHOD__ != 16)
    true;
#else
    false;
#endif

/// Returns \p v through an empty asm, which no host compiler sees through: what
/// made the value is not contracted with what uses it.
template <class T> CUDAOPT_HOST_DEVICE T kept(T v) {
#if !CUDAOPT_ON_DEVICE && defined(__GNUC__) && defined(__x86_64__)
  if constexpr (may_contract && std::is_floating_point_v<T> && sizeof(T) <= 8)
    __asm__("" : "+x"(v));
#elif !CUDAOPT_ON_DEVICE && defined(__GNUC__) && defined(__aarch64__)
  if constexpr (std::is_floating_point_v<T> && sizeof(T) <= 8)
    __asm__("" : "+w"(v));
#endif
  return v;
}

/// Returns a + b as one rounded operation; no product is contracted with it.
template <class T> CUDAOPT_HOST_DEVICE T rounded_sum(T a, T b) {
#if CUDAOPT_ON_DEVICE
  if constexpr (std::is_same_v<T, float>)
    return __fadd_rn(a, b);
  else if constexpr (std::is_same_v<T, double>)
    return __dadd_rn(a, b);
  else
    return T(a + b);
#else
  return T(kept(a) + kept(b));
#endif
}

#if CUDAOPT_ON_DEVICE
/// Returns true if 1 / b is exact and normal, which is so for powers of two.
/// Compilers divide by such constants with a product; quotient() does the same
/// by itself, so that none of them does it later.
__device__ inline bool has_exact_inverse(float b) {
  const unsigned bits = __float_as_uint(b), exponent = bits >> 23 & 0xff;
  return (bits & 0x7fffff) == 0 && exponent >= 1 && exponent <= 253;
}
__device__ inline bool has_exact_inverse(double b) {
  const unsigned long long bits = (unsigned long long)__double_as_longlong(b);
  const unsigned exponent = unsigned(bits >> 52) & 0x7ff;
  return (bits & 0xfffffffffffffull) == 0 && exponent >= 1 && exponent <= 2045;
}
#endif

} // namespace cudaopt::detail

#endif // CUDAOPT_LEVELIZE_DETAIL_SUPPORT_ROUNDED_HPP
