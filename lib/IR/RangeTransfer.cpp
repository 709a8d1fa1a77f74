// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The transfer functions of value range analysis. Most forward to
/// llvm::ConstantRange and llvm::KnownBits, and add what C++ knows of overflow.
//===----------------------------------------------------------------------===//

#include "RangeTransfer.h"

#include "clang/AST/Decl.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Operator.h"

using namespace cudaopt::ir;
using llvm::APInt;
using llvm::CmpInst;
using llvm::ConstantRange;
using llvm::KnownBits;

std::optional<CmpInst::Predicate>
cudaopt::ir::predicateOf(clang::BinaryOperatorKind Opcode, bool IsSigned) {
  switch (Opcode) {
  case clang::BO_LT:
    return IsSigned ? CmpInst::ICMP_SLT : CmpInst::ICMP_ULT;
  case clang::BO_LE:
    return IsSigned ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE;
  case clang::BO_GT:
    return IsSigned ? CmpInst::ICMP_SGT : CmpInst::ICMP_UGT;
  case clang::BO_GE:
    return IsSigned ? CmpInst::ICMP_SGE : CmpInst::ICMP_UGE;
  case clang::BO_EQ:
    return CmpInst::ICMP_EQ;
  case clang::BO_NE:
    return CmpInst::ICMP_NE;
  default:
    return std::nullopt;
  }
}

/// The range of a boolean; std::nullopt if it may be either.
static ConstantRange truth(std::optional<bool> Known) {
  return Known ? ConstantRange(APInt(1, *Known)) : ConstantRange::getFull(1);
}

/// The range of `X != 0`.
static ConstantRange isNonZero(const ConstantRange &X) {
  const APInt Zero(X.getBitWidth(), 0);
  if (X.isEmptySet())
    return ConstantRange::getEmpty(1);
  if (X == ConstantRange(Zero))
    return truth(false);
  return truth(X.contains(Zero) ? std::nullopt : std::optional(true));
}

ConstantRange cudaopt::ir::rangeOfUnary(const Value &V, const ConstantRange &X,
                                        bool Wraps) {
  const ConstantRange Zero(APInt(X.getBitWidth(), 0));
  switch (V.unary()) {
  case clang::UO_Minus:
    return V.Ty.IsSigned && !Wraps
               ? Zero.subWithNoWrap(
                     X, llvm::OverflowingBinaryOperator::NoSignedWrap)
               : Zero.sub(X);
  case clang::UO_Not:
    return X.binaryNot();
  case clang::UO_LNot: {
    const ConstantRange Is = isNonZero(X);
    return Is.isSingleElement() ? ConstantRange(~*Is.getSingleElement()) : Is;
  }
  default:
    return ConstantRange::getFull(V.Ty.Bits);
  }
}

/// The range of `L << R` or `L >> R`. A distance of at least the width is
/// undefined in C++, so that only the defined part of \p R counts; it is
/// computed with 8 bits more, since the width itself may not fit in R's type.
static ConstantRange shift(const Value &V, const ConstantRange &L,
                           ConstantRange R) {
  const unsigned Bits = L.getBitWidth();
  if (R.isEmptySet())
    return ConstantRange::getEmpty(Bits);
  const APInt Most(R.getBitWidth() + 8, Bits);
  const ConstantRange Defined =
      ConstantRange::getNonEmpty(APInt(R.getBitWidth() + 8, 0), Most);
  R = R.zeroExtend(R.getBitWidth() + 8).intersectWith(Defined);
  if (R.isEmptySet())
    return ConstantRange::getFull(Bits);
  R = R.zextOrTrunc(Bits);
  if (V.binary() == clang::BO_Shl)
    return L.shl(R);
  return V.Ty.IsSigned ? L.ashr(R) : L.lshr(R);
}

ConstantRange cudaopt::ir::rangeOfBinary(const Value &V, const Type &OfOperands,
                                         const ConstantRange &L,
                                         const ConstantRange &R, bool Wraps) {
  if (L.isEmptySet() || R.isEmptySet())
    return ConstantRange::getEmpty(V.Ty.Bits);
  const bool Shifts =
      V.binary() == clang::BO_Shl || V.binary() == clang::BO_Shr;
  const ConstantRange All = ConstantRange::getFull(V.Ty.Bits);
  if (!Shifts && L.getBitWidth() != R.getBitWidth())
    return All;
  if (std::optional<CmpInst::Predicate> P =
          predicateOf(V.binary(), OfOperands.IsSigned)) {
    if (L.icmp(*P, R))
      return truth(true);
    return truth(L.icmp(CmpInst::getInversePredicate(*P), R)
                     ? std::optional(false)
                     : std::nullopt);
  }
  // If every result overflows, the code is unreachable; the full range is a
  // safe answer for it.
  if (L.getBitWidth() != V.Ty.Bits)
    return All;
  const bool IsSigned = V.Ty.IsSigned;
  const unsigned NoWrap =
      IsSigned && !Wraps ? llvm::OverflowingBinaryOperator::NoSignedWrap : 0u;
  const auto Compute = [&]() -> ConstantRange {
    switch (V.binary()) {
    case clang::BO_Add:
      return L.addWithNoWrap(R, NoWrap, preferred(V.Ty));
    case clang::BO_Sub:
      return L.subWithNoWrap(R, NoWrap, preferred(V.Ty));
    case clang::BO_Mul:
      return L.multiplyWithNoWrap(R, NoWrap, preferred(V.Ty));
    case clang::BO_Div:
      return IsSigned ? L.sdiv(R) : L.udiv(R);
    case clang::BO_Rem:
      return IsSigned ? L.srem(R) : L.urem(R);
    case clang::BO_Shl:
    case clang::BO_Shr:
      return shift(V, L, R);
    case clang::BO_And:
      return L.binaryAnd(R);
    case clang::BO_Or:
      return L.binaryOr(R);
    case clang::BO_Xor:
      return L.binaryXor(R);
    default:
      return All;
    }
  };
  const ConstantRange Result = Compute();
  return Result.isEmptySet() ? All : Result;
}

ConstantRange cudaopt::ir::rangeOfConversion(const Type &From, const Type &To,
                                             const ConstantRange &X) {
  if (To.What == Type::Boolean)
    return From.What == Type::Boolean ? X : isNonZero(X);
  if (To.Bits <= From.Bits)
    return X.zextOrTrunc(To.Bits);
  return From.IsSigned ? X.signExtend(To.Bits) : X.zeroExtend(To.Bits);
}

ConstantRange cudaopt::ir::rangeOfCall(const Value &V,
                                       llvm::ArrayRef<ConstantRange> Operands) {
  const ConstantRange All = ConstantRange::getFull(V.Ty.Bits);
  const auto *Callee = llvm::dyn_cast_or_null<clang::NamedDecl>(V.Decl);
  if (!Callee || !Callee->getIdentifier() || V.Ty.What != Type::Integer)
    return All;
  const llvm::StringRef Name = Callee->getName();
  const bool AreAlike = llvm::all_of(Operands, [&](const ConstantRange &Each) {
    return Each.getBitWidth() == V.Ty.Bits;
  });
  if (AreAlike && Operands.size() == 2) {
    const ConstantRange &L = Operands[0], &R = Operands[1];
    if (Name == "min" || Name == "umin" || Name == "llmin" || Name == "ullmin")
      return V.Ty.IsSigned ? L.smin(R) : L.umin(R);
    if (Name == "max" || Name == "umax" || Name == "llmax" || Name == "ullmax")
      return V.Ty.IsSigned ? L.smax(R) : L.umax(R);
  }
  // These count bits or give the position of one: from 0 to the width.
  const unsigned Counted = llvm::StringSwitch<unsigned>(Name)
                               .Cases({"__popc", "__clz", "__ffs"}, 32)
                               .Cases({"__popcll", "__clzll", "__ffsll"}, 64)
                               .Default(0);
  if (Counted && V.Ty.Bits == 32)
    return ConstantRange::getNonEmpty(APInt(32, 0), APInt(32, Counted + 1));
  return All;
}

/// The known bits of an arithmetic operation. Shifts by a distance that may
/// exceed the width are left unknown.
static KnownBits bitsOfBinary(const Value &V, const KnownBits &L,
                              const KnownBits &R) {
  const unsigned Bits = V.Ty.Bits;
  const bool Shifts =
      V.binary() == clang::BO_Shl || V.binary() == clang::BO_Shr;
  if (L.getBitWidth() != Bits || (!Shifts && R.getBitWidth() != Bits))
    return KnownBits(Bits);
  switch (V.binary()) {
  case clang::BO_Add:
    return KnownBits::add(L, R);
  case clang::BO_Sub:
    return KnownBits::sub(L, R);
  case clang::BO_Mul:
    return KnownBits::mul(L, R);
  case clang::BO_Div:
    return V.Ty.IsSigned ? KnownBits::sdiv(L, R) : KnownBits::udiv(L, R);
  case clang::BO_Rem:
    return V.Ty.IsSigned ? KnownBits::srem(L, R) : KnownBits::urem(L, R);
  case clang::BO_And:
    return L & R;
  case clang::BO_Or:
    return L | R;
  case clang::BO_Xor:
    return L ^ R;
  default:
    break;
  }
  if (!Shifts || R.getMaxValue().uge(Bits))
    return KnownBits(Bits);
  const KnownBits Distance = R.zextOrTrunc(Bits);
  return V.binary() == clang::BO_Shl ? KnownBits::shl(L, Distance)
         : V.Ty.IsSigned             ? KnownBits::ashr(L, Distance)
                                     : KnownBits::lshr(L, Distance);
}

KnownBits cudaopt::ir::bitsOfOperation(const Value &V, const Type &First,
                                       llvm::ArrayRef<KnownBits> Operands) {
  const unsigned Bits = V.Ty.Bits;
  if (V.What == Value::Binary && !predicateOf(V.binary(), /*IsSigned=*/false))
    return bitsOfBinary(V, Operands[0], Operands[1]);
  if (V.What == Value::Select)
    return Operands[1].intersectWith(Operands[2]);
  if (V.What == Value::Unary && V.unary() == clang::UO_Minus)
    return KnownBits::sub(KnownBits::makeConstant(APInt(Bits, 0)), Operands[0]);
  if (V.What == Value::Unary && V.unary() == clang::UO_Not) {
    KnownBits Flipped = Operands[0];
    std::swap(Flipped.Zero, Flipped.One);
    return Flipped;
  }
  if (V.What == Value::Convert && V.Ty.What == Type::Integer) {
    if (Bits <= First.Bits)
      return Operands[0].zextOrTrunc(Bits);
    return First.IsSigned ? Operands[0].sext(Bits) : Operands[0].zext(Bits);
  }
  return KnownBits(Bits);
}
