// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Parses the command line of `cuda-opt tune`, and prints its help.
//===----------------------------------------------------------------------===//

#include "cudaopt/Driver/Tune/TuneCommand.h"

#include "cudaopt/Support/Spelling.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace cudaopt;
using namespace llvm;

static constexpr StringRef OptionNames[] = {
    "--rounds",  "--budget", "--objective", "--timer",
    "--product", "--json",   "--no-pin",    "--help"};

void cudaopt::printTuneHelp(raw_ostream &OS) {
  OS << R"(usage: cuda-opt tune [options] BUILD... -- PROGRAM...

Builds a program with several layouts and storages of its shared arrays, runs it
on the GPU of this machine, and keeps for each kernel what is fastest, in the
file .cuda-opt. Later builds read it and need no GPU.

  cuda-opt tune nvcc -O3 -arch=native a.cu -o app -- ./app 1024
  cuda-opt tune make -B NVCC="cuda-opt nvcc" -- ./app 1024

BUILD must compile everything, through cuda-opt; in front of a compiler cuda-opt
is added. PROGRAM must do the same work in each run.

options:
  --rounds=N        how often each build of the program runs (default: 5)
  --budget=SECONDS  try no further variant and begin no further round of runs
                    later than that
  --objective=WHAT  time (default; each kernel for itself), or of whole runs
                    energy or edp (energy times the time of the kernels)
  --timer=WHO       cupti (default): a library that the driver loads measures;
                    program: PROGRAM appends 'kernel', nanoseconds, launches and
                    the kernel's name to the file that CUDAOPT_TIMES names,
                    separated by tabs
  --product=FILE    what BUILD writes and PROGRAM uses, if that is not PROGRAM;
                    may be repeated
  --json=FILE       write what was measured of the variants
  --no-pin          do not write .cuda-opt
  --help            print this help
)";
}

/// Reads a positive number, the value of \p Name.
static Expected<unsigned> readNumber(StringRef Name, StringRef Value) {
  unsigned Number = 0;
  if (Value.getAsInteger(10, Number) || Number == 0)
    return createStringError("malformed " + Name + "=" + Value +
                             ": give a positive number");
  return Number;
}

static Error readValue(StringRef Name, StringRef Value, TuneCommand &To) {
  if (Name == "--rounds")
    return readNumber(Name, Value).moveInto(To.Rounds);
  if (Name == "--budget") {
    To.Budget = 0;
    return readNumber(Name, Value).moveInto(*To.Budget);
  }
  if (Name == "--objective") {
    const auto Known = StringSwitch<std::optional<TuneObjective>>(Value)
                           .Case("time", TuneObjective::Time)
                           .Case("energy", TuneObjective::Energy)
                           .Case("edp", TuneObjective::Product)
                           .Default(std::nullopt);
    if (!Known)
      return createStringError("unknown objective in --objective=" + Value +
                               " (known: time, energy, edp)");
    To.Objective = *Known;
  } else if (Name == "--timer") {
    if (Value != "cupti" && Value != "program")
      return createStringError("unknown timer in --timer=" + Value +
                               " (known: cupti, program)");
    To.TimesItself = Value == "program";
  } else if (Name == "--product") {
    To.Products.push_back(Value.str());
  } else {
    To.Json = Value.str();
  }
  return Error::success();
}

static Error readOption(StringRef Word, TuneCommand &To) {
  const auto [Name, Value] = Word.split('=');
  if (Word == "--help" || Word == "-h")
    To.WantsHelp = true;
  else if (Word == "--no-pin")
    To.Pins = false;
  else if (!is_contained(OptionNames, Name))
    return createStringError("unknown option '" + Word + "' of tune" +
                             suggestSpelling(Name, OptionNames));
  else if (Name == "--help" || Name == "--no-pin")
    return createStringError("'" + Name + "' takes no value");
  else if (Value.empty())
    return createStringError("argument expected: '" + Name + "=...'");
  else
    return readValue(Name, Value, To);
  return Error::success();
}

Expected<TuneCommand> cudaopt::parseTuneCommand(ArrayRef<std::string> Words) {
  TuneCommand Result;
  while (!Words.empty() && Words.front() != "--" &&
         StringRef(Words.front()).starts_with("-")) {
    if (Error E = readOption(Words.front(), Result))
      return std::move(E);
    Words = Words.drop_front();
  }
  if (Result.WantsHelp)
    return Result;
  // The command that runs the program may contain another '--'.
  const auto Dashes = find(Words, "--");
  Result.Build.assign(Words.begin(), Dashes);
  if (Dashes != Words.end())
    Result.Program.assign(Dashes + 1, Words.end());
  if (Result.Build.empty())
    return createStringError("no command that builds the program; try "
                             "'cuda-opt tune --help'");
  if (Result.Program.empty())
    return createStringError("no command that runs the program: write it "
                             "behind '--', as in 'cuda-opt tune nvcc a.cu -o "
                             "app -- ./app'");
  return Result;
}
