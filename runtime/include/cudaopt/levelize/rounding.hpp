// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Operations that are rounded by themselves: product(), quotient(), negated().
/// A compiler may contract a product and a sum to one operation, which rounds
/// once: nvcc does it by default, g++ and clang where the target has such
/// operations (-march=native, aarch64). The value then depends on whether the
/// product is added at once or is kept first, so that a loop could have other
/// bits on the device than on the host, or by one strategy than by another.
/// Bodies write `cudaopt::product(a, b) + c` instead of `a * b + c`:
///
/// \code{.cpp}
/// struct axpy_at {                          // y[j[i]] = a * x[i] + y[j[i]];
///   cudaopt::array<double> y;
///   const double *x;
///   const int *j;
///   double a;
///
///   auto arrays() const { return cudaopt::extents_of(y); }
///   template <class Touch>
///   CUDAOPT_HOST_DEVICE void slice(cudaopt::index_t i, Touch &touch) const {
///     touch.update(y, j[i], cudaopt::plus{});
///   }
///   template <class Memory>
///   CUDAOPT_HOST_DEVICE void body(cudaopt::index_t i, Memory &memory) const {
///     memory.update(y, j[i], cudaopt::plus{}, cudaopt::product(a, x[i]));
///   }
/// };
/// \endcode
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_ROUNDING_HPP
#define CUDAOPT_LEVELIZE_ROUNDING_HPP

#include "cudaopt/levelize/config.hpp"

#include <type_traits>

namespace cudaopt {

namespace detail {

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

/// True for loops that say that their source adds products: a compiler that
/// contracts may give the loop other bits than the operations of its source.
template <class Loop, class = void>
struct has_products_in_sums : std::false_type {};
template <class Loop>
struct has_products_in_sums<Loop,
                            std::void_t<decltype(Loop::has_products_in_sums)>>
    : std::bool_constant<Loop::has_products_in_sums> {};

} // namespace detail

/// Returns a * b, rounded to the type that `a * b` has: no compiler contracts
/// it with a sum that it is a part of. On the device an instruction that rounds
/// to nearest; where a host compiler might contract, it costs a register move
/// at most. Integers are multiplied as ever.
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

/// Returns a / b, rounded to the type that `a / b` has. A compiler may divide
/// by a power of two with a product, and contract that with a sum; this one it
/// does not.
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

/// Returns what to add where \p v is to be subtracted: x + negated(v) has the
/// bits of x - v, also where v is a NaN, whose sign bit stays what it is. By it
/// `A[j] -= v` is an update by plus.
template <class T> CUDAOPT_HOST_DEVICE T negated(T v) {
  if constexpr (std::is_floating_point_v<T>)
    return v != v ? v : -v;
  else
    return T(-v);
}

} // namespace cudaopt

#endif // CUDAOPT_LEVELIZE_ROUNDING_HPP
