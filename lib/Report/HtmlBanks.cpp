// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Draws a request of a warp as a punch card: lanes from top to bottom, banks
/// from left to right, and a mark where a lane accesses a bank. Bars on top
/// show how many different words are requested from a bank at once; each of
/// them costs a wavefront.
//===----------------------------------------------------------------------===//

#include "Html.h"

#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <set>

using namespace llvm;

namespace cudaopt {

namespace {

constexpr unsigned Cell = 6, Left = 30, Top = 36, MostBar = 24;

/// One card.
class BankCard {
public:
  BankCard(const WarpRequest &Request, const BankMap &Map);

  void print(StringRef Caption, unsigned Wavefronts, raw_ostream &OS) const;

private:
  void addPhase(const WarpRequest &Request, const BankMap &Map, uint32_t Phase);
  void printMarks(bool InConflict, raw_ostream &OS) const;
  void printBars(raw_ostream &OS) const;

  unsigned NumBanks;
  /// For each bank, the maximum number of words, or lanes of a reduction, in
  /// one phase.
  std::array<unsigned, 32> Words = {};
  /// For each lane, the banks that it accesses, and those of them that also
  /// have to serve other words.
  std::array<uint32_t, WarpSize> Accessed = {}, Conflicts = {};
};

} // namespace

BankCard::BankCard(const WarpRequest &Request, const BankMap &Map)
    : NumBanks(Map.Banks) {
  for (uint32_t Phase : splitIntoPhases(Map, Request))
    addPhase(Request, Map, Phase);
}

/// Adds the lanes in \p Phase, which memory serves together.
void BankCard::addPhase(const WarpRequest &Request, const BankMap &Map,
                        uint32_t Phase) {
  const bool IsReduction = Request.Op == MemoryOp::Reduce;
  // In a reduction every lane counts, whichever word it updates.
  std::array<std::set<uint32_t>, 32> OfBank;
  std::array<uint32_t, WarpSize> OfLane = {};
  const unsigned NumWords = std::max(1u, Request.Width / Map.Width);
  for (unsigned Lane = 0; Lane < WarpSize; ++Lane) {
    if (!(Phase >> Lane & 1))
      continue;
    const uint32_t First = Map.wordOf(Request.Addresses[Lane]);
    for (uint32_t Word = First; Word < First + NumWords; ++Word) {
      OfBank[Word % Map.Banks].insert(IsReduction ? Lane : Word);
      OfLane[Lane] |= 1u << Word % Map.Banks;
    }
  }
  for (unsigned Bank = 0; Bank < Map.Banks; ++Bank) {
    Words[Bank] = std::max<unsigned>(Words[Bank], OfBank[Bank].size());
    for (unsigned Lane = 0; Lane < WarpSize; ++Lane)
      if (OfLane[Lane] >> Bank & 1) {
        Accessed[Lane] |= 1u << Bank;
        if (OfBank[Bank].size() > 1)
          Conflicts[Lane] |= 1u << Bank;
      }
  }
}

void BankCard::printMarks(bool InConflict, raw_ostream &OS) const {
  std::string Path;
  raw_string_ostream Out(Path);
  for (unsigned Lane = 0; Lane < WarpSize; ++Lane) {
    const uint32_t Banks =
        InConflict ? Conflicts[Lane] : Accessed[Lane] & ~Conflicts[Lane];
    // Neighbouring banks become one mark.
    for (unsigned Bank = 0; Bank < NumBanks; ++Bank) {
      unsigned End = Bank;
      while (End < NumBanks && Banks >> End & 1)
        ++End;
      if (End == Bank)
        continue;
      const unsigned Width = (End - Bank) * Cell - 1;
      Out << 'M' << Left + Bank * Cell << ' ' << Top + Lane * Cell << 'h'
          << Width << 'v' << Cell - 1 << "h-" << Width << 'z';
      Bank = End;
    }
  }
  if (!Path.empty())
    OS << "<path class=\"" << (InConflict ? "clash" : "hit") << "\" d=\""
       << Path << "\"/>";
}

void BankCard::printBars(raw_ostream &OS) const {
  const unsigned Most = *std::max_element(Words.begin(), Words.end());
  for (bool InConflict : {false, true}) {
    std::string Path;
    raw_string_ostream Out(Path);
    for (unsigned Bank = 0; Bank < NumBanks; ++Bank) {
      if (!Words[Bank] || (Words[Bank] > 1) != InConflict)
        continue;
      const unsigned Height =
          std::max(2u, Words[Bank] * MostBar / std::max(Most, 8u));
      Out << 'M' << Left + Bank * Cell << ' ' << Top - 3 << "h5v-" << Height
          << "h-5z";
    }
    if (!Path.empty())
      OS << "<path class=\"" << (InConflict ? "clash" : "hit") << "\" d=\""
         << Path << "\"/>";
  }
}

void printCardFrame(raw_ostream &OS) {
  constexpr unsigned NumBanks = 32;
  OS << "<pattern id=\"cells\" width=\"48\" height=\"48\" "
        "patternUnits=\"userSpaceOnUse\" patternTransform=\"translate("
     << Left << ' ' << Top
     << ")\"><path class=\"grid\" d=\"M0 0V48M0 0H48\"/></pattern>"
        "<g id=\"card\">";
  OS << "<rect class=\"paper\" x=\"" << Left - 1 << "\" y=\"" << Top - 1
     << "\" width=\"" << NumBanks * Cell + 1 << "\" height=\""
     << WarpSize * Cell + 1 << "\"/>";
  OS << "<rect fill=\"url(#cells)\" x=\"" << Left << "\" y=\"" << Top
     << "\" width=\"" << NumBanks * Cell << "\" height=\"" << WarpSize * Cell
     << "\"/>";
  for (unsigned Lane : {0u, 8u, 16u, 24u, 31u})
    OS << "<text class=\"axis end\" x=\"" << Left - 4 << "\" y=\""
       << Top + Lane * Cell + 6 << "\">" << Lane << "</text>";
  for (unsigned Bank = 0; Bank <= NumBanks; Bank += 8)
    OS << "<text class=\"axis mid\" x=\""
       << Left + std::min(Bank, NumBanks - 1) * Cell + 3 << "\" y=\""
       << Top + WarpSize * Cell + 10 << "\">" << std::min(Bank, NumBanks - 1)
       << "</text>";
  OS << "<text class=\"axis end\" x=\"" << Left - 4 << "\" y=\""
     << Top + WarpSize * Cell + 10
     << "\">bank</text><text class=\"axis end\" "
        "x=\""
     << Left - 4 << "\" y=\"" << Top - 8 << "\">lane</text></g>";
}

void BankCard::print(StringRef Caption, unsigned Wavefronts,
                     raw_ostream &OS) const {
  const unsigned Width = Left + NumBanks * Cell + 8;
  const unsigned Height = Top + WarpSize * Cell + 14;
  const unsigned Most = *std::max_element(Words.begin(), Words.end());
  const std::string Count =
      formatv("{0} wavefront{1}", Wavefronts, Wavefronts == 1 ? "" : "s").str();
  OS << "<figure class=\"card\"><svg role=\"img\" viewBox=\"0 0 " << Width
     << ' ' << Height << "\" width=\"" << Width << "\" height=\"" << Height
     << "\"><title>" << escapeHtml(Caption) << ": " << Count << ", at most "
     << Most << (Most == 1 ? " word" : " different words")
     << " of one bank at once</title>";
  OS << "<use href=\"#card\"/>";
  printBars(OS);
  printMarks(false, OS);
  printMarks(true, OS);
  OS << "</svg><figcaption>" << escapeHtml(Caption) << ": <b"
     << (Most > 1 ? " class=\"bad\"" : "") << '>' << Count
     << "</b></figcaption></figure>\n";
}

static MemoryOp getOp(AccessKind Kind) {
  switch (Kind) {
  case AccessKind::Read:
    return MemoryOp::Load;
  case AccessKind::Write:
    return MemoryOp::Store;
  case AccessKind::Atomic:
    return MemoryOp::Reduce;
  }
  llvm_unreachable("unknown kind");
}

void printBankCards(const AccessReport &A, const Target &Gpu, raw_ostream &OS) {
  const RequestReport &Worst = *A.Worst;
  WarpRequest Request{getOp(A.Kind), A.Width, Worst.ActiveLanes,
                      Worst.Addresses.Before};
  const bool IsChanged = Worst.Addresses.Before != Worst.Addresses.After ||
                         Worst.Wavefronts.Before != Worst.Wavefronts.After;
  BankCard(Request, Gpu.Shared)
      .print(IsChanged ? "before" : "as it is", Worst.Wavefronts.Before, OS);
  if (!IsChanged)
    return;
  if (Worst.Wavefronts.After == 0) {
    OS << "<p class=\"card\">after: in a register of each thread</p>\n";
    return;
  }
  Request.Addresses = Worst.Addresses.After;
  BankCard(Request, Gpu.Shared).print("after", Worst.Wavefronts.After, OS);
}

} // namespace cudaopt
