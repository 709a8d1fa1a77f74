// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// How closely items that all keep apart can be stacked, given their
/// alignments: the best of all orders, by dynamic programming over subsets (as
/// Held and Karp did for the travelling salesman). For example, 4 bytes aligned
/// to 4 and 8 bytes aligned to 8 take 12 bytes from offset 0 if the 8 bytes
/// come first, and 16 in the other order.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_PLACEMENT_STACK_H
#define CUDAOPT_LIB_PLACEMENT_STACK_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cudaopt {

/// A member of a stack: Extent bytes that begin at an offset that equals Phase
/// modulo Alignment.
struct StackedBytes {
  int64_t Extent, Alignment, Phase;
};

/// The largest stack that is computed; time and memory double with each member.
constexpr size_t MaxStacked = 12;

/// Returns, for each subset of \p Bytes (bit I stands for Bytes[I]), the least
/// end of the topmost member over all orders in which the subset can be
/// stacked, if no member begins below \p Begin. The entry of the empty set is
/// \p Begin.
std::vector<int64_t> findLeastEnds(const std::vector<StackedBytes> &Bytes,
                                   int64_t Begin);

/// The tables of findLeastEnds() for every begin, where all begins and ends are
/// multiples of a step. Stacking depends on the begin only modulo the coarsest
/// alignment, so that a table for each such phase suffices.
class LeastStacks {
public:
  LeastStacks() = default;

  /// Leaves the object empty if alignments leave no gaps in any order, or if
  /// the tables would be too large.
  LeastStacks(const std::vector<StackedBytes> &Bytes, int64_t Step);

  bool isEmpty() const { return Extents.empty(); }

  /// Returns the least end of the subset \p Set, which is not empty, if it is
  /// stacked from \p Begin on. The object must not be empty.
  int64_t findEnd(int64_t Begin, size_t Set) const {
    const size_t Phase = Begin / Step & (Extents.size() / Sets - 1);
    return Begin + Extents[Phase * Sets + Set];
  }

private:
  int64_t Step = 1;
  size_t Sets = 1;
  /// Indexed by begin modulo the coarsest alignment, then by subset: end -
  /// begin.
  std::vector<int64_t> Extents;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_PLACEMENT_STACK_H
