// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which executions of which accesses stand side by side in straight-line code,
/// so that the compiler may make one wide access of them.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_ANALYSIS_MERGEDACCESSES_H
#define CUDAOPT_LIB_ANALYSIS_MERGEDACCESSES_H

#include "cudaopt/Analysis/BankConflicts.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace cudaopt {

/// What an access of this kind asks shared memory for.
constexpr MemoryOp memoryOpOf(AccessKind Kind) {
  return Kind == AccessKind::Read    ? MemoryOp::Load
         : Kind == AccessKind::Write ? MemoryOp::Store
                                     : MemoryOp::Reduce;
}

/// An access, and what the compiler knows of its place.
struct MergeableAccess {
  const Access *A;
  /// The place within a row; absent if neighbours are members of one element.
  std::optional<ValueId> Column = std::nullopt;
  /// Executions that may merge.
  unsigned MaxCount = 1;
  /// Elements from one execution to another one of which the compiler does not
  /// know that they are different; 0 if there is none.
  uint64_t StepElsewhere = 0;
};

/// Accesses of one array in one piece of straight-line code, and how much of
/// the loops around them is part of it.
struct AccessGroup {
  llvm::SmallVector<MergeableAccess, 4> Members; ///< In source order.
  /// Loops from this depth inwards are unrolled.
  unsigned Depth = 0;
  /// Iterations of the outermost of them that are side by side.
  uint64_t Iterations = 1;
  /// True if there are more iterations than these.
  bool IsPartial = false;
};

/// Splits \p Accesses, all of one array and none opaque, into groups that share
/// loops, guards and kind, in the order of their first members.
std::vector<AccessGroup> groupAccesses(const KernelInstance &Instance,
                                       llvm::ArrayRef<const Access *> Accesses);

/// An execution of a member of a group.
struct PatternExecution {
  LanePattern Pattern; ///< Count is 1.
  unsigned MaxCount;
  /// Its column, or the number of the member in its element, in the first
  /// active lane.
  uint32_t Place;
  /// Equal for executions whose places differ by a number that the compiler
  /// knows.
  uint64_t Origin = 0;
};

/// Puts the executions of one piece of straight-line code together: chunks of
/// consecutive places that begin at a multiple of their length, in the order of
/// their first executions.
std::vector<LanePattern>
mergeExecutions(llvm::ArrayRef<PatternExecution> Executions);

} // namespace cudaopt

#endif // CUDAOPT_LIB_ANALYSIS_MERGEDACCESSES_H
