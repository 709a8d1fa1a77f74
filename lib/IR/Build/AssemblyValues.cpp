// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Computes the results of those instructions of inline assembly that addresses
/// and conditions are made of: moves, conversions, sums, comparisons. Each
/// function returns 0 if the result is not understood; the caller then takes it
/// for an unknown value.
//===----------------------------------------------------------------------===//

#include "Assembly.h"

#include "llvm/ADT/StringSwitch.h"

using namespace cudaopt;
using namespace cudaopt::ir;
using namespace llvm;

ir::Type Assembly::toType(const PtxType &T) {
  if (T.What == PtxType::Kind::Predicate)
    return ir::Type::boolean();
  if (T.isFloat() && T.Lanes == 1)
    return {ir::Type::Float, true, T.Bits, T.IsBrain};
  return ir::Type::integer(T.isSigned(), T.width());
}

/// Returns the operator of C++ for a PTX instruction or a comparison of `setp`.
static std::optional<clang::BinaryOperatorKind> operatorOf(StringRef Name) {
  return StringSwitch<std::optional<clang::BinaryOperatorKind>>(Name)
      .Case("add", clang::BO_Add)
      .Case("sub", clang::BO_Sub)
      .Case("mul", clang::BO_Mul)
      .Case("and", clang::BO_And)
      .Case("or", clang::BO_Or)
      .Case("xor", clang::BO_Xor)
      .Case("shl", clang::BO_Shl)
      .Case("shr", clang::BO_Shr)
      .Cases({"eq"}, clang::BO_EQ)
      .Cases({"ne"}, clang::BO_NE)
      .Cases({"lt", "lo"}, clang::BO_LT)
      .Cases({"le", "ls"}, clang::BO_LE)
      .Cases({"gt", "hi"}, clang::BO_GT)
      .Cases({"ge", "hs"}, clang::BO_GE)
      .Default(std::nullopt);
}

/// Lowers sums, products, shifts and bitwise operations of integers. They wrap
/// in PTX, so that the type is unsigned (except for arithmetic shifts to the
/// right). Saturation, high halves of products and carries are not understood.
ValueId Assembly::arithmetic(const PtxStatement &I, const PtxType &T) {
  const std::optional<clang::BinaryOperatorKind> Opcode =
      operatorOf(I.Words.front());
  if (!Opcode || I.Operands.size() != 3 || I.Words.size() > 3)
    return 0;
  const bool IsPlain =
      I.Words.size() == 2 || (*Opcode == clang::BO_Mul && I.Words[1] == "lo");
  if (!IsPlain || (*Opcode == clang::BO_Mul && I.Words.size() == 2))
    return 0;
  const bool Shifts = *Opcode == clang::BO_Shl || *Opcode == clang::BO_Shr;
  const bool IsSigned = *Opcode == clang::BO_Shr && T.isSigned();
  const ir::Type Ty = ir::Type::integer(IsSigned, T.width());
  const ValueId X = read(I.Operands[1], Ty);
  const ValueId Y =
      read(I.Operands[2], Shifts ? ir::Type::integer(false, 32) : Ty);
  // A shift by the width or more is defined in PTX but not in C++, so that the
  // distance must be known.
  if (!X || !Y ||
      (Shifts && (B.value(Y).What != Value::Literal ||
                  B.value(Y).Integer.uge(T.width()))))
    return 0;
  return B.binary(*Opcode, Ty, X, Y);
}

/// Lowers `setp.lt.s32 p, a, b` on integers.
ValueId Assembly::comparison(const PtxStatement &I, const PtxType &T) {
  const std::optional<clang::BinaryOperatorKind> Opcode =
      operatorOf(I.Words[1]);
  if (I.Words.size() != 3 || I.Operands.size() != 3 || !Opcode ||
      !clang::BinaryOperator::isComparisonOp(*Opcode) ||
      I.Operands[0].What == PtxOperand::Kind::Pair)
    return 0;
  const ir::Type Ty = ir::Type::integer(T.isSigned(), T.width());
  const ValueId X = read(I.Operands[1], Ty), Y = read(I.Operands[2], Ty);
  return X && Y ? B.binary(*Opcode, ir::Type::boolean(), X, Y) : 0;
}

/// Lowers `cvta.to.shared` and `cvta.shared`, the conversions between generic
/// and shared addresses. Addresses of global and constant memory are the same
/// in their spaces.
ValueId Assembly::spaceConversion(const PtxStatement &I, PtxEffect::Space To) {
  const ir::Type Wide = ir::Type::integer(false, 64);
  const ValueId V = read(I.Operands[1], Wide);
  if (!V || To == PtxEffect::Space::Local)
    return 0;
  if (To != PtxEffect::Space::Shared)
    return V;
  return is_contained(I.Words, "to")
             ? B.sharedAddress(B.convert(V, ir::Type::pointer()))
             : B.convert(B.sharedPointer(V), Wide);
}

/// Returns the result of an instruction that only computes; 0 if it is not
/// known.
ValueId Assembly::compute(const PtxStatement &I, const PtxEffect &E) {
  const StringRef Name = I.Words.front();
  if (!E.Type || !E.IsPlain || I.Operands.size() < 2 ||
      I.Operands[0].What == PtxOperand::Kind::Vector ||
      I.Operands[1].What == PtxOperand::Kind::Vector)
    return 0;
  if (Name == "mov") {
    // `mov` copies bits, whatever its type says.
    const Register *To = registerOf(I.Operands[0]);
    return To ? read(I.Operands[1], To->Ty == ir::Type::pointer()
                                        ? ir::Type::integer(false, 64)
                                        : To->Ty)
              : 0;
  }
  if (Name == "cvta")
    return spaceConversion(I, E.Where);
  if (E.Type->isFloat() || E.Type->Lanes != 1)
    return 0;
  if (Name == "setp")
    return comparison(I, *E.Type);
  if (Name == "selp" && I.Operands.size() == 4) {
    const ir::Type T = toType(*E.Type);
    const ValueId X = read(I.Operands[1], T), Y = read(I.Operands[2], T),
                  P = read(I.Operands[3], ir::Type::boolean());
    return X && Y && P ? B.select(P, X, Y) : 0;
  }
  if (Name == "cvt" && I.Words.size() == 3) {
    const std::optional<PtxType> From = parsePtxType(I.Words[2]);
    if (!From || From->isFloat())
      return 0;
    const ValueId V = read(I.Operands[1], toType(*From));
    return V ? B.convert(V, toType(*E.Type)) : 0;
  }
  return arithmetic(I, *E.Type);
}
