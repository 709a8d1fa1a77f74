// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// First fit: items are placed one after the other, each at the lowest offset
/// that the items placed before it leave free.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_PLACEMENT_FIRSTFIT_H
#define CUDAOPT_LIB_PLACEMENT_FIRSTFIT_H

#include "cudaopt/Placement/Problem.h"

namespace cudaopt {

/// Holds a reference to the problem, which must outlive it.
class FirstFit {
public:
  explicit FirstFit(const PlacementProblem &Problem);

  /// Places all items in the given order, which names each item once.
  Placement place(const std::vector<ItemId> &Order) const;

  /// Returns the lowest offset for \p Item that overlaps no item of \p IsPlaced
  /// while both are in use. \p Offsets and \p IsPlaced are indexed by item.
  uint64_t findOffset(ItemId Item, const std::vector<uint64_t> &Offsets,
                      const std::vector<bool> &IsPlaced) const;

private:
  /// One interval in which an item is in use.
  struct Use {
    size_t Interval;
    BusyBytes Busy;
  };

  const PlacementProblem &Problem;
  std::vector<std::vector<Use>> Uses; ///< Indexed by item.
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_PLACEMENT_FIRSTFIT_H
