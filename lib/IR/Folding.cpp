// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Folds integer arithmetic on literals, and identities such as x + 0 and x *
/// 1. What C++ leaves undefined is not folded but kept as it is written.
//===----------------------------------------------------------------------===//

#include "Literals.h"

#include "cudaopt/IR/FunctionBuilder.h"

using namespace cudaopt::ir;
using namespace llvm;

static bool isInteger(const Value &V) {
  return V.What == Value::Literal && V.Ty.isIntegral();
}

/// Returns the sum, difference or product; std::nullopt if a signed one
/// overflows.
static std::optional<APInt> addUp(clang::BinaryOperatorKind Opcode,
                                  const APSInt &L, const APSInt &R) {
  bool Overflows = false;
  APInt Result;
  if (Opcode == clang::BO_Add)
    Result = L.isSigned() ? L.sadd_ov(R, Overflows) : L + R;
  else if (Opcode == clang::BO_Sub)
    Result = L.isSigned() ? L.ssub_ov(R, Overflows) : L - R;
  else
    Result = L.isSigned() ? L.smul_ov(R, Overflows) : L * R;
  return Overflows ? std::nullopt : std::optional<APInt>(Result);
}

/// Returns the quotient or remainder; std::nullopt for a division by 0, and for
/// that of the least signed number by -1, which overflows.
static std::optional<APInt> divide(clang::BinaryOperatorKind Opcode,
                                   const APSInt &L, const APSInt &R) {
  if (R.isZero() || (L.isSigned() && L.isMinSignedValue() && R.isAllOnes()))
    return std::nullopt;
  return Opcode == clang::BO_Div ? L / R : L % R;
}

/// Returns the shifted number; std::nullopt for a negative distance, and for
/// one that is not less than the width of the type.
static std::optional<APInt> shift(clang::BinaryOperatorKind Opcode,
                                  const APSInt &L, const APSInt &R) {
  if (R.isNegative() || R.uge(L.getBitWidth()))
    return std::nullopt;
  const unsigned By = static_cast<unsigned>(R.getZExtValue());
  return Opcode == clang::BO_Shl ? L << By : L >> By;
}

static std::optional<APInt> compute(clang::BinaryOperatorKind Opcode,
                                    const APSInt &L, const APSInt &R) {
  switch (Opcode) {
  case clang::BO_Add:
  case clang::BO_Sub:
  case clang::BO_Mul:
    return addUp(Opcode, L, R);
  case clang::BO_Div:
  case clang::BO_Rem:
    return divide(Opcode, L, R);
  case clang::BO_Shl:
  case clang::BO_Shr:
    return shift(Opcode, L, R);
  case clang::BO_And:
    return L & R;
  case clang::BO_Or:
    return L | R;
  case clang::BO_Xor:
    return L ^ R;
  default:
    return std::nullopt;
  }
}

/// Returns the literal that the operation on \p L and \p R gives; 0 if they are
/// no literals or the result is not defined.
ValueId FunctionBuilder::fold(clang::BinaryOperatorKind Opcode, Type T,
                              ValueId L, ValueId R) {
  const Value &A = value(L), &B = value(R);
  if (!isInteger(A) || !isInteger(B))
    return foldFloats(Opcode, L, R);
  const bool IsShift = Opcode == clang::BO_Shl || Opcode == clang::BO_Shr;
  if (!IsShift && A.Ty != B.Ty)
    return 0;
  if (!IsShift)
    if (std::optional<bool> Answer =
            compareLiterals(Opcode, A.Integer, B.Integer))
      return literal(*Answer ? 1 : 0, T);
  std::optional<APInt> Result = compute(Opcode, A.Integer, B.Integer);
  return Result ? literal(APSInt(*Result, !T.IsSigned), T) : 0;
}

ValueId FunctionBuilder::binary(clang::BinaryOperatorKind Opcode, Type T,
                                ValueId L, ValueId R) {
  if (const ValueId Known = fold(Opcode, T, L, R))
    return Known;
  if (T.isIntegral() && value(L).Ty == T) {
    const bool Adds = Opcode == clang::BO_Add || Opcode == clang::BO_Sub ||
                      Opcode == clang::BO_Shl || Opcode == clang::BO_Shr;
    const bool Scales = Opcode == clang::BO_Mul || Opcode == clang::BO_Div;
    if (Opcode == clang::BO_Add && value(L).isLiteral(0) && value(R).Ty == T)
      return R;
    if ((Adds && value(R).isLiteral(0)) || (Scales && value(R).isLiteral(1)))
      return L;
  }
  Value V(Value::Binary, T);
  V.Opcode = Opcode;
  V.Operands = {L, R};
  return cons(std::move(V));
}

ValueId FunctionBuilder::unary(clang::UnaryOperatorKind Opcode, ValueId X) {
  const Type T = value(X).Ty;
  if (isInteger(value(X))) {
    const APSInt &N = value(X).Integer;
    if (Opcode == clang::UO_Not)
      return literal(APSInt(~N, N.isUnsigned()), T);
    if (Opcode == clang::UO_LNot)
      return literal(N.isZero() ? 1 : 0, Type::boolean());
    if (Opcode == clang::UO_Minus && !(N.isSigned() && N.isMinSignedValue()))
      return literal(APSInt(-N, N.isUnsigned()), T);
  }
  if (const std::optional<APFloat> Number = toFloat(value(X));
      Number && Opcode == clang::UO_Minus)
    return literal(neg(*Number));
  Value V(Value::Unary, Opcode == clang::UO_LNot ? Type::boolean() : T);
  V.Opcode = Opcode;
  V.Operands = {X};
  return cons(std::move(V));
}

ValueId FunctionBuilder::select(ValueId Condition, ValueId IfTrue,
                                ValueId IfFalse) {
  if (IfTrue == IfFalse)
    return IfTrue;
  if (isInteger(value(Condition)))
    return value(Condition).Integer.isZero() ? IfFalse : IfTrue;
  Value V(Value::Select, value(IfTrue).Ty);
  V.Operands = {Condition, IfTrue, IfFalse};
  return cons(std::move(V));
}

ValueId FunctionBuilder::convert(ValueId X, Type T) {
  const Type From = value(X).Ty;
  if (From == T)
    return X;
  if (isInteger(value(X)) && T.What == Type::Boolean)
    return literal(value(X).Integer.isZero() ? 0 : 1, T);
  if (isInteger(value(X)) && T.What == Type::Integer)
    return literal(value(X).Integer, T);
  if (T.What == Type::Pointer && From.isIntegral())
    if (std::optional<Traced> Of = trace(X, Value::Convert, 64))
      return offset(Of->Pointer, Of->Bytes);
  if (const ValueId Known = convertFloat(X, T))
    return Known;
  Value V(Value::Convert, T);
  V.Operands = {X};
  return cons(std::move(V));
}
