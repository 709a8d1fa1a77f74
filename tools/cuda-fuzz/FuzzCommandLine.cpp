// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Parses the options of cuda-fuzz and prints its help.
//===----------------------------------------------------------------------===//

#include "FuzzCommandLine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

using namespace llvm;

namespace cudaopt::fuzz {

/// Reads "--Name=number" into \p Number; returns false if \p Argument is
/// another option.
template <class T>
static Expected<bool> readNumber(StringRef Argument, StringRef Name, T &Number,
                                 T Least) {
  StringRef Value = Argument;
  if (!Value.consume_front("--") || !Value.consume_front(Name) ||
      !Value.consume_front("="))
    return false;
  if (Value.getAsInteger(10, Number) || Number < Least)
    return createStringError("'" + Argument + "': a number of at least " +
                             std::to_string(Least) + " is wanted");
  return true;
}

static Expected<MutantKind> readKind(StringRef Name) {
  for (unsigned Kind = 0; Kind < NumMutantKinds; ++Kind)
    if (nameOf(MutantKind(Kind)) == Name)
      return MutantKind(Kind);
  return createStringError("there is no kind of mutant '" + Name + "'");
}

/// Reads a list of words of \p Names, "all" or "none". A word adds its element
/// or, after a minus, removes it.
template <size_t Size>
static Expected<std::bitset<Size>>
readSet(StringRef Text, const char *const (&Names)[Size], StringRef What) {
  std::bitset<Size> Result;
  SmallVector<StringRef> Words;
  Text.split(Words, ',');
  if (Text.starts_with("-"))
    Result.set();
  for (StringRef Word : Words) {
    const bool IsWanted = !Word.consume_front("-");
    if (Word == "all" || Word == "none") {
      Result.reset();
      if ((Word == "all") == IsWanted)
        Result.set();
      continue;
    }
    const auto *Found = find(Names, Word);
    if (Found == std::end(Names))
      return createStringError("there is no " + What + " '" + Word + "'");
    Result.set(size_t(Found - Names), IsWanted);
  }
  return Result;
}

/// Reads one option. Numbers are tried first, since they share their syntax.
static Error readArgument(StringRef Argument, FuzzCommandLine &Line) {
  auto Read = [&](StringRef Name, auto &Number, unsigned Least) {
    return readNumber<std::decay_t<decltype(Number)>>(Argument, Name, Number,
                                                      Least);
  };
  Expected<bool> IsRead[] = {
      Read("seed", Line.Seed, 0), Read("first", Line.First, 0),
      Read("count", Line.Count, 1), Read("jobs", Line.Jobs, 1),
      Read("batch", Line.Batch, 1)};
  bool IsKnown = false;
  Error Result = Error::success();
  for (Expected<bool> &One : IsRead) {
    if (One)
      IsKnown |= *One;
    else
      Result = joinErrors(std::move(Result), One.takeError());
  }
  if (Result || IsKnown)
    return Result;
  if (Argument.consume_front("--plant=")) {
    Expected<MutantKind> Kind = readKind(Argument);
    if (!Kind)
      return Kind.takeError();
    Line.Planted = *Kind;
    return Error::success();
  }
  if (Argument.consume_front("--features="))
    return readSet(Argument, FeatureNames, "feature").moveInto(Line.Features);
  if (Argument.consume_front("--idioms="))
    return readSet(Argument, IdiomNames, "idiom").moveInto(Line.Idioms);
  if (Argument.consume_front("--passes=")) {
    Line.Pipeline.Passes = Argument.str();
    return validate(Line.Pipeline);
  }
  if (Argument.consume_front("--reuse=")) {
    Line.Pipeline.Reuse = Argument.str();
    return validate(Line.Pipeline);
  }
  if (Argument.consume_front("--keep=") && !Argument.empty())
    Line.Keep = Argument.str();
  else if (Argument.consume_front("--shim=") && !Argument.empty())
    Line.Shim = Argument.str();
  else if (Argument.consume_front("--device=") && !Argument.empty())
    Line.Device = Argument.str();
  else if (Argument == "--phases")
    Line.HasPhases = true;
  else if (Argument == "--idioms")
    Line.Idioms.set();
  else if (Argument == "--reorder")
    Line.Pipeline.Reorder = true;
  else if (Argument == "--mutants")
    Line.Mutants = true;
  else if (Argument == "--print-kernel")
    Line.PrintsKernels = true;
  else if (Argument == "--quiet")
    Line.IsQuiet = true;
  else if (Argument == "--help")
    Line.IsHelp = true;
  else
    return createStringError("unknown argument '" + Argument +
                             "'; see cuda-fuzz --help");
  return Error::success();
}

Expected<FuzzCommandLine>
parseFuzzCommandLine(ArrayRef<const char *> Arguments) {
  FuzzCommandLine Line;
  Line.Executable = Arguments.front();
  for (StringRef Argument : Arguments.drop_front())
    if (Error E = readArgument(Argument, Line))
      return std::move(E);
  return Line;
}

template <size_t Size>
static void printWords(raw_ostream &OS, const char *const (&Words)[Size]) {
  for (size_t I = 0; I < Size; ++I)
    OS << (I % 3 == 0 ? "                  " : " ") << Words[I]
       << (I + 1 == Size || I % 3 == 2 ? "\n" : "");
}

void printFuzzHelp(raw_ostream &OS) {
  OS << R"(usage: cuda-fuzz [options]

Makes random CUDA kernels, lets cuda-opt rewrite them, and compares each with
what it was on the interpreter. Exits with 1 if a rewritten kernel differs, if
an original has a defect, or if something crashes.

  --seed=N        which kernels (default: 1)
  --first=N       number of the first kernel (default: 0)
  --count=N       how many kernels (default: 1000)
  --jobs=N        processes at a time (default: one a processor)
  --batch=N       kernels in a file (default: 50)
  --phases        kernels of many phases, whose arrays live in turn
  --idioms[=LIST] kernels of idioms, small pieces of code as programmers write it:
                  all, or those of a list like that of --features:
)";
  printWords(OS, IdiomNames);
  OS << R"(  --features=LIST what kernels may have beyond subscripts and barriers: all,
                  none, or words with commas between them; a minus in front takes
                  a feature away: -exit,-wrap (default: all; with mutants: none).
                  Kernels with features that have a defect of their own are
                  counted and discarded. The features:
)";
  printWords(OS, FeatureNames);
  OS << R"(  --passes=LIST   passes of cuda-opt to run (default: those on by default)
  --reuse=HOW     as for cuda-opt; poison overwrites dead arrays, and nothing
                  may change
  --reorder       as for cuda-opt
  --mutants       damage what was rewritten, too: every mutant must be found out
                  or proved equal
  --plant=KIND    take mutants of a kind (size, layout, stale, index, barrier,
                  sharing, poison) for what cuda-opt wrote: failures must follow
  --keep=DIR      write the texts of failures there
  --shim=FILE     write the kernels, original and rewritten, as C++ of the host
                  that docs/Reliability.md tells how to compile, and stop
  --device=FILE   the same for nvcc and a GPU
  --print-kernel  print the kernels and stop
  --quiet         print no progress
)";
}

} // namespace cudaopt::fuzz
