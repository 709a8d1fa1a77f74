// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Maps an access in the AST to the source positions that debug information may
/// give it in the IR: that of the expression that names the variable and those
/// of all expressions around it. For an element that is passed by reference,
/// they are the positions where the callee uses it.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_DRIVER_PARSE_SOURCEPOINTS_H
#define CUDAOPT_LIB_DRIVER_PARSE_SOURCEPOINTS_H

#include "cudaopt/Check/Claims.h"
#include "cudaopt/Support/Nodes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include <set>

namespace cudaopt {

/// The positions in the bodies of some functions.
class SourcePoints {
public:
  /// Collects the expressions in the bodies of \p Functions.
  SourcePoints(const clang::ASTContext &Context,
               llvm::ArrayRef<clang::FunctionDecl *> Functions);

  /// Returns the possible positions of an access whose expression begins at
  /// \p Loc.
  std::vector<check::SourcePoint> pointsOf(clang::SourceLocation Loc) const;

  /// Returns the positions at which a function accesses \p Argument, which it
  /// receives by reference or by address; an empty list if nothing is known of
  /// it.
  std::vector<check::SourcePoint>
  pointsInCallee(const clang::Expr *Argument) const;

private:
  void visit(const clang::DynTypedNode &N, NodePath Outer);
  void visitCall(const clang::CallExpr *Call);
  void pass(const clang::Expr *Argument, const clang::ParmVarDecl *Parameter);
  void note(const clang::DynTypedNode &N, NodePath Outer);

  /// Statements far outside do not identify an access.
  static constexpr size_t MaxAround = 48;

  const clang::SourceManager &SM;
  llvm::DenseMap<clang::SourceLocation, std::set<clang::SourceLocation>> Around;
  /// The parameter to which an expression is passed.
  llvm::DenseMap<const clang::Expr *, const clang::ParmVarDecl *> PassedTo;
  llvm::DenseMap<const clang::ParmVarDecl *,
                 std::vector<const clang::DeclRefExpr *>>
      Uses;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_DRIVER_PARSE_SOURCEPOINTS_H
