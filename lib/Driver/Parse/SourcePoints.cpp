// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Collects source positions by one walk over function bodies.
//===----------------------------------------------------------------------===//

#include "SourcePoints.h"
#include "Pipeline/DeviceCode.h"
#include "cudaopt/Support/Nodes.h"

#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace cudaopt {

/// Adds the locations that debug information may give to what \p N does, the
/// innermost first.
static void addLocations(const DynTypedNode &N,
                         llvm::SmallVectorImpl<SourceLocation> &Found) {
  const auto add = [&](SourceLocation Loc) {
    if (Loc.isValid())
      Found.push_back(Loc);
  };
  // Parameters and structured bindings are variables of other kinds.
  if (const auto *Var = N.get<VarDecl>(); Var && Var->getKind() == Decl::Var)
    add(Var->getLocation());
  const auto *S = N.get<Stmt>();
  if (const auto *E = dyn_cast_or_null<Expr>(S)) {
    add(E->getBeginLoc());
    add(E->getExprLoc());
  }
  if (S && (!isa<Expr>(S) || isa<LambdaExpr, StmtExpr>(S)))
    add(S->getBeginLoc());
}

/// Notes what is around the access \p N.
void SourcePoints::note(const DynTypedNode &N, NodePath Outer) {
  llvm::SmallVector<SourceLocation, MaxAround> Found;
  addLocations(N, Found);
  while (!Outer.empty() && Found.size() < MaxAround) {
    addLocations(Outer.back(), Found);
    Outer = Outer.drop_back();
  }
  if (Found.size() > MaxAround)
    Found.truncate(MaxAround);
  Around[N.get<Expr>()->getExprLoc()].insert(Found.begin(), Found.end());
}

void SourcePoints::visit(const DynTypedNode &N, NodePath Outer) {
  const auto *E = N.get<Expr>();
  if (!E)
    return;
  if (isa<DeclRefExpr, ArraySubscriptExpr, UnaryOperator, CXXThisExpr,
          MemberExpr, CXXOperatorCallExpr>(E))
    note(N, Outer);
  if (const auto *Call = dyn_cast<CallExpr>(E))
    visitCall(Call);
  else if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
    if (const auto *Parameter = dyn_cast<ParmVarDecl>(Ref->getDecl()))
      Uses[Parameter].push_back(Ref);
}

void SourcePoints::visitCall(const CallExpr *Call) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  if (!Callee || !Callee->isDefined(Callee))
    return;
  // The object of an operator that is a member function is the first argument
  // of the call.
  const unsigned First =
      isa<CXXOperatorCallExpr>(Call) && Callee->isCXXInstanceMember() ? 1 : 0;
  for (unsigned I = First; I < Call->getNumArgs(); ++I)
    if (I - First < Callee->getNumParams())
      pass(Call->getArg(I), Callee->getParamDecl(I - First));
}

/// Records that \p Argument, or its address, is passed as \p Parameter.
void SourcePoints::pass(const Expr *Argument, const ParmVarDecl *Parameter) {
  const Expr *E = Argument->IgnoreParenImpCasts();
  if (const auto *Op = dyn_cast<UnaryOperator>(E);
      Op && Op->getOpcode() == UO_AddrOf)
    E = Op->getSubExpr()->IgnoreParenImpCasts();
  PassedTo[E] = Parameter;
  for (const auto *Member = dyn_cast<MemberExpr>(E);
       Member && !Member->isArrow(); Member = dyn_cast<MemberExpr>(E)) {
    E = Member->getBase()->IgnoreParenImpCasts();
    PassedTo[E] = Parameter;
  }
}

SourcePoints::SourcePoints(const ASTContext &Context,
                           llvm::ArrayRef<FunctionDecl *> Functions)
    : SM(Context.getSourceManager()) {
  const auto visitNode = [&](const DynTypedNode &N, NodePath Outer) {
    visit(N, Outer);
    return true;
  };
  for (const FunctionDecl *Function : Functions) {
    walkNodes(Function->getBody(), visitNode, {.Implicit = true});
    if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(Function))
      for (const CXXCtorInitializer *Init : Constructor->inits())
        walkNodes(Init->getInit(), visitNode, {.Implicit = true});
  }
}

std::vector<check::SourcePoint>
SourcePoints::pointsOf(SourceLocation Loc) const {
  std::set<check::SourcePoint> Points;
  // An argument of a macro has two positions: where it is spelt, and where the
  // macro is expanded.
  const auto add = [&](SourceLocation Each) {
    Points.insert(makePoint(SM, Each));
    Points.insert(makePoint(SM, SM.getFileLoc(Each)));
  };
  add(Loc);
  if (auto It = Around.find(Loc); It != Around.end())
    for (SourceLocation Each : It->second)
      add(Each);
  return {Points.begin(), Points.end()};
}

/// Maps the argument to the parameter, and returns the positions of the
/// parameter's uses.
std::vector<check::SourcePoint>
SourcePoints::pointsInCallee(const Expr *Argument) const {
  std::set<check::SourcePoint> Points;
  auto Passed = PassedTo.find(Argument);
  auto Used = Passed == PassedTo.end() ? Uses.end() : Uses.find(Passed->second);
  if (Used != Uses.end())
    for (const DeclRefExpr *Use : Used->second)
      for (check::SourcePoint &Each : pointsOf(Use->getExprLoc()))
        Points.insert(std::move(Each));
  return {Points.begin(), Points.end()};
}

} // namespace cudaopt
