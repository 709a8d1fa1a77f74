// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Builds the time of an access on the path from the statement down to it.
//===----------------------------------------------------------------------===//

#include "StatementTime.h"

#include "cudaopt/Source/StatementParts.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace cudaopt;
using namespace clang;

namespace {

/// Walks from a statement down to an access in it, and appends an entry to Time
/// at each level. The functions return false if the access is not there, or if
/// its time is not known.
class TimeFinder {
public:
  TimeFinder(const Access &A, const KernelInstance &I) : A(A), I(I) {}
  bool visit(const Stmt *S);
  StatementTime Time;

private:
  bool visitAt(unsigned Position, const Stmt *S);
  bool visitLoop(const Stmt *Loop, llvm::ArrayRef<const Stmt *> Parts);
  bool visitExpr(const Expr *E);
  bool visitDeclarations(const DeclStmt *S);

  const Access &A;
  const KernelInstance &I;
};

} // namespace

bool TimeFinder::visitAt(unsigned Position, const Stmt *S) {
  if (!contains(S, A.Ref))
    return false;
  Time.push_back({Position});
  return visit(S);
}

/// All accesses of an expression have the same time, since their order is not
/// known, except for the write of its own assignment, which comes after them.
bool TimeFinder::visitExpr(const Expr *E) {
  E = E->IgnoreParens();
  if (const auto *Full = dyn_cast<FullExpr>(E))
    E = Full->getSubExpr()->IgnoreParens();
  const auto *Op = dyn_cast<BinaryOperator>(E);
  const Expr *Target =
      Op && Op->isAssignmentOp() ? Op->getLHS()->IgnoreParens() : nullptr;
  while (const auto *Member = dyn_cast_or_null<MemberExpr>(Target))
    Target = Member->isArrow() ? nullptr : Member->getBase()->IgnoreParens();
  const bool IsTarget = Target && Target == A.Ref->IgnoreParens();
  Time.push_back({IsTarget && A.Kind == AccessKind::Write});
  return true;
}

/// A loop adds 1 (its initialization has position 0), its iterator, and the
/// position of the part among \p Parts, which are in the order of execution.
bool TimeFinder::visitLoop(const Stmt *Loop,
                           llvm::ArrayRef<const Stmt *> Parts) {
  const auto Found = llvm::find_if(
      A.Loops, [&](LoopId Id) { return I.Loops[Id].Statement == Loop; });
  if (Found == A.Loops.end())
    return false;
  Time.push_back({1});
  Time.push_back({0, *Found});
  for (auto [Position, Part] : llvm::enumerate(Parts))
    if (Part && contains(Part, A.Ref))
      return visitAt(unsigned(Position), Part);
  return false;
}

bool TimeFinder::visitDeclarations(const DeclStmt *S) {
  for (auto [Position, D] : llvm::enumerate(S->decls()))
    if (const auto *Var = dyn_cast<VarDecl>(D);
        Var && Var->hasInit() && contains(Var->getInit(), A.Ref))
      return visitAt(unsigned(Position), Var->getInit());
  return false;
}

bool TimeFinder::visit(const Stmt *S) {
  if (const auto *E = dyn_cast<Expr>(S))
    return visitExpr(E);
  if (const auto *Declarations = dyn_cast<DeclStmt>(S))
    return visitDeclarations(Declarations);
  if (const auto *For = dyn_cast<ForStmt>(S)) {
    if (For->getConditionVariable())
      return false;
    return visitAt(0, For->getInit()) ||
           visitLoop(S, {For->getCond(), For->getBody(), For->getInc()});
  }
  if (const auto *While = dyn_cast<WhileStmt>(S))
    return !While->getConditionVariable() &&
           visitLoop(S, {While->getCond(), While->getBody()});
  if (const auto *Do = dyn_cast<DoStmt>(S))
    return visitLoop(S, {Do->getBody(), Do->getCond()});
  if (const auto *If = dyn_cast<IfStmt>(S))
    return !If->getConditionVariable() &&
           (visitAt(0, If->getInit()) || visitAt(1, If->getCond()) ||
            visitAt(2, If->getThen()) || visitAt(2, If->getElse()));
  if (!isa<CompoundStmt>(S))
    return false;
  for (auto [Position, Child] : llvm::enumerate(S->children()))
    if (Child && contains(Child, A.Ref))
      return visitAt(unsigned(Position), Child);
  return false;
}

std::optional<StatementTime>
cudaopt::findStatementTime(const Stmt *Root, const Access &A,
                           const KernelInstance &I) {
  TimeFinder Finder(A, I);
  if (!contains(Root, A.Ref) || !Finder.visit(Root))
    return std::nullopt;
  return std::move(Finder.Time);
}
