// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds the variables of which every change is visible as an assignment or
/// increment of their name.
//===----------------------------------------------------------------------===//

#include "ParameterUses.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace cudaopt {

namespace {
/// Collects the uses of variables. A reference is harmless if its value is only
/// read, or it is the target of a change.
class TrackableFinder : public DynamicRecursiveASTVisitor {
public:
  TrackableFinder() { ShouldVisitImplicitCode = true; }

  // A parent is visited before its children, so that an operand that is only
  // read or assigned is known to be harmless when the reference itself comes.
  // `x = 1` and `++x` name x: they are harmless if they are read or dropped.
  bool VisitStmt(Stmt *S) override {
    if (isa<CompoundStmt, IfStmt, ForStmt, WhileStmt, DoStmt, SwitchStmt,
            SwitchCase, AttributedStmt>(S))
      for (Stmt *Child : S->children())
        if (auto *E = dyn_cast_or_null<Expr>(Child))
          addHarmless(E);
    return true;
  }
  bool VisitCastExpr(CastExpr *Cast) override {
    if (Cast->getCastKind() == CK_LValueToRValue ||
        Cast->getCastKind() == CK_ToVoid)
      addHarmless(Cast->getSubExpr());
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *Op) override {
    if (Op->getOpcode() == BO_Comma) {
      addHarmless(Op->getLHS());
      if (Harmless.contains(Op))
        addHarmless(Op->getRHS());
    } else if (Op->isAssignmentOp() && Harmless.contains(Op)) {
      addTarget(Op->getLHS());
    }
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *Op) override {
    if (Op->isPostfix() ||
        (Op->isIncrementDecrementOp() && Harmless.contains(Op)))
      addTarget(Op->getSubExpr());
    if (Op->getOpcode() == UO_Deref && Harmless.contains(Op))
      Followed.insert(Op->getSubExpr()->IgnoreParenImpCasts());
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *Ref) override {
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    if (Var && !Harmless.contains(Ref))
      Exposed.insert(Var);
    if (Var && !Followed.contains(Ref))
      Kept.insert(Var);
    return true;
  }

  llvm::DenseSet<const VarDecl *> Exposed;
  /// Pointers that are used for more than `*p`.
  llvm::DenseSet<const VarDecl *> Kept;

private:
  /// Marks a variable as the target of a change; `(x = 1) = 2`, which changes x
  /// twice, is not followed.
  void addTarget(Expr *E) {
    const auto *Op = dyn_cast<UnaryOperator>(E->IgnoreParens());
    if (isa<DeclRefExpr>(E->IgnoreParens()) ||
        (Op && Op->getOpcode() == UO_Deref))
      addHarmless(E);
  }
  void addHarmless(Expr *E) {
    E = E->IgnoreParens();
    if (auto *Full = dyn_cast<FullExpr>(E))
      E = Full->getSubExpr()->IgnoreParens();
    Harmless.insert(E);
  }
  llvm::DenseSet<const Expr *> Harmless, Followed;
};
} // namespace

static TrackableFinder findVariables(const FunctionDecl *Function) {
  TrackableFinder Finder;
  Finder.TraverseDecl(const_cast<FunctionDecl *>(Function));
  return Finder;
}

bool usesOnlyValue(const FunctionDecl *Function, unsigned Index) {
  const FunctionDecl *Definition = nullptr;
  if (!Function->hasBody(Definition) || Index >= Definition->getNumParams() ||
      Definition->isDependentContext())
    return false;
  const ParmVarDecl *Parameter = Definition->getParamDecl(Index);
  TrackableFinder Finder = findVariables(Definition);
  return !(Parameter->getType()->isPointerType() ? Finder.Kept : Finder.Exposed)
              .contains(Parameter);
}

} // namespace cudaopt
