// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Layouts in numbers and in words.
//===----------------------------------------------------------------------===//

#include "cudaopt/Transforms/Plan.h"

#include "llvm/Support/Format.h"
#include <cmath>

using namespace llvm;

namespace cudaopt {

uint64_t Layout::storage(const ArrayShape &Shape) const {
  uint64_t Elements = Shape.numElements();
  uint64_t P = pitchOf(Shape);
  if (Kind != Family::Pad || Elements == 0 || P == 0)
    return Elements;
  if (Shape.Extents.size() > 1)
    return Elements / P * (P + Padding);
  return apply(Elements - 1, P) + 1;
}

static void printExtents(ArrayRef<uint64_t> Extents, raw_ostream &OS) {
  for (uint64_t Extent : Extents)
    OS << '[' << Extent << ']';
}

/// "c ^ (r >> 2 & 3)", c the column and r the row.
static void printXor(const Layout &L, uint64_t Rows, raw_ostream &OS) {
  bool HasMask = Rows > uint64_t(1) << (L.RowShift + L.Bits);
  bool IsBare = !HasMask && !L.RowShift && !L.Unit;
  OS << (IsBare ? "c ^ " : "c ^ (");
  if (HasMask && L.Unit)
    OS << '(';
  OS << 'r';
  if (L.RowShift)
    OS << " >> " << L.RowShift;
  if (HasMask)
    OS << " & " << (1u << L.Bits) - 1;
  if (HasMask && L.Unit)
    OS << ')';
  if (L.Unit)
    OS << " << " << L.Unit;
  OS << (IsBare ? "" : ")");
}

std::string Layout::text(const ArrayShape &Shape) const {
  std::string Text;
  raw_string_ostream OS(Text);
  SmallVector<uint64_t, 4> Extents = Shape.Extents;
  bool IsFlat = Extents.size() == 1;
  if (Kind == Family::Pad)
    Extents.back() = IsFlat ? storage(Shape) : Extents.back() + Padding;
  printExtents(Extents, OS);
  if (Kind == Family::Identity)
    return Text;
  if (IsFlat)
    OS << " pitch " << Pitch + (Kind == Family::Pad ? Padding : 0);
  if (Kind == Family::Xor) {
    OS << (IsFlat ? ", " : " ");
    printXor(*this, Shape.numElements() / pitchOf(Shape), OS);
  }
  return Text;
}

Wavefronts &Wavefronts::operator+=(const Wavefronts &Other) {
  Before += Other.Before;
  After += Other.After;
  Bound += Other.Bound;
  return *this;
}

/// Prints a count that may be an average: "64", "62.5".
static void printCount(double Count, raw_ostream &OS) {
  bool IsWhole = Count == std::floor(Count);
  OS << format(IsWhole ? "%.0f" : "%.1f", Count);
}

static void printCost(const LayoutDecision &D, raw_ostream &OS) {
  OS << "wavefronts ";
  printCount(D.Cost.Before, OS);
  OS << " -> ";
  printCount(D.Cost.After, OS);
  OS << ", bound ";
  printCount(D.Cost.Bound, OS);
  if (!D.IsExact)
    OS << " (estimated)";
}

/// The shape of an array in the first instance that declares it.
static const ArrayShape *findShape(const Kernel &K, ArrayId Id) {
  for (const auto &Instance : K.Instances)
    if (Id < Instance->Shapes.size() && !Instance->Shapes[Id].Extents.empty())
      return &Instance->Shapes[Id];
  return nullptr;
}

void Plan::print(const Kernel &K, raw_ostream &OS) const {
  OS << "plan " << K.Name << '\n';
  for (const auto &[Id, Decision] : Layouts) {
    StringRef Name = K.Arrays[Id].Name;
    const ArrayShape *Shape = findShape(K, Id);
    if (!Decision.isRewritten() || !Shape) {
      OS << "  keep " << Name << ": " << Decision.WhyKept.text() << '\n';
      continue;
    }
    OS << "  layout " << Name << ' ' << Layout().text(*Shape) << " -> "
       << Decision.New.text(*Shape) << ": ";
    printCost(Decision, OS);
    OS << '\n';
  }
}

} // namespace cudaopt
