// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The warp requests of a kernel: which elements the lanes access together, and
/// what that costs.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_ANALYSIS_BANKCONFLICTS_H
#define CUDAOPT_ANALYSIS_BANKCONFLICTS_H

#include "cudaopt/Machine/Target.h"
#include "cudaopt/Model/Kernel.h"

#include <array>
#include <vector>

namespace cudaopt {

/// What the lanes of a warp access in one execution of one access: lane l
/// accesses element Elements[l] (row-major number) if bit l of ActiveLanes is
/// set.
struct LanePattern {
  MemoryOp Op;
  unsigned Width;  ///< Bytes a lane.
  unsigned Offset; ///< Bytes from the start of the element.
  uint32_t ActiveLanes;
  std::array<uint32_t, WarpSize> Elements;
  double Weight; ///< Executions per block, averaged over the blocks.

  /// Returns the request that these lanes make if element e of \p ElementSize
  /// bytes is stored as element \p Place (e).
  template <class PlaceFunction>
  WarpRequest makeRequest(unsigned ElementSize, PlaceFunction Place) const {
    WarpRequest R{Op, Width, ActiveLanes, {}};
    for (unsigned Lane = 0; Lane < WarpSize; ++Lane)
      if (R.isActive(Lane))
        R.Addresses[Lane] = Place(Elements[Lane]) * ElementSize + Offset;
    return R;
  }
};

/// The patterns of one array in one instance of a kernel; equal ones are
/// merged.
struct AccessPatterns {
  std::vector<LanePattern> Patterns;
  /// Accesses that have no pattern, at least in some executions: opaque, out of
  /// bounds, dependent on a parameter, or in a block of unknown shape.
  unsigned NumUncounted = 0;
  /// False if a trip count or a guard is unknown, or a loop was cut short.
  bool IsExact = true;
};

/// Returns the patterns of array \p Array in \p Instance. Loops of unknown trip
/// count are taken to run 10 times; conditions without a value to hold.
AccessPatterns collectPatterns(const KernelInstance &Instance, ArrayId Array);

/// Prints, for every instance and array of \p K, the requests, their wavefronts
/// as the array is declared, and the bound: what --print=analysis shows.
void printConflicts(const Kernel &K, const Target &T, llvm::raw_ostream &OS);

} // namespace cudaopt

#endif // CUDAOPT_ANALYSIS_BANKCONFLICTS_H
