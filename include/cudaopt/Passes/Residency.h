// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// A model of occupancy and time: how many warps share a multiprocessor, and
/// how long these take for their accesses to an array. Many warps keep the pipe
/// of shared memory busy, so that wavefronts are what counts. Few warps wait
/// for latencies instead, so that a layout which saves wavefronts but adds
/// instructions can make the kernel slower.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_PASSES_RESIDENCY_H
#define CUDAOPT_PASSES_RESIDENCY_H

#include "cudaopt/Machine/KernelTime.h"
#include "cudaopt/Machine/Target.h"
#include "cudaopt/Plan/Plan.h"

#include "llvm/ADT/DenseMap.h"
#include <limits>
#include <optional>
#include <string>

namespace cudaopt {

/// The resources that a block takes of a multiprocessor.
struct BlockNeeds {
  /// The static shared memory of a block, by instance. An instance that is not
  /// in the map needs what the source declares.
  llvm::DenseMap<const KernelInstance *, uint64_t> StaticBytes;
  unsigned Registers = 0; ///< The registers of a thread; 0 if not known.

  /// Returns the static shared memory that a block of \p I needs.
  uint64_t bytesOf(const KernelInstance &I) const;
};

/// Returns what blocks of \p K need with the new \p Layouts of its arrays, if
/// each has bytes of its own.
BlockNeeds findNeeds(const Kernel &K, const LayoutMap &Layouts);

/// The time that the warps of a multiprocessor take for their accesses to one
/// array, before its layout changes and after, summed over the instances whose
/// occupancy is known.
class ResidentTime {
public:
  /// Adds an instance with occupancy \p R, in whose blocks the accesses cost
  /// \p Old before, and \p New and \p Instructions additional ones afterwards.
  void add(const Occupancy &R, const BlockCost &Old, const BlockCost &New,
           double Instructions);
  /// Returns true if instructions are added and take at least the time that is
  /// saved.
  bool isLonger() const { return Added > 0 && After >= Before; }
  /// Returns "only 5 warps fit ...", for the author of the kernel.
  std::string text() const;

private:
  double Before = 0, After = 0; ///< In cycles.
  double Added = 0;             ///< The number of added instructions.
  Wavefronts Cost;              ///< Per block, summed over the instances.
  unsigned FewestWarps = std::numeric_limits<unsigned>::max();
};

/// Returns the occupancy of \p I; std::nullopt unless its launch tells the
/// shape of the block and its memory. The size of the grid is ignored: a grid
/// of too few blocks leaves multiprocessors empty, but then the overhead of the
/// launch determines its time anyway.
std::optional<Occupancy> findResidency(const Kernel &K, const KernelInstance &I,
                                       const Target &T,
                                       const BlockNeeds &Needs);

/// Returns why instructions that are added to \p K may take registers that cost
/// a resident block: a thread keeps most of its registers in private arrays,
/// which are unrolled, and nothing tells the compiler how many blocks are
/// wanted. How many registers it takes is known only when it has run.
/// std::nullopt if that is not to be feared.
std::optional<Refusal> findRegisterPressure(const Kernel &K, ArrayId Array);

/// Returns why the warps of a multiprocessor take longer with a layout of
/// \p Array that has the \p Effects; std::nullopt if they do not,
/// or if the occupancy is not known. The model is monotone: a layout that pays
/// for few warps pays for more, too.
std::optional<Refusal> findWaiting(const Kernel &K, ArrayId Array,
                                   llvm::ArrayRef<LayoutEffect> Effects,
                                   const Target &T,
                                   const BlockNeeds &Needs = BlockNeeds());

} // namespace cudaopt

#endif // CUDAOPT_PASSES_RESIDENCY_H
