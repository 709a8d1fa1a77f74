// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Runs both kernels on the same terms, or on the same numbers, and compares
/// all bytes that they leave.
//===----------------------------------------------------------------------===//

#include "cudaopt/Equivalence/Equivalence.h"
#include "AddressResults.h"
#include "ResultDifference.h"
#include "Unmodelled.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace cudaopt;
using namespace cudaopt::simt;
using namespace llvm;

StringRef cudaopt::nameOf(VerdictKind Kind) {
  switch (Kind) {
  case VerdictKind::ProvedEqual:
    return "ProvedEqual";
  case VerdictKind::EqualOn:
    return "EqualOn";
  case VerdictKind::Different:
    return "Different";
  case VerdictKind::OriginalIsBroken:
    return "OriginalIsBroken";
  case VerdictKind::Unsupported:
    return "Unsupported";
  }
  llvm_unreachable("unknown verdict");
}

namespace {

/// Compares one kernel of two images at one shape.
class Comparison {
public:
  Comparison(KernelSide &Original, KernelSide &Rewritten,
             const std::vector<ScalarSlot> &Slots,
             const EquivalenceOptions &Options)
      : Original(Original), Rewritten(Rewritten), Slots(Slots),
        Options(Options), Unmodelled(findUnmodelled(Original.P)) {
    if (Unmodelled.empty())
      Unmodelled = findUnmodelled(Rewritten.P);
  }

  Verdict compare(const LaunchInput &Input);
  /// Returns true if the last launch says nothing about the rewrite, since the
  /// original has a defect there or does not run.
  bool isVoid() const { return IsVoid; }

private:
  /// Compares on terms; std::nullopt if data decide the control flow or an
  /// address, so that terms do not.
  std::optional<Verdict> compareTerms(const LaunchInput &Input,
                                      bool KeepsInitialValues);
  /// Compares on random numbers, with several inputs and orders of warps.
  Verdict compareNumbers(const LaunchInput &Input);
  /// Returns why a run of the original cannot be compared, std::nullopt if it
  /// can. \p Terms is null for a run on numbers.
  std::optional<Verdict> judgeOriginal(const SideResult &Before,
                                       const TermTable *Terms) const;
  /// Returns what the run of the rewritten kernel did wrong, apart from its
  /// results.
  std::optional<Verdict> judgeRewritten(const SideResult &Before,
                                        const SideResult &After) const;
  /// Returns what is wrong with the rewritten kernel, results included;
  /// std::nullopt if nothing is.
  std::optional<Verdict> findFault(const SideResult &Before,
                                   const SideResult &After,
                                   const TermTable *Terms) const;
  /// The same, but OriginalIsBroken if the difference is only another outcome
  /// of a race that the original has.
  std::optional<Verdict> explainFault(const SideResult &Before,
                                      const SideResult &After,
                                      const LaunchInput &Input,
                                      LaunchBuffers &Buffers,
                                      const DataSource &Data);
  /// Returns the verdict for terms that are equal: a proof, unless something
  /// limits it.
  Verdict judgeProof(const LaunchInput &Input, const SideResult &Before,
                     const SideResult &After) const;
  /// Returns a text if the rewritten kernel needs an address to be a multiple
  /// of more bytes than the original does, else an empty string.
  std::string findNewAlignment(const SideResult &Before,
                               const SideResult &After) const;

  KernelSide &Original, &Rewritten;
  const std::vector<ScalarSlot> &Slots;
  const EquivalenceOptions &Options;
  /// The first such operation of either side, or empty.
  std::string Unmodelled;
  AccessCost Before, After; ///< The cost of shared memory at the last launch.
  bool IsVoid = false;
};

} // namespace

//===----------------------------------------------------------------------===//
// Verdicts
//===----------------------------------------------------------------------===//

/// Returns a finding of a kind that the original does not show, errors first,
/// or null: the rewrite must not add a kind of defect.
static const Finding *findNew(const Observations &Before,
                              const Observations &After) {
  if (const Finding *Error = findError(After))
    return Error; // A comparable original has none.
  const Finding *Uninitialised = findUninitialised(After);
  if (Uninitialised && !findUninitialised(Before))
    return Uninitialised;
  for (const Finding &F : After.Findings)
    if (none_of(Before.Findings,
                [&](const Finding &Known) { return Known.Kind == F.Kind; }))
      return &F;
  return nullptr;
}

std::optional<Verdict> Comparison::judgeOriginal(const SideResult &Result,
                                                 const TermTable *Terms) const {
  if (Result.Run.Status == RunStatus::Unsupported ||
      Result.Run.Status == RunStatus::DataDependent)
    return makeVerdict(VerdictKind::Unsupported,
                       Original.P.textOf(Result.Run.Where) + ": " +
                           Result.Run.Why);
  const Finding *Error = findError(Result.Run.Seen);
  if (Error && Error->Kind == FindingKind::NoProgress)
    return makeVerdict(VerdictKind::Unsupported,
                       formatv("it takes more than {0} warp instructions",
                               Options.MaxWarpInstructions));
  if (Error)
    return makeVerdict(VerdictKind::OriginalIsBroken,
                       format(*Error, Original.P));
  if (Result.Run.Status == RunStatus::Stopped)
    return makeVerdict(VerdictKind::Unsupported, "it does not end");
  // On terms, an uninitialised read matters only if it shows in a result. On
  // numbers that cannot be told.
  const Finding *Uninitialised = findUninitialised(Result.Run.Seen);
  if (Uninitialised && (!Terms || showsUndefined(Result, *Terms)))
    return makeVerdict(VerdictKind::OriginalIsBroken,
                       format(*Uninitialised, Original.P));
  return std::nullopt;
}

std::optional<Verdict>
Comparison::judgeRewritten(const SideResult &Before,
                           const SideResult &After) const {
  if (After.Run.Status == RunStatus::Unsupported ||
      After.Run.Status == RunStatus::DataDependent)
    return makeVerdict(VerdictKind::Unsupported,
                       Rewritten.P.textOf(After.Run.Where) + ": " +
                           After.Run.Why);
  if (const Finding *F = findNew(Before.Run.Seen, After.Run.Seen))
    return makeVerdict(VerdictKind::Different, format(*F, Rewritten.P));
  if (After.Run.Status == RunStatus::Stopped)
    return makeVerdict(VerdictKind::Different, "it does not end");
  return std::nullopt;
}

/// Returns the limit of warp instructions for the rewritten kernel: it may take
/// longer than the original, but must end.
static uint64_t limitOf(const SideResult &Before) {
  return Before.Run.Seen.WarpInstructions * 16 + 1'000'000;
}

/// The made-up buffers are aligned to 256 bytes, so that the runs themselves do
/// not notice a greater need: a float2 access where the original used floats.
std::string Comparison::findNewAlignment(const SideResult &Before,
                                         const SideResult &After) const {
  auto Text = [](const Contents &Old, const Contents &New, StringRef Name) {
    if (New.NeededAlignment <= Old.NeededAlignment)
      return std::string();
    return formatv("equal where the address of '{0}' is a multiple of {1}, of "
                   "which the original needs {2},",
                   Name, New.NeededAlignment, Old.NeededAlignment)
        .str();
  };
  for (size_t I = 0; I != Slots.size(); ++I)
    if (std::string Result =
            Text(Before.Buffers[I], After.Buffers[I], Slots[I].Name);
        !Result.empty())
      return Result;
  for (const auto &[Name, Old] : Before.Variables)
    if (std::string Result = Text(Old, After.Variables.at(Name), Name);
        !Result.empty())
      return Result;
  return "";
}

Verdict Comparison::judgeProof(const LaunchInput &Input,
                               const SideResult &Before,
                               const SideResult &After) const {
  if (!Unmodelled.empty())
    return makeVerdict(VerdictKind::EqualOn,
                       formatv("equal in the 2 orders of warps tried (others "
                               "may differ, because of {0})",
                               Unmodelled));
  if (std::string Text = findNewAlignment(Before, After); !Text.empty())
    return makeVerdict(VerdictKind::EqualOn, Text);
  StringRef Numbers =
      Before.UsedNumbers.empty() ? After.UsedNumbers : Before.UsedNumbers;
  if (!Numbers.empty())
    return makeVerdict(
        VerdictKind::EqualOn,
        formatv("equal{0}, with variable '{1}' as it is initialised,",
                Input.isSample() ? " in a sample of the blocks" : "", Numbers));
  if (Input.isSample())
    return makeVerdict(VerdictKind::EqualOn, "equal in a sample of the blocks");
  return makeVerdict(VerdictKind::ProvedEqual, "proved equal for all data");
}

std::optional<Verdict> Comparison::findFault(const SideResult &Before,
                                             const SideResult &After,
                                             const TermTable *Terms) const {
  if (auto V = judgeRewritten(Before, After))
    return V;
  if (auto V = findDifference(Before, After, Slots, Terms))
    return V;
  if (!Terms || !(Original.usesAddresses() || Rewritten.usesAddresses()))
    return std::nullopt;
  for (const SideResult *Side : {&Before, &After})
    if (std::string Text = findAddressNumber(*Side, Slots, *Terms);
        !Text.empty())
      return makeVerdict(VerdictKind::Unsupported, Text);
  return std::nullopt;
}

/// The made-up arguments may send many threads to the same byte of global
/// memory, where the order of warps decides which value stays. The original
/// therefore runs again with a detector of races on global memory; bytes that
/// race are then left out of the comparison.
std::optional<Verdict> Comparison::explainFault(const SideResult &Before,
                                                const SideResult &After,
                                                const LaunchInput &Input,
                                                LaunchBuffers &Buffers,
                                                const DataSource &Data) {
  std::optional<Verdict> Fault = findFault(Before, After, Data.Terms);
  if (!Fault || Fault->Kind != VerdictKind::Different)
    return Fault;
  DataSource Checked = Data;
  Checked.ChecksGlobalRaces = true;
  SideResult Again =
      Original.run(Slots, Input, Buffers, Checked, limitOf(Before));
  const Finding *Race = findRace(Again.Run.Seen);
  if (!Race || (!Again.ReadsUnordered && findFault(Again, After, Data.Terms)))
    return Fault;
  return makeVerdict(VerdictKind::OriginalIsBroken, format(*Race, Original.P));
}

std::optional<Verdict> Comparison::compareTerms(const LaunchInput &Input,
                                                bool KeepsInitialValues) {
  TermTable Terms;
  LaunchBuffers Buffers(Slots, Input, /*Slack=*/false);
  DataSource Symbols{&Terms};
  Symbols.KeepsInitialValues = KeepsInitialValues;
  SideResult Before =
      Original.run(Slots, Input, Buffers, Symbols, Options.MaxWarpInstructions);
  if (Before.Run.Status == RunStatus::DataDependent)
    return std::nullopt;
  if (auto V = judgeOriginal(Before, &Terms))
    return V;

  SideResult After =
      Rewritten.run(Slots, Input, Buffers, Symbols, limitOf(Before));
  if (After.Run.Status == RunStatus::DataDependent)
    return std::nullopt;
  if (auto V = explainFault(Before, After, Input, Buffers, Symbols))
    return V;
  this->Before = simt::totalOf(Before.Run.Seen.Shared);
  this->After = simt::totalOf(After.Run.Seen.Shared);

  // Once more with the warps in the other order: threads may communicate
  // through global memory without a barrier, so that one order proves nothing.
  // In most kernels the result is the same, and the original need not run
  // again.
  Symbols.Schedule = DescendingSchedule;
  SideResult Reverse =
      Rewritten.run(Slots, Input, Buffers, Symbols, limitOf(Before));
  if (findFault(After, Reverse, &Terms)) {
    SideResult Same = Original.run(Slots, Input, Buffers, Symbols,
                                   Options.MaxWarpInstructions);
    if (Same.Run.Status == RunStatus::DataDependent ||
        Reverse.Run.Status == RunStatus::DataDependent)
      return std::nullopt;
    if (auto V = judgeOriginal(Same, &Terms))
      return V;
    if (auto V = explainFault(Same, Reverse, Input, Buffers, Symbols))
      return V;
  }
  return judgeProof(Input, Before, After);
}

Verdict Comparison::compareNumbers(const LaunchInput &Input) {
  LaunchBuffers Buffers(Slots, Input, /*Slack=*/true);
  unsigned NumInputs = 0;
  std::optional<Verdict> WhyNot;
  for (uint64_t Number = 0; Number <= Options.NumInputs; ++Number) {
    const bool IsWild = Number == Options.NumInputs;
    const uint64_t Seed = IsWild ? WildSeed : Number;
    // The last input is wild (NaN, infinities, extreme integers), which may
    // make a loop endless: its limit is near what the dry run took.
    const uint64_t Limit = IsWild ? 1'000'000 + Input.WarpInstructions
                                  : Options.MaxWarpInstructions;
    bool IsUsable = true;
    for (uint64_t Schedule = 0; Schedule != Options.NumSchedules; ++Schedule) {
      TermTable Addresses;
      DataSource Numbers{nullptr, Seed, Schedule};
      if (Original.usesAddresses() || Rewritten.usesAddresses()) {
        Numbers.Terms = &Addresses;
        Numbers.HoldsNumbers = true;
      }
      SideResult Before = Original.run(Slots, Input, Buffers, Numbers, Limit);
      auto Why = judgeOriginal(Before, nullptr);
      SideResult After;
      if (!Why) {
        After = Rewritten.run(Slots, Input, Buffers, Numbers, limitOf(Before));
        Why = explainFault(Before, After, Input, Buffers, Numbers);
      }
      // A dependence on the number of an address is no matter of the input:
      // other data would not change what the address is used for.
      if (Why && (Why->Kind == VerdictKind::Different ||
                  Before.Run.Status == RunStatus::DataDependent ||
                  After.Run.Status == RunStatus::DataDependent))
        return *Why;
      if (Why) {
        WhyNot = std::move(Why);
        IsUsable = false;
        break;
      }
      this->Before = simt::totalOf(Before.Run.Seen.Shared);
      this->After = simt::totalOf(After.Run.Seen.Shared);
    }
    NumInputs += IsUsable;
  }
  if (NumInputs)
    return makeVerdict(VerdictKind::EqualOn,
                       formatv("equal on {0} inputs in {1} orders of warps",
                               NumInputs, Options.NumSchedules));
  // The made-up numbers may be at fault, for example where they are indices.
  IsVoid = true;
  WhyNot->Kind = VerdictKind::Unsupported;
  WhyNot->Detail =
      "no inputs were found for which the original runs: " + WhyNot->Detail;
  return *WhyNot;
}

Verdict Comparison::compare(const LaunchInput &Input) {
  IsVoid = false;
  std::optional<Verdict> V = compareTerms(Input, /*KeepsInitialValues=*/false);
  if (!V && Original.hasInitialValues())
    V = compareTerms(Input, /*KeepsInitialValues=*/true);
  if (!V)
    V = compareNumbers(Input);
  IsVoid |= V->Kind == VerdictKind::OriginalIsBroken;
  V->NumLaunches = 1;
  V->Before = Before;
  V->After = After;
  return *V;
}

//===----------------------------------------------------------------------===//
// All launches
//===----------------------------------------------------------------------===//

namespace {

/// Combines the verdicts of several launches into one.
class Summary {
public:
  /// Takes a verdict; the worst one is kept.
  void add(Verdict V, StringRef LaunchText) {
    if (NumLaunches == 0) {
      Cost = V;
      FirstLaunch = LaunchText.str();
    } else if (LaunchText.contains("(assumed")) {
      AnyAssumed = true;
    }
    NumLaunches += V.NumLaunches;
    // A bad verdict names the launch that shows it, a good one all launches.
    if (V.Kind == VerdictKind::Different)
      V.Detail += (" at " + LaunchText).str();
    if (!HasWorst || V.Kind > Worst.Kind)
      Worst = std::move(V);
    HasWorst = true;
  }
  /// Takes the verdict of a launch that the program perhaps never makes. It
  /// counts only if
  /// there is no other.
  void addDoubt(Verdict V) {
    if (!Doubt)
      Doubt = std::move(V);
  }
  VerdictKind kind() const { return Worst.Kind; }

  Verdict take() {
    if (!HasWorst && Doubt)
      add(std::move(*Doubt), "");
    if (Worst.Kind <= VerdictKind::EqualOn) {
      Worst.Detail += " at " + FirstLaunch;
      if (NumLaunches > 1)
        Worst.Detail +=
            formatv(" and {0} more launch{1}{2}", NumLaunches - 1,
                    NumLaunches == 2 ? "" : "es",
                    AnyAssumed && !StringRef(FirstLaunch).contains("(assumed")
                        ? ", some of assumed shapes"
                        : "");
    }
    Worst.NumLaunches = NumLaunches;
    Worst.Before = Cost.Before;
    Worst.After = Cost.After;
    return std::move(Worst);
  }

private:
  Verdict Worst, Cost;
  std::optional<Verdict> Doubt;
  std::string FirstLaunch;
  unsigned NumLaunches = 0;
  bool HasWorst = false, AnyAssumed = false;
};

} // namespace

/// Returns why the results of \p P can never equal those of a changed program;
/// an empty string if they can.
static StringRef findUnrepeatable(const Program &P) {
  for (const Block &B : P.Blocks)
    for (const Operation &Op : B.Operations)
      if (Op.Code == Opcode::Clock)
        return "it reads the clock, which every change of the code changes";
  return "";
}

Verdict cudaopt::compareKernels(DeviceImage &Original,
                                DeviceMemory &OriginalMemory,
                                DeviceImage &Rewritten,
                                DeviceMemory &RewrittenMemory, StringRef Name,
                                ArrayRef<LaunchShape> Shapes,
                                const EquivalenceOptions &Options) {
  Expected<const Program &> First = Original.kernel(Name);
  if (!First)
    return makeVerdict(VerdictKind::Unsupported, toString(First.takeError()));
  Expected<const Program &> Second = Rewritten.kernel(Name);
  if (!Second)
    return makeVerdict(VerdictKind::Unsupported, toString(Second.takeError()));
  for (const Program *P : {&*First, &*Second})
    if (StringRef Why = findUnrepeatable(*P); !Why.empty())
      return makeVerdict(VerdictKind::Unsupported, Why.str());
  VariableNumbers Numbers;
  KernelSide Before(*First, OriginalMemory, Options, &Numbers);
  KernelSide After(*Second, RewrittenMemory, Options, &Numbers);
  const std::vector<ScalarSlot> Slots = findScalars(*First);
  Comparison C(Before, After, Slots, Options);

  Summary All;
  for (const LaunchShape &Shape : Shapes) {
    FoundInputs Found = findLaunchInputs(*First, OriginalMemory, Slots, Shape,
                                         Options, [&] { Before.restore(); });
    if (Found.Failure && Shape.IsAssumed)
      All.addDoubt(std::move(*Found.Failure));
    else if (Found.Failure)
      All.add(std::move(*Found.Failure), "");
    for (const auto &[Number, Input] : enumerate(Found.Inputs)) {
      Verdict V = C.compare(Input);
      // The first launch has the most natural arguments: if the original fails
      // there, it is broken, provided that the block is one that the program
      // launches. The other launches may pass integers that no caller passes.
      if (C.isVoid() && Number != 0)
        continue;
      if (C.isVoid() && Shape.IsAssumed) {
        All.addDoubt(std::move(V));
        break;
      }
      All.add(std::move(V), Input.text(Slots));
      if (All.kind() == VerdictKind::Different)
        break;
    }
  }
  Before.restore();
  After.restore();
  return All.take();
}
