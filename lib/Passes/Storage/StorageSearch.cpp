// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Compares the placements that the solvers find. A placement is computed for
/// the instance that needs most bytes, and then weighed in all instances.
//===----------------------------------------------------------------------===//

#include "StorageSearch.h"

#include "StorageTree.h"
#include "VariableGroups.h"
#include "cudaopt/Passes/Residency.h"

#include "llvm/ADT/STLExtras.h"

using namespace cudaopt;

llvm::SmallVector<uint32_t, 5> cudaopt::listThreads(const ReuseInstance &I) {
  const BlockShape &Block = I.Program.Instance->Block;
  if (Block.isKnown())
    return {Block.numThreads()};
  llvm::SmallVector<uint32_t, 5> Usual = {64, 128, 256, 512, 1024};
  llvm::erase_if(Usual, [&](uint32_t N) { return N > Block.MaxThreads; });
  if (Usual.empty())
    Usual.push_back(Block.MaxThreads);
  return Usual;
}

const ReuseInstance &cudaopt::largestInstance(const ReuseProblem &In) {
  return *llvm::max_element(
      In.instances(), [&](const ReuseInstance &A, const ReuseInstance &B) {
        return In.bytesOf(A, {}) < In.bytesOf(B, {});
      });
}

unsigned StorageSearch::countBlocks(uint32_t Threads, const ReuseInstance &I,
                                    uint64_t Bytes) const {
  if (Bytes > T.SharedPerBlock && !MayBeDynamic)
    return 0;
  return blocksPerSM(T, Threads, Bytes + I.Program.DynamicBytes);
}

// Blocks are summed over all instances and thread counts: a storage that lets
// one more block fit in any of them is better.
StorageWorth StorageSearch::weigh(const ReuseProblem &In,
                                  llvm::ArrayRef<StorageNode> Objects) const {
  StorageWorth W;
  BlockNeeds Needs;
  for (auto [Index, I] : llvm::enumerate(In.instances())) {
    const uint64_t Bytes = In.bytesOf(I, Objects);
    Needs.StaticBytes[I.Program.Instance] = Bytes;
    W.Loses |= !MostBytes.empty() && Bytes > MostBytes[Index];
    W.Loses |= In.findMisaligned(I, Objects).has_value();
    W.Bytes += Bytes;
    W.NumTooLarge += Bytes > T.SharedPerBlock;
    if (I.Program.Instance->Block.IsUnseen)
      continue; // The threads of its blocks are not known.
    for (uint32_t Threads : listThreads(I)) {
      const unsigned Blocks = countBlocks(Threads, I, Bytes);
      W.Blocks += Blocks;
      W.CarveOut += carveOutFor(T, Blocks, Bytes + I.Program.DynamicBytes);
    }
  }
  for (const auto &[Array, Layout] : Layouts) {
    W.Wavefronts += Layout.Cost.After;
    W.Charge += Layout.Charge;
    W.NumWaiting += Layout.isRewritten() &&
                    findWaiting(K, Array, Layout.Effects, T, Needs).has_value();
  }
  return W;
}

/// Returns the placement \p Places as trees; std::nullopt if it cannot be
/// expressed by them (see makeStorageTrees).
std::optional<StorageCandidate>
StorageSearch::makeCandidate(const ReuseProblem &In, const Placement &Places,
                             bool MayUseGaps) const {
  auto Trees = makeStorageTrees(
      Places, In.itemsOf(largestInstance(In)),
      [&](unsigned A, unsigned B) { return In.interfere(A, B); }, MayUseGaps);
  if (!Trees)
    return std::nullopt;
  StorageCandidate C{std::move(*Trees), {}};
  C.W = weigh(In, C.Objects);
  return C;
}

/// Returns true if storage \p A is better than \p B with the same layouts: by
/// blocks on a multiprocessor first, then by the L1 cache that is left. Bytes
/// as such count only if the user says so.
bool StorageSearch::isBetter(const StorageCandidate &A,
                             const StorageCandidate &B) const {
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

// A later kind of placement must be strictly better, so that the order of the
// kinds is an order of preference. Partitions come first: none of their objects
// contains two variables that are live together, so that the compiler still
// knows that such variables do not alias. Then come exact placements of whole
// variables; then those of busy parts, whose offsets hold for one size of the
// variables only; and last those that share bytes in place, which rely on a
// proof about single bytes.
StorageCandidate StorageSearch::findBest(const ReuseProblem &In,
                                         SolverLimits Limits) const {
  if (In.refused())
    return {{}, weigh(In, {})};
  const ReuseInstance &Largest = largestInstance(In);
  const PlacementProblem Places = In.placementOf(Largest);
  std::optional<StorageCandidate> Best;
  auto offer = [&](std::optional<StorageCandidate> C) {
    if (C && (!Best || isBetter(*C, *Best)))
      Best = std::move(C);
  };
  if (Options.Placement == PlacementChoice::Greedy) {
    offer(makeCandidate(In, placeByColouring(Places), false));
    return Best ? std::move(*Best) : StorageCandidate{{}, weigh(In, {})};
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
        offer(StorageCandidate{std::move(*Trees), W, Groups.listPairs(In)});
      }
  }
  return Best ? std::move(*Best) : StorageCandidate{{}, weigh(In, {})};
}
