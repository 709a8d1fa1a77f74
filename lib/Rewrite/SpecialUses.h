// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Uses of a variable that would mean something else if its name were a
/// reference.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_REWRITE_SPECIALUSES_H
#define CUDAOPT_LIB_REWRITE_SPECIALUSES_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace cudaopt {

struct SpecialUses {
  /// In constant expressions, of which references can be no part.
  std::vector<const clang::DeclRefExpr *> InConstants;
  /// In lambdas, local classes, `decltype` and `alignof`.
  std::vector<const clang::DeclRefExpr *> ByMember;
};

/// The special uses of any variable in the bodies of \p Functions.
SpecialUses
findSpecialUses(llvm::ArrayRef<const clang::FunctionDecl *> Functions);

} // namespace cudaopt

#endif // CUDAOPT_LIB_REWRITE_SPECIALUSES_H
