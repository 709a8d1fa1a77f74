// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Solvers for the placement problem: an exact search, and the heuristics of
/// the literature, which are its first solutions and its yardstick.
///
/// \verbatim
///   PlacementProblem P;
///   P.Items = {{64, 16}, {32, 16}, {32, 16}};             // size, alignment
///   P.Intervals = {{{0, 0, 64}}, {{1, 0, 32}, {2, 0, 32}}}; // item, low, high
///   placeExactly(P).Best      Offsets {0, 0, 32} or {0, 32, 0}, Height 64
/// \endverbatim
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_PLACEMENT_SOLVER_H
#define CUDAOPT_PLACEMENT_SOLVER_H

#include "cudaopt/Placement/Problem.h"

#include <optional>

namespace cudaopt {

/// Returns a lower bound of the height of every placement, in bytes: the size
/// of the largest item, the bytes in use in one interval, or the bytes of a
/// clique of the interference graph, whichever is greatest.
uint64_t findLowerBound(const PlacementProblem &Problem);

struct SolverLimits {
  /// What the search may cost, in items and sections that it looks at. The
  /// effort is counted instead of timed, so that a result depends on no clock.
  /// Twenty million steps take one to two seconds.
  uint64_t Steps = 20'000'000;
  /// A height below which nothing more is gained: the search ends with the
  /// first placement that is at most as high.
  uint64_t GoodEnough = 0;
};

struct SolvedPlacement {
  Placement Best;
  /// No placement is lower than this: the bound of findLowerBound(), or a
  /// better one that the search has proved.
  uint64_t LowerBound = 0;
  /// True if Best is proved to be as low as possible, since it reaches
  /// LowerBound. If some item has no byte that all of its intervals use, the
  /// search solves a widened problem (InterferenceGraph::IsWidened) and cannot
  /// raise the bound; then only findLowerBound() can prove a result.
  bool IsOptimal = false;
};

/// Returns the lowest placement that is found within \p Limits. Deterministic:
/// the result is the same on every machine.
SolvedPlacement placeExactly(const PlacementProblem &Problem,
                             const SolverLimits &Limits = {});

/// Returns a placement of at most \p Capacity bytes; std::nullopt if none
/// exists or none is found within \p Limits.
std::optional<Placement> placeWithin(const PlacementProblem &Problem,
                                     uint64_t Capacity,
                                     const SolverLimits &Limits = {});

/// Returns the lowest placement, found within \p Limits, in which two items
/// either have the same offset or share no byte. These are the partitions of
/// Moazeni, Bui and Sarrafzadeh (see placeByColouring), with at most one live
/// item each, but chosen by branch and bound instead of greedily.
SolvedPlacement placeInPartitions(const PlacementProblem &Problem,
                                  const SolverLimits &Limits = {});

/// Algorithm 1 of Moazeni, Bui and Sarrafzadeh, "A memory optimization
/// technique for software-managed scratchpad memory in GPUs" (SASP 2009): the
/// interference graph is coloured greedily in breadth-first order; each colour
/// is a partition as large as its largest item.
Placement placeByColouring(const PlacementProblem &Problem);

/// First fit in the order of decreasing size.
Placement placeBySize(const PlacementProblem &Problem);

/// First fit in the order of the first interval in which an item is in use.
Placement placeByLinearScan(const PlacementProblem &Problem);

} // namespace cudaopt

#endif // CUDAOPT_PLACEMENT_SOLVER_H
