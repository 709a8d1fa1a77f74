// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Prints live ranges for a kernel's author: a row for each barrier interval, a
/// column for each variable with its bytes. `r` and `w` say that the interval
/// reads or writes the variable, `|` that a value merely lives through it;
/// `[0,64)` are the busy bytes if not all are busy; `!` marks a variable that
/// shares with none.
///
/// \verbatim
///   lines   a 1024  b 512
///   12-18   w       .
///   20-25   r       w
///   27-30   .       r
///   no two may share bytes
/// \endverbatim
//===----------------------------------------------------------------------===//

#include "cudaopt/Analysis/LiveRanges.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace cudaopt;

namespace {
class LiveRangePrinter {
public:
  LiveRangePrinter(const LiveRanges &Ranges, const SharedProgram &P,
                   llvm::raw_ostream &OS);

  void printTable() const;
  void printPairs() const;
  void printUninitialised() const;

private:
  using Row = std::vector<std::string>;

  std::string describeVariable(VariableId V) const;
  std::string describePlace(const LiveRangeTable::Row &R) const;
  std::string describeUse(const LiveRangeTable::Use &Use, VariableId V) const;
  std::string describePart(std::optional<std::pair<uint64_t, uint64_t>> Bytes,
                           VariableId V) const;

  const LiveRanges &Ranges;
  const SharedProgram &P;
  llvm::raw_ostream &OS;
  const LiveRangeTable Table;
};
} // namespace

/// Returns the source manager of \p P's declarations; null for a program
/// without source.
static const clang::SourceManager *findSource(const SharedProgram &P) {
  for (const SharedVariable &V : P.Variables)
    if (V.Decl)
      return &V.Decl->getASTContext().getSourceManager();
  return nullptr;
}

/// Returns LiveRangeTable::Row::Lines for interval \p I; std::nullopt if
/// neither its steps nor its barriers stand in the source.
static std::optional<std::pair<unsigned, unsigned>>
findLines(const LiveInterval &I, const SharedProgram &P,
          const clang::SourceManager *SM) {
  std::optional<std::pair<unsigned, unsigned>> Span;
  const auto extend = [&](unsigned Low, unsigned High) {
    Span = Span ? std::pair(std::min(Span->first, Low),
                            std::max(Span->second, High))
                : std::pair(Low, High);
  };
  const auto add = [&](StepId S) {
    if (!SM)
      return extend(S, S);
    if (const clang::Stmt *Statement = P.Steps[S].Statement)
      extend(SM->getExpansionLineNumber(Statement->getBeginLoc()),
             SM->getExpansionLineNumber(Statement->getEndLoc()));
  };
  llvm::for_each(I.Steps, add);
  if (!Span) {
    add(I.Begin);
    add(I.End);
  }
  return Span;
}

static LiveRangeTable::Use findUse(const LiveInterval &I, VariableId V,
                                   const SharedProgram &P) {
  LiveRangeTable::Use Result;
  const auto add = [&](StepId S) {
    for (const SharedUse &Use : P.Steps[S].Uses)
      if (Use.Variable == V) {
        Result.Reads |= Use.Reads;
        Result.Writes |= Use.Writes;
      }
  };
  llvm::for_each(I.Steps, add);
  add(I.End);
  Result.IsBusy = I.Busy[V].any();
  Result.Bytes = findHull(I.Busy[V], P.Variables[V]);
  return Result;
}

LiveRangeTable cudaopt::tabulateLiveRanges(const LiveRanges &Ranges,
                                           const SharedProgram &P) {
  LiveRangeTable Table;
  const clang::SourceManager *SM = findSource(P);
  Table.HasSource = SM != nullptr;
  for (const LiveInterval &I : Ranges.Intervals) {
    LiveRangeTable::Row &Row = Table.Rows.emplace_back();
    Row.Lines = findLines(I, P, SM);
    for (VariableId V = 0; V < P.Variables.size(); ++V)
      Row.Uses.push_back(findUse(I, V, P));
  }
  return Table;
}

LiveRangePrinter::LiveRangePrinter(const LiveRanges &Ranges,
                                   const SharedProgram &P,
                                   llvm::raw_ostream &OS)
    : Ranges(Ranges), P(P), OS(OS), Table(tabulateLiveRanges(Ranges, P)) {}

std::string LiveRangePrinter::describeVariable(VariableId V) const {
  return P.Variables[V].Name + ' ' + std::to_string(P.Variables[V].Size) +
         (Ranges.Pinned.test(V) ? "!" : "");
}

/// Returns "12-18", or "#3-5" if the program has no source; "-" if nothing is
/// known.
std::string
LiveRangePrinter::describePlace(const LiveRangeTable::Row &R) const {
  if (!R.Lines)
    return "-";
  std::string Text = Table.HasSource ? "" : "#";
  Text += std::to_string(R.Lines->first);
  if (R.Lines->second != R.Lines->first)
    Text += '-' + std::to_string(R.Lines->second);
  return Text;
}

/// Returns "[0,64)" for \p Bytes; empty if they are all bytes of \p V, or none.
std::string LiveRangePrinter::describePart(
    std::optional<std::pair<uint64_t, uint64_t>> Bytes, VariableId V) const {
  if (!Bytes || (Bytes->first == 0 && Bytes->second >= P.Variables[V].Size))
    return "";
  return '[' + std::to_string(Bytes->first) + ',' +
         std::to_string(Bytes->second) + ')';
}

std::string LiveRangePrinter::describeUse(const LiveRangeTable::Use &Use,
                                          VariableId V) const {
  std::string Text = Use.Reads && Use.Writes ? "rw"
                     : Use.Reads             ? "r"
                     : Use.Writes            ? "w"
                     : Use.IsBusy            ? "|"
                                             : ".";
  return Text + describePart(Use.Bytes, V);
}

void LiveRangePrinter::printTable() const {
  std::vector<Row> Rows(1);
  Rows[0].push_back(Table.HasSource ? "lines" : "steps");
  for (VariableId V = 0; V < P.Variables.size(); ++V)
    Rows[0].push_back(describeVariable(V));
  for (const LiveRangeTable::Row &Interval : Table.Rows) {
    Row &New = Rows.emplace_back();
    New.push_back(describePlace(Interval));
    for (VariableId V = 0; V < P.Variables.size(); ++V)
      New.push_back(describeUse(Interval.Uses[V], V));
  }
  for (const Row &R : Rows) {
    std::string Line;
    for (unsigned Column = 0; Column < R.size(); ++Column) {
      size_t Width = 0;
      for (const Row &Other : Rows)
        Width = std::max(Width, Other[Column].size());
      Line += "  " + R[Column] + std::string(Width - R[Column].size(), ' ');
    }
    OS << llvm::StringRef(Line).rtrim() << '\n';
  }
}

void LiveRangePrinter::printPairs() const {
  const unsigned NumVariables = P.Variables.size();
  for (VariableId V = 0; V < NumVariables; ++V)
    if (P.Variables[V].Pinned)
      OS << "  ! " << P.Variables[V].Name
         << " shares with nothing: " << P.Variables[V].Pinned->text() << '\n';
  if (P.Refused)
    OS << "  ! nothing is shared: " << P.Refused->text() << '\n';
  const char *Separator = "  may share: ";
  for (VariableId A = 0; A < NumVariables; ++A)
    for (VariableId B = A + 1; B < NumVariables; ++B)
      if (!Ranges.interfere(A, B)) {
        OS << Separator << P.Variables[A].Name << ' ' << P.Variables[B].Name;
        Separator = ", ";
      }
  if (Separator == llvm::StringRef(", "))
    OS << '\n';
  else if (NumVariables > 1)
    OS << "  no two may share bytes\n";
}

void LiveRangePrinter::printUninitialised() const {
  for (VariableId V = 0; V < P.Variables.size(); ++V)
    if (Ranges.Uninitialised[V].any())
      OS << "  read without having been written: " << P.Variables[V].Name
         << describePart(findHull(Ranges.Uninitialised[V], P.Variables[V]), V)
         << '\n';
}

void LiveRanges::print(const SharedProgram &P, llvm::raw_ostream &OS) const {
  if (P.Variables.empty())
    return;
  const LiveRangePrinter Printer(*this, P, OS);
  Printer.printTable();
  Printer.printPairs();
  Printer.printUninitialised();
}

void cudaopt::printLiveRanges(const Kernel &K, llvm::raw_ostream &OS) {
  if (!K.Decl->hasAttr<clang::CUDAGlobalAttr>())
    return;
  for (const auto &Instance : K.Instances) {
    const BlockShape &Block = Instance->Block;
    if (Block.Origin == ShapeOrigin::Assumed)
      continue;
    const SharedProgram P =
        buildSharedProgram(K, *Instance, K.Decl->getASTContext());
    if (P.Variables.size() < 2)
      continue;
    OS << "live ranges " << K.Name << " block ";
    if (Block.isKnown())
      OS << Block.Threads[0] << 'x' << Block.Threads[1] << 'x'
         << Block.Threads[2] << '\n';
    else
      OS << "of up to " << Block.MaxThreads << " threads\n";
    computeLiveRanges(P).print(P, OS);
  }
}
