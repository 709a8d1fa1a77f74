// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The heuristics: greedy colouring, and first fit in two orders.
//===----------------------------------------------------------------------===//

#include "FirstFit.h"
#include "InterferenceGraph.h"
#include "cudaopt/Placement/Solver.h"

#include <algorithm>
#include <numeric>

namespace cudaopt {

namespace {

/// Items with the same offset, no two of which interfere.
struct Partition {
  uint64_t Size = 0;
  uint64_t Alignment = 1;
  ItemSet Members;
};

} // namespace

/// Returns all items in breadth-first order, component by component; each
/// component starts with its first item.
static std::vector<ItemId>
orderBreadthFirst(const std::vector<ItemSet> &Adjacent) {
  const size_t Count = Adjacent.size();
  std::vector<ItemId> Order;
  ItemSet Rest(Count);
  for (ItemId I = 0; I < Count; ++I)
    Rest.insert(I);
  for (size_t Next = 0; Order.size() < Count; ++Next) {
    if (Next == Order.size()) {
      Order.push_back(Rest.first());
      Rest.erase(Order.back());
    }
    ItemSet Reached = Adjacent[Order[Next]];
    Reached &= Rest;
    Rest -= Reached;
    Reached.forEach([&](ItemId I) { Order.push_back(I); });
  }
  return Order;
}

static std::vector<Partition> colour(const PlacementProblem &Problem,
                                     const std::vector<ItemSet> &Adjacent) {
  std::vector<Partition> Partitions;
  const size_t Count = Problem.Items.size();
  for (ItemId I : orderBreadthFirst(Adjacent)) {
    auto Fits = [&](const Partition &P) {
      ItemSet Conflicts = P.Members;
      Conflicts &= Adjacent[I];
      return Conflicts.empty();
    };
    auto P = std::ranges::find_if(Partitions, Fits);
    if (P == Partitions.end())
      P = Partitions.insert(P, {0, 1, ItemSet(Count)});
    P->Size = std::max(P->Size, Problem.Items[I].Size);
    P->Alignment = std::max(P->Alignment, Problem.Items[I].Alignment);
    P->Members.insert(I);
  }
  return Partitions;
}

Placement placeByColouring(const PlacementProblem &Problem) {
  Placement P;
  P.Offsets.resize(Problem.Items.size());
  uint64_t End = 0;
  for (const Partition &Part : colour(Problem, findAdjacency(Problem))) {
    const uint64_t Begin = alignUp(End, Part.Alignment);
    Part.Members.forEach([&](ItemId I) { P.Offsets[I] = Begin; });
    End = Begin + Part.Size;
  }
  P.Height = End;
  return P;
}

Placement placeBySize(const PlacementProblem &Problem) {
  std::vector<ItemId> Order(Problem.Items.size());
  std::iota(Order.begin(), Order.end(), 0);
  std::ranges::sort(Order, {}, [&](ItemId I) {
    return std::pair(-int64_t(Problem.Items[I].Size), I);
  });
  return FirstFit(Problem).place(Order);
}

Placement placeByLinearScan(const PlacementProblem &Problem) {
  std::vector<size_t> Begin(Problem.Items.size(), Problem.Intervals.size());
  for (size_t Interval = Problem.Intervals.size(); Interval-- > 0;)
    for (const BusyBytes &B : Problem.Intervals[Interval])
      Begin[B.Item] = Interval;
  std::vector<ItemId> Order(Problem.Items.size());
  std::iota(Order.begin(), Order.end(), 0);
  std::ranges::sort(Order, {},
                    [&](ItemId I) { return std::pair(Begin[I], I); });
  return FirstFit(Problem).place(Order);
}

} // namespace cudaopt
