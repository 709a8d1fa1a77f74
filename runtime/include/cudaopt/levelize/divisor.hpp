// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Division by a number that is known before the dividend: the quotient has the
/// bits of `/`, in about half of the time.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DIVISOR_HPP
#define CUDAOPT_LEVELIZE_DIVISOR_HPP

#include "cudaopt/levelize/memory.hpp"

#include <cmath>

namespace cudaopt {

/// P. Markstein's theorem: from the correctly rounded reciprocal and a quotient
/// that is off by less than a unit in the last place, one correction with fused
/// multiply-adds rounds correctly. The first correction gives such a quotient.
class divisor {
public:
  divisor() = default;
  CUDAOPT_HOST_DEVICE explicit divisor(double d)
      : Divisor(d), Reciprocal(1.0 / d), IsUsual(is_usual(d)) {}

  /// dividend / divisor.
  CUDAOPT_HOST_DEVICE double divide(double dividend) const {
#if CUDAOPT_ON_DEVICE
    if (IsUsual && is_usual(dividend))
      return corrected(dividend);
#endif
    return dividend / Divisor;
  }

private:
  /// Nothing overflows or loses bits at the bottom: the exponent is between
  /// -400 and 400.
  CUDAOPT_HOST_DEVICE static bool is_usual(double d) {
    const auto exponent =
        std::uint32_t(detail::bit_cast<std::uint64_t>(d) >> 52) & 0x7ffu;
    return exponent - (1023u - 400u) <= 800u;
  }
  CUDAOPT_HOST_DEVICE double corrected(double dividend) const {
    double q = dividend * Reciprocal;
    q = fma(fma(-q, Divisor, dividend), Reciprocal, q);
    return fma(fma(-q, Divisor, dividend), Reciprocal, q);
  }

  double Divisor, Reciprocal;
  bool IsUsual;
};

} // namespace cudaopt

#endif // CUDAOPT_LEVELIZE_DIVISOR_HPP
