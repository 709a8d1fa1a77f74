// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// A run of a launch: what its parts share.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_SIMT_EXECUTION_H
#define CUDAOPT_LIB_SIMT_EXECUTION_H

#include "BarrierObjects.h"
#include "Barriers.h"
#include "WarpMemory.h"
#include "WarpOperations.h"

#include <random>

namespace cudaopt::simt {

class Execution {
public:
  explicit Execution(RunState &State);
  void run();

private:
  void initialise(Warp &W);
  void initialise(Warp &W, const SharedConstant &C);
  void runBlock(uint64_t Number);
  void takeTurns();
  void runTurn(Warp &W);
  void resumePolling();
  bool answerPolls();
  void runWarp(Warp &W);
  void runOperations(Warp &W);

  void compute(const Operation &Op, Warp &W);
  void execute(const Operation &Op, Warp &W);

  // Control.
  void branch(const Operation &Op, const Block &B, Warp &W);
  void conditional(const Operation &Op, const Block &B, Warp &W);
  void choose(const Operation &Op, const Block &B, Warp &W);
  void follow(const Edge &E, Warp &W, uint32_t Lanes);
  void diverge(const Block &B, Warp &W);
  void settle(Warp &W);
  void leave(Warp &W, uint32_t Lanes);
  bool leaveIf(const Operation &Op, Warp &W);

  bool isDescending() const {
    return S.Options.ScheduleSeed == DescendingSchedule;
  }

  /// Warp instructions after which it is another's turn, so that one that spins
  /// on a flag does not keep the others from setting it.
  static constexpr uint64_t SliceLength = 1 << 16;
  static constexpr uint64_t ProgressStep = 1 << 22;
  /// A warp that takes longer from one poll to the next does something else.
  static constexpr uint64_t LongestPoll = 256;
  /// After as many instructions of warps that do nothing but poll, they will
  /// for ever: those who wait for a limited time have given up.
  static constexpr uint64_t Patience = 1 << 22;
  /// After as many, lanes do not wait for others where their paths meet.
  static constexpr uint64_t PatienceOfLanes = 1 << 14;

  RunState &S;
  const Program &P;
  WarpMemory Memory;
  WarpOperations Operations;
  std::vector<Warp> Warps;
  Barriers BlockBarriers;
  BarrierObjects Objects;
  std::vector<unsigned> Order;
  std::mt19937_64 Random;
  uint64_t NextProgress = ProgressStep;
  uint64_t LastChange = 0; ///< When a warp did something else than poll.
  /// Lanes that leave a block, by the block where they go.
  llvm::SmallVector<std::pair<int, uint32_t>, 4> Parts;
  std::vector<std::pair<LaneValues, uint32_t>> Copies; ///< Values of phis.
};

} // namespace cudaopt::simt

#endif // CUDAOPT_LIB_SIMT_EXECUTION_H
