// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Decides which arrays of a loop are conflict arrays, whose accesses need an
/// order, and whether the loop can become a call of the runtime: its slice must
/// be computable in advance, the sizes of its arrays known, and its
/// floating-point results reproducible on the device.
//===----------------------------------------------------------------------===//

#include "cudaopt/Passes/Levelize/Levelize.h"

#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace cudaopt {

std::optional<LevelizeChoice> parseLevelizeChoice(llvm::StringRef Name) {
  return llvm::StringSwitch<std::optional<LevelizeChoice>>(Name)
      .Case("marked", LevelizeChoice::Marked)
      .Case("propose", LevelizeChoice::Propose)
      .Case("auto", LevelizeChoice::Auto)
      .Default(std::nullopt);
}

/// Returns true if iterations only store to \p Array.
static bool isOnlyStored(const HostLoop &L, HostArrayId Array) {
  return llvm::all_of(L.Accesses, [&](const HostAccess &A) {
    return A.Array != Array || A.isStored();
  });
}

/// Finds the arrays of which each element belongs to one iteration: they need
/// no order. If that holds for all written arrays, the loop is independent.
/// Otherwise those that are only stored to stop being conflict arrays: plain
/// code may store to them, even repeatedly, since a store is idempotent.
static void findOwnElements(LevelizeDecision &D, const ASTContext &Context,
                            const IslContext &Isl) {
  HostLoop &L = D.Loop;
  llvm::SmallVector<bool, 8> IsOwn(L.Arrays.size(), false);
  D.IsIndependent = true;
  for (HostArrayId Id = 0; Id != L.Arrays.size(); ++Id)
    if (L.Arrays[Id].IsWritten) {
      IsOwn[Id] = isIndependent(L, Id, Context, Isl);
      D.IsIndependent &= IsOwn[Id];
    }
  if (D.IsIndependent)
    return;
  for (HostArrayId Id = 0; Id != L.Arrays.size(); ++Id)
    if (IsOwn[Id] && isOnlyStored(L, Id))
      L.Arrays[Id].IsConflict = false;
}

/// Infers the sizes of arrays that neither a type nor a mark gives from their
/// accesses. Returns a refusal that names all missing sizes at once, in the
/// syntax of a mark, if \p IsNeeded.
static std::optional<Refusal> findExtents(HostLoop &L, bool IsNeeded,
                                          const ASTContext &Context) {
  std::optional<Refusal> Missing;
  for (HostArrayId Id = 0; Id != L.Arrays.size(); ++Id) {
    HostArray &A = L.Arrays[Id];
    if (!A.Extent)
      A.Extent = inferExtent(L, Id, Context);
    if (A.Extent || !IsNeeded)
      continue;
    if (!Missing)
      Missing = {Reason::LoopExtent, "", A.Loc};
    Missing->Detail +=
        (Missing->Detail.empty() ? "" : ", ") + A.Path.text() + "[0:n]";
  }
  return Missing;
}

/// Decides on the loop D.Loop and fills in the rest of \p D.
static void decide(LevelizeDecision &D, const ASTContext &Context,
                   const IslContext &Isl, const FloatingPoint &Floats) {
  D.Refused = D.Loop.Refused;
  if (D.Refused)
    return;
  findOwnElements(D, Context, Isl);
  D.Refused = findExtents(D.Loop, !D.IsProposal, Context);
  D.Slice = computeSlice(D.Loop);
  if (const HostAccess *Read = findOwnWrite(D.Loop, D.Slice, Context))
    D.Refused = {Reason::LoopOwnWrite, D.Loop.Arrays[Read->Array].Path.text(),
                 Read->Ref->getBeginLoc()};
  D.Rounding = findLoopRounding(D.Loop, Context, Floats);
  if (!D.Refused)
    D.Refused = D.Rounding.Refused;
  if (!D.IsIndependent && !D.Slice.IsSelfIndexing)
    D.Row = findRowForm(D.Loop, Context);
}

/// Makes the instantiations of a loop agree on what is an update: `x += v` is
/// one for some types of x, and a load and a store for others. Since they have
/// one text, it is a load and a store for all if it is for one.
static void joinUpdates(llvm::MutableArrayRef<HostLoop> Instances) {
  const size_t Count = Instances.front().Accesses.size();
  if (llvm::any_of(Instances, [&](const HostLoop &L) {
        return L.Accesses.size() != Count;
      }))
    return;
  for (size_t Id = 0; Id != Count; ++Id) {
    auto isStore = [&](const HostLoop &L) {
      return L.Accesses[Id].Kind == HostAccessKind::Write &&
             !L.Accesses[Id].isStored();
    };
    if (llvm::any_of(Instances, isStore))
      for (HostLoop &L : Instances) {
        L.Accesses[Id].Kind = HostAccessKind::Write;
        L.Accesses[Id].Update.reset();
      }
  }
}

/// Makes the instantiations of a loop agree on the products that are rounded by
/// themselves, since they have one text.
static void joinRounding(LevelizeDecision &First) {
  for (const LevelizeDecision &Other : First.Instances) {
    First.Rounding.Products.insert(Other.Rounding.Products.begin(),
                                   Other.Rounding.Products.end());
    First.Rounding.MeetsSums |= Other.Rounding.MeetsSums;
  }
  for (LevelizeDecision &Other : First.Instances) {
    Other.Rounding.Products = First.Rounding.Products;
    Other.Rounding.MeetsSums = First.Rounding.MeetsSums;
  }
}

std::list<LevelizeDecision> planLevelize(const HostPassInput &In) {
  std::list<LevelizeDecision> Decisions;
  std::vector<HostLoop> Loops =
      findHostLoops(In.Context, In.Choice, In.Errors, In.Pragmas);
  for (size_t Begin = 0, End = 0; Begin != Loops.size(); Begin = End) {
    while (End != Loops.size() &&
           Loops[End].getBeginLoc() == Loops[Begin].getBeginLoc())
      ++End;
    joinUpdates(llvm::MutableArrayRef(Loops).slice(Begin, End - Begin));
    LevelizeDecision &First = Decisions.emplace_back();
    for (size_t Id = Begin; Id != End; ++Id) {
      LevelizeDecision D;
      D.Loop = std::move(Loops[Id]);
      D.IsProposal = !D.Loop.isMarked() && In.Choice == LevelizeChoice::Propose;
      decide(D, In.Context, In.Isl, In.Floats);
      if (Id == Begin)
        First = std::move(D);
      else
        First.Instances.push_back(std::move(D));
    }
    joinRounding(First);
    for (const LevelizeDecision &Other : First.Instances)
      if (!First.Refused)
        First.Refused = Other.Refused;
  }
  return Decisions;
}

} // namespace cudaopt
