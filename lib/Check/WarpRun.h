// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Runs the integer part of a kernel's device code, the lanes of a warp
/// together, and notes which bytes of shared variables they access. What memory
/// holds, and what a launch passes, is not known: on a condition of unknown
/// value a lane goes both ways, and where they meet, it keeps what is the same
/// on both.
///
/// \verbatim
///   int k = 0;                     k = 0
///   if (in[t] > 0) k = 1;          lanes come with 1, and with 0
///   s[t + k] = 0;                  k, and so the address, is not known
///   for (int i = 0; i < n; ++i)    10 iterations with i = 0, ..., 9, then one
///     s[t] = i;                    with an unknown i, which stands for the
///     rest
/// \endverbatim
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_CHECK_WARPRUN_H
#define CUDAOPT_LIB_CHECK_WARPRUN_H

#include "LaneValues.h"
#include "WarpCode.h"

#include <array>
#include <map>

namespace cudaopt::check {

using Dim3 = std::array<uint32_t, 3>;

/// A place where device code accesses shared variables.
struct RunPlace {
  UseKind Kind = UseKind::Any;
  uint64_t Width = 0;              ///< 0 if it is not known.
  std::vector<unsigned> Variables; ///< One of them; numbers of RunFacts.
  std::vector<SourcePoint> Points;
  const llvm::Instruction *By = nullptr;
};

/// What runs of kernels of one module share.
class RunFacts {
public:
  RunFacts(const llvm::Module &M, const SymbolTable &Symbols,
           const FoundUses &Uses);

  const WarpCode &codeOf(const llvm::Function &F);

  std::vector<const llvm::GlobalVariable *> Variables; ///< Shared ones.
  std::vector<RunPlace> Places;
  /// True if calls through pointers may come to some of them.
  bool AreCalledUnseen = false;

private:
  void findUnseenCalls(const llvm::Module &M);

  const SymbolTable &Symbols;
  llvm::DenseMap<const llvm::GlobalVariable *, unsigned> Numbers;
  PlacesOfCode PlacesOf;
  std::map<const llvm::Function *, std::unique_ptr<WarpCode>> Codes;
};

/// An access by lanes of a warp, or a barrier of the block.
struct WarpEvent {
  static constexpr unsigned Barrier = ~0u;
  unsigned Place = Barrier; ///< Index into RunFacts::Places.
  /// Equal for what lanes of any warps do at one place in the same iteration
  /// of all loops around it, by the same calls.
  uint32_t Iteration = 0;
  uint32_t Lanes = 0;
  uint32_t Certain = 0; ///< Lanes that get here whatever is not known.
  uint32_t Known = 0;   ///< Lanes of which Addresses has one.
  uint32_t Outside = 0; ///< Lanes with a subscript that leaves its dimension.
  std::array<uint64_t, WarpSize> Addresses = {};

  /// The number of the variable; nothing for an address elsewhere.
  std::optional<unsigned> variable(unsigned Lane) const {
    const uint64_t Number =
        (Addresses[Lane] + addressOf(0) / 2) >> VariableShift;
    if (Number == 0)
      return std::nullopt;
    return unsigned(Number - 1);
  }
  /// Bytes from the start of \p Variable.
  int64_t offset(unsigned Lane, unsigned Variable) const {
    return int64_t(Addresses[Lane] - addressOf(Variable));
  }
};

class WarpRun {
public:
  /// \p Grid holds 0 where it is not known. After \p MaxSteps operations of
  /// warps a run ends.
  WarpRun(RunFacts &Facts, const llvm::Function &Kernel, Dim3 Block, Dim3 Grid,
          uint64_t MaxSteps)
      : Facts(Facts), Kernel(Kernel), Block(Block), Grid(Grid),
        MaxSteps(MaxSteps) {}

  /// Runs the warp of \p FirstThread to its end. Returns false if the steps are
  /// used up.
  bool run(unsigned FirstThread, Dim3 BlockIndex,
           std::vector<WarpEvent> &Events);

  uint64_t steps() const { return Steps; }
  /// False if something was met that may do more than the events say.
  bool isComplete() const { return IsComplete; }
  /// Bit d is set if some address or condition met so far depends on dimension
  /// d of blockIdx. What was run does not depend on the others.
  unsigned blockDimensions() const { return BlockDimensions; }
  unsigned numThreads() const { return Block[0] * Block[1] * Block[2]; }

private:
  /// Lanes that went both ways at block By, and have not met yet.
  struct Fork {
    unsigned By, Reconvergence;
    uint32_t Lanes;
  };
  /// A call that runs. Used again by the next call at its depth.
  struct Frame {
    const WarpCode *Code = nullptr;
    std::vector<LaneValue> Slots;
    std::vector<uint32_t> Waiting; ///< Lanes that come to a block.
    std::vector<Fork> Forks;
    uint32_t Uncertain = 0; ///< Lanes of which it is not sure that they call.
    uint32_t Returned = 0, Left = 0;
    LaneValue Result;
    uint32_t Iteration = 0; ///< Of the call.
    struct LoopState {
      uint32_t Count = 0, Iteration = 0;
      uint32_t Left = 0;    ///< Lanes that have left it.
      uint32_t Widened = 0; ///< Lanes with values of several iterations.
    };
    std::vector<LoopState> Loops;
  };
  static constexpr unsigned MaxDepth = 24;

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
  std::map<std::pair<uint32_t, uint64_t>, uint32_t> Iterations;
  std::vector<std::unique_ptr<Frame>> Frames; ///< By depth.

  // The warp that runs.
  unsigned FirstThread = 0;
  Dim3 BlockIndex = {};
  std::vector<WarpEvent> *Events = nullptr;
};

} // namespace cudaopt::check

#endif // CUDAOPT_LIB_CHECK_WARPRUN_H
