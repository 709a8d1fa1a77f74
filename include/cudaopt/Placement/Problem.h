// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The placement problem: give each item (an array) an offset in one stretch of
/// bytes (shared memory) such that items that are in use at the same time do
/// not overlap, and the stretch is as short as possible. This is dynamic
/// storage allocation on a general interference graph, NP-hard even without
/// alignments.
///
/// \verbatim
///   offset
///     96 ┌─────────┐
///        │    C    │         A, B, C   items
///     64 ├────┬────┴────┐    0, 1, 2   intervals; each item is in use in some
///        │    │    B    │              of them, and in each only between
///     32 │ A  └─────────┘              Low and High of its bytes
///        │    │
///      0 └────┘
///        0    1    2    3
/// \endverbatim
///
/// Two items may share bytes unless some interval has both in use there.
/// Intervals are barrier intervals of a kernel, or the points in time of a
/// straight-line program. They are a set without an order, so that loops and
/// branches need no special treatment.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_PLACEMENT_PROBLEM_H
#define CUDAOPT_PLACEMENT_PROBLEM_H

#include <cstdint>
#include <string>
#include <vector>

namespace cudaopt {

/// An index into PlacementProblem::Items.
using ItemId = unsigned;

/// Something that needs consecutive bytes.
struct PlacementItem {
  uint64_t Size = 0; ///< Bytes.
  /// The offset must be a multiple of it; a power of two.
  uint64_t Alignment = 1;
  bool operator==(const PlacementItem &) const = default;
};

/// Bytes [Low, High) of an item that are in use. An empty range means that the
/// item is not in use.
struct BusyBytes {
  ItemId Item;
  uint64_t Low, High; ///< Counted from the start of the item.
  bool operator==(const BusyBytes &) const = default;
};

struct PlacementProblem {
  std::vector<PlacementItem> Items;
  /// Indexed by interval: what is in use at the same time. An item appears at
  /// most once in an interval.
  std::vector<std::vector<BusyBytes>> Intervals;
  /// Indexed by interval: how long it lasts, in any unit; empty if all last
  /// equally long. A hint only: the search tries to place first what is in use
  /// for long. Every result is correct whatever the durations are.
  std::vector<uint64_t> Durations = {};
};

/// A solution: an offset for each item.
struct Placement {
  std::vector<uint64_t> Offsets; ///< Indexed by ItemId, in bytes.
  uint64_t Height = 0;           ///< The end of the last item, in bytes.
  bool operator==(const Placement &) const = default;
};

/// Checks \p P against the definition, in quadratic time. Returns a description
/// of the first error, or an empty string if \p P is correct. Shares no code
/// with the solvers, so that it can check them.
std::string findPlacementError(const PlacementProblem &Problem,
                               const Placement &P);

} // namespace cudaopt

#endif // CUDAOPT_PLACEMENT_PROBLEM_H
