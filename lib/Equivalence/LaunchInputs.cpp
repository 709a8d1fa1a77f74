// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Dry runs: the original runs on zeroed buffers that are so large (1 GiB, the
/// pointer in the middle) that nearly every index is inside. The ranges that it
/// touches become the buffers of the launch. The operating system backs only
/// touched pages of the large buffers with memory.
//===----------------------------------------------------------------------===//

#include "LaunchInputs.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cstring>
#include <sys/mman.h>

using namespace cudaopt;
using namespace cudaopt::simt;
using namespace llvm;

/// The most launches of a shape that are compared.
static constexpr size_t MaxInputs = 11;
/// The limit for all buffers of a launch together; each byte costs a tag of
/// eight.
static constexpr int64_t MaxBufferBytes = int64_t(1) << 25;
/// A launch shall take at most this part of the limit of warp instructions; if
/// it takes more, a sample of its blocks runs.
static constexpr uint64_t SampleShare = 64;

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

static uint64_t countBlocks(const LaunchShape &Shape) {
  return uint64_t(Shape.Grid[0]) * Shape.Grid[1] * Shape.Grid[2];
}

/// Gives an unknown grid two blocks in each dimension whose block index the
/// kernel reads, and one in the others.
static LaunchShape completeGrid(const Program &P, LaunchShape Shape) {
  std::array<bool, 3> IsRead = {};
  for (const Block &B : P.Blocks)
    for (const Operation &Op : B.Operations)
      if (Op.Code == Opcode::SpecialRegister)
        for (unsigned D = 0; D != 3; ++D)
          IsRead[D] |= Op.Variant == unsigned(SpecialReg::CtaIdX) + D;
  for (unsigned D = 0; D != 3; ++D)
    if (Shape.Grid[D] == 0) {
      Shape.Grid[D] = IsRead[D] ? 2 : 1;
      Shape.IsGridAssumed = true;
    }
  return Shape;
}

/// Returns the bits of the floating-point number 1 of \p Size bytes.
static uint64_t makeOne(uint32_t Size) {
  switch (Size) {
  case 2:
    return 0x3C00;
  case 4:
    return 0x3F800000;
  default:
    return 0x3FF0000000000000;
  }
}

/// Returns combinations of arguments, by slot. In most of them all integers
/// have the same value, one where the behaviour of kernels tends to change:
/// around the size of a warp, around the size of a block, the number of all
/// threads, 0 and -1. Two of them alternate width and height, for kernels in
/// two dimensions. In one, all integers differ, so that swapped ones are
/// noticed.
static std::vector<std::vector<uint64_t>>
makeValues(const std::vector<ScalarSlot> &Slots, const LaunchShape &Shape) {
  uint64_t X = Shape.Block[0], Width = X * Shape.Grid[0];
  uint64_t Height = uint64_t(Shape.Block[1]) * Shape.Grid[1];
  uint64_t Threads = countBlocks(Shape) * X * Shape.Block[1] * Shape.Block[2];
  struct Choice {
    uint64_t Even, Odd;
    uint64_t Step = 0; ///< Added from one integer to the next.
  };
  const Choice Choices[] = {{Width, Width},  {Threads, Threads},
                            {Width, Height}, {Height, Width},
                            {X, X},          {X + 1, X + 1},
                            {X - 1, X - 1},  {33, 33},
                            {32, 32},        {31, 31},
                            {1, 1},          {Width + 1, Width + 1},
                            {0, 0},          {~uint64_t(0), ~uint64_t(0)},
                            {X, X, 1}};
  std::vector<std::vector<uint64_t>> All;
  for (const Choice &C : Choices) {
    std::vector<uint64_t> Values;
    unsigned NumIntegers = 0;
    for (const ScalarSlot &S : Slots) {
      if (S.IsPointer)
        Values.push_back(0);
      else if (S.IsFloat)
        Values.push_back(makeOne(S.Size));
      else {
        uint64_t Value =
            (NumIntegers % 2 ? C.Odd : C.Even) + NumIntegers * C.Step;
        if (S.Size == 1) // It may be a bool.
          Value = C.Step ? popcount(NumIntegers) & 1 : Value & 1;
        ++NumIntegers;
        Values.push_back(Value);
      }
    }
    if (!is_contained(All, Values))
      All.push_back(std::move(Values));
  }
  return All;
}

bool LaunchInput::isSample() const {
  return !Blocks.empty() && Blocks.size() < countBlocks(Shape);
}

std::string LaunchInput::text(const std::vector<ScalarSlot> &Slots) const {
  auto Text = [](const std::array<uint32_t, 3> &Extent) {
    return formatv("({0},{1},{2})", Extent[0], Extent[1], Extent[2]).str();
  };
  std::string Result =
      "<<<" + Text(Shape.Grid) + "," + Text(Shape.Block) + ">>>";
  SmallVector<StringRef, 3> Assumed;
  if (Shape.IsGridAssumed)
    Assumed.push_back("grid");
  if (Shape.IsAssumed)
    Assumed.push_back("block");
  if (Shape.IsDynamicAssumed)
    Assumed.push_back("dynamic memory");
  if (!Assumed.empty())
    Result += " (assumed " + join(Assumed, ", ") + ")";
  if (isSample())
    Result +=
        formatv(" ({0} of {1} blocks)", Blocks.size(), countBlocks(Shape));
  constexpr unsigned MaxIntegers = 8; // Keeps the text readable.
  StringRef Separator = " with ";
  unsigned NumIntegers = 0;
  for (size_t I = 0; I != Slots.size(); ++I) {
    if (Slots[I].IsPointer || Slots[I].IsFloat)
      continue;
    if (NumIntegers++ == MaxIntegers)
      return Result + " and more";
    Result += formatv("{0}{1} = {2}", Separator, Slots[I].Name,
                      SignExtend64(Values[I], 8 * std::min(Slots[I].Size, 8u)));
    Separator = ", ";
  }
  return Result;
}

Launch cudaopt::makeLaunch(const Program &P,
                           const std::vector<ScalarSlot> &Slots,
                           const LaunchInput &Input,
                           const std::vector<PhysMemAddr> &Addresses) {
  Launch L;
  L.Grid = Input.Shape.Grid;
  L.Block = Input.Shape.Block;
  L.DynamicShared = Input.Shape.DynamicShared;
  L.Blocks = Input.Blocks;
  for (const Parameter &Param : P.Parameters)
    L.Arguments.push_back({std::vector<Byte>(Param.Size), 0});
  for (size_t I = 0; I != Slots.size(); ++I) {
    const ScalarSlot &S = Slots[I];
    uint64_t Value = S.IsPointer ? Addresses[I] : Input.Values[I];
    std::memcpy(&L.Arguments[S.Parameter].Bytes[S.Offset], &Value,
                std::min<size_t>(S.Size, sizeof(Value)));
  }
  return L;
}

//===----------------------------------------------------------------------===//
// Dry runs
//===----------------------------------------------------------------------===//

namespace {

/// A buffer of 1 GiB for each pointer, which takes memory only where it is
/// touched; the pointer is in the middle.
class HugeBuffers {
public:
  HugeBuffers(DeviceMemory &Memory, const std::vector<ScalarSlot> &Slots);
  ~HugeBuffers();
  HugeBuffers(const HugeBuffers &) = delete;
  HugeBuffers &operator=(const HugeBuffers &) = delete;

  /// Returns false if there was no address space for some buffer.
  bool isComplete() const { return Complete; }
  /// Zeroes the buffers and forgets what was touched.
  void clear();
  /// The pointers, and the bytes touched relative to them, by slot.
  std::vector<PhysMemAddr> addresses() const;
  std::vector<LaunchInput::Range> ranges() const;

private:
  static constexpr int64_t Size = int64_t(1) << 30;
  DeviceMemory &Memory;
  /// Indexed by slot, or null.
  std::vector<DeviceMemory::Allocation *> Buffers;
  bool Complete = true;
};

/// The dry run of one combination of arguments.
struct DryRun {
  /// Clean: no error. OutOfReach: an error that the arguments may have caused.
  /// Broken: a defect of the kernel (isDefect). Unsupported: not modelled, or
  /// data decide.
  enum class Result { Clean, OutOfReach, Broken, Unsupported };
  unsigned Number = 0; ///< The position in the order of trial.
  Result Kind = Result::Clean;
  /// The first error of a run that is not clean.
  FindingKind Finding = {};
  std::string Text; ///< What is wrong.
  LaunchInput Input;
};

/// Finds the launches of one shape.
class InputFinder {
public:
  InputFinder(const Program &P, DeviceMemory &Memory,
              const std::vector<ScalarSlot> &Slots,
              const EquivalenceOptions &Options,
              const std::function<void()> &Restore)
      : P(P), Slots(Slots), Options(Options), Restore(Restore),
        Buffers(Memory, Slots), Memory(Memory) {}

  FoundInputs find(const LaunchShape &Shape);

private:
  DryRun tryValues(const LaunchShape &Shape, std::vector<uint64_t> Values);
  void execute(DryRun &Run);
  void chooseBlocks(LaunchInput &Input, uint64_t CostOfBlock) const;
  FoundInputs choose(std::vector<DryRun> Runs) const;

  const Program &P;
  const std::vector<ScalarSlot> &Slots;
  const EquivalenceOptions &Options;
  const std::function<void()> &Restore;
  HugeBuffers Buffers;
  DeviceMemory &Memory;
  uint64_t Limit = 0; ///< The warp instructions that a dry run may take.
};

} // namespace

HugeBuffers::HugeBuffers(DeviceMemory &Memory,
                         const std::vector<ScalarSlot> &Slots)
    : Memory(Memory) {
  for (const ScalarSlot &S : Slots) {
    Buffers.push_back(nullptr);
    if (!S.IsPointer)
      continue;
    void *Data = mmap(nullptr, Size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (Data != MAP_FAILED)
      Buffers.back() = Memory.adopt(StateSpace::Global, Data, Size, S.Name);
    Complete &= Buffers.back() != nullptr;
  }
}

HugeBuffers::~HugeBuffers() {
  for (DeviceMemory::Allocation *A : Buffers) {
    if (!A)
      continue;
    Byte *Data = A->Data;
    Memory.release(A->Address);
    munmap(Data, Size);
  }
}

void HugeBuffers::clear() {
  for (DeviceMemory::Allocation *A : Buffers) {
    if (!A)
      continue;
    madvise(A->Data, Size, MADV_DONTNEED); // Zeroes private memory.
    A->TouchedBegin = INT64_MAX;
    A->TouchedEnd = INT64_MIN;
  }
}

std::vector<PhysMemAddr> HugeBuffers::addresses() const {
  std::vector<PhysMemAddr> Result;
  for (const DeviceMemory::Allocation *A : Buffers)
    Result.push_back(A ? A->Address + Size / 2 : 0);
  return Result;
}

std::vector<LaunchInput::Range> HugeBuffers::ranges() const {
  std::vector<LaunchInput::Range> Result;
  for (const DeviceMemory::Allocation *A : Buffers) {
    Result.emplace_back();
    if (A && A->TouchedBegin < A->TouchedEnd)
      Result.back() = {A->TouchedBegin - Size / 2, A->TouchedEnd - Size / 2};
  }
  return Result;
}

bool cudaopt::isDefect(FindingKind Kind) {
  switch (Kind) {
  case FindingKind::Race:
  case FindingKind::PendingCopy:
  case FindingKind::DivergentBarrier:
  case FindingKind::BarrierMismatch:
  case FindingKind::BarrierDeadlock:
  case FindingKind::InactiveLane:
  case FindingKind::WarpMask:
    return true;
  default:
    return false;
  }
}

/// Runs the launch of \p Run and records how it went.
void InputFinder::execute(DryRun &Run) {
  Restore();
  Buffers.clear();
  ExecutorOptions Executor;
  Executor.CheckRaces = Options.CheckRaces;
  // Uninitialised reads matter only if a result shows them, which a dry run
  // cannot tell.
  Executor.CheckInitialisation = false;
  Executor.CountBanks = false;
  Executor.MaxWarpInstructions = Limit;
  RunResult Result =
      run(P, makeLaunch(P, Slots, Run.Input, Buffers.addresses()), Memory,
          Executor);
  Run.Input.WarpInstructions = Result.Seen.WarpInstructions;
  Run.Input.Ranges = Buffers.ranges();
  Run.Kind = DryRun::Result::Clean;
  if (Result.Status == RunStatus::Unsupported ||
      Result.Status == RunStatus::DataDependent) {
    Run.Kind = DryRun::Result::Unsupported;
    Run.Text = P.textOf(Result.Where) + ": " + Result.Why;
    return;
  }
  for (const Finding &F : Result.Seen.Findings) {
    if (!isError(F.Kind))
      continue;
    Run.Kind =
        isDefect(F.Kind) ? DryRun::Result::Broken : DryRun::Result::OutOfReach;
    Run.Finding = F.Kind;
    Run.Text = format(F, P);
    return;
  }
}

/// Selects as many blocks as fit into the launch's share of the limit, evenly
/// spaced: the first, the last, and some between. Selects none, which means
/// all, if all fit.
void InputFinder::chooseBlocks(LaunchInput &Input, uint64_t CostOfBlock) const {
  uint64_t NumBlocks = countBlocks(Input.Shape);
  uint64_t Wanted = Options.MaxWarpInstructions / SampleShare /
                    std::max<uint64_t>(CostOfBlock, 1);
  Wanted = std::max<uint64_t>(Wanted, 2);
  Input.Blocks.clear();
  if (Wanted >= NumBlocks)
    return;
  for (uint64_t I = 0; I != Wanted; ++I)
    Input.Blocks.push_back(I * (NumBlocks - 1) / (Wanted - 1));
}

static bool fitsBuffers(const LaunchInput &Input) {
  int64_t Bytes = 0;
  for (const LaunchInput::Range &R : Input.Ranges)
    Bytes += R.End - R.Begin;
  return Bytes <= MaxBufferBytes;
}

/// Makes a dry run of one block to learn its cost, then one of the launch that
/// this cost allows. If that touches too much memory, a few adjacent blocks run
/// instead.
DryRun InputFinder::tryValues(const LaunchShape &Shape,
                              std::vector<uint64_t> Values) {
  DryRun Run;
  Run.Input.Shape = Shape;
  Run.Input.Values = std::move(Values);
  Run.Input.Blocks = {0};
  execute(Run);
  if (Run.Kind == DryRun::Result::Unsupported ||
      Run.Kind == DryRun::Result::OutOfReach)
    return Run;
  chooseBlocks(Run.Input, Run.Input.WarpInstructions);
  if (countBlocks(Shape) > 1)
    execute(Run);
  if (fitsBuffers(Run.Input))
    return Run;
  // A few adjacent blocks touch less memory than scattered ones.
  Run.Input.Blocks.resize(std::min<uint64_t>(countBlocks(Shape), 4));
  for (auto [Number, Linear] : enumerate(Run.Input.Blocks))
    Linear = Number;
  execute(Run);
  if (!fitsBuffers(Run.Input)) {
    Run.Kind = DryRun::Result::Unsupported;
    Run.Text = formatv("its blocks touch more than {0} MiB of global memory",
                       MaxBufferBytes >> 20);
  }
  return Run;
}

static uint64_t costOfBlock(const LaunchInput &Input) {
  uint64_t NumBlocks =
      Input.Blocks.empty() ? countBlocks(Input.Shape) : Input.Blocks.size();
  return Input.WarpInstructions / NumBlocks;
}

/// Moves the run with the most natural arguments to the front of \p Runs, which
/// are sorted by decreasing work. A problem of natural size keeps all threads
/// busy, but is not always the run with the most work, since a branch that
/// diverges within a warp costs a little more. So the run is the one that was
/// tried first among those within a quarter of the most work.
static void moveNaturalFirst(std::vector<DryRun> &Runs) {
  if (Runs.empty())
    return;
  auto Natural = Runs.begin();
  uint64_t Most = costOfBlock(Natural->Input);
  for (auto Run = Runs.begin(); Run != Runs.end(); ++Run)
    if (costOfBlock(Run->Input) >= Most - Most / 4 &&
        Run->Number < Natural->Number)
      Natural = Run;
  std::rotate(Runs.begin(), Natural, std::next(Natural));
}

/// Returns why nothing can be compared, given the first run, if no run was
/// clean.
static Verdict explain(const DryRun &First) {
  Verdict V;
  V.Detail = First.Text;
  if (First.Kind == DryRun::Result::Unsupported)
    return V;
  if (First.Finding == FindingKind::NoProgress ||
      isOutsideAllocations(First.Finding))
    V.Detail = "no arguments were found for which it runs: " + First.Text;
  else
    V.Kind = VerdictKind::OriginalIsBroken;
  return V;
}

/// Selects the launches to compare from all dry runs.
FoundInputs InputFinder::choose(std::vector<DryRun> Runs) const {
  FoundInputs Found;
  const DryRun First = Runs.front();
  erase_if(Runs, [](const DryRun &Run) {
    return Run.Kind == DryRun::Result::OutOfReach ||
           Run.Kind == DryRun::Result::Unsupported;
  });
  sort(Runs, [](const DryRun &A, const DryRun &B) {
    return std::pair(costOfBlock(B.Input), A.Number) <
           std::pair(costOfBlock(A.Input), B.Number);
  });
  moveNaturalFirst(Runs);
  if (Runs.empty() || Runs.front().Kind == DryRun::Result::Broken) {
    const DryRun &Worst = Runs.empty() ? First : Runs.front();
    Found.Failure = explain(Worst);
    if (Worst.Kind != DryRun::Result::Unsupported && fitsBuffers(Worst.Input))
      Found.Broken = Worst.Input;
    return Found;
  }
  // The first one, and of the others as many as the limit allows, from the
  // cheapest on.
  uint64_t Total = 0;
  for (size_t I = 0; I != Runs.size() && Found.Inputs.size() < MaxInputs; ++I) {
    DryRun &Run = Runs[I == 0 ? 0 : Runs.size() - I];
    Total += Run.Input.WarpInstructions;
    if (Run.Kind == DryRun::Result::Clean &&
        (I == 0 || Total <= Options.MaxWarpInstructions / 2))
      Found.Inputs.push_back(std::move(Run.Input));
  }
  return Found;
}

FoundInputs InputFinder::find(const LaunchShape &Shape) {
  FoundInputs Found;
  if (!Buffers.isComplete()) {
    Found.Failure.emplace();
    Found.Failure->Detail = "no address space is left for its buffers";
    return Found;
  }
  auto Values = makeValues(Slots, Shape);
  Limit = Options.MaxWarpInstructions / Values.size();
  std::vector<DryRun> Runs;
  for (auto [Number, V] : enumerate(Values)) {
    Runs.push_back(tryValues(Shape, std::move(V)));
    Runs.back().Number = Number;
  }
  Restore();
  return choose(std::move(Runs));
}

FoundInputs cudaopt::findLaunchInputs(const Program &P, DeviceMemory &Memory,
                                      const std::vector<ScalarSlot> &Slots,
                                      const LaunchShape &Shape,
                                      const EquivalenceOptions &Options,
                                      const std::function<void()> &Restore) {
  return InputFinder(P, Memory, Slots, Options, Restore)
      .find(completeGrid(P, Shape));
}
