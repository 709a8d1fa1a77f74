// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The pass overlay: chooses which `__shared__` variables of a kernel share
/// bytes. Live ranges, interference graph and partitions are those of Moazeni,
/// Bui and Sarrafzadeh (2009), with an exact placement instead of their greedy
/// one, and only where more blocks fit on a multiprocessor, or where its L1
/// cache grows.
//===----------------------------------------------------------------------===//

#include "StorageChoice.h"

#include "llvm/ADT/STLExtras.h"

using namespace cudaopt;

/// The number of barriers that one kernel may get, of places at which they are
/// tried, and of sets of places that are tried.
static constexpr unsigned MaxBarriers = 3, MaxPlaces = 16, MaxTrials = 200;

/// Looks for the fewest new barriers that let as many blocks fit as barriers at
/// all places would, if that is more than fit without. Each set of places is
/// tried after all smaller ones.
static void tryBarriers(StorageChoice &C, StorageCandidate &Best) {
  std::vector<const clang::Stmt *> Places = C.Problem->barrierPlaces();
  if (C.Options.Reuse != ReuseChoice::Auto || Places.empty() ||
      Places.size() > MaxPlaces)
    return;
  const uint64_t Most = C.findBest(C.Problem->withBarriers(Places)).W.Blocks;
  if (Most <= Best.W.Blocks)
    return;
  using Set = llvm::SmallVector<const clang::Stmt *, MaxBarriers>;
  std::vector<Set> Sets = {{}};
  for (size_t First = 0, Size = 1; Size <= MaxBarriers; ++Size) {
    const size_t End = Sets.size();
    for (; First != End; ++First) {
      auto Next = Sets[First].empty()
                      ? Places.begin()
                      : std::next(llvm::find(Places, Sets[First].back()));
      for (; Next != Places.end(); ++Next) {
        if (Sets.size() > MaxTrials)
          return;
        Set More = Sets[First];
        More.push_back(*Next);
        StorageCandidate Other = C.findBest(C.Problem->withBarriers(More));
        if (Other.W.Blocks == Most && !Other.W.Loses) {
          Best = std::move(Other);
          C.Decision.NewBarriers.assign(More.begin(), More.end());
          return;
        }
        Sets.push_back(std::move(More));
      }
    }
  }
}

/// Returns why \p Best, the best storage there is, is not worth a change.
static Refusal explainKept(const StorageChoice &C,
                           const StorageCandidate &Best) {
  const clang::SourceLocation Loc =
      C.Problem->variables().front().Decl->getLocation();
  if (Best.Objects.empty())
    return {Reason::AllAlive, "", Loc};
  const ReuseInstance &I = largestInstance(*C.Problem);
  if (const auto Moved = C.Problem->findMisaligned(I, Best.Objects))
    return {Reason::MisalignsOther, I.Program.Variables[*Moved].Name, Loc};
  return {Reason::NoOccupancyStep,
          C.explainNoStep(I, C.Problem->bytesOf(I, {}),
                          C.Problem->bytesOf(I, Best.Objects)),
          Loc};
}

/// Places the variables that the earlier passes of the group have left.
static void place(StorageChoice &C) {
  C.Decision.Variables = C.Problem->variables();
  C.Decision.NotInPlace = C.Problem->findInPlace();
  StorageCandidate Best = C.findBest(*C.Problem);
  C.chooseLayouts(*C.Problem, C.Decision, Best);
  if (!C.isAccepted(Best.W)) {
    tryBarriers(C, Best);
    if (!C.Decision.NewBarriers.empty())
      C.chooseLayouts(C.Problem->withBarriers(C.Decision.NewBarriers),
                      C.Decision, Best);
  }
  if (C.isAccepted(Best.W)) {
    C.describe(Best);
    C.Decision.Objects = std::move(Best.Objects);
    C.Decision.InPlace = std::move(Best.InPlace);
    return;
  }
  C.Decision.Refused = explainKept(C, Best);
  C.describe(C.Decision.isRewritten() ? StorageCandidate{} : Best);
}

/// Where nothing can be moved, but earlier passes of the group have changed the
/// storage, layouts are still chosen anew for it.
static void overlay(StorageChoice &C) {
  C.update();
  C.Decision.Refused = C.Problem->refused();
  if (!C.Decision.Refused) {
    place(C);
  } else if (C.Decision.isRewritten()) {
    StorageCandidate Own = C.findBest(*C.Problem);
    C.chooseLayouts(*C.Problem, C.Decision, Own);
    C.describe({});
  }
  C.explainWaiting();
}

Plan cudaopt::planOverlay(const PassInput &In, const Plan &Earlier) {
  return StorageChoice::decide(In, Earlier, overlay);
}
