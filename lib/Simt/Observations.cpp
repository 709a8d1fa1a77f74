// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Formats findings as messages, and costs as a table.
//===----------------------------------------------------------------------===//

#include "cudaopt/Simt/Observations.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <functional>
#include <utility>

namespace cudaopt::simt {

namespace {

/// A row of Findings.def.
struct FindingInfo {
  llvm::StringLiteral Id;
  bool IsError;
  llvm::StringLiteral Text;
};

} // namespace

static const FindingInfo &infoOf(FindingKind Kind) {
  static constexpr FindingInfo Infos[] = {
#define FINDING(Name, Id, IsError, Text) {Id, IsError, Text},
#include "cudaopt/Simt/Findings.def"
  };
  return Infos[static_cast<unsigned>(Kind)];
}

llvm::StringRef idOf(FindingKind Kind) { return infoOf(Kind).Id; }
bool isError(FindingKind Kind) { return infoOf(Kind).IsError; }

bool isOutsideAllocations(FindingKind Kind) {
  return Kind == FindingKind::GlobalOutOfBounds ||
         Kind == FindingKind::NullPointer ||
         Kind == FindingKind::UseAfterFree || Kind == FindingKind::HostPointer;
}

bool Observations::hasErrors() const {
  return llvm::any_of(Findings,
                      [](const Finding &F) { return isError(F.Kind); });
}

void Observations::add(Finding F) {
  auto [Place, IsNew] =
      Known.try_emplace({F.Kind, F.Where, F.Other}, Findings.size());
  if (IsNew)
    Findings.push_back(std::move(F));
  else
    Findings[Place->second].Count += F.Count;
}

AccessCost &AccessCost::operator+=(const AccessCost &Other) {
  Requests += Other.Requests;
  Units += Other.Units;
  Bound += Other.Bound;
  return *this;
}

AccessCost totalOf(const AccessCosts &Costs, std::optional<AccessOp> Only) {
  AccessCost Sum;
  for (const auto &[Key, Cost] : Costs)
    if (!Only || std::get<AccessOp>(Key) == *Only)
      Sum += Cost;
  return Sum;
}

//===----------------------------------------------------------------------===//
// Findings
//===----------------------------------------------------------------------===//

/// Returns the text of the finding's kind with %0 replaced.
static std::string describe(const Finding &F) {
  auto [Before, After] = infoOf(F.Kind).Text.split("%0");
  if (Before.size() == infoOf(F.Kind).Text.size())
    return Before.str();
  llvm::StringRef Object = F.Object;
  if (Object.empty())
    Object = "memory";
  return (Before + Object + After).str();
}

/// Returns true if the address is meaningful in a finding of this kind.
static bool hasAddress(FindingKind Kind) {
  switch (Kind) {
  case FindingKind::SharedOutOfBounds:
  case FindingKind::CrossArray:
  case FindingKind::GlobalOutOfBounds:
  case FindingKind::NullPointer:
  case FindingKind::UseAfterFree:
  case FindingKind::HostPointer:
  case FindingKind::LocalOutOfBounds:
  case FindingKind::Misaligned:
  case FindingKind::Uninitialised:
  case FindingKind::WrongSpace:
  case FindingKind::WriteConst:
  case FindingKind::Race:
  case FindingKind::WarpRace:
  case FindingKind::PendingCopy:
    return true;
  default:
    return false;
  }
}

/// Formats the address: "byte 12" of an array or allocation, or "byte -4"
/// before its begin; "address 0x1000000000100" elsewhere.
static std::string addressOf(const Finding &F) {
  if (F.Offset)
    return "byte " + llvm::itostr(*F.Offset) +
           (infoOf(F.Kind).Text.contains("%0") ? "" : " of " + F.Object);
  bool IsInWindow = F.Address < WindowSize;
  int64_t Offset = IsInWindow ? static_cast<int32_t>(F.Address)
                              : static_cast<int64_t>(F.Address);
  bool IsFar =
      !IsInWindow && Offset >= 0 && F.Kind != FindingKind::SharedOutOfBounds;
  if (isOutsideAllocations(F.Kind) || IsFar)
    return "address 0x" + llvm::utohexstr(F.Address, true);
  return "byte " + llvm::itostr(Offset);
}

/// Formats the threads: ", threads 3 and 35 of block (0,0,0)".
static std::string threadsOf(const Finding &F) {
  if (F.Thread == NoThread)
    return "";
  auto BlockText = [](const std::array<uint32_t, 3> &B) {
    return llvm::formatv(" of block ({0},{1},{2})", B[0], B[1], B[2]).str();
  };
  if (F.OtherBlock)
    return ", thread " + llvm::utostr(F.Thread) + BlockText(F.Block) +
           " and thread " + llvm::utostr(F.OtherThread) +
           BlockText(*F.OtherBlock);
  std::string Text = F.OtherThread == NoThread ? ", thread " : ", threads ";
  Text += llvm::utostr(F.Thread);
  if (F.OtherThread != NoThread)
    Text += " and " + llvm::utostr(F.OtherThread);
  return Text + BlockText(F.Block);
}

std::string format(const Finding &F, const Program &P) {
  std::string Text = P.textOf(F.Where);
  Text += isError(F.Kind) ? ": error: " : ": warning: ";
  Text += describe(F);
  if (hasAddress(F.Kind))
    Text += " at " + addressOf(F);
  Text += threadsOf(F);
  if (F.Other != SourceRef())
    Text += "; the other access is at " + P.textOf(F.Other);
  if (F.Count > 1)
    Text += "; seen " + llvm::utostr(F.Count) + " times";
  return Text + " [" + idOf(F.Kind).str() + "]";
}

//===----------------------------------------------------------------------===//
// Costs
//===----------------------------------------------------------------------===//

namespace {

/// The cost of all accesses of one kind in one source line.
struct CostRow {
  std::string Place;
  llvm::StringRef Op;
  AccessCost Cost;
};

} // namespace

llvm::StringRef nameOf(AccessOp Op) {
  static constexpr llvm::StringLiteral Names[] = {"load", "store", "atomic"};
  return Names[static_cast<unsigned>(Op)];
}

/// Rows by decreasing units; rows with equally many are in source order.
using CostRows = std::multimap<uint64_t, CostRow, std::greater<>>;

static CostRows rowsOf(const AccessCosts &Costs, const Program &P) {
  std::map<std::tuple<uint32_t, uint32_t, AccessOp>, AccessCost> ByLine;
  for (const auto &[Key, Cost] : Costs) {
    auto [Where, Op, Bytes] = Key;
    ByLine[{Where.File, Where.Line, Op}] += Cost;
  }
  CostRows Rows;
  for (const auto &[Key, Cost] : ByLine) {
    auto [File, Line, Op] = Key;
    bool IsKnown = Line != 0 && File < P.Files.size();
    std::string Place =
        IsKnown ? P.Files[File] + ":" + llvm::utostr(Line) : "?";
    Rows.insert({Cost.Units, {std::move(Place), nameOf(Op), Cost}});
  }
  return Rows;
}

static void printRow(const CostRow &Row, unsigned Width,
                     llvm::raw_ostream &OS) {
  const AccessCost &Cost = Row.Cost;
  std::string Ratio = "-";
  if (Cost.Bound != 0)
    Ratio = llvm::formatv("{0:f2}", static_cast<double>(Cost.Units) /
                                        static_cast<double>(Cost.Bound));
  OS << llvm::left_justify(Row.Place, Width) << "  "
     << llvm::left_justify(Row.Op, 6)
     << llvm::formatv(" {0,12} {1,12} {2,12} {3,7}\n", Cost.Requests,
                      Cost.Units, Cost.Bound, Ratio);
}

void printCosts(const AccessCosts &Costs, const CostNames &Names,
                const Program &P, llvm::raw_ostream &OS) {
  const CostRows Rows = rowsOf(Costs, P);
  if (Rows.empty()) {
    OS << "no access to " << Names.Memory << '\n';
    return;
  }
  const CostRow Total = {"total", "", totalOf(Costs)};
  size_t Width = Total.Place.size();
  for (const auto &[Cost, Row] : Rows)
    Width = std::max(Width, Row.Place.size());
  const auto Columns = static_cast<unsigned>(Width);
  OS << llvm::left_justify("", Columns) << "  " << llvm::left_justify("", 6)
     << llvm::formatv(" {0,12} {1,12} {2,12} {3,7}\n", "requests", Names.Units,
                      "bound", "ratio");
  for (const auto &[Cost, Row] : Rows)
    printRow(Row, Columns, OS);
  printRow(Total, Columns, OS);
}

} // namespace cudaopt::simt
