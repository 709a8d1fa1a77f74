// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Chooses which `__shared__` variables of a kernel share bytes: live ranges,
/// interference graph and partitions as in document 001, with an exact
/// placement instead of its greedy one, and only where more blocks fit on a
/// multiprocessor, or where its L1 cache grows.
//===----------------------------------------------------------------------===//

#include "cudaopt/Transforms/BlockCount.h"
#include "cudaopt/Transforms/Passes.h"

#include "DynamicStorage.h"
#include "KernelLaunches.h"
#include "LayoutCombinations.h"
#include "PrivateArrays.h"
#include "StorageSearch.h"
#include "TrimmedArrays.h"
#include "VariableGroups.h"

#include "clang/AST/Attr.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace cudaopt;

/// Of a search for one placement; and where many are compared. At most some 300
/// and 30 ms, but counted, so that the text does not depend on the machine.
static constexpr uint64_t SearchSteps = 4'000'000, TrialSteps = 400'000;
/// Barriers that one kernel may get, and places tried for them.
static constexpr unsigned MaxBarriers = 3, MaxPlaces = 16, MaxTrials = 200;
/// Of a thread's registers, for arrays that become private.
static constexpr uint64_t MaxPrivateBytes = 64;

namespace {

class ReusePlanner {
public:
  ReusePlanner(const Kernel &K, const Target &T, const PassOptions &Options,
               Plan &P)
      : K(K), T(T), Options(Options), P(P), All(K, P),
        Storage(K, T, Options, P) {}
  ReuseDecision run();

private:
  StorageCandidate findBest(const ReuseProblem &In) const {
    return Storage.findBest(In, {SearchSteps});
  }
  BlockNeeds findNeeds(const ReuseProblem &In,
                       llvm::ArrayRef<StorageNode> Objects) const;
  BlockNeeds findRoom(const ReuseProblem &In);
  void chooseLayouts(const ReuseProblem &In, ReuseDecision &Left,
                     StorageCandidate &Best);
  bool isAccepted(const StorageWorth &New) const {
    return New.isWorthMore(Before, Options.Reuse);
  }
  StorageWorth findBestWorth(const ReuseProblem &In, ReuseDecision Left);
  void describe(const StorageCandidate &Chosen);
  void tryBarriers(StorageCandidate &Best);
  void poison();
  void makePrivate();
  void trim();
  void place();
  std::string explainNoStep(const ReuseInstance &I, uint64_t Old,
                            uint64_t New) const;
  void findLaunches();
  void makeDynamic();
  void explainTooLarge();
  void explainWaiting();
  void choose();

  const Kernel &K;
  const Target &T;
  const PassOptions &Options;
  Plan &P;
  const ReuseProblem All; ///< With all arrays as they are.
  StorageSearch Storage;
  ReuseDecision Decision;
  std::optional<ReuseProblem> Problem; ///< Of what is left.
  StorageWorth Before;                 ///< Of what is left.
  /// All launches, if each can ask for dynamic memory that the kernel needs,
  /// else why not.
  std::vector<DynamicLaunch> Launches;
  std::string WhyNotDynamic;
};

} // namespace

/// Looks for the fewest barriers with which more blocks fit than without.
void ReusePlanner::tryBarriers(StorageCandidate &Best) {
  std::vector<const clang::Stmt *> Places = Problem->barrierPlaces();
  if (Options.Reuse != ReuseChoice::Auto || Places.empty() ||
      Places.size() > MaxPlaces)
    return;
  const uint64_t Most = findBest(Problem->withBarriers(Places)).W.Blocks;
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
        StorageCandidate C = findBest(Problem->withBarriers(More));
        if (C.W.Blocks == Most && !C.W.Loses) {
          Best = std::move(C);
          Decision.NewBarriers.assign(More.begin(), More.end());
          return;
        }
        Sets.push_back(std::move(More));
      }
    }
  }
}

/// Of the instances that take most bytes, the one whose block is known best.
static const ReuseInstance &chooseShown(const ReuseProblem &In) {
  auto rank = [&](const ReuseInstance &I) {
    return std::pair(In.bytesOf(I, {}), findKnowledge(*I.Program.Instance));
  };
  return *llvm::max_element(
      In.instances(), [&](const ReuseInstance &A, const ReuseInstance &B) {
        return rank(A) < rank(B);
      });
}

void ReusePlanner::describe(const StorageCandidate &Chosen) {
  const ReuseProblem In = Problem->withBarriers(Decision.NewBarriers);
  const ReuseInstance &I = chooseShown(In);
  const uint32_t Threads = listThreads(I).back();
  Decision.BytesBefore = I.Program.Instance->StaticSharedBytes;
  Decision.BytesAfter = In.bytesOf(I, Chosen.Objects);
  Decision.BlocksBefore =
      Decision.BytesBefore > T.SharedPerBlock
          ? 0
          : Storage.countBlocks(Threads, I, Decision.BytesBefore);
  Decision.BlocksAfter = Storage.countBlocks(Threads, I, Decision.BytesAfter);
  const std::optional<PlacementProblem> Parts = In.placementOfParts();
  uint64_t Bound = findLowerBound(Parts ? *Parts : In.placementOf(I));
  for (const VariableGroups &Groups : VariableGroups::listAll(In, I))
    Bound =
        std::min(Bound, findLowerBound(Groups.mergeItems(In.placementOf(I))));
  uint64_t Movable = 0;
  for (const PlacementItem &Item : In.itemsOf(I))
    Movable += Item.Size;
  Decision.LowerBound = In.bytesOf(I, {}) - Movable + Bound;
  Decision.IsOptimal = Decision.BytesAfter <= Decision.LowerBound;
}

std::string ReusePlanner::explainNoStep(const ReuseInstance &I, uint64_t Old,
                                        uint64_t New) const {
  const uint32_t Threads = listThreads(I).back();
  return llvm::formatv("{0} bytes instead of {1}, but no more blocks of {2} "
                       "threads would fit on a multiprocessor ({3})",
                       New, Old, Threads, Storage.countBlocks(Threads, I, Old));
}

/// Looks for another place for what no compiler accepts as static memory.
void ReusePlanner::findLaunches() {
  if (fitsStatic(All, {}, T.SharedPerBlock))
    return;
  auto Found = findEditableLaunches(K, K.Decl->getASTContext());
  if (Found)
    Launches = std::move(*Found);
  else
    WhyNotDynamic = toString(Found.takeError());
  if (!Launches.empty())
    Storage.allowDynamic();
}

/// Makes dynamic memory of what no compiler accepts as static memory.
void ReusePlanner::makeDynamic() {
  if (!Problem || Launches.empty() ||
      fitsStatic(*Problem, Decision.Objects, T.SharedPerBlock))
    return;
  WhyNotDynamic = "too little of it can be moved";
  if (Problem->variables().empty())
    return;
  const ReuseProblem In = Problem->withBarriers(Decision.NewBarriers);
  auto Objects = splitDynamic(In, Decision.Objects, T.SharedPerBlock);
  if (!Objects)
    return;
  const auto hasBlock = [&](const ReuseInstance &I) {
    return Storage.countBlocks(1, I, In.bytesOf(I, *Objects)) > 0;
  };
  if (!setBytes(In, Objects->back(), Launches) ||
      !llvm::all_of(In.instances(), hasBlock)) {
    WhyNotDynamic = "not so large";
    return;
  }
  Decision.Objects = std::move(*Objects);
  Decision.Variables = In.variables();
  Decision.Launches = Launches;
  Decision.WhyKept = {};
  describe({Decision.Objects, {}});
}

/// A kernel that the compiler will refuse for its static memory needs another
/// help, if neither sharing bytes nor dynamic memory is one.
void ReusePlanner::explainTooLarge() {
  if (Decision.isRewritten() || !Problem)
    return;
  const ReuseInstance &I = largestInstance(*Problem);
  const uint64_t Bytes = Problem->bytesOf(I, {});
  if (Bytes <= T.SharedPerBlock)
    return;
  std::string Text =
      llvm::formatv("{0} bytes, where a compiler allows {1}", Bytes,
                    static_cast<uint64_t>(T.SharedPerBlock));
  if (Problem->refused().Why == Reason::None)
    Text +=
        llvm::formatv(", and {0} if arrays share bytes", Decision.BytesAfter);
  Text += "; dynamic shared memory (extern __shared__) may be larger";
  if (!WhyNotDynamic.empty())
    Text += ", but " + WhyNotDynamic;
  Decision.WhyKept = {Reason::TooLargeStatic, std::move(Text),
                      I.Program.Variables.front().Decl->getLocation()};
}

/// Tells how many warps fit in the end, where they are too few for a layout.
void ReusePlanner::explainWaiting() {
  if (!Decision.isRewritten())
    return;
  const BlockNeeds Needs = findNeeds(*Problem, Decision.Objects);
  for (auto &[Array, Layout] : P.Layouts) {
    if (Layout.WhyKept.Why != Reason::FewWarps)
      continue;
    Blocker Now = findWaiting(K, Array, Layout.Added, T, Needs);
    if (Now.Why == Reason::None || Now.Detail == Layout.WhyKept.Detail)
      continue;
    Decision.LayoutsAlone.insert({Array, Layout});
    Layout.WhyKept = std::move(Now);
  }
}

/// Takes arrays out of shared memory of which each thread has one element.
/// Their layouts no longer matter.
void ReusePlanner::makePrivate() {
  const bool IsBounded = Options.Reuse == ReuseChoice::Auto;
  findPrivateArrays(K, All.instances(),
                    IsBounded ? MaxPrivateBytes : UINT64_MAX, Options.Floats,
                    Decision);
  for (ArrayId Array : Decision.Private)
    if (auto Layout = P.Layouts.find(Array); Layout != P.Layouts.end())
      Layout->second.keep(
          {Reason::BecomesPrivate, "", K.Arrays[Array].Decl->getLocation()});
  Problem.emplace(All.with(Decision));
  Before = Storage.weigh(*Problem, {});
}

BlockNeeds ReusePlanner::findNeeds(const ReuseProblem &In,
                                   llvm::ArrayRef<StorageNode> Objects) const {
  BlockNeeds Needs;
  for (const ReuseInstance &I : In.instances())
    Needs.StaticBytes[I.Program.Instance] = In.bytesOf(I, Objects);
  return Needs;
}

/// What a block needs where everything is stored best and no array grows.
BlockNeeds ReusePlanner::findRoom(const ReuseProblem &In) {
  llvm::MapVector<ArrayId, LayoutDecision> Decided = P.Layouts;
  for (auto &[_, Layout] : P.Layouts)
    Layout.New = {};
  BlockNeeds Room = findNeeds(In, Storage.findBest(In, {TrialSteps}).Objects);
  P.Layouts = std::move(Decided);
  return Room;
}

/// Gives the arrays that \p Left leaves other layouts, if they are worth more
/// together with how \p In can then be stored than \p Best is. They may have
/// the bytes, and count on the warps, that the source has no room for.
void ReusePlanner::chooseLayouts(const ReuseProblem &In, ReuseDecision &Left,
                                 StorageCandidate &Best) {
  if (llvm::none_of(P.Layouts, [](const auto &Layout) {
        return dependsOnMemory(Layout.second);
      }))
    return;
  LayoutCombinations Combinations(K, T, Options, Left, findRoom(In), P);
  if (!Combinations.hasChoice())
    return;
  auto Judge = [&] { return Storage.findBest(In, {TrialSteps}).W; };
  const uint64_t NumCombinations = Combinations.choose(Judge);
  StorageCandidate Other = findBest(In);
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
  Left.LayoutsAlone = Combinations.listReplaced();
}

/// What the variables of \p In, those that \p Left leaves, are worth where they
/// are stored best.
StorageWorth ReusePlanner::findBestWorth(const ReuseProblem &In,
                                         ReuseDecision Left) {
  const StorageWorth AsTheyAre = Storage.weigh(In, {});
  llvm::MapVector<ArrayId, LayoutDecision> Decided = P.Layouts;
  StorageCandidate Best = findBest(In);
  chooseLayouts(In, Left, Best);
  P.Layouts = std::move(Decided);
  return Best.W.isWorthMore(AsTheyAre, Options.Reuse) ? Best.W : AsTheyAre;
}

/// Cuts arrays of which the last rows are never accessed, if that is worth it.
void ReusePlanner::trim() {
  ReuseDecision Cut = Decision;
  findTrimmedArrays(K, All.instances(), P, Cut);
  Decision.NotTrimmed = Cut.NotTrimmed;
  if (Cut.Trimmed.empty())
    return;
  const ReuseProblem Smaller = All.with(Cut);
  if (!findBestWorth(Smaller, Cut)
           .isWorthMore(findBestWorth(*Problem, Decision), Options.Reuse)) {
    const ReuseInstance &I = largestInstance(Smaller);
    if (Options.Reuse == ReuseChoice::Bytes)
      return; // Others lie there.
    const std::string Why = explainNoStep(
        I, All.bytesOf(All.instances()[&I - Smaller.instances().data()], {}),
        Smaller.bytesOf(I, {}));
    for (const TrimmedArray &Each : Cut.Trimmed)
      Decision.NotTrimmed.push_back(
          {Each.Array,
           {Reason::NoOccupancyStep, Why,
            K.Arrays[Each.Array].Decl->getLocation()}});
    return;
  }
  Decision = std::move(Cut);
  Problem.emplace(Smaller);
  Before = Storage.weigh(*Problem, {});
}

/// Lets what is left share bytes.
void ReusePlanner::place() {
  const clang::SourceLocation Loc =
      Problem->variables().front().Decl->getLocation();
  Decision.Variables = Problem->variables();
  Decision.NotInPlace = Problem->findInPlace();
  const ReuseInstance &I = largestInstance(*Problem);
  StorageCandidate Best = findBest(*Problem);
  chooseLayouts(*Problem, Decision, Best);
  if (!isAccepted(Best.W)) {
    tryBarriers(Best);
    if (!Decision.NewBarriers.empty())
      chooseLayouts(Problem->withBarriers(Decision.NewBarriers), Decision,
                    Best);
  }
  if (isAccepted(Best.W)) {
    describe(Best);
    Decision.Objects = std::move(Best.Objects);
    Decision.InPlace = std::move(Best.InPlace);
    return;
  }
  const auto Moved = Problem->findMisaligned(I, Best.Objects);
  if (Best.Objects.empty())
    Decision.WhyKept = {Reason::AllAlive, "", Loc};
  else if (Moved)
    Decision.WhyKept = {Reason::MisalignsOther,
                        I.Program.Variables[*Moved].Name, Loc};
  else
    Decision.WhyKept = {Reason::NoOccupancyStep,
                        explainNoStep(I, Problem->bytesOf(I, {}),
                                      Problem->bytesOf(I, Best.Objects)),
                        Loc};
  describe(Decision.isRewritten() ? StorageCandidate{} : Best);
}

/// Notes what is dead where, for a run that fills it with rubbish.
void ReusePlanner::poison() {
  if (All.refused().Why != Reason::None)
    return;
  Problem.emplace(All.with(Decision));
  Decision.Variables = All.variables();
  Decision.Poisoned = All.deadVariables();
  if (Decision.Poisoned.empty())
    Decision.WhyKept = {Reason::AllAlive, "",
                        All.variables().front().Decl->getLocation()};
}

void ReusePlanner::choose() {
  if (Options.Reuse == ReuseChoice::Poison) {
    poison();
    return;
  }
  std::vector<uint64_t> Most;
  for (const ReuseInstance &I : All.instances())
    Most.push_back(All.bytesOf(I, {}));
  Storage.limitBytes(std::move(Most));
  findLaunches();
  makePrivate();
  trim();
  Decision.WhyKept = Problem->refused();
  if (Decision.WhyKept.Why == Reason::None) {
    place();
  } else if (Decision.isRewritten()) {
    StorageCandidate Own = findBest(*Problem);
    chooseLayouts(*Problem, Decision, Own);
    describe({});
  }
  makeDynamic();
  explainWaiting();
}

ReuseDecision ReusePlanner::run() {
  Decision.WhyKept = All.refused();
  if (All.instances().empty()) {
    Decision.WhyKept = {Reason::NotInstantiated, "", K.Decl->getLocation()};
    if (!K.Arrays.empty() && !K.Arrays.front().Blockers.empty())
      Decision.WhyKept = K.Arrays.front().Blockers.front();
    return std::move(Decision);
  }
  if (Options.Reuse == ReuseChoice::Off) {
    if (Decision.WhyKept.Why == Reason::None)
      Decision.WhyKept = {Reason::ReuseOff, "",
                          All.variables().front().Decl->getLocation()};
    return std::move(Decision);
  }
  choose();
  explainTooLarge();
  return std::move(Decision);
}

void cudaopt::planSharedReuse(const Kernel &K, const Target &T,
                              const PassOptions &Options, Plan &P) {
  if (K.Decl->hasAttr<clang::CUDAGlobalAttr>())
    P.Reuse = ReusePlanner(K, T, Options, P).run();
}
