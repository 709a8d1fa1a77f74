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

/// By subset: the least distance from the begin of its lowest member to the end
/// of its topmost, wherever the stack begins; all begins and ends are multiples
/// of \p Step. Empty if that is only the sum of the extents, or too much work.
std::vector<int64_t> findLeastExtents(const std::vector<StackedBytes> &Bytes,
                                      int64_t Step);

} // namespace cudaopt

#endif // CUDAOPT_LIB_PLACEMENT_STACK_H
