// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Implements loop fission by connected components: statements of the body that
/// conflict, in whatever iterations, belong to one part. (The usual algorithm
/// takes strongly connected components of the dependence graph; here even a
/// dependence in one direction keeps statements together, so that the parts can
/// run in any order.)
//===----------------------------------------------------------------------===//

#include "LoopFission.h"

#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/STLExtras.h"

using namespace cudaopt;
using namespace clang;

bool cudaopt::mustKeepOrder(const Effects &A, const Effects &B,
                            Leniency Allowed) {
  switch (findConflict(A, B)) {
  case Conflict::None:
    return false;
  case Conflict::MayAlias:
    return !Allowed.Aliases;
  case Conflict::Ordered:
    return !Allowed.Ordered;
  case Conflict::Thread:
  case Conflict::Block:
    return true;
  }
  llvm_unreachable("unknown conflict");
}

/// Returns true if \p S may leave the loop around it, or its iteration, by a
/// break or continue.
static bool hasExit(const Stmt *S, bool InSwitch = false) {
  if (!S)
    return false;
  if (isa<ContinueStmt>(S) || (isa<BreakStmt>(S) && !InSwitch))
    return true;
  if (isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(S))
    return false;
  return llvm::any_of(S->children(), [&](const Stmt *Child) {
    return hasExit(Child, InSwitch || isa<SwitchStmt>(S));
  });
}

/// Returns the counter of \p For if the header can be repeated in several
/// loops: it declares one integer, writes nothing else and accesses no memory.
/// Null otherwise.
static const VarDecl *findCounter(const ForStmt *For,
                                  const StatementEffects &AllEffects) {
  const auto *Init = dyn_cast_or_null<DeclStmt>(For->getInit());
  if (!Init || !Init->isSingleDecl() || For->getConditionVariable() ||
      !For->getCond() || !For->getInc())
    return nullptr;
  const auto *Counter = dyn_cast<VarDecl>(Init->getSingleDecl());
  if (!Counter || !Counter->hasLocalStorage() ||
      !Counter->getType()->isIntegerType())
    return nullptr;
  Effects Header;
  for (const Stmt *S :
       {For->getInit(), cast<Stmt>(For->getCond()), cast<Stmt>(For->getInc())})
    Header |= AllEffects.of(S);
  const bool IsPlain = !Header.accessesMemory() && !Header.IsOrdered &&
                       !Header.HasBarrier && !Header.Leaves;
  for (const auto &[Var, U] : Header.Locals)
    if (U.Writes && Var != Counter)
      return nullptr;
  return IsPlain ? Counter : nullptr;
}

namespace {

/// The fission of one loop.
class Fission {
public:
  Fission(const ForStmt *For, const StatementEffects &AllEffects)
      : Body(cast<CompoundStmt>(For->getBody())) {
    Header = AllEffects.of(For->getInit());
    Header |= AllEffects.of(For->getCond());
    Header |= AllEffects.of(For->getInc());
    Header.Declared.clear(); // Each part declares the counter.
    for (const Stmt *S : Body->body()) {
      Statements.push_back(S);
      Each.push_back(isPlainBarrier(S) ? Effects() : AllEffects.of(S));
    }
  }

  /// Returns true if the body may change \p Counter, or anything that the
  /// header reads.
  bool changesHeader(const VarDecl *Counter, Leniency Allowed) const;
  std::vector<LoopPart> split(const VarDecl *Counter, Leniency Allowed) const;

private:
  using Group = std::vector<unsigned>;
  std::vector<Group> findGroups(Leniency Allowed) const;
  LoopPart makePart(const Group &Own, const VarDecl *Counter) const;

  const CompoundStmt *Body;
  Effects Header;
  std::vector<const Stmt *> Statements;
  std::vector<Effects> Each; ///< By statement; empty for barriers.
};

} // namespace

bool Fission::changesHeader(const VarDecl *Counter, Leniency Allowed) const {
  Effects Others = Header;
  Others.Locals.erase(Counter);
  return llvm::any_of(Each, [&](const Effects &E) {
    auto Found = E.Locals.find(Counter);
    return (Found != E.Locals.end() && Found->second.Writes) ||
           mustKeepOrder(Others, E, Allowed);
  });
}

/// Returns the parts, as sorted lists of statements. Statements that conflict
/// are in one part, whatever iterations they run in.
std::vector<Fission::Group> Fission::findGroups(Leniency Allowed) const {
  llvm::EquivalenceClasses<unsigned> Classes;
  for (unsigned I = 0; I != Each.size(); ++I) {
    if (isPlainBarrier(Statements[I]))
      continue;
    Classes.insert(I);
    for (unsigned J = 0; J != I; ++J)
      if (!isPlainBarrier(Statements[J]) &&
          mustKeepOrder(Each[J], Each[I], Allowed))
        Classes.unionSets(J, I);
  }
  // Only parts that use shared memory are worth a loop of their own; the others
  // stay with the first part.
  std::vector<Group> Groups;
  Group Others;
  for (unsigned I = 0; I != Each.size(); ++I) {
    if (isPlainBarrier(Statements[I]) || Classes.getLeaderValue(I) != I)
      continue;
    Group G;
    bool HasShared = false;
    for (unsigned J = 0; J != Each.size(); ++J)
      if (!isPlainBarrier(Statements[J]) && Classes.isEquivalent(I, J)) {
        G.push_back(J);
        HasShared |= !Each[J].Shared.empty();
      }
    if (HasShared)
      Groups.push_back(std::move(G));
    else
      llvm::append_range(Others, G);
  }
  if (!Groups.empty()) {
    llvm::append_range(Groups.front(), Others);
    llvm::sort(Groups.front());
  }
  llvm::sort(Groups);
  return Groups;
}

/// Makes the loop of the statements \p Own. Barriers (and foreign statements
/// that contain one) between two of its statements become one barrier.
LoopPart Fission::makePart(const Group &Own, const VarDecl *Counter) const {
  LoopPart Part;
  Part.All = Header;
  std::optional<OrderedItem> Waiting, Leading;
  for (unsigned I = 0; I != Statements.size(); ++I) {
    if (!llvm::is_contained(Own, I)) {
      const bool IsBarrier = isPlainBarrier(Statements[I]);
      if ((IsBarrier || Each[I].HasBarrier) && !Waiting)
        Waiting = OrderedItem{IsBarrier ? Statements[I] : nullptr, {}};
      continue;
    }
    if (Waiting && Part.Items.empty())
      Leading = Waiting;
    else if (Waiting)
      Part.Items.push_back(*Waiting);
    Waiting.reset();
    Part.Items.push_back({Statements[I], {}});
    Part.All |= Each[I];
  }
  // In a loop, a barrier at the end of the body also separates it from the next
  // iteration's beginning, so that one of the two is enough. Only the first
  // iteration then lacks a barrier in front.
  Part.WantsBarrierInFront = Leading && Waiting;
  if (Waiting)
    Part.Items.push_back(*Waiting);
  else if (Leading)
    Part.Items.insert(Part.Items.begin(), *Leading);
  Part.All.HasBarrier = true;
  Part.All.Locals.erase(Counter);
  Part.All.Declared.clear(); // These names end with the body.
  return Part;
}

std::vector<LoopPart> Fission::split(const VarDecl *Counter,
                                     Leniency Allowed) const {
  std::vector<LoopPart> Parts;
  const std::vector<Group> Groups = findGroups(Allowed);
  if (Groups.size() > 1)
    for (const Group &G : Groups)
      Parts.push_back(makePart(G, Counter));
  return Parts;
}

std::vector<LoopPart> cudaopt::splitLoop(const Stmt *S,
                                         const StatementEffects &AllEffects,
                                         Leniency Allowed) {
  if (const auto *Attributed = dyn_cast<AttributedStmt>(S))
    S = Attributed->getSubStmt();
  const auto *For = dyn_cast<ForStmt>(S);
  const auto *Body = For ? dyn_cast<CompoundStmt>(For->getBody()) : nullptr;
  const VarDecl *Counter = Body ? findCounter(For, AllEffects) : nullptr;
  if (!Counter || hasExit(Body) || AllEffects.isMoreThanParts(For) ||
      AllEffects.isMoreThanParts(Body))
    return {};
  Fission Loop(For, AllEffects);
  if (Loop.changesHeader(Counter, Allowed))
    return {};
  return Loop.split(Counter, Allowed);
}
