// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Prints the part of the page about one kernel, or about one host loop.
//===----------------------------------------------------------------------===//

#include "Html.h"

#include "cudaopt/Support/Advice.h"
#include "cudaopt/Support/ShownPath.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <set>

using namespace llvm;

namespace cudaopt {

/// How many accesses of an array are drawn, the worst first; this keeps pages
/// with many kernels small.
static constexpr size_t MaxCards = 6;

std::string formatNumber(double Number) {
  std::string Digits = formatv("{0}", format("%.10g", Number)).str();
  const size_t Whole = StringRef(Digits).find_first_not_of("-0123456789");
  size_t At = std::min(Whole, Digits.size());
  const size_t First = Digits.front() == '-' ? 1 : 0;
  while (At > First + 3) {
    At -= 3;
    Digits.insert(At, ",");
  }
  return Digits;
}

static void printFact(StringRef Name, const Twine &Text, raw_ostream &OS) {
  OS << "<div><dt>" << Name << "</dt><dd>" << Text << "</dd></div>\n";
}

/// Returns "1,056 -> 64", or a single number if nothing changes.
static std::string describeChange(double Before, double After) {
  if (Before == After)
    return formatNumber(Before);
  return formatNumber(Before) + " \u2192 <b>" + formatNumber(After) + "</b>";
}

static std::string describeBlock(const BlockShape &Block) {
  if (!Block.isKnown())
    return "up to " + std::to_string(Block.MaxThreads) + " threads";
  return formatv("{0} \u00d7 {1} \u00d7 {2} <small>({3})</small>",
                 Block.Threads[0], Block.Threads[1], Block.Threads[2],
                 getName(Block.Origin))
      .str();
}

/// Returns the text that replaces an unknown number.
static std::string explainNumber(StringRef Why) {
  return "not counted: <small>" + escapeHtml(Why) + "</small>";
}

static std::string describeWavefronts(const KernelReport &K) {
  if (!K.Cost)
    return explainNumber(K.WhyUncounted);
  std::string Text = describeChange(K.Cost->Before, K.Cost->After) +
                     " <small>(least " + formatNumber(K.Cost->Bound) +
                     ")</small>";
  if (!K.WhyUncounted.empty())
    Text += "; " + explainNumber(K.WhyUncounted);
  return Text;
}

static std::string describeBytes(const KernelReport &K) {
  if (!K.SharedBytes)
    return explainNumber(K.WhyNoBytes);
  std::string Text =
      describeChange(K.SharedBytes->Before, K.SharedBytes->After);
  if (!K.DynamicBytes)
    Text += ", and dynamic ones: " + explainNumber(K.WhyNoBlocks);
  else if (*K.DynamicBytes)
    Text += ", and " + formatNumber(*K.DynamicBytes) + " dynamic";
  return Text;
}

static std::string describeBlocks(const KernelReport &K) {
  if (!K.BlocksPerSM)
    return explainNumber(K.WhyNoBlocks);
  std::string Text =
      describeChange(K.BlocksPerSM->Before, K.BlocksPerSM->After);
  if (K.BlocksPerSM->Before == K.BlocksPerSM->After &&
      K.CarveOut.After < K.CarveOut.Before)
    Text += " <small>(the L1 cache grows by " +
            formatNumber(K.CarveOut.Before - K.CarveOut.After) +
            " bytes)</small>";
  return Text;
}

/// Prints the table of numbers at the top of a kernel's part.
static void printFacts(const KernelReport &K, raw_ostream &OS) {
  OS << "<dl class=\"facts\">\n";
  printFact("Block", describeBlock(K.Block), OS);
  if (!K.Cost || !K.Arrays.empty())
    printFact("Wavefronts of a block", describeWavefronts(K), OS);
  printFact("Shared bytes", describeBytes(K), OS);
  if (K.IsKernel)
    printFact("Blocks on a multiprocessor", describeBlocks(K), OS);
  if (K.Limit)
    printFact("Limited by", K.Limit->text(), OS);
  if (K.BarriersAdded)
    printFact("Barriers added", Twine(K.BarriersAdded), OS);
  if (K.Resources)
    printFact("Registers of a thread",
              describeChange(K.Resources->Before.Registers,
                             K.Resources->After.Registers),
              OS);
  printFact("Checked by", escapeHtml(K.Verify), OS);
  OS << "</dl>\n";
}

/// Prints a finding. \p HasRemedy is false if the advice was printed already.
static void printFinding(const Finding &F, bool HasRemedy, raw_ostream &OS) {
  const bool IsDone = F.outcome() == Outcome::Done;
  OS << "<li class=\"" << (IsDone ? "done" : "missed")
     << "\"><span class=\"tag\">"
     << (IsDone                             ? "done"
         : F.outcome() == Outcome::Proposed ? "proposed"
                                            : "kept")
     << "</span> " << escapeHtml(F.message()) << " <code class=\"id\">"
     << escapeHtml(F.id()) << "</code>";
  if (F.At.isKnown())
    OS << " <small>line " << F.At.Line << "</small>";
  if (!F.Insertion.empty())
    OS << "<p class=\"remedy\">Mark: <code>" << escapeHtml(F.Insertion)
       << "</code></p>";
  if (StringRef Text = getAdvice(F.id()).Text; HasRemedy && !Text.empty())
    OS << "<p class=\"remedy\">What would help: " << escapeHtml(Text) << "</p>";
  OS << "</li>\n";
}

/// Prints decisions, grouped by outcome; advice on a reason is printed once.
/// Facts are shown as pictures instead.
static void printFindings(ArrayRef<Finding> Findings, raw_ostream &OS) {
  if (all_of(Findings,
             [](const Finding &F) { return F.outcome() == Outcome::Fact; }))
    return;
  OS << "<ul class=\"findings\">\n";
  std::set<std::optional<Reason>> Known;
  for (Outcome Kind : {Outcome::Done, Outcome::Proposed, Outcome::Missed})
    for (const Finding &F : Findings)
      if (F.outcome() == Kind)
        printFinding(F, Known.insert(F.Why).second, OS);
  OS << "</ul>\n";
}

static void printChanges(ArrayRef<DiffHunk> Hunks, raw_ostream &OS) {
  if (Hunks.empty())
    return;
  OS << "<h4>What changes</h4>\n";
  printHunks(Hunks, OS);
}

static void printAccess(const AccessReport &A, StringRef Array,
                        const Target &Gpu, raw_ostream &OS) {
  OS << "<div class=\"access\"><p><code>" << escapeHtml(A.Text) << "</code> "
     << getName(A.Kind) << ", line " << A.At.Line << ", "
     << formatNumber(A.Requests) << (A.Requests == 1 ? " request" : " requests")
     << " of a block</p>";
  if (!A.Element.empty() && A.Text != Array.str() + A.Element)
    OS << "<p><small>element <code>" << escapeHtml(A.Element)
       << "</code></small></p>";
  OS << "<div class=\"pair\">";
  printBankCards(A, Gpu, OS);
  OS << "</div></div>\n";
}

/// Returns the accesses that can be drawn, each different request once, the
/// most expensive first.
static std::vector<const AccessReport *> chooseCards(const ArrayReport &A) {
  std::vector<const AccessReport *> Chosen;
  for (const AccessReport &Each : A.Accesses) {
    if (!Each.Worst)
      continue;
    const bool IsKnown = any_of(Chosen, [&](const AccessReport *Other) {
      return Other->Kind == Each.Kind && Other->Text == Each.Text &&
             Other->Worst->Addresses.Before == Each.Worst->Addresses.Before;
    });
    if (!IsKnown)
      Chosen.push_back(&Each);
  }
  sort(Chosen, [](const AccessReport *A, const AccessReport *B) {
    return std::pair(B->Worst->Wavefronts.Before, A->At.Offset) <
           std::pair(A->Worst->Wavefronts.Before, B->At.Offset);
  });
  return Chosen;
}

/// Lists the accesses without a picture, and why they have none.
static void printUncounted(const ArrayReport &A, raw_ostream &OS) {
  if (all_of(A.Accesses, [](const AccessReport &E) { return bool(E.Worst); }))
    return;
  OS << "<ul>";
  for (const AccessReport &Each : A.Accesses)
    if (!Each.Worst)
      OS << "<li><code>" << escapeHtml(Each.Text) << "</code>, line "
         << Each.At.Line
         << ", is not counted: " << escapeHtml(Each.WhyUncounted) << "</li>";
  OS << "</ul>\n";
}

/// Prints the punch cards of an array. It is unfolded if its layout changed or
/// an access needs more wavefronts than the bound.
static void printArray(const ArrayReport &A, const Target &Gpu,
                       raw_ostream &OS) {
  const std::vector<const AccessReport *> Cards = chooseCards(A);
  const bool HasConflict = any_of(Cards, [](const AccessReport *Each) {
    return Each->Worst->Wavefronts.Before > Each->Worst->Bound;
  });
  OS << "<details class=\"array\""
     << (A.IsRewritten || HasConflict ? " open" : "")
     << "><summary>Banks of <code>" << escapeHtml(A.Type) << ' '
     << escapeHtml(A.Name) << "</code>";
  if (!A.Layout.Before.empty())
    OS << ", stored as <code>" << escapeHtml(A.Layout.Before) << "</code>";
  if (A.Layout.After != A.Layout.Before)
    OS << " \u2192 <code>" << escapeHtml(A.Layout.After) << "</code>";
  if (!A.Cost)
    OS << ", wavefronts not counted";
  else if (A.Cost->Before > 0)
    OS << ", wavefronts " << describeChange(A.Cost->Before, A.Cost->After);
  OS << "</summary>\n";
  if (!A.WhyUncounted.empty())
    OS << "<p>Not " << (A.Cost ? "all accesses are counted: " : "counted: ")
       << escapeHtml(A.WhyUncounted) << "</p>\n";
  OS << "<div class=\"cards\">";
  for (const AccessReport *Each : ArrayRef(Cards).take_front(MaxCards))
    printAccess(*Each, A.Name, Gpu, OS);
  OS << "</div>\n";
  if (Cards.size() > MaxCards)
    OS << "<p>" << Cards.size() - MaxCards
       << " more accesses take fewer wavefronts, or as many.</p>\n";
  printUncounted(A, OS);
  OS << "</details>\n";
}

void printKernel(const KernelReport &K, StringRef Anchor,
                 ArrayRef<DiffHunk> Hunks, const PageLook &Look,
                 raw_ostream &OS) {
  OS << "<details class=\"kernel\" id=\"" << Anchor << '"'
     << (Look.AreKernelsOpen ? " open" : "") << "><summary><h3>"
     << (K.IsKernel ? "Kernel" : "Function") << " <code>" << escapeHtml(K.Name)
     << "</code></h3> <small>" << escapeHtml(K.File) << ':' << K.Line
     << "</small></summary>\n";
  printFacts(K, OS);
  printFindings(K.Findings, OS);
  printChanges(Hunks, OS);
  for (const ArrayReport &A : K.Arrays)
    if (!A.Accesses.empty() || !A.WhyUncounted.empty())
      printArray(A, K.Gpu, OS);
  if (K.Map && K.Map->Variables.size() > 1) {
    OS << "<details" << (K.Storage && K.Storage->isRewritten() ? " open" : "")
       << "><summary>Shared memory from barrier to barrier</summary>\n";
    printStoragePictures(K, OS);
    OS << "</details>\n";
  }
  if (K.IsKernel && K.BlocksPerSM &&
      K.SharedBytes->Before + *K.DynamicBytes != 0) {
    OS << "<details"
       << (K.BlocksPerSM->Before != K.BlocksPerSM->After ? " open" : "")
       << "><summary>Blocks on a multiprocessor</summary>\n";
    printOccupancy(K, OS);
    OS << "</details>\n";
  }
  OS << "</details>\n";
}

void printLoop(const LoopReport &L, StringRef Anchor, ArrayRef<DiffHunk> Hunks,
               const PageLook &Look, raw_ostream &OS) {
  OS << "<details class=\"kernel\" id=\"" << Anchor << '"'
     << (Look.AreKernelsOpen ? " open" : "") << "><summary><h3>Loop of <code>"
     << escapeHtml(L.Function) << "</code></h3> <small>"
     << escapeHtml(showPath(L.Text.Begin.File, L.Text.Begin.Path)) << ':'
     << L.Line << "</small></summary>\n<dl class=\"facts\">\n";
  printFact("Runs",
            L.IsRewritten  ? "in parallel, with the same result"
            : L.IsProposal ? "sequentially; it could run in parallel"
                           : "sequentially",
            OS);
  if (!L.ConflictArrays.empty()) {
    std::string Names;
    for (const std::string &Name : L.ConflictArrays)
      Names += (Names.empty() ? "<code>" : ", <code>") + escapeHtml(Name) +
               "</code>";
    printFact("Iterations meet in", Names, OS);
  }
  OS << "</dl>\n";
  printFindings(L.Decision, OS);
  printChanges(Hunks, OS);
  OS << "</details>\n";
}

} // namespace cudaopt
