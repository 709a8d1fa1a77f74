// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Chooses the blocks to run, and the widths of accesses.
//===----------------------------------------------------------------------===//

#include "BlockRuns.h"

#include <algorithm>

using namespace llvm;
using namespace cudaopt::check;

SmallVector<Dim3, 2> cudaopt::check::chooseBlocks(const Dim3 &Grid) {
  SmallVector<Dim3, 2> Blocks = {{0, 0, 0}};
  if (Grid[0] && (Grid[0] > 1 || Grid[1] > 1 || Grid[2] > 1))
    Blocks.push_back({Grid[0] / 2, Grid[1] / 2, Grid[2] / 2});
  return Blocks;
}

uint64_t cudaopt::check::countBytes(const RunPlace &Place,
                                    const KernelClaims &Claims,
                                    unsigned Variable) {
  if (Place.Width)
    return Place.Width;
  uint64_t Most = 0;
  for (const AccessClaim &C : Claims.Accesses) {
    if (C.Variable != Variable || !fits(Place.Kind, 0, Place.Points, C))
      continue;
    const uint64_t Bytes = C.Copied ? *C.Copied : C.Width;
    if (!Bytes)
      return 0;
    Most = std::max(Most, Bytes);
  }
  return Most;
}
