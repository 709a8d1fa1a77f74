// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Parses the command line by the table of Options.def. llvm::cl is not used
/// because its option table is global: the options of LLVM's own libraries
/// would become options of this tool.
//===----------------------------------------------------------------------===//

#include "cudaopt/Driver/Command/CommandLine.h"
#include "Launcher/Masquerade.h"
#include "cudaopt/Driver/Delivery/ReportFiles.h"
#include "cudaopt/Driver/Launcher/LaunchedCompile.h"
#include "cudaopt/Driver/Launcher/Launcher.h"
#include "cudaopt/Support/Spelling.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <functional>
#include <optional>

using namespace cudaopt;
using namespace llvm;

namespace {

/// An option that asks for something else than a rewrite.
struct RequestOption {
  StringRef Name, Value, Description;
  CommandLine::Request What;
};

// How a compiler option takes its argument.
enum class Form {
  Separate, ///< -include f
  Joined,   ///< -If, -I f
  Equals,   ///< -std=v, -std v
  Optional, ///< -Rpass, -Rpass=v
};

/// An option of the compiler that may also stand before `--`.
struct CompilerOption {
  StringRef Name, Flag, Value, Description;
  Form Argument;
};

/// Reads the words before `--` one by one into a CommandLine.
class OptionReader {
public:
  OptionReader(ArrayRef<const char *> Words, StringRef Place, CommandLine &Line)
      : Words(Words), Place(Place), Line(Line) {}

  Error read();

private:
  Error readOption(StringRef Word);
  Expected<std::string> takeValue(StringRef Word,
                                  std::optional<StringRef> Value);
  Error setOption(const OptionInfo &Option, StringRef Word,
                  std::optional<StringRef> Value);
  Error readRequest(const RequestOption &Option, StringRef Word,
                    std::optional<StringRef> Value);
  Error readUnknownCompiler(StringRef Word);
  Error forward(const CompilerOption &Option, StringRef Word,
                std::optional<StringRef> Value);

  ArrayRef<const char *> Words;
  const StringRef Place;
  CommandLine &Line;
};

} // namespace

using Request = CommandLine::Request;

static constexpr StringLiteral CommandLinePlace = "command line";

static constexpr RequestOption Requests[] = {
    {"help", "", "print this help (-h)", Request::Help},
    {"version", "", "print the version", Request::Version},
    {"doctor", "", "check the installation, and say what to do",
     Request::Doctor},
    {"list-passes", "", "name the passes", Request::ListPasses},
    {"dump-config", "", "print the options that hold, as a .cuda-opt",
     Request::DumpConfig},
    {"explain-config", "", "the same, and where each of them is said",
     Request::ExplainConfig},
    {"print-clang-flags", "", "print the flags of clang for each file",
     Request::PrintClangFlags},
    {"emit-clangd", "", "print a .clangd, with which clangd reads CUDA",
     Request::EmitClangd},
    {"completion", "shell", "print completions for bash or zsh",
     Request::Completion},
    {"man", "", "print the manual page, for man -l -", Request::ManPage},
};

static constexpr CompilerOption CompilerOptions[] = {
    {"I", "-I", "dir", "folder of headers", Form::Joined},
    {"isystem", "-isystem", "dir", "folder of system headers", Form::Joined},
    {"D", "-D", "macro", "define a macro", Form::Joined},
    {"U", "-U", "macro", "undefine a macro", Form::Joined},
    {"include", "-include", "file", "include a file first", Form::Separate},
    {"std", "-std=", "standard", "version of C++", Form::Equals},
    {"cuda-path", "--cuda-path=", "dir", "CUDA Toolkit", Form::Equals},
    {"resource-dir", "-resource-dir=", "dir", "folder of clang's own headers",
     Form::Equals},
    {"Rpass", "-Rpass=", "regex", "remark what changed", Form::Optional},
    {"Rpass-missed", "-Rpass-missed=", "regex", "remark what did not, and why",
     Form::Optional},
    {"Rpass-analysis", "-Rpass-analysis=", "regex", "remark what was found",
     Form::Optional},
};

std::vector<ExtraOption> cudaopt::listRequests() {
  std::vector<ExtraOption> Result;
  for (const RequestOption &Each : Requests)
    Result.push_back({Each.Name, Each.Value, Each.Description});
  return Result;
}

std::vector<ExtraOption> cudaopt::listCompilerOptions() {
  std::vector<ExtraOption> Result;
  for (const CompilerOption &Each : CompilerOptions)
    Result.push_back({Each.Flag, Each.Value, Each.Description});
  return Result;
}

/// Returns "; did you mean '--diff'?" if some option is spelt like \p Name;
/// otherwise an empty string.
static std::string suggest(StringRef Name) {
  std::vector<std::string> Known;
  for (const OptionInfo &Option : allOptions())
    Known.push_back(Option.spelling());
  for (const RequestOption &Each : Requests)
    Known.push_back("--" + Each.Name.str());
  erase_if(Known, [](StringRef Option) { return !Option.starts_with("--"); });
  return suggestSpelling("--" + Name.str(),
                         std::vector<StringRef>(Known.begin(), Known.end()));
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

static Error setField(const OptionInfo &Option, StringRef Word,
                      std::optional<StringRef> Value, Options &Opts) {
  if (auto *Switch = std::get_if<bool Options::*>(&Option.Field)) {
    if (Value)
      return createStringError("'" + Word + "' takes no value");
    Opts.**Switch = true;
    return Error::success();
  }
  if (!Value)
    Value = getDefaultValue(Option.Value);
  if (!Value || Value->empty())
    return createStringError("argument expected after '" + Word + "'");
  Option.add(*Value, Opts);
  return Error::success();
}

/// Returns the switch that \p Name, such as "no-reorder", turns off; null if
/// there is none.
static const OptionInfo *findNegated(StringRef Name) {
  const OptionInfo *Option =
      Name.consume_front("no-") ? findOption(Name) : nullptr;
  return Option && Option->isSwitch() && Option->IsSetting ? Option : nullptr;
}

static Error clearSwitch(const OptionInfo &Option, StringRef Place,
                         Options &Opts, OptionPlaces &Places) {
  Places.insert_or_assign(Option.Name.str(), Place.str());
  Opts.*std::get<bool Options::*>(Option.Field) = false;
  return Error::success();
}

Error OptionReader::setOption(const OptionInfo &Option, StringRef Word,
                              std::optional<StringRef> Value) {
  Line.Places.insert_or_assign(Option.Name.str(), Place.str());
  if (Option.isSwitch() || (!Value && Option.hasOptionalValue()))
    return setField(Option, Word, Value, Line.Opts);
  Expected<std::string> Taken = takeValue(Word, Value);
  if (!Taken)
    return Taken.takeError();
  return setField(Option, Word, *Taken, Line.Opts);
}

Error OptionReader::readRequest(const RequestOption &Option, StringRef Word,
                                std::optional<StringRef> Value) {
  if (Line.What != Request::Run && Line.What != Option.What)
    return createStringError("'" + Word +
                             "' does not go with what else is asked for");
  Line.What = Option.What;
  if (!Option.Value.empty())
    return takeValue(Word, Value).moveInto(Line.Topic);
  if (Value)
    return createStringError("'" + Word + "' takes no value");
  return Error::success();
}

Error OptionReader::forward(const CompilerOption &Option, StringRef Word,
                            std::optional<StringRef> Value) {
  if (Option.Argument == Form::Optional && !Value) {
    Line.Flags.push_back(Option.Flag.drop_back().str());
    return Error::success();
  }
  Expected<std::string> Taken = takeValue(Word, Value);
  if (!Taken)
    return Taken.takeError();
  if (Option.Flag.ends_with("="))
    Line.Flags.push_back(Option.Flag.str() + *Taken);
  else
    append_values(Line.Flags, Option.Flag.str(), *Taken);
  return Error::success();
}

Error OptionReader::readOption(StringRef Word) {
  StringRef Text = Word.drop_front(Word.starts_with("--") ? 2 : 1);
  auto [Name, Rest] = Text.split('=');
  std::optional<StringRef> Value;
  if (Name.size() < Text.size())
    Value = Rest;
  if (Name == "p")
    return takeValue(Word, Value).moveInto(Line.BuildPath);
  if (Name == "scan-launches")
    return takeValue(Word, Value).moveInto(Line.ScanFile);
  if (Name == "program-launches")
    return takeValue(Word, Value).moveInto(Line.LaunchesFile);
  for (const RequestOption &Option : Requests)
    if (Option.Name == (Name == "h" ? "help" : Name))
      return readRequest(Option, Word, Value);
  if (const OptionInfo *Option = findOption(Name == "q" ? "quiet" : Name))
    return setOption(*Option, Word, Value);
  if (StringRef Number = Text;
      Number.consume_front("j") && !Number.empty() && all_of(Number, isDigit))
    return setOption(*findOption("j"), Word, Number);
  if (const OptionInfo *Option = Value ? nullptr : findNegated(Name))
    return clearSwitch(*Option, Place, Line.Opts, Line.Places);
  for (const CompilerOption &Option : CompilerOptions)
    if (Option.Name == Name)
      return forward(Option, Word, Value);
  for (const CompilerOption &Option : CompilerOptions)
    if (Option.Argument == Form::Joined && Text.starts_with(Option.Name))
      return forward(Option, Word, Text.drop_front(Option.Name.size()));
  return createStringError("unknown option '" + Word + "'" + suggest(Name));
}

Error cudaopt::setOption(StringRef Word, Options &Opts, OptionPlaces &Places) {
  auto [Name, Rest] = Word.split('=');
  std::optional<StringRef> Value;
  if (Name.size() < Word.size())
    Value = Rest;
  if (const OptionInfo *Option = Value ? nullptr : findNegated(Name))
    return clearSwitch(*Option, CommandLinePlace, Opts, Places);
  if (const OptionInfo *Option = findOption(Name)) {
    if (Option->IsOfTool)
      return createStringError("'" + Name +
                               "' is for the tool, not the plugin");
    Places.insert_or_assign(Option->Name.str(), CommandLinePlace.str());
    return setField(*Option, Word, Value, Opts);
  }
  std::vector<StringRef> Known;
  for (const OptionInfo &Option : allOptions())
    if (!Option.IsOfTool)
      Known.push_back(Option.Name);
  return createStringError("unknown option '" + Word + "'" +
                           suggestSpelling(Name, Known));
}

/// Returns true if \p Word is not a source but the compiler of a command whose
/// remaining words are \p Rest: `mycc -c a.cu`.
static bool isCompilation(StringRef Word, ArrayRef<const char *> Rest) {
  static constexpr StringLiteral Options[] = {
      "-c", "-dc", "-dw", "--compile", "--device-c", "--device-w"};
  const bool MayBeProgram = !Word.starts_with("-") && !Word.contains('.') &&
                            !sys::fs::is_regular_file(Word);
  return MayBeProgram && any_of(Rest, [](StringRef Each) {
           return is_contained(Options, Each);
         });
}

/// Handles a compiler that cuda-opt does not know. One that does not exist is
/// launched all the same, so that the user sees the system's message; one that
/// exists is refused, since it may be no CUDA compiler.
Error OptionReader::readUnknownCompiler(StringRef Word) {
  if (Line.What != Request::Run || sys::findProgramByName(Word))
    return createStringError(
        "'" + Word +
        "' is no compiler that cuda-opt knows;"
        " those are nvcc, nvcc_wrapper, clang and clang++, "
        "behind ccache, sccache, distcc or icecc");
  Line.What = Request::Launch;
  Line.Compiler = {Word.str()};
  append_range(Line.Compiler, Words);
  return Error::success();
}

Error OptionReader::read() {
  while (!Words.empty()) {
    StringRef Word = Words.front();
    Words = Words.drop_front();
    if (Line.Files.empty() && isCompilerName(Word)) {
      if (Line.What == Request::Run)
        Line.What = Request::Launch;
      Line.Compiler = {Word.str()};
      append_range(Line.Compiler, Words);
      return Error::success();
    }
    if (Line.Files.empty() && isCompilation(Word, Words))
      return readUnknownCompiler(Word);
    if (!Word.starts_with("-")) {
      Line.Files.push_back(Word.str());
      continue;
    }
    if (Error E = readOption(Word))
      return E;
  }
  return Error::success();
}

/// Reads the tool's own options of a launch: those in CUDAOPT_FLAGS, then
/// \p Words, which override them. Options that say where the result goes are
/// refused, because the compiler's own options decide that.
static Error readLaunch(ArrayRef<const char *> Words, CommandLine &Line) {
  Line.OwnWords = readEnvironmentWords("CUDAOPT_FLAGS");
  const SmallVector<const char *> Before(
      map_range(Line.OwnWords, std::mem_fn(&std::string::c_str)));
  CommandLine Own;
  if (Error E = OptionReader(Before, "CUDAOPT_FLAGS", Own).read())
    return createStringError("in CUDAOPT_FLAGS: " + toString(std::move(E)));
  if (Own.What != Request::Run || !Own.Files.empty())
    return createStringError("in CUDAOPT_FLAGS: only options may stand there");
  if (Error E = OptionReader(Words, CommandLinePlace, Own).read())
    return E;
  Line.Opts = std::move(Own.Opts);
  Line.Places = std::move(Own.Places);
  Line.OwnWords.insert(Line.OwnWords.end(), Words.begin(), Words.end());
  SmallVector<StringRef> Refused = listDeliveries(Line.Opts);
  if (!Own.BuildPath.empty() && !Line.Opts.WholeProgram)
    Refused.push_back("-p");
  if (!Own.ScanFile.empty() || !Own.LaunchesFile.empty())
    Refused.push_back("--scan-launches");
  Line.BuildPath = std::move(Own.BuildPath);
  Line.Flags = std::move(Own.Flags);
  if (!Line.Opts.ChangedLines.empty())
    Refused.push_back("--changed-lines");
  if (Refused.empty() && Line.Opts.WholeProgram && Line.BuildPath.empty())
    return createStringError("--whole-program needs -p, with the compilation "
                             "database of the program");
  if (Refused.empty())
    return Error::success();
  return createStringError("'" + Refused.front() + "' is not for launching '" +
                           Line.Compiler.front() + "'");
}

/// If the compiler that \p Command names is a link to cuda-opt, replaces it by
/// the compiler that the link stands for. A script that starts cuda-opt again
/// cannot be recognized in this way; only the nesting count stops it.
static Error unmaskCompiler(std::vector<std::string> &Command) {
  auto Compiler =
      find_if_not(Command, [](StringRef Word) { return isCacheName(Word); });
  if (Compiler == Command.end())
    return Error::success();
  ErrorOr<std::string> Program = sys::findProgramByName(*Compiler);
  if (!Program || !isMasquerade(*Program))
    return enterMasquerade();
  Expected<std::vector<std::string>> Words = unmask(*Compiler);
  if (!Words)
    return Words.takeError();
  Compiler = Command.erase(Compiler);
  Command.insert(Compiler, Words->begin(), Words->end());
  return enterMasquerade();
}

/// Parses the form `cuda-opt-nvcc arguments`, which means `cuda-opt nvcc
/// arguments` and exists for variables that name a compiler by one word; a link
/// named nvcc works the same. The tool's options can only come from the
/// environment.
static Expected<CommandLine> parseAsNvcc(ArrayRef<const char *> Args) {
  CommandLine Line;
  Line.Executable = Args.front();
  Line.What = Request::Launch;
  const bool IsLink = sys::path::filename(Args.front()) == "nvcc";
  Line.Compiler = {IsLink ? Args.front() : "nvcc"};
  if (!sys::findProgramByName(Line.Compiler.front())) {
    Expected<Toolkit> Cuda = findToolkit("");
    if (!Cuda)
      return Cuda.takeError();
    Line.Compiler = {Cuda->Path + "/bin/nvcc"};
  }
  append_range(Line.Compiler, Args.drop_front());
  if (Error E = unmaskCompiler(Line.Compiler))
    return std::move(E);
  if (Error E = readLaunch({}, Line))
    return std::move(E);
  return Line;
}

/// Parses the words before and after `--`.
static Expected<CommandLine> parseAsTool(ArrayRef<const char *> Args) {
  CommandLine Line;
  Line.Executable = Args.front();
  const char *const *Dashes =
      find_if(Args, [](StringRef Word) { return Word == "--"; });
  if (Error E = OptionReader(ArrayRef(Args.begin() + 1, Dashes),
                             CommandLinePlace, Line)
                    .read())
    return std::move(E);
  if (!Line.Compiler.empty()) {
    Line.Compiler.insert(Line.Compiler.end(), Dashes, Args.end());
    const size_t NumOwn = Args.size() - 1 - Line.Compiler.size();
    if (Error E = unmaskCompiler(Line.Compiler))
      return std::move(E);
    if (Error E = readLaunch(Args.slice(1, NumOwn), Line))
      return std::move(E);
  } else if (Dashes != Args.end()) {
    Line.Flags.insert(Line.Flags.end(), Dashes + 1, Args.end());
  }
  return Line;
}

/// Parses `cuda-opt explain [id]`.
static Expected<CommandLine> parseExplain(ArrayRef<const char *> Args) {
  CommandLine Line;
  Line.What = Request::Explain;
  if (Args.size() > 3)
    return createStringError("'explain' takes one name");
  if (Args.size() == 3)
    Line.Topic = Args[2];
  return Line;
}

/// Returns the request of `cuda-opt tune` and `cuda-opt calibrate`, which have
/// options of their own; std::nullopt for other commands.
static std::optional<Request> findMeasurement(ArrayRef<const char *> Args) {
  return StringSwitch<std::optional<Request>>(Args.size() > 1 ? Args[1] : "")
      .Case("tune", Request::Tune)
      .Case("calibrate", Request::Calibrate)
      .Default(std::nullopt);
}

/// Returns true if \p What needs source files.
static bool wantsInput(Request What) {
  return is_contained({Request::Run, Request::PrintClangFlags}, What);
}

Expected<CommandLine> cudaopt::parseCommandLine(ArrayRef<const char *> Args) {
  const StringRef Name = sys::path::filename(Args.front());
  const bool IsNvcc = Name == "cuda-opt-nvcc" || Name == "nvcc";
  if (!IsNvcc && Args.size() > 1 && StringRef(Args[1]) == "explain")
    return parseExplain(Args);
  if (std::optional<Request> What = findMeasurement(Args); !IsNvcc && What) {
    CommandLine Line;
    Line.Executable = Args.front();
    Line.What = *What;
    Line.Words.assign(Args.begin() + 2, Args.end());
    return Line;
  }
  Expected<CommandLine> Line = IsNvcc ? parseAsNvcc(Args) : parseAsTool(Args);
  if (!Line)
    return Line;
  if (Error E = validate(Line->Opts))
    return std::move(E);
  if (Line->Opts.Output == "-") // Where the source goes by default.
    Line->Opts.Output.clear();
  const bool Rewrites =
      Line->What == Request::Run || Line->What == Request::Launch;
  if (SmallVector<StringRef> Deliveries = listDeliveries(Line->Opts);
      !Rewrites && !Deliveries.empty())
    return createStringError("'" + Deliveries.front() +
                             "' does not go with what else is asked for");
  if (Error E = checkStandardOutput(Line->Opts, Line->What == Request::Launch))
    return std::move(E);
  if (!wantsInput(Line->What) || !Line->BuildPath.empty())
    return Line;
  if (Line->Files.empty()) {
    Expected<NvccCommand> Command = readNvccCommand(Line->Flags);
    if (!Command)
      return Command.takeError();
    Line->Files = std::move(Command->Inputs);
  }
  if (Line->Files.empty())
    return createStringError("no input file; try 'cuda-opt --help'");
  return Line;
}
