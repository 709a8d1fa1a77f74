// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Implements the collection. Everything that is not understood is recorded
/// such that a value may be anything: its variable counts as reached, or an
/// unknown value is stored to memory.
//===----------------------------------------------------------------------===//

#include "FlowCollector.h"
#include "cudaopt/Support/Nodes.h"

#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace cudaopt {

void FlowCollector::collect(const FunctionDecl *F) {
  Work.push_back(F);
  auto visitNode = [&](const DynTypedNode &N) {
    if (const auto *S = N.get<Stmt>())
      visit(S);
    else if (const auto *V = N.get<VarDecl>())
      visitVariable(V);
  };
  while (!Work.empty()) {
    Function = Work.back();
    Work.pop_back();
    if (Seen.insert(Function).second)
      forEachNode(Function->getBody(), visitNode,
                  {.Implicit = true, .Instances = true});
  }
  // Tested and Ordered are closed under assignment: if `y = x + 1` and y is
  // compared, the compiler learns something about x, too.
  for (auto *Set : {&Flow.Tested, &Flow.Ordered}) {
    std::vector<const VarDecl *> Open(Set->begin(), Set->end());
    while (!Open.empty()) {
      const llvm::SmallVector<const Expr *, 2> All(
          Flow.Values.lookup(Open.back()));
      Open.pop_back();
      for (const Expr *Each : All)
        forEachRoot(Each, [&](const VarDecl *V) {
          if (Set->insert(V).second)
            Open.push_back(V);
        });
    }
  }
}

void FlowCollector::forEachRoot(
    const Stmt *S, llvm::function_ref<void(const VarDecl *)> Visit) {
  if (const auto *Ref = dyn_cast<DeclRefExpr>(S)) {
    if (const auto *V = dyn_cast<VarDecl>(Ref->getDecl()))
      Visit(V);
    return;
  }
  if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(S))
    return forEachRoot(Subscript->getBase(), Visit);
  for (const Stmt *Child : S->children())
    if (Child)
      forEachRoot(Child, Visit);
}

/// Returns true for `fabs(x)`: comparing it tells nothing about the sign of x.
static bool isMagnitude(const Expr *E) {
  const auto *Call = dyn_cast<CallExpr>(E->IgnoreParenImpCasts());
  const FunctionDecl *F = Call ? Call->getDirectCallee() : nullptr;
  return F && F->getIdentifier() &&
         llvm::is_contained({"fabs", "fabsf", "__builtin_fabs"}, F->getName());
}

/// Notes that a branch depends on \p E, so that in its arms the compiler may
/// know E's value (\p IsEquality) or at least its sign.
void FlowCollector::test(const Expr *E, bool IsEquality) {
  if (!IsEquality && isMagnitude(E))
    return;
  forEachRoot(E, [&](const VarDecl *V) {
    Flow.Ordered.insert(V);
    if (IsEquality)
      Flow.Tested.insert(V);
  });
}

void FlowCollector::visit(const Stmt *S) {
  if (const auto *Binary = dyn_cast<BinaryOperator>(S)) {
    visitBinary(Binary);
  } else if (const auto *Call = dyn_cast<CallExpr>(S)) {
    visitCall(Call);
  } else if (const auto *Unary = dyn_cast<UnaryOperator>(S)) {
    visitUnary(Unary);
  } else if (const auto *Cast = dyn_cast<CastExpr>(S)) {
    visitCast(Cast);
  } else if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(S)) {
    Elements.insert(Subscript->getBase()->IgnoreParens());
  } else if (const auto *Switch = dyn_cast<SwitchStmt>(S)) {
    test(Switch->getCond(), /*IsEquality=*/true);
  } else if (const auto *Return = dyn_cast<ReturnStmt>(S)) {
    if (Return->getRetValue())
      Flow.Returned[Function].push_back(Return->getRetValue());
  } else if (const auto *Assembly = dyn_cast<GCCAsmStmt>(S)) {
    for (unsigned I = 0; I != Assembly->getNumOutputs(); ++I)
      reach(Assembly->getOutputExpr(I));
  }
}

void FlowCollector::visitCast(const CastExpr *E) {
  if (E->getCastKind() == CK_FloatingToBoolean ||
      E->getCastKind() == CK_IntegralToBoolean)
    test(E->getSubExpr(), /*IsEquality=*/true);
  // A local array that decays without a subscript: its elements can be reached
  // through the pointer.
  if (E->getCastKind() == CK_ArrayToPointerDecay && !Elements.contains(E)) {
    const VarDecl *Root = getRootVariable(E->getSubExpr());
    if (Root && Root->hasLocalStorage() && !Flow.isHeld(Root))
      reach(E->getSubExpr());
  }
}

void FlowCollector::visitVariable(const VarDecl *V) {
  if (!V->getInit())
    return;
  Flow.Values[V].push_back(V->getInit());
  if (V->getType()->isReferenceType())
    reach(V->getInit());
}

void FlowCollector::reach(const Expr *E) {
  const VarDecl *Root = getRootVariable(E);
  // In `p[i]`, the root is the pointer p, but what is reached is not p itself.
  if (Root && (!Root->getType()->isPointerType() ||
               isa<DeclRefExpr>(E->IgnoreParenCasts())))
    Flow.Reached.insert(Root);
}

/// Returns true if \p E is a local variable or a part of one, as opposed to
/// memory that a pointer or reference leads to.
static bool isLocalTarget(const Expr *E) {
  const VarDecl *Root = getRootVariable(E);
  return Root && Root->hasLocalStorage() &&
         !Root->getType()->isReferenceType() &&
         (!Root->getType()->isPointerType() ||
          isa<DeclRefExpr>(E->IgnoreParens()));
}

void FlowCollector::store(const Expr *Target, const Expr *Value) {
  const VarDecl *Root = getRootVariable(Target);
  if (Root && Flow.isHeld(Root))
    Flow.Stored.push_back(Value);
  else if (isLocalTarget(Target))
    Flow.Values[Root].push_back(Value);
  else
    Flow.Memory[Root && !Root->getType()->isReferenceType() ? Root : nullptr]
        .push_back(Value);
}

/// Removes parentheses, casts and signs, which keep a product a product.
static const Expr *strip(const Expr *E) {
  while (true) {
    E = E->IgnoreParenCasts();
    const auto *Unary = dyn_cast<UnaryOperator>(E);
    if (!Unary ||
        (Unary->getOpcode() != UO_Minus && Unary->getOpcode() != UO_Plus))
      return E;
    E = Unary->getSubExpr();
  }
}

void FlowCollector::follow(const Expr *E, bool MeetsSum) {
  E = strip(E);
  if (const auto *Choice = dyn_cast<ConditionalOperator>(E)) {
    follow(Choice->getTrueExpr(), MeetsSum);
    return follow(Choice->getFalseExpr(), MeetsSum);
  }
  for (ProductFlow::Product &Known : Flow.Products)
    if (Known.E == E) {
      Known.MeetsSum |= MeetsSum;
      return;
    }
  if (isProduct(E, Flow.Context) || isShortProduct(E))
    Flow.Products.push_back({E, MeetsSum});
}

// An operand reaches a sum directly, if E is one, or through a variable, if E
// assigns to one. A product that is stored to memory is rounded by that.
// Operators that are neither sums nor known to be harmless count as sums.
void FlowCollector::visitBinary(const BinaryOperator *E) {
  if (E->isAssignmentOp()) {
    // The value stored by `x *= b` is that of the whole expression.
    store(E->getLHS(),
          E->isCompoundAssignmentOp() ? cast<Expr>(E) : E->getRHS());
    if (E->isCompoundAssignmentOp() && E->getType()->isRealFloatingType())
      Flow.Operations.push_back({getOperation(E), E->getLHS(), E->getRHS(), E});
    const bool IsMemory = !isLocalTarget(E->getLHS());
    const BinaryOperatorKind Op = getOperation(E);
    follow(E->getRHS(),
           Op == BO_Add || Op == BO_Sub || (Op == BO_Assign && !IsMemory));
    if (isProduct(E, Flow.Context))
      follow(E, !IsMemory);
    return;
  }
  if (E->isComparisonOp())
    for (const Expr *Each : {E->getLHS(), E->getRHS()})
      test(Each, E->isEqualityOp() || !Each->getType()->isFloatingType());
  if (E->getType()->isRealFloatingType())
    Flow.Operations.push_back({E->getOpcode(), E->getLHS(), E->getRHS(), E});
  const bool IsHarmless =
      E->isMultiplicativeOp() || E->isComparisonOp() || E->isLogicalOp();
  follow(E->getLHS(), !IsHarmless);
  follow(E->getRHS(), !IsHarmless);
  if (isProduct(E, Flow.Context) &&
      llvm::none_of(Flow.Products,
                    [&](const ProductFlow::Product &P) { return P.E == E; }))
    // The parent, which is visited first, has not recorded this product: it may
    // get anywhere.
    Flow.Products.push_back({E, true});
}

// Arguments are bound to the parameters of a function whose body is seen, which
// joins the worklist. The operators of 16-bit types count as built-in ones.
void FlowCollector::visitCall(const CallExpr *E) {
  const auto *Operator = dyn_cast<CXXOperatorCallExpr>(E);
  const FunctionDecl *F = E->getDirectCallee();
  if (Operator && Operator->isAssignmentOp() && Operator->getNumArgs() == 2)
    store(Operator->getArg(0),
          Operator->getOperator() == OO_Equal ? Operator->getArg(1) : E);
  if (const auto *Method = dyn_cast_or_null<CXXMethodDecl>(F);
      Method && Operator && Method->isTrivial())
    return; // A plain copy; clang may have given it an implicit body.
  if (isShortProduct(E))
    follow(E, true);
  if (Operator && Operator->getNumArgs() == 2 && isShortType(E->getType()))
    for (const auto &[Name, Kind] : {std::pair{OO_Plus, BO_Add},
                                     {OO_Minus, BO_Sub},
                                     {OO_Star, BO_Mul},
                                     {OO_Slash, BO_Div}})
      if (Operator->getOperator() == Name)
        Flow.Operations.push_back({Kind, E->getArg(0), E->getArg(1), E});
  reachObject(E);
  const FunctionDecl *Definition = nullptr;
  const SourceManager &SM = Flow.Context.getSourceManager();
  if (!F || !F->hasBody(Definition) ||
      SM.isInSystemHeader(Definition->getLocation())) {
    // A function without a visible body may write to its arguments.
    for (const Expr *Each : E->arguments())
      if (Each->isGLValue() && !Each->getType().isConstQualified() &&
          !(Operator && Operator->isAssignmentOp()))
        reach(Each);
    // It may also write anything to where a pointer argument leads (memcpy).
    if (F && (!F->getIdentifier() || !F->getName().starts_with("atomic")))
      for (const Expr *Each : E->arguments())
        if (const QualType Type = Each->getType();
            Type->isPointerType() && !Type->getPointeeType().isConstQualified())
          Flow.Memory[nullptr].push_back(E);
    return;
  }
  Work.push_back(Definition);
  const unsigned First = isa<CXXMethodDecl>(F) && Operator ? 1 : 0;
  for (unsigned I = 0; I != Definition->getNumParams(); ++I) {
    if (I + First >= E->getNumArgs())
      break;
    const ParmVarDecl *P = Definition->getParamDecl(I);
    Flow.Values[P].push_back(E->getArg(I + First));
    if (P->getType()->isReferenceType() &&
        !P->getType().getNonReferenceType().isConstQualified())
      reach(E->getArg(I + First));
  }
}

// A non-const member function may write to its object through `this`.
void FlowCollector::reachObject(const CallExpr *E) {
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(E->getDirectCallee());
  if (!Method || Method->isStatic() || Method->isConst() ||
      !Method->isUserProvided() ||
      Flow.Context.getSourceManager().isInSystemHeader(Method->getLocation()))
    return;
  if (const auto *Call = dyn_cast<CXXMemberCallExpr>(E))
    reach(Call->getImplicitObjectArgument());
  else if (isa<CXXOperatorCallExpr>(E) && E->getNumArgs() != 0)
    reach(E->getArg(0));
}

void FlowCollector::visitUnary(const UnaryOperator *E) {
  if (E->getOpcode() == UO_LNot)
    test(E->getSubExpr(), /*IsEquality=*/true);
  if (E->isIncrementDecrementOp())
    store(E->getSubExpr(), E);
  if (E->getOpcode() == UO_AddrOf)
    reach(E->getSubExpr());
}

} // namespace cudaopt
