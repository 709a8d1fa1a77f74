// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The execution of a launch: the scheduler of warps, and control flow. Its
/// parts are in Executor.cpp (the operations of a warp) and BlockTurns.cpp
/// (turns of warps, and blocks).
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_SIMT_EXECUTION_H
#define CUDAOPT_LIB_SIMT_EXECUTION_H

#include "BarrierObjects.h"
#include "Barriers.h"
#include "WarpMemory.h"
#include "WarpOperations.h"

#include <random>

namespace cudaopt::simt {

/// Runs the blocks of a launch one after the other. Warps and memory are reused
/// by all blocks.
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

  /// Executes an operation that isArithmetic() holds for, and any other.
  void compute(const Operation &Op, Warp &W);
  void execute(const Operation &Op, Warp &W);

  // Control flow.
  void branch(const Operation &Op, const Block &B, Warp &W);
  void conditional(const Operation &Op, const Block &B, Warp &W);
  /// Executes a switch.
  void choose(const Operation &Op, const Block &B, Warp &W);
  /// Moves \p Lanes along an edge: assigns the phi nodes.
  void follow(const Edge &E, Warp &W, uint32_t Lanes);
  void diverge(const Block &B, Warp &W);
  /// Selects the path that runs next.
  void settle(Warp &W);
  /// Removes lanes that exit the kernel.
  void leave(Warp &W, uint32_t Lanes);
  bool leaveIf(const Operation &Op, Warp &W);

  bool isDescending() const {
    return S.Options.ScheduleSeed == DescendingSchedule;
  }

  /// The warp instructions after which another warp gets its turn, so that a
  /// warp that spins on a flag does not keep the others from setting it.
  static constexpr uint64_t SliceLength = 1 << 16;
  /// The warp instructions between two calls of ExecutorOptions::Progress.
  static constexpr uint64_t ProgressStep = 1 << 22;
  /// A warp that takes more instructions than this from one poll of a barrier
  /// object to the next does useful work in between.
  static constexpr uint64_t LongestPoll = 256;
  /// If warps do nothing but poll for this many instructions, they are
  /// considered deadlocked: a wait with a time limit would have given up by
  /// then.
  static constexpr uint64_t Patience = 1 << 22;
  /// After this many instructions of polling, lanes stop waiting for others
  /// where their paths meet.
  static constexpr uint64_t PatienceOfLanes = 1 << 14;

  RunState &S;
  const Program &P;
  WarpMemory Memory;
  WarpOperations Operations;
  std::vector<Warp> Warps;
  Barriers BlockBarriers;
  BarrierObjects Objects;
  /// The order in which warps get their turns.
  std::vector<unsigned> Order;
  std::mt19937_64 Random;
  uint64_t NextProgress = ProgressStep;
  /// The instruction count when a warp last did something other than polling.
  uint64_t LastChange = 0;
  /// Scratch: the lanes that leave a block, by the block where they go.
  llvm::SmallVector<std::pair<int, uint32_t>, 4> Parts;
  /// Scratch: the values of phi nodes, with the lanes that are terms.
  std::vector<std::pair<LaneValues, uint32_t>> Copies;
};

} // namespace cudaopt::simt

#endif // CUDAOPT_LIB_SIMT_EXECUTION_H
