// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Elements of an array that are accessed under another type.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_ARRAYVIEWS_H
#define CUDAOPT_LIB_MODEL_ARRAYVIEWS_H

#include "cudaopt/Model/Kernel.h"

namespace cudaopt {

/// If \p E is `*(T *)&A[i]`, `((T *)&A[i])[0]` or `(T &)A[i]`, with any kind of
/// cast: returns `A[i]`; null otherwise. The access is of T, which is E's type.
const clang::Expr *findCastElement(const clang::Expr *E);

/// Appends the subscripts of \p E, outermost first, to \p Subscripts, and
/// returns what they are subscripts of; null if one is written the other way,
/// `2[s]`.
const clang::Expr *
takeSubscripts(const clang::Expr *E,
               llvm::SmallVectorImpl<const clang::Expr *> &Subscripts);

/// True if \p Var is a local pointer, initialised with an array of what it
/// points to, and all that \p Body does with it is to subscript it.
bool isRowPointer(const clang::VarDecl *Var, const clang::Stmt *Body);

/// Returns the number of elements of \p Shape that an access of \p Size bytes
/// from the element with the subscripts \p Index on takes at once: 1, 2, 4, 8
/// or
/// 16. Nothing unless they are whole elements of one row whose first number is
/// certain to be a multiple of that.
std::optional<unsigned> findChunk(const ValueGraph &Values,
                                  const ArrayShape &Shape,
                                  llvm::ArrayRef<ValueId> Index, uint64_t Size);

/// Returns how many low bits of \p Id are certain to be 0, as C computes it.
unsigned countZeroBits(const ValueGraph &Values, ValueId Id);

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_ARRAYVIEWS_H
