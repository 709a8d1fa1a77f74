// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Prints layouts for reports. c is the column of an element, r its row, p its
/// plane, q the fourth coordinate; i is the number of an element of an array
/// that is seen as one row.
//===----------------------------------------------------------------------===//

#include "cudaopt/Plan/Layout.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace cudaopt {

static void printExtents(ArrayRef<uint64_t> Extents, raw_ostream &OS) {
  for (uint64_t Extent : Extents)
    OS << '[' << Extent << ']';
}

namespace {
/// Prints what becomes of the column of an element.
class CoordinatePrinter {
public:
  CoordinatePrinter(const Layout &L, const ArrayShape &Shape, raw_ostream &OS)
      : L(L), Shape(Shape), IsFlat(Shape.Extents.size() == 1), OS(OS) {}

  void printXor();
  void printRotate();

private:
  char getName(unsigned From) const;
  uint64_t getExtent(unsigned From) const;
  void printTerm(const BitTerm &Term);

  const Layout &L;
  const ArrayShape &Shape;
  const bool IsFlat;
  raw_ostream &OS;
};
} // namespace

char CoordinatePrinter::getName(unsigned From) const {
  if (IsFlat && L.Pitch == 0)
    return 'i';
  return "crpq"[From];
}

/// Returns how many values the coordinate has.
uint64_t CoordinatePrinter::getExtent(unsigned From) const {
  if (!IsFlat)
    return Shape.Extents[Shape.Extents.size() - 1 - From];
  uint64_t P = L.pitchOf(Shape);
  return From == 0 ? P : divideCeil(Shape.numElements(), P);
}

/// Prints a term as the rewriter writes it: "r", "(r >> 2 & 3)",
/// "((r & 3) << 2)", "(r >> 5 & 1) * 31", "(__brev(r) >> 27)".
void CoordinatePrinter::printTerm(const BitTerm &Term) {
  const unsigned Shift = Term.Shift, Bits = Term.Bits;
  // No mask is needed if the coordinate has no higher bits, or if __brev and
  // the shift remove them.
  const bool HasMask =
      !Term.IsReversed && getExtent(Term.From) > uint64_t(1) << (Shift + Bits);
  std::string Taken(1, getName(Term.From));
  if (Shift)
    Taken += " >> " + utostr(Shift);
  if (HasMask)
    Taken += " & " + utostr((1u << Bits) - 1);
  if (Term.IsReversed)
    Taken = "__brev(" + Taken + ") >> " + utostr(32 - Bits);

  const bool IsName = Taken.size() == 1;
  if (Term.Factor == 1)
    OS << (IsName ? Taken : "(" + Taken + ")");
  else if (!isPowerOf2_32(Term.Factor))
    OS << (IsName ? Taken : "(" + Taken + ")") << " * " << Term.Factor;
  else
    OS << '(' << (IsName ? Taken : "(" + Taken + ")") << " << "
       << Log2_32(Term.Factor) << ')';
}

void CoordinatePrinter::printXor() {
  OS << getName(0);
  for (const BitTerm &Term : L.Terms) {
    OS << " ^ ";
    printTerm(Term);
  }
}

void CoordinatePrinter::printRotate() {
  OS << "(c + ";
  if (L.Step != 1)
    OS << L.Step << " * ";
  OS << "r) % " << L.pitchOf(Shape);
}

/// Prints a Permute: "transposed, pitch 33", "dimensions 1 0 2".
static void printPermute(const Layout &L, const ArrayShape &Shape,
                         raw_ostream &OS) {
  const size_t N = Shape.Extents.size();
  if (N <= 2) {
    OS << "transposed";
  } else {
    OS << "dimensions";
    for (uint8_t Dimension : L.Order)
      OS << ' ' << unsigned(Dimension);
  }
  if (!L.Padding)
    return;
  uint64_t Row = N == 1 ? divideCeil(Shape.Extents[0], L.pitchOf(Shape))
                        : Shape.Extents[L.Order.back()];
  OS << ", pitch " << Row + L.Padding;
}

static void printTransform(const Layout &L, raw_ostream &OS) {
  OS << "T = [[" << L.T[0][0] << ',' << L.T[0][1] << "],[" << L.T[1][0] << ','
     << L.T[1][1] << "]]";
}

/// Returns the extents in the rewritten declaration. For Permute and Fields,
/// which are described in words, those of the original declaration.
static SmallVector<uint64_t, 4> newExtents(const Layout &L,
                                           const ArrayShape &Shape) {
  SmallVector<uint64_t, 4> Extents = Shape.Extents;
  const size_t N = Extents.size();
  if (L.Kind == Layout::Family::Transform)
    return {L.storage(Shape)};
  if (L.Kind != Layout::Family::Pad && L.Kind != Layout::Family::Xor)
    return Extents;
  if (N == 1)
    return {L.storage(Shape)};
  Extents[N - 1] += L.Padding;
  if (N > 2)
    Extents[N - 2] += L.RowPadding;
  return Extents;
}

std::string Layout::text(const ArrayShape &Shape) const {
  std::string Text;
  raw_string_ostream OS(Text);
  printExtents(newExtents(*this, Shape), OS);
  if (Kind == Family::Identity)
    return Text;
  const bool HasPitch = Shape.Extents.size() == 1 && Pitch != 0;
  if (Kind == Family::Fields) {
    OS << " struct of arrays";
    return Text;
  }
  if (HasPitch)
    OS << " pitch " << Pitch + (Kind == Family::Permute ? 0 : Padding);
  if (Kind == Family::Pad)
    return Text;
  OS << (HasPitch ? ", " : " ");
  switch (Kind) {
  case Family::Permute:
    printPermute(*this, Shape, OS);
    break;
  case Family::Xor:
    CoordinatePrinter(*this, Shape, OS).printXor();
    break;
  case Family::Rotate:
    CoordinatePrinter(*this, Shape, OS).printRotate();
    break;
  case Family::Transform:
    printTransform(*this, OS);
    break;
  case Family::Identity:
  case Family::Pad:
  case Family::Fields:
    break;
  }
  return Text;
}

} // namespace cudaopt
