// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The obstacles and the price of a candidate. Obstacles are: text that cannot
/// be edited, accesses that rely on contiguous rows or on alignment (of this
/// array, and of those behind it, which move if it grows), and memory.
//===----------------------------------------------------------------------===//

#include "LayoutCandidates.h"
#include "cudaopt/Source/SourceText.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>

using namespace cudaopt;
using llvm::ArrayRef;
using Family = Layout::Family;

/// The greatest part of its own memory by which an array may grow.
static constexpr double MaxGrowth = 0.25;

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

Refusal cudaopt::makeRefusal(Reason Why, const Access &A,
                             const SharedArray &Array) {
  return {Why, getWrittenText(A.Ref, Array.Decl->getASTContext()),
          A.Ref->getExprLoc()};
}

std::optional<Refusal>
cudaopt::findAccessOutOfRow(ArrayRef<ArrayInstance> Instances, ArrayId Id,
                            const SharedArray &Array) {
  for (const ArrayInstance &I : Instances) {
    if (I.Shape->Extents.size() == 1)
      continue;
    for (const Access &A : I.Instance->Accesses)
      if (A.Array == Id && !A.InnerSubscriptsInBounds)
        return makeRefusal(A.WhyOpaque.value_or(Reason::NotInBounds), A, Array);
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Prices
//===----------------------------------------------------------------------===//

/// Returns true if every subscript is written with rows of \p Pitch elements.
bool LayoutCandidates::isSpelled(uint64_t Pitch) const {
  return llvm::all_of(Instances, [&](const ArrayInstance &I) {
    return llvm::all_of(I.Instance->Accesses, [&](const Access &A) {
      return A.Array != Id || (A.Split && A.Split->Pitch == Pitch);
    });
  });
}

/// Returns the estimated number of instructions that compute \p Terms and
/// combine them with the column.
static unsigned priceOfTerms(ArrayRef<BitTerm> Terms) {
  unsigned Price = 0;
  for (const BitTerm &Term : Terms) {
    Price += 2 + (Term.Shift != 0);
    if (Term.IsReversed || !llvm::isPowerOf2_32(Term.Factor))
      ++Price;
  }
  return Price;
}

/// Returns the instructions that compute row and column of a subscript which is
/// not written with the row length, and combine them again.
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

/// Returns the estimated number of instructions that an access gets if nothing
/// is hoisted out of its loops. Layouts that merely change constants are free.
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

/// Returns true if one text can express \p New for all instances: no number in
/// it depends on the instance.
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

/// Returns why the text cannot be edited for \p New.
std::optional<Refusal>
LayoutCandidates::findTextObstacle(const Layout &New) const {
  if (!hasOneText(New))
    return atDeclaration(Reason::NotEditable, "its instances differ in size");
  if (changesDeclaration(New)) {
    if (Array.DeclarationRefusal)
      return Array.DeclarationRefusal;
    if (Array.ShapeRefusal && New.Kind != Family::Pad &&
        New.Kind != Family::Xor)
      return Array.ShapeRefusal;
    if (Array.IsExtern)
      return atDeclaration(Reason::ExternArray);
  }
  const bool ChangesSubscripts = New.Kind != Family::Pad || IsFlat;
  if (Array.SubscriptRefusal && ChangesSubscripts)
    return Array.SubscriptRefusal;
  if (Array.FieldsRefusal && New.Kind == Family::Fields)
    return Array.FieldsRefusal;
  return std::nullopt;
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

/// Returns true if \p New keeps the bytes that the row copy A.Run of \p A
/// copies contiguous and aligned.
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

/// The alignment, in bytes, that a wmma fragment in memory must have.
static constexpr int64_t FragmentAlignment = 32;

/// Returns true if \p A needs more alignment than the elements of its array
/// guarantee, and loses it when the array moves by \p Growth bytes.
static bool losesAlignment(const Access &A, const KernelInstance &Instance,
                           int64_t Growth) {
  if (!A.Run)
    return false;
  if (A.Run->Ldm)
    return Growth % FragmentAlignment != 0;
  return Growth % WidestAccess != 0 &&
         Instance.Shapes[A.Array].ElementSize % A.Run->Alignment != 0;
}

/// Returns the access in instance \p I that forbids \p New.
std::optional<Refusal>
LayoutCandidates::findAccessObstacle(const Layout &New,
                                     const ArrayInstance &I) const {
  // If the array's end loses its alignment, so do the arrays behind it.
  const bool Moves = computeGrowth(New, *I.Shape) % WidestAccess != 0;
  if (Moves)
    if (std::optional<ArrayId> Moved = findMovedMerged())
      return atDeclaration(Reason::MisalignsOther, K.Arrays[*Moved].Name);
  const unsigned Kept = New.keptChunk(*I.Shape);
  for (const Access &A : I.Instance->Accesses) {
    if (A.Array == Id && A.Run && !keepsRun(New, *I.Shape, A))
      return makeRefusal(Reason::RowCopied, A, Array);
    if (A.Array != Id &&
        losesAlignment(A, *I.Instance, computeGrowth(New, *I.Shape)))
      return atDeclaration(Reason::MisalignsOther, K.Arrays[A.Array].Name);
    if (A.Chunk > 1 && (Moves || (A.Array == Id && A.Chunk > Kept))) {
      Refusal R = makeRefusal(Reason::ChunkedAccess, A, Array);
      R.Detail = std::to_string(A.Chunk);
      return R;
    }
    if (A.Array == Id && A.IsThroughRowPointer && New.Kind != Family::Pad)
      return makeRefusal(Reason::RowPointer, A, Array);
  }
  return std::nullopt;
}

/// Returns the bytes of the `__shared__` variables that are no arrays of \p K.
static int64_t countOtherBytes(const KernelInstance &I, const Kernel &K) {
  int64_t Others = I.StaticSharedBytes;
  for (auto [Array, Shape] : llvm::zip(K.Arrays, I.Shapes))
    if (!Array.IsExtern && !Shape.Extents.empty())
      Others -= Shape.numElements() * Shape.ElementSize;
  return std::max<int64_t>(Others, 0);
}

/// Returns an upper bound for the growth of the variables that other functions
/// declare: their layouts are chosen elsewhere, and neither search sees the
/// other's choices.
static int64_t findGrowthOfOthers(const KernelInstance &I, const Kernel &K) {
  return std::ceil(MaxGrowth * countOtherBytes(I, K));
}

/// Returns true if the compiler aligns \p D for the widest access, whatever is
/// stored in front of it.
static bool isAlignedAnyway(const clang::VarDecl &D) {
  if (D.getType()->isDependentType() ||
      llvm::any_of(D.specific_attrs<clang::AlignedAttr>(),
                   [](const clang::AlignedAttr *Attribute) {
                     return Attribute->isAlignmentDependent();
                   }))
    return false;
  return D.getASTContext().getDeclAlign(&D).getQuantity() >= WidestAccess;
}

/// Returns why \p New may misalign accesses that are not seen: an array whose
/// address escapes may be accessed widely through a pointer, and so may the
/// variables that other functions declare.
std::optional<Refusal>
LayoutCandidates::findAlignmentObstacle(const Layout &New,
                                        const ArrayInstance &I) const {
  if (computeGrowth(New, *I.Shape) % WidestAccess == 0)
    return std::nullopt;
  for (auto [OtherId, Other] : llvm::enumerate(K.Arrays)) {
    const ArrayShape &Shape = I.Instance->Shapes[OtherId];
    if (OtherId != Id && !Other.Refusals.empty() && !Shape.Extents.empty() &&
        Shape.numElements() * Shape.ElementSize >= WidestAccess &&
        !isAlignedAnyway(*Other.Decl))
      return atDeclaration(Reason::MisalignsOther, Other.Name);
  }
  if (countOtherBytes(*I.Instance, K) >= WidestAccess)
    return atDeclaration(Reason::MisalignsOther, "another function's array");
  return std::nullopt;
}

/// Returns true if some access is in a `__host__ __device__` function.
static bool isUsedOnHost(ArrayId Id, const ArrayInstance &I) {
  return llvm::any_of(I.Instance->Accesses, [&](const Access &A) {
    return A.Array == Id && A.Function &&
           A.Function->hasAttr<clang::CUDAHostAttr>();
  });
}

/// Returns why the array may not grow as \p New needs, whatever else is stored
/// in the block.
std::optional<Refusal>
LayoutCandidates::findGrowthObstacle(const Layout &New,
                                     const ArrayInstance &I) const {
  const int64_t Growth = computeGrowth(New, *I.Shape);
  if (Growth <= 0)
    return std::nullopt;
  if (isMuchFor(Growth, *I.Shape))
    return atDeclaration(Reason::MuchMemory);
  // A launch may already ask for all the dynamic memory that is left.
  if (llvm::any_of(K.Arrays, [](const SharedArray &A) { return A.IsExtern; }))
    return atDeclaration(Reason::DynamicMemory);
  return std::nullopt;
}

/// Returns why \p New needs too much memory for a block, or costs occupancy, if
/// every array has bytes of its own.
std::optional<Refusal>
LayoutCandidates::findOccupancyObstacle(const Layout &New,
                                        const ArrayInstance &I) const {
  const int64_t Growth = computeGrowth(New, *I.Shape);
  if (Growth <= 0)
    return std::nullopt;
  // Layouts decided earlier count on both sides, so that only the loss by this
  // array is an obstacle.
  uint64_t Before = I.Instance->StaticSharedBytes;
  for (const auto &[OtherId, Decision] : Earlier)
    if (OtherId != Id && Decision.isRewritten() &&
        !I.Instance->Shapes[OtherId].Extents.empty())
      Before += computeGrowth(Decision.New, I.Instance->Shapes[OtherId]);
  const uint64_t After = Before + Growth + findGrowthOfOthers(*I.Instance, K);
  if (After > T.SharedPerBlock)
    return atDeclaration(Reason::TooLarge, std::to_string(After));

  const BlockShape &Block = I.Instance->Block;
  if (Block.IsUnseen)
    return std::nullopt;
  uint32_t Threads = Block.isKnown() ? Block.numThreads() : Block.MaxThreads;
  if (blocksPerSM(T, Threads, After) < blocksPerSM(T, Threads, Before))
    return atDeclaration(Reason::LosesOccupancy);
  return std::nullopt;
}

std::optional<Refusal> LayoutCandidates::findObstacle(const Layout &New) const {
  if (std::optional<Refusal> R = findTextObstacle(New))
    return R;
  if (OutOfRow && New.Kind != Family::Fields)
    return OutOfRow;
  for (const ArrayInstance &I : Instances) {
    if (std::optional<Refusal> R = findAccessObstacle(New, I))
      return R;
    if (std::optional<Refusal> R = findAlignmentObstacle(New, I))
      return R;
    if (llvm::any_of(New.Terms,
                     [](const BitTerm &Term) { return Term.IsReversed; }) &&
        isUsedOnHost(Id, I))
      return atDeclaration(Reason::NotEditable,
                           "__brev does not exist in host code");
    if (std::optional<Refusal> R = findGrowthObstacle(New, I))
      return R;
  }
  // Occupancy comes last: if it is the only obstacle, arrays that share bytes
  // may overcome it (isAllowedInSharedBytes).
  for (const ArrayInstance &I : Instances)
    if (std::optional<Refusal> R = findOccupancyObstacle(New, I))
      return R;
  return std::nullopt;
}
