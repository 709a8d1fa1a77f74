// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The operations that the hardware approximates (.approx). The steps of the
/// hardware are imitated where they decide the range of results; its tables are
/// not known, so that the host's library, which is more accurate, stands in for
/// them. The last bits may differ.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_SIMT_APPROXIMATE_H
#define CUDAOPT_LIB_SIMT_APPROXIMATE_H

#include "cudaopt/Simt/Program.h"

#include "Float.h"

#include <numbers>

namespace cudaopt::simt {

/// Returns the angle whose sine or cosine is taken. The hardware divides the
/// angle by a full turn and rounds the quotient towards zero to a float, so
/// that nothing is left of the fraction of large angles.
inline double reducedAngle(double Angle) {
  constexpr float PerTurn = 0.15915493667125702f;
  double Exact = Angle * static_cast<double>(PerTurn);
  auto Turns = static_cast<float>(Exact);
  if (std::fabs(static_cast<double>(Turns)) > std::fabs(Exact))
    Turns = std::nextafter(Turns, 0.0f);
  return std::fmod(static_cast<double>(Turns), 1.0) * 2 * std::numbers::pi;
}

/// Returns the value of an approximate operation of one operand.
inline double approximate(Opcode Code, double Value) {
  switch (Code) {
  case Opcode::FRsqrt:
    return 1 / std::sqrt(Value);
  case Opcode::FRcp:
    return 1 / Value;
  case Opcode::FSin:
    return std::sin(reducedAngle(Value));
  case Opcode::FCos:
    return std::cos(reducedAngle(Value));
  case Opcode::FExp2:
    return std::exp2(Value);
  case Opcode::FLog2:
    return std::log2(Value);
  default:
    return std::tanh(Value);
  }
}

/// Returns A / B as div.approx and, with \p IsFullRange, div.full compute it:
/// as a product with the reciprocal. A denormal reciprocal counts as 0 in
/// div.approx; div.full scales the operands instead.
inline float approximateQuotient(float A, float B, bool IsFullRange) {
  float Reciprocal = 1 / B;
  bool IsDenormal =
      Reciprocal != 0 && std::fabs(Reciprocal) < Single::LeastNormal;
  if (IsDenormal && !IsFullRange)
    Reciprocal = std::copysign(0.0f, Reciprocal);
  else if (IsDenormal || std::isinf(Reciprocal))
    return A / B;
  return A * Reciprocal;
}

/// rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 read and write only the upper
/// half of a double.
inline uint64_t approximateUpperHalf(Opcode Code, uint64_t From) {
  constexpr uint64_t Upper = ~uint64_t(0) << 32;
  double Result =
      approximate(Code, Double::read(flushed<Double>(From) & Upper));
  return Result != Result ? CanonicalNaN32 << 32
                          : flushed<Double>(Double::write(Result)) & Upper;
}

} // namespace cudaopt::simt

#endif // CUDAOPT_LIB_SIMT_APPROXIMATE_H
