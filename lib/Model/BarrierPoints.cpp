// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Barriers in the middle of expressions, and calls of functions that have
/// some: their steps become a part of the kernel's.
//===----------------------------------------------------------------------===//

#include "SharedProgramBuilder.h"

#include "clang/AST/ASTContext.h"

using namespace clang;

namespace cudaopt {

namespace {

/// Finds the calls in an expression that are barriers or run one, in the order
/// of their evaluation; and whether one may be skipped.
class PointFinder {
public:
  explicit PointFinder(const SharedVariables &Shared) : Shared(Shared) {}

  void visit(const Stmt *S, bool IsConditional) {
    if (!S || isa<UnaryExprOrTypeTraitExpr>(S))
      return;
    if (isa<LambdaExpr, StmtExpr>(S) || (!isa<Expr>(S))) {
      if (Shared.hasBarrier(S))
        Problem = isa<LambdaExpr>(S) ? Reason::BarrierInLambda
                                     : Reason::BarrierInExpression;
      return;
    }
    const auto *Op = dyn_cast<BinaryOperator>(S);
    const bool Splits =
        isa<AbstractConditionalOperator>(S) || (Op && Op->isLogicalOp());
    bool IsFirst = true;
    for (const Stmt *Child : S->children()) {
      visit(Child, IsConditional || (Splits && !IsFirst));
      IsFirst = false;
    }
    const auto *E = cast<Expr>(S);
    if (!isPoint(E))
      return;
    if (IsConditional)
      Problem = Reason::BarrierInExpression;
    else if (const auto *Call = dyn_cast<CallExpr>(E))
      Points.push_back(Call);
    else
      Problem = Reason::BarrierElsewhere; // A constructor.
  }

  llvm::SmallVector<const CallExpr *, 2> Points;
  Reason Problem = Reason::None;

private:
  bool isPoint(const Expr *E) const {
    const auto *Call = dyn_cast<CallExpr>(E);
    if (Call && isBlockBarrier(Call, Shared.context()))
      return true;
    const FunctionDecl *Body = isa<CallExpr, CXXConstructExpr>(E)
                                   ? findUserBody(E, Shared.context())
                                   : nullptr;
    return Body && Shared.runsBarrier(Body);
  }
  const SharedVariables &Shared;
};

} // namespace

void SharedProgramBuilder::splice(const CallExpr *Call,
                                  const FunctionDecl *Body) {
  const auto *Method = dyn_cast<CXXMethodDecl>(Body);
  if (Method && Method->getParent()->isLambda())
    return refuse(Reason::BarrierInLambda, Call->getExprLoc());
  refuseJumps(Body->getBody());
  std::optional<CallFrame> Frame = Uses.enter(Call, Body, *Stack.back()->Frame);
  if (!Frame)
    return;
  SplicedCall Inner{&*Frame, UniformControl(Body, Context), {}, {}};
  Stack.push_back(&Inner);
  walk(Body->getBody(), false);
  Stack.pop_back();
  llvm::append_range(Frontier, Inner.Returns);
  Uses.OwnWrites.clear();
}

void SharedProgramBuilder::walkPoint(const CallExpr *Call, const Stmt *S) {
  if (isBlockBarrier(Call, Context))
    return addBarrier(S, false);
  splice(Call, findUserBody(Call, Context));
}

/// A barrier in the middle: before and behind it, any part may be evaluated.
void SharedProgramBuilder::walkPoints(const Expr *E, const Stmt *S,
                                      bool InSequence) {
  PointFinder Finder(Shared);
  Finder.visit(E, false);
  if (Finder.Problem != Reason::None)
    return refuse(Finder.Problem, E->getExprLoc(), "a constructor");
  bool IsFirst = true;
  auto addSide = [&] {
    StepId Id = addStep(Step::Kind::Work, S, InSequence && IsFirst);
    IsFirst = false;
    Uses.collect(E, *Stack.back()->Frame, UseCollector::Order::Unknown,
                 P.Steps[Id]);
    connectExits(E, Id);
  };
  for (const CallExpr *Call : Finder.Points) {
    addSide();
    walkPoint(Call, S);
  }
  addSide();
}

void SharedProgramBuilder::walkExpr(const Expr *E, const Stmt *S,
                                    bool InSequence) {
  const Expr *Inner = E->IgnoreParens();
  while (true) {
    if (const auto *Full = dyn_cast<FullExpr>(Inner))
      Inner = Full->getSubExpr()->IgnoreParens();
    else if (const auto *Cast = dyn_cast<CastExpr>(Inner);
             Cast && Cast->getCastKind() == CK_ToVoid)
      Inner = Cast->getSubExpr()->IgnoreParens();
    else
      break;
  }
  const auto *Call = dyn_cast<CallExpr>(Inner);
  PointFinder Finder(Shared);
  Finder.visit(Inner, false);
  if (!Call || Finder.Points.size() != 1 || Finder.Points[0] != Call ||
      Finder.Problem != Reason::None)
    return walkPoints(E, S, InSequence);
  const bool IsBarrier = isBlockBarrier(Call, Context);
  if (IsBarrier && Call->getNumArgs() == 0)
    return addBarrier(S, InSequence);
  StepId Id = addStep(Step::Kind::Work, S, InSequence);
  Uses.collectOperands(Call, *Stack.back()->Frame, P.Steps[Id]);
  for (const Expr *Argument : Call->arguments())
    connectExits(Argument, Id);
  walkPoint(Call, S);
}

} // namespace cudaopt
