// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Statements of the form `x = x op v` in all their spellings.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_HOSTUPDATES_H
#define CUDAOPT_LIB_MODEL_HOSTUPDATES_H

#include "cudaopt/Model/HostLoop.h"

namespace cudaopt {

/// The update that \p S is: `x op= v`, `++x`, `x = x op v`, `x = std::min(x,
/// v)`, `x = v < x ? v : x`, or `if (v < x) x = v;`. Nothing unless the runtime
/// has the operation and gives x the same bits by it.
std::optional<HostUpdate> findUpdate(const clang::Stmt *S,
                                     const clang::ASTContext &Context);

/// The only statement of the branch of an if without else; null for others.
const clang::Expr *getGuardedExpr(const clang::IfStmt *S);

/// True for std::min and std::max of two numbers whose type is deduced.
bool isMinMax(const clang::CallExpr *Call);

/// True if the text of \p E is one of its own: what an implicit copy of it
/// would be has no difference.
bool isSameExpr(const clang::Expr *A, const clang::Expr *B,
                const clang::ASTContext &Context);

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_HOSTUPDATES_H
