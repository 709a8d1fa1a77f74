// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Instructions of PTX that both intrinsics (LowerCall.cpp) and inline assembly
/// (AsmLowering.h) can name, lowered to operations.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_SIMT_PTXOPERATIONS_H
#define CUDAOPT_LIB_SIMT_PTXOPERATIONS_H

#include "Lowering.h"

#include "llvm/ADT/FloatingPointMode.h"
#include "llvm/ADT/StringSwitch.h"

namespace cudaopt::simt {

/// The modifiers of a floating-point instruction, or of the intrinsic of one:
/// "rn", "ftz", "sat", ...
struct FloatModifiers {
  llvm::RoundingMode Rounding = llvm::RoundingMode::NearestTiesToEven;
  bool ToIntegral = false; ///< Round to an integral value: .rni and the like.
  bool Saturate = false;   ///< Clamp to [0, 1].
  bool Relu = false;       ///< Clamp to [0, inf).
  bool PropagateNaN = false;
  /// Flags of Program.h: Approximate, FlushDenormals, FullRange.
  uint8_t Inexact = 0;

  /// Interprets one of the words between the dots; returns false if it is
  /// unknown.
  bool take(llvm::StringRef Word) {
    llvm::StringRef Mode = Word;
    bool Integral = Mode.size() == 3 && Mode.consume_back("i");
    using Rounds = std::optional<llvm::RoundingMode>;
    if (auto Known = llvm::StringSwitch<Rounds>(Mode)
                         .Case("rn", llvm::RoundingMode::NearestTiesToEven)
                         .Case("rz", llvm::RoundingMode::TowardZero)
                         .Case("rm", llvm::RoundingMode::TowardNegative)
                         .Case("rp", llvm::RoundingMode::TowardPositive)
                         .Default(std::nullopt)) {
      Rounding = *Known;
      ToIntegral = Integral;
      return true;
    }
    Saturate |= Word == "sat";
    Relu |= Word == "relu";
    PropagateNaN |= Word == "nan" || Word == "NaN";
    if (Word == "approx" || Word == "full")
      Inexact |= Approximate;
    if (Word == "full")
      Inexact |= FullRange;
    if (Word == "ftz")
      Inexact |= FlushDenormals;
    return llvm::StringSwitch<bool>(Word)
        .Cases({"sat", "relu", "nan", "NaN", "ftz", "noftz", "approx", "full"},
               true)
        .Default(false);
  }
};

/// Emits a floating-point operation with modifiers.
inline Register floatOperation(KernelLowering &K, Opcode Code, unsigned Bits,
                               const FloatModifiers &How, Register A,
                               Register B = NoRegister,
                               Register C = NoRegister) {
  if (How.PropagateNaN && Code == Opcode::FMin)
    Code = Opcode::FMinNaN;
  else if (How.PropagateNaN && Code == Opcode::FMax)
    Code = Opcode::FMaxNaN;
  uint8_t Variant = isRounding(Code) ? static_cast<uint8_t>(How.Rounding) : 0;
  Register D = K.op(Code, Bits, A, B, C, Variant | How.Inexact);
  if (How.Saturate)
    D = K.op(Opcode::FSaturate, Bits, D);
  if (How.Relu)
    D = K.op(Opcode::FMaxNaN, Bits, D, K.constant(0));
  return D;
}

/// Emits an operation on integers; returns NoRegister if the modifiers do not
/// fit.
inline Register integerOperation(KernelLowering &K, Opcode Code, unsigned Bits,
                                 const FloatModifiers &How, Register A,
                                 Register B, Register C) {
  if (How.Saturate ||
      (How.Relu && Code != Opcode::MinS && Code != Opcode::MaxS))
    return NoRegister;
  Register D = K.op(Code, Bits, A, B, C);
  return How.Relu ? K.op(Opcode::MaxS, Bits, D, K.constant(0)) : D;
}

/// Returns the special register called "tid.x", "lanemask.lt" and so on;
/// std::nullopt if there is none.
inline std::optional<SpecialReg> specialRegister(llvm::StringRef Name) {
#define SPECIAL_REGISTER(NAME, REGISTER)                                       \
  if (Name == NAME)                                                            \
    return SpecialReg::REGISTER;
#include "Intrinsics.def"
  return std::nullopt;
}

/// Returns |A - B|, as max(A, B) - min(A, B), which does not overflow.
inline Register absoluteDifference(KernelLowering &K, bool IsSigned,
                                   unsigned Bits, Register A, Register B) {
  Register Most = K.op(IsSigned ? Opcode::MaxS : Opcode::MaxU, Bits, A, B);
  Register Least = K.op(IsSigned ? Opcode::MinS : Opcode::MinU, Bits, A, B);
  return K.op(Opcode::Sub, Bits, Most, Least);
}

/// An integer type of which several values are packed into 32 bits.
struct PackedInteger {
  unsigned Bits;
  bool IsSigned;
  /// Returns element \p Index of \p R, extended to 32 bits.
  Register element(KernelLowering &K, unsigned Index, Register R) const {
    return K.convert(IsSigned ? Opcode::SignExtend : Opcode::ZeroExtend, 32,
                     Bits, K.element(Index, Bits, 32, R));
  }
};

/// Returns C plus the dot product of the elements of A with those of B, from
/// element \p FirstOfB on.
inline Register dotProduct(KernelLowering &K, PackedInteger TypeA,
                           PackedInteger TypeB, unsigned FirstOfB, Register A,
                           Register B, Register C) {
  for (unsigned I = 0; I < 32 / TypeA.Bits; ++I)
    C = K.op(Opcode::Add, 32, C,
             K.op(Opcode::Mul, 32, TypeA.element(K, I, A),
                  TypeB.element(K, FirstOfB + I, B)));
  return C;
}

/// Returns the number of the highest set bit or, if signed, of the highest bit
/// that differs from the sign; ~0 if there is none.
inline Register highestBit(KernelLowering &K, bool IsSigned, unsigned Bits,
                           Register A) {
  if (IsSigned)
    A = K.op(Opcode::Xor, Bits, A,
             K.op(Opcode::ShrS, Bits, A, K.constant(Bits - 1)));
  Register Zeros = K.op(Opcode::LeadingZeros, Bits, A);
  return K.op(Opcode::Sub, 32, K.constant(Bits - 1), Zeros);
}

/// Emits the funnel shift of 32 bits whose distance is clamped to 32.
inline Register clampedFunnel(KernelLowering &K, bool IsLeft, Register High,
                              Register Low, Register Distance) {
  Register Shifted =
      K.op(IsLeft ? Opcode::FunnelL : Opcode::FunnelR, 32, High, Low, Distance);
  Register IsFar =
      K.compare(llvm::CmpInst::ICMP_UGE, 32, Distance, K.constant(32));
  return K.op(Opcode::Select, 32, IsFar, IsLeft ? Low : High, Shifted);
}

/// Emits fns: the position of the |Nth|-th set bit of \p Mask, from bit \p Base
/// upwards, or downwards if Nth is negative; ~0 if there is none. If Nth is 0,
/// the bit \p Base itself counts. Downwards is upwards in the reversed mask;
/// the position is found by a binary search over the number of set bits.
inline Register nthBit(KernelLowering &K, Register Mask, Register Base,
                       Register Nth) {
  auto Pick = [&K](Register Condition, Register A, Register B) {
    return K.op(Opcode::Select, 32, Condition, A, B);
  };
  Register Zero = K.constant(0), One = K.constant(1), Last = K.constant(31);
  Register AllOnes = K.constant(0xffffffff);
  Register IsDown = K.compare(llvm::CmpInst::ICMP_SLT, 32, Nth, Zero);
  Register IsHere = K.compare(llvm::CmpInst::ICMP_EQ, 32, Nth, Zero);
  Mask = Pick(IsDown, K.op(Opcode::BitReverse, 32, Mask), Mask);
  Base = Pick(IsDown, K.op(Opcode::Sub, 32, Last, Base), Base);
  Mask = K.op(Opcode::And, 32, Mask,
              K.op(Opcode::Shl, 32, Pick(IsHere, One, AllOnes), Base));
  Register Left = K.op(Opcode::MaxU, 32, K.op(Opcode::Abs, 32, Nth), One);
  Register IsNone = K.compare(llvm::CmpInst::ICMP_ULT, 32,
                              K.op(Opcode::PopCount, 32, Mask), Left);
  // Each step halves the range that holds the bit.
  Register Place = Zero;
  for (unsigned Width = 16; Width > 0; Width /= 2) {
    Register Window = K.op(Opcode::And, 32, K.op(Opcode::ShrU, 32, Mask, Place),
                           K.constant((uint64_t(1) << Width) - 1));
    Register Count = K.op(Opcode::PopCount, 32, Window);
    Register IsAbove = K.compare(llvm::CmpInst::ICMP_UGT, 32, Left, Count);
    Left = Pick(IsAbove, K.op(Opcode::Sub, 32, Left, Count), Left);
    Place =
        Pick(IsAbove, K.op(Opcode::Add, 32, Place, K.constant(Width)), Place);
  }
  Place = Pick(IsDown, K.op(Opcode::Sub, 32, Last, Place), Place);
  return Pick(IsNone, AllOnes, Place);
}

} // namespace cudaopt::simt

#endif // CUDAOPT_LIB_SIMT_PTXOPERATIONS_H
