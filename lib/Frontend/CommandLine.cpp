// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Parses the tool's options, which Options.def lists. llvm::cl would do it,
/// but its table is shared with the options of LLVM's own libraries, which
/// would then be options of this tool.
//===----------------------------------------------------------------------===//

#include "cudaopt/Frontend/CommandLine.h"
#include "cudaopt/Frontend/LaunchedCompile.h"
#include "cudaopt/Frontend/Launcher.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <functional>
#include <limits>
#include <optional>
#include <variant>

using namespace cudaopt;
using namespace llvm;

namespace {

/// A row of Options.def.
struct ToolOption {
  StringRef Name, Value, Description; ///< Value is empty for a switch.
  std::variant<bool Options::*, std::string Options::*> Field;
};

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

/// Takes the words before `--` one by one.
class OptionReader {
public:
  OptionReader(ArrayRef<const char *> Words, CommandLine &Line)
      : Words(Words), Line(Line) {}

  Error read();

private:
  Error readOption(StringRef Word);
  Expected<std::string> takeValue(StringRef Word,
                                  std::optional<StringRef> Value);
  Error setOption(const ToolOption &Option, StringRef Word,
                  std::optional<StringRef> Value);
  Error forward(const CompilerOption &Option, StringRef Word,
                std::optional<StringRef> Value);

  ArrayRef<const char *> Words;
  CommandLine &Line;
};

} // namespace

static constexpr ToolOption ToolOptions[] = {
#define OPTION(Type, Field, Name, Default, ValueName, Description)             \
  {Name, ValueName, Description, &Options::Field},
#include "cudaopt/Frontend/Options.def"
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

static void printOption(StringRef Name, StringRef Value, StringRef Description,
                        raw_ostream &OS) {
  std::string Left = (Name.size() == 1 ? "-" : "--") + Name.str();
  if (!Value.empty())
    Left += (Name.size() == 1 ? " <" : "=<") + Value.str() + ">";
  OS << formatv("  {0,-26} {1}\n", Left, Description);
}

void cudaopt::printHelp(raw_ostream &OS) {
  OS << "usage: cuda-opt [options] file.cu... [-- flags of the compiler]\n"
        "       cuda-opt [options] -p build [file.cu...]\n"
        "       cuda-opt [options] nvcc arguments...\n\n"
        "Changes the layout of CUDA shared arrays so that banks do not "
        "conflict.\n\noptions:\n";
  printOption("p", "build", "folder of a compile_commands.json", OS);
  for (const ToolOption &Option : ToolOptions)
    printOption(Option.Name, Option.Value, Option.Description, OS);
  printOption("help", "", "print this help", OS);
  printOption("version", "", "print the version", OS);
  OS << "\nflags of the compiler that may also precede --:\n";
  for (const CompilerOption &Option : CompilerOptions) {
    StringRef Gap = Option.Argument == Form::Separate ? " " : "";
    OS << formatv("  {0,-26} {1}\n",
                  (Option.Flag + Gap + "<" + Option.Value + ">").str(),
                  Option.Description);
  }
}

/// Returns "; did you mean '--diff'?" if some option is spelt like \p Name;
/// \p Dashes stand before names.
static std::string suggest(StringRef Name, StringRef Dashes) {
  constexpr unsigned MaxDistance = 2;
  StringRef Best;
  unsigned Least = MaxDistance + 1;
  for (const ToolOption &Option : ToolOptions) {
    if (Option.Name.size() == 1)
      continue;
    unsigned Distance = Name.edit_distance(Option.Name, true, MaxDistance);
    if (Distance < Least) {
      Least = Distance;
      Best = Option.Name;
    }
  }
  return Best.empty() ? "" : ("; did you mean '" + Dashes + Best + "'?").str();
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

static Error setField(const ToolOption &Option, StringRef Word,
                      std::optional<StringRef> Value, Options &Opts) {
  if (auto *Switch = std::get_if<bool Options::*>(&Option.Field)) {
    if (Value)
      return createStringError("'" + Word + "' takes no value");
    Opts.*(*Switch) = true;
    return Error::success();
  }
  if (!Value || Value->empty())
    return createStringError("argument expected after '" + Word + "'");
  Opts.*std::get<std::string Options::*>(Option.Field) = Value->str();
  return Error::success();
}

Error OptionReader::setOption(const ToolOption &Option, StringRef Word,
                              std::optional<StringRef> Value) {
  if (std::holds_alternative<bool Options::*>(Option.Field))
    return setField(Option, Word, Value, Line.Opts);
  Expected<std::string> Taken = takeValue(Word, Value);
  if (!Taken)
    return Taken.takeError();
  return setField(Option, Word, *Taken, Line.Opts);
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
  if (Name == "help" || Name == "h" || Name == "version") {
    Line.What = Name == "version" ? CommandLine::Request::Version
                                  : CommandLine::Request::Help;
    return Error::success();
  }
  if (Name == "p")
    return takeValue(Word, Value).moveInto(Line.BuildPath);
  for (const ToolOption &Option : ToolOptions)
    if (Option.Name == Name)
      return setOption(Option, Word, Value);
  for (const CompilerOption &Option : CompilerOptions)
    if (Option.Name == Name)
      return forward(Option, Word, Value);
  for (const CompilerOption &Option : CompilerOptions)
    if (Option.Argument == Form::Joined && Text.starts_with(Option.Name))
      return forward(Option, Word, Text.drop_front(Option.Name.size()));
  return createStringError("unknown option '" + Word + "'" +
                           suggest(Name, "--"));
}

Error cudaopt::setOption(StringRef Word, Options &Opts) {
  auto [Name, Rest] = Word.split('=');
  std::optional<StringRef> Value;
  if (Name.size() < Word.size())
    Value = Rest;
  for (const ToolOption &Option : ToolOptions)
    if (Option.Name == Name)
      return setField(Option, Word, Value, Opts);
  return createStringError("unknown option '" + Word + "'" + suggest(Name, ""));
}

Error OptionReader::read() {
  while (!Words.empty()) {
    StringRef Word = Words.front();
    Words = Words.drop_front();
    if (Line.Files.empty() && isCompilerName(Word)) {
      Line.What = CommandLine::Request::Launch;
      Line.Compiler = {Word.str()};
      append_range(Line.Compiler, Words);
      return Error::success();
    }
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
/// \p Words. What a launched compiler makes goes where its own options say.
static Error readLaunch(ArrayRef<const char *> Words, CommandLine &Line) {
  Line.OwnWords = readEnvironmentWords("CUDAOPT_FLAGS");
  const SmallVector<const char *> Before(
      map_range(Line.OwnWords, std::mem_fn(&std::string::c_str)));
  CommandLine Own;
  if (Error E = OptionReader(Before, Own).read())
    return createStringError("in CUDAOPT_FLAGS: " + toString(std::move(E)));
  if (Own.What != CommandLine::Request::Run || !Own.Files.empty())
    return createStringError("in CUDAOPT_FLAGS: only options may stand there");
  if (Error E = OptionReader(Words, Own).read())
    return E;
  Line.Opts = std::move(Own.Opts);
  Line.OwnWords.insert(Line.OwnWords.end(), Words.begin(), Words.end());
  SmallVector<StringRef> Refused = listDeliveries(Line.Opts);
  if (!Own.BuildPath.empty())
    Refused.push_back("-p");
  if (Refused.empty())
    return Error::success();
  return createStringError("'" + Refused.front() + "' is not for launching '" +
                           Line.Compiler.front() + "'");
}

/// `cuda-opt-nvcc arguments` is `cuda-opt nvcc arguments`, for variables that
/// name a compiler in one word. The options are in the environment.
static Expected<CommandLine> parseAsNvcc(ArrayRef<const char *> Args) {
  CommandLine Line;
  Line.Executable = Args.front();
  Line.What = CommandLine::Request::Launch;
  Line.Compiler = {"nvcc"};
  if (!sys::findProgramByName("nvcc")) {
    Expected<Toolkit> Cuda = findToolkit("");
    if (!Cuda)
      return Cuda.takeError();
    Line.Compiler = {Cuda->Path + "/bin/nvcc"};
  }
  append_range(Line.Compiler, Args.drop_front());
  if (Error E = readLaunch({}, Line))
    return std::move(E);
  return Line;
}

/// Reads what stands before and behind `--`, if there is one.
static Expected<CommandLine> parseAsTool(ArrayRef<const char *> Args) {
  CommandLine Line;
  Line.Executable = Args.front();
  const char *const *Dashes =
      find_if(Args, [](StringRef Word) { return Word == "--"; });
  if (Error E = OptionReader(ArrayRef(Args.begin() + 1, Dashes), Line).read())
    return std::move(E);
  if (Line.What == CommandLine::Request::Launch) {
    Line.Compiler.insert(Line.Compiler.end(), Dashes, Args.end());
    const size_t NumOwn = Args.size() - 1 - Line.Compiler.size();
    if (Error E = readLaunch(Args.slice(1, NumOwn), Line))
      return std::move(E);
  } else if (Dashes != Args.end()) {
    Line.Flags.insert(Line.Flags.end(), Dashes + 1, Args.end());
  }
  return Line;
}

Expected<CommandLine> cudaopt::parseCommandLine(ArrayRef<const char *> Args) {
  using Request = CommandLine::Request;
  const bool IsNvcc = sys::path::filename(Args.front()) == "cuda-opt-nvcc";
  Expected<CommandLine> Line = IsNvcc ? parseAsNvcc(Args) : parseAsTool(Args);
  if (!Line || (Line->What != Request::Run && Line->What != Request::Launch))
    return Line;
  if (Error E = validate(Line->Opts))
    return std::move(E);
  if (Line->What == Request::Run && Line->Files.empty() &&
      Line->BuildPath.empty())
    return createStringError("no input file; try 'cuda-opt --help'");
  return Line;
}
