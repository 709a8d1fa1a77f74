// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Checks a layout by brute force: computes the new address of every byte of
/// the array, and checks that no address is used twice, and that bytes which
/// belong together are stored together.
//===----------------------------------------------------------------------===//

#include "cudaopt/Verify/Verify.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <array>
#include <set>
#include <vector>

using namespace cudaopt;

/// More bytes than any block has; limits the time of a check.
static constexpr uint64_t MaxBytes = uint64_t(1) << 24;

/// Returns the greatest power of two, at most 16, that divides \p Number.
static unsigned alignmentOf(uint64_t Number) {
  unsigned Alignment = 1;
  while (Alignment < 16 && Number % (Alignment * 2) == 0)
    Alignment *= 2;
  return Alignment;
}

namespace {
/// Bytes of an element that must stay together: the element or, for Fields, a
/// field of it.
struct Piece {
  unsigned Offset, Size, Alignment;
};

/// Checks one layout. Each function returns success, or what is violated.
class LayoutVerifier {
public:
  LayoutVerifier(const Layout &New, const ArrayShape &Shape,
                 llvm::StringRef Name);

  llvm::Error verifyForm() const;
  llvm::Error verifyBytes() const;
  llvm::Error verifyAccess(const Access &A) const;
  llvm::Error verifyRows() const;
  llvm::Error verifyCopy(const Access &A) const;
  llvm::Error verifyFragment(const Access &A, uint64_t Row) const;

private:
  template <typename... Ts>
  llvm::Error makeError(const char *Format, Ts &&...Arguments) const {
    return llvm::createStringError(
        "the layout of '" + Name + "' " +
        llvm::formatv(Format, std::forward<Ts>(Arguments)...).str());
  }
  bool isMade(const BitTerm &Term) const;
  std::vector<Piece> getPieces() const;
  llvm::Error verifyRun(uint64_t Element, unsigned Offset, unsigned Size,
                        unsigned Alignment) const;

  const Layout &New;
  const ArrayShape &Shape;
  const llvm::StringRef Name;
  uint64_t NumElements = 1;
};
} // namespace

LayoutVerifier::LayoutVerifier(const Layout &New, const ArrayShape &Shape,
                               llvm::StringRef Name)
    : New(New), Shape(Shape), Name(Name) {
  for (uint64_t Extent : Shape.Extents)
    NumElements *= Extent;
}

/// Returns true if the term can be evaluated for every element.
bool LayoutVerifier::isMade(const BitTerm &Term) const {
  size_t NumCoordinates = Shape.Extents.size();
  if (NumCoordinates == 1 && New.Pitch != 0)
    NumCoordinates = 2;
  return Term.From < NumCoordinates && Term.Shift < 32 && Term.Bits <= 16;
}

/// Checks that addresses can be computed at all, without undefined behaviour.
llvm::Error LayoutVerifier::verifyForm() const {
  if (NumElements == 0 || Shape.ElementSize == 0 ||
      NumElements > MaxBytes / Shape.ElementSize)
    return makeError("is for an array of unlikely size");
  for (const BitTerm &Term : New.Terms)
    if (!isMade(Term))
      return makeError("has a term that takes bits that no subscript has");
  for (const FieldShape &Field : Shape.Fields)
    if (Field.Alignment == 0)
      return makeError("has a field without alignment");
  if (New.Kind != Layout::Family::Permute || Shape.Extents.size() == 1)
    return llvm::Error::success();
  for (unsigned Dimension = 0; Dimension < Shape.Extents.size(); ++Dimension)
    if (std::count(New.Order.begin(), New.Order.end(), Dimension) != 1 ||
        New.Order.size() != Shape.Extents.size())
      return makeError("has no order of the dimensions");
  return llvm::Error::success();
}

/// Returns the pieces of an element.
std::vector<Piece> LayoutVerifier::getPieces() const {
  if (New.Kind != Layout::Family::Fields)
    return {{0, Shape.ElementSize, alignmentOf(Shape.ElementSize)}};
  std::vector<Piece> Pieces;
  for (const FieldShape &Field : Shape.Fields)
    Pieces.push_back({Field.Offset, Field.Size, Field.Alignment});
  return Pieces;
}

/// Checks that \p Size bytes from \p Offset in \p Element on, which may reach
/// into the next elements, are stored together and aligned.
llvm::Error LayoutVerifier::verifyRun(uint64_t Element, unsigned Offset,
                                      unsigned Size, unsigned Alignment) const {
  const uint64_t Begin = New.address(Element, Offset, Shape);
  for (unsigned I = 1; I < Size; ++I) {
    const uint64_t Old = Element * Shape.ElementSize + Offset + I;
    if (New.address(Old / Shape.ElementSize, Old % Shape.ElementSize, Shape) !=
        Begin + I)
      return makeError("tears apart the {0} bytes at byte {1} of element {2}",
                       Size, Offset, Element);
  }
  if (Begin % Alignment)
    return makeError("does not align element {0} to {1} bytes", Element,
                     Alignment);
  return llvm::Error::success();
}

/// Checks that every byte has an address of its own within the new array, and
/// that pieces are contiguous and aligned.
llvm::Error LayoutVerifier::verifyBytes() const {
  const uint64_t Bytes = New.bytes(Shape);
  if (Bytes > MaxBytes)
    return makeError("needs {0} bytes", Bytes);
  llvm::BitVector IsTaken(Bytes);
  for (uint64_t Element = 0; Element < NumElements; ++Element)
    for (const Piece &P : getPieces()) {
      if (llvm::Error Violated =
              verifyRun(Element, P.Offset, P.Size, P.Alignment))
        return Violated;
      for (unsigned I = 0; I < P.Size; ++I) {
        const uint64_t Place = New.address(Element, P.Offset + I, Shape);
        if (Place >= Bytes)
          return makeError("stores element {0} outside the {1} bytes of the "
                           "new array",
                           Element, Bytes);
        if (IsTaken.test(Place))
          return makeError("stores two elements in byte {0}", Place);
        IsTaken.set(Place);
      }
    }
  return llvm::Error::success();
}

/// Checks that what one lane accesses at once stays together and as aligned as
/// it was.
llvm::Error LayoutVerifier::verifyAccess(const Access &A) const {
  unsigned Size = A.Width;
  if (A.Chunk > 1)
    Size = std::max(Size, A.Chunk * Shape.ElementSize);
  if (Size == 0)
    return llvm::Error::success();
  if (New.Kind == Layout::Family::Fields &&
      llvm::none_of(getPieces(), [&](const Piece &P) {
        return P.Offset <= A.Offset && A.Offset + Size <= P.Offset + P.Size;
      }))
    return makeError("has no field for the {0} bytes at byte {1}", Size,
                     A.Offset);
  const unsigned Step = std::max(A.Chunk, 1u);
  for (uint64_t Element = 0; Element < NumElements; Element += Step) {
    const uint64_t Old = Element * Shape.ElementSize + A.Offset;
    if (Old + Size > NumElements * Shape.ElementSize)
      break;
    const unsigned Alignment = std::min(alignmentOf(Size), alignmentOf(Old));
    if (llvm::Error Violated = verifyRun(Element, A.Offset, Size, Alignment))
      return Violated;
  }
  return llvm::Error::success();
}

/// Checks that a pointer to the start of a row reaches the rest of it.
llvm::Error LayoutVerifier::verifyRows() const {
  if (New.Kind != Layout::Family::Pad)
    return makeError("changes rows that are reached through pointers");
  const uint64_t Row =
      Shape.Extents.size() == 1 ? New.Pitch : Shape.Extents.back();
  for (uint64_t Element = 1; Row != 0 && Element < NumElements; ++Element)
    if (Element % Row != 0 &&
        New.address(Element, 0, Shape) !=
            New.address(Element - 1, 0, Shape) + Shape.ElementSize)
      return makeError("tears apart the row of element {0}", Element);
  return llvm::Error::success();
}

/// Checks that the rows which \p A copies are the rows of the layout, stay
/// contiguous, and are as aligned as they were.
llvm::Error LayoutVerifier::verifyCopy(const Access &A) const {
  if (llvm::Error Violated = verifyRows())
    return Violated;
  uint64_t Row = Shape.Extents.back();
  if (Shape.Extents.size() == 1)
    Row = A.Split ? A.Split->Pitch : 0;
  if (Row == 0 || (Shape.Extents.size() == 1 && Row != New.Pitch))
    return makeError("has other rows than those that are copied");
  for (uint64_t Element = 0; Element < NumElements; Element += Row) {
    const uint64_t Moved =
        New.address(Element, 0, Shape) - Element * Shape.ElementSize;
    if (Moved % A.Run->Alignment != 0)
      return makeError("moves the row of element {0}, copied with an alignment "
                       "of {1} bytes, by {2}",
                       Element, A.Run->Alignment, Moved);
  }
  return A.Run->Ldm ? verifyFragment(A, Row) : llvm::Error::success();
}

/// Checks that rows of \p Row elements lie New.Padding more elements apart than
/// the leading dimension says, which is what the rewriter adds to it, and at
/// multiples of 16 bytes from each other.
llvm::Error LayoutVerifier::verifyFragment(const Access &A,
                                           uint64_t Row) const {
  clang::Expr::EvalResult Ldm;
  if (!A.Run->Ldm->isValueDependent() &&
      A.Run->Ldm->EvaluateAsInt(
          Ldm, A.Run->Call->getDirectCallee()->getASTContext()) &&
      Ldm.Val.getInt() != Row)
    return makeError("has rows of {0} elements, and a fragment others", Row);
  const uint64_t Distance = (Row + New.Padding) * Shape.ElementSize;
  for (uint64_t Element = Row; Element < NumElements; Element += Row)
    if (New.address(Element, 0, Shape) !=
            New.address(Element - Row, 0, Shape) + Distance ||
        Distance % 16 != 0)
      return makeError("moves the row of element {0} in a fragment away from "
                       "the others",
                       Element);
  return llvm::Error::success();
}

llvm::Error cudaopt::verifyLayout(const Layout &New, const ArrayShape &Shape,
                                  llvm::ArrayRef<const Access *> Accesses,
                                  llvm::StringRef Name) {
  LayoutVerifier Verifier(New, Shape, Name);
  if (llvm::Error Violated = Verifier.verifyForm())
    return Violated;
  if (llvm::Error Violated = Verifier.verifyBytes())
    return Violated;
  // Most accesses have the same offset, width and chunk as another one; each
  // combination is checked once.
  std::set<std::array<unsigned, 3>> Verified;
  for (const Access *A : Accesses) {
    if (A->Run)
      if (llvm::Error Violated = Verifier.verifyCopy(*A))
        return Violated;
    if (!Verified.insert({A->Offset, A->Width, A->Chunk}).second)
      continue;
    if (llvm::Error Violated = Verifier.verifyAccess(*A))
      return Violated;
  }
  if (llvm::any_of(Accesses,
                   [](const Access *A) { return A->IsThroughRowPointer; }))
    return Verifier.verifyRows();
  return llvm::Error::success();
}
