// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Dynamic programming over the subsets of a stack.
//===----------------------------------------------------------------------===//

#include "Stack.h"

#include "InterferenceGraph.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace cudaopt {

/// The most steps that the tables of a LeastStacks may take.
static constexpr uint64_t MaxSteps = 1 << 18;

std::vector<int64_t> findLeastEnds(const std::vector<StackedBytes> &Bytes,
                                   int64_t Begin) {
  std::vector<int64_t> Ends(size_t(1) << Bytes.size(),
                            std::numeric_limits<int64_t>::max());
  Ends[0] = Begin;
  for (size_t Set = 1; Set < Ends.size(); ++Set)
    for (size_t Left = Set; Left; Left &= Left - 1) {
      const StackedBytes &Top = Bytes[std::countr_zero(Left)];
      const int64_t Below = Ends[Set & ~(Left & -Left)];
      Ends[Set] =
          std::min(Ends[Set], alignUp(Below - Top.Phase, Top.Alignment) +
                                  Top.Phase + Top.Extent);
    }
  return Ends;
}

LeastStacks::LeastStacks(const std::vector<StackedBytes> &Bytes, int64_t Step)
    : Step(Step), Sets(size_t(1) << std::min(Bytes.size(), MaxStacked)) {
  int64_t Coarsest = 1;
  for (const StackedBytes &B : Bytes)
    Coarsest = std::max(Coarsest, B.Alignment);
  if (Coarsest <= Step || Bytes.size() > MaxStacked ||
      Coarsest / Step * Bytes.size() * Sets > MaxSteps)
    return;
  for (int64_t Begin = 0; Begin < Coarsest; Begin += Step)
    for (int64_t End : findLeastEnds(Bytes, Begin))
      Extents.push_back(End - Begin);
}

} // namespace cudaopt
