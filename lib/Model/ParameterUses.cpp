// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Tells the uses of a parameter that read or assign its value from all others.
//===----------------------------------------------------------------------===//

#include "ParameterUses.h"
#include "cudaopt/Support/Nodes.h"

#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace cudaopt {

namespace {
/// The uses of variables. A reference is harmless if its value is only read, or
/// it is the target of a change. Outer nodes come first, so that an operand
/// that is only read or assigned is known to be harmless when the reference
/// itself comes. `x = 1` and `++x` name x: they are harmless if they are read
/// or dropped.
class VariableUses {
public:
  void visit(const Stmt *S) {
    if (isa<CompoundStmt, IfStmt, ForStmt, WhileStmt, DoStmt, SwitchStmt,
            SwitchCase, AttributedStmt>(S))
      for (const Stmt *Child : S->children())
        if (const auto *E = dyn_cast_or_null<Expr>(Child))
          addHarmless(E);
    if (const auto *Cast = dyn_cast<CastExpr>(S)) {
      if (Cast->getCastKind() == CK_LValueToRValue ||
          Cast->getCastKind() == CK_ToVoid)
        addHarmless(Cast->getSubExpr());
    } else if (const auto *Op = dyn_cast<BinaryOperator>(S)) {
      visitBinary(Op);
    } else if (const auto *Op = dyn_cast<UnaryOperator>(S)) {
      visitUnary(Op);
    } else if (const auto *Ref = dyn_cast<DeclRefExpr>(S)) {
      visitReference(Ref);
    }
  }

  llvm::DenseSet<const VarDecl *> Exposed;
  /// Pointers that are used for more than `*p`.
  llvm::DenseSet<const VarDecl *> Kept;

private:
  void visitBinary(const BinaryOperator *Op) {
    if (Op->getOpcode() == BO_Comma) {
      addHarmless(Op->getLHS());
      if (Harmless.contains(Op))
        addHarmless(Op->getRHS());
    } else if (Op->isAssignmentOp() && Harmless.contains(Op)) {
      addTarget(Op->getLHS());
    }
  }
  void visitUnary(const UnaryOperator *Op) {
    if (Op->isPostfix() ||
        (Op->isIncrementDecrementOp() && Harmless.contains(Op)))
      addTarget(Op->getSubExpr());
    if (Op->getOpcode() == UO_Deref && Harmless.contains(Op))
      Followed.insert(Op->getSubExpr()->IgnoreParenImpCasts());
  }
  void visitReference(const DeclRefExpr *Ref) {
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    if (Var && !Harmless.contains(Ref))
      Exposed.insert(Var);
    if (Var && !Followed.contains(Ref))
      Kept.insert(Var);
  }
  /// Marks a variable as the target of a change; `(x = 1) = 2`, which changes x
  /// twice, is not followed.
  void addTarget(const Expr *E) {
    const auto *Op = dyn_cast<UnaryOperator>(E->IgnoreParens());
    if (isa<DeclRefExpr>(E->IgnoreParens()) ||
        (Op && Op->getOpcode() == UO_Deref))
      addHarmless(E);
  }
  void addHarmless(const Expr *E) {
    E = E->IgnoreParens();
    if (const auto *Full = dyn_cast<FullExpr>(E))
      E = Full->getSubExpr()->IgnoreParens();
    Harmless.insert(E);
  }
  llvm::DenseSet<const Expr *> Harmless, Followed;
};
} // namespace

bool usesOnlyValue(const FunctionDecl *Function, unsigned Index) {
  const FunctionDecl *Definition = nullptr;
  if (!Function->hasBody(Definition) || Index >= Definition->getNumParams() ||
      Definition->isDependentContext())
    return false;
  const ParmVarDecl *Parameter = Definition->getParamDecl(Index);
  VariableUses Uses;
  auto visit = [&](const DynTypedNode &N) {
    if (const auto *S = N.get<Stmt>())
      Uses.visit(S);
  };
  forEachNode(Definition, visit, {.Implicit = true});
  return !(Parameter->getType()->isPointerType() ? Uses.Kept : Uses.Exposed)
              .contains(Parameter);
}

} // namespace cudaopt
