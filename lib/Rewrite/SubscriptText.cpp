// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Writes layouts as C++ expressions.
//===----------------------------------------------------------------------===//

#include "SubscriptText.h"

#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;
using llvm::StringRef;

namespace cudaopt {

prec::Level getPrecedence(const Expr *E) {
  E = E->IgnoreImplicit();
  if (const auto *Binary = dyn_cast<BinaryOperator>(E)) {
    if (Binary->isMultiplicativeOp())
      return prec::Multiplicative;
    if (Binary->isAdditiveOp())
      return prec::Additive;
    if (Binary->isShiftOp())
      return prec::Shift;
    if (Binary->isRelationalOp())
      return prec::Relational;
    if (Binary->isEqualityOp())
      return prec::Equality;
    return prec::Unknown;
  }
  bool IsOperand =
      isa<IntegerLiteral, CharacterLiteral, CXXBoolLiteralExpr, DeclRefExpr,
          MemberExpr, ArraySubscriptExpr, ParenExpr, UnaryOperator,
          CStyleCastExpr, CXXNamedCastExpr, CXXFunctionalCastExpr,
          SubstNonTypeTemplateParmExpr, UnaryExprOrTypeTraitExpr,
          PseudoObjectExpr, SizeOfPackExpr>(E) ||
      (isa<CallExpr>(E) && !isa<CXXOperatorCallExpr, UserDefinedLiteral>(E));
  return IsOperand ? NoBinaryOperator : prec::Unknown;
}

/// \p Text in parentheses unless \p E has no binary operator at all.
static std::string asOperand(const Expr *E, StringRef Text) {
  if (getPrecedence(E) == NoBinaryOperator)
    return Text.str();
  return "(" + Text.str() + ")";
}

/// Row number \p Row (an operand) to the amount by which columns are xored.
static std::string rowTerm(std::string Row, bool IsOperand, const Layout &New,
                           bool HasMask) {
  auto Apply = [&](const char *Operator, uint64_t Number) {
    if (!IsOperand)
      Row = "(" + Row + ")";
    Row += Operator + llvm::utostr(Number);
    IsOperand = false;
  };
  if (New.RowShift)
    Apply(" >> ", New.RowShift);
  if (HasMask)
    Apply(" & ", (uint64_t(1) << New.Bits) - 1);
  if (New.Unit)
    Apply(" << ", New.Unit);
  return IsOperand ? Row : "(" + Row + ")";
}

/// Puts \p E into parentheses if it has an operator below \p Lowest.
static Wrapping wrap(const Expr *E, prec::Level Lowest) {
  if (getPrecedence(E) >= Lowest)
    return {};
  return {"(", ")"};
}

Wrapping addTo(const Expr *E, uint64_t Amount) {
  Wrapping Sum = wrap(E, prec::Additive);
  Sum.After += " + " + llvm::utostr(Amount);
  return Sum;
}

Wrapping xorWithRow(const Expr *E, const Expr *RowExpr, StringRef Row,
                    const Layout &New, bool HasMask) {
  Wrapping Result = wrap(E, NoBinaryOperator);
  Result.After += " ^ " + rowTerm(asOperand(RowExpr, Row), true, New, HasMask);
  return Result;
}

Wrapping padFlat(const Expr *E, StringRef Text, const Layout &New) {
  Wrapping Result = wrap(E, prec::Additive);
  Result.After += " + " + asOperand(E, Text) + " / " + llvm::utostr(New.Pitch);
  if (New.Padding > 1)
    Result.After += " * " + llvm::utostr(New.Padding);
  return Result;
}

Wrapping xorFlat(const Expr *E, StringRef Text, const Layout &New,
                 bool HasMask) {
  // Rows that share an amount are one block of 2^RowShift rows.
  Layout Blocks = New;
  Blocks.RowShift = 0;
  std::string Row =
      asOperand(E, Text) + " / " + llvm::utostr(New.Pitch << New.RowShift);
  Wrapping Result = wrap(E, NoBinaryOperator);
  Result.After += " ^ " + rowTerm(Row, false, Blocks, HasMask);
  return Result;
}

} // namespace cudaopt
