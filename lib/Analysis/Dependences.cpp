// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Compares the effects of statements.
//===----------------------------------------------------------------------===//

#include "cudaopt/Analysis/Dependences.h"

#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace cudaopt {

/// Returns true if uses of the same memory must keep their order: at least one
/// of them writes.
static bool conflict(const Effects::Use &A, const Effects::Use &B) {
  return (A.Writes && (B.Reads || B.Writes)) || (B.Writes && A.Reads);
}

template <typename Map> static bool conflict(const Map &A, const Map &B) {
  for (const auto &[Key, U] : A)
    if (auto Found = B.find(Key);
        Found != B.end() && conflict(U, Found->second))
      return true;
  return false;
}

static bool overlap(const std::set<llvm::StringRef> &A,
                    const std::set<llvm::StringRef> &B) {
  return llvm::any_of(A, [&](llvm::StringRef Word) { return B.count(Word); });
}

/// Returns the union of all accesses of \p E: what a use of unknown memory has
/// to be compared to.
static Effects::Use summarise(const Effects &E) {
  Effects::Use All = E.Elsewhere;
  for (const Effects::Uses *Each : {&E.Locals, &E.Shared, &E.Pointees})
    for (const auto &[Var, U] : *Each)
      All |= U;
  for (const auto &[Object, U] : E.Temporaries)
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
  return conflict(A.Locals, B.Locals) ||
                 conflict(A.Temporaries, B.Temporaries) ||
                 overlap(A.Declared, B.Names) || overlap(B.Declared, A.Names)
             ? Conflict::Thread
             : Conflict::None;
}

} // namespace cudaopt
