// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// An abstract interpreter for device code. It runs the integer part of a
/// kernel, the lanes of a warp together, and records which bytes of shared
/// variables they access. The contents of memory and the arguments of the
/// launch are unknown. On a condition of unknown value, a lane takes both
/// paths, and where these meet, it keeps what is the same on both.
///
/// \verbatim
///   int k = 0;                     k = 0
///   if (in[t] > 0) k = 1;          the lanes arrive with 1 and with 0
///   s[t + k] = 0;                  k, and so the address, is not known
///   for (int i = 0; i < n; ++i)    10 iterations with i = 0, ..., 9, then one
///     s[t] = i;                    with an unknown i, for all the rest
/// \endverbatim
///
/// So the events of a run that is complete (WarpRun::isComplete()) include all
/// accesses that an execution can make, and perhaps others. Accesses of lanes
/// that are Certain do happen.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_CHECK_WARPRUN_H
#define CUDAOPT_LIB_CHECK_WARPRUN_H

#include "LaneValues.h"
#include "WarpCode.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include <array>
#include <map>

namespace cudaopt::check {

using Dim3 = std::array<uint32_t, 3>;

/// A place in device code where shared variables are accessed: an instruction,
/// and one of its operands.
struct RunPlace {
  UseKind Kind = UseKind::Any;
  uint64_t Width = 0; ///< Bytes per lane; 0 if that is not known.
  /// The variables that may be accessed, each execution accessing one of them:
  /// indices into RunFacts::Variables.
  std::vector<unsigned> Variables;
  std::vector<SourcePoint> Points;
  const llvm::Instruction *By = nullptr;
};

/// Returns what a request of \p Kind does to shared memory; an access that is
/// neither read nor write counts as a reduction.
constexpr MemoryOp opOf(UseKind Kind) {
  return Kind == UseKind::Read    ? MemoryOp::Load
         : Kind == UseKind::Write ? MemoryOp::Store
                                  : MemoryOp::Reduce;
}

/// What the runs of all kernels of a module share: its shared variables, the
/// places that access them, and the functions that have been translated.
class RunFacts {
public:
  RunFacts(const llvm::Module &M, const SymbolTable &Symbols,
           const FoundUses &Uses);
  /// The facts of code of which all \p Places are known: those of \p PlacesOf.
  /// Global variables have the \p Numbers.
  RunFacts(const SymbolTable &Symbols, std::vector<RunPlace> Places,
           PlacesOfCode PlacesOf,
           llvm::DenseMap<const llvm::GlobalVariable *, unsigned> Numbers)
      : Places(std::move(Places)), Symbols(Symbols),
        Numbers(std::move(Numbers)), PlacesOf(std::move(PlacesOf)) {}

  /// Returns the translation of \p F, which is made when it is first needed.
  const WarpCode &codeOf(const llvm::Function &F);

  /// The shared variables that some place accesses.
  std::vector<const llvm::GlobalVariable *> Variables;
  std::vector<RunPlace> Places;
  /// True if some place may be reached by a call through a pointer, which runs
  /// do not follow.
  bool AreCalledUnseen = false;

private:
  void findUnseenCalls(const llvm::Module &M);

  const SymbolTable &Symbols;
  llvm::DenseMap<const llvm::GlobalVariable *, unsigned> Numbers;
  PlacesOfCode PlacesOf;
  std::map<const llvm::Function *, std::unique_ptr<WarpCode>> Codes;
};

/// An event of a run: an access by lanes of a warp, or a barrier of the block.
struct WarpEvent {
  static constexpr unsigned Barrier = ~0u;
  /// An index into RunFacts::Places, or Barrier.
  unsigned Place = Barrier;
  /// A number for the iterations of all loops around the place and for the
  /// calls that lead to it: what different warps do at one place in the same
  /// iterations has the same number.
  uint32_t Iteration = 0;
  uint32_t Lanes = 0; ///< The lanes that may access (bit i is lane i).
  /// The lanes that access whatever the unknown values are.
  uint32_t Certain = 0;
  uint32_t Known = 0; ///< The lanes whose address is known.
  /// The lanes in which a subscript is outside of its dimension.
  uint32_t Outside = 0;
  std::array<uint64_t, WarpSize> Addresses = {};

  /// Returns the number of the variable in which \p Lane accesses; std::nullopt
  /// for an address outside of shared variables. An address in front of a
  /// variable, but nearer to it than to others, counts for it, too.
  std::optional<unsigned> variable(unsigned Lane) const {
    const uint64_t Number =
        (Addresses[Lane] + addressOf(0) / 2) >> VariableShift;
    if (Number == 0)
      return std::nullopt;
    return unsigned(Number - 1);
  }
  /// Returns the offset in bytes from the start of \p Variable.
  int64_t offset(unsigned Lane, unsigned Variable) const {
    return int64_t(Addresses[Lane] - addressOf(Variable));
  }
};

/// Runs warps of one kernel, one after the other.
class WarpRun {
public:
  /// \p Grid is 0 in dimensions that are not known. \p MaxSteps limits the
  /// number of operations, of all warps together.
  WarpRun(RunFacts &Facts, const llvm::Function &Kernel, Dim3 Block, Dim3 Grid,
          uint64_t MaxSteps)
      : Facts(Facts), Kernel(Kernel), Block(Block), Grid(Grid),
        MaxSteps(MaxSteps) {}

  /// Runs the warp that begins with \p FirstThread in block \p BlockIndex, and
  /// appends what it does to \p Events. Returns false if the limit of steps is
  /// exceeded; then the events are incomplete.
  bool run(unsigned FirstThread, Dim3 BlockIndex,
           std::vector<WarpEvent> &Events);

  /// Makes a value up for the argument \p Index of the kernel; others are
  /// unknown.
  void setArgument(unsigned Index, uint64_t Number) {
    KnownArguments.push_back({Index, Number});
  }

  uint64_t steps() const { return Steps; }
  /// Calls \p Visit for each block that was executed, with the number of times
  /// that a warp executed it, with some or all of its lanes.
  void visitExecuted(
      llvm::function_ref<void(const llvm::BasicBlock &, uint64_t)> Visit) const;
  /// Returns false if something was met that may access more than the events
  /// say: irreducible control flow, calls of unknown code, deep recursion.
  bool isComplete() const { return IsComplete; }
  /// Returns the dimensions of blockIdx on which the addresses and conditions
  /// met so far depend, as a bit mask. In blocks that differ in other
  /// dimensions only, threads do the same.
  unsigned blockDimensions() const { return BlockDimensions; }
  unsigned numThreads() const { return Block[0] * Block[1] * Block[2]; }

private:
  /// Lanes that took both paths at block By, since its condition is not known,
  /// and that have not reached block Reconvergence yet. Until then, it is not
  /// certain what they do.
  struct Fork {
    unsigned By, Reconvergence;
    uint32_t Lanes;
  };
  /// The state of a call that runs. It is reused by the next call at its depth.
  struct Frame {
    const WarpCode *Code = nullptr;
    std::vector<uint64_t> *Executed = nullptr; ///< By block, of all calls.
    std::vector<LaneValue> Slots;
    std::vector<uint32_t> Waiting; ///< The lanes that wait for each block.
    std::vector<Fork> Forks;
    uint32_t Uncertain = 0; ///< Lanes that may not have made the call.
    /// Lanes that have returned, and lanes that may have ended in the function.
    uint32_t Returned = 0, Left = 0;
    LaneValue Result;       ///< The value that was returned.
    uint32_t Iteration = 0; ///< The number of the call's iteration.
    struct LoopState {
      /// How many iterations there were since it was entered, and the number
      /// that WarpEvent::Iteration gets in the current one.
      uint32_t Count = 0, Iteration = 0;
      uint32_t Left = 0; ///< Lanes that have left the loop.
      /// Lanes whose values stand for those of several iterations.
      uint32_t Widened = 0;
    };
    std::vector<LoopState> Loops;
  };
  static constexpr unsigned MaxDepth = 24; ///< The deepest nest of calls.

  void begin(Frame &F, const WarpCode &Code);
  void runFrame(unsigned Depth, uint32_t Lanes);
  unsigned runBlock(unsigned Depth, unsigned Block);
  void runLatch(Frame &F, unsigned Block, uint32_t Lanes);
  unsigned runTerminator(Frame &F, unsigned Block, uint32_t Lanes);
  void follow(Frame &F, const LaneEdge &Edge, uint32_t Lanes);
  void leaveFunction(Frame &F, const LaneBlock &Block, uint32_t Lanes);
  void addFork(Frame &F, unsigned By, unsigned Reconvergence, uint32_t Lanes);
  uint32_t uncertainOf(const Frame &F) const;
  uint32_t iterationOf(const Frame &F, unsigned Block) const;
  uint32_t number(uint32_t Outer, uint64_t What);

  uint32_t execute(unsigned Depth, const LaneOperation &Op, unsigned Block,
                   uint32_t Lanes);
  void access(Frame &F, const LaneOperation &Op, uint32_t Iteration,
              uint32_t Lanes);
  void passAddress(const Frame &F, const LaneOperation &Op, WarpEvent &Event,
                   std::vector<bool> &Taken) const;
  uint32_t call(unsigned Depth, const LaneOperation &Op, unsigned Block,
                uint32_t Lanes);
  void compute(const Frame &F, const LaneOperation &Op, uint32_t Lanes,
               LaneValue &Result);
  void readRegister(unsigned Which, LaneValue &Result) const;
  void noteBlocks(const LaneValue &Value, uint32_t Lanes);

  RunFacts &Facts;
  const llvm::Function &Kernel;
  const Dim3 Block, Grid;
  const uint64_t MaxSteps;
  uint64_t Steps = 0;
  bool IsComplete = true;
  unsigned BlockDimensions = 0;
  /// The numbers of iterations, by the number around them and what they are.
  std::map<std::pair<uint32_t, uint64_t>, uint32_t> Iterations;
  std::vector<std::unique_ptr<Frame>> Frames; ///< The calls, by depth.
  std::vector<std::pair<unsigned, uint64_t>> KnownArguments;
  /// How often each block of the functions was executed.
  std::map<const WarpCode *, std::vector<uint64_t>> Executed;

  // The warp that runs.
  unsigned FirstThread = 0;
  Dim3 BlockIndex = {};
  std::vector<WarpEvent> *Events = nullptr;
};

} // namespace cudaopt::check

#endif // CUDAOPT_LIB_CHECK_WARPRUN_H
