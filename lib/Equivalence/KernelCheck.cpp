// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Checks a kernel without its host program: on terms, which stand for all
/// data; on numbers, if data decide the control flow or an address.
//===----------------------------------------------------------------------===//

#include "KernelSide.h"
#include "Unmodelled.h"

#include "cudaopt/Equivalence/Equivalence.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace cudaopt;
using namespace cudaopt::simt;
using namespace llvm;

namespace {

class Checker {
public:
  Checker(const Program &P, DeviceMemory &Memory,
          const EquivalenceOptions &Options)
      : P(P), Memory(Memory), Options(Options), Slots(findScalars(P)),
        Side(P, Memory, Options), Unmodelled(findUnmodelled(P)) {}

  KernelCheck run(ArrayRef<LaunchShape> Shapes);

private:
  KernelCheck runLaunch(const LaunchInput &Input);
  /// Runs on terms; std::nullopt if data decide.
  std::optional<KernelCheck> runTerms(const LaunchInput &Input,
                                      bool KeepsInitialValues);
  KernelCheck runNumbers(const LaunchInput &Input);
  /// Returns true, and sets \p Check to Unsupported with the reason, if the run
  /// says nothing about the kernel. \p Buffers are those of a run on terms, or
  /// null.
  bool refuse(const RunResult &Run, const LaunchBuffers *Buffers,
              KernelCheck &Check) const;
  /// Takes the outcome of a launch; the worst one is kept.
  void add(KernelCheck Check, const LaunchInput &Input);

  const Program &P;
  DeviceMemory &Memory;
  const EquivalenceOptions &Options;
  const std::vector<ScalarSlot> Slots;
  KernelSide Side;
  const std::string Unmodelled;
  KernelCheck Result;
  unsigned NumLaunches = 0;
};

} // namespace

static void addFindings(const Observations &From, Observations &To) {
  for (const Finding &F : From.Findings)
    To.add(F);
}

/// Returns true if the made-up arguments may be the cause of \p F, so that it
/// says nothing about the kernel: it takes too long, or accesses something near
/// a buffer, since an integer argument may be an index. On terms (\p Buffers is
/// set) no index is data, so that an address far from all buffers, such as a
/// null pointer, is the kernel's own defect. On numbers every index may be
/// data.
static bool isOutOfReach(const Finding &F, const LaunchBuffers *Buffers) {
  constexpr uint64_t Reach = uint64_t(1) << 36;
  if (!isOutsideAllocations(F.Kind))
    return F.Kind == FindingKind::NoProgress;
  return !Buffers ||
         any_of(Buffers->Buffers, [&](const LaunchBuffers::Buffer &B) {
           auto Address = reinterpret_cast<uintptr_t>(B.Data);
           return B.Data && F.Address - Address + Reach < 2 * Reach;
         });
}

bool Checker::refuse(const RunResult &Run, const LaunchBuffers *Buffers,
                     KernelCheck &Check) const {
  Check.Kind = VerdictKind::Unsupported;
  if (Run.Status == RunStatus::Unsupported) {
    Check.Detail = P.textOf(Run.Where) + ": " + Run.Why;
    return true;
  }
  const Finding *Error = findError(Run.Seen);
  if (!Error || !isOutOfReach(*Error, Buffers))
    return false;
  Check.Detail =
      "no arguments were found for which it runs: " + format(*Error, P);
  return true;
}

std::optional<KernelCheck> Checker::runTerms(const LaunchInput &Input,
                                             bool KeepsInitialValues) {
  KernelCheck Check;
  TermTable Terms;
  DataSource Symbols{&Terms, 0, 0, KeepsInitialValues};
  LaunchBuffers Buffers(Slots, Input, /*Slack=*/false);
  SideResult Result =
      Side.run(Slots, Input, Buffers, Symbols, Options.MaxWarpInstructions);
  if (Result.Run.Status == RunStatus::DataDependent)
    return std::nullopt;
  if (refuse(Result.Run, &Buffers, Check))
    return Check;
  Check.Seen.Findings = std::move(Result.Run.Seen.Findings);
  if (!showsUndefined(Result, Terms))
    erase_if(Check.Seen.Findings, [](const Finding &F) {
      return F.Kind == FindingKind::Uninitialised;
    });
  const bool IsProof =
      Result.UsedNumbers.empty() && Unmodelled.empty() && !Input.isSample();
  Check.Kind = IsProof ? VerdictKind::ProvedEqual : VerdictKind::EqualOn;
  if (Check.Seen.hasErrors())
    Check.Kind = VerdictKind::OriginalIsBroken;
  return Check;
}

KernelCheck Checker::runNumbers(const LaunchInput &Input) {
  LaunchBuffers Buffers(Slots, Input, /*Slack=*/true);
  KernelCheck Check, Unusable;
  bool IsUsable = false;
  for (uint64_t Seed = 0; Seed != Options.NumInputs; ++Seed)
    for (uint64_t Schedule = 0; Schedule != Options.NumSchedules; ++Schedule) {
      DataSource Numbers{nullptr, Seed, Schedule};
      SideResult Result =
          Side.run(Slots, Input, Buffers, Numbers, Options.MaxWarpInstructions);
      const Observations &Seen = Result.Run.Seen;
      if (Result.Run.Status == RunStatus::Unsupported) {
        refuse(Result.Run, nullptr, Check);
        return Check;
      }
      auto First = find_if(Seen.Findings,
                           [](const Finding &F) { return isError(F.Kind); });
      if (First != Seen.Findings.end() && !isDefect(First->Kind)) {
        // The made-up numbers may be at fault, for example where they are
        // indices.
        if (Unusable.Seen.Findings.empty() &&
            !refuse(Result.Run, nullptr, Unusable))
          addFindings(Seen, Unusable.Seen);
        continue;
      }
      IsUsable = true;
      addFindings(Seen, Check.Seen);
    }
  if (!IsUsable) {
    if (Unusable.Seen.hasErrors())
      Unusable.Kind = VerdictKind::OriginalIsBroken;
    return Unusable;
  }
  Check.Kind = Check.Seen.hasErrors() ? VerdictKind::OriginalIsBroken
                                      : VerdictKind::EqualOn;
  return Check;
}

KernelCheck Checker::runLaunch(const LaunchInput &Input) {
  std::optional<KernelCheck> Check = runTerms(Input, false);
  if (!Check && Side.hasInitialValues())
    Check = runTerms(Input, true);
  if (Check)
    return std::move(*Check);
  return runNumbers(Input);
}

void Checker::add(KernelCheck Check, const LaunchInput &Input) {
  if (Check.Kind != VerdictKind::Unsupported)
    Check.Detail = Input.text(Slots);
  addFindings(Check.Seen, Result.Seen);
  if (NumLaunches++ == 0 || Check.Kind > Result.Kind) {
    // A good result names the launch that does the most work: the first one.
    if (NumLaunches > 1 && Check.Kind == VerdictKind::EqualOn)
      Check.Detail = Result.Detail;
    Result.Kind = Check.Kind;
    Result.Detail = std::move(Check.Detail);
  }
}

KernelCheck Checker::run(ArrayRef<LaunchShape> Shapes) {
  for (const LaunchShape &Shape : Shapes) {
    FoundInputs Found = findLaunchInputs(P, Memory, Slots, Shape, Options,
                                         [this] { Side.restore(); });
    if (Found.Broken)
      add(runLaunch(*Found.Broken), *Found.Broken);
    else if (Found.Failure)
      add({Found.Failure->Kind, Found.Failure->Detail, {}, "", ""}, {});
    for (const auto &[Number, Input] : enumerate(Found.Inputs)) {
      KernelCheck Check = runLaunch(Input);
      // As in a comparison, launches after the first may pass integers that no
      // caller passes: a defect that only they show is a doubt.
      if (Number == 0 || Check.Kind <= VerdictKind::EqualOn)
        add(std::move(Check), Input);
      else if (Result.Doubt.empty() && Check.Seen.hasErrors())
        Result.Doubt =
            format(*find_if(Check.Seen.Findings,
                            [](const Finding &F) { return isError(F.Kind); }),
                   P) +
            " at " + Input.text(Slots);
    }
  }
  Side.restore();
  Result.Unmodelled = Unmodelled;
  if (Result.Kind <= VerdictKind::EqualOn && NumLaunches > 1)
    Result.Detail += formatv(" and {0} more launch{1}", NumLaunches - 1,
                             NumLaunches == 2 ? "" : "es");
  return std::move(Result);
}

KernelCheck cudaopt::checkKernel(DeviceImage &Image, DeviceMemory &Memory,
                                 StringRef Name, ArrayRef<LaunchShape> Shapes,
                                 const EquivalenceOptions &Options) {
  Expected<const Program &> P = Image.kernel(Name);
  if (!P)
    return {VerdictKind::Unsupported, toString(P.takeError()), {}, "", ""};
  return Checker(*P, Memory, Options).run(Shapes);
}
