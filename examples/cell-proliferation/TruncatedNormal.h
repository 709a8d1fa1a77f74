// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Numbers of a normal law that is cut off at 0, from random words by the
/// inverse of its distribution function: no rejection, hence no loop.
///
/// The quantile of the standard normal law is sqrt(2) times the inverse error
/// function, by the polynomials of M. Giles (Approximating the erfinv function,
/// GPU Computing Gems, 2011), with a logarithm of our own.
//===----------------------------------------------------------------------===//

#ifndef CELLS_TRUNCATEDNORMAL_H
#define CELLS_TRUNCATEDNORMAL_H

#include "Philox.h"

namespace cells {

/// A number in (0, 1), never one of the ends: an odd multiple of 2^-53 or, as a
/// float, of 2^-24.
template <typename Real> CELLS_INLINE Real uniform(uint32_t high, uint32_t low);

template <> CELLS_INLINE double uniform<double>(uint32_t high, uint32_t low) {
  uint64_t word = uint64_t(high) << 32 | low;
  double from1To2 = bitsAs<double>(word >> 12 | 0x3FF0000000000000u);
  return from1To2 - (1.0 - 0x1p-53);
}

template <> CELLS_INLINE float uniform<float>(uint32_t high, uint32_t) {
  float from1To2 = bitsAs<float>(high >> 9 | 0x3F800000u);
  return from1To2 - (1.0f - 0x1p-24f);
}

// Coefficients are declared twice: the host has them as constants, the GPU in
// constant memory, from where an fma takes an operand without an instruction of
// its own.
#ifdef __CUDACC__
#define CELLS_COEFFICIENTS(Real, NAME, ...)                                    \
  constexpr Real NAME[] = {__VA_ARGS__};                                       \
  [[maybe_unused]] static __constant__ Real NAME##_ON_GPU[] = {__VA_ARGS__};
#else
#define CELLS_COEFFICIENTS(Real, NAME, ...)                                    \
  constexpr Real NAME[] = {__VA_ARGS__};
#endif
#ifdef __CUDA_ARCH__
#define CELLS_POLYNOMIAL(x, NAME) polynomial(x, NAME##_ON_GPU)
#else
#define CELLS_POLYNOMIAL(x, NAME) polynomial(x, NAME)
#endif

CELLS_COEFFICIENTS(double, DOUBLE_RECIPROCAL, -0.0571351066, 0.4709441153,
                   -1.4485413955, 1.9703441362)
CELLS_COEFFICIENTS(double, DOUBLE_LOG, 1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13,
                   1.0 / 11, 1.0 / 9, 1.0 / 7, 1.0 / 5, 1.0 / 3, 1.0)
CELLS_COEFFICIENTS(double, DOUBLE_CENTRE, -3.6444120640178196996e-21,
                   -1.685059138182016589e-19, 1.2858480715256400167e-18,
                   1.115787767802518096e-17, -1.333171662854620906e-16,
                   2.0972767875968561637e-17, 6.6376381343583238325e-15,
                   -4.0545662729752068639e-14, -8.1519341976054721522e-14,
                   2.6335093153082322977e-12, -1.2975133253453532498e-11,
                   -5.4154120542946279317e-11, 1.051212273321532285e-09,
                   -4.1126339803469836976e-09, -2.9070369957882005086e-08,
                   4.2347877827932403518e-07, -1.3654692000834678645e-06,
                   -1.3882523362786468719e-05, 0.0001867342080340571352,
                   -0.00074070253416626697512, -0.0060336708714301490533,
                   0.24015818242558961693, 1.6536545626831027356)
CELLS_COEFFICIENTS(double, DOUBLE_TAIL, 2.2137376921775787049e-09,
                   9.0756561938885390979e-08, -2.7517406297064545428e-07,
                   1.8239629214389227755e-08, 1.5027403968909827627e-06,
                   -4.013867526981545969e-06, 2.9234449089955446044e-06,
                   1.2475304481671778723e-05, -4.7318229009055733981e-05,
                   6.8284851459573175448e-05, 2.4031110387097893999e-05,
                   -0.0003550375203628474796, 0.00095328937973738049703,
                   -0.0016882755560235047313, 0.0024914420961078508066,
                   -0.0037512085075692412107, 0.005370914553590063617,
                   1.0052589676941592334, 3.0838856104922207635)
CELLS_COEFFICIENTS(double, DOUBLE_FAR_TAIL, -2.7109920616438573243e-11,
                   -2.5556418169965252055e-10, 1.5076572693500548083e-09,
                   -3.7894654401267369937e-09, 7.6157012080783393804e-09,
                   -1.4960026627149240478e-08, 2.9147953450901080826e-08,
                   -6.7711997758452339498e-08, 2.2900482228026654717e-07,
                   -9.9298272942317002539e-07, 4.5260625972231537039e-06,
                   -1.9681778105531670567e-05, 7.5995277030017761139e-05,
                   -0.00021503011930044477347, -0.00013871931833623122026,
                   1.0103004648645343977, 4.8499064014085844221)
CELLS_COEFFICIENTS(float, FLOAT_LOG, 7.0376836292e-2f, -1.1514610310e-1f,
                   1.1676998740e-1f, -1.2420140846e-1f, 1.4249322787e-1f,
                   -1.6668057665e-1f, 2.0000714765e-1f, -2.4999993993e-1f,
                   3.3333331174e-1f)
CELLS_COEFFICIENTS(float, FLOAT_CENTRE, 2.81022636e-08f, 3.43273939e-07f,
                   -3.5233877e-06f, -4.39150654e-06f, 0.00021858087f,
                   -0.00125372503f, -0.00417768164f, 0.246640727f, 1.50140941f)
CELLS_COEFFICIENTS(float, FLOAT_TAIL, -0.000200214257f, 0.000100950558f,
                   0.00134934322f, -0.00367342844f, 0.00573950773f,
                   -0.0076224613f, 0.00943887047f, 1.00167406f, 2.83297682f)

/// 1/x for x in [1.7071, 2.4142], to the last bits: from a cubic by Newton's
/// method. A quotient would be exact, but has branches on the GPU.
CELLS_INLINE double reciprocal(double x) {
  double y = CELLS_POLYNOMIAL(x, DOUBLE_RECIPROCAL);
  y = std::fma(y, std::fma(-x, y, 1.0), y);
  return std::fma(y, std::fma(-x, y, 1.0), y);
}

/// The natural logarithm of a normal number.
CELLS_INLINE double logarithm(double x) {
  uint64_t bits = bitsAs<uint64_t>(x);
  // The mantissa goes to [sqrt(1/2), sqrt(2)).
  uint64_t shifted = bits - 0x3FE6A09E667F3BCDu;
  int exponent = int(int64_t(shifted) >> 52);
  double mantissa = bitsAs<double>(bits - (shifted & 0xFFF0000000000000u));
  double ratio = (mantissa - 1.0) * reciprocal(mantissa + 1.0);
  return std::fma(double(exponent), 0.69314718055994530942,
                  2.0 * ratio * CELLS_POLYNOMIAL(ratio * ratio, DOUBLE_LOG));
}

CELLS_INLINE float logarithm(float x) {
  uint32_t bits = bitsAs<uint32_t>(x);
  uint32_t shifted = bits - 0x3F3504F3u;
  int exponent = int(int32_t(shifted) >> 23);
  float part = bitsAs<float>(bits - (shifted & 0xFF800000u)) - 1.0f;
  // log(1 + part) on [sqrt(1/2) - 1, sqrt(2) - 1), the polynomial of Cephes.
  float square = part * part;
  float tail = CELLS_POLYNOMIAL(part, FLOAT_LOG) * part * square;
  return std::fma(float(exponent), 0.693147181f,
                  part + std::fma(-0.5f, square, tail));
}

/// The depth above which the polynomials of the tails are needed; most numbers
/// are below it. The depth is -log(1 - x^2), where x = 2u - 1 is the argument
/// of the inverse error function.
CELLS_INLINE double deepOf(double) { return 6.25; }
CELLS_INLINE float deepOf(float) { return 5.0f; }

CELLS_INLINE double centre(double depth) {
  return CELLS_POLYNOMIAL(depth - 3.125, DOUBLE_CENTRE);
}
CELLS_INLINE float centre(float depth) {
  return CELLS_POLYNOMIAL(depth - 2.5f, FLOAT_CENTRE);
}

CELLS_INLINE double deepTail(double depth) {
  double root = std::sqrt(depth);
  return depth < 16.0 ? CELLS_POLYNOMIAL(root - 3.25, DOUBLE_TAIL)
                      : CELLS_POLYNOMIAL(root - 5.0, DOUBLE_FAR_TAIL);
}
CELLS_INLINE float deepTail(float depth) {
  return CELLS_POLYNOMIAL(std::sqrt(depth) - 3.0f, FLOAT_TAIL);
}

template <typename Real> struct Two {
  Real left, right;
};

/// The quantiles of the standard normal law at two numbers in (0, 1). Two at a
/// time, so that their instructions overlap; the branch is seldom taken.
template <typename Real> CELLS_INLINE Two<Real> quantiles(Two<Real> u) {
  constexpr Real ROOT2 = Real(1.41421356237309504880);
  Two<Real> above = {1 - u.left, 1 - u.right};
  Two<Real> depth = {-logarithm(4 * u.left * above.left),
                     -logarithm(4 * u.right * above.right)};
  Two<Real> factor = {centre(depth.left), centre(depth.right)};
  const Real deep = deepOf(Real());
  if (depth.left >= deep || depth.right >= deep) {
    factor.left = depth.left >= deep ? deepTail(depth.left) : factor.left;
    factor.right = depth.right >= deep ? deepTail(depth.right) : factor.right;
  }
  return {factor.left * (ROOT2 * (u.left - above.left)),
          factor.right * (ROOT2 * (u.right - above.right))};
}

template <typename Real> CELLS_INLINE Real quantile(Real u) {
  return quantiles<Real>({u, u}).left;
}

/// A normal law that is cut off at 0: only what is above counts.
template <typename Real> class TruncatedNormal {
public:
  Real mean, deviation;
  Real below;  ///< The probability that the whole law gives to numbers below 0.
  Real within; ///< 1 - below.

  /// Two numbers from four random words.
  CELLS_INLINE Two<Real> draw(Words words) const {
    Two<Real> q = quantiles<Real>(
        {probability(words.x, words.y), probability(words.z, words.w)});
    return {value(q.left), value(q.right)};
  }

private:
  static constexpr bool IS_DOUBLE = sizeof(Real) == 8;

  /// A uniform number between `below` and 1, whose quantile is hence above 0.
  CELLS_INLINE Real probability(uint32_t high, uint32_t low) const {
    constexpr Real MOST = Real(1) - Real(IS_DOUBLE ? 0x1p-53 : 0x1p-24);
    Real u = std::fma(uniform<Real>(high, low), within, below);
    return u < MOST ? u : MOST;
  }

  CELLS_INLINE Real value(Real quantile) const {
    // Rounding may reach 0, where no interval between divisions may be.
    constexpr Real LEAST = Real(IS_DOUBLE ? 0x1p-40 : 0x1p-20);
    Real value = std::fma(deviation, quantile, mean);
    return value > LEAST ? value : LEAST;
  }
};

/// The normal distribution function at -\p x, x > 0: the u whose quantile is
/// -x. It takes no mathematical library, so that all machines agree on it.
inline double probabilityBelow(double x) {
  // No uniform number is as small as the probability of -8.3.
  if (!(x < 8.3))
    return 0.0;
  uint64_t low = bitsAs<uint64_t>(1e-17), high = bitsAs<uint64_t>(0.5);
  while (low < high) {
    uint64_t middle = low + (high - low) / 2;
    if (quantile(bitsAs<double>(middle)) < -x)
      low = middle + 1;
    else
      high = middle;
  }
  return bitsAs<double>(low);
}

template <typename Real>
TruncatedNormal<Real> truncatedNormal(double mean, double deviation) {
  double below = deviation > 0 ? probabilityBelow(mean / deviation) : 0.0;
  TruncatedNormal<Real> law;
  law.mean = Real(mean);
  law.deviation = Real(deviation);
  law.below = Real(below);
  law.within = Real(1.0 - below);
  return law;
}

} // namespace cells

#endif // CELLS_TRUNCATEDNORMAL_H
