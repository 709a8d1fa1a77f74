// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AssignedVariables.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace cudaopt {
namespace {

class AssignedFinder : public DynamicRecursiveASTVisitor {
public:
  bool VisitBinaryOperator(BinaryOperator *Op) override {
    if (Op->isAssignmentOp())
      add(Op->getLHS());
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *Op) override {
    if (Op->isIncrementDecrementOp())
      add(Op->getSubExpr());
    return true;
  }
  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *Call) override {
    if (Call->getOperator() == OO_Equal)
      add(Call->getArg(0));
    return true;
  }
  // A variable of the body starts each iteration without a value.
  bool VisitVarDecl(VarDecl *Var) override {
    Found.push_back(Var);
    return true;
  }
  llvm::SmallVector<const VarDecl *, 8> Found;

private:
  void add(const Expr *Target) {
    Target = Target->IgnoreParenImpCasts();
    if (const auto *Member = dyn_cast<MemberExpr>(Target))
      Target = Member->getBase()->IgnoreParenImpCasts();
    if (const auto *Ref = dyn_cast<DeclRefExpr>(Target))
      if (const auto *Var = dyn_cast<VarDecl>(Ref->getDecl()))
        Found.push_back(Var);
  }
};

} // namespace

llvm::SmallVector<const VarDecl *, 8> findAssignedVariables(const Stmt *S) {
  AssignedFinder Finder;
  if (S)
    Finder.TraverseStmt(const_cast<Stmt *>(S));
  return std::move(Finder.Found);
}

} // namespace cudaopt
