// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Runs both sides on the same terms, or on the same numbers, and compares all
/// bytes that they leave.
//===----------------------------------------------------------------------===//

#include "cudaopt/Verify/Equivalence.h"
#include "KernelSide.h"

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

/// A byte of a result: a number, or byte Index of a term.
struct ByteValue {
  TermId Term = 0;
  unsigned Index = 0; ///< If there is no term, the number.
  bool operator==(const ByteValue &) const = default;
};

/// Compares one kernel of two images at one shape.
class Comparison {
public:
  Comparison(KernelSide &Original, KernelSide &Rewritten,
             const std::vector<ScalarSlot> &Slots,
             const EquivalenceOptions &Options)
      : Original(Original), Rewritten(Rewritten), Slots(Slots),
        Options(Options) {}

  Verdict compare(const LaunchInput &Input);

private:
  /// Nothing if data decide: then terms do not.
  std::optional<Verdict> compareTerms(const LaunchInput &Input,
                                      bool KeepsInitialValues);
  Verdict compareNumbers(const LaunchInput &Input);
  std::optional<Verdict> judgeOriginal(const SideResult &Before) const;
  std::optional<Verdict> judgeRewritten(const SideResult &Before,
                                        const SideResult &After) const;
  /// What is wrong with the rewritten kernel, if anything is.
  std::optional<Verdict> findFault(const SideResult &Before,
                                   const SideResult &After,
                                   const TermTable *Terms) const;
  std::string findDifference(const SideResult &Before, const SideResult &After,
                             const TermTable *Terms) const;
  std::string findDifference(const Contents &Before, const Contents &After,
                             StringRef Name, unsigned Width,
                             const TermTable *Terms) const;

  KernelSide &Original, &Rewritten;
  const std::vector<ScalarSlot> &Slots;
  const EquivalenceOptions &Options;
  AccessCost Before, After; ///< Of the last launch.
};

} // namespace

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static unsigned bytesOf(const TermTable &Terms, TermId Id) {
  const TermTable::Term &T = Terms[Id];
  switch (T.Operator.What) {
  case TermOperator::Kind::Byte:
  case TermOperator::Kind::Undefined:
    return 1;
  case TermOperator::Kind::Bytes:
    return bytesOf(Terms, T.A) + bytesOf(Terms, T.B);
  default:
    return (T.Operator.Bits + 7) / 8;
  }
}

/// What byte \p I of \p C is. Terms that only glue or cut bytes are looked
/// through: they tell how a byte was moved, not what it is.
static ByteValue valueAt(const Contents &C, size_t I, const TermTable *Terms) {
  if (C.Tags.empty() || C.Tags[I] == 0)
    return {0, C.Bytes[I]};
  ByteValue V{static_cast<TermId>(C.Tags[I] >> 8),
          static_cast<unsigned>(C.Tags[I] & 0xFF)};
  while (true) {
    const TermTable::Term &T = (*Terms)[V.Term];
    switch (T.Operator.What) {
    case TermOperator::Kind::Byte:
      V = {T.A, T.B};
      continue;
    case TermOperator::Kind::Bytes:
      if (unsigned Low = bytesOf(*Terms, T.A); V.Index < Low)
        V.Term = T.A;
      else
        V = {T.B, V.Index - Low};
      continue;
    case TermOperator::Kind::Constant: {
      uint64_t Number = uint64_t(T.B) << 32 | T.A;
      return {0, static_cast<unsigned>(Number >> (8 * V.Index) & 0xFF)};
    }
    default:
      return V;
    }
  }
}

static std::string textOf(const Contents &C, size_t Begin, unsigned Width,
                          const TermTable *Terms) {
  if (ByteValue V = valueAt(C, Begin, Terms); V.Term)
    return Terms->text(V.Term);
  uint64_t Number = 0;
  for (unsigned I = 0; I != Width && Begin + I < C.Bytes.size(); ++I)
    Number |= uint64_t(C.Bytes[Begin + I]) << (8 * I);
  return formatv("{0:x}", Number);
}

std::string Comparison::findDifference(const Contents &Before,
                                       const Contents &After, StringRef Name,
                                       unsigned Width,
                                       const TermTable *Terms) const {
  for (size_t I = 0; I != Before.Bytes.size(); ++I) {
    if (valueAt(Before, I, Terms) == valueAt(After, I, Terms))
      continue;
    size_t Begin = I - I % Width;
    return formatv("byte {0} of '{1}' becomes {2} instead of {3}", I, Name,
                   textOf(After, Begin, Width, Terms),
                   textOf(Before, Begin, Width, Terms));
  }
  return "";
}

/// Returns the first byte that differs, or nothing.
std::string Comparison::findDifference(const SideResult &Before,
                                       const SideResult &After,
                                       const TermTable *Terms) const {
  for (size_t I = 0; I != Slots.size(); ++I)
    if (std::string Text =
            findDifference(Before.Buffers[I], After.Buffers[I], Slots[I].Name,
                           Slots[I].ElementSize, Terms);
        !Text.empty())
      return Text;
  for (const auto &[Name, Contents] : Before.Variables) {
    auto Other = After.Variables.find(Name);
    if (Other == After.Variables.end() ||
        Other->second.Bytes.size() != Contents.Bytes.size())
      return formatv("variable '{0}' is no longer there", Name);
    if (std::string Text =
            findDifference(Contents, Other->second, Name, 4, Terms);
        !Text.empty())
      return Text;
  }
  if (Before.Printed != After.Printed)
    return "it prints something else";
  return "";
}

//===----------------------------------------------------------------------===//
// Verdicts
//===----------------------------------------------------------------------===//

static Verdict makeVerdict(VerdictKind Kind, std::string Detail) {
  Verdict V;
  V.Kind = Kind;
  V.Detail = std::move(Detail);
  return V;
}

/// The first finding of a kind that the original does not show, the worst ones
/// first: what the original does not do the rewrite must not.
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

/// Returns why a run cannot be compared, or nothing.
std::optional<Verdict>
Comparison::judgeOriginal(const SideResult &Result) const {
  if (Result.Run.Status == RunStatus::Unsupported)
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
  return std::nullopt;
}

std::optional<Verdict>
Comparison::judgeRewritten(const SideResult &Before,
                           const SideResult &After) const {
  if (After.Run.Status == RunStatus::Unsupported)
    return makeVerdict(VerdictKind::Unsupported,
                       Rewritten.P.textOf(After.Run.Where) + ": " +
                           After.Run.Why);
  if (const Finding *F = findNew(Before.Run.Seen, After.Run.Seen))
    return makeVerdict(VerdictKind::Different, format(*F, Rewritten.P));
  if (After.Run.Status == RunStatus::Stopped)
    return makeVerdict(VerdictKind::Different, "it does not end");
  return std::nullopt;
}

/// What the rewritten kernel may take: longer than the original, not forever.
static uint64_t limitOf(const SideResult &Before) {
  return Before.Run.Seen.WarpInstructions * 16 + 1'000'000;
}

static bool isSample(const LaunchInput &Input) {
  const auto [X, Y, Z] = Input.Shape.Grid;
  return !Input.Blocks.empty() && Input.Blocks.size() < uint64_t(X) * Y * Z;
}

/// The verdict of terms that are equal.
static Verdict judgeProof(const LaunchInput &Input, const SideResult &Before,
                          const SideResult &After) {
  StringRef Numbers =
      Before.UsedNumbers.empty() ? After.UsedNumbers : Before.UsedNumbers;
  if (!Numbers.empty())
    return makeVerdict(
        VerdictKind::EqualOn,
        formatv("equal for all data but those of variable '{0}', which is as "
                "initialised,",
                Numbers));
  if (isSample(Input))
    return makeVerdict(VerdictKind::EqualOn, "equal for all data");
  return makeVerdict(VerdictKind::ProvedEqual, "proved equal for all data");
}

std::optional<Verdict> Comparison::findFault(const SideResult &Before,
                                             const SideResult &After,
                                             const TermTable *Terms) const {
  if (auto V = judgeRewritten(Before, After))
    return V;
  if (std::string Text = findDifference(Before, After, Terms); !Text.empty())
    return makeVerdict(VerdictKind::Different, Text);
  return std::nullopt;
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
  if (auto V = judgeOriginal(Before))
    return V;
  const Finding *Uninitialised = findUninitialised(Before.Run.Seen);
  if (Uninitialised && showsUndefined(Before, Terms))
    return makeVerdict(VerdictKind::OriginalIsBroken,
                       format(*Uninitialised, Original.P));

  SideResult After =
      Rewritten.run(Slots, Input, Buffers, Symbols, limitOf(Before));
  if (After.Run.Status == RunStatus::DataDependent)
    return std::nullopt;
  if (auto V = findFault(Before, After, &Terms))
    return V;
  this->Before = Before.Run.Seen.total();
  this->After = After.Run.Seen.total();

  // In the other order, too: threads may talk through global memory without a
  // barrier. Mostly they do not, and the original need not run again.
  Symbols.Schedule = DescendingSchedule;
  SideResult Reverse =
      Rewritten.run(Slots, Input, Buffers, Symbols, limitOf(Before));
  if (findFault(After, Reverse, &Terms)) {
    SideResult Same = Original.run(Slots, Input, Buffers, Symbols,
                                   Options.MaxWarpInstructions);
    if (Same.Run.Status == RunStatus::DataDependent ||
        Reverse.Run.Status == RunStatus::DataDependent)
      return std::nullopt;
    if (auto V = judgeOriginal(Same))
      return V;
    if (auto V = findFault(Same, Reverse, &Terms))
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
    // Wild data may send the kernel round a loop for ever.
    const uint64_t Limit = IsWild ? 1'000'000 + Input.WarpInstructions
                                  : Options.MaxWarpInstructions;
    bool IsUsable = true;
    for (uint64_t Schedule = 0; Schedule != Options.NumSchedules; ++Schedule) {
      DataSource Numbers{nullptr, Seed, Schedule};
      SideResult Before =
          Original.run(Slots, Input, Buffers, Numbers, Limit);
      auto Why = judgeOriginal(Before);
      if (const Finding *F = findUninitialised(Before.Run.Seen); F && !Why)
        Why =
            makeVerdict(VerdictKind::OriginalIsBroken, format(*F, Original.P));
      if (Why) {
        WhyNot = std::move(Why);
        IsUsable = false;
        break;
      }
      SideResult After =
          Rewritten.run(Slots, Input, Buffers, Numbers, limitOf(Before));
      if (auto V = findFault(Before, After, nullptr))
        return *V;
      this->Before = Before.Run.Seen.total();
      this->After = After.Run.Seen.total();
    }
    NumInputs += IsUsable;
  }
  if (NumInputs)
    return makeVerdict(VerdictKind::EqualOn,
                       formatv("equal on {0} inputs in {1} orders of warps",
                               NumInputs, Options.NumSchedules));
  // Our numbers may be at fault, where they are indices.
  WhyNot->Kind = VerdictKind::Unsupported;
  WhyNot->Detail =
      "no inputs were found for which the original runs: " + WhyNot->Detail;
  return *WhyNot;
}

Verdict Comparison::compare(const LaunchInput &Input) {
  std::optional<Verdict> V = compareTerms(Input, /*KeepsInitialValues=*/false);
  if (!V && Original.hasInitialValues())
    V = compareTerms(Input, /*KeepsInitialValues=*/true);
  if (!V)
    V = compareNumbers(Input);
  V->NumLaunches = 1;
  V->Before = Before;
  V->After = After;
  return *V;
}

//===----------------------------------------------------------------------===//
// All launches
//===----------------------------------------------------------------------===//

namespace {

/// The verdict of several launches.
class Summary {
public:
  void add(Verdict V, StringRef LaunchText) {
    if (NumLaunches == 0) {
      Cost = V;
      FirstLaunch = LaunchText.str();
    }
    NumLaunches += V.NumLaunches;
    // A bad verdict tells of its launch, a good one of all.
    if (V.Kind == VerdictKind::Different)
      V.Detail += (" at " + LaunchText).str();
    if (!HasWorst || V.Kind > Worst.Kind)
      Worst = std::move(V);
    HasWorst = true;
  }
  VerdictKind kind() const { return Worst.Kind; }

  Verdict take() {
    if (Worst.Kind <= VerdictKind::EqualOn) {
      Worst.Detail += " at " + FirstLaunch;
      if (NumLaunches > 1)
        Worst.Detail += formatv(" and {0} more launch{1}", NumLaunches - 1,
                                NumLaunches == 2 ? "" : "es");
    }
    Worst.NumLaunches = NumLaunches;
    Worst.Before = Cost.Before;
    Worst.After = Cost.After;
    return std::move(Worst);
  }

private:
  Verdict Worst, Cost;
  std::string FirstLaunch;
  unsigned NumLaunches = 0;
  bool HasWorst = false;
};

} // namespace

/// Returns why the results of \p P differ from those of every other program, or
/// nothing.
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
  if (StringRef Why = findUnrepeatable(*First); !Why.empty())
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
    if (Found.Failure)
      All.add(std::move(*Found.Failure), "");
    for (const auto &[Number, Input] : enumerate(Found.Inputs)) {
      Verdict V = C.compare(Input);
      // What breaks the first launch breaks the kernel; the others may pass
      // integers that nobody passes.
      if (V.Kind == VerdictKind::OriginalIsBroken && Number != 0)
        continue;
      All.add(std::move(V), Input.text(Slots));
      if (All.kind() == VerdictKind::Different)
        break;
    }
  }
  Before.restore();
  After.restore();
  return All.take();
}
