// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds references inside of lambdas, local classes, `decltype`, `alignof` and
/// constant expressions.
//===----------------------------------------------------------------------===//

#include "SpecialUses.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"

using namespace clang;

namespace cudaopt {
namespace {

/// Counts how deep the traversal is inside of such constructs.
class SpecialUseFinder : public DynamicRecursiveASTVisitor {
public:
  SpecialUseFinder() { ShouldVisitTemplateInstantiations = true; }
  bool TraverseLambdaExpr(LambdaExpr *Lambda) override {
    return traverseInside(Lambdas, [&] {
      return DynamicRecursiveASTVisitor::TraverseLambdaExpr(Lambda);
    });
  }
  bool TraverseDecltypeTypeLoc(DecltypeTypeLoc Type, bool) override {
    return traverseInside(
        Lambdas, [&] { return TraverseStmt(Type.getUnderlyingExpr()); });
  }
  bool TraverseUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr *E) override {
    // sizeof of a reference is that of the object; alignof of one loses the
    // alignment that the variable asks for.
    if (E->getKind() == UETT_SizeOf || E->isArgumentType())
      return true;
    return traverseInside(Lambdas,
                          [&] { return TraverseStmt(E->getArgumentExpr()); });
  }
  bool
  TraverseTemplateArgumentLoc(const TemplateArgumentLoc &Argument) override {
    if (Argument.getArgument().getKind() != TemplateArgument::Expression)
      return DynamicRecursiveASTVisitor::TraverseTemplateArgumentLoc(Argument);
    return traverseInside(Constants, [&] {
      return DynamicRecursiveASTVisitor::TraverseTemplateArgumentLoc(Argument);
    });
  }
  bool TraverseCXXRecordDecl(CXXRecordDecl *Local) override {
    return traverseInside(Lambdas, [&] {
      return DynamicRecursiveASTVisitor::TraverseCXXRecordDecl(Local);
    });
  }
  bool TraverseConstantExpr(ConstantExpr *E) override {
    return traverseInside(Constants, [&] {
      return DynamicRecursiveASTVisitor::TraverseConstantExpr(E);
    });
  }
  bool TraverseVarDecl(VarDecl *Var) override {
    if (!Var->isConstexpr())
      return DynamicRecursiveASTVisitor::TraverseVarDecl(Var);
    return traverseInside(Constants, [&] {
      return DynamicRecursiveASTVisitor::TraverseVarDecl(Var);
    });
  }
  bool VisitDeclRefExpr(DeclRefExpr *Ref) override {
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
