// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Chooses which `__shared__` variables of a kernel share bytes: live ranges,
/// interference graph and partitions as in document 001, with an exact
/// placement instead of its greedy one, and only where more blocks fit on a
/// multiprocessor, or where its L1 cache grows.
//===----------------------------------------------------------------------===//

#include "cudaopt/Machine/Target.h"
#include "cudaopt/Placement/Solver.h"
#include "cudaopt/Transforms/Passes.h"

#include "DynamicStorage.h"
#include "KernelLaunches.h"
#include "LayoutCombinations.h"
#include "PrivateArrays.h"
#include "ReuseProblem.h"
#include "StorageTree.h"
#include "StorageWorth.h"
#include "TrimmedArrays.h"
#include "VariableGroups.h"

#include "clang/AST/Attr.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace cudaopt;

/// For one placement; and where many are compared.
static constexpr std::chrono::milliseconds SearchTime{200}, TrialTime{20};
/// Barriers that one kernel may get, and places tried for them.
static constexpr unsigned MaxBarriers = 3, MaxPlaces = 16, MaxTrials = 200;
/// Of a thread's registers, for arrays that become private.
static constexpr uint64_t MaxPrivateBytes = 64;

namespace {

struct Candidate {
  std::vector<StorageNode> Objects;
  StorageWorth W;
  std::vector<InPlacePair> InPlace = {};
};

class ReusePlanner {
public:
  ReusePlanner(const Kernel &K, const Target &T, const PassOptions &Options,
               Plan &P)
      : K(K), T(T), Options(Options), P(P), All(K, P) {}
  ReuseDecision run();

private:
  StorageWorth weigh(const ReuseProblem &In,
                     llvm::ArrayRef<StorageNode> Objects) const;
  std::optional<Candidate> makeCandidate(const ReuseProblem &In,
                                         const Placement &Places,
                                         bool MayUseGaps) const;
  Candidate findBest(const ReuseProblem &In, SolverLimits Limits) const;
  Candidate findBest(const ReuseProblem &In) const {
    return findBest(In, {SearchTime});
  }
  void chooseLayouts(const ReuseProblem &In, Candidate &Best);
  bool isAccepted(const StorageWorth &New) const {
    return New.isWorthMore(Before, Options.Reuse);
  }
  StorageWorth findBestWorth(const ReuseProblem &In) const;
  bool isBetter(const Candidate &A, const Candidate &B) const;
  void describe(const Candidate &Chosen);
  void tryBarriers(Candidate &Best);
  void poison();
  void makePrivate();
  void trim();
  void place();
  std::string explainNoStep(const ReuseInstance &I, uint64_t Old,
                            uint64_t New) const;
  unsigned countBlocks(uint32_t Threads, const ReuseInstance &I,
                       uint64_t Bytes) const;
  void findLaunches();
  void makeDynamic();
  void explainTooLarge();
  void choose();
  const ReuseInstance &largestInstance(const ReuseProblem &In) const;

  const Kernel &K;
  const Target &T;
  const PassOptions &Options;
  Plan &P;
  const ReuseProblem All; ///< With all arrays as they are.
  ReuseDecision Decision;
  std::optional<ReuseProblem> Problem; ///< Of what is left.
  StorageWorth Before;                 ///< Of what is left.
  std::vector<uint64_t> BytesBefore;   ///< By instance; of what is left.
  std::vector<uint64_t> BytesAtFirst;  ///< By instance; of all.
  /// All launches, if each can ask for dynamic memory that the kernel needs,
  /// else why not.
  std::vector<DynamicLaunch> Launches;
  std::string WhyNotDynamic;
};

} // namespace

/// Threads of the blocks for which \p I is judged.
static llvm::SmallVector<uint32_t, 5> listThreads(const ReuseInstance &I) {
  const BlockShape &Block = I.Program.Instance->Block;
  if (Block.isKnown())
    return {Block.numThreads()};
  llvm::SmallVector<uint32_t, 5> Usual = {64, 128, 256, 512, 1024};
  llvm::erase_if(Usual, [&](uint32_t N) { return N > Block.MaxThreads; });
  if (Usual.empty())
    Usual.push_back(Block.MaxThreads);
  return Usual;
}

/// Blocks on a multiprocessor; none if the compiler refuses so much static
/// memory, and it cannot become dynamic.
unsigned ReusePlanner::countBlocks(uint32_t Threads, const ReuseInstance &I,
                                   uint64_t Bytes) const {
  if (Bytes > T.SharedPerBlock && Launches.empty())
    return 0;
  return blocksPerSM(T, Threads, Bytes + I.Program.DynamicBytes);
}

StorageWorth ReusePlanner::weigh(const ReuseProblem &In,
                                 llvm::ArrayRef<StorageNode> Objects) const {
  StorageWorth W;
  for (const auto &[_, Layout] : P.Layouts) {
    W.Wavefronts += Layout.Cost.After;
    W.Charge += Layout.Charge;
  }
  for (auto [Index, I] : llvm::enumerate(In.instances())) {
    const uint64_t Bytes = In.bytesOf(I, Objects);
    W.Loses |=
        Bytes > (BytesBefore.empty() ? In.bytesOf(I, {}) : BytesBefore[Index]);
    W.Loses |= In.findMisaligned(I, Objects).has_value();
    W.Bytes += Bytes;
    W.NumTooLarge += Bytes > T.SharedPerBlock;
    for (uint32_t Threads : listThreads(I)) {
      const unsigned Blocks = countBlocks(Threads, I, Bytes);
      W.Blocks += Blocks;
      W.CarveOut += carveOutFor(T, Blocks, Bytes + I.Program.DynamicBytes);
    }
  }
  return W;
}

const ReuseInstance &
ReusePlanner::largestInstance(const ReuseProblem &In) const {
  return *llvm::max_element(
      In.instances(), [&](const ReuseInstance &A, const ReuseInstance &B) {
        return In.bytesOf(A, {}) < In.bytesOf(B, {});
      });
}

std::optional<Candidate> ReusePlanner::makeCandidate(const ReuseProblem &In,
                                                     const Placement &Places,
                                                     bool MayUseGaps) const {
  auto Trees = makeStorageTrees(
      Places, In.itemsOf(largestInstance(In)),
      [&](unsigned A, unsigned B) { return In.interfere(A, B); }, MayUseGaps);
  if (!Trees)
    return std::nullopt;
  Candidate C{std::move(*Trees), {}};
  C.W = weigh(In, C.Objects);
  return C;
}

/// Blocks first; then the cache. Bytes alone count only if the user says so.
bool ReusePlanner::isBetter(const Candidate &A, const Candidate &B) const {
  if (A.W.Loses != B.W.Loses)
    return B.W.Loses;
  if (A.W.NumTooLarge != B.W.NumTooLarge)
    return A.W.NumTooLarge < B.W.NumTooLarge;
  if (A.W.Blocks != B.W.Blocks)
    return A.W.Blocks > B.W.Blocks;
  if (A.W.CarveOut != B.W.CarveOut)
    return A.W.CarveOut < B.W.CarveOut;
  return Options.Reuse == ReuseChoice::Bytes && A.W.Bytes < B.W.Bytes;
}

/// Partitions come first: none of their objects holds two variables that are
/// alive together, which the compiler could then no longer tell apart. Parts of
/// variables come behind them, as what tells their places holds for one size
/// only; and last what needs a proof for each byte.
Candidate ReusePlanner::findBest(const ReuseProblem &In,
                                 SolverLimits Limits) const {
  const ReuseInstance &Largest = largestInstance(In);
  const PlacementProblem Places = In.placementOf(Largest);
  std::optional<Candidate> Best;
  auto offer = [&](std::optional<Candidate> C) {
    if (C && (!Best || isBetter(*C, *Best)))
      Best = std::move(C);
  };
  if (Options.Placement == PlacementChoice::Greedy) {
    offer(makeCandidate(In, placeByColouring(Places), false));
    return Best ? std::move(*Best) : Candidate{{}, weigh(In, {})};
  }
  offer(makeCandidate(In, placeInPartitions(Places, Limits).Best, false));
  offer(makeCandidate(In, placeExactly(Places, Limits).Best, false));
  if (std::optional<PlacementProblem> Parts = In.placementOfParts())
    offer(makeCandidate(In, placeExactly(*Parts, Limits).Best, true));
  for (const VariableGroups &Groups : VariableGroups::listAll(In, Largest)) {
    const PlacementProblem Merged = Groups.mergeItems(Places);
    for (const Placement &Each : {placeInPartitions(Merged, Limits).Best,
                                  placeExactly(Merged, Limits).Best})
      if (auto Trees = Groups.makeTrees(Each, Merged, In)) {
        const StorageWorth W = weigh(In, *Trees);
        offer(Candidate{std::move(*Trees), W, Groups.listPairs(In)});
      }
  }
  return Best ? std::move(*Best) : Candidate{{}, weigh(In, {})};
}

/// What the variables of \p In are worth where they are stored best.
StorageWorth ReusePlanner::findBestWorth(const ReuseProblem &In) const {
  const StorageWorth AsTheyAre = weigh(In, {});
  if (In.refused().Why != Reason::None)
    return AsTheyAre;
  const StorageWorth Best = findBest(In).W;
  return Best.isWorthMore(AsTheyAre, Options.Reuse) ? Best : AsTheyAre;
}

/// Looks for the fewest barriers with which more blocks fit than without.
void ReusePlanner::tryBarriers(Candidate &Best) {
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
        Candidate C = findBest(Problem->withBarriers(More));
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

void ReusePlanner::describe(const Candidate &Chosen) {
  const ReuseProblem In = Problem->withBarriers(Decision.NewBarriers);
  const ReuseInstance &I = largestInstance(In);
  const uint32_t Threads = listThreads(I).back();
  const size_t Index = &I - In.instances().data();
  Decision.BytesBefore = BytesAtFirst[Index];
  Decision.BytesAfter = In.bytesOf(I, Chosen.Objects);
  Decision.BlocksBefore = Decision.BytesBefore > T.SharedPerBlock
                              ? 0
                              : countBlocks(Threads, I, Decision.BytesBefore);
  Decision.BlocksAfter = countBlocks(Threads, I, Decision.BytesAfter);
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
                       New, Old, Threads, countBlocks(Threads, I, Old));
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
    return countBlocks(1, I, In.bytesOf(I, *Objects)) > 0;
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

/// Takes arrays out of shared memory of which each thread has one element.
/// Their layouts no longer matter.
void ReusePlanner::makePrivate() {
  const bool IsBounded = Options.Reuse == ReuseChoice::Auto;
  findPrivateArrays(K, All.instances(),
                    IsBounded ? MaxPrivateBytes : UINT64_MAX, Decision);
  for (ArrayId Array : Decision.Private)
    if (auto Layout = P.Layouts.find(Array); Layout != P.Layouts.end())
      Layout->second.keep(
          {Reason::BecomesPrivate, "", K.Arrays[Array].Decl->getLocation()});
  Problem.emplace(All.with(Decision));
  Before = weigh(*Problem, {});
}

/// Cuts arrays of which the last rows are never accessed, if that is worth it.
void ReusePlanner::trim() {
  ReuseDecision Cut = Decision;
  findTrimmedArrays(K, All.instances(), P, Cut);
  Decision.NotTrimmed = Cut.NotTrimmed;
  if (Cut.Trimmed.empty())
    return;
  const ReuseProblem Smaller = All.with(Cut);
  if (!findBestWorth(Smaller).isWorthMore(findBestWorth(*Problem),
                                          Options.Reuse)) {
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
  Before = weigh(*Problem, {});
}

/// Gives arrays other layouts, if they are worth more together with how \p In
/// can then be stored than \p Best is.
void ReusePlanner::chooseLayouts(const ReuseProblem &In, Candidate &Best) {
  LayoutCombinations Combinations(K, T, Options, Decision, P);
  if (!Combinations.hasChoice())
    return;
  const uint64_t NumCombinations =
      Combinations.choose([&] { return findBest(In, {TrialTime}).W; });
  Candidate Other = findBest(In);
  const bool IsBetter = isAccepted(Best.W)
                            ? Other.W.isBetterThan(Best.W, Options.Reuse)
                            : isAccepted(Other.W);
  if (Other.Objects.empty() || !IsBetter) {
    Combinations.restore();
    return;
  }
  Best = std::move(Other);
  Decision.LayoutsAlone = Combinations.listReplaced();
  Decision.NumCombinations = NumCombinations;
}

/// Lets what is left share bytes.
void ReusePlanner::place() {
  const clang::SourceLocation Loc =
      Problem->variables().front().Decl->getLocation();
  Decision.Variables = Problem->variables();
  for (const ReuseInstance &Each : Problem->instances())
    BytesBefore.push_back(Problem->bytesOf(Each, {}));
  Decision.NotInPlace = Problem->findInPlace();
  const ReuseInstance &I = largestInstance(*Problem);
  Candidate Best = findBest(*Problem);
  chooseLayouts(*Problem, Best);
  if (!isAccepted(Best.W)) {
    tryBarriers(Best);
    if (!Decision.NewBarriers.empty())
      chooseLayouts(Problem->withBarriers(Decision.NewBarriers), Best);
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
  describe(Decision.isRewritten() ? Candidate{} : Best);
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
  for (const ReuseInstance &I : All.instances())
    BytesAtFirst.push_back(All.bytesOf(I, {}));
  findLaunches();
  makePrivate();
  trim();
  Decision.WhyKept = Problem->refused();
  if (Decision.WhyKept.Why == Reason::None)
    place();
  else if (Decision.isRewritten())
    describe({});
  makeDynamic();
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
