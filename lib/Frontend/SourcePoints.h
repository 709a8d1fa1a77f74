// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The places that debug information may give to an access: the expression that
/// names the variable, and all expressions around it; for an element that a
/// function gets by reference, the places where the function uses it.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_FRONTEND_SOURCEPOINTS_H
#define CUDAOPT_LIB_FRONTEND_SOURCEPOINTS_H

#include "cudaopt/Check/Claims.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include <set>

namespace cudaopt {

class SourcePoints {
public:
  /// Looks through the bodies of \p Functions.
  SourcePoints(const clang::ASTContext &Context,
               llvm::ArrayRef<clang::FunctionDecl *> Functions);

  /// Returns the places of an access that begins at \p Loc.
  std::vector<check::SourcePoint> pointsOf(clang::SourceLocation Loc) const;

  /// Returns the places at which a function accesses \p Argument, which it gets
  /// by reference or by its address; none if nothing is known of it.
  std::vector<check::SourcePoint>
  pointsInCallee(const clang::Expr *Argument) const;

private:
  friend class PointFinder;
  const clang::SourceManager &SM;
  llvm::DenseMap<clang::SourceLocation, std::set<clang::SourceLocation>> Around;
  /// The parameters to which expressions are passed.
  llvm::DenseMap<const clang::Expr *, const clang::ParmVarDecl *> PassedTo;
  llvm::DenseMap<const clang::ParmVarDecl *,
                 std::vector<const clang::DeclRefExpr *>>
      Uses;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_FRONTEND_SOURCEPOINTS_H
