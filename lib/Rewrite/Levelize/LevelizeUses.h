// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The declarations that a loop, and the functions copied for it, refer to: no
/// name in the loop's struct may hide them.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_REWRITE_LEVELIZE_LEVELIZEUSES_H
#define CUDAOPT_LIB_REWRITE_LEVELIZE_LEVELIZEUSES_H

#include "cudaopt/HostLoops/HostLoop.h"

#include "llvm/ADT/StringSet.h"
#include <vector>

namespace cudaopt {

/// What a loop refers to.
struct LoopUses {
  llvm::StringSet<> Names; ///< The names of all of them.
  /// Declarations that are neither captured as members nor declared inside of
  /// the loop.
  std::vector<const clang::NamedDecl *> Outside;
};

/// Collects the uses from the AST, so that those in macros and headers count,
/// too.
LoopUses collectUses(const HostLoop &L, const clang::ASTContext &Context);

/// Returns the identifiers of the main file, without those in comments.
llvm::StringSet<> collectIdentifiers(const clang::ASTContext &Context);

/// Returns the same, and the names that \p L refers to through macros or in
/// headers.
llvm::StringSet<> collectIdentifiers(const HostLoop &L,
                                     const clang::ASTContext &Context);

} // namespace cudaopt

#endif // CUDAOPT_LIB_REWRITE_LEVELIZE_LEVELIZEUSES_H
