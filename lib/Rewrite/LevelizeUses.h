// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The declarations that a loop, and the functions that are copied for it,
/// refer to: in the struct of the loop no other name may hide theirs.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_REWRITE_LEVELIZEUSES_H
#define CUDAOPT_LIB_REWRITE_LEVELIZEUSES_H

#include "cudaopt/Model/HostLoop.h"

#include "llvm/ADT/StringSet.h"
#include <vector>

namespace cudaopt {

struct LoopUses {
  llvm::StringSet<> Names; ///< Of all of them.
  /// Those that are neither captured nor declared where they are used.
  std::vector<const clang::NamedDecl *> Outside;
};

/// Macros and headers count: the names are those of the syntax tree.
LoopUses collectUses(const HostLoop &L, const clang::ASTContext &Context);

/// The identifiers of the main file, those of its comments not among them.
llvm::StringSet<> collectIdentifiers(const clang::ASTContext &Context);

/// The same, and those of what \p L refers to by macros, or in headers.
llvm::StringSet<> collectIdentifiers(const HostLoop &L,
                                     const clang::ASTContext &Context);

} // namespace cudaopt

#endif // CUDAOPT_LIB_REWRITE_LEVELIZEUSES_H
