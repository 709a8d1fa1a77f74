// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which statements are parts of others.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_MODEL_STATEMENTPARTS_H
#define CUDAOPT_MODEL_STATEMENTPARTS_H

#include "clang/AST/Stmt.h"
#include "llvm/ADT/STLExtras.h"

namespace cudaopt {

/// True if \p Part, a statement or an expression, is \p Whole or stands inside
/// of it. \p Whole may be null, and then has no parts.
inline bool contains(const clang::Stmt *Whole, const clang::Stmt *Part) {
  return Whole && (Whole == Part ||
                   llvm::any_of(Whole->children(), [&](const clang::Stmt *S) {
                     return contains(S, Part);
                   }));
}

} // namespace cudaopt

#endif // CUDAOPT_MODEL_STATEMENTPARTS_H
