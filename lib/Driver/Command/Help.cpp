// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Generates help, manual page and shell completions from the option tables.
//===----------------------------------------------------------------------===//

#include "cudaopt/Driver/Command/Help.h"
#include "cudaopt/Driver/Command/CommandLine.h"
#include "cudaopt/Passes/Passes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <utility>

using namespace cudaopt;
using namespace llvm;

namespace {

/// A line in a list of options: "--passes=<list>" and its description.
struct HelpLine {
  std::string Left;
  StringRef Description;
};

/// A titled group of options.
struct HelpSection {
  StringRef Title;
  std::vector<HelpLine> Lines;
};

} // namespace

static std::string spell(StringRef Name, StringRef Value) {
  std::string Left = (Name.size() == 1 ? "-" : "--") + Name.str();
  if (Value.empty())
    return Left;
  if (Value.starts_with("["))
    return Left + "[=<" + Value.trim("[]").str() + ">]";
  return Left + (Name.size() == 1 ? " <" : "=<") + Value.str() + ">";
}

static std::vector<HelpSection> listSections() {
  std::vector<HelpSection> Sections;
#define SECTION(Title) Sections.push_back({Title, {}});
#define OPTION(Type, Field, Name, Default, ValueName, Description)             \
  Sections.back().Lines.push_back({spell(Name, ValueName), Description});
#include "cudaopt/Driver/Command/Options.def"
  Sections.push_back(
      {"what to read", {{"-p <build>", "folder of a compile_commands.json"}}});
  HelpSection &Requests = Sections.emplace_back();
  Requests.Title = "instead of all this";
  for (const ExtraOption &Each : listRequests())
    Requests.Lines.push_back(
        {spell(Each.Spelling, Each.Value), Each.Description});
  HelpSection &Compiler = Sections.emplace_back();
  Compiler.Title = "flags of the compiler that may also precede --";
  for (const ExtraOption &Each : listCompilerOptions()) {
    StringRef Gap = Each.Spelling == "-include" ? " " : "";
    Compiler.Lines.push_back(
        {(Each.Spelling + Gap + "<" + Each.Value + ">").str(),
         Each.Description});
  }
  return Sections;
}

void cudaopt::printHelp(raw_ostream &OS) {
  OS << "usage: cuda-opt [options] file.cu... [-- flags of the compiler]\n"
        "       cuda-opt [options] -p build [file.cu...]\n"
        "       cuda-opt [options] nvcc arguments...\n"
        "       cuda-opt tune [options] build... -- program...\n"
        "       cuda-opt calibrate [options]\n"
        "       cuda-opt explain [id]\n\n"
        "Rewrites CUDA C++ so that shared arrays take fewer bank conflicts and "
        "less memory,\nand marked loops of the host run in parallel.\n";
  for (const HelpSection &Section : listSections()) {
    OS << '\n' << Section.Title << ":\n";
    for (const HelpLine &Line : Section.Lines)
      OS << formatv("  {0,-26} {1}\n", Line.Left, Line.Description);
  }
  OS << "\nSwitches of a .cuda-opt are taken back by --no-<switch>. Marks in "
        "the "
        "source,\nconfiguration files and examples: docs/Configuration.md.\n";
}

void cudaopt::printPasses(raw_ostream &OS) {
  for (const PassName &Pass : allPassNames())
    OS << formatv("{0,-14} {1}{2}\n",
                  ((Pass.Group.empty() ? "" : "  ") + Pass.Name).str(),
                  Pass.Description, Pass.OnByDefault ? "" : " (off)");
}

//===----------------------------------------------------------------------===//
// The manual page
//===----------------------------------------------------------------------===//

/// Escapes \p Text for roff, where a bare hyphen may become a dash, and a dot
/// or quote at the start of a line begins a request.
static std::string escapeRoff(StringRef Text) {
  std::string Result;
  for (char C : Text) {
    if (C == '-' || C == '\\')
      Result += '\\';
    Result += C;
  }
  if (StringRef(Result).starts_with(".") || StringRef(Result).starts_with("'"))
    Result.insert(0, "\\&");
  return Result;
}

static void printTerm(StringRef Term, StringRef Text, raw_ostream &OS) {
  OS << ".TP\n.B " << escapeRoff(Term) << '\n' << escapeRoff(Text) << '\n';
}

static void printTerms(StringRef Title,
                       ArrayRef<std::pair<StringRef, StringRef>> Terms,
                       raw_ostream &OS) {
  OS << ".SH " << Title << '\n';
  for (auto [Term, Text] : Terms)
    printTerm(Term, Text, OS);
}

void cudaopt::printManPage(StringRef Version, raw_ostream &OS) {
  OS << ".TH CUDA\\-OPT 1 \"\" \"cuda\\-opt " << Version
     << "\" \"User Commands\"\n.SH NAME\n"
        "cuda\\-opt \\- optimize CUDA C++ sources\n"
        ".SH SYNOPSIS\n"
        ".B cuda\\-opt\n[options] file.cu... [\\-\\- flags of the compiler]\n"
        ".br\n.B cuda\\-opt\n[options] \\-p build [file.cu...]\n"
        ".br\n.B cuda\\-opt\n[options] nvcc arguments...\n"
        ".br\n.B cuda\\-opt tune\n[options] build... \\-\\- program...\n"
        ".br\n.B cuda\\-opt calibrate\n[options]\n"
        ".br\n.B cuda\\-opt explain\n[id]\n"
        ".SH DESCRIPTION\n"
        "Rewrites CUDA C++ so that the lanes of a warp find their shared data "
        "in different banks, that shared arrays which are never alive together "
        "share their bytes, and that marked loops of the host run in parallel. "
        "What cannot be proved to keep the results is left as it is, with a "
        "reason.\n.PP\n"
        "In front of a compiler it compiles the rewritten text, and the "
        "original if anything goes wrong.\n"
        ".SH OPTIONS\n";
  for (const HelpSection &Section : listSections()) {
    OS << ".SS " << escapeRoff(Section.Title) << '\n';
    for (const HelpLine &Line : Section.Lines)
      printTerm(Line.Left, Line.Description, OS);
  }
  printTerms("EXIT STATUS",
             {{"0", "done, whether or not something changed"},
              {"1", "with --check: a file would change"},
              {"2", "the command line or a configuration file is wrong"},
              {"3", "a file does not parse, or cannot be read or written"},
              {"70", "a rewrite was found to be wrong, and was not made"},
              {"other", "in front of a compiler, what the compiler returns"}},
             OS);
  printTerms("ENVIRONMENT",
             {{"CUDAOPT_FLAGS", "options of launches, before those written"},
              {"CUDAOPT_DISABLE", "if not 0, launches leave the source alone"},
              {"CUDAOPT_CACHE_DIR", "folder of results; empty: no cache"},
              {"CUDA_PATH, CUDA_HOME", "the CUDA Toolkit"},
              {"NO_COLOR, CLICOLOR_FORCE", "colours never, or always"}},
             OS);
  printTerms("FILES",
             {{".cuda-opt", "options, in YAML, for the sources below its "
                            "folder; see --dump-config"}},
             OS);
  printTerms("EXAMPLES",
             {{"cuda-opt --diff a.cu -- -arch=sm_90 -Iinclude",
               "shows what would change"},
              {"cuda-opt -p build --check", "fails if a file would change"},
              {"cuda-opt nvcc -c a.cu -o a.o", "compiles what a.cu becomes"},
              {"cuda-opt tune nvcc a.cu -o app -- ./app",
               "measures on the GPU of this machine what makes each kernel "
               "fastest, and writes it into .cuda-opt"},
              {"cuda-opt explain not-in-bounds",
               "tells what a reason means, and what to change"}},
             OS);
  OS << ".SH SEE ALSO\n.BR nvcc (1),\n.BR clang (1)\n";
}

//===----------------------------------------------------------------------===//
// Completions
//===----------------------------------------------------------------------===//

namespace {

/// The words that may occur on the command line.
struct Completions {
  std::vector<std::string> Options;
  /// Options that take a value, with the words that are valid values.
  std::vector<std::pair<std::string, std::string>> Words;
};

} // namespace

/// Collects the options with their values. An option that needs a value is
/// completed up to the '='.
static Completions listCompletions() {
  Completions Result;
  for (const OptionInfo &Option : allOptions()) {
    const bool IsJoined = !Option.isSwitch() && Option.Name.size() > 1 &&
                          !Option.hasOptionalValue();
    Result.Options.push_back(Option.spelling() + (IsJoined ? "=" : ""));
    if (Option.isSwitch() && Option.IsSetting)
      Result.Options.push_back("--no-" + Option.Name.str());
    if (std::vector<StringRef> Values = listValues(Option.Name);
        !Values.empty())
      Result.Words.emplace_back(Option.spelling(), join(Values, " "));
  }
  for (const ExtraOption &Each : listRequests())
    Result.Options.push_back("--" + Each.Spelling.str() +
                             (Each.Value.empty() ? "" : "="));
  Result.Words.emplace_back("--completion", "bash zsh");
  append_values(Result.Options, "-p", "-q", "-h");
  for (const ExtraOption &Each : listCompilerOptions())
    Result.Options.push_back(Each.Spelling.str());
  return Result;
}

static constexpr StringLiteral Bash =
    R"sh(# cuda-opt: options and their values. eval "$(cuda-opt --completion=bash)"
_cuda_opt() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} opt=
  # '=' ends a word of the shell.
  if [[ $cur == = ]]; then opt=$prev cur=
  elif [[ $prev == = ]]; then opt=${COMP_WORDS[COMP_CWORD-2]}
  fi
  case $opt in
@CASES@    ?*) COMPREPLY=($(compgen -f -- "$cur")); return ;;
  esac
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "@OPTIONS@" -- "$cur"))
    [[ ${COMPREPLY-} == *= ]] && compopt -o nospace
  elif [[ $COMP_CWORD == 1 ]]; then
    COMPREPLY=($(compgen -W "calibrate explain nvcc tune" -- "$cur") $(compgen -f -- "$cur"))
  elif [[ ${COMP_WORDS[1]} == explain ]]; then
    COMPREPLY=($(compgen -W "$(${COMP_WORDS[0]} explain 2>/dev/null | sed -n 's/^  \([a-z-]*\) .*/\1/p')" -- "$cur"))
  else
    COMPREPLY=($(compgen -f -- "$cur"))
  fi
}
complete -o filenames -F _cuda_opt cuda-opt
)sh";

static void replaceAll(std::string &Text, StringRef Old, StringRef New) {
  for (size_t At = 0; (At = Text.find(Old.str(), At)) != std::string::npos;
       At += New.size())
    Text.replace(At, Old.size(), New.str());
}

static void printBash(raw_ostream &OS) {
  const Completions All = listCompletions();
  std::string Cases;
  for (const auto &[Option, Words] : All.Words)
    Cases += "    " + Option + ") COMPREPLY=($(compgen -W \"" + Words +
             "\" -- \"$cur\")); return ;;\n";
  std::string Text = Bash.str();
  replaceAll(Text, "@CASES@", Cases);
  replaceAll(Text, "@OPTIONS@", join(All.Options, " "));
  OS << Text;
}

/// Escapes \p Text for a specification of zsh's _arguments, which has its own
/// meaning for brackets, colons and quotes.
static std::string escapeZsh(StringRef Text) {
  std::string Result;
  for (char C : Text) {
    if (C == '\'')
      Result += "'\\'";
    else if (C == '[' || C == ']' || C == ':' || C == '\\')
      Result += '\\';
    Result += C;
  }
  return Result;
}

static void printZsh(raw_ostream &OS) {
  OS << "#compdef cuda-opt\n_arguments -S \\\n";
  for (const OptionInfo &Option : allOptions()) {
    std::string Line = "  '" + Option.spelling();
    const std::string Text = "[" + escapeZsh(Option.Description) + "]";
    if (Option.isSwitch()) {
      OS << Line << Text << "' \\\n";
      continue;
    }
    std::vector<StringRef> Values = listValues(Option.Name);
    const std::string Action =
        Values.empty() ? "_files" : "(" + join(Values, " ") + ")";
    OS << Line << (Option.Name.size() == 1 ? "+" : "=") << Text
       << (Option.hasOptionalValue() ? "::" : ":")
       << escapeZsh(Option.Value.trim("[]")) << ":" << Action << "' \\\n";
  }
  for (const OptionInfo &Option : allOptions())
    if (Option.isSwitch() && Option.IsSetting)
      OS << "  '--no-" << Option.Name
         << "[not: " << escapeZsh(Option.Description) << "]' \\\n";
  for (const ExtraOption &Each : listRequests())
    OS << "  '--" << Each.Spelling << (Each.Value.empty() ? "" : "=") << "["
       << escapeZsh(Each.Description) << "]"
       << (Each.Value.empty() ? "" : ":shell:(bash zsh)") << "' \\\n";
  for (const ExtraOption &Each : listCompilerOptions())
    OS << "  '" << Each.Spelling << "-[" << escapeZsh(Each.Description)
       << "]:" << escapeZsh(Each.Value) << ":_files' \\\n";
  OS << "  '-p+[folder of a compile_commands.json]:build:_files -/' \\\n"
        "  '*:source:_files'\n";
}

Error cudaopt::printCompletion(StringRef Shell, raw_ostream &OS) {
  if (Shell == "bash")
    printBash(OS);
  else if (Shell == "zsh")
    printZsh(OS);
  else
    return createStringError("no completion for '" + Shell +
                             "' (known: bash, zsh)");
  return Error::success();
}
