// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Arithmetic on the values of the 32 lanes of a warp. Operations that are
/// defined for all operands are computed in all lanes, known or not, so that
/// compilers can vectorize the loops; what is known of the result is a matter
/// of bit masks.
//===----------------------------------------------------------------------===//

#include "LaneValues.h"

#include "llvm/ADT/bit.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instruction.h"
#include "llvm/Support/MathExtras.h"
#include <optional>

using namespace llvm;
using namespace cudaopt;
using namespace cudaopt::check;

/// Calls \p Body for each lane of \p Lanes.
template <class Function> static void forEach(uint32_t Lanes, Function Body) {
  for (; Lanes; Lanes &= Lanes - 1)
    Body(unsigned(llvm::countr_zero(Lanes)));
}

void cudaopt::check::assign(LaneValue &To, const LaneValue &From,
                            uint32_t Lanes) {
  if (Lanes == ~0u) {
    To = From;
    return;
  }
  if (!Lanes)
    return;
  forEach(Lanes, [&](unsigned Lane) { To.Numbers[Lane] = From.Numbers[Lane]; });
  To.Known = (To.Known & ~Lanes) | (From.Known & Lanes);
  To.Outside = (To.Outside & ~Lanes) | (From.Outside & Lanes);
  To.MadeUp = (To.MadeUp & ~Lanes) | (From.MadeUp & Lanes);
  for (unsigned D = 0; D != 3; ++D)
    To.Blocks[D] = (To.Blocks[D] & ~Lanes) | (From.Blocks[D] & Lanes);
}

/// A lane that forgets its number still has the dependences of both numbers on
/// blockIdx, unless one of them is unknown in every block: then so is the
/// result.
uint32_t cudaopt::check::join(LaneValue &To, const LaneValue &From,
                              uint32_t Lanes) {
  if (!Lanes)
    return 0;
  uint32_t Differ = 0;
  forEach(Lanes & To.Known & From.Known, [&](unsigned Lane) {
    Differ |= uint32_t(To.Numbers[Lane] != From.Numbers[Lane]) << Lane;
  });
  const uint32_t Forgotten = Lanes & To.Known & (~From.Known | Differ);
  const uint32_t Unknown = Lanes & (To.unknown() | From.unknown());
  To.Known &= ~Forgotten;
  To.Outside &= From.Outside | ~Lanes;
  To.MadeUp |= From.MadeUp & Lanes;
  for (unsigned D = 0; D != 3; ++D)
    To.Blocks[D] = (To.Blocks[D] | (From.Blocks[D] & Lanes)) & ~Unknown;
  return Forgotten;
}

/// Sets what is known of \p Result, that of an operation on \p A and \p B: it
/// is known where both operands are.
static void combine(const LaneValue &A, const LaneValue &B, LaneValue &Result) {
  const uint32_t Unknown = A.unknown() | B.unknown();
  Result.Known = A.Known & B.Known;
  Result.MadeUp = A.MadeUp | B.MadeUp;
  for (unsigned D = 0; D != 3; ++D)
    Result.Blocks[D] = (A.Blocks[D] | B.Blocks[D]) & ~Unknown;
  Result.Outside = 0;
}

void cudaopt::check::truncate(const LaneValue &A, unsigned Bits,
                              LaneValue &Result) {
  Result = A;
  if (Bits == 64)
    return;
  const uint64_t Mask = maskTrailingOnes<uint64_t>(Bits);
  for (uint64_t &Number : Result.Numbers)
    Number &= Mask;
}

void cudaopt::check::extend(const LaneValue &A, unsigned From, unsigned Bits,
                            LaneValue &Result) {
  Result = A;
  const uint64_t Mask = maskTrailingOnes<uint64_t>(Bits);
  for (uint64_t &Number : Result.Numbers)
    Number = uint64_t(SignExtend64(Number, From)) & Mask;
}

/// Divides; std::nullopt for a division by 0, and for a signed one that
/// overflows.
static std::optional<uint64_t> divide(unsigned Opcode, unsigned Bits,
                                      uint64_t A, uint64_t B) {
  if (B == 0)
    return std::nullopt;
  if (Opcode == Instruction::UDiv)
    return A / B;
  if (Opcode == Instruction::URem)
    return A % B;
  const int64_t X = SignExtend64(A, Bits), Y = SignExtend64(B, Bits);
  if (Y == -1 && A == uint64_t(1) << (Bits - 1))
    return std::nullopt;
  return uint64_t(Opcode == Instruction::SDiv ? X / Y : X % Y);
}

/// Shifts; std::nullopt if the distance is not less than the width.
static std::optional<uint64_t> shift(unsigned Opcode, unsigned Bits, uint64_t A,
                                     uint64_t B) {
  if (B >= Bits)
    return std::nullopt;
  if (Opcode == Instruction::Shl)
    return A << B;
  if (Opcode == Instruction::LShr)
    return A >> B;
  return uint64_t(SignExtend64(A, Bits) >> B);
}

/// Sets all numbers of \p Result to what \p Compute returns for each lane.
/// Lanes that are not known get some number, which costs less than to skip
/// them.
template <class Function>
static void set(LaneValue &Result, uint64_t Mask, Function Compute) {
  for (unsigned Lane = 0; Lane != WarpSize; ++Lane)
    Result.Numbers[Lane] = Compute(Lane) & Mask;
}

void cudaopt::check::computeBinary(unsigned Opcode, unsigned Bits,
                                   const LaneValue &A, const LaneValue &B,
                                   LaneValue &Result) {
  combine(A, B, Result);
  const uint64_t Mask = maskTrailingOnes<uint64_t>(Bits);
  const auto &X = A.Numbers, &Y = B.Numbers;
  const auto partly = [&](auto Compute) {
    forEach(Result.Known, [&](unsigned Lane) {
      const std::optional<uint64_t> Number =
          Compute(Opcode, Bits, X[Lane], Y[Lane]);
      Result.Numbers[Lane] = Number.value_or(0) & Mask;
      if (!Number)
        Result.Known &= ~(1u << Lane);
    });
  };
  switch (Opcode) {
  case Instruction::Add:
    set(Result, Mask, [&](unsigned L) { return X[L] + Y[L]; });
    break;
  case Instruction::Sub:
    set(Result, Mask, [&](unsigned L) { return X[L] - Y[L]; });
    break;
  case Instruction::Mul:
    set(Result, Mask, [&](unsigned L) { return X[L] * Y[L]; });
    break;
  case Instruction::And:
    set(Result, Mask, [&](unsigned L) { return X[L] & Y[L]; });
    break;
  case Instruction::Or:
    set(Result, Mask, [&](unsigned L) { return X[L] | Y[L]; });
    break;
  case Instruction::Xor:
    set(Result, Mask, [&](unsigned L) { return X[L] ^ Y[L]; });
    break;
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
    partly(shift);
    break;
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
    partly(divide);
    break;
  default:
    Result = {};
  }
}

/// Numbers are zero-extended, so that signed predicates need sign extension
/// first.
void cudaopt::check::compare(unsigned Predicate, unsigned Bits,
                             const LaneValue &A, const LaneValue &B,
                             LaneValue &Result) {
  combine(A, B, Result);
  const auto all = [&](auto IsTrue) {
    set(Result, 1, [&](unsigned Lane) {
      return uint64_t(IsTrue(A.Numbers[Lane], B.Numbers[Lane]));
    });
  };
  const auto extended = [&](uint64_t X) { return SignExtend64(X, Bits); };
  switch (Predicate) {
  case CmpInst::ICMP_EQ:
    return all([](uint64_t X, uint64_t Y) { return X == Y; });
  case CmpInst::ICMP_NE:
    return all([](uint64_t X, uint64_t Y) { return X != Y; });
  case CmpInst::ICMP_ULT:
    return all([](uint64_t X, uint64_t Y) { return X < Y; });
  case CmpInst::ICMP_ULE:
    return all([](uint64_t X, uint64_t Y) { return X <= Y; });
  case CmpInst::ICMP_UGT:
    return all([](uint64_t X, uint64_t Y) { return X > Y; });
  case CmpInst::ICMP_UGE:
    return all([](uint64_t X, uint64_t Y) { return X >= Y; });
  case CmpInst::ICMP_SLT:
    return all(
        [&](uint64_t X, uint64_t Y) { return extended(X) < extended(Y); });
  case CmpInst::ICMP_SLE:
    return all(
        [&](uint64_t X, uint64_t Y) { return extended(X) <= extended(Y); });
  case CmpInst::ICMP_SGT:
    return all(
        [&](uint64_t X, uint64_t Y) { return extended(X) > extended(Y); });
  case CmpInst::ICMP_SGE:
    return all(
        [&](uint64_t X, uint64_t Y) { return extended(X) >= extended(Y); });
  default:
    Result = {};
  }
}

/// In lanes whose condition is not known, the result is what A and B have in
/// common. On which dimensions of blockIdx the condition depends is recorded by
/// the caller.
void cudaopt::check::select(const LaneValue &Condition, const LaneValue &A,
                            const LaneValue &B, LaneValue &Result) {
  uint32_t IsTrue = 0;
  for (unsigned Lane = 0; Lane != WarpSize; ++Lane)
    IsTrue |= uint32_t(Condition.Numbers[Lane] & 1) << Lane;
  Result = B;
  assign(Result, A, Condition.Known & IsTrue);
  join(Result, A, ~Condition.Known);
  Result.MadeUp |= Condition.MadeUp;
}

void cudaopt::check::add(LaneValue &To, uint64_t Addend) {
  for (uint64_t &Number : To.Numbers)
    Number += Addend;
}

void cudaopt::check::addScaled(LaneValue &To, const LaneValue &A,
                               int64_t Factor) {
  combine(LaneValue(To), A, To);
  for (unsigned Lane = 0; Lane != WarpSize; ++Lane)
    To.Numbers[Lane] += A.Numbers[Lane] * uint64_t(Factor);
}
