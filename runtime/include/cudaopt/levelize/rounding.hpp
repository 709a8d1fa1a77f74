// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Operations that are rounded by themselves. A compiler may make one operation
/// of a product and a sum, which rounds once: nvcc does it by default, g++ and
/// clang where the target has such operations (-march=native, aarch64). The
/// value then depends on whether the product is added at once or is kept first.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_ROUNDING_HPP
#define CUDAOPT_LEVELIZE_ROUNDING_HPP

#include "cudaopt/levelize/config.hpp"

#include <type_traits>

namespace cudaopt {

namespace detail {

/// Whether the host compiler may contract. No macro tells of -ffp-contract=off.
constexpr bool may_contract =
#if defined(__FMA__) || defined(__FMA4__) || defined(__AVX512F__) ||           \
    !(defined(__x86_64__) || defined(__i386__) || defined(_M_X64))
    true;
#else
    false;
#endif

/// Whether it may use other operations than the source says, or round them
/// otherwise.
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

/// \p v, as no host compiler sees through it.
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

/// a + b, of which no product becomes a part.
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
/// True for powers of two; of a constant, compilers know it.
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

template <class Loop, class = void>
struct has_products_in_sums : std::false_type {};
template <class Loop>
struct has_products_in_sums<Loop,
                            std::void_t<decltype(Loop::has_products_in_sums)>>
    : std::bool_constant<Loop::has_products_in_sums> {};

} // namespace detail

/// a * b, which becomes part of no sum.
template <class A, class B> CUDAOPT_HOST_DEVICE auto product(A a, B b) {
  using T = decltype(a * b);
#if CUDAOPT_ON_DEVICE
  if constexpr (std::is_same_v<T, float>)
    return __fmul_rn(T(a), T(b));
  else if constexpr (std::is_same_v<T, double>)
    return __dmul_rn(T(a), T(b));
  else
    return T(a * b);
#else
  return detail::kept(T(a * b));
#endif
}

/// a / b, of which no compiler makes a product that becomes part of a sum.
template <class A, class B> CUDAOPT_HOST_DEVICE auto quotient(A a, B b) {
  using T = decltype(a / b);
#if CUDAOPT_ON_DEVICE
  if constexpr (std::is_same_v<T, float>)
    return detail::has_exact_inverse(T(b)) ? __fmul_rn(T(a), 1 / T(b))
                                           : __fdiv_rn(T(a), T(b));
  else if constexpr (std::is_same_v<T, double>)
    return detail::has_exact_inverse(T(b)) ? __dmul_rn(T(a), 1 / T(b))
                                           : __ddiv_rn(T(a), T(b));
  else
    return T(a / b);
#else
  return detail::kept(T(a / b));
#endif
}

/// What is added where \p v is subtracted: x - v has the bits of
/// x + negated(v), also where v is no number, whose sign stays what it is.
template <class T> CUDAOPT_HOST_DEVICE T negated(T v) {
  if constexpr (std::is_floating_point_v<T>)
    return v != v ? v : -v;
  else
    return T(-v);
}

} // namespace cudaopt

#endif // CUDAOPT_LEVELIZE_ROUNDING_HPP
