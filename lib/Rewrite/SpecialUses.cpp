// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SpecialUses.h"

#include "clang/AST/RecursiveASTVisitor.h"

using namespace clang;

namespace cudaopt {
namespace {

class SpecialUseFinder : public RecursiveASTVisitor<SpecialUseFinder> {
public:
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool TraverseLambdaExpr(LambdaExpr *Lambda) {
    return traverseInside(Lambdas, [&] {
      return RecursiveASTVisitor::TraverseLambdaExpr(Lambda);
    });
  }
  bool TraverseDecltypeTypeLoc(DecltypeTypeLoc Type, bool) {
    return traverseInside(
        Lambdas, [&] { return TraverseStmt(Type.getUnderlyingExpr()); });
  }
  bool TraverseUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr *E) {
    // sizeof sees through references; alignof forgets what a variable asks for.
    if (E->getKind() == UETT_SizeOf || E->isArgumentType())
      return true;
    return traverseInside(Lambdas,
                          [&] { return TraverseStmt(E->getArgumentExpr()); });
  }
  bool TraverseTemplateArgumentLoc(const TemplateArgumentLoc &Argument) {
    if (Argument.getArgument().getKind() != TemplateArgument::Expression)
      return RecursiveASTVisitor::TraverseTemplateArgumentLoc(Argument);
    return traverseInside(Constants, [&] {
      return RecursiveASTVisitor::TraverseTemplateArgumentLoc(Argument);
    });
  }
  bool TraverseCXXRecordDecl(CXXRecordDecl *Local) {
    return traverseInside(Lambdas, [&] {
      return RecursiveASTVisitor::TraverseCXXRecordDecl(Local);
    });
  }
  bool TraverseConstantExpr(ConstantExpr *E) {
    return traverseInside(Constants, [&] {
      return RecursiveASTVisitor::TraverseConstantExpr(E);
    });
  }
  bool TraverseVarDecl(VarDecl *Var) {
    if (!Var->isConstexpr())
      return RecursiveASTVisitor::TraverseVarDecl(Var);
    return traverseInside(
        Constants, [&] { return RecursiveASTVisitor::TraverseVarDecl(Var); });
  }
  bool VisitDeclRefExpr(DeclRefExpr *Ref) {
    if (Constants)
      Found.InConstants.push_back(Ref);
    else if (Lambdas)
      Found.ByMember.push_back(Ref);
    return true;
  }
  SpecialUses Found;

private:
  template <class F> bool traverseInside(unsigned &Depth, F Traverse) {
    ++Depth;
    bool Result = Traverse();
    --Depth;
    return Result;
  }
  unsigned Lambdas = 0, Constants = 0;
};

} // namespace

SpecialUses findSpecialUses(llvm::ArrayRef<const FunctionDecl *> Functions) {
  SpecialUseFinder Finder;
  for (const FunctionDecl *Function : Functions)
    Finder.TraverseStmt(Function->getBody());
  return std::move(Finder.Found);
}

} // namespace cudaopt
