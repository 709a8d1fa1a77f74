// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Arithmetic in bfloat16, the upper half of a float, lowered to operations of
/// wider types. A result is exact up to its one final rounding: the
/// intermediate double and float are rounded to odd, which a final rounding to
/// fewer bits cannot distinguish from the exact value (Boldo and Melquiond,
/// Emulation of FMA and Correctly Rounded Sums).
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_SIMT_BFLOAT_H
#define CUDAOPT_LIB_SIMT_BFLOAT_H

#include "PtxOperations.h"

namespace cudaopt::simt {

/// Returns the float with the same value.
inline Register floatOfBfloat(KernelLowering &K, Register R) {
  return K.join({K.constant(0), R}, 16);
}

/// Sets the last bit of \p R, a number of \p Bits bits that was rounded towards
/// zero, if \p IsInexact. This is rounding to odd: the last bit records that
/// something was lost, so that no later rounding sees a tie that is none.
inline Register roundedToOdd(KernelLowering &K, unsigned Bits, Register R,
                             Register IsInexact) {
  return K.op(Opcode::Or, Bits, R,
              K.convert(Opcode::ZeroExtend, Bits, 1, IsInexact));
}

/// Returns what must be added to a float, as an integer, so that dropping its
/// lower half rounds it in direction \p Mode.
inline Register roundingAddend(KernelLowering &K, Register R,
                               llvm::RoundingMode Mode) {
  if (Mode == llvm::RoundingMode::TowardZero)
    return K.constant(0);
  if (Mode == llvm::RoundingMode::NearestTiesToEven) {
    Register IsOdd =
        K.op(Opcode::And, 32, K.op(Opcode::ShrU, 32, R, K.constant(16)),
             K.constant(1));
    return K.op(Opcode::Add, 32, K.constant(0x7fff), IsOdd);
  }
  // Away from zero on one side.
  Register Away = K.constant(0xffff), None = K.constant(0);
  Register IsNegative =
      K.compare(llvm::CmpInst::ICMP_SLT, 32, R, K.constant(0));
  bool IsUp = Mode == llvm::RoundingMode::TowardPositive;
  return K.op(Opcode::Select, 32, IsNegative, IsUp ? None : Away,
              IsUp ? Away : None);
}

/// Rounds a float to bfloat16. A NaN becomes 0x7fff.
inline Register
bfloatOfFloat(KernelLowering &K, Register R,
              llvm::RoundingMode Mode = llvm::RoundingMode::NearestTiesToEven) {
  Register Rounded = K.op(Opcode::Add, 32, R, roundingAddend(K, R, Mode));
  Register IsNaN = K.compare(llvm::CmpInst::FCMP_UNO, 32, R, R);
  return K.op(Opcode::Select, 16, IsNaN, K.constant(0x7fff),
              K.element(1, 16, 32, Rounded));
}

/// Rounds a double to the nearest bfloat16, through a float rounded to odd.
inline Register bfloatOfDouble(KernelLowering &K, Register R) {
  constexpr auto ToZero = static_cast<uint8_t>(llvm::RoundingMode::TowardZero);
  Register Float = K.convert(Opcode::FTruncate, 32, 64, R, ToZero);
  Register IsInexact = K.compare(llvm::CmpInst::FCMP_ONE, 64, R,
                                 K.convert(Opcode::FExtend, 64, 32, Float));
  return bfloatOfFloat(K, roundedToOdd(K, 32, Float, IsInexact));
}

/// The conversion cvt.rn.bf16.f64, which keeps the payload of a NaN.
inline Register bfloatConvertedFrom64(KernelLowering &K, Register R) {
  constexpr auto ToZero = static_cast<uint8_t>(llvm::RoundingMode::TowardZero);
  Register Float = K.convert(Opcode::FTruncate, 32, 64, R, ToZero);
  return K.op(Opcode::Select, 16, K.compare(llvm::CmpInst::FCMP_UNO, 64, R, R),
              K.element(1, 16, 32, Float), bfloatOfDouble(K, R));
}

/// FAdd, FSub, FMul or Fma of doubles, rounded to odd. The result is inexact if
/// it differs when rounded up and when rounded down.
inline Register operationToOdd(KernelLowering &K, Opcode Code, Register A,
                               Register B, Register C) {
  auto Under = [&](llvm::RoundingMode Mode) {
    return K.op(Code, 64, A, B, C, static_cast<uint8_t>(Mode));
  };
  Register IsInexact = K.compare(llvm::CmpInst::FCMP_ONE, 64,
                                 Under(llvm::RoundingMode::TowardPositive),
                                 Under(llvm::RoundingMode::TowardNegative));
  return roundedToOdd(K, 64, Under(llvm::RoundingMode::TowardZero), IsInexact);
}

/// An operation on bfloat16; returns NoRegister if it is not modelled.
inline Register bfloatOperation(KernelLowering &K, Opcode Code,
                                const FloatModifiers &How, Register A,
                                Register B, Register C) {
  auto AsDouble = [&K](Register R) {
    return R == NoRegister
               ? R
               : K.convert(Opcode::FExtend, 64, 32, floatOfBfloat(K, R));
  };
  Register D = NoRegister;
  switch (Code) {
  case Opcode::FNeg:
  case Opcode::FAbs:
    return bfloatOfFloat(K, K.op(Code, 32, floatOfBfloat(K, A)),
                         llvm::RoundingMode::TowardZero);
  case Opcode::FMin:
  case Opcode::FMax:
    return bfloatOfFloat(K,
                         floatOperation(K, Code, 32, How, floatOfBfloat(K, A),
                                        floatOfBfloat(K, B)));
  case Opcode::FAdd:
  case Opcode::FSub:
  case Opcode::FMul:
  case Opcode::Fma:
    D = operationToOdd(K, Code, AsDouble(A), AsDouble(B), AsDouble(C));
    break;
  default:
    return NoRegister;
  }
  // 0 and 1 are bfloat16 numbers, so that rounding and clamping commute.
  if (How.Saturate)
    D = K.op(Opcode::FSaturate, 64, D);
  if (How.Relu)
    D = K.op(Opcode::FMaxNaN, 64, D, K.constant(0));
  return bfloatOfDouble(K, D);
}

} // namespace cudaopt::simt

#endif // CUDAOPT_LIB_SIMT_BFLOAT_H
