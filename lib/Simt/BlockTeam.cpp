// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Runs the blocks of a grid on several cores, with exactly the results of a
/// run on one core. Speculation: the grid is split into parts of consecutive
/// blocks, which run at the same time. If no part touches what another one
/// wrote (GridMemory.h), the outcomes of the parts are put together in the
/// order of their blocks. Otherwise all effects of the parts are undone, and
/// the blocks run one after the other.
//===----------------------------------------------------------------------===//

#include "GridMemory.h"
#include "WarpMemory.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <atomic>
#include <mutex>
#include <numeric>
#include <thread>

namespace cudaopt::simt {

namespace {

/// Runs one launch.
class BlockTeam {
public:
  BlockTeam(const Program &P, const Launch &L, DeviceMemory &Memory,
            const ExecutorOptions &Options, unsigned NumThreads)
      : P(P), L(L), Memory(Memory), Options(Options), NumThreads(NumThreads),
        NumBlocks(uint64_t(L.Grid[0]) * L.Grid[1] * L.Grid[2]) {}

  /// Returns true if the launch is worth running in parallel and allowed to.
  bool isUseful() const;
  RunResult run();

private:
  /// The least work, in warp instructions, that is worth starting threads for.
  static constexpr uint64_t LeastWork = 1 << 20;
  /// There are more parts than threads, so that a core that is done early takes
  /// another part.
  static constexpr unsigned PartsPerThread = 4;
  /// A grid of more blocks is not split, since the list of their numbers would
  /// be large.
  static constexpr uint64_t MaxBlocks = 1 << 24;

  /// Consecutive blocks, and what their run showed.
  struct Part {
    Part(GridMemory &Grid, uint32_t Number) : Writes(Grid, Number) {}
    GridPart Writes;
    uint64_t Begin = 0, End = 0; ///< The blocks [Begin, End).
    std::string Output;
    RunResult Result;
  };

  /// Runs the blocks [\p Begin, \p End) on the calling thread.
  RunResult runBlocks(uint64_t Begin, uint64_t End, DeviceMemory &Memory,
                      const ExecutorOptions &Options) const;
  void runParts();
  void runPart(Part &Each);
  /// Adds to the progress of the whole launch and reports it.
  void noteProgress(uint64_t NewInstructions);
  bool isWithinLimit() const;
  void putTogether(RunResult &Whole);

  const Program &P;
  const Launch &L;
  DeviceMemory &Memory;
  const ExecutorOptions &Options;
  const unsigned NumThreads;
  const uint64_t NumBlocks;
  std::vector<std::unique_ptr<Part>> Parts;
  std::mutex ProgressLock;
  uint64_t NumInstructions = 0; ///< As reported by the parts that run.
};

} // namespace

/// Some options observe the order of blocks in more than memory and output, for
/// example races on global memory, or a clock.
bool BlockTeam::isUseful() const {
  if (NumThreads < 2 || NumBlocks < 3 || NumBlocks > MaxBlocks ||
      !L.Blocks.empty() || Options.ScheduleSeed || Options.CheckGlobalRaces ||
      Options.RecordUse || !Options.AddressTerms.empty())
    return false;
  return llvm::none_of(P.Blocks, [](const Block &B) {
    return llvm::any_of(B.Operations, [](const Operation &Op) {
      return Op.Code == Opcode::Clock;
    });
  });
}

RunResult BlockTeam::runBlocks(uint64_t Begin, uint64_t End,
                               DeviceMemory &Memory,
                               const ExecutorOptions &Options) const {
  Launch Some = L;
  Some.Blocks.resize(End - Begin);
  std::iota(Some.Blocks.begin(), Some.Blocks.end(), Begin);
  return simt::run(P, Some, Memory, Options);
}

/// Appends the observations of blocks that follow those of \p Whole.
static void append(RunResult &Whole, RunResult Next) {
  Observations &Seen = Whole.Seen;
  for (Finding &F : Next.Seen.Findings)
    Seen.add(std::move(F));
  for (const auto &[Key, Cost] : Next.Seen.Shared)
    Seen.Shared[Key] += Cost;
  for (const auto &[Key, Cost] : Next.Seen.Global)
    Seen.Global[Key] += Cost;
  Seen.WarpInstructions += Next.Seen.WarpInstructions;
  Seen.Barriers += Next.Seen.Barriers;
  Whole.Status = Next.Status;
  Whole.Why = std::move(Next.Why);
  Whole.Where = Next.Where;
}

void BlockTeam::noteProgress(uint64_t NewInstructions) {
  std::lock_guard Guard(ProgressLock);
  NumInstructions += NewInstructions;
  Options.Progress(NumInstructions);
}

void BlockTeam::runPart(Part &Each) {
  DeviceMemory View = Memory.share();
  llvm::raw_string_ostream Output(Each.Output);
  ExecutorOptions Mine = Options;
  Mine.Part = &Each.Writes;
  if (Options.Output)
    Mine.Output = &Output;
  uint64_t Told = 0;
  if (Options.Progress)
    Mine.Progress = [this, &Told](uint64_t Count) {
      noteProgress(Count - std::exchange(Told, Count));
    };
  Each.Result = runBlocks(Each.Begin, Each.End, View, Mine);
}

void BlockTeam::runParts() {
  std::atomic<size_t> Next = 0;
  auto Work = [&] {
    for (size_t I = Next++; I < Parts.size(); I = Next++)
      if (!Parts[I]->Writes.isBroken())
        runPart(*Parts[I]);
  };
  std::vector<std::thread> Threads;
  for (unsigned I = 1; I < NumThreads; ++I)
    Threads.emplace_back(Work);
  Work();
  for (std::thread &Each : Threads)
    Each.join();
}

/// Returns true if the blocks, one after the other, would not have exceeded the
/// limit of instructions.
bool BlockTeam::isWithinLimit() const {
  uint64_t Sum = NumInstructions;
  for (const auto &Each : Parts)
    Sum += Each->Result.Seen.WarpInstructions;
  return Sum < Options.MaxWarpInstructions;
}

/// Takes the parts up to the first that was stopped; the blocks behind it would
/// not have run, so that their effects are undone.
void BlockTeam::putTogether(RunResult &Whole) {
  for (auto &Each : Parts) {
    if (Whole.Status != RunStatus::Finished) {
      Each->Writes.undo();
      continue;
    }
    if (Options.Output)
      *Options.Output << Each->Output;
    append(Whole, std::move(Each->Result));
  }
}

/// The first block runs alone to learn how long a block takes.
RunResult BlockTeam::run() {
  RunResult Whole = runBlocks(0, 1, Memory, Options);
  if (Whole.Status != RunStatus::Finished)
    return Whole;
  const uint64_t First = Whole.Seen.WarpInstructions;
  ExecutorOptions Rest = Options;
  Rest.MaxWarpInstructions -= std::min(First, Rest.MaxWarpInstructions);
  if (First * (NumBlocks - 1) < LeastWork) {
    append(Whole, runBlocks(1, NumBlocks, Memory, Rest));
    return Whole;
  }
  GridMemory Grid(Memory, cellSizeOf(P, PointerSpace::Global));
  if (Grid.isBroken()) {
    append(Whole, runBlocks(1, NumBlocks, Memory, Rest));
    return Whole;
  }
  const uint64_t Count =
      std::min<uint64_t>({NumBlocks - 1, uint64_t(NumThreads) * PartsPerThread,
                          GridPart::MaxParts});
  for (uint64_t I = 0; I < Count; ++I) {
    auto &Each = Parts.emplace_back(std::make_unique<Part>(Grid, uint32_t(I)));
    Each->Begin = 1 + (NumBlocks - 1) * I / Count;
    Each->End = 1 + (NumBlocks - 1) * (I + 1) / Count;
  }
  NumInstructions = First;
  runParts();
  NumInstructions = First;
  if (!Grid.isBroken() && isWithinLimit()) {
    putTogether(Whole);
    return Whole;
  }
  for (auto &Each : Parts)
    Each->Writes.undo();
  append(Whole, runBlocks(1, NumBlocks, Memory, Rest));
  return Whole;
}

RunResult runOnCores(const Program &P, const Launch &L, DeviceMemory &Memory,
                     const ExecutorOptions &Options, unsigned NumThreads) {
  BlockTeam Team(P, L, Memory, Options, NumThreads);
  return Team.isUseful() ? Team.run() : run(P, L, Memory, Options);
}

} // namespace cudaopt::simt
