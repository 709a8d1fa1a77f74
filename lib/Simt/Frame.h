// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The registers of one operation, and loops over their lanes.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_SIMT_FRAME_H
#define CUDAOPT_LIB_SIMT_FRAME_H

#include "Warp.h"

namespace cudaopt::simt {

/// The registers of an operation.
struct Frame {
  LaneValues &D;
  const LaneValues &A, &B, &C;
  const LaneSet &Active;

  /// D = Body(lane). \p Body must be harmless for any operands. The results
  /// are collected first, as D may be an operand: so the loop becomes vectors.
  template <class Function> void lanes(Function Body) const {
    LaneValues Results;
    for (unsigned L = 0; L < WarpSize; ++L)
      Results[L] = Body(L);
    if (Active.Bits == AllLanes) {
      D = Results;
      return;
    }
    for (unsigned L = 0; L < WarpSize; ++L)
      Results[L] = (Results[L] & Active.Words[L]) | (D[L] & ~Active.Words[L]);
    D = Results;
  }

  /// The same for a \p Body that is slow, or not harmless.
  template <class Function> void activeLanes(Function Body) const {
    forEachLane(Active.Bits, [&](unsigned L) { D[L] = Body(L); });
  }
};

} // namespace cudaopt::simt

#endif // CUDAOPT_LIB_SIMT_FRAME_H
