// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Branch and bound over colourings of the interference graph. Items in the
/// order of decreasing size join a partition of items that they do not
/// interfere with, or open a new one. A partition is as large as its first
/// item, so that the height only grows on the way down, and a branch that is as
/// high as the best placement can be cut. Bytes lost to the alignment of
/// partitions are not part of that height; place() adds them.
//===----------------------------------------------------------------------===//

#include "cudaopt/Placement/Solver.h"

#include "SearchBudget.h"

#include <algorithm>
#include <numeric>

using namespace cudaopt;

namespace {

class PartitionSearch {
public:
  PartitionSearch(const PlacementProblem &Problem, const SolverLimits &Limits);
  SolvedPlacement run();

private:
  /// Assigns the items from Order[Next] on; \p Height is the sum of the sizes
  /// of the partitions so far.
  void assign(size_t Next, uint64_t Height);
  bool fits(ItemId Item, const std::vector<ItemId> &Partition) const;
  bool isDone() const {
    return (IsStopped && HasPlacement) ||
           BestHeight <= std::max(LowerBound, GoodEnough);
  }
  Placement place() const;

  const PlacementProblem &Problem;
  const uint64_t LowerBound, GoodEnough;
  SearchBudget Budget;
  std::vector<std::vector<bool>> Interferes;
  std::vector<ItemId> Order; ///< The items by decreasing size.
  std::vector<std::vector<ItemId>> Partitions, Best;
  uint64_t BestHeight = UINT64_MAX;
  bool IsStopped = false, HasPlacement = false;
};

} // namespace

static bool overlap(const BusyBytes &A, const BusyBytes &B) {
  return A.Low < B.High && B.Low < A.High;
}

PartitionSearch::PartitionSearch(const PlacementProblem &Problem,
                                 const SolverLimits &Limits)
    : Problem(Problem), LowerBound(findLowerBound(Problem)),
      GoodEnough(Limits.GoodEnough), Budget(Limits.Steps) {
  const size_t N = Problem.Items.size();
  Interferes.assign(N, std::vector<bool>(N));
  for (const auto &Interval : Problem.Intervals)
    for (const BusyBytes &A : Interval)
      for (const BusyBytes &B : Interval)
        if (A.Item != B.Item && overlap(A, B))
          Interferes[A.Item][B.Item] = true;
  Order.resize(N);
  std::iota(Order.begin(), Order.end(), 0);
  std::ranges::sort(Order, [&](ItemId A, ItemId B) {
    const uint64_t SizeA = Problem.Items[A].Size, SizeB = Problem.Items[B].Size;
    return SizeA != SizeB ? SizeA > SizeB : A < B;
  });
}

bool PartitionSearch::fits(ItemId Item,
                           const std::vector<ItemId> &Partition) const {
  return std::ranges::none_of(
      Partition, [&](ItemId Other) { return Interferes[Item][Other]; });
}

void PartitionSearch::assign(size_t Next, uint64_t Height) {
  IsStopped |= !Budget.spend(1);
  if (Height >= BestHeight || isDone())
    return;
  if (Next == Order.size()) {
    Best = Partitions;
    BestHeight = Height;
    HasPlacement = true;
    return;
  }
  const ItemId Item = Order[Next];
  for (size_t I = 0; I != Partitions.size(); ++I) {
    if (!fits(Item, Partitions[I]))
      continue;
    Partitions[I].push_back(Item);
    assign(Next + 1, Height);
    Partitions[I].pop_back();
  }
  Partitions.push_back({Item});
  assign(Next + 1, Height + Problem.Items[Item].Size);
  Partitions.pop_back();
}

Placement PartitionSearch::place() const {
  Placement Result;
  Result.Offsets.resize(Problem.Items.size());
  for (const std::vector<ItemId> &Partition : Best) {
    uint64_t Alignment = 1;
    for (ItemId Item : Partition)
      Alignment = std::max(Alignment, Problem.Items[Item].Alignment);
    const uint64_t Offset =
        (Result.Height + Alignment - 1) / Alignment * Alignment;
    for (ItemId Item : Partition)
      Result.Offsets[Item] = Offset;
    Result.Height = Offset + Problem.Items[Partition.front()].Size;
  }
  return Result;
}

SolvedPlacement PartitionSearch::run() {
  assign(0, 0);
  SolvedPlacement Result;
  Result.Best = place();
  Result.LowerBound = LowerBound;
  Result.IsOptimal = Result.Best.Height <= LowerBound;
  return Result;
}

SolvedPlacement cudaopt::placeInPartitions(const PlacementProblem &Problem,
                                           const SolverLimits &Limits) {
  return PartitionSearch(Problem, Limits).run();
}
