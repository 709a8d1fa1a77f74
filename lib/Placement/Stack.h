// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// How closely items that all keep apart can be stacked, given their
/// alignments: the best of all orders, by dynamic programming over subsets.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_PLACEMENT_STACK_H
#define CUDAOPT_LIB_PLACEMENT_STACK_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cudaopt {

/// Begins where Phase is, modulo Alignment.
struct StackedBytes {
  int64_t Extent, Alignment, Phase;
};

/// More cost too much: time and memory double with each.
constexpr size_t MaxStacked = 12;

/// By subset of \p Bytes, one bit each: the least end of its topmost member, if
/// none begins below \p Begin.
std::vector<int64_t> findLeastEnds(const std::vector<StackedBytes> &Bytes,
                                   int64_t Begin);

/// The same from any begin on, where all begins and ends are multiples of a
/// step.
class LeastStacks {
public:
  LeastStacks() = default;

  /// Says nothing if no order leaves gaps, or there is too much to do.
  LeastStacks(const std::vector<StackedBytes> &Bytes, int64_t Step);

  bool isEmpty() const { return Extents.empty(); }

  /// The least end of \p Set, not empty, that is stacked on \p Begin.
  int64_t findEnd(int64_t Begin, size_t Set) const {
    const size_t Phase = Begin / Step & (Extents.size() / Sets - 1);
    return Begin + Extents[Phase * Sets + Set];
  }

private:
  int64_t Step = 1;
  size_t Sets = 1;
  std::vector<int64_t> Extents; ///< By begin modulo the coarsest alignment, and
                                ///< subset.
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_PLACEMENT_STACK_H
