// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds the roles of scalars. Which accesses a variable has, and in which
/// order, is read from the IR; that a load and a store form an update is read
/// from the text.
//===----------------------------------------------------------------------===//

#include "HostVariables.h"
#include "HostUpdates.h"

#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace cudaopt {

const Expr *getAssigned(const Expr *E) {
  E = E->IgnoreParens();
  if (const auto *Binary = dyn_cast<BinaryOperator>(E))
    return Binary->isAssignmentOp() ? Binary->getLHS()->IgnoreParens()
                                    : nullptr;
  if (const auto *Unary = dyn_cast<UnaryOperator>(E))
    return Unary->isIncrementDecrementOp() ? Unary->getSubExpr()->IgnoreParens()
                                           : nullptr;
  return nullptr;
}

void HostVariables::read(const HostLoop &L, const ASTContext &Context,
                         const LoopView &TheView) {
  View = &TheView;
  collectUpdates(L.Body, Context);
}

/// Adds to \p Names each mention of \p Target in \p S outside of \p Except, as
/// part of an update by \p Operation.
static void addNames(const Stmt *S, const HostPath &Target, const Expr *Except,
                     HostOperation Operation,
                     llvm::DenseMap<const Expr *, HostOperation> &Names) {
  if (S == Except)
    return;
  if (const auto *E = dyn_cast<Expr>(S))
    if (getHostPath(E) == Target)
      Names[getAccessKey(E)] = Operation;
  for (const Stmt *Child : S->children())
    if (Child)
      addNames(Child, Target, Except, Operation, Names);
}

/// Fills in Updates from the updates in \p S. In `x = x + v`, both mentions of
/// x belong to the update; one in v does not, and makes x a carried variable.
void HostVariables::collectUpdates(const Stmt *S, const ASTContext &Context) {
  const std::optional<HostUpdate> Update = findUpdate(S, Context);
  const std::optional<HostPath> Target =
      Update ? getHostPath(Update->Target) : std::nullopt;
  if (Target) {
    // Sums and differences may be mixed in one reduction.
    const HostOperation Operation = Update->Operation == HostOperation::Minus
                                        ? HostOperation::Plus
                                        : Update->Operation;
    addNames(S, *Target, Update->Value, Operation, Updates);
    if (Update->Value)
      collectUpdates(Update->Value, Context);
    return;
  }
  for (const Stmt *Child : S->children())
    if (Child)
      collectUpdates(Child, Context);
}

HostRole HostVariables::roleOf(const Expr *Name) const {
  const auto Found = View->accessesAt(Name);
  if (Found.empty())
    return HostRole::Invariant; // A constant, or the name of an array.
  const LoopPlace Place = View->placeOf(Found.front());
  std::optional<HostOperation> Only;
  bool IsAssigned = false, IsReduction = true;
  for (const LoopAccess &A : View->accessesTo(Place)) {
    IsAssigned |= A.isStore();
    const auto Update = Updates.find(getAccessKey(A.where().Node));
    IsReduction &= Update != Updates.end() && (!Only || Only == Update->second);
    if (Update != Updates.end())
      Only = Update->second;
  }
  if (!IsAssigned)
    return View->isInvariant(Found.front().value()) ? HostRole::Invariant
                                                    : HostRole::Carried;
  if (IsReduction)
    return HostRole::Reduction;
  const std::optional<HostPath> Path = getHostPath(Name);
  if (Path && Path->isOwnVariable() && !Path->Root->isStaticLocal() &&
      !View->isReadFirst(Place))
    return HostRole::Private;
  return HostRole::Carried;
}

} // namespace cudaopt
