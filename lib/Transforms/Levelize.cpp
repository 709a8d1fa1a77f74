// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Decides which arrays of a loop are conflict arrays, and whether the loop can
/// be called.
//===----------------------------------------------------------------------===//

#include "cudaopt/Transforms/Levelize.h"

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

/// True if iterations only store to \p Array.
static bool isOnlyStored(const HostLoop &L, HostArrayId Array) {
  return llvm::all_of(L.Accesses, [&](const HostAccess &A) {
    return A.Array != Array || A.isStored();
  });
}

/// Arrays whose elements belong to one iteration each need no order. If all
/// written ones are like that, the loop is independent; otherwise those that
/// are only stored to are left to plain code, which must be idempotent.
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

/// The sizes that no type and no mark gives may follow from the accesses. All
/// that are missing are named at once.
static Blocker findExtents(HostLoop &L, bool IsNeeded,
                           const ASTContext &Context) {
  Blocker Missing;
  for (HostArrayId Id = 0; Id != L.Arrays.size(); ++Id) {
    HostArray &A = L.Arrays[Id];
    if (!A.Extent)
      A.Extent = inferExtent(L, Id, Context);
    if (A.Extent || !IsNeeded)
      continue;
    if (Missing.Why == Reason::None)
      Missing = {Reason::LoopExtent, "", A.Loc};
    Missing.Detail +=
        (Missing.Detail.empty() ? "" : ", ") + A.Path.text() + "[0:n]";
  }
  return Missing;
}

static void decide(LevelizeDecision &D, const ASTContext &Context,
                   const IslContext &Isl, const FloatingPoint &Floats) {
  D.WhyKept = D.Loop.WhyNot;
  if (D.WhyKept.Why != Reason::None)
    return;
  findOwnElements(D, Context, Isl);
  D.WhyKept = findExtents(D.Loop, !D.IsProposal, Context);
  D.Slice = computeSlice(D.Loop);
  if (const HostAccess *Read = findOwnWrite(D.Loop, D.Slice, Context))
    D.WhyKept = {Reason::LoopOwnWrite, D.Loop.Arrays[Read->Array].Path.text(),
                 Read->Ref->getBeginLoc()};
  D.Rounding = findLoopRounding(D.Loop, Context, Floats);
  if (D.WhyKept.Why == Reason::None)
    D.WhyKept = D.Rounding.WhyNot;
  if (!D.IsIndependent && !D.Slice.IsSelfIndexing)
    D.Row = findRowForm(D.Loop, Context);
}

/// `x += v` is an update for some types of x, and a load and a store for
/// others: for all of them if it is for one.
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

/// What is rounded by itself in one instance is in all: the text is one.
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
      if (First.WhyKept.Why == Reason::None)
        First.WhyKept = Other.WhyKept;
  }
  return Decisions;
}

} // namespace cudaopt
