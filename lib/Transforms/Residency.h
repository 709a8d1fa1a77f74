// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The warps that share a multiprocessor, and how long they take for their
/// accesses to an array: few of them wait for latencies, many for the pipe of
/// shared memory.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_TRANSFORMS_RESIDENCY_H
#define CUDAOPT_LIB_TRANSFORMS_RESIDENCY_H

#include "cudaopt/Machine/Target.h"
#include "cudaopt/Transforms/Plan.h"

#include "llvm/ADT/DenseMap.h"
#include <limits>
#include <optional>
#include <string>

namespace cudaopt {

/// What a block takes of a multiprocessor.
struct BlockNeeds {
  /// By instance; what the source has where nothing is said.
  llvm::DenseMap<const KernelInstance *, uint64_t> StaticBytes;
  unsigned Registers = 0; ///< Of a thread; 0 if not known.

  uint64_t bytesOf(const KernelInstance &I) const;
};

struct Residency {
  unsigned WarpsOfBlock;
  unsigned Blocks; ///< On a multiprocessor, if registers allow as many.

  unsigned warps() const { return WarpsOfBlock * Blocks; }
};

/// How long the warps of a multiprocessor take, before a layout changes and
/// after, summed over the instances of which their number is known.
class ResidentTime {
public:
  /// The layout adds \p Instructions to each block.
  void add(const Residency &R, const BlockCost &Old, const BlockCost &New,
           double Instructions);
  /// True if instructions are added and take more time than is saved.
  bool isLonger() const { return Added > 0 && After >= Before; }
  /// "only 5 warps fit ...", for the author of the kernel.
  std::string text() const;

private:
  double Before = 0, After = 0; ///< Cycles.
  double Added = 0;             ///< Instructions.
  Wavefronts Cost;              ///< Of a block of each instance.
  unsigned FewestWarps = std::numeric_limits<unsigned>::max();
};

/// Returns nothing unless the launch of \p I tells the block and its memory. A
/// grid of fewer blocks is not asked for: it leaves multiprocessors empty, and
/// its time is the launch's.
std::optional<Residency> findResidency(const Kernel &K, const KernelInstance &I,
                                       const Target &T,
                                       const BlockNeeds &Needs);

/// Returns why the warps of a multiprocessor take longer with a layout of
/// \p Array that adds \p Added; nothing if they do not, or nobody knows how
/// many they are. What pays for few warps pays for more.
Blocker findWaiting(const Kernel &K, ArrayId Array,
                    llvm::ArrayRef<AddedInstructions> Added, const Target &T,
                    const BlockNeeds &Needs = BlockNeeds());

} // namespace cudaopt

#endif // CUDAOPT_LIB_TRANSFORMS_RESIDENCY_H
