// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// `cuda-opt explain`: texts about passes, reasons, decisions and verdicts.
/// Those about reasons come from the same tables as the messages.
//===----------------------------------------------------------------------===//

#include "cudaopt/Driver/Command/Help.h"
#include "cudaopt/Passes/Passes.h"
#include "cudaopt/Support/Advice.h"
#include "cudaopt/Support/Reason.h"
#include "cudaopt/Support/Spelling.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <vector>

using namespace cudaopt;
using namespace llvm;

namespace {

struct ReasonRow {
  StringRef Id, Text;
};

/// An identifier by which reports name a decision or a verdict.
struct TermRow {
  StringRef Id, Text, Example;
};

} // namespace

static constexpr ReasonRow Reasons[] = {
#define REASON(NAME, ID, TEXT) {ID, TEXT},
#include "cudaopt/Support/Reasons.def"
};

static constexpr TermRow Terms[] = {
    {"rewritten", "The text of the array or loop was changed.", ""},
    {"kept", "The text stays as it is; the reason beside it says why.",
     "cuda-opt -Rpass-missed=.* a.cu"},
    {"ProvedEqual",
     "--verify=machine: the rewritten kernel computes the same for all data, "
     "at "
     "the launches that the verdict names.",
     ""},
    {"EqualOn",
     "--verify=machine: the rewritten kernel computes the same for the data "
     "and orders of threads that were tried; of others nothing is said.",
     ""},
    {"Different",
     "--verify=machine: the rewritten kernel computes something else. It was "
     "not made, and the exit code is 70: please report it.",
     ""},
    {"OriginalIsBroken",
     "--verify=machine: the kernel itself races, reads what nobody wrote, or "
     "leaves its memory.",
     "cuda-sim --kernels a.cu"},
    {"Unsupported",
     "--verify=machine: the interpreter cannot run the kernel, or its result "
     "depends on where a shared variable lies, so that its rewrite is not "
     "made.",
     ""},
};

/// Returns \p Text with "..." in place of the details that messages fill in.
static std::string describe(StringRef Text) {
  return join(split(Text, "%0"), "...");
}

/// Prints \p Text in lines that fit on a terminal.
static void printParagraph(StringRef Text, raw_ostream &OS) {
  constexpr size_t Width = 78;
  size_t Column = 0;
  for (StringRef Word : split(Text, ' ')) {
    const bool Breaks = Column == 0 || Column + 1 + Word.size() > Width;
    OS << (Breaks ? (Column == 0 ? "  " : "\n  ") : " ") << Word;
    Column = (Breaks ? 2 : Column + 1) + Word.size();
  }
  OS << '\n';
}

static void printExample(StringRef Example, raw_ostream &OS) {
  if (Example.empty())
    return;
  OS << "\nexample:\n";
  for (StringRef Line : split(Example, '\n'))
    OS << "  " << Line << '\n';
}

static void explainReason(const ReasonRow &Reason, raw_ostream &OS) {
  const bool IsOfLoop = Reason.Id.starts_with("loop-");
  OS << Reason.Id << ": why "
     << (IsOfLoop ? "a loop of the host stays sequential"
                  : "something stays as it is")
     << "\n\n";
  printParagraph(describe(Reason.Text), OS);
  const Advice Given = getAdvice(Reason.Id);
  assert(!Given.Text.empty() && "each reason has a row in Advice.def");
  OS << "\nwhat to change:\n";
  printParagraph(Given.Text, OS);
  printExample(Given.Example, OS);
}

static void list(raw_ostream &OS) {
  OS << "passes:\n";
  for (const PassName &Pass : allPassNames())
    OS << formatv("  {0,-24} {1}\n", Pass.Name, Pass.Description);
  OS << "\ndecisions and verdicts:\n";
  for (const TermRow &Term : Terms)
    OS << formatv("  {0,-24} {1}\n", Term.Id, Term.Text);
  OS << "\nreasons:\n";
  for (const ReasonRow &Reason : Reasons)
    OS << formatv("  {0,-24} {1}\n", Reason.Id, describe(Reason.Text));
}

/// Looks for \p Topic among passes, terms and reasons, and suggests a similar
/// name if there is none.
Error cudaopt::explain(StringRef Topic, raw_ostream &OS) {
  if (Topic.empty()) {
    list(OS);
    return Error::success();
  }
  std::vector<StringRef> Known;
  for (const PassName &Pass : allPassNames()) {
    Known.push_back(Pass.Name);
    if (Pass.Name != Topic)
      continue;
    const bool IsGroup = any_of(allPassNames(), [&](const PassName &Other) {
      return Other.Group == Pass.Name;
    });
    OS << Pass.Name << (IsGroup ? ": passes" : ": a pass")
       << (Pass.Group.empty() ? "" : " of " + Pass.Group.str()) << ", "
       << (Pass.OnByDefault ? "on" : "off") << " by default\n\n  "
       << Pass.Description << '\n';
    printExample(("cuda-opt --passes=" + Pass.Name +
                  " a.cu\n// cuda-opt: ignore(" + Pass.Name + ")")
                     .str(),
                 OS);
    return Error::success();
  }
  for (const TermRow &Term : Terms) {
    Known.push_back(Term.Id);
    if (Term.Id != Topic)
      continue;
    OS << Term.Id << ": " << Term.Text << '\n';
    printExample(Term.Example, OS);
    return Error::success();
  }
  for (const ReasonRow &Reason : Reasons) {
    Known.push_back(Reason.Id);
    if (Reason.Id != Topic)
      continue;
    explainReason(Reason, OS);
    return Error::success();
  }
  std::string Hint = suggestSpelling(Topic, Known);
  return createStringError(
      "nothing is called '" + Topic + "'" +
      (Hint.empty() ? "; 'cuda-opt explain' lists all" : Hint));
}
