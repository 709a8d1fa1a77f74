// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What calls do to shared variables: the uses of a callee are those of the
/// step that calls it.
//===----------------------------------------------------------------------===//

#include "SharedUses.h"

#include "clang/AST/ASTContext.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace cudaopt {

/// Calls inside calls, and calls in all, that are followed: no more than the
/// kernel's model follows, so that it knows each of them.
static constexpr unsigned MaxDepth = 8, MaxEntered = 256;

std::optional<CallFrame> UseCollector::enter(const Expr *Call,
                                             const FunctionDecl *Body,
                                             const CallFrame &Caller) {
  auto refuse = [&](Reason Why) {
    if (!P.Refused)
      P.Refused = Blocker{Why, Body->getNameAsString(), Call->getExprLoc()};
    return std::nullopt;
  };
  for (const CallFrame *Each = &Caller; Each; Each = Each->Caller)
    if (Each->Function == Body)
      return refuse(Reason::CallsItself);
  if (Caller.Depth == MaxDepth || ++NumEntered > MaxEntered)
    return refuse(Reason::TooManyCalls);
  llvm::SaveAndRestore<const CallFrame *> Here(Frame, &Caller);
  return Pointers.enter(Call, Body, Caller, [&](const Expr *Argument) {
    return isPlainAccess(Argument);
  });
}

void UseCollector::visitBody(const FunctionDecl *Body) {
  // A return in the middle is a condition on what is behind it.
  llvm::SaveAndRestore<unsigned> Inside(Conditions, Conditions + 1);
  llvm::SaveAndRestore<unsigned> Own(ExprConditions, 0);
  std::vector<OwnWrite> Before = OwnWrites, BeforeNew = std::move(NewWrites);
  NewWrites.clear();
  if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(Body))
    for (const CXXCtorInitializer *Init : Constructor->inits())
      visitFull(Init->getInit());
  visitStmt(Body->getBody());
  OwnWrites = std::move(Before);
  NewWrites = std::move(BeforeNew);
}

void UseCollector::visitCall(const Expr *Call) {
  const ASTContext &Context = Shared.context();
  const FunctionDecl *Body = findUserBody(Call, Context);
  const auto *Plain = dyn_cast<CallExpr>(Call);
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Body);
  const bool IsLambda = Method && Method->getParent()->isLambda();
  const bool IsEntered =
      Body && !IsLambda && Pointers.concerns(Call, Body, *Frame);
  AsyncCopy Copy = Plain ? classifyAsyncCopy(Plain, Context) : AsyncCopy::None;
  llvm::SaveAndRestore<bool> Pending(IsPending,
                                     IsPending || Copy == AsyncCopy::Issue);
  const CallOperands Operands = getOperands(Call);
  if (Plain && !Plain->getDirectCallee())
    visitExpr(Plain->getCallee());
  if (Operands.Object)
    IsEntered ? visitPlace(Operands.Object) : visitExpr(Operands.Object);
  for (const auto &[I, Argument] : llvm::enumerate(Operands.Arguments)) {
    if (IsEntered && I < Body->getNumParams() && !isPlainAccess(Argument))
      visitBound(Argument, Body->getParamDecl(I)->getType());
    else if (const Expr *E = Argument->IgnoreParenImpCasts();
             isPlainAccess(Argument) && isa<UnaryOperator>(E))
      visitExpr(cast<UnaryOperator>(E)->getSubExpr());
    else
      visitExpr(Argument);
  }
  // A body with barriers is spliced into the steps.
  if (!IsEntered || (How == Order::Unknown && Shared.runsBarrier(Body)))
    return;
  std::optional<CallFrame> Callee = enter(Call, Body, *Frame);
  if (!Callee)
    return;
  llvm::SaveAndRestore<const CallFrame *> Here(Frame, &*Callee);
  visitBody(Body);
}

void UseCollector::collectOperands(const Expr *Call, const CallFrame &Where,
                                   Step &Into) {
  Target = &Into;
  Frame = &Where;
  How = Order::Unknown; // So that the body is left out.
  visitCall(Call);
  NewWrites.clear();
  How = Order::Known;
}

} // namespace cudaopt
