// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Edits of an array's declaration.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_REWRITE_DECLARATIONEDIT_H
#define CUDAOPT_LIB_REWRITE_DECLARATIONEDIT_H

#include "SubscriptEdit.h"

namespace cudaopt {

/// Gives the declaration of \p A the extents of \p New.
llvm::Error editDeclaration(const SharedArray &A, const Layout &New,
                            const LayoutNumbers &Numbers,
                            clang::ASTContext &Context, Edits &E);

/// `part[1024]` -> `part[256]`
llvm::Error editOutermostExtent(const SharedArray &A, uint64_t Extent,
                                clang::ASTContext &Context, Edits &E);

/// Gives parameter \p Index of \p Function, which names \p A, the longer rows
/// of
/// \p New.
llvm::Error editParameter(const SharedArray &A,
                          const clang::FunctionDecl *Function, unsigned Index,
                          const Layout &New, size_t NumDimensions,
                          clang::ASTContext &Context, Edits &E);

/// `S s[N]` -> `struct { T f[N]; ... } s` and `s[i].f` -> `s.f[i]`.
llvm::Error editFields(const Kernel &K, const SharedArray &A,
                       clang::ASTContext &Context, Edits &E);

} // namespace cudaopt

#endif // CUDAOPT_LIB_REWRITE_DECLARATIONEDIT_H
