// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Counts what the requests of a run cost in shared memory. The requests of one
/// place mostly have one pattern, shifted; its cost is kept.
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

  void count(const Program &P, uint32_t Site, SharedOp Op,
             const WarpRequest &Request, Observations &Seen) {
    Slot &S = slot(P, Site, Op, Request.Width, Seen);
    if (!S.Previous.ActiveLanes || !isShifted(Request, S.Previous)) {
      S.Previous = Request;
      S.Wavefronts = countWavefronts(Map, Request);
      S.Bound = boundWavefronts(Map, Request);
    }
    ++S.Cost->Requests;
    S.Cost->Wavefronts += S.Wavefronts;
    S.Cost->Bound += S.Bound;
  }

private:
  static constexpr size_t NumOps = 3, NumWidths = 5;
  struct Slot {
    AccessCost *Cost;
    WarpRequest Previous = {};
    unsigned Wavefronts = 0, Bound = 0;
  };

  Slot &slot(const Program &P, uint32_t Site, SharedOp Op, uint32_t Width,
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

  /// True if \p A is \p B, some banks further: that costs the same.
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
  std::vector<Slot *> SlotOf; ///< By site, operation and width.
  std::deque<Slot> Slots;
};

} // namespace cudaopt::simt

#endif // CUDAOPT_LIB_SIMT_BANKCOUNTER_H
