// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The warps that share a multiprocessor, and how long they take for their
/// accesses to an array: few of them wait for latencies, many for the pipe of
/// shared memory.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_TRANSFORMS_RESIDENCY_H
#define CUDAOPT_LIB_TRANSFORMS_RESIDENCY_H

#include "LayoutCost.h"
#include "cudaopt/Machine/Target.h"

#include <limits>
#include <optional>
#include <string>

namespace cudaopt {

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
                                       const Target &T);

} // namespace cudaopt

#endif // CUDAOPT_LIB_TRANSFORMS_RESIDENCY_H
