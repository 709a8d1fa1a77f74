// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Where items that are not all in use at once are put into one stretch of
/// bytes: dynamic storage allocation on a general interference graph.
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
/// Intervals are barrier intervals of a kernel, or the moments of a
/// straight-line program; they have no order here, so that loops and branches
/// are no special case.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_PLACEMENT_PROBLEM_H
#define CUDAOPT_PLACEMENT_PROBLEM_H

#include <cstdint>
#include <string>
#include <vector>

namespace cudaopt {

using ItemId = unsigned; ///< Index into PlacementProblem::Items.

/// Something that needs consecutive bytes.
struct PlacementItem {
  uint64_t Size = 0;      ///< Bytes.
  uint64_t Alignment = 1; ///< Of its offset; a power of two.
  bool operator==(const PlacementItem &) const = default;
};

/// Bytes [Low, High) of an item that are in use.
struct BusyBytes {
  ItemId Item;
  uint64_t Low, High; ///< From the start of the item.
  bool operator==(const BusyBytes &) const = default;
};

struct PlacementProblem {
  std::vector<PlacementItem> Items;
  /// By interval: what is in use at the same time. An item appears at most once
  /// in an interval.
  std::vector<std::vector<BusyBytes>> Intervals;
  /// By interval: how long it lasts, in any unit; all alike if empty. What is
  /// in use for long is tried first; no result is the more or the less right.
  std::vector<uint64_t> Durations = {};
};

/// An offset for each item.
struct Placement {
  std::vector<uint64_t> Offsets; ///< By ItemId; bytes.
  uint64_t Height = 0;           ///< Bytes up to the end of the last item.
  bool operator==(const Placement &) const = default;
};

/// Checks \p P the O(n^2) way: returns what is wrong with it, or nothing.
/// Shares no code with the solvers.
std::string findPlacementError(const PlacementProblem &Problem,
                               const Placement &P);

} // namespace cudaopt

#endif // CUDAOPT_PLACEMENT_PROBLEM_H
