// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Writes one array's layout into the declaration and into every subscript.
///
/// \verbatim
///   Pad        [N][N] -> [N][N + 1]        s[y * W + x] -> s[y * (W + 1) + x]
///                                          s[i] -> s[i + (i >> 5)]
///   Permute    tile[y][x] -> tile[x][y]    s[y * W + x] -> s[y + x * 8]
///   Xor        tile[y][x] -> tile[y][x ^ (y & 3)]
///              s[y * W + x] -> s[y * W + (x ^ (y & 3))]
///              s[i] -> s[i ^ (i >> 5 & 3)]
///              in longer rows: s[y * W + x] -> s[y * (W + 2) + (x ^ (y & 1))]
///   Rotate     tile[y][x] -> tile[y][(x + 4 * y) & 31]
///   Fields     s[i].x -> s.x[i]
///   Transform  tile[y][x] -> tile[y * 53 + x * 2]
/// \endverbatim
//===----------------------------------------------------------------------===//

#include "cudaopt/Rewrite/RewriteKernel.h"

#include "DeclarationEdit.h"
#include "SubscriptEdit.h"
#include "UnrollEdit.h"
#include "cudaopt/Model/SourceText.h"
#include "cudaopt/Model/TextBlockers.h"

#include "clang/AST/ASTContext.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"

using namespace clang;
using llvm::Error;

namespace cudaopt {

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// How many values coordinate \p From of \p Shape has.
static uint64_t countCoordinates(const Layout &New, const ArrayShape &Shape,
                                 unsigned From) {
  const size_t N = Shape.Extents.size();
  if (N > 1)
    return Shape.Extents[N - 1 - From];
  const uint64_t Pitch = New.pitchOf(Shape);
  return From == 0 ? Pitch : llvm::divideCeil(Shape.numElements(), Pitch);
}

static LayoutNumbers numbersOf(const Layout &New, const ArrayShape &Shape) {
  LayoutNumbers Numbers;
  Numbers.NumDimensions = Shape.Extents.size();
  Numbers.ElementSize = Shape.ElementSize;
  const bool IsFlat = Shape.Extents.size() == 1;
  const uint64_t P = New.pitchOf(Shape);
  if (IsFlat)
    Numbers.Pitch = New.Pitch;
  else if (New.Kind == Layout::Family::Rotate)
    Numbers.Pitch = P;
  if (New.Kind == Layout::Family::Transform) {
    Numbers.ColumnStride = New.T[0][0] + P * New.T[1][0];
    Numbers.RowStride = New.T[0][1] + P * New.T[1][1];
  }
  if (New.Kind == Layout::Family::Permute && IsFlat) {
    Numbers.ColumnStride =
        llvm::divideCeil(Shape.numElements(), P) + New.Padding;
    Numbers.RowStride = 1;
  }
  if (IsFlat || New.Kind == Layout::Family::Transform)
    Numbers.ExtraElements = New.storage(Shape) - Shape.numElements();
  for (size_t I = 0; I != New.Terms.size(); ++I) {
    const BitTerm &Term = New.Terms[I];
    uint64_t Taken = uint64_t(1) << (Term.Shift + Term.Bits);
    if (countCoordinates(New, Shape, Term.From) > Taken)
      Numbers.Masks |= uint64_t(1) << I;
  }
  return Numbers;
}

/// Adds \p Other to \p Numbers; returns why one text cannot serve both.
static const char *combine(LayoutNumbers &Numbers, const LayoutNumbers &Other,
                           const Layout &New) {
  if (Numbers.NumDimensions != Other.NumDimensions)
    return "the number of dimensions differs";
  if (Numbers.ExtraElements != Other.ExtraElements) {
    if (New.Kind != Layout::Family::Pad && New.Kind != Layout::Family::Xor)
      return "instances need different sizes";
    Numbers.ExtraElements = std::nullopt;
  }
  if (Numbers.Pitch != Other.Pitch || Numbers.RowStride != Other.RowStride ||
      Numbers.ColumnStride != Other.ColumnStride)
    return "instances have rows of different lengths";
  Numbers.Masks |= Other.Masks;
  Numbers.ElementSize = std::max(Numbers.ElementSize, Other.ElementSize);
  return nullptr;
}

//===----------------------------------------------------------------------===//
// One array
//===----------------------------------------------------------------------===//

namespace {

class ArrayRewriter {
public:
  ArrayRewriter(const Kernel &K, ArrayId Array, const Layout &New,
                ASTContext &Context)
      : K(K), A(K.Arrays[Array]), Array(Array), New(New), Context(Context),
        Own(Context.getSourceManager(), Context.getLangOpts()) {}

  Error run();
  const Edits &edits() const { return Own; }

private:
  Error findNumbers();
  Error checkMentions() const;
  Error editSubscripts();
  Error editLeadingDimensions();
  Error refuse(const char *Why, SourceLocation Loc) const {
    return cudaopt::refuse(A.Name, Why, Loc, Context);
  }

  const Kernel &K;
  const SharedArray &A;
  const ArrayId Array;
  const Layout &New;
  ASTContext &Context;
  Edits Own;
  LayoutNumbers Numbers;
};

} // namespace

Error ArrayRewriter::findNumbers() {
  SourceLocation Loc = A.Decl->getLocation();
  for (const auto &Instance : K.Instances) {
    if (Array >= Instance->Shapes.size() ||
        Instance->Shapes[Array].Extents.empty())
      continue;
    const ArrayShape &Shape = Instance->Shapes[Array];
    if (const char *Misfit = New.findMisfit(Shape))
      return refuse(Misfit, Loc);
    LayoutNumbers Here = numbersOf(New, Shape);
    if (Numbers.NumDimensions == 0)
      Numbers = Here;
    else if (const char *Why = combine(Numbers, Here, New))
      return refuse(Why, Loc);
  }
  if (Numbers.NumDimensions == 0)
    return refuse("an unknown size", Loc);
  return Error::success();
}

/// A flattened array has another type: no other expression may name it, nor may
/// text that no instance contains (a discarded branch).
Error ArrayRewriter::checkMentions() const {
  llvm::DenseSet<SourceLocation> Known;
  for (const auto &Instance : K.Instances)
    for (const Access &Use : Instance->Accesses) {
      const Expr *Base = Use.Ref->IgnoreParens();
      while (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(Base))
        Base = Subscript->getBase()->IgnoreParenImpCasts();
      if (Use.Array == Array)
        Known.insert(Base->getBeginLoc());
    }
  for (SourceLocation Mention : findMentions(K, A).All)
    if (!Known.contains(Mention))
      return refuse("the array is named without subscripts", Mention);
  return Error::success();
}

Error ArrayRewriter::editSubscripts() {
  // By the place of the last bracket, in the order of the text.
  std::map<SourceLocation, SameText> Texts;
  llvm::DenseSet<SourceLocation> OfOthers;
  for (const auto &Instance : K.Instances)
    for (const Access &Use : Instance->Accesses) {
      llvm::SmallVector<SourceLocation, 4> Brackets =
          getSubscriptBrackets(Use.Ref);
      std::optional<SourceLocation> Place;
      if (!Brackets.empty())
        Place = getFileAnchor(Brackets.back(), Context);
      if (Use.Array != Array) {
        if (Place)
          OfOthers.insert(*Place);
        continue;
      }
      if (!Place)
        return refuse("a subscript cannot be edited", Use.Ref->getBeginLoc());
      Texts[*Place].push_back({&Use, Instance.get()});
    }
  SubscriptEditor Editor(A.Name, New, Numbers, Context, Own);
  for (const auto &[Place, Uses] : Texts) {
    if (OfOthers.contains(Place))
      return refuse("a subscript of several arrays", Place);
    if (Error Failed = Editor.edit(Uses))
      return Failed;
  }
  return Error::success();
}

/// load_matrix_sync(f, &A[r][c], 64) -> load_matrix_sync(f, &A[r][c], 64 + 8)
Error ArrayRewriter::editLeadingDimensions() {
  for (const auto &Instance : K.Instances)
    for (const Access &Use : Instance->Accesses) {
      if (Use.Array != Array || !Use.Run || !Use.Run->Ldm)
        continue;
      const Expr *Ldm = Use.Run->Ldm;
      std::optional<CharSourceRange> Range = getEditableRange(
          Ldm->getSourceRange(), Use.Run->Call->getRParenLoc(), Context);
      if (!Range || New.Kind != Layout::Family::Pad || New.RowPadding)
        return refuse("a leading dimension cannot be edited",
                      Ldm->getBeginLoc());
      const Text Longer = Text::inPlace(Ldm).plus(New.Padding);
      auto [Before, After] = llvm::StringRef(Longer.Code).split(Text::Kept);
      if (Error Failed = Own.replaceAround(*Range, *Range, {Before, After}))
        return Failed;
    }
  return Error::success();
}

Error ArrayRewriter::run() {
  if (Error Failed = findNumbers())
    return Failed;
  if (New.Kind == Layout::Family::Fields)
    return editFields(K, A, Context, Own);
  if (Error Failed = editDeclaration(A, New, Numbers, Context, Own))
    return Failed;
  if (Error Failed = editLeadingDimensions())
    return Failed;
  const bool IsBox = Numbers.NumDimensions > 1;
  if (New.Kind == Layout::Family::Pad && IsBox)
    return Error::success();
  if (A.SubscriptBlocker)
    return refuse("a subscript cannot be edited", A.SubscriptBlocker->Loc);
  if (New.Kind == Layout::Family::Transform && IsBox)
    if (Error Failed = checkMentions())
      return Failed;
  if (Error Failed = editSubscripts())
    return Failed;
  return keepUnrolled(K, Array, Context, Own);
}

Error rewriteArray(const Kernel &K, ArrayId Array, const Layout &New,
                   ASTContext &Context, Edits &E) {
  if (New.Kind == Layout::Family::Identity)
    return Error::success();
  ArrayRewriter Rewriter(K, Array, New, Context);
  if (Error Failed = Rewriter.run())
    return Failed;
  return E.add(Rewriter.edits());
}

} // namespace cudaopt
