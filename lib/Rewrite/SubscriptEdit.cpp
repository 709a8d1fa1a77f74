// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Edits the subscripts of one array. Text that is repeated or moved contains
/// no `__shared__` array, and other text stays where it is, so that edits of
/// subscripts inside of subscripts compose.
//===----------------------------------------------------------------------===//

#include "SubscriptEdit.h"

#include "cudaopt/Model/ArrayViews.h"
#include "cudaopt/Source/SourceText.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"

using namespace clang;
using llvm::ArrayRef;
using llvm::Error;
using llvm::StringRef;
using llvm::utostr;

namespace cudaopt {

/// The bytes of the widest load.
static constexpr unsigned WidestLoad = 16;

Error refuse(StringRef Name, const char *Why, SourceLocation Loc,
             const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  return llvm::createStringError("'" + Name + "': " + Why + " at " +
                                 SM.getExpansionLoc(Loc).printToString(SM));
}

struct SubscriptEditor::Place {
  const Expr *E;
  CharSourceRange Range;
  /// The subscript's text for repetition; empty if it is not repeated.
  Text Copy;

  Text inPlace() const { return Text::inPlace(E); }
};

//===----------------------------------------------------------------------===//
// What becomes of each subscript
//===----------------------------------------------------------------------===//

/// Returns true if the layout copies or moves the text of this subscript.
bool SubscriptEditor::isRepeated(size_t Dimension) const {
  const size_t N = Numbers.NumDimensions;
  if (N == 1)
    return true;
  switch (New.Kind) {
  case Layout::Family::Xor:
    return llvm::any_of(New.Terms, [&](const BitTerm &Term) {
      return Dimension + 1 + Term.From == N;
    });
  case Layout::Family::Rotate:
    return Dimension + 2 == N;
  case Layout::Family::Permute:
    return New.Order[Dimension] != Dimension;
  default:
    return false;
  }
}

/// Returns true if this subscript is evaluated in one expression with others,
/// in an order of the compiler's choice: it may then have no side effects.
bool SubscriptEditor::isCombined(size_t Dimension) const {
  return New.Kind == Layout::Family::Transform ||
         Dimension + 1 == Numbers.NumDimensions;
}

/// Checks that the subscripts of \p Use can be edited and, where needed,
/// repeated.
Error SubscriptEditor::check(const Access &Use) const {
  SourceLocation Loc = Use.Ref->getBeginLoc();
  if (Use.IsThroughRowPointer)
    return refuse(Name, "a pointer to a row", Loc, Context);
  if (Use.Subscripts.size() != Numbers.NumDimensions)
    return refuse(Name, "an access with fewer subscripts", Loc, Context);
  for (size_t I = 0; I != Use.Subscripts.size(); ++I) {
    std::optional<Reason> Why = whyNotRepeatable(Use.Subscripts[I], Context);
    if ((isRepeated(I) && Why) || (isCombined(I) && Why == Reason::SideEffect))
      return refuse(Name, "a subscript cannot be repeated", Loc, Context);
  }
  if (getSubscriptBrackets(Use.Ref).size() != Numbers.NumDimensions)
    return refuse(Name, "a subscript cannot be edited", Loc, Context);
  return Error::success();
}

llvm::Expected<SubscriptEditor::Place>
SubscriptEditor::place(const Access &Use, size_t Dimension) const {
  const Expr *Subscript = Use.Subscripts[Dimension];
  SourceLocation Bracket = getSubscriptBrackets(Use.Ref)[Dimension];
  std::optional<CharSourceRange> Range =
      getBracketedRange(Subscript, Bracket, Context);
  std::optional<std::string> Copy = "";
  if (isRepeated(Dimension))
    Copy = getTextToRepeat(Subscript, Bracket, Context);
  if (!Range || !Copy)
    return refuse(Name, "a subscript cannot be edited", Use.Ref->getBeginLoc(),
                  Context);
  return Place{Subscript, *Range, Text::copyOf(Subscript, *Copy)};
}

/// Replaces \p Whole by \p Code, in which the character Text::Kept stands for
/// each range of \p Kept.
Error SubscriptEditor::write(CharSourceRange Whole,
                             ArrayRef<CharSourceRange> Kept, StringRef Code) {
  llvm::SmallVector<StringRef, 4> Pieces;
  Code.split(Pieces, Text::Kept);
  return E.replaceAround(Whole, Kept.take_front(Pieces.size() - 1), Pieces);
}

//===----------------------------------------------------------------------===//
// Chunks
//===----------------------------------------------------------------------===//

/// Returns the most columns, as a power of two, that the layout moves together
/// and one access may take.
unsigned SubscriptEditor::findMostColumns() const {
  uint32_t Changed = 0;
  for (const BitTerm &Term : New.Terms)
    Changed |= Term.Factor;
  const unsigned Most = llvm::bit_floor(
      std::max(WidestLoad / std::max(Numbers.ElementSize, 1u), 1u));
  // A chunk is aligned only as far as the length of the rows allows, and lies
  // in one of them.
  const uint64_t Pitch = Numbers.NumDimensions == 1 ? Numbers.Pitch : 0;
  return std::min(Most, 1u << llvm::countr_zero(Changed | New.Padding | Pitch |
                                                WidestLoad));
}

static bool areAtSamePlaces(ArrayRef<SubscriptTerm> A,
                            ArrayRef<SubscriptTerm> B) {
  return llvm::equal(A, B, [](const SubscriptTerm &X, const SubscriptTerm &Y) {
    return X.E->getSourceRange() == Y.E->getSourceRange();
  });
}

/// Returns the column as the sum that it is in all of \p Uses; std::nullopt if
/// some of them are not merged, or have another sum.
std::optional<ColumnSum> SubscriptEditor::findSum(const SameText &Uses) {
  std::optional<ColumnSum> Common;
  for (const AccessOfText &Use : Uses) {
    auto [Known, IsNew] = Sums.try_emplace(Use.Instance);
    if (IsNew)
      Known->second = findColumnSums(*Use.Instance, Use.A->Array);
    const auto Found = Known->second.find(Use.A);
    if (Found == Known->second.end())
      return std::nullopt;
    const ColumnSum &Sum = Found->second;
    if (!Common)
      Common = Sum;
    if (!areAtSamePlaces(Common->Base, Sum.Base) ||
        !areAtSamePlaces(Common->Numbers, Sum.Numbers))
      return std::nullopt;
    Common->NumberBits = std::max(Common->NumberBits, Sum.NumberBits);
    Common->Chunk = std::min(Common->Chunk, Sum.Chunk);
  }
  return Common;
}

/// Returns true if the layout reads some of the lowest \p Bits bits of the
/// column.
bool SubscriptEditor::isRead(unsigned Bits) const {
  // The row of an array of one dimension is a quotient of the column.
  const uint64_t Pitch = Numbers.NumDimensions == 1 ? Numbers.Pitch : 0;
  if (Bits >= 64 || Pitch % (uint64_t(1) << Bits))
    return true;
  return llvm::any_of(New.Terms, [&](const BitTerm &Term) {
    return Term.From == 0 && Term.Shift < Bits;
  });
}

/// Returns the text of \p Column in the parts that keep chunks of columns
/// visibly together; std::nullopt if none need to be, or can be. Compilers
/// merge neighbouring accesses only if their addresses are sums that differ by
/// a constant, which an xor hides.
std::optional<ChunkedColumn> SubscriptEditor::findChunks(const SameText &Uses,
                                                         const Expr *Column) {
  const unsigned Most = findMostColumns();
  if (Most == 1 || Column->isEvaluatable(Context) ||
      whyNotRepeatable(Column, Context))
    return std::nullopt;
  const std::optional<ColumnSum> Sum = findSum(Uses);
  if (!Sum || Sum->Numbers.empty())
    return std::nullopt;
  const unsigned Inside = std::min(Most, Sum->Chunk) - 1;
  if (Inside == 0)
    return std::nullopt;

  const SourceLocation Bracket =
      getSubscriptBrackets(Uses.front().A->Ref).back();
  auto TextOf = [&](ArrayRef<SubscriptTerm> Terms) -> std::optional<Text> {
    std::optional<Text> Joined;
    for (const SubscriptTerm &Term : Terms) {
      const auto Code = getTextToRepeat(Term.E, Bracket, Context);
      if (!Code)
        return std::nullopt;
      const Text Copy = Text::copyOf(Term.E, *Code);
      Joined = Joined ? Joined->plus(Copy) : Copy;
    }
    return Joined;
  };
  const std::optional<Text> Number = TextOf(Sum->Numbers);
  if (!Number)
    return std::nullopt;
  const std::optional<Text> Base =
      Sum->Base.empty() ? Text::of(0) : TextOf(Sum->Base);
  if (!Base)
    return std::nullopt;
  if (Sum->NumberBits <= llvm::Log2_32(Inside + 1))
    return ChunkedColumn{*Base, *Base, *Number};
  const Text Aligned = Number->clear(Inside);
  if (Sum->Base.empty())
    return ChunkedColumn{Aligned, Aligned, Number->mask(Inside)};
  const Text First = Aligned.Number == 0 ? *Base : Base->plus(Aligned);
  return ChunkedColumn{First, isRead(Sum->NumberBits) ? First : *Base,
                       Number->mask(Inside)};
}

//===----------------------------------------------------------------------===//
// Arrays of two and more dimensions
//===----------------------------------------------------------------------===//

/// A[r][c] -> A[c][r]
Error SubscriptEditor::transpose(ArrayRef<Place> Places) {
  for (size_t I = 0; I != Places.size(); ++I) {
    const Place &From = Places[New.Order[I]];
    if (New.Order[I] != I)
      if (Error Failed = write(Places[I].Range, {}, From.Copy.Code))
        return Failed;
  }
  return Error::success();
}

/// A[r][c] -> A[r * 53 + c * 2]
Error SubscriptEditor::linearize(ArrayRef<Place> Places) {
  const Place &Row = Places[0], &Column = Places[1];
  CharSourceRange Whole = CharSourceRange::getCharRange(Row.Range.getBegin(),
                                                        Column.Range.getEnd());
  Text Sum = Row.inPlace()
                 .times(Numbers.RowStride)
                 .plus(Column.inPlace().times(Numbers.ColumnStride));
  return write(Whole, {Row.Range, Column.Range}, Sum.Code);
}

/// Edits the subscripts of an array of several dimensions.
Error SubscriptEditor::editBox(const SameText &Uses) {
  const Access &Use = *Uses.front().A;
  llvm::SmallVector<Place, 4> Places;
  for (size_t I = 0; I != Numbers.NumDimensions; ++I) {
    // An outer subscript that the layout does not read may have any text.
    if (!isRepeated(I) && !isCombined(I)) {
      Places.push_back({Use.Subscripts[I], {}, {}});
      continue;
    }
    llvm::Expected<Place> P = place(Use, I);
    if (!P)
      return P.takeError();
    Places.push_back(std::move(*P));
  }
  if (New.Kind == Layout::Family::Permute)
    return transpose(Places);
  if (New.Kind == Layout::Family::Transform)
    return linearize(Places);
  const Place &Column = Places.back();
  if (New.Kind == Layout::Family::Rotate) {
    Text Rotated = rotateText(Column.inPlace(), Places.end()[-2].Copy, New.Step,
                              Numbers.Pitch);
    return write(Column.Range, {Column.Range}, Rotated.Code);
  }
  Coordinates From;
  for (const Place &P : llvm::reverse(Places))
    From.Named.push_back(P.Copy);
  const std::optional<ChunkedColumn> Chunked = findChunks(Uses, Column.E);
  if (Chunked)
    From.Named.front() = Chunked->High;
  Text ColumnCopy{""};
  if (!whyNotRepeatable(Column.E, Context))
    if (std::optional<std::string> Copy = getTextToRepeat(
            Column.E, getSubscriptBrackets(Use.Ref).back(), Context))
      ColumnCopy = Text::copyOf(Column.E, *Copy);
  Text Swizzled =
      xorText(Column.inPlace(), From, New, Numbers.Masks, Chunked, ColumnCopy);
  return write(Column.Range, {Column.Range}, Swizzled.Code);
}

//===----------------------------------------------------------------------===//
// Arrays of one dimension
//===----------------------------------------------------------------------===//

static bool isSame(const Expr *A, const Expr *B) {
  return A->IgnoreParenImpCasts() == B->IgnoreParenImpCasts();
}

/// Returns true if \p E is `Row * Factor` or `Factor * Row`.
static bool isProduct(const Expr *E, const LinearSplit &Split) {
  const auto *Binary = dyn_cast<BinaryOperator>(E->IgnoreParenImpCasts());
  if (!Binary || Binary->getOpcode() != BO_Mul)
    return false;
  const Expr *Left = Binary->getLHS(), *Right = Binary->getRHS();
  return (isSame(Left, Split.Row) && isSame(Right, Split.Factor)) ||
         (isSame(Left, Split.Factor) && isSame(Right, Split.Row));
}

/// Returns true if \p Sum is the product, plus or minus other terms.
static bool hasProduct(const Expr *Sum, const LinearSplit &Split) {
  if (isProduct(Sum, Split))
    return true;
  const auto *Binary = dyn_cast<BinaryOperator>(Sum->IgnoreParenImpCasts());
  if (!Binary)
    return false;
  if (Binary->getOpcode() == BO_Sub)
    return hasProduct(Binary->getLHS(), Split);
  return Binary->getOpcode() == BO_Add &&
         (hasProduct(Binary->getLHS(), Split) ||
          hasProduct(Binary->getRHS(), Split));
}

/// Returns true if \p Sum is `Row * Factor + Column` or `Column + Row *
/// Factor`.
static bool isProductPlusColumn(const Expr *Sum, const LinearSplit &Split) {
  const auto *Binary = dyn_cast<BinaryOperator>(Sum->IgnoreParenImpCasts());
  if (!Binary || Binary->getOpcode() != BO_Add || !Split.Column)
    return false;
  const Expr *Left = Binary->getLHS(), *Right = Binary->getRHS();
  if (isSame(Left, Split.Column))
    std::swap(Left, Right);
  return isSame(Right, Split.Column) && isProduct(Left, Split);
}

/// Returns true for layouts that scale rows and columns.
static bool isLinear(const Layout &New) {
  return New.Kind == Layout::Family::Permute ||
         New.Kind == Layout::Family::Transform;
}

/// Returns true if the access uses rows of the layout's length, and the layout
/// can be written by editing the parts of the sum.
bool SubscriptEditor::isSplitEditable(const Access &Use) const {
  if (!Use.Split || Use.Split->Pitch != New.Pitch)
    return false;
  const LinearSplit &Split = *Use.Split;
  const Expr *Index = Use.Subscripts[0];
  SourceLocation Bracket = getSubscriptBrackets(Use.Ref)[0];
  auto IsEditable = [&](const Expr *Part) {
    return getEditableRange(Part->getSourceRange(), Bracket, Context)
        .has_value();
  };
  if (New.Padding && !isLinear(New) &&
      !(hasProduct(Index, Split) && IsEditable(Split.Factor)))
    return false;
  if (New.Kind == Layout::Family::Pad)
    return true;
  if (isLinear(New) && isProduct(Index, Split))
    return IsEditable(Split.Row);
  return isProductPlusColumn(Index, Split) && IsEditable(Split.Column) &&
         IsEditable(Split.Row) &&
         getTextToRepeat(Split.Row, Bracket, Context) &&
         getTextToRepeat(Split.Column, Bracket, Context);
}

/// Returns true if that holds in every instance, with the parts at the same
/// places of the text.
bool SubscriptEditor::hasCommonSplit(const SameText &Uses) const {
  const Access &First = *Uses.front().A;
  auto IsAtSamePlace = [](const Expr *A, const Expr *B) {
    return (!A && !B) || (A && B && A->getSourceRange() == B->getSourceRange());
  };
  return llvm::all_of(Uses, [&](const AccessOfText &Use) {
    return isSplitEditable(*Use.A) &&
           IsAtSamePlace(Use.A->Split->Factor, First.Split->Factor) &&
           IsAtSamePlace(Use.A->Split->Row, First.Split->Row) &&
           IsAtSamePlace(Use.A->Split->Column, First.Split->Column);
  });
}

/// A[r * 52 + c] -> A[r * 53 + c * 2], whichever of the two terms comes first.
Error SubscriptEditor::editLinearSplit(const Access &Use) {
  const LinearSplit &Split = *Use.Split;
  const Expr *Index = Use.Subscripts[0];
  SourceLocation Bracket = getSubscriptBrackets(Use.Ref)[0];
  CharSourceRange Whole = *getBracketedRange(Index, Bracket, Context);
  CharSourceRange Row =
      *getEditableRange(Split.Row->getSourceRange(), Bracket, Context);
  Text RowText = Text::inPlace(Split.Row).times(Numbers.RowStride);
  if (isProduct(Index, Split))
    return write(Whole, {Row}, RowText.Code);
  CharSourceRange Column =
      *getEditableRange(Split.Column->getSourceRange(), Bracket, Context);
  Text ColumnText = Text::inPlace(Split.Column).times(Numbers.ColumnStride);
  if (Context.getSourceManager().getFileOffset(Row.getBegin()) <
      Context.getSourceManager().getFileOffset(Column.getBegin()))
    return write(Whole, {Row, Column}, RowText.plus(ColumnText).Code);
  return write(Whole, {Column, Row}, ColumnText.plus(RowText).Code);
}

/// Edits the parts of `row * factor + column`: padding lengthens the factor, an
/// xor or rotation changes the column.
Error SubscriptEditor::editSplit(const SameText &Uses) {
  const Access &Use = *Uses.front().A;
  if (isLinear(New))
    return editLinearSplit(Use);
  const LinearSplit &Split = *Use.Split;
  SourceLocation Bracket = getSubscriptBrackets(Use.Ref)[0];
  auto CopyOf = [&](const Expr *Part) {
    return Text::copyOf(Part, *getTextToRepeat(Part, Bracket, Context));
  };
  auto Replace = [&](const Expr *Part, const Text &By, prec::Level Around) {
    CharSourceRange Range =
        *getEditableRange(Part->getSourceRange(), Bracket, Context);
    return write(Range, {Range}, By.asOperand(Around));
  };
  if (New.Padding)
    if (Error Failed =
            Replace(Split.Factor, Text::inPlace(Split.Factor).plus(New.Padding),
                    prec::Multiplicative))
      return Failed;
  if (New.Kind == Layout::Family::Pad)
    return Error::success();
  Text Column = Text::inPlace(Split.Column);
  if (New.Kind == Layout::Family::Rotate) {
    Column = rotateText(Column, CopyOf(Split.Row), New.Step, Numbers.Pitch);
  } else {
    const auto Chunked = findChunks(Uses, Split.Column);
    Coordinates From{
        {Chunked ? Chunked->High : CopyOf(Split.Column), CopyOf(Split.Row)},
        {},
        0};
    Column = xorText(Column, From, New, Numbers.Masks, Chunked,
                     CopyOf(Split.Column));
  }
  return Replace(Split.Column, Column, prec::Additive);
}

/// Edits the only subscript. A number is replaced by the new number; a sum of
/// row and column gets edits of its parts; any other index is taken apart by
/// division.
Error SubscriptEditor::editFlat(const SameText &Uses) {
  llvm::Expected<Place> P = place(*Uses.front().A, 0);
  if (!P)
    return P.takeError();
  const ArrayShape &Shape =
      Uses.front().Instance->Shapes[Uses.front().A->Array];
  if (std::optional<uint64_t> Number = P->Copy.Number;
      Number && *Number < Shape.numElements()) {
    const uint64_t Moved = New.apply(*Number, Shape);
    return Moved == *Number ? Error::success()
                            : write(P->Range, {}, utostr(Moved));
  }
  // place() has checked that the whole subscript is plain text, so that parts
  // of it can be edited.
  if (hasCommonSplit(Uses))
    return editSplit(Uses);
  const uint64_t Pitch = Numbers.Pitch;
  Text Index = P->inPlace(), Replaced;
  // The parts of a column are those of the whole subscript only without rows.
  std::optional<ChunkedColumn> Chunked;
  if (llvm::none_of(Uses, [](const AccessOfText &Use) { return Use.A->Split; }))
    Chunked = findChunks(Uses, P->E);
  const Text &Row = Chunked ? Chunked->High : P->Copy;
  switch (New.Kind) {
  case Layout::Family::Pad:
    Replaced = Index.plus(Row.quotient(Pitch).times(New.Padding));
    break;
  case Layout::Family::Xor:
    Replaced = xorText(Index, Coordinates{{}, Row, Pitch}, New, Numbers.Masks,
                       Chunked, P->Copy);
    if (New.Padding)
      Replaced = Replaced.plus(Row.quotient(Pitch).times(New.Padding));
    break;
  case Layout::Family::Rotate:
    Replaced = rotateFlatText(Index, P->Copy, New.Step, Pitch);
    break;
  default:
    Replaced = Index.quotient(Pitch)
                   .times(Numbers.RowStride)
                   .plus(P->Copy.remainder(Pitch).times(Numbers.ColumnStride));
  }
  return write(P->Range, {P->Range}, Replaced.Code);
}

Error SubscriptEditor::edit(const SameText &Uses) {
  for (const AccessOfText &Use : Uses)
    if (Error Failed = check(*Use.A))
      return Failed;
  return Numbers.NumDimensions > 1 ? editBox(Uses) : editFlat(Uses);
}

} // namespace cudaopt
