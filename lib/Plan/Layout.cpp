// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The arithmetic of layouts: positions, sizes and validity. The search calls
/// apply() for every element that it counts, so that it must be fast.
//===----------------------------------------------------------------------===//

#include "cudaopt/Plan/Layout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <numeric>

using namespace llvm;

namespace cudaopt {

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// Returns true for arrays of one dimension.
static bool isFlat(const ArrayShape &Shape) {
  return Shape.Extents.size() == 1;
}

uint64_t Layout::pitchOf(const ArrayShape &Shape) const {
  if (!isFlat(Shape) || Pitch == 0)
    return Shape.Extents.back();
  return Pitch;
}

/// Returns coordinate \p From of the element with row-major number \p Index:
/// 0 is the column, 1 the row. \p P is the row length.
static uint64_t coordinate(uint64_t Index, unsigned From,
                           const ArrayShape &Shape, uint64_t P) {
  if (isFlat(Shape))
    return From == 0 ? Index % P : Index / P;
  size_t Dimension = Shape.Extents.size() - 1;
  for (; From > 0; --From)
    Index /= Shape.Extents[Dimension--];
  return Index % Shape.Extents[Dimension];
}

static uint64_t applyPad(const Layout &L, uint64_t Index,
                         const ArrayShape &Shape, uint64_t P) {
  uint64_t Row = Index / P; // The number of the row, over all planes.
  uint64_t Place = Index + Row * L.Padding;
  size_t N = Shape.Extents.size();
  if (N > 2)
    Place += Row / Shape.Extents[N - 2] * L.RowPadding * (P + L.Padding);
  return Place;
}

static uint64_t applyPermute(const Layout &L, uint64_t Index,
                             const ArrayShape &Shape, uint64_t P) {
  if (isFlat(Shape))
    return Index % P * (divideCeil(Shape.Extents[0], P) + L.Padding) +
           Index / P;
  const unsigned N = Shape.Extents.size();
  uint64_t Place = 0;
  for (unsigned I = 0; I < N; ++I) {
    const unsigned Dimension = L.Order[I];
    const uint64_t Extent =
        Shape.Extents[Dimension] + (I + 1 == N ? L.Padding : 0);
    Place = Place * Extent + coordinate(Index, N - 1 - Dimension, Shape, P);
  }
  return Place;
}

static uint64_t applyXor(const Layout &L, uint64_t Index,
                         const ArrayShape &Shape, uint64_t P) {
  uint64_t Changed = 0;
  for (const BitTerm &Term : L.Terms)
    Changed ^= Term.apply(coordinate(Index, Term.From, Shape, P));
  uint64_t Column = Index % P;
  return applyPad(L, Index - Column, Shape, P) + (Column ^ Changed);
}

/// Returns the distances, in the new array, between neighbouring columns and
/// rows under a Transform, whose positions are linear in the coordinates.
static std::array<uint64_t, 2> getStrides(const Layout &L, uint64_t P) {
  return {L.T[0][0] + P * L.T[1][0], L.T[0][1] + P * L.T[1][1]};
}

uint64_t Layout::apply(uint64_t Index, const ArrayShape &Shape) const {
  const uint64_t P = pitchOf(Shape);
  switch (Kind) {
  case Family::Identity:
  case Family::Fields:
    return Index;
  case Family::Pad:
    return applyPad(*this, Index, Shape, P);
  case Family::Permute:
    return applyPermute(*this, Index, Shape, P);
  case Family::Xor:
    return applyXor(*this, Index, Shape, P);
  case Family::Rotate: {
    uint64_t Column = Index % P;
    return Index - Column +
           (Column + Step * coordinate(Index, 1, Shape, P)) % P;
  }
  case Family::Transform: {
    auto [ColumnStride, RowStride] = getStrides(*this, P);
    return Index % P * ColumnStride + Index / P * RowStride;
  }
  }
  llvm_unreachable("unknown family");
}

/// Calls \p Visit with each field of the elements of \p Shape and the offset of
/// its array in the struct of arrays; returns the bytes of that struct.
template <class Visitor>
static uint64_t placeFields(const ArrayShape &Shape, Visitor Visit) {
  const uint64_t N = Shape.numElements();
  uint64_t End = 0, Greatest = 1;
  for (const FieldShape &Field : Shape.Fields) {
    const uint64_t Begin = alignTo(End, Field.Alignment);
    Visit(Field, Begin);
    End = Begin + N * Field.Size;
    Greatest = std::max<uint64_t>(Greatest, Field.Alignment);
  }
  return alignTo(End, Greatest);
}

uint64_t Layout::address(uint64_t Index, unsigned Offset,
                         const ArrayShape &Shape) const {
  if (Kind != Family::Fields)
    return apply(Index, Shape) * Shape.ElementSize + Offset;
  uint64_t Address = 0;
  placeFields(Shape, [&](const FieldShape &Field, uint64_t Begin) {
    if (Field.Offset <= Offset)
      Address = Begin + Index * Field.Size + (Offset - Field.Offset);
  });
  return Address;
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

uint64_t Layout::storage(const ArrayShape &Shape) const {
  const uint64_t N = Shape.numElements();
  if (N == 0)
    return 0;
  const uint64_t P = pitchOf(Shape);
  switch (Kind) {
  case Family::Identity:
  case Family::Rotate:
  case Family::Fields:
    return N;
  case Family::Pad:
  case Family::Xor: {
    // An xor stays within chunks of the last row, even if that row is not
    // whole: the number of elements is a multiple of the chunk.
    if (isFlat(Shape))
      return applyPad(*this, N - 1, Shape, P) + 1;
    const uint64_t Plane = Shape.Extents[Shape.Extents.size() - 2];
    return N / P / Plane * (Plane + RowPadding) * (P + Padding);
  }
  case Family::Permute: {
    if (isFlat(Shape))
      return P * (divideCeil(N, P) + Padding);
    const uint64_t Row = Shape.Extents[Order.back()];
    return N / Row * (Row + Padding);
  }
  case Family::Transform: {
    // Positions grow with both coordinates: the greatest one is that of the
    // last element of the last row, or of the last row that is whole.
    const uint64_t Whole = N / P * P;
    return 1 +
           std::max(apply(N - 1, Shape), Whole ? apply(Whole - 1, Shape) : 0);
  }
  }
  llvm_unreachable("unknown family");
}

uint64_t Layout::bytes(const ArrayShape &Shape) const {
  if (Kind == Family::Fields)
    return placeFields(Shape, [](const FieldShape &, uint64_t) {});
  return storage(Shape) * Shape.ElementSize;
}

unsigned Layout::changedBits() const {
  unsigned Bits = 0;
  for (const BitTerm &Term : Terms) {
    uint64_t Most = ((uint64_t(1) << Term.Bits) - 1) * Term.Factor;
    Bits = std::max(Bits, unsigned(bit_width(Most)));
  }
  return Bits;
}

/// Returns the greatest power of two, at most 16, that divides both numbers.
static unsigned commonChunk(uint64_t A, uint64_t B) {
  return 1u << countr_zero(A | B | 16);
}

unsigned Layout::keptChunk(const ArrayShape &Shape) const {
  const uint64_t P = pitchOf(Shape);
  switch (Kind) {
  case Family::Identity:
    return 16;
  case Family::Pad:
    return commonChunk(P, Padding);
  case Family::Permute:
    if (isFlat(Shape) || Order.back() + 1u != Order.size())
      return 1;
    return commonChunk(P, Padding);
  case Family::Xor: {
    uint64_t Changed = 0;
    for (const BitTerm &Term : Terms)
      Changed |= Term.Factor;
    return commonChunk(Changed, Padding || RowPadding ? P | Padding : 0);
  }
  case Family::Rotate:
    return commonChunk(P, Step);
  case Family::Fields:
    return 1;
  case Family::Transform: {
    auto [ColumnStride, RowStride] = getStrides(*this, P);
    return ColumnStride == 1 ? commonChunk(P, RowStride) : 1;
  }
  }
  llvm_unreachable("unknown family");
}

//===----------------------------------------------------------------------===//
// Misfits
//===----------------------------------------------------------------------===//

static const char *findPadMisfit(const Layout &L, const ArrayShape &Shape) {
  if (isFlat(Shape) && L.Pitch == 0 && L.Padding)
    return "the array is not divided into rows";
  if (L.RowPadding && Shape.Extents.size() < 3)
    return "only arrays of three and more dimensions have planes";
  return nullptr;
}

static const char *findPermuteMisfit(const Layout &L, const ArrayShape &Shape) {
  if (isFlat(Shape)) {
    if (L.Pitch == 0)
      return "the array is not divided into rows";
    return L.Order.empty() ? nullptr : "rows and columns need no order";
  }
  if (L.Order.size() != Shape.Extents.size())
    return "the order does not name as many dimensions as the array has";
  for (unsigned Dimension = 0; Dimension < Shape.Extents.size(); ++Dimension)
    if (!is_contained(L.Order, Dimension))
      return "the order does not name every dimension";
  if (is_sorted(L.Order))
    return "the order is the one that the array has";
  return nullptr;
}

static const char *findXorMisfit(const Layout &L, const ArrayShape &Shape) {
  const unsigned NumCoordinates =
      isFlat(Shape) ? (L.Pitch ? 2 : 1) : Shape.Extents.size();
  for (const BitTerm &Term : L.Terms) {
    if (Term.From >= NumCoordinates)
      return "a term reads a coordinate that the array does not have";
    if (Term.Bits < 1 || Term.Bits > 16 || Term.Shift >= 32)
      return "a term takes bits that no subscript has";
    if (Term.Factor == 0 || (Term.Bits > 1 && !isPowerOf2_32(Term.Factor)))
      return "a term of several bits is multiplied by no power of two";
  }
  const unsigned Changed = L.changedBits();
  const uint64_t Chunk = uint64_t(1) << Changed;
  const uint64_t P = L.pitchOf(Shape);
  const bool StaysInRow = P % Chunk == 0 && Shape.numElements() % Chunk == 0;
  if (!StaysInRow && (isFlat(Shape) || (P + L.Padding) % Chunk))
    return "the rows are not made of whole chunks of the changed bits";
  if (any_of(L.Terms, [Changed](const BitTerm &Term) {
        return Term.From == 0 && Term.Shift < Changed;
      }))
    return "a term of the column reads a bit that is changed";
  return findPadMisfit(L, Shape);
}

// Two elements of a box share a position a x + b y if and only if they differ
// by a multiple of (b, -a) / gcd(a, b): the two-dimensional case of the
// criterion of Darte, Dion and Robert.
static const char *findTransformMisfit(const Layout &L,
                                       const ArrayShape &Shape) {
  if (Shape.Extents.size() > 2)
    return "a transform has two coordinates";
  const uint64_t P = L.pitchOf(Shape);
  const uint64_t Rows = divideCeil(Shape.numElements(), P);
  auto [A, B] = getStrides(L, P);
  const uint64_t Divisor = std::gcd(A, B);
  if (Divisor == 0 || (B / Divisor < P && A / Divisor < Rows))
    return "the transform stores two elements in one place";
  return nullptr;
}

static const char *findFieldsMisfit(const ArrayShape &Shape) {
  if (Shape.Fields.empty())
    return "the elements have no fields";
  uint64_t End = 0;
  for (const FieldShape &Field : Shape.Fields) {
    if (Field.Size == 0 || !isPowerOf2_32(Field.Alignment) ||
        Field.Size % Field.Alignment)
      return "a field has no size that an array of it could have";
    if (Field.Offset < End || Field.Offset + Field.Size > Shape.ElementSize)
      return "the fields overlap, or reach outside the element";
    End = Field.Offset + Field.Size;
  }
  return nullptr;
}

const char *Layout::findMisfit(const ArrayShape &Shape) const {
  if (Shape.Extents.empty() || Shape.numElements() == 0 ||
      Shape.ElementSize == 0)
    return "the array has no elements, or elements of no size";
  switch (Kind) {
  case Family::Identity:
    return nullptr;
  case Family::Pad:
    return findPadMisfit(*this, Shape);
  case Family::Permute:
    return findPermuteMisfit(*this, Shape);
  case Family::Xor:
    return findXorMisfit(*this, Shape);
  case Family::Rotate:
    if (isFlat(Shape) && Pitch == 0)
      return "the array is not divided into rows";
    return Shape.numElements() % pitchOf(Shape) ? "the last row is not whole"
                                                : nullptr;
  case Family::Fields:
    return findFieldsMisfit(Shape);
  case Family::Transform:
    return findTransformMisfit(*this, Shape);
  }
  llvm_unreachable("unknown family");
}

/// The names in the order of the enumerators of LayoutChoice.
static constexpr StringLiteral ChoiceNames[] = {"auto",   "pad", "xor",
                                                "linear", "T",   "keep"};

StringRef getName(LayoutChoice Choice) {
  return ChoiceNames[static_cast<unsigned>(Choice)];
}

std::optional<LayoutChoice> parseLayoutChoice(StringRef Name) {
  const auto *Found = llvm::find(ChoiceNames, Name);
  if (Found == std::end(ChoiceNames))
    return std::nullopt;
  return static_cast<LayoutChoice>(Found - std::begin(ChoiceNames));
}

} // namespace cudaopt
