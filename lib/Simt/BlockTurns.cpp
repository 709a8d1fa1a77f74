// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The schedule: the turns of the warps of a block, and the blocks of a launch.
///
/// A warp runs until it waits at a barrier, ends, finds a barrier object not
/// ready (it polls), or has used up its time slice. A block is stuck if no warp
/// is ready and polling does not help either.
//===----------------------------------------------------------------------===//

#include "Execution.h"
#include "PathTurns.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>

namespace cudaopt::simt {

/// The most threads of a block, on all GPUs.
static constexpr uint32_t MaxThreads = 1024;

/// Lets the warps that wait for phases of barrier objects ask again.
void Execution::resumePolling() {
  for (Warp &W : Warps)
    if (W.State == WarpState::Polling) {
      W.State = WarpState::Ready;
      W.Blocked = 0;
      PathTurns(W).takeOther();
    }
}

/// Runs a warp for one turn. A warp that did nothing but poll does not count as
/// progress. An event at an object wakes all polling warps.
void Execution::runTurn(Warp &W) {
  const uint64_t &Count = S.Result.Seen.WarpInstructions;
  const uint64_t Begin = Count, NumEvents = Objects.numEvents();
  runWarp(W);
  if (S.isStopped())
    return;
  if (W.State != WarpState::Polling || Count - Begin > LongestPoll)
    LastChange = Count;
  if (W.State == WarpState::Waiting || W.State == WarpState::Done)
    BlockBarriers.release();
  if (Objects.numEvents() == NumEvents)
    return;
  LastChange = Count;
  resumePolling();
}

/// Called if no warp can continue except by polling. Returns true if polling
/// may still succeed: first lanes that wait for others at a reconvergence point
/// are let go, then patience runs out.
bool Execution::answerPolls() {
  const auto IsPolling = [](const Warp &W) {
    return W.State == WarpState::Polling;
  };
  if (llvm::none_of(Warps, IsPolling))
    return false;
  const uint64_t Count = S.Result.Seen.WarpInstructions;
  const auto IsSeparated = [&](Warp &W) {
    return IsPolling(W) && PathTurns(W).separate();
  };
  if (Count - LastChange >= PatienceOfLanes && llvm::any_of(Warps, IsSeparated))
    LastChange = Count;
  resumePolling();
  return Count - LastChange < Patience;
}

/// Runs the warps of the block in turns until all are done, or reports a
/// deadlock.
void Execution::takeTurns() {
  LastChange = S.Result.Seen.WarpInstructions;
  while (!S.isStopped()) {
    if (S.Options.ScheduleSeed && !isDescending())
      std::shuffle(Order.begin(), Order.end(), Random);
    bool AnyReady = false;
    for (unsigned Id : Order) {
      if (Warps[Id].State != WarpState::Ready)
        continue;
      AnyReady = true;
      runTurn(Warps[Id]);
      if (S.isStopped())
        return;
    }
    if (AnyReady || answerPolls())
      continue;
    auto Stuck = llvm::find_if(
        Warps, [](const Warp &W) { return W.State != WarpState::Done; });
    if (Stuck == Warps.end())
      return;
    S.report(FindingKind::BarrierDeadlock, *Stuck->Barrier, *Stuck,
             Stuck->Active.Bits);
    S.stop();
  }
}

void Execution::runBlock(uint64_t Number) {
  const auto [X, Y, Z] = S.L.Grid;
  S.Block = {static_cast<uint32_t>(Number % X),
             static_cast<uint32_t>(Number / X % Y),
             static_cast<uint32_t>(Number / X / Y)};
  Memory.startBlock();
  BlockBarriers.startBlock();
  Objects.startBlock();
  for (Warp &W : Warps) {
    Memory.startWarp(W);
    uint32_t Threads = std::min(S.numThreads() - W.Id * WarpSize, WarpSize);
    W.Live = AllLanes >> (WarpSize - Threads);
    W.State = WarpState::Ready;
    W.Blocked = 0;
    W.Paths.assign(1, {0, -1, W.Live});
    settle(W);
  }
  takeTurns();
}

void Execution::run() {
  const std::vector<uint64_t> &Chosen = S.L.Blocks;
  const auto [X, Y, Z] = S.L.Grid;
  uint64_t Count = Chosen.empty() ? uint64_t(X) * Y * Z : Chosen.size();
  for (uint64_t I = 0; I < Count && !S.isStopped(); ++I) {
    uint64_t Place = isDescending() ? Count - 1 - I : I;
    runBlock(Chosen.empty() ? Place : Chosen[Place]);
  }
}

/// Returns what is wrong with a launch; an empty string if nothing is.
static std::string whyNot(const Program &P, const Launch &L) {
  const auto [X, Y, Z] = L.Block;
  uint64_t Threads = uint64_t(X) * Y * Z;
  if (Threads == 0 || Threads > MaxThreads)
    return "a block of " + std::to_string(Threads) + " threads";
  if (L.Arguments.size() != P.Parameters.size())
    return "a launch of " + P.Name + " with " +
           std::to_string(L.Arguments.size()) + " arguments instead of " +
           std::to_string(P.Parameters.size());
  const auto [GridX, GridY, GridZ] = L.Grid;
  for (uint64_t Number : L.Blocks)
    if (Number >= uint64_t(GridX) * GridY * GridZ)
      return "block " + std::to_string(Number) + ", which is not in the grid";
  for (auto [Formal, Actual] : llvm::zip(P.Parameters, L.Arguments))
    if (!Actual.Term && Actual.Bytes.size() != Formal.Size)
      return "an argument of " + std::to_string(Actual.Bytes.size()) +
             " bytes for parameter '" + Formal.Name + "' of " +
             std::to_string(Formal.Size);
  return "";
}

RunResult run(const Program &P, const Launch &L, DeviceMemory &Memory,
              const ExecutorOptions &Options, TermTable *Terms) {
  RunState State = {P, L, Memory, Options, Terms};
  State.Result.Why = whyNot(P, L);
  if (!State.Result.Why.empty()) {
    State.Result.Status = RunStatus::Unsupported;
    return std::move(State.Result);
  }
  Execution(State).run();
  return std::move(State.Result);
}

} // namespace cudaopt::simt
