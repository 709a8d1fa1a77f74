// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Uses of a variable that would mean something else if its name were that of a
/// reference.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_REWRITE_SPECIALUSES_H
#define CUDAOPT_LIB_REWRITE_SPECIALUSES_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace cudaopt {

/// The special uses in some functions.
struct SpecialUses {
  /// Uses in constant expressions, of which references cannot be a part.
  std::vector<const clang::DeclRefExpr *> InConstants;
  /// Uses in lambdas, local classes, `decltype` and `alignof`, which must name
  /// the member instead.
  std::vector<const clang::DeclRefExpr *> ByMember;
};

/// Finds the special uses of any variable in the bodies of \p Functions.
SpecialUses
findSpecialUses(llvm::ArrayRef<const clang::FunctionDecl *> Functions);

} // namespace cudaopt

#endif // CUDAOPT_LIB_REWRITE_SPECIALUSES_H
