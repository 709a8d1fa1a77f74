// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Writes layouts as C++ expressions, with parentheses where the language, a
/// compiler's warnings or a reader need them. A product needs none beside ^ or
/// +, a shift does; beside a shift everything does.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_REWRITE_SUBSCRIPTTEXT_H
#define CUDAOPT_LIB_REWRITE_SUBSCRIPTTEXT_H

#include "cudaopt/Plan/Layout.h"

#include "clang/Basic/OperatorPrecedence.h"
#include "llvm/ADT/StringExtras.h"
#include <optional>
#include <string>

namespace cudaopt {

/// The level of expressions that no operator around them can tear apart.
inline constexpr clang::prec::Level NoBinaryOperator =
    clang::prec::PointerToMember;

/// Returns the precedence of the outermost binary operator that \p E spells;
/// Unknown, which is the lowest, if the form is not known.
clang::prec::Level getPrecedence(const clang::Expr *E);

/// Returns the value of \p E if the source spells it in digits. A named
/// constant may have another value when the source is compiled again.
std::optional<uint64_t> findNumber(const clang::Expr *E);

/// An expression, and the precedence of its outermost binary operator. The
/// character Kept stands for an expression of the source that stays in place:
/// it occurs at most once for each such expression, in their order.
struct Text {
  static constexpr char Kept = '\1';

  std::string Code;
  clang::prec::Level Level = NoBinaryOperator;
  /// The value of the expression, as findNumber() finds it.
  std::optional<uint64_t> Number = std::nullopt;

  /// Returns the text \p Code of \p E, for repetition.
  static Text copyOf(const clang::Expr *E, llvm::StringRef Code) {
    return {Code.str(), getPrecedence(E), findNumber(E)};
  }
  /// Returns a placeholder for \p E, which stays in place.
  static Text inPlace(const clang::Expr *E) {
    return {std::string(1, Kept), getPrecedence(E), findNumber(E)};
  }
  static Text of(uint64_t Number) {
    return {llvm::utostr(Number), NoBinaryOperator, Number};
  }

  /// Returns Code, in parentheses if its operator is below \p Lowest.
  std::string asOperand(clang::prec::Level Lowest = NoBinaryOperator) const;
  Text plus(const Text &Other) const;
  Text plus(uint64_t Amount) const;
  Text times(uint64_t Factor) const;
  /// Quotient and remainder of a number that is not negative. For powers of two
  /// they are a shift and a mask, which are cheaper than a signed division.
  Text quotient(uint64_t Divisor) const;
  Text remainder(uint64_t Divisor) const;
  Text shiftRight(unsigned Bits) const;
  Text mask(uint64_t Bits) const;
  Text clear(uint64_t Bits) const; ///< Code & ~Bits
};

/// The coordinates of an element, as the text of its subscripts names them.
/// Subscripts of a valid program are not negative.
struct Coordinates {
  /// The column, the row, and so on; empty if Index determines all. These are
  /// copies of text, unless the layout says otherwise.
  llvm::SmallVector<Text, 4> Named;
  /// The only subscript of a flat array with rows of length Pitch; a Pitch of 0
  /// means a single row.
  Text Index;
  uint64_t Pitch = 0;

  bool isFlat() const { return Named.empty(); }
  /// Returns coordinate \p From divided by 2^Shift. If hasHighBits() returns
  /// true, bits above those of the coordinate may be set.
  Text shifted(unsigned From, unsigned Shift) const;
  bool hasHighBits(unsigned From) const;
};

/// The text of a column in two parts, so that compilers see that aligned chunks
/// of columns stay contiguous when a layout moves them (ColumnSum.h).
struct ChunkedColumn {
  /// The column of the first element of the chunk, as a copy:
  /// `8 * t + (k & ~3)`.
  Text First;
  /// The same in all bits of the column that the layout reads: `8 * t`.
  Text High;
  Text Inside; ///< The rest: `k & 3`.
};

/// Returns Column ^ t1 ^ t2 ... Bit i of \p Masks says that term i needs a
/// mask. Numbers are combined, and equal texts cancel: for that, \p ColumnCopy
/// is the column's text, if it may be repeated. With \p Chunked, the first part
/// gets the terms: `((c & ~1) ^ t) + (c & 1)`.
Text xorText(const Text &Column, const Coordinates &From, const Layout &New,
             uint64_t Masks, const std::optional<ChunkedColumn> &Chunked,
             const Text &ColumnCopy);

/// Returns (Column + Step * Row) % Pitch.
Text rotateText(const Text &Column, const Text &Row, unsigned Step,
                uint64_t Pitch);

/// Returns the same for an array of one dimension: \p Index stays in place,
/// \p Copy is its copy.
Text rotateFlatText(const Text &Index, const Text &Copy, unsigned Step,
                    uint64_t Pitch);

} // namespace cudaopt

#endif // CUDAOPT_LIB_REWRITE_SUBSCRIPTTEXT_H
