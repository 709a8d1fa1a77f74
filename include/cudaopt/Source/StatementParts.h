// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Containment of statements in others.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_SOURCE_STATEMENTPARTS_H
#define CUDAOPT_SOURCE_STATEMENTPARTS_H

#include "clang/AST/ParentMap.h"
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

/// Returns true if \p S, or a statement around it, is of one of \p Kinds.
template <typename... Kinds>
bool isInsideOf(const clang::Stmt *S, const clang::ParentMap &Parents) {
  for (; S; S = Parents.getParent(S))
    if (llvm::isa<Kinds...>(S))
      return true;
  return false;
}

} // namespace cudaopt

#endif // CUDAOPT_SOURCE_STATEMENTPARTS_H
