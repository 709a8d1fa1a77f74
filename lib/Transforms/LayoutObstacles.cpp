// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What forbids a layout, and what it costs besides wavefronts.
//===----------------------------------------------------------------------===//

#include "LayoutCandidates.h"
#include "cudaopt/Model/SourceText.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>

using namespace cudaopt;
using llvm::ArrayRef;
using Family = Layout::Family;

static constexpr double MaxGrowth = 0.25; ///< Of the array's own memory.
int64_t cudaopt::computeGrowth(const Layout &New, const ArrayShape &Shape) {
  return int64_t(New.bytes(Shape)) -
         int64_t(Shape.numElements() * Shape.ElementSize);
}

static bool isMuchFor(int64_t Growth, const ArrayShape &Shape) {
  return Growth > MaxGrowth * Shape.numElements() * Shape.ElementSize;
}

bool LayoutCandidates::isMuch(const Layout &New) const {
  return llvm::any_of(Instances, [&](const ArrayInstance &I) {
    return !New.findMisfit(*I.Shape) &&
           isMuchFor(computeGrowth(New, *I.Shape), *I.Shape);
  });
}

Blocker cudaopt::makeBlocker(Reason Why, const Access &A,
                             const SharedArray &Array) {
  return {Why, getWrittenText(A.Ref, Array.Decl->getASTContext()),
          A.Ref->getExprLoc()};
}

Blocker cudaopt::findAccessOutOfRow(ArrayRef<ArrayInstance> Instances,
                                    ArrayId Id, const SharedArray &Array) {
  for (const ArrayInstance &I : Instances) {
    if (I.Shape->Extents.size() == 1)
      continue;
    for (const Access &A : I.Instance->Accesses)
      if (A.Array == Id && !A.InnerSubscriptsInBounds)
        return makeBlocker(A.WhyOpaque != Reason::None ? A.WhyOpaque
                                                       : Reason::NotInBounds,
                           A, Array);
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Prices
//===----------------------------------------------------------------------===//

/// True if every subscript is written with rows of \p Pitch elements.
bool LayoutCandidates::isSpelled(uint64_t Pitch) const {
  return llvm::all_of(Instances, [&](const ArrayInstance &I) {
    return llvm::all_of(I.Instance->Accesses, [&](const Access &A) {
      return A.Array != Id || (A.Split && A.Split->Pitch == Pitch);
    });
  });
}

/// Returns the instructions that compute \p Terms and add them.
static unsigned priceOfTerms(ArrayRef<BitTerm> Terms) {
  unsigned Price = 0;
  for (const BitTerm &Term : Terms) {
    Price += 2 + (Term.Shift != 0);
    if (Term.IsReversed || !llvm::isPowerOf2_32(Term.Factor))
      ++Price;
  }
  return Price;
}

/// The part of the price that pays for the number of the row, and for the way
/// back, where a subscript does not spell them.
unsigned LayoutCandidates::flatPriceOf(const Layout &New) const {
  if (!IsFlat || New.Pitch == 0 || isSpelled(New.Pitch))
    return 0;
  const unsigned Division = llvm::isPowerOf2_64(New.Pitch) ? 1 : 3;
  switch (New.Kind) {
  case Family::Identity:
  case Family::Fields:
    return 0;
  case Family::Pad:
    return Division + 1;
  case Family::Xor:
  case Family::Rotate:
    return Division;
  case Family::Permute:
    return 2 * Division + 1;
  case Family::Transform:
    return 2 * Division + 2;
  }
  llvm_unreachable("unknown family");
}

/// Estimates the instructions that an access gets if nothing is taken out of
/// its loops. Layouts that change constants only are free.
unsigned LayoutCandidates::priceOf(const Layout &New) const {
  const unsigned Flat = flatPriceOf(New);
  if (New.Kind == Family::Xor)
    return Flat + priceOfTerms(New.Terms);
  if (New.Kind != Family::Rotate)
    return Flat;
  const bool IsMask = llvm::all_of(Instances, [&](const ArrayInstance &I) {
    return llvm::isPowerOf2_64(New.pitchOf(*I.Shape));
  });
  return Flat + (IsMask ? 3 : 7);
}

//===----------------------------------------------------------------------===//
// Obstacles
//===----------------------------------------------------------------------===//

bool LayoutCandidates::changesDeclaration(const Layout &New) const {
  if (New.Kind == Family::Permute && !IsFlat)
    return true;
  return llvm::any_of(Instances, [&](const ArrayInstance &I) {
    return New.Kind == Family::Fields ||
           New.storage(*I.Shape) != I.Shape->numElements();
  });
}

/// True if one text can say \p New for all instances.
bool LayoutCandidates::hasOneText(const Layout &New) const {
  return llvm::all_of(Instances, [&](const ArrayInstance &I) {
    const ArrayShape &First = *Instances.front().Shape;
    if (New.Kind == Family::Rotate)
      return New.pitchOf(*I.Shape) == New.pitchOf(First);
    if (New.Kind == Family::Transform ||
        (New.Kind == Family::Permute && IsFlat))
      return I.Shape->Extents == First.Extents;
    return true;
  });
}

Blocker LayoutCandidates::findTextObstacle(const Layout &New) const {
  if (!hasOneText(New))
    return atDeclaration(Reason::NotEditable, "its instances differ in size");
  if (changesDeclaration(New)) {
    if (Array.DeclarationBlocker)
      return *Array.DeclarationBlocker;
    if (Array.ShapeBlocker && New.Kind != Family::Pad &&
        New.Kind != Family::Xor)
      return *Array.ShapeBlocker;
    if (Array.IsExtern)
      return atDeclaration(Reason::ExternArray);
  }
  const bool ChangesSubscripts = New.Kind != Family::Pad || IsFlat;
  if (Array.SubscriptBlocker && ChangesSubscripts)
    return *Array.SubscriptBlocker;
  if (Array.FieldsBlocker && New.Kind == Family::Fields)
    return *Array.FieldsBlocker;
  return {};
}

/// Returns an array that is declared behind this one, and therefore moves when
/// this one grows, and whose accesses the compiler merges where it stands.
std::optional<ArrayId> LayoutCandidates::findMovedMerged() const {
  if (MovedMerged)
    return *MovedMerged;
  MovedMerged.emplace();
  for (const ArrayInstance &I : Instances)
    for (ArrayId Next = Id + 1; Next < I.Instance->Shapes.size(); ++Next)
      if (!I.Instance->Shapes[Next].Extents.empty() &&
          llvm::any_of(collectPatterns(*I.Instance, Next).Patterns,
                       [](const LanePattern &P) { return P.Count > 1; }))
        MovedMerged = std::optional(Next);
  return *MovedMerged;
}

/// True if \p New leaves what \p Run of \p A copies in one piece, and as
/// aligned as it is.
static bool keepsRun(const Layout &New, const ArrayShape &Shape,
                     const Access &A) {
  if (New.Kind != Family::Pad || (A.Run->Ldm && New.RowPadding))
    return false;
  const uint64_t Unit = Shape.ElementSize;
  if (Shape.Extents.size() == 1 && (!A.Split || A.Split->Pitch != New.Pitch))
    return false;
  const uint64_t Plane = (New.pitchOf(Shape) + New.Padding) * New.RowPadding;
  return New.Padding * Unit % A.Run->Alignment == 0 &&
         Plane * Unit % A.Run->Alignment == 0;
}

/// The alignment that fragments of wmma begin with.
static constexpr int64_t FragmentAlignment = 32;

/// True if \p A needs more alignment than the elements of its array have, and
/// loses it when the array moves by \p Growth bytes.
static bool losesAlignment(const Access &A, const KernelInstance &Instance,
                           int64_t Growth) {
  if (!A.Run)
    return false;
  if (A.Run->Ldm)
    return Growth % FragmentAlignment != 0;
  return Growth % WidestAccess != 0 &&
         Instance.Shapes[A.Array].ElementSize % A.Run->Alignment != 0;
}

/// What the accesses in instance \p I forbid.
Blocker LayoutCandidates::findAccessObstacle(const Layout &New,
                                             const ArrayInstance &I) const {
  // Wide accesses to this array or to the next need their alignment.
  const bool Moves = computeGrowth(New, *I.Shape) % WidestAccess != 0;
  if (Moves)
    if (std::optional<ArrayId> Moved = findMovedMerged())
      return atDeclaration(Reason::MisalignsOther, K.Arrays[*Moved].Name);
  const unsigned Kept = New.keptChunk(*I.Shape);
  for (const Access &A : I.Instance->Accesses) {
    if (A.Array == Id && A.Run && !keepsRun(New, *I.Shape, A))
      return makeBlocker(Reason::RowCopied, A, Array);
    if (A.Array != Id &&
        losesAlignment(A, *I.Instance, computeGrowth(New, *I.Shape)))
      return atDeclaration(Reason::MisalignsOther, K.Arrays[A.Array].Name);
    if (A.Chunk > 1 && (Moves || (A.Array == Id && A.Chunk > Kept))) {
      Blocker B = makeBlocker(Reason::ChunkedAccess, A, Array);
      B.Detail = std::to_string(A.Chunk);
      return B;
    }
    if (A.Array == Id && A.IsThroughRowPointer && New.Kind != Family::Pad)
      return makeBlocker(Reason::RowPointer, A, Array);
  }
  return {};
}

/// Bytes of `__shared__` variables that are no arrays of \p K.
static int64_t countOtherBytes(const KernelInstance &I, const Kernel &K) {
  int64_t Others = I.StaticSharedBytes;
  for (auto [Array, Shape] : llvm::zip(K.Arrays, I.Shapes))
    if (!Array.IsExtern && !Shape.Extents.empty())
      Others -= Shape.numElements() * Shape.ElementSize;
  return std::max<int64_t>(Others, 0);
}

/// The most by which what other functions declare may grow: their layouts are
/// chosen elsewhere, and nobody sees all choices at once.
static int64_t findGrowthOfOthers(const KernelInstance &I, const Kernel &K) {
  return std::ceil(MaxGrowth * countOtherBytes(I, K));
}

/// True if the compiler aligns \p D for the widest access, wherever it lies.
static bool isAlignedAnyway(const clang::VarDecl &D) {
  if (D.getType()->isDependentType() ||
      llvm::any_of(D.specific_attrs<clang::AlignedAttr>(),
                   [](const clang::AlignedAttr *Attribute) {
                     return Attribute->isAlignmentDependent();
                   }))
    return false;
  return D.getASTContext().getDeclAlign(&D).getQuantity() >= WidestAccess;
}

/// Arrays that are kept because their addresses escape may be accessed widely
/// through pointers, and so may what other functions declare.
Blocker LayoutCandidates::findAlignmentObstacle(const Layout &New,
                                                const ArrayInstance &I) const {
  if (computeGrowth(New, *I.Shape) % WidestAccess == 0)
    return {};
  for (auto [OtherId, Other] : llvm::enumerate(K.Arrays)) {
    const ArrayShape &Shape = I.Instance->Shapes[OtherId];
    if (OtherId != Id && !Other.Blockers.empty() && !Shape.Extents.empty() &&
        Shape.numElements() * Shape.ElementSize >= WidestAccess &&
        !isAlignedAnyway(*Other.Decl))
      return atDeclaration(Reason::MisalignsOther, Other.Name);
  }
  if (countOtherBytes(*I.Instance, K) >= WidestAccess)
    return atDeclaration(Reason::MisalignsOther, "another function's array");
  return {};
}

/// True if a function that host code has too makes some access.
static bool isUsedOnHost(ArrayId Id, const ArrayInstance &I) {
  return llvm::any_of(I.Instance->Accesses, [&](const Access &A) {
    return A.Array == Id && A.Function &&
           A.Function->hasAttr<clang::CUDAHostAttr>();
  });
}

Blocker LayoutCandidates::findGrowthObstacle(const Layout &New,
                                             const ArrayInstance &I) const {
  const int64_t Growth = computeGrowth(New, *I.Shape);
  if (Growth <= 0)
    return {};
  if (isMuchFor(Growth, *I.Shape))
    return atDeclaration(Reason::MuchMemory);
  // A launch may already ask for all the dynamic memory that is left.
  if (llvm::any_of(K.Arrays, [](const SharedArray &A) { return A.IsExtern; }))
    return atDeclaration(Reason::DynamicMemory);
  return {};
}

/// What the memory of a block forbids while every array has bytes of its own.
Blocker LayoutCandidates::findOccupancyObstacle(const Layout &New,
                                                const ArrayInstance &I) const {
  const int64_t Growth = computeGrowth(New, *I.Shape);
  if (Growth <= 0)
    return {};
  const uint64_t Before = I.Instance->StaticSharedBytes;
  uint64_t After = Before + Growth + findGrowthOfOthers(*I.Instance, K);
  for (const auto &[OtherId, Decision] : Earlier)
    if (OtherId != Id && Decision.isRewritten() &&
        !I.Instance->Shapes[OtherId].Extents.empty())
      After += computeGrowth(Decision.New, I.Instance->Shapes[OtherId]);
  if (After > T.SharedPerBlock)
    return atDeclaration(Reason::TooLarge, std::to_string(After));

  const BlockShape &Block = I.Instance->Block;
  if (Block.IsUnseen)
    return {};
  uint32_t Threads = Block.isKnown() ? Block.numThreads() : Block.MaxThreads;
  if (blocksPerSM(T, Threads, After) < blocksPerSM(T, Threads, Before))
    return atDeclaration(Reason::LosesOccupancy);
  return {};
}

Blocker LayoutCandidates::findObstacle(const Layout &New) const {
  if (Blocker B = findTextObstacle(New); B.Why != Reason::None)
    return B;
  if (OutOfRow.Why != Reason::None && New.Kind != Family::Fields)
    return OutOfRow;
  for (const ArrayInstance &I : Instances) {
    if (Blocker B = findAccessObstacle(New, I); B.Why != Reason::None)
      return B;
    if (Blocker B = findAlignmentObstacle(New, I); B.Why != Reason::None)
      return B;
    if (llvm::any_of(New.Terms,
                     [](const BitTerm &Term) { return Term.IsReversed; }) &&
        isUsedOnHost(Id, I))
      return atDeclaration(Reason::NotEditable,
                           "__brev does not exist in host code");
    if (Blocker B = findGrowthObstacle(New, I); B.Why != Reason::None)
      return B;
  }
  // The last, as arrays that share bytes may have room for it.
  for (const ArrayInstance &I : Instances)
    if (Blocker B = findOccupancyObstacle(New, I); B.Why != Reason::None)
      return B;
  return {};
}
