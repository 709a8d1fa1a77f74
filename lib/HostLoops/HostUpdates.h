// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Statements that update a variable or element, `x = x op v`, in all their
/// spellings.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_HOSTLOOPS_HOSTUPDATES_H
#define CUDAOPT_LIB_HOSTLOOPS_HOSTUPDATES_H

#include "cudaopt/HostLoops/HostLoop.h"

namespace cudaopt {

/// Returns the update that \p S makes: `x op= v`, `++x`, `x = x op v`, `x =
/// std::min(x, v)`, `x = v < x ? v : x`, or `if (v < x) x = v;`. Returns
/// std::nullopt if it is none, or if the runtime lacks the operation or would
/// give x other bits by it.
std::optional<HostUpdate> findUpdate(const clang::Stmt *S,
                                     const clang::ASTContext &Context);

/// Returns the only statement of the branch of an if without else, if that is
/// an expression; null otherwise.
const clang::Expr *getGuardedExpr(const clang::IfStmt *S);

/// Returns true for a call of std::min or std::max with two arguments whose
/// type is deduced.
bool isMinMax(const clang::CallExpr *Call);

/// Returns true if \p A and \p B are the same expression, up to parentheses and
/// implicit casts.
bool isSameExpr(const clang::Expr *A, const clang::Expr *B,
                const clang::ASTContext &Context);

} // namespace cudaopt

#endif // CUDAOPT_LIB_HOSTLOOPS_HOSTUPDATES_H
