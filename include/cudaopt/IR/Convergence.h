// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Where the threads of a block diverge in a way that matters to barriers: at
/// which branches some of them may miss a barrier that the others arrive at,
/// and where some may leave the kernel while the others go on.
///
///   if (t >= n)          some leave here: they arrive at no further barrier
///     return;
///   if (flag[0])         not known to be the same for all: some may miss the
///     __syncthreads();   barrier, and go on
///   out[t] = 1;
///
/// A thread leaves where it takes a path without any further barrier. From
/// there on no barrier waits for it, so that nothing orders its remaining
/// accesses against those of the other threads (Analysis/LiveRanges.h).
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_IR_CONVERGENCE_H
#define CUDAOPT_IR_CONVERGENCE_H

#include "cudaopt/IR/Uniformity.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace cudaopt {

/// A branch that is not known to be uniform, from which some barrier is still
/// reachable.
struct Parting {
  const ir::Block *At = nullptr; ///< The block that ends with the branch.
  Uniformity Level = Uniformity::Unknown;
  /// True if some threads may bypass a barrier that others arrive at.
  bool MissesBarrier = false;
  /// True if some threads may go to the exit without any further barrier.
  bool Leaves = false;
  /// The blocks on the paths of the threads that stay, up to the point where
  /// these paths join: not all of the threads that stay need to be there. If
  /// only one path stays, all blocks that are reachable on it.
  llvm::BitVector Alone;
  /// The blocks that the leaving threads may execute, perhaps before the others
  /// get there.
  llvm::BitVector Early;
};

/// Finds the partings of one function of the IR, and the blocks through which
/// threads may leave ahead of others.
class Convergence {
public:
  /// \p HasBarrier returns true for the blocks that end with a barrier of the
  /// whole block of threads. \p F and \p U must outlive the object.
  Convergence(const ir::Function &F, const BlockUniformity &U,
              llvm::function_ref<bool(const ir::Block &)> HasBarrier);

  /// The partings, in the order of F's blocks.
  llvm::ArrayRef<Parting> partings() const { return Partings; }
  /// Returns true if a thread that ends the kernel from \p B, without another
  /// barrier, may do so while other threads still go to one.
  bool leavesOthers(const ir::Block &B) const { return Leaving.test(B.Id); }

private:
  using Edges = std::vector<llvm::SmallVector<ir::BlockId, 2>>;

  void findAhead();
  bool mayLose(const ir::Block &B) const;
  Edges findWays(bool WithoutLeaving) const;
  void addParting(const ir::Block &At, Uniformity Level);
  void findLeaving(const ir::Block &At);
  llvm::BitVector reach(const Edges &Next, ir::BlockId From,
                        std::optional<ir::BlockId> End,
                        bool StopsAtBarriers) const;
  bool isAhead(ir::BlockId B) const { return Ahead.test(B); }

  const ir::Function &F;
  const BlockUniformity &U;
  llvm::BitVector Barriers; ///< The blocks that end with a barrier.
  /// The blocks that end with a barrier or from which one is reachable.
  llvm::BitVector Ahead;
  /// The successors of each block: all of them, and those that are left
  /// without the edges on which threads leave others.
  Edges All, Meeting;
  /// By block: the immediate post-dominator in All and in Meeting.
  std::vector<ir::BlockId> JoinsOfAll, JoinsOfMeeting;
  std::vector<Parting> Partings;
  llvm::BitVector Leaving; ///< The blocks of leavesOthers().
};

} // namespace cudaopt

#endif // CUDAOPT_IR_CONVERGENCE_H
