// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Writes layouts as C++ expressions: precedence and parentheses, and the texts
/// of xor and rotation.
//===----------------------------------------------------------------------===//

#include "SubscriptText.h"

#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace clang;
using llvm::isPowerOf2_64;
using llvm::Log2_64;
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

/// Returns \p E without parentheses and conversions. A template parameter is
/// kept: IgnoreParenImpCasts would take the argument of one instance for it.
static const Expr *ignoreConversions(const Expr *E) {
  while (true) {
    if (const auto *Paren = dyn_cast<ParenExpr>(E))
      E = Paren->getSubExpr();
    else if (const auto *Cast = dyn_cast<ImplicitCastExpr>(E))
      E = Cast->getSubExpr();
    else
      return E;
  }
}

std::optional<uint64_t> findNumber(const Expr *E) {
  E = ignoreConversions(E);
  if (const auto *Literal = dyn_cast<IntegerLiteral>(E)) {
    const llvm::APInt &Value = Literal->getValue();
    if (Literal->getLocation().isFileID() && Value.isIntN(31))
      return Value.getZExtValue();
    return std::nullopt;
  }
  const auto *Binary = dyn_cast<BinaryOperator>(E);
  if (!Binary)
    return std::nullopt;
  std::optional<uint64_t> Left = findNumber(Binary->getLHS());
  std::optional<uint64_t> Right = Left ? findNumber(Binary->getRHS()) : Left;
  if (!Right)
    return std::nullopt;
  switch (Binary->getOpcode()) {
  case BO_Add:
    return *Left + *Right;
  case BO_Mul:
    return *Left * *Right;
  case BO_Sub:
    return *Left >= *Right ? std::optional(*Left - *Right) : std::nullopt;
  default:
    return std::nullopt;
  }
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

Text Text::clear(uint64_t Bits) const {
  if (Number)
    return of(*Number & ~Bits);
  return {asOperand() + " & ~" + utostr(Bits), prec::And};
}

Text Text::mask(uint64_t Bits) const {
  if (Number)
    return of(*Number & Bits);
  // Compilers warn about sums in operands of &, but not about shifts and
  // products.
  bool IsClear = Level == prec::Shift || Level == prec::Multiplicative;
  return {(IsClear ? Code : asOperand()) + " & " + utostr(Bits), prec::And};
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

bool Coordinates::hasHighBits(unsigned From) const {
  return isFlat() && From == 0 && isPowerOf2_64(Pitch);
}

/// For a flat array, the column is the index modulo Pitch and the row the
/// quotient. If Pitch is a power of two, the column's bits are the low ones of
/// the index, and no remainder is needed if the term is masked anyway.
Text Coordinates::shifted(unsigned From, unsigned Shift) const {
  if (!isFlat())
    return Named[From].shiftRight(Shift);
  if (From == 1)
    return Index.quotient(Pitch << Shift);
  if (Pitch == 0 || hasHighBits(From))
    return Index.shiftRight(Shift);
  return Index.remainder(Pitch).shiftRight(Shift);
}

/// Returns the text of one term of an xor: bits of a coordinate, shifted into
/// place.
static Text termText(const BitTerm &Term, const Coordinates &From,
                     bool NeedsMask) {
  if (!From.isFlat() && From.Named[Term.From].Number)
    return Text::of(Term.apply(*From.Named[Term.From].Number));
  Text Taken = From.shifted(Term.From, Term.Shift);
  // The bits above those taken are shifted out on the right.
  if (Term.IsReversed)
    Taken = Text{"__brev(" + Taken.Code + ")"}.shiftRight(32 - Term.Bits);
  else if (NeedsMask || From.hasHighBits(Term.From))
    Taken = Taken.mask((uint64_t(1) << Term.Bits) - 1);
  if (Term.Factor == 1)
    return Taken;
  if (!isPowerOf2_64(Term.Factor))
    return {Taken.asOperand() + " * " + utostr(Term.Factor),
            prec::Multiplicative};
  return {Taken.asOperand() + " << " + utostr(Log2_64(Term.Factor)),
          prec::Shift};
}

namespace {

/// A sum a ^ b ^ ...: numbers are combined, and equal texts cancel.
class XorSum {
public:
  /// Adds an operand. Operands with the same \p Name are equal; an empty name
  /// equals none.
  void add(const Text &Operand, std::string Name) {
    auto IsSame = [&](const auto &Other) { return Other.second == Name; };
    if (Operand.Number)
      Number ^= *Operand.Number;
    else if (auto *Same = llvm::find_if(Operands, IsSame);
             !Name.empty() && Same != Operands.end())
      Operands.erase(Same);
    else
      Operands.push_back({Operand, std::move(Name)});
  }
  void addTerms(const Coordinates &From, const Layout &New, uint64_t Masks) {
    for (size_t I = 0; I != New.Terms.size(); ++I) {
      Text Term = termText(New.Terms[I], From, Masks >> I & 1);
      add(Term, Term.asOperand(prec::Multiplicative));
    }
  }
  Text text(const Text &Column) const;

private:
  llvm::SmallVector<std::pair<Text, std::string>, 4> Operands;
  uint64_t Number = 0;
};

} // namespace

/// Returns the text of the sum. If \p Column is a number that need not change,
/// its text stays in place.
Text XorSum::text(const Text &Column) const {
  llvm::SmallVector<Text, 4> All;
  for (const auto &[Operand, Name] : Operands)
    All.push_back(Operand);
  if (Number || All.empty())
    All.insert(Column.Number ? All.begin() : All.end(),
               Column.Number == Number ? Column : Text::of(Number));
  if (All.size() == 1)
    return All.front();
  std::string Code;
  for (const Text &Operand : All)
    Code +=
        (Code.empty() ? "" : " ^ ") + Operand.asOperand(prec::Multiplicative);
  return {Code, prec::ExclusiveOr};
}

Text xorText(const Text &Column, const Coordinates &From, const Layout &New,
             uint64_t Masks, const std::optional<ChunkedColumn> &Chunked,
             const Text &ColumnCopy) {
  XorSum Sum;
  if (!Chunked) {
    Sum.add(Column, ColumnCopy.asOperand(prec::Multiplicative));
    Sum.addTerms(From, New, Masks);
    return Sum.text(Column);
  }
  Sum.add(Chunked->First, "");
  Sum.addTerms(From, New, Masks);
  const Text Moved = Sum.text(Chunked->First);
  if (Moved.Code == Chunked->First.Code)
    return Column;
  if (Chunked->Inside.Number == 0)
    return Moved;
  return Text{"(" + Moved.Code + ")"}.plus(Chunked->Inside);
}

/// Returns (Sum + Step * Row) % Pitch.
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
  if (Row.Number && Step * *Row.Number % Pitch == 0)
    return Column;
  if (Row.Number && Column.Number)
    return Text::of((*Column.Number + Step * *Row.Number) % Pitch);
  return rotated(Column, Row, Step, Pitch);
}

Text rotateFlatText(const Text &Index, const Text &Copy, unsigned Step,
                    uint64_t Pitch) {
  // The index replaces the column here: they differ by whole rows, which the
  // remainder removes.
  Text New = rotated(Copy, Copy.quotient(Pitch), Step, Pitch);
  if (isPowerOf2_64(Pitch))
    return Text{"(" + Index.asOperand() + " & ~" + utostr(Pitch - 1) + ")"}
        .plus(New);
  return Index.quotient(Pitch).times(Pitch).plus(New);
}

} // namespace cudaopt
