// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Writes one array's layout into the declaration and into every subscript.
/// Only insertions are made, so that edits of subscripts inside subscripts
/// compose; text that is repeated contains no `__shared__` array.
///
/// \verbatim
///   Pad  [N][N] -> [N][N + 1]        s[y * W + x] -> s[y * (W + 1) + x]
///                                    s[i]         -> s[i + i / 32]
///   Xor  tile[y][x]   -> tile[y][x ^ (y & 3)]
///        s[y * W + x] -> s[y * W + (x ^ (y & 3))]
///        s[i]         -> s[i ^ ((i / 32) & 3)]
/// \endverbatim
//===----------------------------------------------------------------------===//

#include "cudaopt/Rewrite/RewriteKernel.h"

#include "SubscriptText.h"
#include "cudaopt/Model/SourceText.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;
using llvm::ArrayRef;
using llvm::Error;
using llvm::StringRef;

namespace cudaopt {

namespace {

/// All accesses that one piece of text stands for: a template's text has some
/// in every instance.
using SameText = llvm::SmallVector<const Access *, 2>;

class ArrayRewriter {
public:
  ArrayRewriter(const Kernel &K, ArrayId Array, const Layout &New,
                ASTContext &Context)
      : K(K), Array(Array), New(New), Context(Context),
        SM(Context.getSourceManager()), Own(SM, Context.getLangOpts()) {}

  Error run();
  const Edits &edits() const { return Own; }

private:
  Error checkShapes();
  Error rewriteDeclaration();
  Error rewriteAccess(const SameText &Uses);
  Error rewriteRow(const Access &Use, ArrayRef<SourceLocation> Brackets);
  Error rewriteSplit(const LinearSplit &Split, SourceLocation Bracket);
  Error rewriteFlat(const Expr *Index, SourceLocation Bracket);
  bool canCombineSubscripts(const Access &Use) const;
  bool hasCommonSplit(const SameText &Uses, SourceLocation Bracket) const;
  bool isSplitEditable(const Access &Use, SourceLocation Bracket) const;
  Error insertAround(CharSourceRange Range, const Wrapping &Text);
  Error refuse(const char *Why, SourceLocation Loc) const;

  const Kernel &K;
  const ArrayId Array;
  const Layout &New;
  ASTContext &Context;
  const SourceManager &SM;
  Edits Own;
  size_t NumDimensions = 0;
  bool HasMask = false;
  uint64_t ExtraElements = 0; ///< Of an array of one dimension.
};

} // namespace

Error ArrayRewriter::refuse(const char *Why, SourceLocation Loc) const {
  return llvm::createStringError("'" + K.Arrays[Array].Name + "': " + Why +
                                 " at " +
                                 SM.getExpansionLoc(Loc).printToString(SM));
}

/// True if a row number of \p Shape may be 2^(RowShift + Bits) or more.
static bool exceedsRows(const Layout &New, const ArrayShape &Shape) {
  uint64_t Period = uint64_t(1) << (New.RowShift + New.Bits);
  if (Shape.Extents.size() > 1)
    return Shape.Extents[Shape.Extents.size() - 2] > Period;
  return Shape.numElements() > Period * New.Pitch;
}

/// Checks that \p New suits \p Shape, and returns why not.
static const char *findMisfit(const Layout &New, const ArrayShape &Shape) {
  uint64_t Pitch = New.pitchOf(Shape);
  if (Pitch == 0)
    return "a layout without rows";
  if (New.Kind == Layout::Family::Pad)
    return New.Padding ? nullptr : "a padding of 0";
  uint64_t Unit = uint64_t(1) << (New.Unit + New.Bits);
  if (New.Bits == 0 || Pitch % Unit || Shape.numElements() % Unit)
    return "an xor that leaves the row";
  // Only the second-to-last subscript is written into the last one.
  uint64_t Period = uint64_t(1) << (New.RowShift + New.Bits);
  if (Shape.Extents.size() > 2 &&
      Shape.Extents[Shape.Extents.size() - 2] % Period)
    return "an xor that needs the outer subscripts";
  return nullptr;
}

Error ArrayRewriter::checkShapes() {
  const SharedArray &A = K.Arrays[Array];
  SourceLocation Loc = A.Decl->getLocation();
  std::optional<uint64_t> Extra;
  for (const auto &Instance : K.Instances) {
    if (Array >= Instance->Shapes.size())
      continue;
    const ArrayShape &Shape = Instance->Shapes[Array];
    if (Shape.Extents.empty())
      continue;
    if (NumDimensions && NumDimensions != Shape.Extents.size())
      return refuse("the number of dimensions differs", Loc);
    NumDimensions = Shape.Extents.size();
    if (const char *Misfit = findMisfit(New, Shape))
      return refuse(Misfit, Loc);
    HasMask |= exceedsRows(New, Shape);
    uint64_t More = New.storage(Shape) - Shape.numElements();
    if (NumDimensions == 1 && Extra && *Extra != More)
      return refuse("instances need different sizes", Loc);
    Extra = More;
  }
  if (!Extra)
    return refuse("an unknown size", Loc);
  ExtraElements = *Extra;
  return Error::success();
}

Error ArrayRewriter::insertAround(CharSourceRange Range, const Wrapping &Text) {
  if (!Text.Before.empty())
    if (Error Failed = Own.insert(Range.getBegin(), Text.Before))
      return Failed;
  return Own.insert(Range.getEnd(), Text.After);
}

Error ArrayRewriter::rewriteDeclaration() {
  const SharedArray &A = K.Arrays[Array];
  uint64_t More = NumDimensions > 1 ? New.Padding : ExtraElements;
  if (New.Kind != Layout::Family::Pad || More == 0)
    return Error::success();
  llvm::SmallVector<ArrayTypeLoc, 4> Dimensions = getWrittenDimensions(*A.Decl);
  if (A.IsExtern || A.DeclarationBlocker ||
      Dimensions.size() != NumDimensions || !Dimensions.back().getSizeExpr())
    return refuse("the declaration cannot be edited", A.Decl->getLocation());
  const Expr *Size = Dimensions.back().getSizeExpr();
  SourceLocation Bracket = Dimensions.back().getRBracketLoc();
  std::optional<CharSourceRange> Range =
      getBracketedRange(Size, Bracket, Context);
  if (!Range)
    return refuse("the declaration cannot be edited", A.Decl->getLocation());
  return insertAround(*Range, addTo(Size, More));
}

/// A[...][r][c] -> A[...][r][c ^ f(r)]
Error ArrayRewriter::rewriteRow(const Access &Use,
                                ArrayRef<SourceLocation> Brackets) {
  const Expr *Row = Use.Subscripts[NumDimensions - 2];
  const Expr *Column = Use.Subscripts[NumDimensions - 1];
  std::optional<CharSourceRange> Range =
      getBracketedRange(Column, Brackets[NumDimensions - 1], Context);
  SourceLocation RowBracket = Brackets[NumDimensions - 2];
  std::optional<std::string> Text = getTextToRepeat(Row, RowBracket, Context);
  if (!Range || !Text || !getBracketedRange(Row, RowBracket, Context))
    return refuse("a subscript cannot be edited", Use.Ref->getBeginLoc());
  return insertAround(*Range, xorWithRow(Column, Row, *Text, New, HasMask));
}

/// True if \p Sum is `Row * Factor`, plus or minus other terms.
static bool hasProduct(const Expr *Sum, const LinearSplit &Split) {
  const auto *Binary = dyn_cast<BinaryOperator>(Sum->IgnoreParenImpCasts());
  if (!Binary)
    return false;
  const Expr *Left = Binary->getLHS(), *Right = Binary->getRHS();
  if (Binary->getOpcode() == BO_Mul) {
    auto Is = [](const Expr *A, const Expr *B) {
      return A->IgnoreParenImpCasts() == B->IgnoreParenImpCasts();
    };
    return (Is(Left, Split.Row) && Is(Right, Split.Factor)) ||
           (Is(Left, Split.Factor) && Is(Right, Split.Row));
  }
  if (Binary->getOpcode() == BO_Sub)
    return hasProduct(Left, Split);
  return Binary->getOpcode() == BO_Add &&
         (hasProduct(Left, Split) || hasProduct(Right, Split));
}

/// True if \p Sum is `Row * Factor + Column` or `Column + Row * Factor`.
static bool isProductPlusColumn(const Expr *Sum, const LinearSplit &Split) {
  const auto *Binary = dyn_cast<BinaryOperator>(Sum->IgnoreParenImpCasts());
  if (!Binary || Binary->getOpcode() != BO_Add || !Split.Column)
    return false;
  const Expr *Column = Split.Column->IgnoreParenImpCasts();
  const Expr *Left = Binary->getLHS()->IgnoreParenImpCasts();
  const Expr *Right = Binary->getRHS()->IgnoreParenImpCasts();
  if (Left == Column)
    std::swap(Left, Right);
  const auto *Product = dyn_cast<BinaryOperator>(Left);
  return Right == Column && Product && Product->getOpcode() == BO_Mul &&
         hasProduct(Product, Split);
}

bool ArrayRewriter::isSplitEditable(const Access &Use,
                                    SourceLocation Bracket) const {
  if (!Use.Split || Use.Split->Pitch != New.Pitch)
    return false;
  const Expr *Index = Use.Subscripts[0];
  if (New.Kind == Layout::Family::Pad)
    return hasProduct(Index, *Use.Split) &&
           getEditableRange(Use.Split->Factor->getSourceRange(), Bracket,
                            Context);
  return isProductPlusColumn(Index, *Use.Split) &&
         getEditableRange(Use.Split->Column->getSourceRange(), Bracket,
                          Context) &&
         getTextToRepeat(Use.Split->Row, Bracket, Context) &&
         getRepeatBlocker(Use.Split->Row, Context) == Reason::None;
}

/// True if the author's rows are the layout's, at the same places of the text
/// in every instance.
bool ArrayRewriter::hasCommonSplit(const SameText &Uses,
                                   SourceLocation Bracket) const {
  bool IsPad = New.Kind == Layout::Family::Pad;
  auto TextOf = [&](const LinearSplit &Split) {
    const Expr *Wrapped = IsPad ? Split.Factor : Split.Column;
    return std::pair(
        getEditableRange(Wrapped->getSourceRange(), Bracket, Context)
            ->getBegin(),
        getTextToRepeat(Split.Row, Bracket, Context));
  };
  for (const Access *Use : Uses)
    if (!isSplitEditable(*Use, Bracket) ||
        TextOf(*Use->Split) != TextOf(*Uses.front()->Split))
      return false;
  return true;
}

Error ArrayRewriter::rewriteSplit(const LinearSplit &Split,
                                  SourceLocation Bracket) {
  bool IsPad = New.Kind == Layout::Family::Pad;
  const Expr *Wrapped = IsPad ? Split.Factor : Split.Column;
  Wrapping Text =
      IsPad ? addTo(Wrapped, New.Padding)
            : xorWithRow(Wrapped, Split.Row,
                         *getTextToRepeat(Split.Row, Bracket, Context), New,
                         HasMask);
  Text.Before = "(" + Text.Before;
  Text.After += ")";
  return insertAround(
      *getEditableRange(Wrapped->getSourceRange(), Bracket, Context), Text);
}

Error ArrayRewriter::rewriteFlat(const Expr *Index, SourceLocation Bracket) {
  std::optional<CharSourceRange> Range =
      getBracketedRange(Index, Bracket, Context);
  std::optional<std::string> Text = getTextToRepeat(Index, Bracket, Context);
  if (!Range || !Text)
    return refuse("a subscript cannot be edited", Index->getBeginLoc());
  return insertAround(*Range, New.Kind == Layout::Family::Pad
                                  ? padFlat(Index, *Text, New)
                                  : xorFlat(Index, *Text, New, HasMask));
}

/// The last but one subscript (the only one, of an array of one dimension) is
/// repeated; the last one stays where it is.
bool ArrayRewriter::canCombineSubscripts(const Access &Use) const {
  size_t Repeated = NumDimensions > 1 ? NumDimensions - 2 : 0;
  return getRepeatBlocker(Use.Subscripts[Repeated], Context) == Reason::None &&
         getRepeatBlocker(Use.Subscripts.back(), Context) != Reason::SideEffect;
}

Error ArrayRewriter::rewriteAccess(const SameText &Uses) {
  const Access &Use = *Uses.front();
  llvm::SmallVector<SourceLocation, 4> Brackets = getSubscriptBrackets(Use.Ref);
  for (const Access *Other : Uses) {
    if (Other->Subscripts.size() != NumDimensions)
      return refuse("an access with fewer subscripts", Use.Ref->getBeginLoc());
    if (!canCombineSubscripts(*Other))
      return refuse("a subscript cannot be repeated", Use.Ref->getBeginLoc());
  }
  if (Brackets.size() != NumDimensions)
    return refuse("a subscript cannot be edited", Use.Ref->getBeginLoc());
  if (NumDimensions > 1)
    return rewriteRow(Use, Brackets);
  // The whole subscript must be plain text before a part of it is edited.
  if (!getBracketedRange(Use.Subscripts[0], Brackets[0], Context))
    return refuse("a subscript cannot be edited", Use.Ref->getBeginLoc());
  if (hasCommonSplit(Uses, Brackets[0]))
    return rewriteSplit(*Use.Split, Brackets[0]);
  return rewriteFlat(Use.Subscripts[0], Brackets[0]);
}

Error ArrayRewriter::run() {
  if (Error Failed = checkShapes())
    return Failed;
  if (Error Failed = rewriteDeclaration())
    return Failed;
  if (New.Kind == Layout::Family::Pad && NumDimensions > 1)
    return Error::success();
  if (K.Arrays[Array].SubscriptBlocker)
    return refuse("a subscript cannot be edited",
                  K.Arrays[Array].SubscriptBlocker->Loc);
  // By the place of the last bracket, in the order of the text.
  std::map<SourceLocation, SameText> Texts;
  for (const auto &Instance : K.Instances)
    for (const Access &Use : Instance->Accesses) {
      if (Use.Array != Array)
        continue;
      llvm::SmallVector<SourceLocation, 4> Brackets =
          getSubscriptBrackets(Use.Ref);
      std::optional<SourceLocation> Place;
      if (!Brackets.empty())
        Place = getFileAnchor(Brackets.back(), Context);
      if (!Place)
        return refuse("a subscript cannot be edited", Use.Ref->getBeginLoc());
      Texts[*Place].push_back(&Use);
    }
  for (const auto &[Place, Uses] : Texts)
    if (Error Failed = rewriteAccess(Uses))
      return Failed;
  return Error::success();
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
