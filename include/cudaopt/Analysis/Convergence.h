// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Where the threads of a block part: at which branches some of them may miss a
/// barrier that the others come to, and where some may leave the kernel while
/// the others go on.
///
///   if (t >= n)          some leave here: they come to no barrier any more
///     return;
///   if (flag[0])         not known to be the same for all: some may miss the
///     __syncthreads();   barrier, and go on
///   out[t] = 1;
///
/// Threads leave where they take a way without any further barrier. Those that
/// the hardware still has to wait for are none of them, but what they access on
/// their way, they access whenever they like (Analysis/LiveRanges.h).
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_ANALYSIS_CONVERGENCE_H
#define CUDAOPT_ANALYSIS_CONVERGENCE_H

#include "cudaopt/Analysis/Uniformity.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace cudaopt {

/// A branch at which threads may part, with more barriers ahead.
struct Parting {
  const ir::Block *At = nullptr;
  Uniformity Level = Uniformity::Unknown;
  /// Some may go on without a barrier that others come to.
  bool MissesBarrier = false;
  /// Some may go to the exit without any barrier.
  bool Leaves = false;
  /// The blocks where not all threads are that have not left. If there is one
  /// way for those that do not leave: all to which it leads.
  llvm::BitVector Alone;
  /// The blocks that those come to that leave, maybe before the others.
  llvm::BitVector Early;
};

class Convergence {
public:
  /// \p HasBarrier says in which blocks all threads meet, at their end.
  Convergence(const ir::Function &F, const BlockUniformity &U,
              llvm::function_ref<bool(const ir::Block &)> HasBarrier);

  /// In the order of blocks.
  llvm::ArrayRef<Parting> partings() const { return Partings; }
  /// True if a thread that goes from \p B to the exit may leave others behind
  /// that come to a barrier.
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
  llvm::BitVector Barriers; ///< Blocks that end with one.
  llvm::BitVector Ahead;    ///< Those from which a barrier is reached.
  /// All ways; and those on which no thread leaves others.
  Edges All, Meeting;
  std::vector<ir::BlockId> JoinsOfAll, JoinsOfMeeting; ///< Post-dominators.
  std::vector<Parting> Partings;
  llvm::BitVector Leaving;
};

} // namespace cudaopt

#endif // CUDAOPT_ANALYSIS_CONVERGENCE_H
