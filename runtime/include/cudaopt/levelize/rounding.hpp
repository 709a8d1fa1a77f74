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

#include "cudaopt/levelize/detail/support/rounded.hpp"

namespace cudaopt {

/// Returns \p a * \p b, rounded to the type that `a * b` has: no compiler
/// contracts it with a sum that it is a part of.
///
/// \code{.cpp}
/// CUDAOPT_HOST_DEVICE double dot(double a, double b, double c, double d) {
///   return cudaopt::product(a, b) + cudaopt::product(c, d);
/// }
/// \endcode
///
/// \param a, b Numbers of any arithmetic types. Integers are multiplied as by
///     `*`.
///
/// On the device it is an instruction that rounds to nearest; where a host
/// compiler might contract, it costs a register move at most. There are no
/// errors; infinities and NaNs are as with `*`.
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

/// Returns \p a / \p b, rounded to the type that `a / b` has. A compiler may
/// divide by a power of two with a product, and contract that with a sum; this
/// quotient it does not contract.
///
/// \code{.cpp}
/// CUDAOPT_HOST_DEVICE float half_more(float x, float y) {
///   return cudaopt::quotient(x, 2.0f) + y;
/// }
/// \endcode
///
/// \param a, b Numbers of any arithmetic types. Integers are divided as by `/`,
///     and \p b must not be 0 then.
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
/// bits of x - v. By it `A[j] -= v` is an update by plus.
///
/// \code{.cpp}
/// template <class Memory>
/// CUDAOPT_HOST_DEVICE void subtract(Memory &memory, cudaopt::array<float> A,
///                                   cudaopt::index_t j, float v) {
///   memory.update(A, j, cudaopt::plus{}, cudaopt::negated(v));
/// }
/// \endcode
///
/// \param v A number of any arithmetic type. The sign of a NaN stays what it
///     is; integers wrap around as their type does.
template <class T> CUDAOPT_HOST_DEVICE T negated(T v) {
  if constexpr (std::is_floating_point_v<T>)
    return v != v ? v : -v;
  else
    return T(-v);
}

} // namespace cudaopt

#endif // CUDAOPT_LEVELIZE_ROUNDING_HPP
