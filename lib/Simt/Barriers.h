// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The barriers of a block: a warp arrives with all its threads, those that
/// have exited are not waited for.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_SIMT_BARRIERS_H
#define CUDAOPT_LIB_SIMT_BARRIERS_H

#include "RunState.h"
#include "WarpMemory.h"

namespace cudaopt::simt {

class Barriers {
public:
  Barriers(RunState &State, WarpMemory &Memory, std::vector<Warp> &Warps)
      : S(State), Memory(Memory), Warps(Warps) {}

  void startBlock() { All = {}; }

  /// A warp waits from now on.
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

  /// Lets warps go on whose barrier is complete.
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
    uint32_t Arrived = 0;    ///< Warps.
    uint32_t NumThreads = 0; ///< That the barrier waits for; 0: all.
    const Operation *First = nullptr;
    uint32_t NumVotes = 0, NumTrue = 0; ///< Of threads.
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
  std::array<State, 16> All; ///< By number.
};

} // namespace cudaopt::simt

#endif // CUDAOPT_LIB_SIMT_BARRIERS_H
