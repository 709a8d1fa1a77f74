// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Division by a number that is known before the dividend, as the pivot of a
/// row is: the quotient has the bits of `/`, in about half of the time.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DIVISOR_HPP
#define CUDAOPT_LEVELIZE_DIVISOR_HPP

#include "cudaopt/levelize/detail/support/memory.hpp"

#include <cmath>

namespace cudaopt {

/// A divisor and its reciprocal. On the device divide() is a product and two
/// corrections by fused multiply-adds; on the host it is a division.
///
/// \code{.cpp}
/// CUDAOPT_HOST_DEVICE double mean_of(double a, double b, double c, double n) {
///   const cudaopt::divisor by_n(n); // Before a, b and c are known.
///   return by_n.divide(a) + by_n.divide(b) + by_n.divide(c);
/// }
/// \endcode
///
/// It is exact by P. Markstein's theorem: from the correctly rounded reciprocal
/// and a quotient that is off by less than a unit in the last place, one
/// correction with fused multiply-adds rounds correctly. The first correction
/// gives such a quotient.
class divisor {
public:
  /// Makes a divisor without a value, to be assigned to before it is used.
  divisor() = default;
  /// Makes the divisor \p d, of any value: zeros, infinities and NaNs divide as
  /// `/` does.
  CUDAOPT_HOST_DEVICE explicit divisor(double d)
      : divisor_(d), reciprocal_(1.0 / d), is_usual_(is_usual(d)) {}

  /// Returns \p dividend / divisor, with the bits of `/` rounded to nearest,
  /// for all values of both.
  CUDAOPT_HOST_DEVICE double divide(double dividend) const {
#if CUDAOPT_ON_DEVICE
    if (is_usual_ && is_usual(dividend))
      return corrected(dividend);
#endif
    return dividend / divisor_;
  }

private:
  /// Returns true if the exponent is between -400 and 400: then no intermediate
  /// result overflows or becomes subnormal. False for 0, infinities and NaNs.
  CUDAOPT_HOST_DEVICE static bool is_usual(double d) {
    const auto exponent =
        std::uint32_t(detail::bit_cast<std::uint64_t>(d) >> 52) & 0x7ffu;
    return exponent - (1023u - 400u) <= 800u;
  }
  CUDAOPT_HOST_DEVICE double corrected(double dividend) const {
    double q = dividend * reciprocal_;
    q = fma(fma(-q, divisor_, dividend), reciprocal_, q);
    return fma(fma(-q, divisor_, dividend), reciprocal_, q);
  }

  double divisor_, reciprocal_;
  bool is_usual_;
};

} // namespace cudaopt

#endif // CUDAOPT_LEVELIZE_DIVISOR_HPP
