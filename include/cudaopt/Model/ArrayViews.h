// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Other ways to access an array than by its own subscripts: under another type
/// through a cast, and through a pointer to a row.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_MODEL_ARRAYVIEWS_H
#define CUDAOPT_MODEL_ARRAYVIEWS_H

#include "cudaopt/Model/Kernel.h"

namespace cudaopt {

/// Returns `A[i]` if \p E is `*(T *)&A[i]`, `((T *)&A[i])[0]` or `(T &)A[i]`,
/// with any kind of cast; null otherwise. The access has type T, which is the
/// type of \p E.
const clang::Expr *findCastElement(const clang::Expr *E);

/// Appends the subscripts of \p E, outermost first, to \p Subscripts, and
/// returns what they are subscripts of; null if one is written the other way
/// round, `2[s]`.
const clang::Expr *
takeSubscripts(const clang::Expr *E,
               llvm::SmallVectorImpl<const clang::Expr *> &Subscripts);

/// Returns the terms of the sum \p Subscript, in the order of the text, without
/// parentheses and implicit conversions: `4 * t` and `k` of `4 * t + k`;
/// \p Subscript itself if it is no sum. The terms may be added in any other
/// order, and partly: where that could wrap in a type that is narrower than the
/// sum's, or something is subtracted, the result is empty.
llvm::SmallVector<const clang::Expr *, 2>
flattenSum(const clang::Expr *Subscript, const clang::ASTContext &Context);

/// Returns true if \p Var is a local pointer, initialised with an array of what
/// it points to, and \p Body does nothing with it but subscript it.
bool isRowPointer(const clang::VarDecl *Var, const clang::Stmt *Body);

/// Returns how many elements of \p Shape an access of \p Size bytes takes at
/// once, from the element with the subscripts \p Index on: 1, 2, 4, 8 or 16.
/// Returns std::nullopt unless they are whole elements of one row, the first
/// one's number being certainly a multiple of that count.
std::optional<unsigned> findChunk(const ValueGraph &Values,
                                  const ArrayShape &Shape,
                                  llvm::ArrayRef<ValueId> Index, uint64_t Size);

/// Returns how many low bits of \p Id, as C computes it, are certainly 0.
unsigned countZeroBits(const ValueGraph &Values, ValueId Id);
/// Returns the same for the first \p Count values.
std::vector<uint8_t> listZeroBits(const ValueGraph &Values, size_t Count);

} // namespace cudaopt

#endif // CUDAOPT_MODEL_ARRAYVIEWS_H
