// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Groups of variables that share bytes in place (InPlaceProof.h). Variables of
/// a group interfere, but may begin at the same byte; for the placement, each
/// group is merged into one item, so that the solvers need not know about
/// sharing in place.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_PASSES_STORAGE_VARIABLEGROUPS_H
#define CUDAOPT_LIB_PASSES_STORAGE_VARIABLEGROUPS_H

#include "StorageTree.h"

#include "llvm/ADT/SmallVector.h"

namespace cudaopt {

class ReuseProblem;
struct ReuseInstance;

/// A partition of the variables of a problem into groups.
class VariableGroups {
public:
  /// Returns the partitions that are worth trying: those for every subset of
  /// the pairs that may share bytes in place, if these are few; else the
  /// partitions that arise when the pairs are joined one after the other, those
  /// that save most bytes first. Empty if there are no such pairs.
  static std::vector<VariableGroups> listAll(const ReuseProblem &In,
                                             const ReuseInstance &I);

  /// Returns \p Problem, whose items are variables, with groups as items.
  PlacementProblem mergeItems(const PlacementProblem &Problem) const;
  /// Returns the trees of variables for \p Places, a placement of the groups;
  /// std::nullopt if it cannot be expressed by trees.
  std::optional<std::vector<StorageNode>>
  makeTrees(const Placement &Places, const PlacementProblem &Merged,
            const ReuseProblem &In) const;
  /// Returns the pairs that share bytes in place, that is, the interfering
  /// pairs within groups.
  std::vector<InPlacePair> listPairs(const ReuseProblem &In) const;

private:
  using Group = llvm::SmallVector<unsigned, 4>;

  explicit VariableGroups(unsigned NumVariables);
  /// Joins the groups of the two variables. Returns false if that would make a
  /// group whose variables cannot all share bytes.
  bool join(InPlacePair Pair, const ReuseProblem &In);
  StorageNode expand(const StorageNode &Tree) const;

  std::vector<Group> Groups;
  std::vector<unsigned> GroupOf; ///< The index of its group, by variable.
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_PASSES_STORAGE_VARIABLEGROUPS_H
