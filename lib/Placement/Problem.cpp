// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The check of a placement, written straight from the definition.
//===----------------------------------------------------------------------===//

#include "cudaopt/Placement/Problem.h"

#include <algorithm>

namespace cudaopt {

static std::string name(ItemId Item) { return "item " + std::to_string(Item); }

static std::string findItemError(const PlacementProblem &Problem,
                                 const Placement &P) {
  uint64_t Height = 0;
  for (ItemId I = 0; I < Problem.Items.size(); ++I) {
    const PlacementItem &Item = Problem.Items[I];
    if (P.Offsets[I] % Item.Alignment != 0)
      return name(I) + " at " + std::to_string(P.Offsets[I]) +
             " is not aligned to " + std::to_string(Item.Alignment);
    Height = std::max(Height, P.Offsets[I] + Item.Size);
  }
  if (Height != P.Height)
    return "the items end at " + std::to_string(Height) + ", the height says " +
           std::to_string(P.Height);
  return {};
}

/// Returns true if two uses in one interval share a byte when their items lie
/// at the given offsets.
static bool overlap(const BusyBytes &A, uint64_t OffsetA, const BusyBytes &B,
                    uint64_t OffsetB) {
  return OffsetA + A.Low < OffsetB + B.High &&
         OffsetB + B.Low < OffsetA + A.High && A.Low < A.High && B.Low < B.High;
}

std::string findPlacementError(const PlacementProblem &Problem,
                               const Placement &P) {
  if (P.Offsets.size() != Problem.Items.size())
    return std::to_string(P.Offsets.size()) + " offsets for " +
           std::to_string(Problem.Items.size()) + " items";
  if (std::string Error = findItemError(Problem, P); !Error.empty())
    return Error;
  for (size_t Interval = 0; Interval < Problem.Intervals.size(); ++Interval) {
    const std::vector<BusyBytes> &Busy = Problem.Intervals[Interval];
    for (size_t A = 0; A < Busy.size(); ++A)
      for (size_t B = A + 1; B < Busy.size(); ++B)
        if (overlap(Busy[A], P.Offsets[Busy[A].Item], Busy[B],
                    P.Offsets[Busy[B].Item]))
          return name(Busy[A].Item) + " and " + name(Busy[B].Item) +
                 " share bytes in interval " + std::to_string(Interval);
  }
  return {};
}

} // namespace cudaopt
