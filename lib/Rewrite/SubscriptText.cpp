// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Writes layouts as C++ expressions.
//===----------------------------------------------------------------------===//

#include "SubscriptText.h"

#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace clang;
using llvm::isPowerOf2_64;
using llvm::Log2_64;
using llvm::StringRef;
using llvm::utostr;

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

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

std::string Text::asOperand(prec::Level Lowest) const {
  return Level >= Lowest ? Code : "(" + Code + ")";
}

Text Text::plus(const Text &Other) const {
  return {asOperand(prec::Additive) + " + " +
              Other.asOperand(prec::Multiplicative),
          prec::Additive};
}

Text Text::plus(uint64_t Amount) const {
  return Amount ? plus(Text{utostr(Amount)}) : *this;
}

Text Text::times(uint64_t Factor) const {
  if (Factor == 1)
    return *this;
  return {asOperand(prec::Multiplicative) + " * " + utostr(Factor),
          prec::Multiplicative};
}

Text Text::quotient(uint64_t Divisor) const {
  if (isPowerOf2_64(Divisor))
    return shiftRight(Log2_64(Divisor));
  return {asOperand() + " / " + utostr(Divisor), prec::Multiplicative};
}

Text Text::remainder(uint64_t Divisor) const {
  if (isPowerOf2_64(Divisor))
    return mask(Divisor - 1);
  return {asOperand() + " % " + utostr(Divisor), prec::Multiplicative};
}

Text Text::shiftRight(unsigned Bits) const {
  if (Bits == 0)
    return *this;
  return {asOperand() + " >> " + std::to_string(Bits), prec::Shift};
}

Text Text::mask(uint64_t Bits) const {
  // Compilers warn of sums in operands of &, not of shifts and products.
  bool IsClear = Level == prec::Shift || Level == prec::Multiplicative;
  return {(IsClear ? Code : asOperand()) + " & " + utostr(Bits), prec::And};
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

bool Coordinates::hasHighBits(unsigned From) const {
  return isFlat() && From == 0 && isPowerOf2_64(Pitch);
}

Text Coordinates::shifted(unsigned From, unsigned Shift) const {
  if (!isFlat())
    return Named[From].shiftRight(Shift);
  if (From == 1)
    return Index.quotient(Pitch << Shift);
  if (Pitch == 0 || hasHighBits(From))
    return Index.shiftRight(Shift);
  return Index.remainder(Pitch).shiftRight(Shift);
}

/// A term, as an operand of ^.
static std::string termText(const BitTerm &Term, const Coordinates &From,
                            bool NeedsMask) {
  Text Taken = From.shifted(Term.From, Term.Shift);
  if (Term.IsReversed) // Other bits leave on the right.
    Taken = Text{"__brev(" + Taken.Code + ")"}.shiftRight(32 - Term.Bits);
  else if (NeedsMask || From.hasHighBits(Term.From))
    Taken = Taken.mask((uint64_t(1) << Term.Bits) - 1);
  if (Term.Factor == 1)
    return Taken.asOperand();
  std::string Code = Taken.asOperand();
  Code += isPowerOf2_64(Term.Factor) ? " << " + utostr(Log2_64(Term.Factor))
                                     : " * " + utostr(Term.Factor);
  // What is in parentheses already reads well without more of them.
  return Taken.Level == NoBinaryOperator ? "(" + Code + ")" : Code;
}

Text xorText(const Text &Column, const Coordinates &From, const Layout &New,
             uint64_t Masks, unsigned Chunk, const Text &ColumnCopy) {
  std::string Inside = std::to_string(Chunk - 1);
  std::string Code = Column.asOperand();
  if (Chunk > 1)
    Code = "(" + Code + " & ~" + Inside + ")";
  for (size_t I = 0; I != New.Terms.size(); ++I)
    Code += " ^ " + termText(New.Terms[I], From, Masks >> I & 1);
  if (Chunk <= 1)
    return {Code, prec::ExclusiveOr};
  return {"(" + Code + ") + (" + ColumnCopy.asOperand() + " & " + Inside + ")",
          prec::Additive};
}

/// (Sum + Step * Row) % Pitch
static Text rotated(const Text &Sum, const Text &Row, unsigned Step,
                    uint64_t Pitch) {
  Text Distance = Row;
  if (Step != 1)
    Distance = {std::to_string(Step) + " * " + Row.asOperand(),
                prec::Multiplicative};
  return Text{"(" + Sum.plus(Distance).Code + ")"}.remainder(Pitch);
}

Text rotateText(const Text &Column, const Text &Row, unsigned Step,
                uint64_t Pitch) {
  return rotated(Column, Row, Step, Pitch);
}

Text rotateFlatText(const Text &Index, const Text &Copy, unsigned Step,
                    uint64_t Pitch) {
  // Index and column differ by whole rows, which the remainder removes.
  Text New = rotated(Copy, Copy.quotient(Pitch), Step, Pitch);
  if (isPowerOf2_64(Pitch))
    return Text{"(" + Index.asOperand() + " & ~" + utostr(Pitch - 1) + ")"}
        .plus(New);
  return Index.quotient(Pitch).times(Pitch).plus(New);
}

} // namespace cudaopt
