// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Checks the values of options before any file is read.
//===----------------------------------------------------------------------===//

#include "cudaopt/Driver/Command/ChangedLines.h"
#include "cudaopt/Driver/Command/OptionTable.h"
#include "cudaopt/Driver/Delivery/ReportFiles.h"
#include "cudaopt/Machine/Gpu.h"
#include "cudaopt/Machine/Target.h"
#include "cudaopt/Model/SourceMarks.h"
#include "cudaopt/Passes/KernelChoices.h"
#include "cudaopt/Passes/Passes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Regex.h"

using namespace cudaopt;
using namespace llvm;

/// Returns true if each word of the list \p Passes begins with a sign.
static bool isChangeOfDefault(StringRef Passes) {
  return all_of(split(Passes, ','), [](StringRef Name) {
    return Name.empty() || Name.starts_with("+") || Name.starts_with("-");
  });
}

bool Options::runsPass(const PassInfo &Pass) const {
  const auto isAsked = [this](const PassInfo &Each) {
    // Without a name of its own, a list changes the passes on by default.
    bool IsAsked = Each.OnByDefault && isChangeOfDefault(Passes);
    for (StringRef Name : split(Passes, ',')) {
      const bool IsLeftOut = Name.consume_front("-");
      Name.consume_front("+");
      if (Name == Each.Name || (!Each.Group.empty() && Name == Each.Group))
        IsAsked = !IsLeftOut;
    }
    return IsAsked;
  };
  if (Pass.Name != "reorder")
    return isAsked(Pass);
  // Another order of statements serves only passes that store variables.
  return (Reorder || isAsked(Pass)) &&
         any_of(allPasses(), [&](const PassInfo &Each) {
           return Each.stores() && isAsked(Each);
         });
}

bool Options::runsPass(StringRef Name) const {
  return any_of(allPasses(), [&](const PassInfo &Pass) {
    return Pass.Name == Name && runsPass(Pass);
  });
}

std::optional<StringRef> cudaopt::getDefaultValue(StringRef ValueName) {
  if (!ValueName.consume_front("["))
    return std::nullopt;
  return ValueName.take_until([](char C) { return C == '|' || C == ']'; });
}

static Error checkPasses(StringRef Passes) {
  if (Passes.empty())
    return Error::success();
  unsigned Signs = 0, Words = 0;
  for (StringRef Word : split(Passes, ',')) {
    StringRef Name = Word;
    Signs += Name.consume_front("+") || Name.consume_front("-");
    ++Words;
    if (any_of(allPassNames(),
               [&](const PassName &P) { return P.Name == Name; }))
      continue;
    return createStringError(
        "unknown pass '" + Name +
        "' in --passes (known: " + join(listValues("passes"), ", ") + ")");
  }
  if (Signs != 0 && Signs != Words)
    return createStringError("malformed --passes=" + Passes +
                             ": give each name a sign, or none");
  return Error::success();
}

/// Checks that a block is given as one to three positive numbers within the
/// limits that all GPUs share.
static Error checkBlock(StringRef Block) {
  if (Block.empty() || parseBlock(Block))
    return Error::success();
  return createStringError("malformed --block=" + Block +
                           ": give one to three numbers, at most 1024 threads");
}

namespace {

/// An option that accepts only words of a list.
struct WordOption {
  StringLiteral Name, Noun;
  std::string Options::*Field;
  ArrayRef<StringRef> Words;
  /// True if some kernels may choose another word (KernelChoices.h): all of
  /// their arrays together, or each.
  bool IsPerKernel = false, IsPerArray = false;
};

} // namespace

static constexpr StringRef Layouts[] = {"auto",   "pad", "xor",
                                        "linear", "T",   "keep"};
static constexpr StringRef Reuses[] = {"auto", "bytes", "off", "poison"};
static constexpr StringRef Placements[] = {"exact", "greedy"};
static constexpr StringRef Loops[] = {"marked", "auto", "propose"};
static constexpr StringRef Stages[] = {"ir",   "model", "analysis",
                                       "work", "plan",  "edits"};
static constexpr StringRef Checks[] = {"plan", "machine", "off"};
static constexpr StringRef Fallbacks[] = {"warn", "silent", "error"};
static constexpr StringRef Colors[] = {"auto", "always", "never"};

static const WordOption WordOptions[] = {
    {"layout", "kind", &Options::Layout, Layouts, true, true},
    {"reuse", "choice", &Options::Reuse, Reuses, true},
    {"placement", "choice", &Options::Placement, Placements},
    {"levelize", "choice", &Options::Levelize, Loops},
    {"print", "stage", &Options::Print, Stages},
    {"verify", "check", &Options::Verify, Checks},
    {"fallback", "choice", &Options::Fallback, Fallbacks},
    {"color", "choice", &Options::Color, Colors},
};

std::vector<StringRef> cudaopt::listValues(StringRef Name) {
  std::vector<StringRef> Passes;
  for (const PassName &Pass : allPassNames())
    Passes.push_back(Pass.Name);
  if (Name == "passes")
    return Passes;
  for (const WordOption &Each : WordOptions)
    if (Each.Name == Name)
      return Each.Words;
  return {};
}

/// Returns the words of \p Value that must be among those of \p Option.
static Expected<std::vector<std::string>> listChosen(const WordOption &Option,
                                                     StringRef Value) {
  if (!Option.IsPerKernel)
    return std::vector{Value.str()};
  Expected<KernelChoices> Choices = KernelChoices::parse(Value);
  if (!Choices)
    return createStringError("malformed --" + Option.Name + "=" + Value + ": " +
                             toString(Choices.takeError()));
  std::vector<std::string> Words;
  if (!Choices->General.empty())
    Words.push_back(Choices->General);
  for (const KernelChoices::Exception &Each : Choices->Exceptions) {
    if (!Each.Array.empty() && !Option.IsPerArray)
      return createStringError("malformed --" + Option.Name + "=" + Value +
                               ": '" + Each.Kernel + "." + Each.Array +
                               "' names an array; only a kernel can choose");
    Words.push_back(Each.Choice);
  }
  return Words;
}

static Error checkWords(const Options &Opts) {
  for (const WordOption &Each : WordOptions) {
    const std::string &Value = Opts.*Each.Field;
    if (Value.empty() && (Options().*Each.Field).empty())
      continue;
    Expected<std::vector<std::string>> Words = listChosen(Each, Value);
    if (!Words)
      return Words.takeError();
    for (const std::string &Word : *Words)
      if (!is_contained(Each.Words, Word))
        return createStringError("unknown " + Each.Noun + " in --" + Each.Name +
                                 "=" + Value +
                                 " (known: " + join(Each.Words, ", ") + ")");
  }
  return Error::success();
}

static Error checkGpu(StringRef Text) {
  const auto Parsed = parseGpu(std::string_view(Text));
  const auto *Problem = std::get_if<std::string>(&Parsed);
  if (Text.empty() || !Problem)
    return Error::success();
  return createStringError("malformed --gpu=" + Text + ": " + *Problem);
}

static Error checkJobs(StringRef Jobs) {
  unsigned Number = 0;
  if (Jobs.empty() || (!Jobs.getAsInteger(10, Number) && Number > 0))
    return Error::success();
  return createStringError("malformed -j " + Jobs + ": give a positive number");
}

static Error checkLines(const Options &Opts) {
  if (Opts.Lines.empty())
    return Error::success();
  if (!Opts.ChangedLines.empty())
    return createStringError(
        "--changed-lines and --line-filter exclude each other");
  return parseLineFilter(Opts.Lines).takeError();
}

SmallVector<StringRef> cudaopt::listDeliveries(const Options &Opts) {
  const std::pair<bool, StringRef> Modes[] = {
      {!Opts.Output.empty(), "-o"},
      {!Opts.OutputDir.empty(), "--output-dir"},
      {Opts.InPlace, "-i"},
      {Opts.Diff, "--diff"},
      {Opts.Check, "--check"},
      {!Opts.Print.empty(), "--print"},
      {!Opts.Overlay.empty(), "--overlay"}};
  SmallVector<StringRef> Names;
  for (auto [IsSet, Name] : Modes)
    if (IsSet)
      Names.push_back(Name);
  return Names;
}

/// Checks that at most one option says what becomes of the source; only --check
/// and --diff go together.
static Error checkDelivery(const Options &Opts) {
  StringRef First;
  for (StringRef Name : listDeliveries(Opts)) {
    if (First == "--diff" && Name == "--check")
      continue;
    if (!First.empty())
      return createStringError(First + " and " + Name + " exclude each other");
    First = Name;
  }
  if (!Opts.DependencyFile.empty() &&
      (Opts.Output.empty() || Opts.Output == "-"))
    return createStringError("--depfile needs -o with a file");
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
  if (Error E = checkWords(Opts))
    return E;
  if (Error E = checkGpu(Opts.Gpu))
    return E;
  if (Error E = checkJobs(Opts.Jobs))
    return E;
  if (Error E = checkLines(Opts))
    return E;
  if (std::string Problem;
      !Opts.HeaderFilter.empty() && !Regex(Opts.HeaderFilter).isValid(Problem))
    return createStringError("malformed --header-filter=" + Opts.HeaderFilter +
                             ": " + Problem);
  if (!Opts.Config.empty() && !Opts.ConfigFile.empty())
    return createStringError("--config and --config-file exclude each other");
  return listReports(Opts).takeError();
}
