// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Divergence analysis: which values are the same for all threads of a block,
/// and at which branches its threads may take different paths.
///
///   int t = threadIdx.x, k = 0;          t divergent, k uniform
///   if (t < n)                           divergent branch
///     k = 1;
///   if (k)                               k = phi [0, 1]: divergent, too
///     __syncthreads();
///
/// Divergence starts at what differs between threads: their coordinates, loads,
/// atomics, shuffles, opaque code. It spreads along two kinds of dependence.
/// Data dependence: an operation on a divergent value is divergent. Control
/// dependence: a phi is divergent if threads may reach its block on different
/// paths from a divergent branch; and a value that a loop computes is divergent
/// behind the loop if a divergent branch lets threads leave the loop in
/// different iterations (temporal divergence). Inside the loop, the threads
/// that are in one iteration have the value in common. A branch of which one
/// side returns makes nothing divergent behind it: the threads that go on have
/// all taken the same side.
///
/// "Uniform" is a statement about the threads that reach the place in question.
/// The shape of the block is taken into account: with one thread in y,
/// threadIdx.y is uniform.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_IR_UNIFORMITY_H
#define CUDAOPT_IR_UNIFORMITY_H

#include "cudaopt/IR/Function.h"

#include "llvm/ADT/DenseMap.h"
#include <array>

namespace cudaopt {

/// Whether all threads of a block have the same value, or take the same branch:
/// a lattice whose elements are in ascending order, so that std::max joins.
enum class Uniformity : uint8_t {
  Uniform,   ///< Surely the same for all threads.
  Unknown,   ///< It depends on memory, or on what is not understood.
  Divergent, ///< It depends on the thread's own coordinates.
};

/// The result of the analysis for one function of the IR.
class BlockUniformity {
public:
  /// \p Threads is the shape of the block in x, y, z; 0 where it is not known.
  /// \p F must outlive the object.
  BlockUniformity(const ir::Function &F,
                  const std::array<uint32_t, 3> &Threads);

  /// Returns the uniformity of \p V as seen from block \p Use: behind a loop
  /// that threads leave in different iterations, it differs from that inside.
  Uniformity of(ir::ValueId V, const ir::Block &Use) const;
  /// Returns the uniformity of the branch at the end of \p B.
  Uniformity ofBranch(const ir::Block &B) const { return Branches[B.Id]; }

private:
  Uniformity ofLeaf(ir::ValueId V, const ir::Block &Use) const;
  Uniformity ofLoad(const ir::Operation &O, const ir::Block &B) const;
  Uniformity ofResult(const ir::Operation &O, const ir::Block &B) const;
  void findWritten();
  bool update(const ir::Block &B);
  bool raise(Uniformity &Known, Uniformity To);
  void spread(const ir::Block &From, Uniformity Level);
  void spreadToLoops(const ir::Block &From,
                     llvm::ArrayRef<std::optional<ir::BlockId>> Labels,
                     Uniformity Level);

  const ir::Function &F;
  const std::array<uint32_t, 3> Threads;
  /// The level of each phi and each result of an operation.
  llvm::DenseMap<ir::ValueId, Uniformity> Definitions;
  /// By block: the level of the branch at its end, and the level that control
  /// dependence gives its phis, since paths of a divergent branch join there.
  std::vector<Uniformity> Branches, Joins;
  /// By loop: the level that its values get behind it, since threads leave it
  /// in different iterations.
  std::vector<Uniformity> LoopExits;
  std::vector<bool> IsWritten; ///< By object: something may write to it.
  /// By block: the loops around it, as indices into F.loops().
  std::vector<llvm::SmallVector<unsigned, 4>> LoopsOf;
  bool HasChanged = false; ///< True if the current update raised a level.
};

} // namespace cudaopt

#endif // CUDAOPT_IR_UNIFORMITY_H
