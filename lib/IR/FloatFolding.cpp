// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Folds arithmetic on floating-point literals where the result is exact, that
/// is, not rounded. Only then is it the same for all compilers: an exact result
/// depends neither on the rounding mode nor on whether a compiler contracts
/// operations, divides by multiplying with a reciprocal, or flushes denormal
/// numbers to 0. So `0.5f + 0.25f` is folded, `0.1f + 0.2f` is not.
//===----------------------------------------------------------------------===//

#include "Literals.h"

#include "cudaopt/IR/FunctionBuilder.h"

using namespace cudaopt::ir;
using namespace llvm;

/// Returns the format of float and double; null for types that host and device
/// do not compute alike, such as `long double` and half precision.
static const fltSemantics *semanticsOf(const Type &T) {
  if (T.What != Type::Float)
    return nullptr;
  return T.Bits == 32   ? &APFloat::IEEEsingle()
         : T.Bits == 64 ? &APFloat::IEEEdouble()
                        : nullptr;
}

std::optional<APFloat> cudaopt::ir::toFloat(const Value &V) {
  const fltSemantics *Semantics = semanticsOf(V.Ty);
  if (V.What != Value::Literal || !Semantics)
    return std::nullopt;
  return APFloat(*Semantics, V.Integer);
}

/// Returns true for numbers that are no NaN, infinity or denormal number.
static bool isPlain(const APFloat &X) { return X.isZero() || X.isNormal(); }

/// Returns the result of the operation; std::nullopt if it would be rounded. A
/// division is folded only if the reciprocal of \p R is exact, too, since
/// compilers may multiply by it.
static std::optional<APFloat> compute(clang::BinaryOperatorKind Opcode,
                                      APFloat L, const APFloat &R) {
  constexpr auto Mode = APFloat::rmNearestTiesToEven;
  APFloat::opStatus Status = APFloat::opInexact;
  switch (Opcode) {
  case clang::BO_Add:
    Status = L.add(R, Mode);
    break;
  case clang::BO_Sub:
    Status = L.subtract(R, Mode);
    break;
  case clang::BO_Mul:
    Status = L.multiply(R, Mode);
    break;
  case clang::BO_Div: {
    APFloat Reciprocal(R.getSemantics(), 1);
    if (Reciprocal.divide(R, Mode) == APFloat::opOK && isPlain(Reciprocal))
      Status = L.divide(R, Mode);
    break;
  }
  default:
    break;
  }
  return Status == APFloat::opOK && isPlain(L) ? std::optional(L)
                                               : std::nullopt;
}

/// Returns the literal that the operation on two floating-point literals gives;
/// 0 if it is not folded.
ValueId FunctionBuilder::foldFloats(clang::BinaryOperatorKind Opcode, ValueId L,
                                    ValueId R) {
  const std::optional<APFloat> A = toFloat(value(L)), B = toFloat(value(R));
  if (!A || !B || value(L).Ty != value(R).Ty || !isPlain(*A) || !isPlain(*B))
    return 0;
  if (const std::optional<bool> Answer = compareLiterals(Opcode, *A, *B))
    return literal(*Answer ? 1 : 0, Type::boolean());
  const std::optional<APFloat> Result = compute(Opcode, *A, *B);
  return Result ? literal(*Result) : 0;
}

/// Converts the literal \p X from or to a floating-point type. Returns the
/// literal of type \p T; 0 if \p X is no literal, or its number has no exact
/// value of that type (a conversion to an integer may cut off the fraction).
ValueId FunctionBuilder::convertFloat(ValueId X, Type T) {
  const Value &V = value(X);
  const fltSemantics *To = semanticsOf(T);
  const std::optional<APFloat> Number = toFloat(V);
  if (Number && !isPlain(*Number))
    return 0;
  if (Number && T.What == Type::Boolean)
    return literal(Number->isZero() ? 0 : 1, T);
  if (Number && T.What == Type::Integer) {
    // The fraction is cut off, in each rounding mode.
    APSInt Whole(T.Bits, !T.IsSigned);
    bool IsExact = false;
    return Number->convertToInteger(Whole, APFloat::rmTowardZero, &IsExact) ==
                   APFloat::opInvalidOp
               ? 0
               : literal(Whole, T);
  }
  if (Number && To) {
    APFloat Converted = *Number;
    bool LosesInfo = false;
    Converted.convert(*To, APFloat::rmTowardZero, &LosesInfo);
    return LosesInfo || !isPlain(Converted) ? 0 : literal(Converted);
  }
  if (V.What != Value::Literal || !V.Ty.isIntegral() || !To)
    return 0;
  APFloat Exact(*To);
  return Exact.convertFromAPInt(V.Integer, V.Ty.IsSigned,
                                APFloat::rmTowardZero) == APFloat::opOK
             ? literal(Exact)
             : 0;
}
