// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Placements of least height: an exact search, and the rules of thumb to which
/// it is compared.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_PLACEMENT_SOLVER_H
#define CUDAOPT_PLACEMENT_SOLVER_H

#include "cudaopt/Placement/Problem.h"

#include <optional>

namespace cudaopt {

/// The least height that any placement can have, as far as it is proved: the
/// bytes in use in one interval, or those of a clique of the interference
/// graph.
uint64_t findLowerBound(const PlacementProblem &Problem);

struct SolverLimits {
  /// What the search may cost: the items and sections that it looks at. So a
  /// result depends on no clock. Twenty million take one to two seconds.
  uint64_t Steps = 20'000'000;
  /// Heights below this are as good as it: the search ends with the first
  /// placement that reaches it.
  uint64_t GoodEnough = 0;
};

struct SolvedPlacement {
  Placement Best;
  uint64_t LowerBound = 0;
  /// True if no placement is lower: the bound is reached, or the search ended.
  /// An item without a byte that all of its intervals use leaves only the
  /// bound.
  bool IsOptimal = false;
};

/// The lowest placement found within \p Limits. The same on every machine.
SolvedPlacement placeExactly(const PlacementProblem &Problem,
                             const SolverLimits &Limits = {});

/// A placement of at most \p Capacity bytes, if one is found within \p Limits.
std::optional<Placement> placeWithin(const PlacementProblem &Problem,
                                     uint64_t Capacity,
                                     const SolverLimits &Limits = {});

/// The lowest placement, found within \p Limits, in which items are either at
/// the same offset or share no byte: document 001's partitions with one live
/// item each, chosen by search instead of greedily.
SolvedPlacement placeInPartitions(const PlacementProblem &Problem,
                                  const SolverLimits &Limits = {});

/// Algorithm 1 of Moazeni, Bui and Sarrafzadeh, "A memory optimization
/// technique for software-managed scratchpad memory in GPUs" (SASP 2009): the
/// interference graph is coloured greedily in breadth-first order; each colour
/// is a partition as large as its largest item.
Placement placeByColouring(const PlacementProblem &Problem);

/// First fit in the order of falling size.
Placement placeBySize(const PlacementProblem &Problem);

/// First fit in the order in which the items come into use.
Placement placeByLinearScan(const PlacementProblem &Problem);

} // namespace cudaopt

#endif // CUDAOPT_PLACEMENT_SOLVER_H
