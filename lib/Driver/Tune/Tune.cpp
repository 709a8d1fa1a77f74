// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The steps of tuning: build the variants whose decisions differ; run them in
/// turns; choose; pin; build and run once more with what is pinned, and take
/// back what does not hold.
//===----------------------------------------------------------------------===//

#include "cudaopt/Driver/Tune/Tune.h"

#include "MeasuringPrograms.h"
#include "TuneConfiguration.h"
#include "TuneReport.h"
#include "TunedProgram.h"
#include "cudaopt/Driver/Delivery/Output.h"
#include "cudaopt/Driver/Driver.h"
#include "cudaopt/Passes/KernelChoices.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include <chrono>

using namespace cudaopt;
using namespace llvm;

/// The folder for all files of a run. It stays if the run is interrupted, so
/// that the next one goes on.
static constexpr StringLiteral StateFolder = "cuda-opt.tune";
static constexpr StringLiteral RunsFolder = "cuda-opt.tune/runs";
/// Clocks that differ by more than this part make times incomparable.
static constexpr double MostClockChange = 0.05;

/// Returns \p Said, the value of an option, with another general choice and
/// without choices for whole kernels, which earlier runs have pinned. What the
/// user says of single arrays stays.
static std::string withGeneral(StringRef Said, StringRef General) {
  KernelChoices Choices = cantFail(KernelChoices::parse(Said));
  erase_if(Choices.Exceptions, [](const KernelChoices::Exception &Each) {
    return Each.Array.empty();
  });
  if (!General.empty())
    Choices.General = General.str();
  else if (Choices.General.empty())
    Choices.General = "auto";
  return Choices.text();
}

/// Returns the variants that are tried, without what is found out by building
/// them. \p Said are the options of this folder.
static std::vector<ProgramVariant> listVariants(const Options &Said) {
  std::vector<ProgramVariant> Result;
  auto add = [&](const Twine &Name, StringRef Layout, StringRef Reuse) {
    ProgramVariant &New = Result.emplace_back();
    New.Name = Name.str();
    New.Layout = Layout.str();
    New.Reuse = Reuse.str();
    New.Flags = "--layout=" + withGeneral(Said.Layout, Layout) +
                " --reuse=" + withGeneral(Said.Reuse, Reuse);
    New.Folder = (StateFolder + "/" + Twine(Result.size())).str();
  };
  add("default", "", "");
  add("original", "keep", "off");
  for (StringRef Layout : {"pad", "xor", "linear", "T"})
    add("layout=" + Layout, Layout, "");
  for (StringRef Reuse : {"off", "bytes"})
    add("reuse=" + Reuse, "", Reuse);
  return Result;
}

namespace {

/// One run of `cuda-opt tune`.
class Tuner {
public:
  Tuner(const TuneCommand &Command, const Options &Said, StringRef Self,
        StringRef Timer, ChildRunner &Runner)
      : Command(Command), Runner(Runner), Wanted(listVariants(Said)),
        Program(Command, StateFolder, Self, Timer, Runner) {}

  Error run();

private:
  Error buildVariants();
  Error measureAll(MutableArrayRef<ProgramVariant *> Which);
  Error measure(ProgramVariant &Variant, const Twine &Round);
  Error resume();
  Error checkClocks() const;
  Error pin();
  Error writePins(ArrayRef<PinnedKernel> Pins);
  Expected<std::vector<std::string>>
  findLost(const ProgramVariant &Final) const;
  std::vector<PinnedKernel> listPins() const;
  bool isOver() const {
    return Command.Budget && std::chrono::steady_clock::now() - Begin >
                                 std::chrono::seconds(*Command.Budget);
  }
  /// Returns an error if a signal asked the process to end.
  Error checkSignal() {
    return Runner.received() ? createStringError("interrupted")
                             : Error::success();
  }

  const TuneCommand &Command;
  ChildRunner &Runner;
  const std::vector<ProgramVariant> Wanted;
  TunedProgram Program;
  std::vector<ProgramVariant> Variants; ///< The first is that without flags.
  std::vector<KernelChoice> Choices;
  std::vector<PinnedKernel> Pinned;
  const std::chrono::steady_clock::time_point Begin =
      std::chrono::steady_clock::now();
};

} // namespace

static void say(const Twine &Text) {
  errs() << "cuda-opt: tune: " << Text << '\n';
}

/// Returns the number of kernels about which \p A and \p B decide differently.
static size_t countDifferences(const ProgramVariant &A,
                               const ProgramVariant &B) {
  return count_if(A.Decisions, [&](const auto &Each) {
    return B.decisionOn(Each.first) != Each.second;
  });
}

/// Removes what an earlier run has left, unless it was interrupted when it
/// tuned the very same program: the default is built anew and compared.
Error Tuner::resume() {
  ProgramVariant Default = Wanted.front();
  if (Error E = Program.build(Default))
    return E;
  Expected<std::string> Hash = Program.hash(Default);
  if (!Hash)
    return Hash.takeError();
  const std::string Key = *Hash + " " + join(Command.Program, " ") + " " +
                          sys::Process::GetEnv("CUDAOPT_FLAGS").value_or("") +
                          "\n";
  const std::string File = (StateFolder + "/program").str();
  auto Old = MemoryBuffer::getFile(File);
  if (Old && (*Old)->getBuffer() == Key) {
    say("goes on with an interrupted run");
    return Error::success();
  }
  for (const ProgramVariant &Each : Wanted)
    if (Each.Folder != Default.Folder)
      (void)sys::fs::remove_directories(Each.Folder);
  (void)sys::fs::remove_directories(RunsFolder);
  if (std::error_code EC = sys::fs::create_directories(RunsFolder))
    return createFileError(RunsFolder, EC);
  return writeFile(File, Key);
}

static std::string countKernels(size_t Number) {
  return std::to_string(Number) + (Number == 1 ? " kernel" : " kernels");
}

/// Builds all variants, and leaves out those that decide as an earlier one.
Error Tuner::buildVariants() {
  for (auto [Number, Each] : enumerate(Wanted)) {
    if (Number > 1 && isOver())
      break;
    ProgramVariant New = Each;
    if (Error E = Program.load(New))
      return E;
    if (Error E = checkSignal())
      return E;
    const bool IsKnown = any_of(Variants, [&](const ProgramVariant &Known) {
      return Known.Decisions == New.Decisions;
    });
    std::string Found =
        ": " + countKernels(New.Decisions.size()) + " with shared memory";
    if (IsKnown)
      Found = ", and decides as an earlier one";
    else if (!Variants.empty())
      Found = ": " + countKernels(countDifferences(New, Variants.front())) +
              " other than in the default";
    say(formatv("[{0}/{1}] {2} is built{3}", Number + 1, Wanted.size(),
                New.Name, Found)
            .str());
    if (!IsKnown)
      Variants.push_back(std::move(New));
  }
  return Error::success();
}

/// Returns an error that says why times mean nothing; then none of them is kept
/// for a run that goes on with this one.
static Error refuseRuns(const Twine &Why) {
  (void)sys::fs::remove_directories(RunsFolder);
  return createStringError(Why);
}

/// Runs \p Variant once and keeps what was measured, also for a run of
/// cuda-opt that goes on with this one.
Error Tuner::measure(ProgramVariant &Variant, const Twine &Round) {
  Expected<ProgramRun> Run = Program.run(
      Variant, (RunsFolder + "/" + Variant.Name + "-" + Round).str());
  if (Error E = checkSignal()) {
    consumeError(Run.takeError());
    return E;
  }
  if (!Run)
    return Run.takeError();
  if (Run->IsPartitioned)
    return refuseRuns("the GPU is partitioned (MIG), and what else runs "
                      "on it changes times: tune on a whole GPU");
  if (Run->LostRecords)
    return refuseRuns("CUPTI lost " + Twine(Run->LostRecords) +
                      " records: let the program launch less");
  Variant.Runs.push_back(std::move(*Run));
  return Error::success();
}

/// Runs \p Which in turns, each other round in the reverse order. A first run
/// warms up the GPU and does not count.
Error Tuner::measureAll(MutableArrayRef<ProgramVariant *> Which) {
  if (Error E = measure(*Which.front(), "warm"))
    return E;
  Which.front()->Runs.pop_back();
  for (unsigned Round = 0; Round != Command.Rounds; ++Round) {
    if (Round > 0 && isOver()) {
      say(formatv("the budget is spent after {0} of {1} rounds", Round,
                  Command.Rounds)
              .str());
      break;
    }
    say(formatv("round {0} of {1}", Round + 1, Command.Rounds).str());
    for (size_t I = 0; I != Which.size(); ++I)
      if (Error E = measure(*Which[Round % 2 ? Which.size() - 1 - I : I],
                            Twine(Round)))
        return E;
  }
  return checkClocks();
}

Error Tuner::checkClocks() const {
  unsigned Least = ~0u, Most = 0;
  for (const ProgramVariant &Each : Variants)
    for (const ProgramRun &Run : Each.Runs)
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

/// Returns the pins for the kernels that do better with another variant.
std::vector<PinnedKernel> Tuner::listPins() const {
  std::vector<PinnedKernel> Result;
  for (const KernelChoice &Choice : Choices) {
    if (Choice.Best == 0)
      continue;
    const ProgramVariant &Best = Variants[Choice.Best];
    const StringRef Gpu = Best.Runs.front().Gpu;
    const double Ratio =
        timesOf(Variants, Best, Choice.Kernel).Median /
        timesOf(Variants, Variants.front(), Choice.Kernel).Median;
    Result.push_back(
        {Choice.Kernel, Best.Layout, Best.Reuse,
         formatv("{0}: {1} takes {2:F3} of the default's time ({3})",
                 Gpu.empty() ? StringRef("timed by the program") : Gpu,
                 Choice.Kernel, Ratio, Best.Name)});
  }
  return Result;
}

Error Tuner::writePins(ArrayRef<PinnedKernel> Pins) {
  std::vector<std::string> Tuned;
  for (const auto &[Kernel, Decision] : Variants.front().Decisions)
    Tuned.push_back(Kernel);
  return editConfiguration(
      [&](StringRef Text) { return pinChoices(Text, Pins, Tuned); });
}

/// Returns the pinned kernels whose decisions in \p Final are not those that
/// were measured.
Expected<std::vector<std::string>>
Tuner::findLost(const ProgramVariant &Final) const {
  std::vector<std::string> Lost;
  for (const KernelChoice &Choice : Choices)
    if (Final.decisionOn(Choice.Kernel) !=
        Variants[Choice.Best].decisionOn(Choice.Kernel))
      Lost.push_back(Choice.Kernel);
  return Lost;
}

/// Pins, builds with the pins, and measures once more. The choice was made
/// among many, so the best may be the luckiest: what is not faster a second
/// time is taken back.
Error Tuner::pin() {
  Expected<ConfigurationFile> Before = findConfiguration();
  if (!Before)
    return Before.takeError();
  if (Error E = writePins(Pinned))
    return E;
  ProgramVariant Final;
  Final.Name = "pinned";
  Final.Folder = (StateFolder + "/pinned").str();
  if (Error E = Program.build(Final))
    return joinErrors(std::move(E), Before->restore());
  Expected<std::vector<std::string>> Lost = findLost(Final);
  if (!Lost)
    return joinErrors(Lost.takeError(), Before->restore());
  if (!Lost->empty())
    return joinErrors(
        createStringError("the pins for " + join(*Lost, ", ") +
                          " have no effect, and were taken back: the sources "
                          "lie outside of the folder of " +
                          Before->Path +
                          ", or other options (CUDAOPT_FLAGS) overrule it"),
        Before->restore());
  ProgramVariant Default = Variants.front();
  Default.Name = "default-again"; // These runs are others.
  Default.Runs.clear();
  say("what is pinned is measured once more");
  ProgramVariant *Pair[] = {&Default, &Final};
  if (Error E = measureAll(Pair))
    return joinErrors(std::move(E), Before->restore());
  const ProgramVariant Both[] = {Default, Final};
  const size_t NumBefore = Pinned.size();
  erase_if(Pinned, [&](const PinnedKernel &Each) {
    if (Command.Objective != TuneObjective::Time)
      return false;
    const bool Holds = isBetter(timesOf(Both, Final, Each.Kernel),
                                timesOf(Both, Default, Each.Kernel));
    if (!Holds)
      say(Each.Kernel + " was not faster a second time: it is not pinned");
    return !Holds;
  });
  if (Pinned.size() == NumBefore)
    return Error::success();
  if (Error E = Before->restore())
    return E;
  if (Error E = writePins(Pinned))
    return E;
  return Pinned.empty() ? Program.use(Default) : Program.build(Final);
}

Error Tuner::run() {
  if (Error E = resume())
    return E;
  if (Error E = buildVariants())
    return E;
  if (Variants.size() < 2) {
    say("all choices decide alike: there is nothing to tune");
    return Error::success();
  }
  std::vector<ProgramVariant *> All;
  for (ProgramVariant &Each : Variants)
    All.push_back(&Each);
  if (Error E = measureAll(All))
    return E;
  Choices = chooseVariants(Variants, Command.Objective);
  printVariants(Variants, Choices, outs());
  outs().flush();
  Pinned = listPins();
  if (Pinned.empty())
    say("the default is best for every kernel: nothing is pinned");
  if (Error E = Program.use(Variants.front()))
    return E;
  if (Command.Pins)
    if (Error E = Pinned.empty() ? writePins({}) : pin())
      return E;
  if (!Command.Json.empty())
    if (Error E = writeFile(Command.Json,
                            formatv("{0:2}\n", toJSON(Variants, Pinned)).str()))
      return E;
  return Error::success();
}

/// Ends a run that failed. Its folder stays only if it holds measurements.
static int report(Error E, ChildRunner &Runner) {
  std::error_code EC;
  if (sys::fs::directory_iterator(RunsFolder, EC) ==
      sys::fs::directory_iterator())
    (void)sys::fs::remove_directories(StateFolder);
  const int Signal = Runner.received();
  if (!Signal)
    return reportError(ExitBadInput, std::move(E));
  consumeError(std::move(E));
  return dieBy(Signal);
}

int cudaopt::runTune(ArrayRef<std::string> Words, const char *Executable) {
  Expected<TuneCommand> Command = parseTuneCommand(Words);
  if (!Command)
    return reportError(ExitBadCommand, Command.takeError());
  if (Command->WantsHelp) {
    printTuneHelp(outs());
    return ExitDone;
  }
  Expected<Options> Said = readConfiguration();
  if (!Said)
    return reportError(ExitBadCommand, Said.takeError());
  if (!Command->TimesItself)
    if (Error E = findGpu())
      return reportError(ExitBadInput, std::move(E));
  std::string Timer;
  ChildRunner Runner;
  if (std::error_code EC = sys::fs::create_directories(StateFolder))
    return reportError(ExitBadInput, createFileError(StateFolder, EC));
  if (!Command->TimesItself)
    if (Error E = buildTimer(StateFolder, Runner).moveInto(Timer))
      return report(std::move(E), Runner);
  const std::string Self =
      sys::fs::getMainExecutable(Executable, (void *)&runTune);
  if (Error E = Tuner(*Command, *Said, Self, Timer, Runner).run())
    return report(std::move(E), Runner);
  (void)sys::fs::remove_directories(StateFolder);
  return ExitDone;
}
