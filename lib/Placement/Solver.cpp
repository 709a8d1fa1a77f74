// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds the least height by a series of searches: below several capacities,
/// with several rankings, and with node limits that double, since one ranking
/// is often quick where the others get lost.
//===----------------------------------------------------------------------===//

#include "cudaopt/Placement/Solver.h"

#include "FirstFit.h"
#include "Search.h"

#include <algorithm>
#include <array>

namespace cudaopt {

/// The deterministic rankings (Ranking::Weights), tried in this order.
static constexpr std::array<std::string_view, 4> Weights = {"WAT", "TAW", "TWA",
                                                            "TBC"};

/// The weight of rankings that are drawn at random. One suffices: the falsified
/// weights of two items hardly ever tie.
static constexpr std::string_view DrawnWeights = "C";

/// In a large problem the search hardly backtracks under a good ranking, so
/// that it pays to try many random rankings with few nodes each, with as many
/// nodes in total as the deterministic rankings get. The search of a small
/// problem is exhaustive instead.
static constexpr size_t SmallProblem = 64;
/// The most random rankings for each deterministic one.
static constexpr uint64_t MaxDrawn = 16;
static constexpr uint64_t NodesForSmallProblem = 2000;

/// Capacities that are bisected with each node limit. More bisections find
/// lower placements early, but put off the search at the least capacity.
static constexpr unsigned Bisections = 2;

static uint64_t firstNodeLimit(const PlacementProblem &Problem) {
  const size_t Count = Problem.Items.size();
  return Count <= SmallProblem ? NodesForSmallProblem : 2 * Count;
}

namespace {

/// Decides whether a capacity suffices; each call of run() continues with more
/// effort.
class Feasibility {
public:
  Feasibility(const PlacementProblem &Problem, const InterferenceGraph &Graph,
              int64_t Capacity)
      : Problem(Problem), Graph(Graph),
        Search(Graph, reduce(Capacity), Capacity) {}

  SearchEnd run(uint64_t MaxNodes, SearchBudget &Budget);

  /// After Found: the placement.
  Placement placement() const;

private:
  ItemSet reduce(int64_t Capacity);
  bool alwaysFits(ItemId Item, const ItemSet &Others, int64_t Capacity) const;

  const PlacementProblem &Problem;
  const InterferenceGraph &Graph;
  /// Items that the search leaves out, since they fit wherever the items that
  /// were left out later and those searched are.
  std::vector<ItemId> Reduced;
  uint64_t Seed = 0;
  PlacementSearch Search;
};

} // namespace

/// Returns true if \p Item finds a free offset however \p Others are placed, as
/// in graph colouring a vertex of small degree finds a free colour: the item
/// has more possible offsets than all its neighbours together can forbid. A
/// neighbour forbids an open range whose length is the sum of the two
/// distances.
bool Feasibility::alwaysFits(ItemId Item, const ItemSet &Others,
                             int64_t Capacity) const {
  const GraphItem &I = Graph.Items[Item];
  if (I.Size > Capacity)
    return false;
  // All offsets are multiples of the step.
  const int64_t Grid = std::max(I.Alignment, Graph.Step);
  int64_t Free = (Capacity - I.Size) / Grid + 1;
  for (const Neighbour &N : Graph.Neighbours[Item]) {
    if (!Others.contains(N.Item))
      continue;
    const auto &Back = Graph.Neighbours[N.Item];
    const auto Same = std::ranges::find(Back, Item, &Neighbour::Item);
    const int64_t Length = N.Distance + Same->Distance;
    Free -= (Length - 1) / Grid + 1;
  }
  return Free > 0;
}

/// Removes items that always fit until none is left that does, and returns the
/// items that remain to be searched.
ItemSet Feasibility::reduce(int64_t Capacity) {
  ItemSet Kept(Graph.Items.size());
  for (ItemId I = 0; I < Graph.Items.size(); ++I)
    Kept.insert(I);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (ItemId I = 0; I < Graph.Items.size(); ++I)
      if (Kept.contains(I) && alwaysFits(I, Kept, Capacity)) {
        Kept.erase(I);
        Reduced.push_back(I);
        Changed = true;
      }
  }
  return Kept;
}

SearchEnd Feasibility::run(uint64_t MaxNodes, SearchBudget &Budget) {
  for (std::string_view W : Weights)
    if (SearchEnd End = Search.run({W}, MaxNodes, Budget);
        End != SearchEnd::OutOfNodes)
      return End;
  const uint64_t Drawn =
      std::clamp<uint64_t>(MaxNodes / firstNodeLimit(Problem), 1, MaxDrawn);
  for (unsigned I = 0; I < Drawn * Weights.size(); ++I)
    if (SearchEnd End =
            Search.run({DrawnWeights, ++Seed}, MaxNodes / Drawn, Budget);
        End != SearchEnd::OutOfNodes)
      return End;
  return SearchEnd::OutOfNodes;
}

Placement Feasibility::placement() const {
  const size_t Count = Graph.Items.size();
  Placement P;
  P.Offsets.resize(Count);
  std::vector<bool> IsPlaced(Count, true);
  for (ItemId I : Reduced)
    IsPlaced[I] = false;
  for (ItemId I = 0; I < Count; ++I)
    if (IsPlaced[I])
      P.Offsets[I] = Search.offset(I);
  const FirstFit Fit(Problem);
  for (size_t R = Reduced.size(); R-- > 0;) {
    P.Offsets[Reduced[R]] = Fit.findOffset(Reduced[R], P.Offsets, IsPlaced);
    IsPlaced[Reduced[R]] = true;
  }
  for (ItemId I = 0; I < Count; ++I)
    P.Height = std::max(P.Height, P.Offsets[I] + Problem.Items[I].Size);
  return P;
}

/// Returns the lowest placement of the three heuristics.
static Placement placeByBestRule(const PlacementProblem &Problem) {
  return std::ranges::min({placeByColouring(Problem), placeBySize(Problem),
                           placeByLinearScan(Problem)},
                          {}, &Placement::Height);
}

namespace {

/// Approaches the least height from both sides: placements from above, proofs
/// of infeasibility from below.
class Minimizer {
public:
  Minimizer(const PlacementProblem &Problem, const SolverLimits &Limits)
      : Problem(Problem), Limits(Limits), Budget(Limits.Steps),
        Graph(buildInterferenceGraph(Problem)) {}

  SolvedPlacement run();

private:
  bool isDone() const {
    return S.Best.Height <= std::max(S.LowerBound, Limits.GoodEnough);
  }
  int64_t roundUp(int64_t Height) const {
    return (Height + Graph.Step - 1) / Graph.Step * Graph.Step;
  }
  int64_t leastCapacity() const {
    return std::max<int64_t>(
        {int64_t(S.LowerBound), int64_t(Limits.GoodEnough), Hopeless + 1});
  }
  SearchEnd tryCapacity(int64_t Capacity, uint64_t MaxNodes);
  bool closeIn(uint64_t MaxNodes);

  const PlacementProblem &Problem;
  const SolverLimits &Limits;
  SearchBudget Budget;
  const InterferenceGraph Graph;
  SolvedPlacement S;
  /// The greatest capacity that is proved too small for the (perhaps widened)
  /// items.
  int64_t Hopeless = 0;
};

} // namespace

/// Searches below \p Capacity and takes the outcome into the best placement and
/// the bounds.
SearchEnd Minimizer::tryCapacity(int64_t Capacity, uint64_t MaxNodes) {
  Feasibility F(Problem, Graph, Capacity);
  const SearchEnd End = F.run(MaxNodes, Budget);
  if (End == SearchEnd::Found)
    S.Best = std::ranges::min(S.Best, F.placement(), {}, &Placement::Height);
  // A proof about widened items says nothing about the items themselves.
  if (End == SearchEnd::Infeasible && !Graph.IsWidened)
    S.LowerBound = roundUp(Capacity + 1);
  if (End == SearchEnd::Infeasible)
    Hopeless = std::max(Hopeless, Capacity);
  return End;
}

/// Makes one round of searches of \p MaxNodes nodes each: at the least
/// capacity, where a placement or a proof is worth the most; between the
/// capacities where this effort fails and succeeds; and just below the best
/// height, where a proof of infeasibility ends everything. Returns false if the
/// budget is spent.
bool Minimizer::closeIn(uint64_t MaxNodes) {
  int64_t Failed = leastCapacity();
  SearchEnd End = tryCapacity(Failed, MaxNodes);
  for (unsigned B = 0; B < Bisections && End != SearchEnd::OutOfBudget; ++B) {
    const int64_t Middle =
        roundUp(Failed + (int64_t(S.Best.Height) - Failed) / 2);
    if (isDone() || Middle >= int64_t(S.Best.Height))
      break;
    End = tryCapacity(Middle, MaxNodes);
    if (End != SearchEnd::Found)
      Failed = Middle;
  }
  const int64_t Most = int64_t(S.Best.Height) - 1;
  if (End != SearchEnd::OutOfBudget && !isDone() &&
      Most > std::max(Failed, Hopeless))
    End = tryCapacity(Most, MaxNodes);
  return End != SearchEnd::OutOfBudget;
}

SolvedPlacement Minimizer::run() {
  S.LowerBound = findLowerBound(Problem);
  S.Best = placeByBestRule(Problem);
  if (!Graph.IsWidened)
    S.LowerBound = roundUp(S.LowerBound);
  uint64_t MaxNodes = firstNodeLimit(Problem);
  Hopeless = int64_t(S.LowerBound) - 1;
  while (!isDone() && leastCapacity() < int64_t(S.Best.Height)) {
    if (!closeIn(MaxNodes))
      return S;
    MaxNodes *= 2;
  }
  S.IsOptimal = S.Best.Height == S.LowerBound;
  return S;
}

SolvedPlacement placeExactly(const PlacementProblem &Problem,
                             const SolverLimits &Limits) {
  return Minimizer(Problem, Limits).run();
}

std::optional<Placement> placeWithin(const PlacementProblem &Problem,
                                     uint64_t Capacity,
                                     const SolverLimits &Limits) {
  SearchBudget Budget(Limits.Steps);
  if (Placement P = placeByBestRule(Problem); P.Height <= Capacity)
    return P;
  const InterferenceGraph Graph = buildInterferenceGraph(Problem);
  Feasibility F(Problem, Graph, Capacity);
  for (uint64_t MaxNodes = firstNodeLimit(Problem);; MaxNodes *= 2)
    switch (F.run(MaxNodes, Budget)) {
    case SearchEnd::Found:
      return F.placement();
    case SearchEnd::Infeasible:
    case SearchEnd::OutOfBudget:
      return std::nullopt;
    case SearchEnd::OutOfNodes:
      break;
    }
}

} // namespace cudaopt
