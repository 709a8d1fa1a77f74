// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Puts concrete executions of accesses in straight-line code together, as the
/// compiler does: neighbours become one wider access, and what was loaded
/// before is not loaded again.
//===----------------------------------------------------------------------===//

#include "MergedAccesses.h"

#include "cudaopt/Machine/MergedRequests.h"

#include <map>

using namespace cudaopt;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {

/// What the executions of one chunk must have in common, everything but their
/// place: the key by which executions are sorted into rows.
struct RowOfLanes {
  explicit RowOfLanes(const PatternExecution &E) {
    const LanePattern &P = E.Pattern;
    ActiveLanes = P.ActiveLanes;
    Origin = E.Origin;
    Distances = P.Elements;
    Weight = P.Weight;
    for (unsigned Lane = 0; Lane < WarpSize; ++Lane)
      Distances[Lane] -= ActiveLanes >> Lane & 1 && !P.MemberStep ? E.Place : 0;
  }
  auto operator<=>(const RowOfLanes &) const = default;

  uint32_t ActiveLanes;
  uint64_t Origin;
  std::array<uint32_t, WarpSize> Distances;
  double Weight;
};

/// The executions at one place of a row, as indices in their order.
struct PlaceInRow {
  SmallVector<size_t, 1> Open; ///< Those that are not merged yet.
  bool IsLoaded = false;       ///< True if there are others.
};
using Row = std::map<uint32_t, PlaceInRow>; ///< By place.

/// Takes the executions in their order and merges each one, if it has not been
/// taken yet, with its neighbours into the longest chunk possible.
class ExecutionMerger {
public:
  explicit ExecutionMerger(ArrayRef<PatternExecution> Executions);
  std::vector<LanePattern> merge();

private:
  unsigned findCount(const PatternExecution &E, const Row &R) const;
  size_t takeFirst(Row &R, uint32_t Place);

  ArrayRef<PatternExecution> Executions;
  std::map<RowOfLanes, Row> Rows;
  std::vector<Row *> RowOf;
  std::vector<bool> IsTaken;
};

} // namespace

ExecutionMerger::ExecutionMerger(ArrayRef<PatternExecution> Executions)
    : Executions(Executions), IsTaken(Executions.size()) {
  for (auto [I, E] : llvm::enumerate(Executions)) {
    Row &R = Rows[RowOfLanes(E)];
    RowOf.push_back(&R);
    R[E.Place].Open.push_back(I);
  }
}

/// Returns the length of the longest aligned chunk of \p R that contains \p E
/// and of which all executions are there and allow that length.
unsigned ExecutionMerger::findCount(const PatternExecution &E,
                                    const Row &R) const {
  return findMergedCount(
      E.Place, E.MaxCount, [&](uint32_t Place, unsigned Count) {
        auto It = R.find(Place);
        return It != R.end() && !It->second.Open.empty() &&
               Executions[It->second.Open.front()].MaxCount >= Count;
      });
}

/// Removes the first execution at \p Place from \p R and returns its index.
size_t ExecutionMerger::takeFirst(Row &R, uint32_t Place) {
  PlaceInRow &At = R.find(Place)->second;
  const size_t I = At.Open.front();
  At.Open.erase(At.Open.begin());
  At.IsLoaded = true;
  IsTaken[I] = true;
  return I;
}

std::vector<LanePattern> ExecutionMerger::merge() {
  std::vector<LanePattern> Result;
  for (auto [I, E] : llvm::enumerate(Executions)) {
    if (IsTaken[I])
      continue;
    Row &R = *RowOf[I];
    const unsigned Count = findCount(E, R);
    const uint32_t First = E.Place / Count * Count;
    const bool IsRepeated = E.IsLoadedOnce && R[E.Place].IsLoaded;
    LanePattern P = Executions[takeFirst(R, First)].Pattern;
    if (IsRepeated)
      P.Weight = 0;
    for (uint32_t Place = First + 1; Place < First + Count; ++Place)
      takeFirst(R, Place);
    P.Count = Count;
    if (Count == 1) {
      P.MemberStep = 0;
      P.KeptChunk = 1;
      P.Elsewhere.reset();
    }
    Result.push_back(P);
  }
  return Result;
}

std::vector<LanePattern>
cudaopt::mergeExecutions(ArrayRef<PatternExecution> Executions) {
  return ExecutionMerger(Executions).merge();
}
