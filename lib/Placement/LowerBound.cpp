// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Bounds from below: the largest item, the fullest interval, the heaviest
/// clique of the interference graph.
//===----------------------------------------------------------------------===//

#include "Cliques.h"
#include "InterferenceGraph.h"
#include "cudaopt/Placement/Solver.h"

#include <algorithm>
#include <limits>

namespace cudaopt {

static bool isBusy(const BusyBytes &B) { return B.Low < B.High; }

/// Items that keep apart, each used from its first byte: all but the topmost
/// take a multiple of the alignment that all have.
class StackedBytes {
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

static uint64_t boundInterval(const PlacementProblem &Problem,
                              const std::vector<BusyBytes> &Interval) {
  uint64_t Alignment = std::numeric_limits<uint64_t>::max() / 2 + 1;
  for (const BusyBytes &B : Interval)
    if (isBusy(B))
      Alignment =
          std::min(Alignment, B.Low == 0 ? Problem.Items[B.Item].Alignment : 1);
  StackedBytes Bytes;
  for (const BusyBytes &B : Interval)
    if (isBusy(B))
      Bytes.add(B.High - B.Low, Alignment);
  return Bytes.height();
}

/// Of two items that interfere, the bytes that each uses in all of its
/// intervals lie apart.
static uint64_t boundCliques(const PlacementProblem &Problem) {
  const size_t Count = Problem.Items.size();
  constexpr uint64_t Unused = std::numeric_limits<uint64_t>::max();
  std::vector<uint64_t> Low(Count), High(Count, Unused);
  uint64_t Alignment = Unused / 2 + 1;
  for (const std::vector<BusyBytes> &Interval : Problem.Intervals)
    for (const BusyBytes &B : Interval) {
      if (!isBusy(B))
        continue;
      Low[B.Item] = std::max(Low[B.Item], B.Low);
      High[B.Item] = std::min(High[B.Item], B.High);
      Alignment =
          std::min(Alignment, B.Low == 0 ? Problem.Items[B.Item].Alignment : 1);
    }
  std::vector<uint64_t> Exact(Count), Rounded(Count);
  uint64_t Rounding = 0;
  for (ItemId I = 0; I < Count; ++I) {
    if (High[I] == Unused || High[I] <= Low[I])
      continue;
    Exact[I] = High[I] - Low[I];
    Rounded[I] = alignUp(Exact[I], Alignment);
    Rounding = std::max(Rounding, Rounded[I] - Exact[I]);
  }
  const std::vector<ItemSet> Adjacent = findAdjacency(Problem);
  uint64_t Bound = findHeaviestClique(Adjacent, Exact);
  if (Rounding > 0)
    Bound = std::max(Bound, findHeaviestClique(Adjacent, Rounded) - Rounding);
  return Bound;
}

uint64_t findLowerBound(const PlacementProblem &Problem) {
  uint64_t Bound = 0;
  for (const PlacementItem &Item : Problem.Items)
    Bound = std::max(Bound, Item.Size);
  for (const std::vector<BusyBytes> &Interval : Problem.Intervals)
    Bound = std::max(Bound, boundInterval(Problem, Interval));
  return std::max(Bound, boundCliques(Problem));
}

} // namespace cudaopt
