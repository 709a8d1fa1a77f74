// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Edits of an array's declaration. All functions fail if some text cannot be
/// edited; \p E then may contain a part of the edits.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_REWRITE_DECLARATIONEDIT_H
#define CUDAOPT_LIB_REWRITE_DECLARATIONEDIT_H

#include "SubscriptEdit.h"

namespace cudaopt {

/// Changes the extents in the declaration of \p A to what \p New needs.
llvm::Error editDeclaration(const SharedArray &A, const Layout &New,
                            const LayoutNumbers &Numbers,
                            clang::ASTContext &Context, Edits &E);

/// Replaces the outermost extent by \p Extent: `part[1024]` -> `part[256]`.
llvm::Error editOutermostExtent(const SharedArray &A, uint64_t Extent,
                                clang::ASTContext &Context, Edits &E);

/// Lengthens the rows in the type of parameter \p Index of \p Function, which
/// names \p A, as \p New needs.
llvm::Error editParameter(const SharedArray &A,
                          const clang::FunctionDecl *Function, unsigned Index,
                          const Layout &New, size_t NumDimensions,
                          clang::ASTContext &Context, Edits &E);

/// Turns an array of structs into a struct of arrays: `S s[N]` -> `struct { T
/// f[N]; ... } s` and `s[i].f` -> `s.f[i]`.
llvm::Error editFields(const Kernel &K, const SharedArray &A,
                       clang::ASTContext &Context, Edits &E);

} // namespace cudaopt

#endif // CUDAOPT_LIB_REWRITE_DECLARATIONEDIT_H
