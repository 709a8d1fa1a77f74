// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Edits an array's declaration, and for a struct of arrays also the uses of
/// the members. Extents keep their text: `[N]` becomes `[N + 1]`.
//===----------------------------------------------------------------------===//

#include "DeclarationEdit.h"

#include "cudaopt/Model/TextRefusals.h"
#include "cudaopt/Source/SourceText.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace clang;
using llvm::Error;
using llvm::StringRef;

namespace cudaopt {

namespace {

/// One extent: the expression in brackets, and its place.
struct WrittenExtent {
  const Expr *Size;
  SourceLocation Bracket;
  CharSourceRange Range;

  Error write(const Text &New, Edits &E) const {
    auto [Before, After] = StringRef(New.Code).split(Text::Kept);
    return E.replaceAround(Range, Range, {Before, After});
  }
};

using WrittenExtents = llvm::SmallVector<WrittenExtent, 4>;

} // namespace

static Error refuseDeclaration(const SharedArray &A, ASTContext &Context) {
  return refuse(A.Name, "the declaration cannot be edited",
                A.Decl->getLocation(), Context);
}

static llvm::Expected<WrittenExtents>
findExtents(llvm::ArrayRef<ArrayTypeLoc> Dimensions, const SharedArray &A,
            ASTContext &Context) {
  WrittenExtents Extents;
  for (ArrayTypeLoc Dimension : Dimensions) {
    const Expr *Size = Dimension.getSizeExpr();
    SourceLocation Bracket = Dimension.getRBracketLoc();
    std::optional<CharSourceRange> Range;
    if (Size)
      Range = getBracketedRange(Size, Bracket, Context);
    if (!Range)
      return refuseDeclaration(A, Context);
    Extents.push_back({Size, Bracket, *Range});
  }
  return Extents;
}

static llvm::Expected<WrittenExtents>
findExtents(const SharedArray &A, size_t NumDimensions, ASTContext &Context) {
  llvm::SmallVector<ArrayTypeLoc, 4> Dimensions = getWrittenDimensions(*A.Decl);
  if (A.IsExtern || A.DeclarationRefusal || Dimensions.size() != NumDimensions)
    return refuseDeclaration(A, Context);
  return findExtents(Dimensions, A, Context);
}

/// [R][C] -> [R][C + 1]. \p RowPadding does the same to the extent before,
/// [R][C] -> [R + 1][C].
static Error lengthenRows(const WrittenExtents &Extents, uint64_t Padding,
                          uint64_t RowPadding, Edits &E) {
  if (RowPadding && Extents.size() > 1) {
    const WrittenExtent &Rows = Extents.end()[-2];
    if (Error Failed = Rows.write(Text::inPlace(Rows.Size).plus(RowPadding), E))
      return Failed;
  }
  const WrittenExtent &Last = Extents.back();
  return Last.write(Text::inPlace(Last.Size).plus(Padding), E);
}

/// [R][C] -> [C][R + 1]: extents that move are copied as text.
static Error permuteExtents(const SharedArray &A, const Layout &New,
                            const WrittenExtents &Extents, ASTContext &Context,
                            Edits &E) {
  for (size_t I = 0; I != Extents.size(); ++I) {
    const WrittenExtent &From = Extents[New.Order[I]];
    unsigned Padding = I + 1 == Extents.size() ? New.Padding : 0;
    if (New.Order[I] == I) {
      if (Error Failed =
              Extents[I].write(Text::inPlace(From.Size).plus(Padding), E))
        return Failed;
      continue;
    }
    std::optional<std::string> Copy =
        getTextToRepeat(From.Size, From.Bracket, Context);
    if (!Copy)
      return refuseDeclaration(A, Context);
    Text Moved = Text::copyOf(From.Size, *Copy).plus(Padding);
    if (Error Failed =
            E.replaceAround(Extents[I].Range, {}, StringRef(Moved.Code)))
      return Failed;
  }
  return Error::success();
}

/// [R][C] -> [R * C + 1]
static Error flattenExtents(const SharedArray &A, const WrittenExtents &Extents,
                            uint64_t Extra, ASTContext &Context, Edits &E) {
  const WrittenExtent &Rows = Extents.front(), &Columns = Extents.back();
  const StringRef Between =
      Lexer::getSourceText(CharSourceRange::getCharRange(
                               Rows.Range.getEnd(), Columns.Range.getBegin()),
                           Context.getSourceManager(), Context.getLangOpts());
  if (Between.contains(')')) // float (tile[32])[32];
    return refuseDeclaration(A, Context);
  CharSourceRange Whole = CharSourceRange::getCharRange(Rows.Range.getBegin(),
                                                        Columns.Range.getEnd());
  std::string Product =
      Text::inPlace(Rows.Size).asOperand(prec::Multiplicative) + " * " +
      Text::inPlace(Columns.Size).asOperand();
  std::string New = Text{Product, prec::Multiplicative}.plus(Extra).Code;
  llvm::SmallVector<StringRef, 3> Pieces;
  StringRef(New).split(Pieces, Text::Kept);
  return E.replaceAround(Whole, {Rows.Range, Columns.Range}, Pieces);
}

/// [N] -> [N + (N - 1) / 32]: for instances of which each needs another number
/// of elements, the text computes it.
static Error padDependentExtent(const SharedArray &A, const Layout &New,
                                const WrittenExtent &Extent,
                                ASTContext &Context, Edits &E) {
  std::optional<std::string> Copy =
      getTextToRepeat(Extent.Size, Extent.Bracket, Context);
  if (!Copy)
    return refuseDeclaration(A, Context);
  Text Last{"(" + Text::copyOf(Extent.Size, *Copy).asOperand(prec::Additive) +
                " - 1) / " + std::to_string(New.Pitch),
            prec::Multiplicative};
  return Extent.write(Text::inPlace(Extent.Size).plus(Last.times(New.Padding)),
                      E);
}

Error editDeclaration(const SharedArray &A, const Layout &New,
                      const LayoutNumbers &Numbers, ASTContext &Context,
                      Edits &E) {
  const size_t N = Numbers.NumDimensions;
  const bool IsPad =
      New.Kind == Layout::Family::Pad || New.Kind == Layout::Family::Xor;
  const bool IsFlattened = N > 1 && New.Kind == Layout::Family::Transform;
  const bool IsPermuted = N > 1 && New.Kind == Layout::Family::Permute;
  const uint64_t More = N == 1  ? Numbers.ExtraElements.value_or(1)
                        : IsPad ? New.Padding
                                : 0;
  if (!More && !IsFlattened && !IsPermuted && !(IsPad && New.RowPadding))
    return Error::success();
  llvm::Expected<WrittenExtents> Extents = findExtents(A, N, Context);
  if (!Extents)
    return Extents.takeError();
  if (IsPermuted)
    return permuteExtents(A, New, *Extents, Context, E);
  if (IsFlattened)
    return flattenExtents(A, *Extents, *Numbers.ExtraElements, Context, E);
  if (!Numbers.ExtraElements)
    return padDependentExtent(A, New, Extents->back(), Context, E);
  return lengthenRows(*Extents, More, N > 2 ? New.RowPadding : 0, E);
}

Error editOutermostExtent(const SharedArray &A, uint64_t Extent,
                          ASTContext &Context, Edits &E) {
  llvm::Expected<WrittenExtents> Extents =
      findExtents(A, getWrittenDimensions(*A.Decl).size(), Context);
  if (!Extents)
    return Extents.takeError();
  if (Extents->empty())
    return refuseDeclaration(A, Context);
  return E.replaceAround(Extents->front().Range, {}, {llvm::utostr(Extent)});
}

Error editParameter(const SharedArray &A, const FunctionDecl *Function,
                    unsigned Index, const Layout &New, size_t NumDimensions,
                    ASTContext &Context, Edits &E) {
  if (!canLengthenRows(Function, Index, NumDimensions, Context))
    return refuseDeclaration(A, Context);
  llvm::SmallVector<ArrayTypeLoc, 4> Dimensions =
      getParameterDimensions(Function, Index);
  llvm::Expected<WrittenExtents> Extents = findExtents(
      llvm::ArrayRef(Dimensions).take_back(NumDimensions - 1), A, Context);
  if (!Extents)
    return Extents.takeError();
  return lengthenRows(*Extents, New.Padding, New.RowPadding, E);
}

//===----------------------------------------------------------------------===//
// Structs of arrays
//===----------------------------------------------------------------------===//

/// Returns the members of \p Fields as arrays with the extents \p Brackets:
/// "float x[8], y[8]; int n[8];"
static std::string writeMembers(llvm::ArrayRef<WrittenField> Fields,
                                StringRef Brackets) {
  std::string Code;
  for (size_t I = 0; I != Fields.size(); ++I) {
    bool Continues = I > 0 && Fields[I].Type == Fields[I - 1].Type;
    if (I > 0)
      Code += Continues ? ", " : "; ";
    if (!Continues)
      Code += Fields[I].Type + " ";
    Code += Fields[I].Name;
    Code += Brackets;
  }
  return Code + ";";
}

/// `S s[N]` -> `struct { T f[N]; ... } s`
static Error editStruct(const SharedArray &A, ASTContext &Context, Edits &E) {
  llvm::SmallVector<ArrayTypeLoc, 4> Dimensions = getWrittenDimensions(*A.Decl);
  std::optional<llvm::SmallVector<WrittenField, 4>> Fields =
      getWrittenFields(*A.Decl, Context);
  if (Dimensions.empty() || !Fields)
    return refuseDeclaration(A, Context);
  std::string Brackets;
  for (ArrayTypeLoc Dimension : Dimensions) {
    std::optional<std::string> Size;
    if (Dimension.getSizeExpr())
      Size = getTextToRepeat(Dimension.getSizeExpr(),
                             Dimension.getRBracketLoc(), Context);
    if (!Size)
      return refuseDeclaration(A, Context);
    Brackets += "[" + *Size + "]";
  }
  std::optional<CharSourceRange> Type = getElementTypeRange(*A.Decl, Context);
  if (!Type)
    return refuseDeclaration(A, Context);
  std::string New = "struct { " + writeMembers(*Fields, Brackets) + " }";
  if (Error Failed = E.replaceAround(*Type, {}, StringRef(New)))
    return Failed;
  CharSourceRange Extents = CharSourceRange::getCharRange(
      Dimensions.front().getLBracketLoc(),
      Dimensions.back().getRBracketLoc().getLocWithOffset(1));
  return E.replaceAround(Extents, {}, StringRef(""));
}

/// `s[i].f` -> `s.f[i]`: the index stays in its place.
static Error editMember(const MemberUse &Use, ASTContext &Context, Edits &E) {
  std::optional<MemberText> Text = getMemberText(Use, Context);
  if (!Text)
    return llvm::createStringError("a member cannot be edited");
  std::string Name = "." + Use.Member->getMemberDecl()->getNameAsString();
  if (Error Failed = E.insert(Text->AfterArray, Name))
    return Failed;
  return E.replaceAround(Text->Member, {}, StringRef(""));
}

Error editFields(const Kernel &K, const SharedArray &A, ASTContext &Context,
                 Edits &E) {
  if (A.FieldsRefusal)
    return refuse(A.Name, "an element is used as a whole", A.FieldsRefusal->Loc,
                  Context);
  if (Error Failed = editStruct(A, Context, E))
    return Failed;
  for (const MemberUse &Use : findMentions(K, A).Members)
    if (Error Failed = editMember(Use, Context, E))
      return Failed;
  return Error::success();
}

} // namespace cudaopt
