// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Lower bounds of the height: the largest item, the fullest interval, and the
/// heaviest clique of the interference graph; for intervals and cliques of few
/// items also the best stacking order under their alignments (Stack.h).
//===----------------------------------------------------------------------===//

#include "Cliques.h"
#include "InterferenceGraph.h"
#include "Stack.h"
#include "cudaopt/Placement/Solver.h"

#include <algorithm>
#include <limits>

namespace cudaopt {

static bool isBusy(const BusyBytes &B) { return B.Low < B.High; }

/// The most cliques whose stacks are computed: more take longer than what they
/// tell is worth.
static constexpr size_t MaxCliques = 256;

/// The height of a stack of items that are in use from their first bytes on and
/// all begin at a multiple of a common alignment: each but the topmost one
/// takes a multiple of it. The bound assumes the item with the most rounding on
/// top.
class RoundedStack {
public:
  void add(uint64_t Bytes, uint64_t MinAlignment) {
    const uint64_t Rounded = alignUp(Bytes, MinAlignment);
    Sum += Rounded;
    Rounding = std::max(Rounding, Rounded - Bytes);
  }
  uint64_t height() const { return Sum - Rounding; }

private:
  uint64_t Sum = 0, Rounding = 0;
};

/// Returns the greater of \p Known and the least height of a stack of \p Busy,
/// items that all keep apart. The stack is computed only if alignments could
/// make it higher than \p Known.
static uint64_t boundStack(const PlacementProblem &Problem,
                           const std::vector<BusyBytes> &Busy, uint64_t Known) {
  std::vector<StackedBytes> Bytes;
  uint64_t Most = 0;
  for (const BusyBytes &B : Busy) {
    if (!isBusy(B))
      continue;
    const uint64_t Alignment = Problem.Items[B.Item].Alignment;
    Bytes.push_back(
        {int64_t(B.High - B.Low), int64_t(Alignment), int64_t(B.Low)});
    Most += B.High - B.Low + Alignment - 1;
  }
  if (Most <= Known || Bytes.size() > MaxStacked)
    return Known;
  return std::max<uint64_t>(Known, findLeastEnds(Bytes, 0).back());
}

static uint64_t boundInterval(const PlacementProblem &Problem,
                              const std::vector<BusyBytes> &Interval) {
  uint64_t Alignment = std::numeric_limits<uint64_t>::max() / 2 + 1;
  for (const BusyBytes &B : Interval)
    if (isBusy(B))
      Alignment =
          std::min(Alignment, B.Low == 0 ? Problem.Items[B.Item].Alignment : 1);
  RoundedStack Bytes;
  for (const BusyBytes &B : Interval)
    if (isBusy(B))
      Bytes.add(B.High - B.Low, Alignment);
  return Bytes.height();
}

/// Returns by item the bytes that it uses in all of its intervals, perhaps
/// none. The cores of two items that interfere never overlap, whichever
/// intervals they share.
static std::vector<BusyBytes> findCores(const PlacementProblem &Problem) {
  std::vector<BusyBytes> Cores;
  for (ItemId I = 0; I < Problem.Items.size(); ++I)
    Cores.push_back({I, 0, 0});
  for (const std::vector<BusyBytes> &Interval : Problem.Intervals)
    for (const BusyBytes &B : Interval) {
      BusyBytes &C = Cores[B.Item];
      if (isBusy(B))
        C = C.High == 0 ? B
                        : BusyBytes{B.Item, std::max(C.Low, B.Low),
                                    std::min(C.High, B.High)};
    }
  return Cores;
}

/// Returns the weight of the heaviest clique, where the weight of an item is
/// the size of its core; also with sizes rounded up to an alignment that all
/// items have.
static uint64_t boundCliques(const PlacementProblem &Problem) {
  const size_t Count = Problem.Items.size();
  const std::vector<BusyBytes> Cores = findCores(Problem);
  uint64_t Alignment = std::numeric_limits<uint64_t>::max() / 2 + 1;
  for (const BusyBytes &C : Cores)
    if (isBusy(C))
      Alignment =
          std::min(Alignment, C.Low == 0 ? Problem.Items[C.Item].Alignment : 1);
  std::vector<uint64_t> Exact(Count), Rounded(Count);
  uint64_t Rounding = 0;
  for (ItemId I = 0; I < Count; ++I) {
    if (!isBusy(Cores[I]))
      continue;
    Exact[I] = Cores[I].High - Cores[I].Low;
    Rounded[I] = alignUp(Exact[I], Alignment);
    Rounding = std::max(Rounding, Rounded[I] - Exact[I]);
  }
  const std::vector<ItemSet> Adjacent = findAdjacency(Problem);
  uint64_t Bound = findHeaviestClique(Adjacent, Exact);
  if (Rounding > 0)
    Bound = std::max(Bound, findHeaviestClique(Adjacent, Rounded) - Rounding);
  return Bound;
}

static uint64_t boundCliqueStacks(const PlacementProblem &Problem,
                                  uint64_t Bound) {
  const std::vector<BusyBytes> Cores = findCores(Problem);
  for (const ItemSet &Clique :
       listMaximalCliques(findAdjacency(Problem), MaxCliques)) {
    std::vector<BusyBytes> Busy;
    Clique.forEach([&](ItemId I) { Busy.push_back(Cores[I]); });
    Bound = boundStack(Problem, Busy, Bound);
  }
  return Bound;
}

uint64_t findLowerBound(const PlacementProblem &Problem) {
  uint64_t Bound = 0;
  for (const PlacementItem &Item : Problem.Items)
    Bound = std::max(Bound, Item.Size);
  for (const std::vector<BusyBytes> &Interval : Problem.Intervals)
    Bound = std::max(Bound, boundInterval(Problem, Interval));
  Bound = std::max(Bound, boundCliques(Problem));
  for (const std::vector<BusyBytes> &Interval : Problem.Intervals)
    Bound = boundStack(Problem, Interval, Bound);
  return boundCliqueStacks(Problem, Bound);
}

} // namespace cudaopt
