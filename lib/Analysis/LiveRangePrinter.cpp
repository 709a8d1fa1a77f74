// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The table of barrier intervals and variables, for a kernel's author.
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
  std::string describePlace(const LiveInterval &I) const;
  std::string describeUse(const LiveInterval &I, VariableId V) const;
  std::string describePart(const ElementSet &Set, VariableId V) const;

  const LiveRanges &Ranges;
  const SharedProgram &P;
  llvm::raw_ostream &OS;
  /// Null for a program without a source.
  const clang::SourceManager *SM = nullptr;
};
} // namespace

LiveRangePrinter::LiveRangePrinter(const LiveRanges &Ranges,
                                   const SharedProgram &P,
                                   llvm::raw_ostream &OS)
    : Ranges(Ranges), P(P), OS(OS) {
  for (const SharedVariable &V : P.Variables)
    if (V.Decl)
      SM = &V.Decl->getASTContext().getSourceManager();
}

std::string LiveRangePrinter::describeVariable(VariableId V) const {
  return P.Variables[V].Name + ' ' + std::to_string(P.Variables[V].Size) +
         (Ranges.Pinned.test(V) ? "!" : "");
}

/// The lines of the steps of \p I ("12-18"), or of the barriers round it if it
/// has none; numbers of steps ("#3-5") if there is no source.
std::string LiveRangePrinter::describePlace(const LiveInterval &I) const {
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
  if (!Span)
    return "-";
  std::string Text = SM ? "" : "#";
  Text += std::to_string(Span->first);
  if (Span->second != Span->first)
    Text += '-' + std::to_string(Span->second);
  return Text;
}

/// The bytes of \p Set, if they are not all.
std::string LiveRangePrinter::describePart(const ElementSet &Set,
                                           VariableId V) const {
  const auto Hull = findHull(Set, P.Variables[V]);
  if (!Hull || (Hull->first == 0 && Hull->second >= P.Variables[V].Size))
    return "";
  return '[' + std::to_string(Hull->first) + ',' +
         std::to_string(Hull->second) + ')';
}

std::string LiveRangePrinter::describeUse(const LiveInterval &I,
                                          VariableId V) const {
  bool Reads = false, Writes = false;
  const auto add = [&](StepId S) {
    for (const SharedUse &Use : P.Steps[S].Uses)
      if (Use.Variable == V) {
        Reads |= Use.Reads;
        Writes |= Use.Writes;
      }
  };
  llvm::for_each(I.Steps, add);
  add(I.End);
  std::string Text = Reads && Writes   ? "rw"
                     : Reads           ? "r"
                     : Writes          ? "w"
                     : I.Busy[V].any() ? "|"
                                       : ".";
  return Text + describePart(I.Busy[V], V);
}

void LiveRangePrinter::printTable() const {
  std::vector<Row> Rows(1);
  Rows[0].push_back(SM ? "lines" : "steps");
  for (VariableId V = 0; V < P.Variables.size(); ++V)
    Rows[0].push_back(describeVariable(V));
  for (const LiveInterval &I : Ranges.Intervals) {
    Row &New = Rows.emplace_back();
    New.push_back(describePlace(I));
    for (VariableId V = 0; V < P.Variables.size(); ++V)
      New.push_back(describeUse(I, V));
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
         << describePart(Ranges.Uninitialised[V], V) << '\n';
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
