// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Items put one after the other, each as low as those before it let it.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_PLACEMENT_FIRSTFIT_H
#define CUDAOPT_LIB_PLACEMENT_FIRSTFIT_H

#include "cudaopt/Placement/Problem.h"

namespace cudaopt {

class FirstFit {
public:
  explicit FirstFit(const PlacementProblem &Problem);

  /// \p Order names each item once.
  Placement place(const std::vector<ItemId> &Order) const;

  /// The lowest offset for \p Item beside the items of \p IsPlaced.
  uint64_t findOffset(ItemId Item, const std::vector<uint64_t> &Offsets,
                      const std::vector<bool> &IsPlaced) const;

private:
  struct Use {
    size_t Interval;
    BusyBytes Busy;
  };

  const PlacementProblem &Problem;
  std::vector<std::vector<Use>> Uses; ///< By item.
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_PLACEMENT_FIRSTFIT_H
