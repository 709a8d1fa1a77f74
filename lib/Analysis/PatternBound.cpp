// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The lower bound of a pattern's wavefronts, whatever the layout. A layout
/// permutes elements but cannot make different elements equal; so the bound
/// depends on how many different elements the lanes of each phase access.
//===----------------------------------------------------------------------===//

#include "cudaopt/Analysis/BankConflicts.h"

namespace cudaopt {

// The bound is computed for the widest requests that a merge could make (16
// bytes), since these have the lowest bound: twice the width makes at most
// twice the phases, with one wavefront each, of half as many requests. The
// elements may be addressed in row-major order: boundWavefronts asks only which
// lanes access the same elements, which no layout changes. Whether the bytes
// are aligned does not matter either.
unsigned boundPattern(const BankMap &Map, const LanePattern &P,
                      unsigned ElementSize) {
  unsigned Merged = P.Count;
  while (Merged > 1 && Merged * P.Width > 16)
    Merged /= 2;
  auto Address = [ElementSize](uint32_t Element, unsigned Offset) {
    return Element * ElementSize + Offset;
  };
  unsigned Bound = 0;
  for (unsigned First = 0; First < P.Count; First += Merged)
    Bound += boundWavefronts(Map, P.makeRequest(Address, First, Merged));
  return Bound;
}

} // namespace cudaopt
