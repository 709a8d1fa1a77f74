// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// bfloat16, the upper half of a float, by operations of other types. A result
/// is exact before its one rounding: double and then float are rounded to odd,
/// which a last rounding to fewer bits does not notice (Boldo and Melquiond,
/// Emulation of FMA and Correctly Rounded Sums).
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_SIMT_BFLOAT_H
#define CUDAOPT_LIB_SIMT_BFLOAT_H

#include "PtxOperations.h"

namespace cudaopt::simt {

inline Register floatOfBfloat(KernelLowering &K, Register R) {
  return K.join({K.constant(0), R}, 16);
}

/// Sets the last bit of \p R, of \p Bits bits, if \p IsInexact.
inline Register roundedToOdd(KernelLowering &K, unsigned Bits, Register R,
                             Register IsInexact) {
  return K.op(Opcode::Or, Bits, R,
              K.convert(Opcode::ZeroExtend, Bits, 1, IsInexact));
}

/// To the nearest, ties to even, or towards zero; a NaN becomes 0x7fff.
inline Register bfloatOfFloat(KernelLowering &K, Register R,
                              bool TowardZero = false) {
  Register Sixteen = K.constant(16), Upper = R;
  if (!TowardZero) {
    Register IsOdd = K.op(Opcode::And, 32, K.op(Opcode::ShrU, 32, R, Sixteen),
                          K.constant(1));
    Upper = K.op(Opcode::Add, 32, K.op(Opcode::Add, 32, R, K.constant(0x7fff)),
                 IsOdd);
  }
  Register IsNaN = K.compare(llvm::CmpInst::FCMP_UNO, 32, R, R);
  return K.op(Opcode::Select, 16, IsNaN, K.constant(0x7fff),
              K.element(1, 16, 32, Upper));
}

inline Register bfloatOfDouble(KernelLowering &K, Register R) {
  constexpr auto ToZero = static_cast<uint8_t>(llvm::RoundingMode::TowardZero);
  Register Float = K.convert(Opcode::FTruncate, 32, 64, R, ToZero);
  Register IsInexact = K.compare(llvm::CmpInst::FCMP_ONE, 64, R,
                                 K.convert(Opcode::FExtend, 64, 32, Float));
  return bfloatOfFloat(K, roundedToOdd(K, 32, Float, IsInexact));
}

/// FAdd, FSub, FMul or Fma of doubles, rounded to odd.
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

/// An operation on bfloat16; NoRegister if it is none of those known.
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
    return K.op(Opcode::Xor, 16, A, K.constant(0x8000));
  case Opcode::FAbs:
    return K.op(Opcode::And, 16, A, K.constant(0x7fff));
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
  // 0 and 1 are bfloats, so that it does not matter which comes first, the
  // rounding or the clamp.
  if (How.Saturate)
    D = K.op(Opcode::FSaturate, 64, D);
  if (How.Relu)
    D = K.op(Opcode::FMaxNaN, 64, D, K.constant(0));
  return bfloatOfDouble(K, D);
}

} // namespace cudaopt::simt

#endif // CUDAOPT_LIB_SIMT_BFLOAT_H
