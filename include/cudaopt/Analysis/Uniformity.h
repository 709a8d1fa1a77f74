// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which values are the same for all threads of a block, and at which branches
/// its threads take different ways.
///
///   int t = threadIdx.x, k = 0;          t divergent, k uniform
///   if (t < n)                           divergent way
///     k = 1;
///   if (k)                               k = phi [0, 1]: divergent, too
///     __syncthreads();
///
/// A value is tainted by what differs between threads: their coordinates, what
/// they load, atomics, shuffles, opaque code. Control taints as well: a phi by
/// each branch from which threads may come to its block on different ways, and
/// what a loop computes, seen from behind it, by each branch at which some
/// threads leave the loop earlier than others. (Inside, all threads that are in
/// one iteration have it in common.) A branch of which one side returns taints
/// nothing behind it: the threads that go on have gone one way.
///
/// "The same" is said of the threads that get there. The shape of the block is
/// bound here: with one thread in y, threadIdx.y is 0.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_ANALYSIS_UNIFORMITY_H
#define CUDAOPT_ANALYSIS_UNIFORMITY_H

#include "cudaopt/IR/Function.h"

#include "llvm/ADT/DenseMap.h"
#include <array>

namespace cudaopt {

/// Whether all threads of a block have the same value, or take the same way.
enum class Uniformity : uint8_t {
  Uniform,
  Unknown,   ///< It depends on memory, or on what is not understood.
  Divergent, ///< It depends on the thread's own number.
};

class BlockUniformity {
public:
  /// \p Threads in x, y, z; 0 where that is not known.
  BlockUniformity(const ir::Function &F,
                  const std::array<uint32_t, 3> &Threads);

  /// Of \p V, as \p Use sees it.
  Uniformity of(ir::ValueId V, const ir::Block &Use) const;
  /// Of the way that threads take at the end of \p B.
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
  llvm::DenseMap<ir::ValueId, Uniformity> Definitions; ///< Phis and results.
  std::vector<Uniformity> Branches, Joins;             ///< By block.
  std::vector<Uniformity> LoopExits;                   ///< By loop.
  std::vector<bool> IsWritten;                         ///< By object.
  /// By block: the loops around it.
  std::vector<llvm::SmallVector<unsigned, 4>> LoopsOf;
  bool HasChanged = false;
};

} // namespace cudaopt

#endif // CUDAOPT_ANALYSIS_UNIFORMITY_H
