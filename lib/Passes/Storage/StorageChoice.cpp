// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Implements the state that the passes of shared-reuse share: its beginning,
/// the joint choice of layouts and storage, and the figures for reports.
//===----------------------------------------------------------------------===//

#include "StorageChoice.h"

#include "KernelLaunches.h"
#include "Layout/LayoutCombinations.h"
#include "VariableGroups.h"
#include "cudaopt/Passes/KernelAnalyses.h"
#include "cudaopt/Plan/BlockCount.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace cudaopt;

/// The limits of a search for one placement, and of one where many placements
/// are compared. They take at most some 300 ms and 30 ms; steps are counted
/// instead of time, so that the result does not depend on the machine.
static constexpr uint64_t SearchSteps = 4'000'000, TrialSteps = 400'000;

StorageChoice::StorageChoice(const PassInput &In, const Plan &Earlier)
    : In(In), K(In.K), T(In.T), Options(In.Options), Layouts(Earlier.Layouts),
      All(In.Analyses.storage().withLayouts(Layouts)),
      Storage(K, T, Options, Layouts),
      Decision(Earlier.Reuse.value_or(ReuseDecision())), Earlier(Earlier) {
  if (!Earlier.Reuse)
    begin();
  if (!isOpen())
    return;
  Storage.limitBytes(Decision.MostBytes);
  findLaunches();
}

/// Initializes the decision. Called in the first pass of the group; later ones
/// continue with the decision of Earlier.
void StorageChoice::begin() {
  Decision.Refused = All.refused();
  if (All.instances().empty()) {
    Decision.Refused = {Reason::NotInstantiated, "", K.Decl->getLocation()};
    if (!K.Arrays.empty() && !K.Arrays.front().Refusals.empty())
      Decision.Refused = K.Arrays.front().Refusals.front();
  } else if (Options.Reuse == ReuseChoice::Off && !Decision.Refused) {
    Decision.Refused = {Reason::ReuseOff, "",
                        All.variables().front().Decl->getLocation()};
  }
  for (const ReuseInstance &I : All.instances())
    Decision.MostBytes.push_back(All.bytesOf(I, {}));
}

/// Returns true if some storage may change.
bool StorageChoice::isOpen() const {
  return !All.instances().empty() && Options.Reuse != ReuseChoice::Off &&
         Options.Reuse != ReuseChoice::Poison;
}

/// Finds the launches if some instance needs more static memory than compilers
/// accept: part of it may then become dynamic memory.
void StorageChoice::findLaunches() {
  if (llvm::all_of(Decision.MostBytes,
                   [&](uint64_t Bytes) { return Bytes <= T.SharedPerBlock; }))
    return;
  auto Found = findEditableLaunches(K, K.Decl->getASTContext());
  if (Found)
    Launches = std::move(*Found);
  else
    WhyNotDynamic = toString(Found.takeError());
  if (!Launches.empty())
    Storage.allowDynamic();
}

Plan StorageChoice::decide(const PassInput &In, const Plan &Earlier,
                           llvm::function_ref<void(StorageChoice &)> Decide) {
  if (!In.K.Decl->hasAttr<clang::CUDAGlobalAttr>())
    return Earlier;
  StorageChoice C(In, Earlier);
  if (C.isOpen())
    Decide(C);
  return C.makePlan();
}

Plan StorageChoice::makePlan() const {
  Plan P = Earlier;
  P.Layouts = Layouts;
  P.Reuse = Decision;
  return P;
}

void StorageChoice::update() {
  Problem.emplace(All.with(Decision));
  Before = Storage.weigh(*Problem, {});
}

StorageCandidate StorageChoice::findBest(const ReuseProblem &Of) const {
  return Storage.findBest(Of, {SearchSteps});
}

//===----------------------------------------------------------------------===//
// Layouts that suit the storage
//===----------------------------------------------------------------------===//

/// Returns the bytes of a block of each instance if \p Objects are made.
BlockNeeds StorageChoice::findNeeds(const ReuseProblem &Of,
                                    llvm::ArrayRef<StorageNode> Objects) const {
  BlockNeeds Needs;
  for (const ReuseInstance &I : Of.instances())
    Needs.StaticBytes[I.Program.Instance] = Of.bytesOf(I, Objects);
  return Needs;
}

/// Returns the least that a block needs: with the best storage, and with all
/// arrays as small as declared.
BlockNeeds StorageChoice::findRoom(const ReuseProblem &Of) {
  LayoutMap Decided = Layouts;
  for (auto &[_, Layout] : Layouts)
    Layout.New = {};
  BlockNeeds Room = findNeeds(Of, Storage.findBest(Of, {TrialSteps}).Objects);
  Layouts = std::move(Decided);
  return Room;
}

// The combination is searched with few steps for each placement, and the best
// one is then placed with more. It is taken only if that changes the storage
// and pays; else the layouts of bank-layout are restored.
void StorageChoice::chooseLayouts(const ReuseProblem &Of, ReuseDecision &Left,
                                  StorageCandidate &Best) {
  if (llvm::none_of(Layouts, [](const auto &Layout) {
        return dependsOnMemory(Layout.second);
      }))
    return;
  LayoutCombinations Combinations(In, Left, findRoom(Of), Layouts);
  if (!Combinations.hasChoice())
    return;
  auto Judge = [&] { return Storage.findBest(Of, {TrialSteps}).W; };
  const uint64_t NumCombinations = Combinations.choose(Judge);
  StorageCandidate Other = findBest(Of);
  const bool ChangesStorage = !Other.Objects.empty() || Left.isRewritten();
  if (ChangesStorage && isAccepted(Other.W) &&
      (!isAccepted(Best.W) || Other.W.isBetterThan(Best.W, Options.Reuse))) {
    Best = std::move(Other);
    Left.NumCombinations = NumCombinations;
  } else {
    Combinations.restore();
    if (!isAccepted(Best.W))
      return;
  }
  Combinations.explainKept(Judge);
  Left.ChoosesLayouts = Combinations.hasReplaced();
}

StorageWorth StorageChoice::findBestWorth(const ReuseProblem &Of,
                                          ReuseDecision Left) {
  const StorageWorth AsTheyAre = Storage.weigh(Of, {});
  LayoutMap Decided = Layouts;
  StorageCandidate Best = findBest(Of);
  chooseLayouts(Of, Left, Best);
  Layouts = std::move(Decided);
  return Best.W.isWorthMore(AsTheyAre, Options.Reuse) ? Best.W : AsTheyAre;
}

void StorageChoice::explainWaiting() {
  if (!Decision.isRewritten())
    return;
  const BlockNeeds Needs = findNeeds(*Problem, Decision.Objects);
  for (auto &[Array, Layout] : Layouts) {
    if (Layout.Refused != Reason::FewWarps)
      continue;
    std::optional<Refusal> Now =
        findWaiting(K, Array, Layout.Effects, T, Needs);
    if (!Now || Now->Detail == Layout.Refused->Detail)
      continue;
    Decision.ChoosesLayouts = true;
    Layout.Refused = std::move(Now);
  }
}

//===----------------------------------------------------------------------===//
// Figures
//===----------------------------------------------------------------------===//

/// Returns the instance that reports show: among those that take most bytes,
/// the one whose block is known best.
static const ReuseInstance &chooseShown(const ReuseProblem &Of) {
  auto rank = [&](const ReuseInstance &I) {
    return std::pair(Of.bytesOf(I, {}), findKnowledge(*I.Program.Instance));
  };
  return *llvm::max_element(
      Of.instances(), [&](const ReuseInstance &A, const ReuseInstance &B) {
        return rank(A) < rank(B);
      });
}

// The lower bound is that of the movable variables, plus the bytes of the
// others. If variables may share in place, the bound of the best grouping
// counts.
void StorageChoice::describe(const StorageCandidate &Chosen) {
  const ReuseProblem Of = Problem->withBarriers(Decision.NewBarriers);
  const ReuseInstance &I = chooseShown(Of);
  const uint32_t Threads = listThreads(I).back();
  Decision.BytesBefore = I.Program.Instance->StaticSharedBytes;
  Decision.BytesAfter = Of.bytesOf(I, Chosen.Objects);
  Decision.BlocksBefore =
      Decision.BytesBefore > T.SharedPerBlock
          ? 0
          : Storage.countBlocks(Threads, I, Decision.BytesBefore);
  Decision.BlocksAfter = Storage.countBlocks(Threads, I, Decision.BytesAfter);
  const std::optional<PlacementProblem> Parts = Of.placementOfParts();
  uint64_t Bound = findLowerBound(Parts ? *Parts : Of.placementOf(I));
  for (const VariableGroups &Groups : VariableGroups::listAll(Of, I))
    Bound =
        std::min(Bound, findLowerBound(Groups.mergeItems(Of.placementOf(I))));
  uint64_t Movable = 0;
  for (const PlacementItem &Item : Of.itemsOf(I))
    Movable += Item.Size;
  Decision.LowerBound = Of.bytesOf(I, {}) - Movable + Bound;
  Decision.IsOptimal = Decision.BytesAfter <= Decision.LowerBound;
}

std::string StorageChoice::explainNoStep(const ReuseInstance &I, uint64_t Old,
                                         uint64_t New) const {
  const uint32_t Threads = listThreads(I).back();
  return llvm::formatv("{0} bytes instead of {1}, but no more blocks of {2} "
                       "threads would fit on a multiprocessor ({3})",
                       New, Old, Threads, Storage.countBlocks(Threads, I, Old));
}
