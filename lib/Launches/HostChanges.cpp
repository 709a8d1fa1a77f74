// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds the variables that host code may change, in one pass over the syntax
/// tree.
//===----------------------------------------------------------------------===//

#include "cudaopt/Launches/HostChanges.h"
#include "cudaopt/Support/Nodes.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace cudaopt {

/// Collects the changed variables. Parents are visited before their children: a
/// parent that uses its operand harmlessly (reads it, copies it, discards it)
/// marks it so, and the visit of a name then ignores it. All other uses of a
/// name are changes.
class ChangeFinder {
public:
  explicit ChangeFinder(HostChanges &Result) : Result(Result) {}

  /// Returns false if the parts of \p S do not count.
  bool visit(const Stmt *S) {
    // Only the semantic form of a list has the implicit casts by which elements
    // are read.
    if (const auto *List = dyn_cast<InitListExpr>(S))
      return !List->getSemanticForm();
    if (const auto *Lambda = dyn_cast<LambdaExpr>(S))
      visitCaptures(Lambda);
    else if (const auto *E = dyn_cast<Expr>(S))
      visitExpr(E);
    else
      visitStatement(S);
    return true;
  }

private:
  void visitExpr(const Expr *E) {
    if (const auto *Cast = dyn_cast<ImplicitCastExpr>(E)) {
      if (Cast->getCastKind() == CK_LValueToRValue)
        visitRead(Cast->getSubExpr()->IgnoreParens());
    } else if (const auto *Construct = dyn_cast<CXXConstructExpr>(E)) {
      if (Construct->getConstructor()->isCopyConstructor())
        Harmless.insert(Construct->getArg(0)->IgnoreParenImpCasts());
    } else if (const auto *Op = dyn_cast<BinaryOperator>(E)) {
      if (Op->getOpcode() == BO_Comma)
        discard(Op->getLHS());
      if (Op->isAssignmentOp())
        addTarget(Op, Op->getLHS());
    } else if (const auto *Op = dyn_cast<UnaryOperator>(E)) {
      if (Op->isIncrementDecrementOp())
        addTarget(Op, Op->getSubExpr());
    } else if (const auto *Call = dyn_cast<CXXOperatorCallExpr>(E)) {
      visitOperator(Call);
    } else if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
      visitName(Ref);
    }
  }
  /// To read `v`, `v.x` or `v[i]` does not change v.
  void visitRead(const Expr *Read) {
    if (const auto *Member = dyn_cast<MemberExpr>(Read))
      Read = Member->getBase()->IgnoreParenImpCasts();
    else if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(Read))
      Read = Sub->getBase()->IgnoreParenImpCasts();
    Harmless.insert(Read);
  }
  /// An assignment operator that the compiler provides assigns the members.
  void visitOperator(const CXXOperatorCallExpr *Call) {
    const auto *Method =
        dyn_cast_or_null<CXXMethodDecl>(Call->getDirectCallee());
    if (!Method || Method->isUserProvided() ||
        (!Method->isCopyAssignmentOperator() &&
         !Method->isMoveAssignmentOperator()))
      return;
    addTarget(Call, Call->getArg(0));
    Harmless.insert(Call->getArg(1)->IgnoreParenImpCasts());
  }
  void visitCaptures(const LambdaExpr *Lambda) {
    for (auto [Capture, Init] :
         llvm::zip_equal(Lambda->captures(), Lambda->capture_inits()))
      if (Capture.capturesVariable() && Capture.getCaptureKind() == LCK_ByRef)
        if (const auto *Var = dyn_cast<VarDecl>(Capture.getCapturedVar())) {
          Result.HandedOut.insert(Var->getCanonicalDecl());
          // What changes it, if anything, is a use in the body.
          Harmless.insert(Init->IgnoreParenImpCasts());
        }
  }
  /// Reached last: whatever is not known to be harmless changes the variable.
  void visitName(const DeclRefExpr *Ref) {
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    if (!Var || Harmless.contains(Ref) || Var->getType().isConstQualified())
      return;
    Result.Changed.insert(Var->getCanonicalDecl());
    if (!Targets.contains(Ref))
      Result.HandedOut.insert(Var->getCanonicalDecl());
  }

  /// Discards the expressions of \p S whose value is not used: what they yield,
  /// perhaps a reference to a variable, goes nowhere.
  void visitStatement(const Stmt *S) {
    if (const auto *Block = dyn_cast<CompoundStmt>(S)) {
      for (const Stmt *Each : Block->body())
        discard(Each);
    } else if (const auto *If = dyn_cast<IfStmt>(S)) {
      discard(If->getThen());
      discard(If->getElse());
    } else if (const auto *For = dyn_cast<ForStmt>(S)) {
      discard(For->getInit());
      discard(For->getInc());
      discard(For->getBody());
    } else if (const auto *For = dyn_cast<CXXForRangeStmt>(S)) {
      discard(For->getBody());
    } else if (const auto *While = dyn_cast<WhileStmt>(S)) {
      discard(While->getBody());
    } else if (const auto *Do = dyn_cast<DoStmt>(S)) {
      discard(Do->getBody());
    } else if (const auto *Switch = dyn_cast<SwitchStmt>(S)) {
      discard(Switch->getBody());
    }
  }

  /// Marks \p S as harmless if it is an expression: its value is not used, so
  /// that no reference to a variable gets out of it.
  void discard(const Stmt *S) {
    while (const auto *Labelled = dyn_cast_or_null<SwitchCase>(S))
      S = Labelled->getSubStmt();
    const auto *E = dyn_cast_or_null<Expr>(S);
    if (!E)
      return;
    E = E->IgnoreParens();
    if (const auto *Full = dyn_cast<ExprWithCleanups>(E))
      E = Full->getSubExpr()->IgnoreParens();
    if (const auto *Cast = dyn_cast<CastExpr>(E);
        Cast && Cast->getCastKind() == CK_ToVoid)
      E = Cast->getSubExpr()->IgnoreParens();
    Harmless.insert(E);
    if (const auto *Op = dyn_cast<BinaryOperator>(E);
        Op && Op->getOpcode() == BO_Comma) {
      discard(Op->getLHS());
      discard(Op->getRHS());
    }
  }

  /// Marks \p E as the target of \p Assignment, which changes it but does not
  /// hand it out. An assignment yields a reference to its target; if that is
  /// used, the target is handed out after all.
  void addTarget(const Expr *Assignment, const Expr *E) {
    if (Assignment->isGLValue() && !Harmless.contains(Assignment))
      return;
    E = E->IgnoreParenImpCasts();
    if (const auto *Member = dyn_cast<MemberExpr>(E))
      E = Member->getBase()->IgnoreParenImpCasts();
    Targets.insert(E);
  }

  HostChanges &Result;
  /// Expressions that do not change a variable by naming it, and those that
  /// only assign to it.
  llvm::DenseSet<const Expr *> Harmless, Targets;
};

void HostChanges::find(const Decl *D) {
  ChangeFinder Finder(*this);
  auto visit = [&](const DynTypedNode &N, NodePath) {
    const auto *S = N.get<Stmt>();
    return !S || Finder.visit(S);
  };
  walkNodes(D, visit, {.Implicit = true, .Instances = true});
}

} // namespace cudaopt
