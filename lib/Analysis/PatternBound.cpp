// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The least that a pattern can cost, whatever the layout.
//===----------------------------------------------------------------------===//

#include "cudaopt/Analysis/BankConflicts.h"

namespace cudaopt {

// The widest requests have the least bound: twice the width makes at most twice
// the phases, with one wavefront each, of half as many requests. A bound asks
// only which lanes meet, which the elements tell as they are numbered; whether
// their bytes are aligned does not matter.
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
