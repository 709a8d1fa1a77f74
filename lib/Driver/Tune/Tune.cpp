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
#include "VariantBench.h"
#include "cudaopt/Driver/Cache/CacheQuestion.h"
#include "cudaopt/Driver/Delivery/Output.h"
#include "cudaopt/Driver/Driver.h"
#include "cudaopt/Driver/Launcher/LaunchedCompile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using namespace cudaopt;
using namespace llvm;

namespace {

/// One run of `cuda-opt tune`.
class Tuner {
public:
  Tuner(const TuneCommand &Command, const Options &Said, TuneFolder &Folder,
        StringRef Self, StringRef Timer, ChildRunner &Runner)
      : Command(Command), Said(Said), Folder(Folder),
        Program(Command, TuneFolder::path("log"), Self, Timer, Runner),
        Bench(Command, Said, identifyFile(Self.str()), Folder, Program,
              Runner) {}

  /// Does all of it. If it fails, the program is left as by default.
  Error run();

private:
  Error tune();
  Error pin();
  Error pinAndBuild(ProgramVariant &Final, ConfigurationEdit &Edit);
  Error writePins(ConfigurationEdit &Edit);
  Error verify(ProgramVariant &Final);
  std::vector<std::string> dropLost(const ProgramVariant &Final);
  void sayUnmeasured();
  std::vector<PinnedKernel> listPins();
  Error writeJson();

  const TuneCommand &Command;
  const Options &Said;
  TuneFolder &Folder;
  TunedProgram Program;
  VariantBench Bench;
  std::vector<std::string> Tuned; ///< The kernels that were measured.
  std::vector<KernelChoice> Choices;
  std::vector<PinnedKernel> Pinned;
};

} // namespace

/// Tells which kernels are not tuned because the program does not run them.
void Tuner::sayUnmeasured() {
  std::vector<std::string> Missing;
  for (const auto &[Kernel, Decision] :
       Bench.variants().front().Decisions.Kernels)
    if (!is_contained(Tuned, Kernel))
      Missing.push_back(Kernel);
  if (!Missing.empty())
    sayProgress("not tuned, as no launch of them was measured: " +
                join(Missing, ", "));
}

/// Returns the pins for the kernels that do better with another variant.
std::vector<PinnedKernel> Tuner::listPins() {
  const ArrayRef<ProgramVariant> Variants = Bench.variants();
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

Error Tuner::writePins(ConfigurationEdit &Edit) {
  return Edit.apply([&](StringRef Text) {
    return pinChoices(Text, Pinned, Tuned, {Said.Layout, Said.Reuse});
  });
}

Error Tuner::writeJson() {
  if (Command.Json.empty())
    return Error::success();
  return writeFile(Command.Json,
                   formatv("{0:2}\n", toJSON(Bench.variants(), Pinned)).str());
}

/// Takes out the pins without effect in \p Final, which was built with them;
/// returns their kernels.
std::vector<std::string> Tuner::dropLost(const ProgramVariant &Final) {
  std::vector<std::string> Lost;
  erase_if(Pinned, [&](const PinnedKernel &Pin) {
    const KernelChoice &Choice =
        *find_if(Choices, [&](const KernelChoice &Each) {
          return Each.Kernel == Pin.Kernel;
        });
    if (Final.decisionOn(Pin.Kernel) ==
        Bench.variants()[Choice.Best].decisionOn(Pin.Kernel))
      return false;
    Lost.push_back(Pin.Kernel);
    return true;
  });
  return Lost;
}

/// Writes the pins, and builds \p Final with them. Pins without effect are
/// taken back; fails if none is left.
Error Tuner::pinAndBuild(ProgramVariant &Final, ConfigurationEdit &Edit) {
  if (Error E = writePins(Edit))
    return E;
  if (Error E = Program.build(Final))
    return E;
  if (Final.Fallbacks > Bench.variants().front().Fallbacks)
    return createStringError("not all of the program compiles with the pins "
                             "together, so none is kept");
  const std::vector<std::string> Lost = dropLost(Final);
  if (Lost.empty())
    return Error::success();
  const std::string Why =
      "the pins for " + join(Lost, ", ") +
      " have no effect, and are taken back: another .cuda-opt holds for the "
      "sources, or they lie outside of this folder";
  if (Pinned.empty())
    return createStringError(Why);
  sayProgress(Why);
  return pinAndBuild(Final, Edit);
}

/// Measures \p Final against the default once more, and takes out the pins
/// that do not hold. The choice was made among many, so the best may be the
/// luckiest.
Error Tuner::verify(ProgramVariant &Final) {
  ProgramVariant Default = Bench.variants().front();
  Default.Name = "default-again"; // These runs are others.
  Default.Runs.clear();
  for (StringRef Name : {"default-again", "pinned"})
    Folder.forgetRuns(Name); // They were those of other pins.
  sayProgress("what is pinned is measured once more");
  ProgramVariant *Pair[] = {&Default, &Final};
  if (Error E = Bench.measure(Pair))
    return E;
  const ProgramVariant Both[] = {Default, Final};
  const bool IsOfRuns = Command.Objective != TuneObjective::Time;
  const bool RunsHold =
      IsOfRuns && isBetter(measureRuns(Final, Command.Objective),
                           measureRuns(Default, Command.Objective));
  erase_if(Pinned, [&](const PinnedKernel &Each) {
    const bool Holds = IsOfRuns ? RunsHold
                                : isBetter(timesOf(Both, Final, Each.Kernel),
                                           timesOf(Both, Default, Each.Kernel));
    if (!Holds)
      sayProgress(Each.Kernel +
                  " was not better a second time: it is not pinned");
    return !Holds;
  });
  return Error::success();
}

/// Pins what is best, as far as it holds.
Error Tuner::pin() {
  ConfigurationEdit Edit; // Takes the pins back if something fails.
  ProgramVariant Final;
  Final.Name = "pinned";
  Final.Folder = TuneFolder::path("pinned");
  if (!Pinned.empty()) {
    if (Error E = pinAndBuild(Final, Edit))
      return E;
    const size_t NumBefore = Pinned.size();
    if (Error E = verify(Final))
      return E;
    if (Pinned.size() == NumBefore) {
      if (Error E = Program.use(Final))
        return E;
      Edit.keep();
      return Error::success();
    }
  }
  if (Error E = writePins(Edit))
    return E;
  if (Error E = Program.rebuild())
    return E;
  Edit.keep();
  return Error::success();
}

Error Tuner::tune() {
  if (Error E = Bench.buildAll())
    return E;
  const ArrayRef<ProgramVariant> Variants = Bench.variants();
  if (Variants.size() < 2) {
    sayProgress("all choices decide alike: there is nothing to tune");
    if (Error E = writeJson())
      return E;
    return Program.rebuild();
  }
  if (Error E = Bench.measureAll())
    return E;
  Tuned = Bench.listMeasured();
  sayUnmeasured();
  if (Command.Objective != TuneObjective::Time &&
      energiesOf(Variants.front()).Median <= 0)
    return createStringError("the energy of a run is not known: the program "
                             "must use the GPU for half a second or more, and "
                             "the driver must tell it");
  Choices = chooseVariants(Variants, Tuned, Command.Objective);
  printVariants(Variants, Choices, outs());
  outs().flush();
  Pinned = listPins();
  if (Error E = writeJson())
    return E;
  if (Pinned.empty())
    sayProgress("the default is best for every kernel: nothing is pinned");
  if (Error E = Command.Pins ? pin() : Program.rebuild())
    return E;
  return writeJson();
}

Error Tuner::run() {
  Error Failed = tune();
  if (Failed && Bench.hasDefault())
    Failed =
        joinErrors(std::move(Failed), Program.use(Bench.variants().front()));
  return Failed;
}

/// Returns an error if variables of the environment would make tuning useless.
static Error checkEnvironment() {
  if (sys::Process::GetEnv("CUDAOPT_DISABLE").value_or("0") != "0")
    return createStringError("CUDAOPT_DISABLE is set: nothing would be tuned");
  for (StringRef Word : readEnvironmentWords("CUDAOPT_FLAGS")) {
    const StringRef Name = Word.ltrim('-').split('=').first;
    if (is_contained({"layout", "reuse", "config", "config-file"}, Name))
      return createStringError("CUDAOPT_FLAGS says '" + Word +
                               "', which would overrule what is pinned: say it "
                               "in .cuda-opt");
  }
  return Error::success();
}

/// Returns an error if the configuration file could not take pins.
static Error checkConfiguration(const Options &Said) {
  const PinnedKernel Probe = {"cuda_opt_probe", "pad", "off", "probe"};
  return checkEdit(
      [&](StringRef Text) {
        return pinChoices(Text, Probe, {}, {Said.Layout, Said.Reuse});
      },
      [](const Options &Now) {
        return is_contained(split(Now.Layout, ','), "cuda_opt_probe=pad");
      });
}

/// Ends a run that failed. Its folder stays if another run can go on with it.
static int report(Error E, TuneFolder &Folder, ChildRunner &Runner) {
  const int Signal = Runner.received();
  if (!Signal && !Folder.hasWork())
    Folder.remove();
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
  if (Error E = checkEnvironment())
    return reportError(ExitBadCommand, std::move(E));
  if (const StringRef To = sys::path::parent_path(Command->Json);
      !To.empty() && !sys::fs::is_directory(To))
    return reportError(ExitBadCommand,
                       createStringError("'" + To + "' is no folder"));
  if (Command->Pins)
    if (Error E = checkConfiguration(*Said))
      return reportError(ExitBadInput, std::move(E));
  if (!Command->TimesItself)
    if (Error E = findGpu())
      return reportError(ExitBadInput, std::move(E));
  TuneFolder Folder;
  if (Error E = Folder.open())
    return reportError(ExitBadInput, std::move(E));
  std::string Timer;
  ChildRunner Runner;
  if (!Command->TimesItself)
    if (Error E = buildTimer(TuneFolder::path("."), Runner).moveInto(Timer))
      return report(std::move(E), Folder, Runner);
  const std::string Self =
      sys::fs::getMainExecutable(Executable, (void *)&runTune);
  if (Error E = Tuner(*Command, *Said, Folder, Self, Timer, Runner).run())
    return report(std::move(E), Folder, Runner);
  Folder.remove();
  return ExitDone;
}
