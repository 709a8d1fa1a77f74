// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The enumeration of what the warps of a block access, lane by lane: for each
/// block, warp and iteration of the loops around an access, the guards are
/// evaluated to find the active lanes, and then the subscripts in each of them.
///
/// That is complete for kernels of usual size. A budget of evaluations bounds
/// the time: beyond it loops are cut after some iterations and blocks are
/// sampled, the weights of the patterns are scaled, and the result is marked as
/// not exact. Executions of accesses that the compiler may merge are put
/// together at the end of each piece of straight-line code (MergedAccesses.h).
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_ANALYSIS_ACCESSWALK_H
#define CUDAOPT_LIB_ANALYSIS_ACCESSWALK_H

#include "MergedAccesses.h"
#include "PatternSet.h"

namespace cudaopt {

/// The executions that one execution of the walk stands for: of the compiled
/// code, which hoists loads out of loops, and of the source.
struct Executions {
  double Compiled = 1, Source = 1;
};

/// Enumerates the executions of the accesses of one group. All of them have the
/// same loops and guards, so that one walk serves them all.
class AccessWalk {
public:
  AccessWalk(const KernelInstance &Instance, const AccessGroup &Group,
             Evaluator &Values, uint64_t Budget);

  /// Adds the patterns, with weights per block, to \p Result.
  void addPatterns(PatternSet &Result);
  /// Returns the evaluations that the walk has cost.
  uint64_t spent() const { return SpentBefore + Spent; }
  bool isExact() const { return IsExact; }
  unsigned numUncounted() const { return llvm::count(IsCounted, false); }

private:
  using Dim3 = std::array<int64_t, 3>;

  void placeGuards();
  void findBlocks(const std::array<bool, 3> &UsedDimensions);
  void cutLoops();
  void walkBlock(uint64_t Number);
  void walkLoops(unsigned Depth, uint32_t Active, Executions Number);
  uint64_t countTrips(const Loop &L, uint32_t Active);
  uint32_t keepLanes(uint32_t Active, llvm::ArrayRef<ValueId> Conditions);
  void addExecutions(uint32_t Active, const Executions &Number);
  bool addExecution(const MergeableAccess &Member, LanePattern P);
  void setPlace(const MergeableAccess &Member, PatternExecution &E);
  uint64_t findOrigin(const MergeableAccess &Member);
  void mergePending();
  std::optional<uint32_t> findElement(const Access &A);
  void moveTo(unsigned Lane) {
    Values.moveTo({Threads[Lane], Block, Iterators});
  }

  const KernelInstance &Instance;
  const AccessGroup &Group;
  /// The group's first access. All have its loops, guards, kind and width.
  const Access &A;
  const ArrayShape &Shape;
  Evaluator &Values;
  uint64_t Budget, BlockBudget; ///< Evaluations for the walk, and for a block.

  /// The guards by the depth at which they can be evaluated: the number of
  /// enclosing loops on which they depend.
  std::vector<llvm::SmallVector<ValueId, 4>> GuardsAt;
  /// The dimensions of the block index on which the group depends. Blocks that
  /// differ in others execute the same patterns, so that one stands for all.
  llvm::SmallVector<unsigned, 3> BlockDimensions;
  uint64_t NumBlocks = 1;  ///< The grid's size in these dimensions.
  bool IsGridKnown = true; ///< False if it is unknown in one of them.
  /// The number of iterations after which every loop is cut; 0 if none is.
  uint64_t LoopCap = 0;

  // The current point of the walk.
  Dim3 Block = {};
  std::array<Dim3, WarpSize> Threads = {}; ///< The thread of each lane.
  std::vector<int64_t> Iterators;          ///< By LoopId.
  /// The evaluations in the current block and in earlier ones.
  uint64_t Spent = 0, SpentBefore = 0;
  /// Executions since the current straight-line code began, not merged yet.
  std::vector<PatternExecution> Pending;
  PatternSet OfBlock; ///< The current block's patterns.
  bool IsExact = true;
  std::vector<bool> IsCounted; ///< By member: all executions have a pattern.
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_ANALYSIS_ACCESSWALK_H
