// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which steps of a program may be executed by different threads with no
/// barrier between them. The checks of plans use this relation; on purpose it
/// shares no code with the live ranges by which the passes decide.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_VERIFY_BARRIERFLOW_H
#define CUDAOPT_LIB_VERIFY_BARRIERFLOW_H

#include "cudaopt/Model/SharedProgram.h"

#include "llvm/ADT/BitVector.h"
#include <vector>

namespace cudaopt {

/// The order that barriers give to the steps of one program.
class BarrierFlow {
public:
  explicit BarrierFlow(const SharedProgram &P);

  /// Returns true if one thread may take \p A and another one \p B with no
  /// barrier between that both arrive at. That is so if both steps are reached
  /// from a common barrier and lead to a common one, or one of them to the exit
  /// (a thread that returns meets nobody any more). It is also so if a thread
  /// may leave the others from one of the steps, and the other step is
  /// reachable, across any barriers, from the barrier in front of the first.
  bool areUnordered(StepId A, StepId B) const {
    return (Starts[A].anyCommon(Starts[B]) &&
            (Ends[A].anyCommon(Ends[B]) || Ends[A].test(SharedProgram::Exit) ||
             Ends[B].test(SharedProgram::Exit))) ||
           Behind[A].test(B) || Behind[B].test(A);
  }
  /// Returns true if some thread may return behind \p S while others go on to a
  /// barrier.
  bool mayLeaveOthers(StepId S) const;
  bool isBarrier(StepId S) const {
    return P.Steps[S].What == Step::Kind::Barrier;
  }
  bool isReached(StepId S) const { return Starts[S].any(); }

  const SharedProgram &P;
  /// By StepId, for the entry and for barriers: the steps behind it from which
  /// a thread may return without another barrier, and the next barriers, at
  /// which the other threads may wait meanwhile.
  std::vector<std::vector<StepId>> Returning, Meeting;

private:
  void findStarts();
  void findEnds();
  void findBehind();

  /// By step: the barriers (or the entry) from which it is reached without
  /// crossing a barrier, and the barriers (or the exit) that it reaches so.
  std::vector<llvm::BitVector> Starts, Ends;
  /// By step from which a thread may leave others before the next barrier: all
  /// steps that the others may take afterwards. Empty for other steps.
  std::vector<llvm::BitVector> Behind;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_VERIFY_BARRIERFLOW_H
