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
    const auto *Store = dyn_cast_or_null<BinaryOperator>(
        A.Assignment ? A.Assignment->IgnoreParens() : nullptr);
    return A.Array != Array || (Store && Store->getOpcode() == BO_Assign);
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

/// The sizes that no type and no mark gives may follow from the accesses.
static Blocker findExtents(HostLoop &L, bool IsNeeded,
                           const ASTContext &Context) {
  for (HostArrayId Id = 0; Id != L.Arrays.size(); ++Id) {
    HostArray &A = L.Arrays[Id];
    if (!A.Extent)
      A.Extent = inferExtent(L, Id, Context);
    if (!A.Extent && IsNeeded)
      return {Reason::LoopExtent, A.Path.text(), A.Loc};
  }
  return {};
}

/// A value in memory that pointers may lead to is compared with what is
/// written; a member of a few bits has no address.
static Blocker findBitField(const HostLoop &L) {
  for (const HostScalar &S : L.Scalars)
    if (!S.Path.Fields.empty() && S.Path.Fields.back()->isBitField())
      return {Reason::LoopType, "bit-field", S.Loc};
  return {};
}

std::list<LevelizeDecision>
planLevelize(ASTContext &Context, const IslContext &Isl, LevelizeChoice Choice,
             llvm::ArrayRef<SourceLocation> Errors) {
  std::list<LevelizeDecision> Decisions;
  for (HostLoop &L : findHostLoops(Context, Choice, Errors)) {
    LevelizeDecision &D = Decisions.emplace_back();
    D.Loop = std::move(L);
    D.IsProposal = !D.Loop.Marked && Choice == LevelizeChoice::Propose;
    D.WhyKept = D.Loop.WhyNot;
    if (D.WhyKept.Why == Reason::None)
      D.WhyKept = findBitField(D.Loop);
    if (D.WhyKept.Why != Reason::None)
      continue;
    findOwnElements(D, Context, Isl);
    D.WhyKept = findExtents(D.Loop, !D.IsProposal, Context);
    D.Slice = computeSlice(D.Loop);
    if (const HostAccess *Read = findOwnWrite(D.Loop, D.Slice, Context))
      D.WhyKept = {Reason::LoopOwnWrite, D.Loop.Arrays[Read->Array].Path.text(),
                   Read->Ref->getBeginLoc()};
    if (!D.IsIndependent && !D.Slice.IsSelfIndexing)
      D.Row = findRowForm(D.Loop, Context);
  }
  return Decisions;
}

} // namespace cudaopt
