// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Small placement problems at random, and their least heights by brute force.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_TEST_UNIT_PLACEMENT_DRAWNPROBLEM_H
#define CUDAOPT_TEST_UNIT_PLACEMENT_DRAWNPROBLEM_H

#include "cudaopt/Placement/Problem.h"

#include <algorithm>
#include <limits>
#include <random>

namespace cudaopt {

/// Any graph: each pair that interferes has an interval of its own.
inline PlacementProblem drawGraph(std::mt19937 &Random, unsigned Count,
                                  bool WithAlignment) {
  PlacementProblem Problem;
  for (unsigned I = 0; I < Count; ++I)
    Problem.Items.push_back(
        {1 + Random() % 12, WithAlignment ? uint64_t(1) << Random() % 4 : 1});
  const unsigned Density = 20 + Random() % 70;
  for (ItemId A = 0; A < Count; ++A)
    for (ItemId B = A + 1; B < Count; ++B)
      if (Random() % 100 < Density)
        Problem.Intervals.push_back(
            {{A, 0, Problem.Items[A].Size}, {B, 0, Problem.Items[B].Size}});
  return Problem;
}

/// Intervals of several items, each used there in part. All parts of an item
/// share a byte if \p WithCommonByte.
inline PlacementProblem drawWindows(std::mt19937 &Random, unsigned Count,
                                    bool WithCommonByte) {
  PlacementProblem Problem;
  for (unsigned I = 0; I < Count; ++I)
    Problem.Items.push_back({2 + Random() % 7, uint64_t(1) << Random() % 2});
  std::vector<uint64_t> Common;
  for (const PlacementItem &Item : Problem.Items)
    Common.push_back(Random() % Item.Size);
  for (unsigned Interval = 0; Interval < 1 + Count; ++Interval) {
    std::vector<BusyBytes> &Busy = Problem.Intervals.emplace_back();
    for (ItemId I = 0; I < Count; ++I) {
      const uint64_t Size = Problem.Items[I].Size;
      uint64_t Low = Random() % Size, High = Low + 1 + Random() % (Size - Low);
      if (WithCommonByte) {
        Low = Random() % (Common[I] + 1);
        High = Common[I] + 1 + Random() % (Size - Common[I]);
      }
      if (Random() % 2)
        Busy.push_back({I, Low, High});
    }
  }
  return Problem;
}

/// Every offset of every item is tried, up to a height that is known to do.
class BruteForce {
public:
  explicit BruteForce(const PlacementProblem &Problem, uint64_t Height)
      : Problem(Problem), Best(Height), Offsets(Problem.Items.size()) {}

  uint64_t leastHeight() {
    place(0, 0);
    return Best;
  }

private:
  bool conflicts(ItemId Item) const {
    for (const std::vector<BusyBytes> &Interval : Problem.Intervals) {
      const auto Mine = std::ranges::find(Interval, Item, &BusyBytes::Item);
      if (Mine == Interval.end())
        continue;
      for (const BusyBytes &B : Interval)
        if (B.Item < Item &&
            Offsets[B.Item] + B.Low < Offsets[Item] + Mine->High &&
            Offsets[Item] + Mine->Low < Offsets[B.Item] + B.High)
          return true;
    }
    return false;
  }

  void place(ItemId Item, uint64_t Height) {
    if (Height >= Best)
      return;
    if (Item == Problem.Items.size()) {
      Best = Height;
      return;
    }
    const auto [Size, Alignment] = Problem.Items[Item];
    for (uint64_t Offset = 0; Offset + Size < Best; Offset += Alignment) {
      Offsets[Item] = Offset;
      if (!conflicts(Item))
        place(Item + 1, std::max(Height, Offset + Size));
    }
  }

  const PlacementProblem &Problem;
  uint64_t Best;
  std::vector<uint64_t> Offsets;
};

} // namespace cudaopt

#endif // CUDAOPT_TEST_UNIT_PLACEMENT_DRAWNPROBLEM_H
