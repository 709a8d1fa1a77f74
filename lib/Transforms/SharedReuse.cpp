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

#include "ReuseProblem.h"
#include "StorageTree.h"

#include "clang/AST/Attr.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace cudaopt;

static constexpr std::chrono::milliseconds SearchTime{200};
/// Barriers that one kernel may get, and places tried for them.
static constexpr unsigned MaxBarriers = 3, MaxPlaces = 16;

namespace {

/// What a storage is worth, summed over instances (and over usual sizes of the
/// block where that is not known).
struct Worth {
  uint64_t Blocks = 0;   ///< On a multiprocessor.
  uint64_t CarveOut = 0; ///< Bytes taken from the L1 cache.
  uint64_t Bytes = 0;
  bool Loses = false; ///< Some instance needs more than before.
};

struct Candidate {
  std::vector<StorageNode> Objects;
  Worth W;
};

class ReusePlanner {
public:
  ReusePlanner(const Kernel &K, const Target &T, const PassOptions &Options,
               const Plan &P)
      : T(T), Options(Options), Problem(K, P) {}
  ReuseDecision run();

private:
  Worth weigh(const ReuseProblem &In,
              llvm::ArrayRef<StorageNode> Objects) const;
  Candidate findBest(const ReuseProblem &In) const;
  std::optional<Candidate> makeCandidate(const ReuseProblem &In,
                                         const Placement &Places) const;
  bool isAccepted(const Worth &New) const;
  bool isBetter(const Candidate &A, const Candidate &B) const;
  void describe(const Candidate &Chosen);
  void tryBarriers(Candidate &Best);
  std::string explainKept(const Candidate &Best) const;
  const ReuseInstance &largestInstance(const ReuseProblem &In) const;

  const Target &T;
  const PassOptions &Options;
  ReuseProblem Problem;
  Worth Before;
  ReuseDecision Decision;
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
/// memory.
static unsigned countBlocks(const Target &T, uint32_t Threads,
                            const ReuseInstance &I, uint64_t Static) {
  if (Static > T.SharedPerBlock)
    return 0;
  return blocksPerSM(T, Threads, Static + I.Program.DynamicBytes);
}

Worth ReusePlanner::weigh(const ReuseProblem &In,
                          llvm::ArrayRef<StorageNode> Objects) const {
  Worth W;
  for (const ReuseInstance &I : In.instances()) {
    const uint64_t Bytes = In.bytesOf(I, Objects);
    W.Loses |= Bytes > In.bytesOf(I, {});
    W.Bytes += Bytes;
    for (uint32_t Threads : listThreads(I)) {
      const unsigned Blocks = countBlocks(T, Threads, I, Bytes);
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

std::optional<Candidate>
ReusePlanner::makeCandidate(const ReuseProblem &In,
                            const Placement &Places) const {
  auto Trees = makeStorageTrees(
      Places, In.itemsOf(largestInstance(In)),
      [&](unsigned A, unsigned B) { return In.interfere(A, B); });
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
  if (A.W.Blocks != B.W.Blocks)
    return A.W.Blocks > B.W.Blocks;
  if (A.W.CarveOut != B.W.CarveOut)
    return A.W.CarveOut < B.W.CarveOut;
  return Options.Reuse == ReuseChoice::Bytes && A.W.Bytes < B.W.Bytes;
}

/// Partitions come first: none of their objects holds two variables that are
/// alive together, which the compiler could then no longer tell apart.
Candidate ReusePlanner::findBest(const ReuseProblem &In) const {
  const PlacementProblem Places = In.placementOf(largestInstance(In));
  llvm::SmallVector<Placement, 2> Placements;
  if (Options.Placement == PlacementChoice::Greedy) {
    Placements.push_back(placeByColouring(Places));
  } else {
    const SolverLimits Limits = {SearchTime};
    Placements.push_back(placeInPartitions(Places, Limits).Best);
    Placements.push_back(placeExactly(Places, Limits).Best);
  }
  std::optional<Candidate> Best;
  for (const Placement &Each : Placements)
    if (std::optional<Candidate> C = makeCandidate(In, Each);
        C && (!Best || isBetter(*C, *Best)))
      Best = std::move(C);
  return Best ? std::move(*Best) : Candidate{{}, weigh(In, {})};
}

/// True if a storage is worth its text.
bool ReusePlanner::isAccepted(const Worth &New) const {
  if (New.Loses)
    return false;
  if (New.Blocks != Before.Blocks)
    return New.Blocks > Before.Blocks;
  if (Options.Reuse == ReuseChoice::Bytes)
    return New.Bytes < Before.Bytes;
  return New.CarveOut < Before.CarveOut;
}

/// Looks for the fewest barriers with which more blocks fit than without.
void ReusePlanner::tryBarriers(Candidate &Best) {
  std::vector<const clang::Stmt *> Places = Problem.barrierPlaces();
  if (Options.Reuse != ReuseChoice::Auto || Places.empty() ||
      Places.size() > MaxPlaces)
    return;
  const uint64_t Most = findBest(Problem.withBarriers(Places)).W.Blocks;
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
        Set More = Sets[First];
        More.push_back(*Next);
        Candidate C = findBest(Problem.withBarriers(More));
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
  const ReuseProblem In = Problem.withBarriers(Decision.NewBarriers);
  const ReuseInstance &I = largestInstance(In);
  const uint32_t Threads = listThreads(I).back();
  Decision.BytesBefore = In.bytesOf(I, {});
  Decision.BytesAfter = In.bytesOf(I, Chosen.Objects);
  Decision.BlocksBefore = countBlocks(T, Threads, I, Decision.BytesBefore);
  Decision.BlocksAfter = countBlocks(T, Threads, I, Decision.BytesAfter);
  const uint64_t Bound = findLowerBound(In.placementOf(I));
  uint64_t Movable = 0;
  for (const PlacementItem &Item : In.itemsOf(I))
    Movable += Item.Size;
  Decision.LowerBound = Decision.BytesBefore - Movable + Bound;
  Decision.IsOptimal = Decision.BytesAfter <= Decision.LowerBound;
}

std::string ReusePlanner::explainKept(const Candidate &Best) const {
  const ReuseInstance &I = largestInstance(Problem);
  const uint32_t Threads = listThreads(I).back();
  const uint64_t Old = Problem.bytesOf(I, {}),
                 New = Problem.bytesOf(I, Best.Objects);
  return llvm::formatv("{0} bytes instead of {1}, but no more blocks of {2} "
                       "threads would fit on a multiprocessor ({3})",
                       New, Old, Threads, countBlocks(T, Threads, I, Old));
}

ReuseDecision ReusePlanner::run() {
  Decision.WhyKept = Problem.refused();
  if (Problem.instances().empty() || Decision.WhyKept.Why != Reason::None)
    return std::move(Decision);
  Decision.Variables = Problem.variables();
  const clang::SourceLocation Loc =
      Problem.variables().front().Decl->getLocation();
  if (Options.Reuse == ReuseChoice::Off) {
    Decision.WhyKept = {Reason::ReuseOff, "", Loc};
    return std::move(Decision);
  }
  if (Options.Reuse == ReuseChoice::Poison) {
    Decision.Poisoned = Problem.deadVariables();
    if (Decision.Poisoned.empty())
      Decision.WhyKept = {Reason::AllAlive, "", Loc};
    return std::move(Decision);
  }
  Before = weigh(Problem, {});
  Candidate Best = findBest(Problem);
  if (!isAccepted(Best.W))
    tryBarriers(Best);
  describe(Best);
  if (isAccepted(Best.W))
    Decision.Objects = std::move(Best.Objects);
  else if (Best.Objects.empty())
    Decision.WhyKept = {Reason::AllAlive, "", Loc};
  else
    Decision.WhyKept = {Reason::NoOccupancyStep, explainKept(Best), Loc};
  return std::move(Decision);
}

void cudaopt::planSharedReuse(const Kernel &K, const Target &T,
                              const PassOptions &Options, Plan &P) {
  if (K.Decl->hasAttr<clang::CUDAGlobalAttr>())
    P.Reuse = ReusePlanner(K, T, Options, P).run();
}
