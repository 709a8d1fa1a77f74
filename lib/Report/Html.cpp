// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The page of a run: an index of files and kernels, followed by each of them.
//===----------------------------------------------------------------------===//

#include "Html.h"

#include "cudaopt/Report/Writers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace cudaopt {

namespace {

/// The hunks of all files that change with one file of the command line. Each
/// hunk is handed out once, to the kernel or loop whose text it changes.
class HunkPool {
public:
  explicit HunkPool(ArrayRef<ChangedText> Changes);

  /// Returns, and removes, the hunks inside \p Text.
  std::vector<DiffHunk> take(const TextRange &Text);
  /// Returns the remaining hunks of \p Path.
  std::vector<DiffHunk> takeRest(StringRef Path);

private:
  /// Each hunk with the path of its file.
  std::vector<std::pair<StringRef, DiffHunk>> Hunks;
};

/// Writes the page.
class HtmlPage {
public:
  HtmlPage(ArrayRef<FileReport> Files, raw_ostream &OS);

  void print();

private:
  void printIndex();
  void printIndexRow(const KernelReport &K, size_t File, size_t Number);
  void printFile(const FileReport &File, size_t Number);

  ArrayRef<FileReport> Files;
  raw_ostream &OS;
  PageLook Look;
  size_t NumKernels = 0, NumFunctions = 0, NumLoops = 0;
};

} // namespace

HunkPool::HunkPool(ArrayRef<ChangedText> Changes) {
  for (const ChangedText &Change : Changes)
    for (DiffHunk &Hunk : readHunks(Change.Diff))
      Hunks.push_back({Change.Path, std::move(Hunk)});
}

std::vector<DiffHunk> HunkPool::take(const TextRange &Text) {
  std::vector<DiffHunk> Taken;
  std::vector<std::pair<StringRef, DiffHunk>> Rest;
  for (auto &[Path, Hunk] : Hunks) {
    if (Path != Text.Begin.Path) {
      Rest.push_back({Path, std::move(Hunk)});
      continue;
    }
    auto [Before, Inside, After] =
        splitHunk(Hunk, Text.Begin.Line, Text.End.Line);
    for (DiffHunk *Each : {&Before, &After})
      if (Each->hasChanges())
        Rest.push_back({Path, std::move(*Each)});
    if (Inside.hasChanges())
      Taken.push_back(std::move(Inside));
  }
  Hunks = std::move(Rest);
  return Taken;
}

std::vector<DiffHunk> HunkPool::takeRest(StringRef Path) {
  std::vector<DiffHunk> Taken;
  for (const auto &[Of, Hunk] : Hunks)
    if (Of == Path)
      Taken.push_back(Hunk);
  return Taken;
}

/// Counts the parts; a page with many of them opens folded.
HtmlPage::HtmlPage(ArrayRef<FileReport> Files, raw_ostream &OS)
    : Files(Files), OS(OS) {
  constexpr size_t MostOpen = 12;
  for (const FileReport &File : Files) {
    for (const KernelReport &K : File.Kernels)
      ++(K.IsKernel ? NumKernels : NumFunctions);
    NumLoops += File.Loops.size();
  }
  Look.AreKernelsOpen = NumKernels + NumFunctions + NumLoops <= MostOpen;
}

static std::string makeAnchor(size_t File, char Kind, size_t Number) {
  return formatv("f{0}{1}{2}", File, Kind, Number).str();
}

static void printCell(double Before, double After, raw_ostream &OS) {
  OS << "<td class=\"number\">" << formatNumber(Before);
  if (After != Before)
    OS << " \u2192 <b>" << formatNumber(After) << "</b>";
  OS << "</td>";
}

/// Prints the cell for an unknown number; the kernel's own part of the page
/// says why it is unknown.
static void printUnknown(raw_ostream &OS) {
  OS << "<td class=\"number\"><small>not counted</small></td>";
}

static void printVerdict(bool IsDone, StringRef Text, raw_ostream &OS) {
  OS << "<td class=\"" << (IsDone ? "done" : "missed")
     << "\"><span class=\"tag\">" << (IsDone ? "done" : "kept") << "</span> "
     << escapeHtml(Text) << "</td></tr>\n";
}

void HtmlPage::printIndexRow(const KernelReport &K, size_t File,
                             size_t Number) {
  OS << "<tr><td><a href=\"#" << makeAnchor(File, 'k', Number) << "\">"
     << (K.IsKernel ? "" : "function ") << "<code>" << escapeHtml(K.Name)
     << "</code></a></td>";
  if (K.Cost)
    printCell(K.Cost->Before, K.Cost->After, OS);
  else
    printUnknown(OS);
  if (K.SharedBytes && K.DynamicBytes)
    printCell(K.SharedBytes->Before + *K.DynamicBytes,
              K.SharedBytes->After + *K.DynamicBytes, OS);
  else
    printUnknown(OS);
  if (!K.IsKernel)
    OS << "<td></td>";
  else if (K.BlocksPerSM)
    printCell(K.BlocksPerSM->Before, K.BlocksPerSM->After, OS);
  else
    printUnknown(OS);
  StringRef Why;
  for (const ArrayReport &A : K.Arrays)
    if (Why.empty())
      Why = A.Reason;
  printVerdict(K.isRewritten(), K.isRewritten() ? "" : Why, OS);
}

void HtmlPage::printIndex() {
  OS << "<nav aria-label=\"Contents\"><div class=\"scroll\" tabindex=\"0\" "
        "role=\"region\" aria-label=\"Kernels and loops\">"
        "<table class=\"index\"><thead><tr><th>Kernel or loop</th>"
        "<th>Wavefronts of a block</th><th>Shared bytes</th>"
        "<th>Blocks on a multiprocessor</th><th>Result</th></tr></thead>\n";
  for (auto [Number, File] : enumerate(Files)) {
    OS << "<tbody><tr><th colspan=\"5\" scope=\"rowgroup\"><a href=\"#f"
       << Number << "\">" << escapeHtml(File.File) << "</a></th></tr>\n";
    for (auto [Index, K] : enumerate(File.Kernels))
      printIndexRow(K, Number, Index);
    for (auto [Index, L] : enumerate(File.Loops)) {
      OS << "<tr><td><a href=\"#" << makeAnchor(Number, 'l', Index)
         << "\">loop of <code>" << escapeHtml(L.Function)
         << "</code></a></td><td></td><td></td><td></td>";
      printVerdict(L.IsRewritten, L.IsProposal ? "proposed" : L.Reason, OS);
    }
    OS << "</tbody>\n";
  }
  OS << "</table></div></nav>\n";
}

/// Prints kernels and loops with the hunks inside their text; hunks that belong
/// to none of them come at the end.
void HtmlPage::printFile(const FileReport &File, size_t Number) {
  HunkPool Hunks(File.Changes);
  std::string Summary;
  raw_string_ostream SummaryOS(Summary);
  printSummary(File, SummaryOS);
  OS << "<section id=\"f" << Number << "\"><h2>" << escapeHtml(File.File)
     << "</h2>\n<p>"
     << escapeHtml(StringRef(Summary).substr(File.File.size() + 2)) << "</p>\n";
  for (auto [Index, K] : enumerate(File.Kernels))
    printKernel(K, makeAnchor(Number, 'k', Index), Hunks.take(K.Text), Look,
                OS);
  for (auto [Index, L] : enumerate(File.Loops))
    printLoop(L, makeAnchor(Number, 'l', Index), Hunks.take(L.Text), Look, OS);
  for (const ChangedText &Change : File.Changes) {
    const std::vector<DiffHunk> Rest = Hunks.takeRest(Change.Path);
    if (Rest.empty())
      continue;
    OS << "<details class=\"kernel\" open><summary><h3>Other changes of <code>"
       << escapeHtml(sys::path::filename(Change.Path))
       << "</code></h3></summary>\n";
    printHunks(Rest, OS);
    OS << "</details>\n";
  }
  OS << "</section>\n";
}

void HtmlPage::print() {
  OS << "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, "
        "initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light "
        "dark\">\n<title>cuda-opt report</title>\n<style>\n"
     << getStyle()
     << "</style></head>\n<body>\n"
        "<svg width=\"0\" height=\"0\" aria-hidden=\"true\" class=\"hidden\">"
        "<defs>";
  printCardFrame(OS);
  OS << "</defs></svg>\n"
        "<header><h1>cuda-opt report</h1><p>"
     << Files.size() << (Files.size() == 1 ? " file, " : " files, ")
     << NumKernels << (NumKernels == 1 ? " kernel" : " kernels");
  if (NumFunctions)
    OS << ", " << NumFunctions
       << (NumFunctions == 1 ? " device function" : " device functions");
  if (NumLoops)
    OS << ", " << NumLoops << (NumLoops == 1 ? " loop" : " loops");
  OS << "</p></header>\n<main>\n";
  if (NumKernels + NumFunctions + NumLoops)
    printIndex();
  else
    OS << "<p>There are no kernels with shared arrays, and no loops that are "
          "marked.</p>\n";
  for (auto [Number, File] : enumerate(Files))
    printFile(File, Number);
  OS << "</main>\n<footer><p>A wavefront is one pass of a warp's request "
        "through the banks of shared memory; the fewest are best. Costs are "
        "counted for the blocks that the launches ask for. "
        "</p></footer>\n</body></html>\n";
}

void writeHtml(ArrayRef<FileReport> Files, raw_ostream &OS) {
  HtmlPage(Files, OS).print();
}

} // namespace cudaopt
