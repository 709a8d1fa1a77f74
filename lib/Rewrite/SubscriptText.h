// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Writes layouts as C++ expressions: parentheses where the language or a
/// compiler's warnings ask for them, and no others.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_REWRITE_SUBSCRIPTTEXT_H
#define CUDAOPT_LIB_REWRITE_SUBSCRIPTTEXT_H

#include "cudaopt/Transforms/Plan.h"

#include "clang/Basic/OperatorPrecedence.h"
#include <string>

namespace cudaopt {

/// The precedence of the outermost binary operator that \p E writes: Unknown,
/// which is the lowest, if the form is not known.
clang::prec::Level getPrecedence(const clang::Expr *E);

/// Of expressions that no operator around them can tear apart.
inline constexpr clang::prec::Level NoBinaryOperator =
    clang::prec::PointerToMember;

/// Text in two parts, to be put before and after an expression.
struct Wrapping {
  std::string Before, After;
};

/// `E` -> `E + Amount`.
Wrapping addTo(const clang::Expr *E, uint64_t Amount);

/// `E` -> `E ^ f(Row)`, \p Row being the text of \p RowExpr; with \p HasMask
/// the row number is taken modulo 2^Bits.
Wrapping xorWithRow(const clang::Expr *E, const clang::Expr *RowExpr,
                    llvm::StringRef Row, const Layout &New, bool HasMask);

/// `E` -> `E + E / Pitch * Padding`, for an array of one dimension.
Wrapping padFlat(const clang::Expr *E, llvm::StringRef Text, const Layout &New);

/// `E` -> `E ^ f(E / Pitch)`.
Wrapping xorFlat(const clang::Expr *E, llvm::StringRef Text, const Layout &New,
                 bool HasMask);

} // namespace cudaopt

#endif // CUDAOPT_LIB_REWRITE_SUBSCRIPTTEXT_H
