// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Parses the command line. Options end at the first source file: the words
/// behind the sources belong to the program, even if they look like options.
//===----------------------------------------------------------------------===//

#include "SimCommandLine.h"

#include "cudaopt/Machine/Target.h"
#include "cudaopt/Model/SourceMarks.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <optional>
#include <variant>

using namespace cudaopt;
using namespace cudaopt::cudasim;
using namespace llvm;

namespace {

/// A row of the option table.
struct SimOption {
  StringRef Name, Value, Description; ///< Value is empty for a switch.
  std::variant<bool SimOptions::*, uint64_t SimOptions::*,
               std::string SimOptions::*, std::array<uint32_t, 3> SimOptions::*>
      Field;
  bool Meaning = true; ///< The value to which a switch sets its field.
};

/// An option of the compiler that may also stand before the files.
struct CompilerOption {
  StringRef Flag, Value, Description;
};

/// Reads the words before the first source one by one.
class OptionReader {
public:
  OptionReader(ArrayRef<const char *> Words, SimCommandLine &Line)
      : Words(Words), Line(Line) {}

  /// Returns the remaining words: the sources, then the program's arguments.
  Expected<ArrayRef<const char *>> read();

private:
  Error readOption(StringRef Word);
  Error setOption(const SimOption &Option, StringRef Word,
                  std::optional<StringRef> Value);
  /// Reads an option of the compiler; returns false if \p Word is none.
  Expected<bool> forward(StringRef Word);
  Expected<std::string> takeValue(StringRef Word,
                                  std::optional<StringRef> Value);

  ArrayRef<const char *> Words;
  SimCommandLine &Line;
};

} // namespace

static constexpr SimOption SimOptionTable[] = {
    {"banks", "",
     "print the cost of each line's accesses to shared memory, as the "
     "optimized code makes them",
     &SimOptions::CountBanks},
    {"memory", "",
     "the same for global memory: the sectors of 32 bytes that they take",
     &SimOptions::CountSectors},
    {"no-races", "", "do not look for races (a third faster)",
     &SimOptions::CheckRaces, false},
    {"global-races", "",
     "look for races on global memory, too, also between blocks",
     &SimOptions::CheckGlobalRaces},
    {"kernels", "",
     "check each kernel by itself with made-up arguments: no host program runs",
     &SimOptions::OnlyKernels},
    {"block", "X,Y,Z",
     "of --kernels: threads of a block (default: 256, or __launch_bounds__)",
     &SimOptions::Block},
    {"grid", "X,Y,Z",
     "of --kernels: blocks (default: 2 in each dimension that is used)",
     &SimOptions::Grid},
    {"seed", "N", "order of the warps (default: 0, ascending)",
     &SimOptions::Seed},
    {"arch", "sm_NN",
     "GPU to run as (default: the highest one the flags name, or sm_90)",
     &SimOptions::Arch},
    {"threads", "N",
     "cores on which blocks of a grid run; no result depends on it (default: "
     "all)",
     &SimOptions::Threads},
    {"max-steps", "N", "warp instructions a launch may take (default: 2^34)",
     &SimOptions::MaxSteps},
    {"json", "file", "write findings and costs as JSON", &SimOptions::Json},
    {"quiet", "", "print findings, but no summary and no progress",
     &SimOptions::IsQuiet},
};

static constexpr CompilerOption CompilerOptions[] = {
    {"-I", "dir", "folder of headers"},
    {"-isystem", "dir", "folder of system headers"},
    {"-D", "macro", "define a macro"},
    {"-U", "macro", "undefine a macro"},
    {"-include", "file", "include a file first"},
    {"-std=", "standard", "version of C++"},
    {"--cuda-path=", "dir", "CUDA Toolkit"},
    {"-L", "dir", "folder of libraries"},
    {"-l", "name", "library that the program uses"},
};

static void printRow(StringRef Left, StringRef Description, raw_ostream &OS) {
  OS << formatv("  {0,-24} {1}\n", Left, Description);
}

void cudasim::printSimHelp(raw_ostream &OS) {
  OS << "usage: cuda-sim [options] prog.cu... [program arguments] "
        "[-- flags of the compiler]\n\n"
        "Compiles a CUDA program and runs it on the CPU. Kernels are "
        "interpreted, and checked\nfor races, accesses out of bounds, "
        "uninitialised shared memory and wrong barriers.\nWith --kernels, each "
        "kernel is checked by itself.\n\noptions:\n";
  for (const SimOption &Option : SimOptionTable) {
    StringRef Equals = Option.Value.empty() ? "" : "=<";
    StringRef Close = Option.Value.empty() ? "" : ">";
    printRow(("--" + Option.Name + Equals + Option.Value + Close).str(),
             Option.Description, OS);
  }
  printRow("--help", "print this help", OS);
  printRow("--version", "print the version", OS);
  OS << "\nflags of the compiler that may also precede the files:\n";
  for (const CompilerOption &Option : CompilerOptions)
    printRow((Option.Flag + "<" + Option.Value + ">").str(), Option.Description,
             OS);
  OS << "\nexit code: the program's; 1 if that is 0 but errors were found; 2 "
        "bad command;\n3 not compiled or not modelled; 70 a fault of "
        "cuda-sim\n";
}

bool cudasim::isSourceName(StringRef Word) {
  StringRef Extension = sys::path::extension(Word);
  return !Word.starts_with("-") &&
         is_contained({".cu", ".cpp", ".cc", ".cxx", ".c"}, Extension);
}

Expected<std::string> OptionReader::takeValue(StringRef Word,
                                              std::optional<StringRef> Value) {
  if (!Value && !Words.empty()) {
    Value = Words.front();
    Words = Words.drop_front();
  }
  if (!Value || Value->empty())
    return createStringError("argument expected after '" + Word + "'");
  return Value->str();
}

Error OptionReader::setOption(const SimOption &Option, StringRef Word,
                              std::optional<StringRef> Value) {
  if (auto *Switch = std::get_if<bool SimOptions::*>(&Option.Field)) {
    if (Value)
      return createStringError("'" + Word + "' takes no value");
    Line.Opts.*(*Switch) = Option.Meaning;
    return Error::success();
  }
  Expected<std::string> Text = takeValue(Word, Value);
  if (!Text)
    return Text.takeError();
  if (auto *Name = std::get_if<std::string SimOptions::*>(&Option.Field))
    Line.Opts.*(*Name) = *Text;
  else if (auto *Extent = std::get_if<std::array<uint32_t, 3> SimOptions::*>(
               &Option.Field)) {
    std::optional<std::array<uint32_t, 3>> Value = parseExtents(*Text);
    if (!Value)
      return createStringError("'" + *Text + "' after '--" + Option.Name +
                               "' is no size such as 16,16 or 256");
    Line.Opts.*(*Extent) = *Value;
  } else if (StringRef(*Text).getAsInteger(
                 0, Line.Opts.*std::get<uint64_t SimOptions::*>(Option.Field)))
    return createStringError("'" + *Text + "' after '--" + Option.Name +
                             "' is no number");
  return Error::success();
}

Expected<bool> OptionReader::forward(StringRef Word) {
  for (const CompilerOption &Option : CompilerOptions) {
    if (!Word.starts_with(Option.Flag))
      continue;
    StringRef Rest = Word.drop_front(Option.Flag.size());
    Expected<std::string> Value =
        takeValue(Word, Rest.empty() ? std::nullopt : std::optional(Rest));
    if (!Value)
      return Value.takeError();
    if (Option.Flag.ends_with("=") || Option.Flag.size() == 2)
      Line.Flags.push_back(Option.Flag.str() + *Value);
    else
      append_values(Line.Flags, Option.Flag.str(), *Value);
    return true;
  }
  return false;
}

/// Returns "; did you mean '--banks'?" if some option is spelt like \p Name;
/// otherwise an empty string.
static std::string suggest(StringRef Name) {
  constexpr unsigned MaxDistance = 2;
  for (const SimOption &Option : SimOptionTable)
    if (Name.edit_distance(Option.Name, true, MaxDistance) <= MaxDistance)
      return ("; did you mean '--" + Option.Name + "'?").str();
  return "";
}

Error OptionReader::readOption(StringRef Word) {
  auto [Name, Rest] =
      Word.drop_front(Word.starts_with("--") ? 2 : 1).split('=');
  std::optional<StringRef> Value;
  if (Word.contains('='))
    Value = Rest;
  if (Name == "help" || Name == "h" || Name == "version") {
    Line.What = Name == "version" ? SimCommandLine::Request::Version
                                  : SimCommandLine::Request::Help;
    return Error::success();
  }
  for (const SimOption &Option : SimOptionTable)
    if (Option.Name == Name)
      return setOption(Option, Word, Value);
  Expected<bool> IsCompilers = forward(Word);
  if (!IsCompilers || *IsCompilers)
    return IsCompilers.takeError();
  return createStringError("unknown option '" + Word + "'" + suggest(Name));
}

Expected<ArrayRef<const char *>> OptionReader::read() {
  while (!Words.empty() && StringRef(Words.front()).starts_with("-")) {
    StringRef Word = Words.front();
    Words = Words.drop_front();
    if (Error E = readOption(Word))
      return std::move(E);
  }
  return Words;
}

/// Returns an error if options or files of \p Line contradict each other.
static Error checkLine(const SimCommandLine &Line) {
  if (Line.Files.empty())
    return createStringError(
        Line.Arguments.empty()
            ? "no input file; try 'cuda-sim --help'"
            : "'" + Line.Arguments.front() +
                  "' is no source file (.cu, .cpp, .cc, .cxx, .c)");
  const SimOptions &Opts = Line.Opts;
  if (Opts.OnlyKernels && !Line.Arguments.empty())
    return createStringError("with --kernels no program runs that '" +
                             Line.Arguments.front() + "' could be for");
  if (Opts.OnlyKernels && (Opts.isOptimized() || !Opts.Json.empty()))
    return createStringError(
        "--kernels does not go with --banks, --memory or --json");
  if (!Opts.OnlyKernels && (Opts.Block[0] || Opts.Grid[0]))
    return createStringError("--block and --grid are for --kernels");
  if (uint64_t(Opts.Block[0]) * Opts.Block[1] * Opts.Block[2] > 1024)
    return createStringError("a block has 1024 threads at most");
  if (!Line.Opts.Arch.empty() && !findTarget(Line.Opts.Arch))
    return createStringError("unknown GPU in --arch=" + Line.Opts.Arch);
  return Error::success();
}

/// Files are the words up to the first that is no source name; everything
/// behind them belongs to the program.
Expected<SimCommandLine>
cudasim::parseSimCommandLine(ArrayRef<const char *> Args) {
  SimCommandLine Line;
  Line.Executable = Args.front();
  const char *const *Dashes =
      find_if(Args, [](StringRef Word) { return Word == "--"; });
  OptionReader Reader(ArrayRef(Args.begin() + 1, Dashes), Line);
  Expected<ArrayRef<const char *>> Rest = Reader.read();
  if (!Rest)
    return Rest.takeError();
  if (Line.What != SimCommandLine::Request::Run)
    return Line;
  const char *const *Sources =
      find_if_not(*Rest, [](const char *Word) { return isSourceName(Word); });
  Line.Files.assign(Rest->begin(), Sources);
  Line.Arguments.assign(Sources, Rest->end());
  if (Dashes != Args.end())
    Line.Flags.insert(Line.Flags.end(), Dashes + 1, Args.end());
  if (Error E = checkLine(Line))
    return std::move(E);
  return Line;
}
