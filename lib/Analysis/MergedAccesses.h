// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Predicts where the compiler vectorizes accesses to shared memory. That
/// decides the number of wavefronts as much as the layout does: four loads of
/// one float each and one load of four floats have different bank conflicts.
///
/// The prediction has two steps. groupAccesses finds, once for an array, which
/// accesses in which iterations of unrolled loops stand side by side in
/// straight-line code. mergeExecutions then puts concrete executions of one
/// such piece of code together:
///
/// \verbatim
///   for (int k = 0; k < 8; ++k)       one group, its loop unrolled wholly;
///     sum += s[8 * t + k];            8 executions -> 2 patterns of 4
/// \endverbatim
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_ANALYSIS_MERGEDACCESSES_H
#define CUDAOPT_LIB_ANALYSIS_MERGEDACCESSES_H

#include "cudaopt/Analysis/BankConflicts.h"
#include "cudaopt/Analysis/ColumnSum.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace cudaopt {

class LowBitsFinder;

/// Returns the operation of shared memory that an access of this kind needs.
constexpr MemoryOp memoryOpOf(AccessKind Kind) {
  return Kind == AccessKind::Read    ? MemoryOp::Load
         : Kind == AccessKind::Write ? MemoryOp::Store
                                     : MemoryOp::Reduce;
}

/// An access, and what the compiler knows about its address.
struct MergeableAccess {
  const Access *A;
  /// The value of the subscript within a row, by which executions are
  /// neighbours; std::nullopt if they are neighbours as members of one element
  /// (s[i].x, s[i].y).
  std::optional<ValueId> Column = std::nullopt;
  /// The greatest number of executions that may merge into one access.
  unsigned MaxCount = 1;
  /// True if executions of equal addresses are one request, whose result the
  /// compiler keeps in a register.
  bool IsLoadedOnce = false;
  /// What Column is the sum of; its chunk is at most MaxCount.
  ColumnSum Sum = {};
  /// The distance, in elements, to what another execution of the same code may
  /// access, as far as the compiler knows; 0 if all executions access the same
  /// element. A merged access must be aligned in all of them.
  uint64_t StepElsewhere = 0;
};

/// Accesses of one array in one piece of straight-line code, and how much of
/// the loops around them is part of it.
struct AccessGroup {
  llvm::SmallVector<MergeableAccess, 4> Members; ///< In source order.
  /// The loops from this depth inwards are unrolled.
  unsigned Depth = 0;
  /// The number of iterations of the outermost unrolled loop that stand side by
  /// side.
  uint64_t Iterations = 1;
  /// True if that loop is unrolled partly: it has more iterations.
  bool IsPartial = false;
  /// The loops from this depth to Depth do not change what is loaded, so that
  /// the compiler loads it in front of them.
  unsigned HoistedDepth = 0;
};

/// Splits \p Accesses, all of one array and none opaque, into groups that share
/// loops, guards and kind, in the order of their first members.
std::vector<AccessGroup> groupAccesses(const KernelInstance &Instance,
                                       llvm::ArrayRef<const Access *> Accesses);

/// Returns the column of \p A, of which at most \p MaxCount may be merged, as a
/// sum. \p Bits knows which loops are unrolled, \p ZeroBits is what
/// listZeroBits() says of the values.
ColumnSum splitColumn(const Access &A, LowBitsFinder &Bits,
                      llvm::ArrayRef<uint8_t> ZeroBits, unsigned MaxCount);

/// One execution of a member of a group by a warp.
struct PatternExecution {
  LanePattern Pattern; ///< Its Count is 1.
  unsigned MaxCount;   ///< As MergeableAccess::MaxCount.
  bool IsLoadedOnce;   ///< As MergeableAccess::IsLoadedOnce.
  /// The column that the first active lane accesses, or the number of the
  /// member within its element.
  uint32_t Place;
  /// A hash that is equal for executions whose addresses differ by a constant
  /// that the compiler knows.
  uint64_t Origin = 0;
};

/// Merges the executions of one piece of straight-line code into patterns:
/// chunks of consecutive places, each of a power of two that divides its first
/// place. Loads of what was loaded before get a Weight of 0. The patterns are
/// in the order of their first executions.
std::vector<LanePattern>
mergeExecutions(llvm::ArrayRef<PatternExecution> Executions);

} // namespace cudaopt

#endif // CUDAOPT_LIB_ANALYSIS_MERGEDACCESSES_H
