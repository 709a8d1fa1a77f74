// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Reads nvcc commands with the table of nvcc's options; options that the table
/// lacks are looked up in clang's.
//===----------------------------------------------------------------------===//

#include "cudaopt/Driver/Parse/NvccCommand.h"
#include "cudaopt/Driver/Parse/NvccFlagTable.h"
#include "cudaopt/Source/FloatingPoint.h"

#include "clang/Options/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Option/Arg.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Option/Option.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"

using namespace cudaopt;
using namespace llvm;
namespace options = clang::options;

/// The flag of clang that corresponds to -fmad=false.
static constexpr StringLiteral FmadOff = "-ffp-contract=off";

/// Options files may name each other, even in a cycle.
static constexpr unsigned MaxFileDepth = 16;

using Form = NvccFlag::Form;
using Role = NvccFlag::Role;

/// Appends "sm_80" for each GPU in the comma-separated \p Text whose item
/// begins with \p Prefix.
static void findArchs(StringRef Text, StringRef Prefix,
                      std::vector<std::string> &Archs) {
  for (StringRef Item : split(Text, ',')) {
    Item = Item.trim("[]\"\\ ");
    if (!Item.consume_front(Prefix))
      continue;
    auto [Kind, Number] = Item.split('_');
    if (Kind != "sm" && Kind != "compute" && Kind != "lto")
      continue;
    std::string Arch = ("sm_" + Number).str();
    if (!is_contained(Archs, Arch))
      Archs.push_back(std::move(Arch));
  }
}

/// Splits the text of an options file into words; std::nullopt if it is
/// malformed.
/// How the text of an options file becomes words.
using SplitFile = std::optional<std::vector<std::string>>(StringRef Text);

/// Splits the contents of a file that is named as `@file`.
static std::optional<std::vector<std::string>> splitClangFile(StringRef Text) {
  BumpPtrAllocator Allocator;
  StringSaver Saver(Allocator);
  SmallVector<const char *> Words;
  cl::TokenizeGNUCommandLine(Text, Saver, Words);
  return std::vector<std::string>(Words.begin(), Words.end());
}

namespace {

/// Reads one command and collects what it means.
class CommandReader {
public:
  explicit CommandReader(StringRef Directory) : Directory(Directory) {}

  Error read(ArrayRef<std::string> Arguments);
  NvccCommand take();

private:
  Error readFile(StringRef Name, SplitFile *Split);
  void noteAction(const NvccFlagUse &Use);
  void noteApproximation(const NvccFlagUse &Use);
  Error apply(const NvccFlagUse &Use);
  Expected<unsigned> readClangOption(ArrayRef<std::string> Arguments);
  void addInputs(ArrayRef<std::string> Names, size_t NumLeft);
  std::vector<std::string> readHostOptions();
  void addFloatingPoint(std::vector<std::string> HostWords);
  void addFlags(StringRef Text) {
    for (StringRef Word : splitNvccWords(Text))
      Command.ClangFlags.push_back(Word.str());
  }

  const StringRef Directory;
  NvccCommand Command;
  std::vector<std::string> HostOptions; ///< The options in -Xcompiler.
  /// The part of ClangFlags that does not come from the table.
  std::vector<std::string> ClangWords;
  std::string HostCompiler; ///< The argument of -ccbin.
  /// The last option that makes the device's single-precision arithmetic
  /// inexact.
  std::string Approximation;
  /// Options that neither nvcc nor clang knows.
  std::vector<std::string> Unknown;
  bool ForwardsUnknown = false;
  unsigned FileDepth = 0;
  size_t NumArguments = 0; ///< The number of words on the command line itself.
};

} // namespace

/// Reads options one by one: options files are expanded in place, options of
/// the table are applied, and all others are parsed by clang's table, which
/// also tells inputs from options.
Error CommandReader::read(ArrayRef<std::string> Arguments) {
  if (FileDepth == 0)
    NumArguments = Arguments.size();
  while (!Arguments.empty()) {
    StringRef First = Arguments.front();
    if (First.size() > 1 && First.starts_with("@")) {
      if (Error E = readFile(First.drop_front(), splitClangFile))
        return E;
      Arguments = Arguments.drop_front();
      continue;
    }
    NvccFlagUse Use;
    if (First.size() > 1 && First.starts_with("-"))
      Use = findNvccFlag(First);
    if (!Use.Flag) {
      Expected<unsigned> Count = readClangOption(Arguments);
      if (!Count)
        return Count.takeError();
      append_range(Command.Words, Arguments.take_front(*Count));
      Arguments = Arguments.drop_front(*Count);
      continue;
    }
    const bool HasOwnWord =
        !Use.Value && Arguments.size() > 1 && Use.Flag->takesNext(Arguments[1]);
    if (HasOwnWord)
      Use.Value = Arguments[1];
    if (Use.Flag->Effect != Role::OptionsFile)
      append_range(Command.Words, Arguments.take_front(1 + HasOwnWord));
    Arguments = Arguments.drop_front(1 + HasOwnWord);
    bool NeedsValue =
        Use.Flag->Argument == Form::Value || Use.Flag->Argument == Form::Joined;
    if (NeedsValue && !Use.Value)
      return createStringError("argument expected after '" + First + "'");
    noteAction(Use);
    noteApproximation(Use);
    if (Error E = apply(Use))
      return E;
  }
  return Error::success();
}

/// Records what an option says about products. A later option that asks for
/// something else than a compilation wins, whatever -c says.
void CommandReader::noteAction(const NvccFlagUse &Use) {
  using Action = NvccCommand::Action;
  StringRef Name = Use.Flag->Long;
  if (Name == "output-file")
    Command.Output = Use.Value->str();
  else if (Name == "output-directory")
    Command.OutputFolder = Use.Value->str();
  else if (Name == "dependency-output")
    Command.DependencyFile = Use.Value->str();
  else if (Name == "x")
    Command.Language = Use.Value->str();
  else if (Name == "keep")
    Command.KeepsFiles = true;
  else if (is_contained({"compile", "device-c", "device-w", "ptx", "cubin",
                         "fatbin", "ltoir", "optix-ir"},
                        Name)) {
    if (Command.What == Action::Link)
      Command.What = Action::Compile;
    if (is_contained({"ptx", "cubin", "fatbin", "ltoir", "optix-ir"}, Name))
      Command.Product = Name.str();
  } else if (is_contained({"preprocess", "generate-dependencies",
                           "generate-nonsystem-dependencies", "device-link",
                           "lib", "run", "link", "dryrun", "help", "version",
                           "list-gpu-code", "list-gpu-arch", "clean-targets"},
                          Name))
    Command.What = Action::Other;
}

/// Records options that make single-precision operations of the device less
/// exact.
void CommandReader::noteApproximation(const NvccFlagUse &Use) {
  StringRef Name = Use.Flag->Long;
  if (Name == "compiler-bindir")
    HostCompiler = Use.Value->str();
  if (Name == "use_fast_math")
    Approximation = "-use_fast_math";
  else if ((Name == "ftz" && *Use.Value == "true") ||
           (is_contained({"prec-div", "prec-sqrt"}, Name) &&
            *Use.Value == "false"))
    Approximation = ("-" + Name + "=" + *Use.Value).str();
}

Error CommandReader::readFile(StringRef Name, SplitFile *Split) {
  if (FileDepth == MaxFileDepth)
    return createStringError("options files nest too deeply at '" + Name + "'");
  SmallString<128> Path(Name);
  if (!Directory.empty())
    sys::path::make_absolute(Directory, Path);
  // A pipe can be read only once, and the compiler needs it.
  if (sys::fs::exists(Path) && !sys::fs::is_regular_file(Path))
    return createStringError("options file '" + Path +
                             "' is no regular file, and is left to the "
                             "compiler");
  auto Buffer = MemoryBuffer::getFile(Path, /*IsText=*/true);
  if (!Buffer)
    return createStringError("cannot read options file '" + Path +
                             "': " + Buffer.getError().message());
  Command.Files.emplace_back(Path.str().str(), (*Buffer)->getBuffer().str());
  auto Words = Split((*Buffer)->getBuffer());
  if (!Words)
    return createStringError("options file '" + Path +
                             "' has a stray double quote");
  ++FileDepth;
  Error E = read(*Words);
  --FileDepth;
  return E;
}

/// Applies the role that the table gives the option; see NvccFlags.def.
Error CommandReader::apply(const NvccFlagUse &Use) {
  StringRef Value = Use.Value.value_or(""), Text = Use.Flag->Text;
  switch (Use.Flag->Effect) {
  case Role::Drop:
    break;
  case Role::Add:
    addFlags(Text);
    break;
  case Role::AddIf:
    if (auto [Wanted, Flags] = Text.split(' '); Value == Wanted)
      addFlags(Flags);
    break;
  case Role::Each:
    for (const std::string &Item : splitNvccList(Value))
      Command.ClangFlags.push_back((Text + Item).str());
    break;
  case Role::EachAfter:
    for (std::string &Item : splitNvccList(Value))
      append_values(Command.ClangFlags, Text.str(), std::move(Item));
    break;
  case Role::Arch:
    findArchs(Value, Text, Command.Archs);
    break;
  case Role::HostCompiler:
    append_range(HostOptions, splitNvccList(Value));
    break;
  case Role::OptionsFile:
    for (const std::string &Name : splitNvccList(Value))
      if (Error E = readFile(Name, splitNvccFile))
        return E;
    break;
  case Role::ForwardUnknown:
    ForwardsUnknown = true;
    break;
  }
  return Error::success();
}

/// Parses the first of \p Arguments as clang's driver does; null if its value
/// is missing. \p Count receives the number of words that the option takes.
static std::unique_ptr<opt::Arg>
parseClangOption(ArrayRef<std::string> Arguments, unsigned &Count) {
  SmallVector<const char *> Words;
  for (const std::string &Word : Arguments)
    Words.push_back(Word.c_str());
  opt::InputArgList List(Words.begin(), Words.end());
  Count = 0;
  return clang::getDriverOptTable().ParseOneArg(
      List, Count, opt::Visibility(options::ClangOption));
}

/// Adds \p Names as inputs; the first of them is NumLeft words before the end
/// of the arguments.
void CommandReader::addInputs(ArrayRef<std::string> Names, size_t NumLeft) {
  for (const std::string &Name : Names) {
    Command.Inputs.push_back(Name);
    Command.InputPositions.push_back(
        FileDepth == 0 ? std::optional(NumArguments - NumLeft--)
                       : std::nullopt);
  }
}

Expected<unsigned>
CommandReader::readClangOption(ArrayRef<std::string> Arguments) {
  unsigned Count;
  std::unique_ptr<opt::Arg> Parsed = parseClangOption(Arguments, Count);
  if (!Parsed)
    return createStringError("argument expected after '" + Arguments.front() +
                             "'");
  ArrayRef<std::string> Words = Arguments.take_front(Count);
  const opt::Option &Option = Parsed->getOption();
  if (Option.matches(options::OPT_M_Group))
    return Count; // Dependency files do not matter to a parse.
  switch (Option.getID()) {
  case options::OPT_INPUT:
    addInputs(Words, Arguments.size());
    break;
  case options::OPT__HASH_HASH_HASH: // The commands are only printed.
    Command.What = NvccCommand::Action::Other;
    break;
  case options::OPT__DASH_DASH:
    addInputs(Words.drop_front(), Arguments.size() - 1);
    break;
  case options::OPT_UNKNOWN:
    append_range(Unknown, Words);
    break;
  case options::OPT_cuda_path_EQ:
    Command.CudaPath = Parsed->getValue();
    break;
  case options::OPT_offload_arch_EQ: // --cuda-gpu-arch is its alias.
    for (const char *Value : Parsed->getValues())
      findArchs(Value, "", Command.Archs);
    break;
  // What is parsed, and for which side, is for our own flags to say.
  case options::OPT_x:
  case options::OPT_o:
  case options::OPT_offload_device_only:
  case options::OPT_offload_host_only:
  case options::OPT_offload_host_device:
    break;
  case options::OPT_save_temps_EQ: // -save-temps is its alias.
    Command.KeepsFiles = true;
    [[fallthrough]];
  default:
    append_range(Command.ClangFlags, Words);
    append_range(ClangWords, Words);
  }
  return Count;
}

/// Returns true if an option of the host compiler affects the parse of the
/// program.
static bool concernsParse(const opt::Option &Option) {
  switch (Option.getID()) {
  case options::OPT_D:
  case options::OPT_U:
  case options::OPT_I:
  case options::OPT_isystem:
  case options::OPT_iquote:
  case options::OPT_idirafter:
  case options::OPT_include:
  case options::OPT_fexceptions:
  case options::OPT_fno_exceptions:
  case options::OPT_frtti:
  case options::OPT_fno_rtti:
  case options::OPT_fopenmp:
  case options::OPT_pthread:
    return true;
  case options::OPT_mfpmath_EQ: // The device has no such choice.
    return false;
  default:
    return Option.matches(options::OPT_m_Group);
  }
}

/// Moves the host compiler's options that affect a parse to the front of the
/// flags, where nvcc passes them; returns all options of the host compiler.
std::vector<std::string> CommandReader::readHostOptions() {
  BumpPtrAllocator Allocator;
  StringSaver Saver(Allocator);
  std::vector<std::string> Words;
  // nvcc passes the options to a shell, which splits "-Wall -O2" into two.
  for (const std::string &Options : HostOptions) {
    SmallVector<const char *> Split;
    cl::TokenizeGNUCommandLine(Options, Saver, Split);
    Words.insert(Words.end(), Split.begin(), Split.end());
  }
  std::vector<std::string> Flags;
  for (ArrayRef<std::string> Rest = Words; !Rest.empty();) {
    unsigned Count;
    std::unique_ptr<opt::Arg> Parsed = parseClangOption(Rest, Count);
    if (!Parsed)
      break; // The host compiler will report the missing argument.
    if (concernsParse(Parsed->getOption()))
      append_range(Flags, Rest.take_front(Count));
    Rest = Rest.drop_front(Count);
  }
  Command.ClangFlags.insert(Command.ClangFlags.begin(), Flags.begin(),
                            Flags.end());
  return Words;
}

/// Adds the flags that make the parse round as the build does. If the command
/// forwards unknown options to the host compiler, options such as -ffast-math
/// affect only host code, and must not reach the device-side parse.
void CommandReader::addFloatingPoint(std::vector<std::string> HostWords) {
  std::vector<std::string> Words = ClangWords;
  append_range(Words, HostWords);
  FloatingPoint Floats = readHostFlags(Words, HostCompiler);
  Floats.DeviceApproximates = Approximation;
  if (ForwardsUnknown) {
    const bool HasFmad = is_contained(Command.ClangFlags, FmadOff) &&
                         !is_contained(ClangWords, FmadOff);
    erase_if(Command.ClangFlags, isFloatingPointFlag);
    if (HasFmad)
      Command.ClangFlags.push_back(FmadOff.str());
  }
  if (Approximation == "-use_fast_math")
    Command.ClangFlags.push_back("-ffp-contract=fast");
  append_range(Command.ClangFlags, makeParseFlags(Floats));
}

/// Finishes the command: the host compiler's options and the floating-point
/// flags depend on all words, so that they come last.
NvccCommand CommandReader::take() {
  const std::vector<std::string> HostWords = readHostOptions();
  addFloatingPoint(HostWords);
  Command.HostOption = findHostDifference(HostWords);
  Command.HasDirectives = enablesDirectives(HostWords);
  if (ForwardsUnknown && Command.HostOption.empty())
    Command.HostOption = findHostDifference(ClangWords);
  if (!ForwardsUnknown)
    append_range(Command.ClangFlags, Unknown);
  return std::move(Command);
}

bool NvccCommand::usesToolkit() const {
  return !is_contained(ClangFlags, "-nocudainc") &&
         !is_contained(ClangFlags, "-nogpuinc");
}

Expected<NvccCommand> cudaopt::readNvccCommand(ArrayRef<std::string> Arguments,
                                               StringRef Directory) {
  CommandReader Reader(Directory);
  if (Error E = Reader.read(Arguments))
    return std::move(E);
  return Reader.take();
}
