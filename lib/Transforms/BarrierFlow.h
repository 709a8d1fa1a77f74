// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which steps of a program threads may take with no barrier between them, for
/// those who check plans: it shares no code with the live ranges.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_TRANSFORMS_BARRIERFLOW_H
#define CUDAOPT_LIB_TRANSFORMS_BARRIERFLOW_H

#include "cudaopt/Model/SharedProgram.h"

#include "llvm/ADT/BitVector.h"
#include <vector>

namespace cudaopt {

/// Who may be where at the same time.
class BarrierFlow {
public:
  explicit BarrierFlow(const SharedProgram &P);

  /// True if threads may take \p A and \p B with no barrier between them that
  /// both come to.
  bool areUnordered(StepId A, StepId B) const {
    return (Starts[A].anyCommon(Starts[B]) &&
            (Ends[A].anyCommon(Ends[B]) || Ends[A].test(SharedProgram::Exit) ||
             Ends[B].test(SharedProgram::Exit))) ||
           Behind[A].test(B) || Behind[B].test(A);
  }
  /// True if some thread may return behind \p S while others go on.
  bool mayLeaveOthers(StepId S) const;
  bool isBarrier(StepId S) const {
    return P.Steps[S].What == Step::Kind::Barrier;
  }
  bool isReached(StepId S) const { return Starts[S].any(); }

  const SharedProgram &P;
  /// By barrier, or the entry: the steps behind it from which a thread may
  /// return, and the next barriers, where the others are meanwhile.
  std::vector<std::vector<StepId>> Returning, Meeting;

private:
  void findStarts();
  void findEnds();
  void findBehind();

  /// By step: the barriers (or the entry) from which it is reached without a
  /// barrier between, and the barriers (or the exit) that it so reaches.
  std::vector<llvm::BitVector> Starts, Ends;
  /// By step from which a thread may leave others before the next barrier:
  /// where these may come.
  std::vector<llvm::BitVector> Behind;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_TRANSFORMS_BARRIERFLOW_H
