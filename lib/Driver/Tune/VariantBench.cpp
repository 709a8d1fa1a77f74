// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Lists the variants, builds them, and measures them.
//===----------------------------------------------------------------------===//

#include "VariantBench.h"

#include "cudaopt/Passes/KernelChoices.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace cudaopt;
using namespace llvm;

/// Clocks that differ by more than this part make times incomparable.
static constexpr double MostClockChange = 0.05;

void cudaopt::sayProgress(const Twine &Text) {
  errs() << "cuda-opt: tune: " << Text << '\n';
}

/// Returns the general choice of \p Said, the value of an option.
static std::string generalOf(StringRef Said) {
  const KernelChoices Choices = cantFail(KernelChoices::parse(Said));
  return Choices.General.empty() ? "auto" : Choices.General;
}

/// Returns \p Said, the value of an option, with the general choice \p General,
/// if there is one, and without choices for whole kernels, which earlier runs
/// have pinned. What the user says of single arrays stays. \p Functions are not
/// kernels, and keep what is said in general.
static std::string withGeneral(StringRef Said, StringRef General,
                               const std::set<std::string> &Functions) {
  KernelChoices Choices = cantFail(KernelChoices::parse(Said));
  erase_if(Choices.Exceptions, [&](const KernelChoices::Exception &Each) {
    return Each.Array.empty() && !Functions.count(Each.Kernel);
  });
  const std::string Before = generalOf(Said);
  Choices.General = General.empty() ? Before : General.str();
  for (const std::string &Name : Functions)
    if (StringRef(Name).find_first_of(".,=") == StringRef::npos &&
        none_of(Choices.Exceptions, [&](const KernelChoices::Exception &Each) {
          return Each.Kernel == Name && Each.Array.empty();
        }))
      Choices.Exceptions.push_back({Name, "", Before});
  return Choices.text();
}

/// Returns the variants that are tried, without what is found out by building
/// them; the first is that of the default. \p Functions are the device
/// functions with arrays, whose decisions all kernels that call them share, so
/// that they stay as by default.
static std::vector<ProgramVariant>
listVariants(const Options &Said, const std::set<std::string> &Functions) {
  std::vector<ProgramVariant> Result;
  auto add = [&](const Twine &Name, StringRef Layout, StringRef Reuse) {
    ProgramVariant &New = Result.emplace_back();
    New.Name = Name.str();
    New.Layout = Layout.str();
    New.Reuse = Reuse.str();
    New.LayoutFlag = withGeneral(Said.Layout, Layout, Functions);
    New.ReuseFlag = withGeneral(Said.Reuse, Reuse, Functions);
    New.Folder = TuneFolder::path(Twine(Result.size()));
  };
  add("default", "", "");
  add("original", "keep", "off");
  for (StringRef Layout : {"pad", "xor", "linear", "T"})
    add("layout=" + Layout, Layout, "");
  for (StringRef Reuse : {"off", "bytes"})
    add("reuse=" + Reuse, "", Reuse);
  return Result;
}

/// Returns the number of kernels about which \p A and \p B decide differently.
static size_t countDifferences(const ProgramVariant &A,
                               const ProgramVariant &B) {
  return count_if(A.Decisions.Kernels, [&](const auto &Each) {
    return B.decisionOn(Each.first) != Each.second;
  });
}

static std::string countKernels(size_t Number) {
  return std::to_string(Number) + (Number == 1 ? " kernel" : " kernels");
}

/// Adds \p New, which is built, unless it is of no use.
Error VariantBench::add(ProgramVariant New, const Twine &Progress) {
  auto say = [&](const Twine &Found) {
    sayProgress(Progress + " " + New.Name + " is built" + Found);
  };
  if (Variants.empty()) {
    say(": " + countKernels(New.Decisions.Kernels.size()) +
        " with shared memory");
    Variants.push_back(std::move(New));
    return Error::success();
  }
  const ProgramVariant &Default = Variants.front();
  for (const auto &[Kernel, Decision] : Default.Decisions.Kernels)
    if (!New.Decisions.Kernels.count(Kernel))
      return createStringError("the build did not compile kernel '" + Kernel +
                               "' again: make it compile everything (make -B)");
  if (New.Fallbacks > Default.Fallbacks) {
    say(", but not all of it compiles: it is left out");
    return Error::success();
  }
  if (any_of(Variants, [&](const ProgramVariant &Known) {
        return Known.Decisions.Kernels == New.Decisions.Kernels;
      })) {
    say(", and decides as an earlier one");
    return Error::success();
  }
  say(": " + countKernels(countDifferences(New, Default)) +
      " other than in the default");
  Variants.push_back(std::move(New));
  return Error::success();
}

/// Returns what an interrupted run must have had in common with this one.
static std::string makeKey(const TuneCommand &Command, StringRef Self,
                           StringRef Hash, ArrayRef<ProgramVariant> Wanted) {
  std::vector<std::string> Words = {Self.str(), Hash.str(),
                                    Command.TimesItself ? "program" : "cupti"};
  for (const auto &List : {Command.Build, Command.Program, Command.Products})
    append_values(Words, std::to_string(List.size()), join(List, "\n"));
  for (const char *Name : {"CUDAOPT_FLAGS", "CUDA_VISIBLE_DEVICES"})
    Words.push_back(sys::Process::GetEnv(Name).value_or(""));
  for (const ProgramVariant &Each : Wanted)
    append_values(Words, Each.LayoutFlag, Each.ReuseFlag);
  return join(Words, "\n") + "\n";
}

Error VariantBench::buildAll() {
  ProgramVariant Default = listVariants(Said, {}).front();
  if (Error E = Program.build(Default))
    return E;
  if (Error E = checkSignal())
    return E;
  Expected<std::string> Hash = Program.hash(Default);
  if (!Hash)
    return Hash.takeError();
  const std::set<std::string> Functions = Default.Decisions.Functions;
  const std::vector<ProgramVariant> Wanted = listVariants(Said, Functions);
  Expected<bool> GoesOn =
      Folder.resume(makeKey(Command, Self, *Hash, Wanted), Default.Folder);
  if (!GoesOn)
    return GoesOn.takeError();
  if (*GoesOn)
    sayProgress("goes on with an interrupted run");
  if (!Functions.empty())
    sayProgress("not tuned, as device functions: " +
                join(Functions.begin(), Functions.end(), ", "));
  const size_t Number = Wanted.size();
  if (Error E = add(std::move(Default), formatv("[1/{0}]", Number).str()))
    return E;
  for (size_t I = 1; I != Number; ++I) {
    if (I > 1 && isOver()) {
      sayProgress("the budget is spent: not tried are " + Wanted[I].Name +
                  " and what follows it");
      break;
    }
    ProgramVariant New = Wanted[I];
    if (Error E = Program.load(New))
      return E;
    if (Error E = checkSignal())
      return E;
    if (Error E =
            add(std::move(New), formatv("[{0}/{1}]", I + 1, Number).str()))
      return E;
  }
  return Error::success();
}

/// Returns an error that says why times mean nothing; then none of them is kept
/// for a run that goes on with this one.
Error VariantBench::refuseRuns(const Twine &Why) {
  Folder.forgetRuns();
  return createStringError(Why);
}

/// Runs \p Variant once and keeps what was measured, also for a run of
/// cuda-opt that goes on with this one.
Error VariantBench::measure(ProgramVariant &Variant, const Twine &Round) {
  Expected<ProgramRun> Run =
      Program.run(Variant, TuneFolder::recordOf(Variant.Name, Round));
  if (Error E = checkSignal()) {
    consumeError(Run.takeError());
    return E;
  }
  if (!Run)
    return Run.takeError();
  if (Run->IsPartitioned)
    return refuseRuns("the GPU is partitioned (MIG), and what else runs on it "
                      "changes times: tune on a whole GPU");
  if (Run->LostRecords)
    return refuseRuns("CUPTI lost " + Twine(Run->LostRecords) +
                      " records: let the program launch less");
  if (Gpu.empty())
    Gpu = Run->Gpu;
  if (Run->Gpu != Gpu)
    return refuseRuns("the program ran on a " + Gpu + ", and then on a " +
                      Run->Gpu + ": choose one (CUDA_VISIBLE_DEVICES)");
  Run->matchNames(Variant.Decisions.Kernels);
  Variant.Runs.push_back(std::move(*Run));
  return Error::success();
}

Error VariantBench::measure(MutableArrayRef<ProgramVariant *> Which) {
  Folder.forgetRuns("warm"); // A run that goes on must be warm, too.
  ProgramVariant Warm = *Which.front();
  Warm.Name = "warm";
  if (Error E = measure(Warm, "up"))
    return E;
  for (unsigned Round = 0; Round != Command.Rounds; ++Round) {
    if (Round > 0 && isOver()) {
      sayProgress(formatv("the budget is spent after {0} of {1} rounds", Round,
                          Command.Rounds)
                      .str());
      break;
    }
    sayProgress(formatv("round {0} of {1}", Round + 1, Command.Rounds).str());
    for (size_t I = 0; I != Which.size(); ++I)
      if (Error E = measure(*Which[Round % 2 ? Which.size() - 1 - I : I],
                            Twine(Round)))
        return E;
  }
  return checkClocks(Which);
}

Error VariantBench::measureAll() {
  std::vector<ProgramVariant *> All;
  for (ProgramVariant &Each : Variants)
    All.push_back(&Each);
  return measure(All);
}

Error VariantBench::checkClocks(ArrayRef<ProgramVariant *> Of) {
  unsigned Least = ~0u, Most = 0;
  for (const ProgramVariant *Each : Of)
    for (const ProgramRun &Run : Each->Runs)
      if (Run.ClockMHz) {
        Least = std::min(Least, *Run.ClockMHz);
        Most = std::max(Most, *Run.ClockMHz);
      }
  if (Most == 0 || Least >= Most * (1 - MostClockChange))
    return Error::success();
  return refuseRuns(
      "the clock of the GPU changed between " + Twine(Least) + " and " +
      Twine(Most) +
      " MHz from run to run, so times cannot be compared: fix it (nvidia-smi "
      "-lgc), or wait until nothing else runs");
}

std::vector<std::string> VariantBench::listMeasured() const {
  std::vector<std::string> Result;
  for (const auto &[Kernel, Decision] : Variants.front().Decisions.Kernels)
    if (timesOf(Variants, Variants.front(), Kernel).Median > 0)
      Result.push_back(Kernel);
  return Result;
}
