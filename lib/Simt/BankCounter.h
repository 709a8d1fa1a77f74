// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Sums up what the requests of a run cost in shared memory, by source
/// position, operation and width. The requests of one position mostly have the
/// same pattern, shifted by some banks, so that the cost of the last pattern is
/// cached.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_SIMT_BANKCOUNTER_H
#define CUDAOPT_LIB_SIMT_BANKCOUNTER_H

#include "cudaopt/Machine/BankMap.h"
#include "cudaopt/Simt/Observations.h"

#include <bit>
#include <deque>

namespace cudaopt::simt {

class BankCounter {
public:
  BankCounter(const BankMap &Map, size_t NumSites)
      : Map(Map), SlotOf(NumSites * NumOps * NumWidths) {}

  /// Adds the cost of \p Request to the entry of its position in \p Seen.
  void count(const Program &P, uint32_t Site, AccessOp Op,
             const WarpRequest &Request, Observations &Seen) {
    Slot &S = slot(P, Site, Op, Request.Width, Seen);
    if (!S.Previous.ActiveLanes || !isShifted(Request, S.Previous)) {
      S.Previous = Request;
      S.Wavefronts = countWavefronts(Map, Request);
      S.Bound = boundWavefronts(Map, Request);
    }
    ++S.Cost->Requests;
    S.Cost->Units += S.Wavefronts;
    S.Cost->Bound += S.Bound;
  }

private:
  static constexpr size_t NumOps = 3, NumWidths = 5;
  /// An entry of Observations::Shared, with the last request and its cost.
  struct Slot {
    AccessCost *Cost;
    WarpRequest Previous = {};
    unsigned Wavefronts = 0, Bound = 0;
  };

  Slot &slot(const Program &P, uint32_t Site, AccessOp Op, uint32_t Width,
             Observations &Seen) {
    Slot *&Known =
        SlotOf[(Site * NumOps + static_cast<size_t>(Op)) * NumWidths +
               static_cast<size_t>(std::countr_zero(Width))];
    if (!Known) {
      AccessKey Key = {P.Sites[Site], Op, static_cast<uint8_t>(Width)};
      Slots.push_back({&Seen.Shared[Key]});
      Known = &Slots.back();
    }
    return *Known;
  }

  /// Returns true if \p A is \p B shifted by a whole number of words, which
  /// does not change the cost: the same lanes meet in a bank.
  bool isShifted(const WarpRequest &A, const WarpRequest &B) const {
    if (A.ActiveLanes != B.ActiveLanes)
      return false;
    auto First = static_cast<size_t>(std::countr_zero(A.ActiveLanes));
    uint32_t By = A.Addresses[First] - B.Addresses[First];
    uint32_t Differences = By % Map.Width;
    for (unsigned Lane = 0; Lane < WarpSize; ++Lane) {
      uint32_t Active = -(A.ActiveLanes >> Lane & 1);
      Differences |= (A.Addresses[Lane] - B.Addresses[Lane] - By) & Active;
    }
    return Differences == 0;
  }

  BankMap Map;
  /// Indexed by site, operation and width.
  std::vector<Slot *> SlotOf;
  std::deque<Slot> Slots;
};

} // namespace cudaopt::simt

#endif // CUDAOPT_LIB_SIMT_BANKCOUNTER_H
