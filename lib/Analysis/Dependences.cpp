// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Compares the effects of statements. What a single statement does is found by
/// the EffectWalker.
//===----------------------------------------------------------------------===//

#include "cudaopt/Analysis/Dependences.h"

#include "EffectWalker.h"

using namespace clang;

namespace cudaopt {

Effects::Use &Effects::Use::operator|=(const Use &Other) {
  Reads |= Other.Reads;
  Writes |= Other.Writes;
  return *this;
}

bool Effects::accessesMemory() const {
  return !Shared.empty() || !Pointees.empty() || Elsewhere.Reads ||
         Elsewhere.Writes;
}

Effects &Effects::operator|=(const Effects &Other) {
  for (const auto &[Var, U] : Other.Locals)
    Locals[Var] |= U;
  for (const auto &[Var, U] : Other.Shared)
    Shared[Var] |= U;
  for (const auto &[Var, U] : Other.Pointees)
    Pointees[Var] |= U;
  Elsewhere |= Other.Elsewhere;
  IsOrdered |= Other.IsOrdered;
  HasBarrier |= Other.HasBarrier;
  Leaves |= Other.Leaves;
  Names.insert(Other.Names.begin(), Other.Names.end());
  return *this;
}

/// Returns true if uses of the same memory must keep their order: at least one
/// of them writes.
static bool conflict(const Effects::Use &A, const Effects::Use &B) {
  return (A.Writes && (B.Reads || B.Writes)) || (B.Writes && A.Reads);
}

static bool conflict(const Effects::Uses &A, const Effects::Uses &B) {
  for (const auto &[Var, U] : A)
    if (auto Found = B.find(Var);
        Found != B.end() && conflict(U, Found->second))
      return true;
  return false;
}

/// Returns the union of all accesses of \p E: what a use of unknown memory has
/// to be compared to.
static Effects::Use summarise(const Effects &E) {
  Effects::Use All = E.Elsewhere;
  for (const Effects::Uses *Each : {&E.Locals, &E.Shared, &E.Pointees})
    for (const auto &[Var, U] : *Each)
      All |= U;
  return All;
}

std::pair<const VarDecl *, const VarDecl *> findAliases(const Effects &A,
                                                        const Effects &B) {
  // Conservatively, only two `__restrict__` pointers are taken not to alias.
  auto isAlone = [](const VarDecl *Var) {
    return Var->getType().isRestrictQualified();
  };
  for (const auto &[Var, U] : A.Pointees)
    for (const auto &[Other, V] : B.Pointees)
      if (Var != Other && conflict(U, V) && !(isAlone(Var) && isAlone(Other)))
        return {Var, Other};
  return {nullptr, nullptr};
}

Conflict findConflict(const Effects &A, const Effects &B) {
  if (A.IsOrdered || B.IsOrdered)
    return Conflict::Ordered;
  // Elsewhere may be any memory, even a local variable whose address was taken.
  if (conflict(A.Elsewhere, summarise(B)) ||
      conflict(B.Elsewhere, summarise(A)) || conflict(A.Shared, B.Shared) ||
      conflict(A.Pointees, B.Pointees))
    return Conflict::Block;
  if (findAliases(A, B).first)
    return Conflict::MayAlias;
  return conflict(A.Locals, B.Locals) ? Conflict::Thread : Conflict::None;
}

// Changed is still empty while the whole body is searched for assignments to
// parameters.
EffectFinder::EffectFinder(const FunctionDecl *Kernel,
                           const ASTContext &Context)
    : Kernel(Kernel), Context(Context) {
  const Effects All = find(Kernel->getBody());
  for (const auto &[Var, U] : All.Locals)
    if (U.Writes && isa<ParmVarDecl>(Var))
      Changed.insert(Var);
}

Effects EffectFinder::find(const Stmt *S) const {
  Effects Found;
  EffectWalker(Kernel, Context, Found).visit(S);
  for (const VarDecl *Parameter : Changed)
    if (auto It = Found.Pointees.find(Parameter); It != Found.Pointees.end()) {
      Found.Elsewhere |= It->second;
      Found.Pointees.erase(Parameter);
    }
  return Found;
}

bool isPlainBarrier(const Stmt *S) {
  const auto *Call = dyn_cast_or_null<CallExpr>(S);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  return Callee && Callee->getIdentifier() &&
         Callee->getName() == "__syncthreads" && Call->getNumArgs() == 0;
}

} // namespace cudaopt
