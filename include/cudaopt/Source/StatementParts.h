// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Containment of statements in others.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_SOURCE_STATEMENTPARTS_H
#define CUDAOPT_SOURCE_STATEMENTPARTS_H

#include "clang/AST/Stmt.h"
#include "llvm/ADT/STLExtras.h"

namespace cudaopt {

/// Returns true if \p Part, a statement or an expression, is \p Whole or is
/// inside of it. A null \p Whole contains nothing.
inline bool contains(const clang::Stmt *Whole, const clang::Stmt *Part) {
  return Whole && (Whole == Part ||
                   llvm::any_of(Whole->children(), [&](const clang::Stmt *S) {
                     return contains(S, Part);
                   }));
}

} // namespace cudaopt

#endif // CUDAOPT_SOURCE_STATEMENTPARTS_H
