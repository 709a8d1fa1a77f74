// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Checks what the user asked for before any file is read.
//===----------------------------------------------------------------------===//

#include "cudaopt/Frontend/Options.h"
#include "cudaopt/Machine/Target.h"
#include "cudaopt/Model/Kernel.h"
#include "cudaopt/Transforms/Levelize.h"
#include "cudaopt/Transforms/Passes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace cudaopt;
using namespace llvm;

bool Options::runsPass(StringRef Name, bool OnByDefault) const {
  if (Passes.empty())
    return OnByDefault;
  return is_contained(split(Passes, ','), Name);
}

static Error checkPasses(StringRef Passes) {
  if (Passes.empty())
    return Error::success();
  for (StringRef Name : split(Passes, ',')) {
    if (any_of(allPasses(), [&](const PassInfo &P) { return P.Name == Name; }))
      continue;
    std::string Known = join(
        map_range(allPasses(), [](const PassInfo &P) { return P.Name; }), ", ");
    return createStringError("unknown pass '" + Name +
                             "' in --passes (known: " + Known + ")");
  }
  return Error::success();
}

std::optional<std::array<uint32_t, 3>> cudaopt::parseExtents(StringRef Text) {
  std::array<uint32_t, 3> Extents = {1, 1, 1};
  SmallVector<StringRef, 3> Parts;
  Text.split(Parts, ',');
  if (Parts.size() > Extents.size())
    return std::nullopt;
  for (auto [Part, Extent] : zip(Parts, Extents))
    if (Part.getAsInteger(10, Extent) || Extent == 0)
      return std::nullopt;
  return Extents;
}

/// A block is one to three positive numbers, within the limits of all GPUs.
static Error checkBlock(StringRef Block) {
  if (Block.empty())
    return Error::success();
  constexpr unsigned MaxThreads = 1024;
  std::optional<std::array<uint32_t, 3>> Extents = parseExtents(Block);
  bool IsValid = Extents.has_value();
  uint64_t Threads = 1;
  for (unsigned I = 0; IsValid && I < Extents->size(); ++I) {
    uint32_t Extent = (*Extents)[I];
    IsValid = Extent <= MaxBlockExtents[I] && (Threads *= Extent) <= MaxThreads;
  }
  if (IsValid)
    return Error::success();
  return createStringError("malformed --block=" + Block +
                           ": give one to three numbers, at most 1024 threads");
}

static Error checkLayout(StringRef Kind) {
  if (parseLayoutChoice(Kind))
    return Error::success();
  return createStringError("unknown kind in --layout=" + Kind +
                           " (known: auto, pad, xor, linear, T, keep)");
}

static Error checkReuse(const Options &Opts) {
  if (!parseReuseChoice(Opts.Reuse))
    return createStringError("unknown choice in --reuse=" + Opts.Reuse +
                             " (known: auto, bytes, off, poison)");
  if (!parsePlacementChoice(Opts.Placement))
    return createStringError("unknown choice in --placement=" + Opts.Placement +
                             " (known: exact, greedy)");
  return Error::success();
}

static Error checkLevelize(StringRef Which) {
  if (parseLevelizeChoice(Which))
    return Error::success();
  return createStringError("unknown choice in --levelize=" + Which +
                           " (known: marked, auto, propose)");
}

static Error checkPrint(StringRef Stage) {
  static constexpr StringLiteral Stages[] = {"", "model", "analysis", "plan",
                                             "edits"};
  if (is_contained(Stages, Stage))
    return Error::success();
  return createStringError("unknown stage in --print=" + Stage +
                           " (known: model, analysis, plan, edits)");
}

static Error checkVerify(StringRef How) {
  static constexpr StringLiteral Known[] = {"plan", "machine", "off"};
  if (is_contained(Known, How))
    return Error::success();
  return createStringError("unknown check in --verify=" + How +
                           " (known: plan, machine, off)");
}

static Error checkFallback(StringRef How) {
  static constexpr StringLiteral Known[] = {"warn", "silent", "error"};
  if (is_contained(Known, How))
    return Error::success();
  return createStringError("unknown choice in --fallback=" + How +
                           " (known: warn, silent, error)");
}

static Error checkReport(StringRef Report) {
  if (Report.empty() || (Report.consume_front("json:") && !Report.empty()))
    return Error::success();
  return createStringError("malformed --report: give json:FILE");
}

SmallVector<StringRef> cudaopt::listDeliveries(const Options &Opts) {
  const std::pair<bool, StringRef> Modes[] = {
      {!Opts.Output.empty(), "-o"}, {!Opts.OutputDir.empty(), "--output-dir"},
      {Opts.InPlace, "-i"},         {Opts.Diff, "--diff"},
      {Opts.Check, "--check"},      {!Opts.Print.empty(), "--print"}};
  SmallVector<StringRef> Names;
  for (auto [IsSet, Name] : Modes)
    if (IsSet)
      Names.push_back(Name);
  return Names;
}

/// At most one option says what becomes of the source; only --check and --diff
/// go together.
static Error checkDelivery(const Options &Opts) {
  StringRef First;
  for (StringRef Name : listDeliveries(Opts)) {
    if (First == "--diff" && Name == "--check")
      continue;
    if (!First.empty())
      return createStringError(First + " and " + Name + " exclude each other");
    First = Name;
  }
  if (!Opts.DependencyFile.empty() && Opts.Output.empty())
    return createStringError("--depfile needs -o");
  if (Opts.LineDirectives && !First.empty() && First != "-o")
    return createStringError("--line-directives and " + First +
                             " exclude each other");
  return Error::success();
}

Error cudaopt::validate(const Options &Opts) {
  if (Error E = checkDelivery(Opts))
    return E;
  if (Error E = checkPasses(Opts.Passes))
    return E;
  if (!Opts.Arch.empty() && !findTarget(Opts.Arch))
    return createStringError("unknown GPU in --arch=" + Opts.Arch);
  if (Error E = checkBlock(Opts.Block))
    return E;
  if (Error E = checkLayout(Opts.Layout))
    return E;
  if (Error E = checkReuse(Opts))
    return E;
  if (Error E = checkLevelize(Opts.Levelize))
    return E;
  if (Error E = checkPrint(Opts.Print))
    return E;
  if (Error E = checkVerify(Opts.Verify))
    return E;
  if (Error E = checkFallback(Opts.Fallback))
    return E;
  return checkReport(Opts.Report);
}
