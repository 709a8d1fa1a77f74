// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Floating-point numbers as the GPU computes them, on the host's types.
/// Numbers of 16 bits are computed as doubles: for a single operation on them
/// the second rounding changes nothing, since 53 >= 2 * 11 + 2.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_SIMT_FLOAT_H
#define CUDAOPT_LIB_SIMT_FLOAT_H

#include "llvm/ADT/FloatingPointMode.h"
#include "llvm/Support/ErrorHandling.h"
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace cudaopt::simt {

// NaNs. Operations on float and half return the canonical NaN, without the
// payload of an operand. Operations on doubles return the first operand that is
// a NaN or, if there is none, InvalidNaN64, as on the host.
inline constexpr uint64_t InvalidNaN64 = 0xfff8000000000000;
inline constexpr uint64_t CanonicalNaN32 = 0x7fffffff;
inline constexpr uint64_t CanonicalNaN16 = 0x7fff;

inline bool isNaN64(uint64_t From) {
  return (From & ~uint64_t(0) >> 1) > 0x7ff0000000000000;
}
inline uint64_t quietNaN64(uint64_t From) { return From | uint64_t(1) << 51; }

/// Returns the NaN of \p Bits bits to which a NaN that is a double is
/// converted. This is the only case in which a narrower NaN keeps a payload.
inline uint64_t narrowedNaN(uint64_t From, unsigned Bits) {
  const unsigned FractionBits = Bits == 16 ? 10 : 23;
  const uint64_t Mask = (uint64_t(1) << (Bits - 1)) - 1;
  // The fraction lines up with the top of that of a double, the exponent is
  // all ones in both.
  const uint64_t Exponent = Mask >> FractionBits << FractionBits;
  const uint64_t Fraction = quietNaN64(From) >> (52 - FractionBits) &
                            ((uint64_t(1) << FractionBits) - 1);
  return From >> 63 << (Bits - 1) | Exponent | Fraction;
}

/// Rounds to an integral value.
inline double roundToIntegral(double Value, llvm::RoundingMode Mode) {
  switch (Mode) {
  case llvm::RoundingMode::TowardZero:
    return std::trunc(Value);
  case llvm::RoundingMode::TowardPositive:
    return std::ceil(Value);
  case llvm::RoundingMode::TowardNegative:
    return std::floor(Value);
  case llvm::RoundingMode::NearestTiesToAway:
    return std::round(Value);
  default:
    return std::nearbyint(Value);
  }
}

/// Returns the value of the half with these bits.
inline double readHalf(uint64_t Bits) {
  auto Exponent = static_cast<int>(Bits >> 10 & 0x1f);
  auto Fraction = static_cast<int>(Bits & 0x3ff);
  double Magnitude;
  if (Exponent == 0x1f)
    Magnitude = Fraction ? std::numeric_limits<double>::quiet_NaN()
                         : std::numeric_limits<double>::infinity();
  else if (Exponent == 0)
    Magnitude = std::ldexp(Fraction, -24);
  else
    Magnitude = std::ldexp(0x400 | Fraction, Exponent - 25);
  return Bits >> 15 & 1 ? -Magnitude : Magnitude;
}

inline uint64_t
writeHalf(double Value,
          llvm::RoundingMode Mode = llvm::RoundingMode::NearestTiesToEven) {
  constexpr int LeastExponent = -14;
  constexpr uint64_t Infinity = 0x7c00;
  if (std::isnan(Value))
    return CanonicalNaN16;
  uint64_t Sign = std::signbit(Value) ? 0x8000 : 0;
  if (std::isinf(Value))
    return Sign | Infinity;
  int Exponent = LeastExponent;
  if (Value != 0 && std::ilogb(Value) > Exponent)
    Exponent = std::ilogb(Value);
  // Count units of the last place. If rounding carries, the sum below carries
  // into the exponent, which is just the right result.
  double Units =
      std::fabs(roundToIntegral(std::ldexp(Value, 10 - Exponent), Mode));
  uint64_t Magnitude = static_cast<uint64_t>(Exponent - LeastExponent) << 10;
  Magnitude += static_cast<uint64_t>(Units);
  if (Magnitude < Infinity)
    return Sign | Magnitude;
  // An overflow gives infinity or, if the mode rounds towards zero there, the
  // greatest finite number.
  bool Inwards = Mode == llvm::RoundingMode::TowardZero ||
                 Mode == (Sign ? llvm::RoundingMode::TowardPositive
                               : llvm::RoundingMode::TowardNegative);
  return Sign | (Inwards ? Infinity - 1 : Infinity);
}

/// Returns the bfloat16 nearest to a float, ties to even.
inline uint64_t upperHalfOfFloat(uint64_t From) {
  if ((From & 0x7fffffff) > 0x7f800000)
    return CanonicalNaN16;
  return (From + 0x7fff + (From >> 16 & 1)) >> 16 & 0xffff;
}

/// The formats: the host's type to compute in, and the conversion to and from
/// the bits in a register.
struct Half {
  using Value = double;
  static constexpr unsigned Bits = 16;
  static constexpr double LeastNormal = 0x1p-14;
  static double read(uint64_t From) { return readHalf(From); }
  static uint64_t write(double V) { return writeHalf(V); }
};
struct Single {
  using Value = float;
  static constexpr unsigned Bits = 32;
  static constexpr float LeastNormal = 0x1p-126f;
  static float read(uint64_t From) {
    return std::bit_cast<float>(static_cast<uint32_t>(From));
  }
  static uint64_t write(float V) {
    return V != V ? CanonicalNaN32 : std::bit_cast<uint32_t>(V);
  }
};
struct Double {
  using Value = double;
  static constexpr unsigned Bits = 64;
  static constexpr double LeastNormal = 0x1p-1022;
  static double read(uint64_t From) { return std::bit_cast<double>(From); }
  static uint64_t write(double V) { return std::bit_cast<uint64_t>(V); }
};

/// Calls \p Body with an object of the format that has \p Bits bits.
template <class Function> auto withFormat(unsigned Bits, Function Body) {
  switch (Bits) {
  case 16:
    return Body(Half());
  case 32:
    return Body(Single());
  case 64:
    return Body(Double());
  default:
    llvm_unreachable("a floating-point number has 16, 32 or 64 bits");
  }
}
inline double readFloat(uint64_t From, unsigned Bits) {
  return withFormat(Bits,
                    [&](auto Format) -> double { return Format.read(From); });
}

/// Returns the bits \p From, or a zero of the same sign if the number is
/// denormal.
template <class Format> uint64_t flushed(uint64_t From) {
  typename Format::Value Magnitude = std::fabs(Format::read(From));
  return Magnitude < Format::LeastNormal
             ? From & uint64_t(1) << (Format::Bits - 1)
             : From;
}
inline uint64_t flushed(uint64_t From, unsigned Bits) {
  return withFormat(
      Bits, [From](auto Format) { return flushed<decltype(Format)>(From); });
}

/// The lesser number, as IEEE 754-2019 minimumNumber: a number wins over NaN,
/// and -0 is less than +0. The sum of two NaNs is the first one, quiet.
template <class T> T minNumber(T A, T B) {
  if (A != A)
    return B != B ? A + A : B;
  if (B != B)
    return A;
  return A < B || (A == B && std::signbit(A)) ? A : B;
}
template <class T> T maxNumber(T A, T B) {
  if (A != A)
    return B != B ? A + A : B;
  if (B != B)
    return A;
  return A > B || (A == B && !std::signbit(A)) ? A : B;
}
/// The lesser number, as IEEE 754-2019 minimum: NaN wins over a number.
template <class T> T minimum(T A, T B) {
  return A != A ? A : B != B ? B : minNumber(A, B);
}
template <class T> T maximum(T A, T B) {
  return A != A ? A : B != B ? B : maxNumber(A, B);
}

/// Converts to an integer of \p Bits bits as cvt does: saturating. NaN gives 0,
/// or 1 << (Bits - 1) if one of the types has 64 bits (PTX ISA 9.0, cvt).
inline uint64_t floatToInteger(double Value, unsigned SourceBits, unsigned Bits,
                               bool IsSigned, llvm::RoundingMode Mode) {
  uint64_t All = ~uint64_t(0) >> (64 - Bits);
  uint64_t Top = uint64_t(1) << (Bits - 1);
  if (std::isnan(Value))
    return SourceBits == 64 || Bits == 64 ? Top : 0;
  double Rounded = roundToIntegral(Value, Mode);
  double Limit = std::ldexp(1.0, static_cast<int>(IsSigned ? Bits - 1 : Bits));
  if (Rounded >= Limit)
    return IsSigned ? Top - 1 : All;
  if (IsSigned)
    return Rounded < -Limit
               ? Top
               : static_cast<uint64_t>(static_cast<int64_t>(Rounded)) & All;
  return Rounded <= 0 ? 0 : static_cast<uint64_t>(Rounded);
}

/// Returns the flag of llvm::FPClassTest to which the number with bits \p From
/// belongs.
inline unsigned classOf(uint64_t From, unsigned Bits) {
  unsigned FractionBits = Bits == 16 ? 10 : Bits == 32 ? 23 : 52;
  uint64_t Fraction = From & ((uint64_t(1) << FractionBits) - 1);
  uint64_t Greatest = (uint64_t(1) << (Bits - 1 - FractionBits)) - 1;
  uint64_t Exponent = From >> FractionBits & Greatest;
  bool Negative = From >> (Bits - 1) & 1;
  if (Exponent == Greatest && Fraction)
    return Fraction >> (FractionBits - 1) & 1 ? llvm::fcQNan : llvm::fcSNan;
  if (Exponent == Greatest)
    return Negative ? llvm::fcNegInf : llvm::fcPosInf;
  if (Exponent)
    return Negative ? llvm::fcNegNormal : llvm::fcPosNormal;
  if (Fraction)
    return Negative ? llvm::fcNegSubnormal : llvm::fcPosSubnormal;
  return Negative ? llvm::fcNegZero : llvm::fcPosZero;
}

} // namespace cudaopt::simt

#endif // CUDAOPT_LIB_SIMT_FLOAT_H
