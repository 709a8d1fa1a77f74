// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Collects the patterns of an array: which accesses can be counted, and how
/// much of the budget of evaluations each group of them gets.
//===----------------------------------------------------------------------===//

#include "cudaopt/Analysis/BankConflicts.h"
#include "AccessWalk.h"
#include "cudaopt/Model/ValueLeaves.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace cudaopt;
using llvm::SmallVector;

/// The time that one array may cost, in evaluations of one condition or
/// subscript in one lane.
static constexpr uint64_t LaneBudget = 1 << 22;

/// Returns true if the subscripts of \p A can be evaluated: they depend on the
/// block, the thread and the iterators of A's loops only.
static bool isCountable(const KernelInstance &Instance, const Access &A) {
  if (A.isOpaque() || !A.hasWidth() || !Instance.Block.isKnown())
    return false;
  for (LoopId Id : findLeaves(Instance.Values, A.Index).Loops)
    if (!llvm::is_contained(A.Loops, Id))
      return false;
  return llvm::none_of(A.Index, [&](ValueId Id) {
    return Instance.Values.dependsOnParameter(Id);
  });
}

/// Returns the patterns of the accesses that \p IsWanted accepts; these must be
/// to one array. Each group gets a share of the remaining budget in proportion
/// to its accesses.
static AccessPatterns
collect(const KernelInstance &Instance,
        llvm::function_ref<bool(const Access &)> IsWanted) {
  AccessPatterns Result;
  SmallVector<const Access *, 16> Countable;
  for (const Access &A : Instance.Accesses) {
    if (IsWanted(A) && isCountable(Instance, A))
      Countable.push_back(&A);
    else if (IsWanted(A))
      ++Result.NumUncounted;
  }
  if (!Instance.Block.isKnown())
    Result.IsExact = Result.NumUncounted == 0;
  Evaluator Values(Instance.Values);
  PatternSet Patterns;
  std::vector<AccessGroup> Groups = groupAccesses(Instance, Countable);
  uint64_t Budget = LaneBudget, NumLeft = Countable.size();
  for (const AccessGroup &Group : Groups) {
    uint64_t Share =
        std::max<uint64_t>(1, Budget / NumLeft * Group.Members.size());
    NumLeft -= Group.Members.size();
    AccessWalk Walk(Instance, Group, Values, Share);
    Walk.addPatterns(Patterns);
    Budget -= std::min(Budget, Walk.spent());
    Result.IsExact &= Walk.isExact();
    Result.NumUncounted += Walk.numUncounted();
  }
  Result.Patterns = Patterns.take();
  return Result;
}

AccessPatterns cudaopt::collectPatterns(const KernelInstance &Instance,
                                        ArrayId Array) {
  return collect(Instance, [&](const Access &A) { return A.Array == Array; });
}

AccessPatterns cudaopt::collectPatterns(const KernelInstance &Instance,
                                        const Access &One) {
  return collect(Instance, [&](const Access &A) { return &A == &One; });
}
