// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Walks statements and notes their effects.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_ANALYSIS_EFFECTWALKER_H
#define CUDAOPT_LIB_ANALYSIS_EFFECTWALKER_H

#include "cudaopt/Analysis/Dependences.h"

#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/SmallVector.h"

namespace cudaopt {

class EffectWalker {
public:
  EffectWalker(const clang::FunctionDecl *Kernel,
               const clang::ASTContext &Context, Effects &Found)
      : Kernel(Kernel), Context(Context), Found(Found) {}

  void visit(const clang::Stmt *S);

private:
  using Use = Effects::Use;

  void visitDeclarations(const clang::DeclStmt *Declaration);
  bool visitOperator(const clang::Expr *E);
  void visitCall(const clang::CallExpr *Call);
  void visitConstruction(const clang::CXXConstructExpr *Construct);
  void visitChildren(const clang::Stmt *S);
  /// The place \p E is accessed; its parts are evaluated.
  void access(const clang::Expr *E, Use U);
  void accessMember(const clang::MemberExpr *Member, Use U);
  /// The same of what the pointer \p E points to.
  void accessPointee(const clang::Expr *E, Use U);
  void touch(const clang::ValueDecl *D, Use U);

  const clang::FunctionDecl *Kernel;
  const clang::ASTContext &Context;
  Effects &Found;
  llvm::SmallVector<const clang::FunctionDecl *, 8> Callees; ///< Around.
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_ANALYSIS_EFFECTWALKER_H
