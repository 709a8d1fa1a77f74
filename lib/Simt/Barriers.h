// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The barriers of a block (bar.sync and bar.red, 16 by number). A warp arrives
/// with all its threads; threads that have exited are not waited for.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_SIMT_BARRIERS_H
#define CUDAOPT_LIB_SIMT_BARRIERS_H

#include "RunState.h"
#include "WarpMemory.h"

namespace cudaopt::simt {

/// The state of the barriers of the block that runs.
class Barriers {
public:
  Barriers(RunState &State, WarpMemory &Memory, std::vector<Warp> &Warps)
      : S(State), Memory(Memory), Warps(Warps) {}

  void startBlock() { All = {}; }

  /// Lets warp \p W wait at the barrier of \p Op from now on. Reports a
  /// divergent barrier if some of its live threads are elsewhere, and a
  /// mismatch if other warps wait at the barrier of another line.
  void arrive(const Operation &Op, Warp &W) {
    uint32_t Operands = W.symbolic(Op.A) | W.symbolic(Op.B) | W.symbolic(Op.C);
    if (Operands & W.Active.Bits)
      return S.dependsOnData("a barrier", Op);
    const unsigned First = W.firstActive();
    uint64_t Number = W[Op.A][First], NumThreads = W[Op.B][First];
    forEachLane(W.Active.Bits, [&](unsigned Lane) {
      if (W[Op.A][Lane] != Number || W[Op.B][Lane] != NumThreads)
        S.giveUp(RunStatus::Unsupported, "a barrier that differs within a warp",
                 Op);
    });
    if (Number >= All.size())
      S.giveUp(RunStatus::Unsupported,
               "barrier number " + std::to_string(Number), Op);
    if (S.isStopped())
      return;
    if (uint32_t Absent = W.Live & ~W.Active.Bits)
      S.report(FindingKind::DivergentBarrier, Op, W, Absent);
    State &B = All[Number];
    if (!B.Arrived)
      B = {0, static_cast<uint32_t>(NumThreads), &Op, 0, 0};
    else if (S.placeOf(Op) != S.placeOf(*B.First))
      reportMismatch(Op, W, B);
    B.Arrived |= 1u << W.Id;
    forEachLane(W.Active.Bits, [&](unsigned Lane) {
      ++B.NumVotes;
      B.NumTrue += W[Op.C][Lane] & 1;
    });
    W.State = WarpState::Waiting;
    W.Barrier = &Op;
  }

  /// Lets the warps continue whose barrier is complete. A barrier of all live
  /// warps ends the barrier interval; one of some warps orders only those.
  void release() {
    uint32_t Live = 0;
    for (const Warp &W : Warps)
      Live |= static_cast<uint32_t>(W.State != WarpState::Done) << W.Id;
    for (State &B : All) {
      if (!B.Arrived || !isComplete(B, Live))
        continue;
      forEachLane(B.Arrived, [&](unsigned Id) { resume(Warps[Id], B); });
      if (B.Arrived == Live)
        Memory.endInterval();
      else
        Memory.races().meetBlock(B.Arrived);
      ++S.Result.Seen.Barriers;
      B.Arrived = 0;
    }
  }

private:
  struct State {
    uint32_t Arrived = 0; ///< The warps that wait, one bit each.
    /// The number of threads that the barrier waits for; 0 for all.
    uint32_t NumThreads = 0;
    const Operation *First = nullptr; ///< The operation that arrived first.
    /// The threads that arrived, and those with a true predicate.
    uint32_t NumVotes = 0, NumTrue = 0;
  };

  static bool isComplete(const State &B, uint32_t Live) {
    if (B.NumThreads == 0)
      return B.Arrived == Live;
    auto NumWarps = static_cast<unsigned>(std::popcount(B.Arrived));
    return NumWarps * WarpSize >= B.NumThreads;
  }

  void reportMismatch(const Operation &Op, const Warp &W, const State &B) {
    Finding F = S.findingAt(FindingKind::BarrierMismatch, Op);
    F.Other = S.placeOf(*B.First);
    F.Thread = W.thread(W.firstActive());
    F.OtherThread =
        static_cast<uint32_t>(std::countr_zero(B.Arrived)) * WarpSize;
    S.add(std::move(F));
  }

  static uint64_t resultOf(BarrierReduceKind Kind, const State &B) {
    switch (Kind) {
    case BarrierReduceKind::PopCount:
      return B.NumTrue;
    case BarrierReduceKind::And:
      return B.NumTrue == B.NumVotes;
    case BarrierReduceKind::Or:
      return B.NumTrue != 0;
    }
    llvm_unreachable("all kinds are listed");
  }

  /// Makes a warp ready again and gives it the result of a reduction.
  static void resume(Warp &W, const State &B) {
    const Operation &Op = *W.Barrier;
    W.State = WarpState::Ready;
    if (Op.Code != Opcode::BarrierReduce)
      return;
    uint64_t Result = resultOf(static_cast<BarrierReduceKind>(Op.Variant), B);
    forEachLane(W.Active.Bits,
                [&](unsigned Lane) { W.put(Op.D, Lane, Result); });
  }

  RunState &S;
  WarpMemory &Memory;
  std::vector<Warp> &Warps;
  /// Indexed by the number of the barrier.
  std::array<State, 16> All;
};

} // namespace cudaopt::simt

#endif // CUDAOPT_LIB_SIMT_BARRIERS_H
