// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The registers of one operation, and loops over their lanes.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_SIMT_FRAME_H
#define CUDAOPT_LIB_SIMT_FRAME_H

#include "Warp.h"

namespace cudaopt::simt {

/// The registers of an operation, with the lanes that take part.
struct Frame {
  LaneValues &D;
  const LaneValues &A, &B, &C;
  const LaneSet &Active;

  /// Sets D to Body(lane) in the active lanes. \p Body is called for all lanes,
  /// so that the loop can be vectorized, and must be harmless for any operands.
  /// The results are collected first, since D may also be an operand.
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

  /// The same, but calls \p Body for active lanes only: for a \p Body that is
  /// slow or not harmless.
  template <class Function> void activeLanes(Function Body) const {
    forEachLane(Active.Bits, [&](unsigned L) { D[L] = Body(L); });
  }
};

} // namespace cudaopt::simt

#endif // CUDAOPT_LIB_SIMT_FRAME_H
