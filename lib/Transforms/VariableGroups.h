// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Variables that share their bytes in place, placed as if each group of them
/// were one.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_TRANSFORMS_VARIABLEGROUPS_H
#define CUDAOPT_LIB_TRANSFORMS_VARIABLEGROUPS_H

#include "StorageTree.h"

#include "llvm/ADT/SmallVector.h"

namespace cudaopt {

class ReuseProblem;
struct ReuseInstance;

/// A partition of the variables of a problem.
class VariableGroups {
public:
  /// Every choice of pairs that may share bytes in place, if these are few;
  /// else those with the largest pairs.
  static std::vector<VariableGroups> listAll(const ReuseProblem &In,
                                             const ReuseInstance &I);

  /// Items are groups.
  PlacementProblem mergeItems(const PlacementProblem &Problem) const;
  /// The trees of \p Places, a placement of the groups, for variables; nothing
  /// if there are none.
  std::optional<std::vector<StorageNode>>
  makeTrees(const Placement &Places, const PlacementProblem &Merged,
            const ReuseProblem &In) const;
  /// The pairs that do share bytes in place.
  std::vector<InPlacePair> listPairs(const ReuseProblem &In) const;

private:
  using Group = llvm::SmallVector<unsigned, 4>;

  explicit VariableGroups(unsigned NumVariables);
  /// Returns false, and is no longer of use, if a group then has variables that
  /// cannot share bytes.
  bool join(InPlacePair Pair, const ReuseProblem &In);
  StorageNode expand(const StorageNode &Tree) const;

  std::vector<Group> Groups;
  std::vector<unsigned> GroupOf; ///< By variable.
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_TRANSFORMS_VARIABLEGROUPS_H
