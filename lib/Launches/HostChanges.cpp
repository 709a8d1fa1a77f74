// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds the variables that host code may change, in one pass over the syntax
/// tree.
//===----------------------------------------------------------------------===//

#include "cudaopt/Launches/HostChanges.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace cudaopt {

/// Collects the changed variables. Parents are visited before their children: a
/// parent that uses its operand harmlessly (reads it, copies it, discards it)
/// marks it so, and the visit of a name then ignores it. All other uses of a
/// name are changes.
class ChangeFinder : public DynamicRecursiveASTVisitor {
public:
  explicit ChangeFinder(HostChanges &Result) : Result(Result) {
    ShouldVisitTemplateInstantiations = true;
    ShouldVisitImplicitCode = true;
  }

  bool VisitImplicitCastExpr(ImplicitCastExpr *Cast) override {
    if (Cast->getCastKind() != CK_LValueToRValue)
      return true;
    const Expr *Read = Cast->getSubExpr()->IgnoreParens();
    if (const auto *Member = dyn_cast<MemberExpr>(Read))
      Read = Member->getBase()->IgnoreParenImpCasts();
    else if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(Read))
      Read = Sub->getBase()->IgnoreParenImpCasts();
    Harmless.insert(Read);
    return true;
  }
  /// Only the semantic form has the implicit casts by which elements are read.
  bool TraverseInitListExpr(InitListExpr *List) override {
    if (InitListExpr *Semantic = List->getSemanticForm())
      List = Semantic;
    return llvm::all_of(List->children(),
                        [&](Stmt *Child) { return TraverseStmt(Child); });
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *Construct) override {
    if (Construct->getConstructor()->isCopyConstructor())
      Harmless.insert(Construct->getArg(0)->IgnoreParenImpCasts());
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *Op) override {
    if (Op->getOpcode() == BO_Comma)
      discard(Op->getLHS());
    if (Op->isAssignmentOp())
      addTarget(Op, Op->getLHS());
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *Op) override {
    if (Op->isIncrementDecrementOp())
      addTarget(Op, Op->getSubExpr());
    return true;
  }
  /// An assignment operator that the compiler provides assigns the members.
  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *Call) override {
    const auto *Method =
        dyn_cast_or_null<CXXMethodDecl>(Call->getDirectCallee());
    if (!Method || Method->isUserProvided() ||
        (!Method->isCopyAssignmentOperator() &&
         !Method->isMoveAssignmentOperator()))
      return true;
    addTarget(Call, Call->getArg(0));
    Harmless.insert(Call->getArg(1)->IgnoreParenImpCasts());
    return true;
  }
  bool TraverseLambdaExpr(LambdaExpr *Lambda) override {
    for (auto [Capture, Init] :
         llvm::zip_equal(Lambda->captures(), Lambda->capture_inits()))
      if (Capture.capturesVariable() && Capture.getCaptureKind() == LCK_ByRef)
        if (const auto *Var = dyn_cast<VarDecl>(Capture.getCapturedVar())) {
          Result.HandedOut.insert(Var->getCanonicalDecl());
          // What changes it, if anything, is a use in the body.
          Harmless.insert(Init->IgnoreParenImpCasts());
        }
    return DynamicRecursiveASTVisitor::TraverseLambdaExpr(Lambda);
  }
  /// Reached last: whatever is not known to be harmless changes the variable.
  bool VisitDeclRefExpr(DeclRefExpr *Ref) override {
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    if (!Var || Harmless.contains(Ref) || Var->getType().isConstQualified())
      return true;
    Result.Changed.insert(Var->getCanonicalDecl());
    if (!Targets.contains(Ref))
      Result.HandedOut.insert(Var->getCanonicalDecl());
    return true;
  }

  // Expressions whose value is not used: what they yield, perhaps a reference
  // to a variable, goes nowhere.
  bool VisitCompoundStmt(CompoundStmt *Block) override {
    for (const Stmt *S : Block->body())
      discard(S);
    return true;
  }
  bool VisitIfStmt(IfStmt *If) override {
    discard(If->getThen());
    discard(If->getElse());
    return true;
  }
  bool VisitForStmt(ForStmt *For) override {
    discard(For->getInit());
    discard(For->getInc());
    discard(For->getBody());
    return true;
  }
  bool VisitCXXForRangeStmt(CXXForRangeStmt *For) override {
    discard(For->getBody());
    return true;
  }
  bool VisitWhileStmt(WhileStmt *While) override {
    discard(While->getBody());
    return true;
  }
  bool VisitDoStmt(DoStmt *Do) override {
    discard(Do->getBody());
    return true;
  }
  bool VisitSwitchStmt(SwitchStmt *Switch) override {
    discard(Switch->getBody());
    return true;
  }

private:
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

void HostChanges::find(Decl *D) { ChangeFinder(*this).TraverseDecl(D); }

} // namespace cudaopt
