// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// First fit for items of which only a part may be in use: an interval forbids
/// a range of offsets for each pair of parts in use.
//===----------------------------------------------------------------------===//

#include "FirstFit.h"

#include "InterferenceGraph.h"

#include <algorithm>

namespace cudaopt {

namespace {

/// Offsets strictly between After and Before are taken.
struct Forbidden {
  int64_t After, Before;
};

} // namespace

FirstFit::FirstFit(const PlacementProblem &Problem)
    : Problem(Problem), Uses(Problem.Items.size()) {
  for (size_t Interval = 0; Interval < Problem.Intervals.size(); ++Interval)
    for (const BusyBytes &B : Problem.Intervals[Interval])
      if (B.Low < B.High)
        Uses[B.Item].push_back({Interval, B});
}

uint64_t FirstFit::findOffset(ItemId Item, const std::vector<uint64_t> &Offsets,
                              const std::vector<bool> &IsPlaced) const {
  std::vector<Forbidden> Taken;
  for (const Use &U : Uses[Item])
    for (const BusyBytes &Other : Problem.Intervals[U.Interval])
      if (IsPlaced[Other.Item] && Other.Item != Item && Other.Low < Other.High)
        Taken.push_back(
            {int64_t(Offsets[Other.Item] + Other.Low) - int64_t(U.Busy.High),
             int64_t(Offsets[Other.Item] + Other.High) - int64_t(U.Busy.Low)});
  std::ranges::sort(Taken, {}, &Forbidden::After);
  int64_t Offset = 0;
  for (const Forbidden &F : Taken)
    if (F.After < Offset && Offset < F.Before)
      Offset = alignUp(F.Before, Problem.Items[Item].Alignment);
  return Offset;
}

Placement FirstFit::place(const std::vector<ItemId> &Order) const {
  Placement P;
  P.Offsets.resize(Problem.Items.size());
  std::vector<bool> IsPlaced(Problem.Items.size());
  for (ItemId I : Order) {
    P.Offsets[I] = findOffset(I, P.Offsets, IsPlaced);
    IsPlaced[I] = true;
    P.Height = std::max(P.Height, P.Offsets[I] + Problem.Items[I].Size);
  }
  return P;
}

} // namespace cudaopt
