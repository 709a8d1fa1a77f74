// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FlowCollector.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace cudaopt {

void FlowCollector::collect(const FunctionDecl *F) {
  Work.push_back(F);
  while (!Work.empty()) {
    Function = Work.back();
    Work.pop_back();
    if (Seen.insert(Function).second)
      TraverseStmt(Function->getBody());
  }
}

bool FlowCollector::VisitVarDecl(VarDecl *V) {
  if (!V->getInit())
    return true;
  Flow.Values[V].push_back(V->getInit());
  if (V->getType()->isReferenceType())
    reach(V->getInit());
  return true;
}

/// Something else than its name leads to \p E from now on.
void FlowCollector::reach(const Expr *E) {
  if (const VarDecl *Root = getRootVariable(E))
    Flow.Reached.insert(Root);
}

/// True if \p E is a local variable, or a part of one, and nothing that it
/// points to.
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

bool FlowCollector::VisitBinaryOperator(BinaryOperator *E) {
  if (E->isAssignmentOp()) {
    // The value of `x *= b` is the operation's.
    store(E->getLHS(),
          E->isCompoundAssignmentOp() ? E : static_cast<Expr *>(E->getRHS()));
    const bool IsMemory = !isLocalTarget(E->getLHS());
    const BinaryOperatorKind Op =
        E->isCompoundAssignmentOp()
            ? BinaryOperator::getOpForCompoundAssignment(E->getOpcode())
            : BO_Assign;
    follow(E->getRHS(),
           Op == BO_Add || Op == BO_Sub || (Op == BO_Assign && !IsMemory));
    if (isProduct(E, Flow.Context))
      follow(E, !IsMemory);
    return true;
  }
  const bool IsHarmless =
      E->isMultiplicativeOp() || E->isComparisonOp() || E->isLogicalOp();
  follow(E->getLHS(), !IsHarmless);
  follow(E->getRHS(), !IsHarmless);
  if (isProduct(E, Flow.Context) &&
      llvm::none_of(Flow.Products,
                    [&](const ProductFlow::Product &P) { return P.E == E; }))
    Flow.Products.push_back({E, true}); // Wherever it goes.
  return true;
}

bool FlowCollector::VisitCallExpr(CallExpr *E) {
  const auto *Operator = dyn_cast<CXXOperatorCallExpr>(E);
  if (Operator && Operator->isAssignmentOp() && Operator->getNumArgs() == 2)
    store(Operator->getArg(0),
          Operator->getOperator() == OO_Equal ? Operator->getArg(1) : E);
  if (isShortProduct(E))
    follow(E, true);
  const FunctionDecl *F = E->getDirectCallee();
  const FunctionDecl *Definition = nullptr;
  const SourceManager &SM = Flow.Context.getSourceManager();
  if (!F || !F->hasBody(Definition) ||
      SM.isInSystemHeader(Definition->getLocation())) {
    // What is not seen may write to what it is handed.
    for (Expr *Each : E->arguments())
      if (Each->isGLValue() && !Each->getType().isConstQualified() &&
          !(Operator && Operator->isAssignmentOp()))
        reach(Each);
    return true;
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
  return true;
}

bool FlowCollector::VisitUnaryOperator(UnaryOperator *E) {
  if (E->getOpcode() == UO_AddrOf)
    reach(E->getSubExpr());
  return true;
}

bool FlowCollector::VisitReturnStmt(ReturnStmt *S) {
  if (S->getRetValue())
    Flow.Returned[Function].push_back(S->getRetValue());
  return true;
}

} // namespace cudaopt
