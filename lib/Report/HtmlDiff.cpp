// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Prints unified diffs as tables with line numbers. In changed lines, the part
/// that differs is highlighted.
//===----------------------------------------------------------------------===//

#include "Html.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include <algorithm>

using namespace llvm;

namespace cudaopt {

std::string escapeHtml(StringRef Text) {
  std::string Clean = json::isUTF8(Text) ? Text.str() : json::fixUTF8(Text);
  erase_if(Clean, [](char C) {
    return (static_cast<unsigned char>(C) < ' ' && C != '\t' && C != '\n') ||
           C == '\x7f';
  });
  std::string Result;
  raw_string_ostream OS(Result);
  printHTMLEscaped(Clean, OS);
  return Result;
}

/// Reads the first line number of "12" or "12,3" and removes both numbers from
/// \p Text. An empty range is named by the line before it.
static unsigned readFirst(StringRef &Text) {
  unsigned First = 0, Count = 1;
  (void)Text.consumeInteger(10, First);
  if (Text.consume_front(","))
    (void)Text.consumeInteger(10, Count);
  return Count ? First : First + 1;
}

/// Reads only what printDiff() writes.
std::vector<DiffHunk> readHunks(StringRef Diff) {
  std::vector<DiffHunk> Hunks;
  while (!Diff.empty()) {
    StringRef Line;
    std::tie(Line, Diff) = Diff.split('\n');
    if (Line.consume_front("@@ -")) {
      DiffHunk &New = Hunks.emplace_back();
      New.OldLine = readFirst(Line);
      if (Line.consume_front(" +"))
        New.NewLine = readFirst(Line);
    } else if (!Hunks.empty() && !Line.empty() &&
               StringRef("+- ").contains(Line.front())) {
      Hunks.back().Lines.push_back(Line);
    }
  }
  return Hunks;
}

bool DiffHunk::hasChanges() const {
  return any_of(Lines, [](StringRef Line) { return Line.front() != ' '; });
}

std::array<DiffHunk, 3> splitHunk(const DiffHunk &Hunk, unsigned First,
                                  unsigned Last) {
  std::array<DiffHunk, 3> Parts;
  unsigned Old = Hunk.OldLine, New = Hunk.NewLine;
  for (StringRef Line : Hunk.Lines) {
    DiffHunk &Part = Parts[Old < First ? 0 : Old <= Last ? 1 : 2];
    if (Part.Lines.empty()) {
      Part.OldLine = Old;
      Part.NewLine = New;
    }
    Part.Lines.push_back(Line);
    Old += Line.front() != '+';
    New += Line.front() != '-';
  }
  return Parts;
}

namespace {

/// Prints the rows of one hunk.
class HunkPrinter {
public:
  HunkPrinter(const DiffHunk &Hunk, raw_ostream &OS)
      : OS(OS), Old(Hunk.OldLine), New(Hunk.NewLine) {}

  void print(ArrayRef<StringRef> Lines);

private:
  void printLine(StringRef Line, StringRef Other);
  void printNumber(bool IsThere, unsigned &Number);

  raw_ostream &OS;
  unsigned Old, New;
};

} // namespace

void HunkPrinter::printNumber(bool IsThere, unsigned &Number) {
  OS << "<td class=\"no\">";
  if (IsThere)
    OS << Number++;
  OS << "</td>";
}

/// Prints a row. \p Other is the line that replaces this one, or that this one
/// replaces; empty if there is none.
void HunkPrinter::printLine(StringRef Line, StringRef Other) {
  const char Mark = Line.front();
  OS << "<tr class=\""
     << (Mark == '+'   ? "add"
         : Mark == '-' ? "del"
                       : "same")
     << "\">";
  printNumber(Mark != '+', Old);
  printNumber(Mark != '-', New);
  OS << "<td class=\"sign\">" << (Mark == '-' ? "\u2212" : StringRef(&Mark, 1))
     << "</td><td>";
  StringRef Text = Line.drop_front();
  Other = Other.drop_front(!Other.empty());
  size_t Head = 0, Tail = 0;
  if (!Other.empty()) {
    const size_t Most = std::min(Text.size(), Other.size());
    while (Head < Most && Text[Head] == Other[Head])
      ++Head;
    while (Tail < Most - Head &&
           Text[Text.size() - 1 - Tail] == Other[Other.size() - 1 - Tail])
      ++Tail;
    // The bytes of one UTF-8 character stay together.
    auto isInside = [&](size_t At) {
      return At < Text.size() && (Text[At] & 0xc0) == 0x80;
    };
    while (Head > 0 && isInside(Head))
      --Head;
    while (Tail > 0 && isInside(Text.size() - Tail))
      --Tail;
  }
  const StringRef Middle = Text.slice(Head, Text.size() - Tail);
  OS << escapeHtml(Text.take_front(Head));
  if (Other.empty() || Middle.empty())
    OS << escapeHtml(Middle);
  else
    OS << "<mark>" << escapeHtml(Middle) << "</mark>";
  OS << escapeHtml(Text.take_back(Tail)) << "</td></tr>\n";
}

/// Pairs removed and added lines if there are as many of each, so that their
/// differences can be highlighted.
void HunkPrinter::print(ArrayRef<StringRef> Lines) {
  auto hasMark = [](char Mark) {
    return [Mark](StringRef Line) { return Line.front() == Mark; };
  };
  while (!Lines.empty()) {
    const auto Removed = Lines.take_while(hasMark('-'));
    const auto Added =
        Lines.drop_front(Removed.size()).take_while(hasMark('+'));
    if (Removed.empty() && Added.empty()) {
      printLine(Lines.front(), "");
      Lines = Lines.drop_front();
      continue;
    }
    const bool ArePairs = Removed.size() == Added.size();
    for (auto [I, Line] : enumerate(Removed))
      printLine(Line, ArePairs ? Added[I] : "");
    for (auto [I, Line] : enumerate(Added))
      printLine(Line, ArePairs ? Removed[I] : "");
    Lines = Lines.drop_front(Removed.size() + Added.size());
  }
}

void printHunks(ArrayRef<DiffHunk> Hunks, raw_ostream &OS) {
  OS << "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
        "aria-label=\"Changed lines\"><table class=\"diff\">\n"
        "<thead class=\"hidden\"><tr><th>Before</th><th>After</th>"
        "<th>Sign</th><th>Text</th></tr></thead>\n";
  for (const DiffHunk &Hunk : Hunks) {
    OS << "<tbody>\n";
    HunkPrinter(Hunk, OS).print(Hunk.Lines);
    OS << "</tbody>\n";
  }
  OS << "</table></div>\n";
}

} // namespace cudaopt
