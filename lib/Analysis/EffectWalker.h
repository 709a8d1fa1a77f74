// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Walks the AST of statements and collects their effects (Dependences.h).
/// Expressions are understood from a list of known forms; any other form is
/// "ordered", which forbids moving it.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_ANALYSIS_EFFECTWALKER_H
#define CUDAOPT_LIB_ANALYSIS_EFFECTWALKER_H

#include "cudaopt/Analysis/Dependences.h"

#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/SmallVector.h"

namespace cudaopt {

class EffectWalker {
public:
  /// Effects of the visited statements are added to \p Found.
  EffectWalker(const clang::FunctionDecl *Kernel,
               const clang::ASTContext &Context, Effects &Found)
      : Kernel(Kernel), Context(Context), Found(Found) {}

  /// Adds the effects of executing \p S. An expression is visited for its side
  /// effects and for what its operands load; access() adds what it designates.
  void visit(const clang::Stmt *S);

private:
  using Use = Effects::Use;

  void visitDeclarations(const clang::DeclStmt *Declaration);
  bool visitOperator(const clang::Expr *E);
  void visitCall(const clang::CallExpr *Call);
  void visitConstruction(const clang::CXXConstructExpr *Construct);
  void visitChildren(const clang::Stmt *S);
  /// Adds the use \p U of the object that the glvalue \p E designates, and the
  /// effects of evaluating E's subscripts and pointers.
  void access(const clang::Expr *E, Use U);
  void accessMember(const clang::MemberExpr *Member, Use U);
  /// Adds the use \p U of what the pointer \p E points to, and the effects of
  /// evaluating E.
  void accessPointee(const clang::Expr *E, Use U);
  /// Adds the use \p U of the declared entity \p D.
  void touch(const clang::ValueDecl *D, Use U);

  const clang::FunctionDecl *Kernel;
  const clang::ASTContext &Context;
  Effects &Found;
  /// The call stack: the called functions whose bodies are being visited.
  llvm::SmallVector<const clang::FunctionDecl *, 8> Callees;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_ANALYSIS_EFFECTWALKER_H
