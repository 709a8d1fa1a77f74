// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Writes layouts as C++ expressions: parentheses where the language, a
/// compiler's warnings or a reader ask for them. A product is as clear as a
/// name beside ^ or +, a shift is not; beside a shift nothing is.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_REWRITE_SUBSCRIPTTEXT_H
#define CUDAOPT_LIB_REWRITE_SUBSCRIPTTEXT_H

#include "cudaopt/Transforms/Layout.h"

#include "clang/Basic/OperatorPrecedence.h"
#include "llvm/ADT/StringExtras.h"
#include <optional>
#include <string>

namespace cudaopt {

/// Of expressions that no operator around them can tear apart.
inline constexpr clang::prec::Level NoBinaryOperator =
    clang::prec::PointerToMember;

/// The precedence of the outermost binary operator that \p E writes: Unknown,
/// which is the lowest, if the form is not known.
clang::prec::Level getPrecedence(const clang::Expr *E);

/// The value of \p E if the source writes it in digits. What has a name may
/// have another value when the source is compiled again.
std::optional<uint64_t> findNumber(const clang::Expr *E);

/// An expression, and the precedence of its outermost binary operator. The
/// character Kept stands for an expression of the source that stays where it
/// is: it occurs at most once for each such expression, in their order.
struct Text {
  static constexpr char Kept = '\1';

  std::string Code;
  clang::prec::Level Level = NoBinaryOperator;
  /// See findNumber.
  std::optional<uint64_t> Number = std::nullopt;

  /// The text \p Code of \p E, to be repeated.
  static Text copyOf(const clang::Expr *E, llvm::StringRef Code) {
    return {Code.str(), getPrecedence(E), findNumber(E)};
  }
  static Text inPlace(const clang::Expr *E) {
    return {std::string(1, Kept), getPrecedence(E), findNumber(E)};
  }
  static Text of(uint64_t Number) {
    return {llvm::utostr(Number), NoBinaryOperator, Number};
  }

  /// In parentheses if it has an operator below \p Lowest.
  std::string asOperand(clang::prec::Level Lowest = NoBinaryOperator) const;
  Text plus(const Text &Other) const;
  Text plus(uint64_t Amount) const;
  Text times(uint64_t Factor) const;
  /// Quotient and remainder of a number that is not negative: by powers of two
  /// they are a shift and a mask, which are cheaper than a signed division.
  Text quotient(uint64_t Divisor) const;
  Text remainder(uint64_t Divisor) const;
  Text shiftRight(unsigned Bits) const;
  Text mask(uint64_t Bits) const;
};

/// The coordinates of an element, as a subscript's text names them. Subscripts
/// of a valid program are not negative.
struct Coordinates {
  /// By number: the column, the row, ...; empty if Index says it all. A copy of
  /// text, unless the layout says otherwise.
  llvm::SmallVector<Text, 4> Named;
  /// The only subscript, of rows of length Pitch, or of one row if that is 0.
  Text Index;
  uint64_t Pitch = 0;

  bool isFlat() const { return Named.empty(); }
  /// Coordinate \p From divided by 2^Shift. Higher bits than the coordinate's
  /// own may be set if hasHighBits() says so.
  Text shifted(unsigned From, unsigned Shift) const;
  bool hasHighBits(unsigned From) const;
};

/// Column ^ t1 ^ t2 ...; bit i of \p Masks says that term i may meet greater
/// numbers than it takes. Numbers are added up, and equal texts cancel; for
/// that \p ColumnCopy is the column's text, if it may be repeated. With
/// \p Chunk > 1 the form is one in which compilers see that aligned chunks of
/// so many columns stay contiguous: `((c & ~1) ^ t) + (c & 1)`.
Text xorText(const Text &Column, const Coordinates &From, const Layout &New,
             uint64_t Masks, unsigned Chunk, const Text &ColumnCopy);

/// (Column + Step * Row) % Pitch
Text rotateText(const Text &Column, const Text &Row, unsigned Step,
                uint64_t Pitch);

/// The same for an array of one dimension: \p Index stays, \p Copy is its copy.
Text rotateFlatText(const Text &Index, const Text &Copy, unsigned Step,
                    uint64_t Pitch);

} // namespace cudaopt

#endif // CUDAOPT_LIB_REWRITE_SUBSCRIPTTEXT_H
