// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Collects source positions by one walk over function bodies, in which the
/// chain of enclosing expressions is kept.
//===----------------------------------------------------------------------===//

#include "SourcePoints.h"
#include "Pipeline/DeviceCode.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace cudaopt {

/// Visits a function and keeps the locations of the enclosing expressions.
class PointFinder : public DynamicRecursiveASTVisitor {
public:
  explicit PointFinder(SourcePoints &Points) : Points(Points) {
    ShouldVisitImplicitCode = true;
  }

  bool TraverseStmt(Stmt *S) override {
    if (!S)
      return true;
    const size_t Outer = Chain.size();
    const auto *E = dyn_cast<Expr>(S);
    if (!E || isa<LambdaExpr, StmtExpr>(E))
      push(S->getBeginLoc());
    if (E) {
      push(E->getExprLoc());
      push(E->getBeginLoc());
      if (isa<DeclRefExpr, ArraySubscriptExpr, UnaryOperator, CXXThisExpr,
              MemberExpr, CXXOperatorCallExpr>(E))
        note(E->getExprLoc());
    }
    const bool GoesOn = DynamicRecursiveASTVisitor::TraverseStmt(S);
    Chain.resize(Outer);
    return GoesOn;
  }
  bool VisitCallExpr(CallExpr *Call) override {
    const FunctionDecl *Callee = Call->getDirectCallee();
    if (!Callee || !Callee->isDefined(Callee))
      return true;
    // The object of an operator that is a member function is the first argument
    // of the call.
    const unsigned First =
        isa<CXXOperatorCallExpr>(Call) && Callee->isCXXInstanceMember() ? 1 : 0;
    for (unsigned I = First; I < Call->getNumArgs(); ++I)
      if (I - First < Callee->getNumParams())
        pass(Call->getArg(I), Callee->getParamDecl(I - First));
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *Ref) override {
    if (const auto *Parameter = dyn_cast<ParmVarDecl>(Ref->getDecl()))
      Points.Uses[Parameter].push_back(Ref);
    return true;
  }
  bool TraverseVarDecl(VarDecl *Var) override {
    const size_t Outer = Chain.size();
    push(Var->getLocation());
    const bool GoesOn = DynamicRecursiveASTVisitor::TraverseVarDecl(Var);
    Chain.resize(Outer);
    return GoesOn;
  }

private:
  void push(SourceLocation Loc) {
    if (Loc.isValid())
      Chain.push_back(Loc);
  }
  void note(SourceLocation Loc) {
    std::set<SourceLocation> &Known = Points.Around[Loc];
    // Statements far outside do not identify an access.
    const size_t First =
        Chain.size() > MaxAround ? Chain.size() - MaxAround : 0;
    Known.insert(Chain.begin() + First, Chain.end());
  }
  /// Records that \p Argument, or its address, is passed as \p Parameter.
  void pass(const Expr *Argument, const ParmVarDecl *Parameter) {
    const Expr *E = Argument->IgnoreParenImpCasts();
    if (const auto *Op = dyn_cast<UnaryOperator>(E);
        Op && Op->getOpcode() == UO_AddrOf)
      E = Op->getSubExpr()->IgnoreParenImpCasts();
    Points.PassedTo[E] = Parameter;
    for (const auto *Member = dyn_cast<MemberExpr>(E);
         Member && !Member->isArrow(); Member = dyn_cast<MemberExpr>(E)) {
      E = Member->getBase()->IgnoreParenImpCasts();
      Points.PassedTo[E] = Parameter;
    }
  }
  static constexpr size_t MaxAround = 48;

  SourcePoints &Points;
  std::vector<SourceLocation> Chain;
};

SourcePoints::SourcePoints(const ASTContext &Context,
                           llvm::ArrayRef<FunctionDecl *> Functions)
    : SM(Context.getSourceManager()) {
  PointFinder Finder(*this);
  for (FunctionDecl *Function : Functions) {
    Finder.TraverseStmt(Function->getBody());
    if (auto *Constructor = dyn_cast<CXXConstructorDecl>(Function))
      for (CXXCtorInitializer *Init : Constructor->inits())
        Finder.TraverseStmt(Init->getInit());
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
