// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Decides which declarations and subscripts of a kernel can be edited: the
/// text must be the user's, stand in one place, and have one meaning.
//===----------------------------------------------------------------------===//

#include "cudaopt/Model/TextBlockers.h"

#include "cudaopt/Model/SourceText.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace clang;
using llvm::ArrayRef;
using llvm::StringRef;

namespace cudaopt {

static Blocker inMacro(SourceLocation Loc, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  StringRef Name;
  if (Loc.isMacroID())
    Name = Lexer::getImmediateMacroName(Loc, SM, Context.getLangOpts());
  return {Reason::InMacro, Name.str(), SM.getExpansionLoc(Loc)};
}

/// Returns the blocker of text around \p Loc that is not editable: a macro
/// writes it, or it has no simple form.
static Blocker notEditable(SourceLocation Loc, SourceRange Inner, Reason Else,
                           const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  for (SourceLocation Place : {Loc, Inner.getBegin(), Inner.getEnd()})
    if (Place.isMacroID())
      return inMacro(Place, Context);
  return {Else, "", SM.getExpansionLoc(Loc)};
}

/// True if the file that holds \p Loc was entered more than once: its text then
/// means several things.
static bool isIncludedTwice(SourceLocation Loc, const SourceManager &SM) {
  OptionalFileEntryRef File =
      SM.getFileEntryRefForID(SM.getFileID(SM.getExpansionLoc(Loc)));
  unsigned Count = 0;
  for (unsigned I = 0; File && I < SM.local_sloc_entry_size(); ++I) {
    const SrcMgr::SLocEntry &Entry = SM.getLocalSLocEntry(I);
    if (!Entry.isFile())
      continue;
    OptionalFileEntryRef Other = Entry.getFile().getContentCache().OrigEntry;
    Count += Other && *Other == *File;
  }
  return Count > 1;
}

/// What forbids every edit of \p K's text.
static std::optional<Blocker> findKernelBlocker(const Kernel &K,
                                                const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  SourceRange Range = K.Decl->getSourceRange();
  for (SourceLocation Loc : {Range.getBegin(), Range.getEnd()}) {
    // `__global__` itself is a macro: what counts is the text that is edited.
    if (SM.isMacroArgExpansion(Loc))
      return inMacro(Loc, Context);
  }
  if (Range.getEnd().isMacroID())
    return inMacro(Range.getEnd(), Context);
  if (SM.isInSystemHeader(Range.getEnd()))
    return Blocker{Reason::SystemHeader, "", Range.getEnd()};
  if (isIncludedTwice(Range.getEnd(), SM))
    return Blocker{Reason::IncludedTwice, "", K.Decl->getLocation()};
  return std::nullopt;
}

static std::optional<Blocker>
findDeclarationBlocker(const VarDecl &D, size_t NumDimensions,
                       const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  SourceLocation Loc = D.getLocation();
  if (SM.isInSystemHeader(SM.getExpansionLoc(Loc)))
    return Blocker{Reason::SystemHeader, "", SM.getExpansionLoc(Loc)};
  if (Loc.isMacroID())
    return inMacro(Loc, Context);
  if (isIncludedTwice(Loc, SM))
    return Blocker{Reason::IncludedTwice, "", Loc};
  llvm::SmallVector<ArrayTypeLoc, 4> Dimensions = getWrittenDimensions(D);
  if (Dimensions.empty() || Dimensions.size() != NumDimensions)
    return Blocker{Reason::SharedDeclarator, "", Loc};
  for (ArrayTypeLoc Dimension : Dimensions) {
    SourceLocation Bracket = Dimension.getRBracketLoc();
    const Expr *Size = Dimension.getSizeExpr();
    if (!Size || !Bracket.isFileID() ||
        !getBracketedRange(Size, Bracket, Context))
      return notEditable(Bracket, Size ? Size->getSourceRange() : SourceRange(),
                         Reason::SharedDeclarator, Context);
  }
  return std::nullopt;
}

static size_t countDimensions(const VarDecl &D) {
  size_t Count = 0;
  QualType Type = D.getType();
  while (const ArrayType *Array = Type->getAsArrayTypeUnsafe()) {
    Type = Array->getElementType();
    ++Count;
  }
  return Count;
}

/// The last two subscripts are those that a layout combines.
static std::optional<Blocker> findSubscriptBlocker(const Access &A,
                                                   FileID KernelFile,
                                                   const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  SourceLocation Place = SM.getExpansionLoc(A.Ref->getBeginLoc());
  if (SM.getFileID(Place) != KernelFile && isIncludedTwice(Place, SM))
    return Blocker{Reason::IncludedTwice, "", Place};
  llvm::SmallVector<SourceLocation, 4> Brackets = getSubscriptBrackets(A.Ref);
  if (Brackets.size() != A.Subscripts.size())
    return notEditable(A.Ref->getBeginLoc(), A.Ref->getSourceRange(),
                       Reason::UnusualSubscript, Context);
  for (size_t I = 0; I != Brackets.size(); ++I) {
    const Expr *Subscript = A.Subscripts[I];
    if (I + 2 < Brackets.size())
      continue;
    if (!getBracketedRange(Subscript, Brackets[I], Context) ||
        !getTextToRepeat(Subscript, Brackets[I], Context))
      return notEditable(Brackets[I], Subscript->getSourceRange(),
                         Reason::UnusualSubscript, Context);
    bool IsRepeated = I + 1 < Brackets.size() || Brackets.size() == 1;
    Reason Why = getRepeatBlocker(Subscript, Context);
    if (Why == Reason::SideEffect || (IsRepeated && Why != Reason::None))
      return Blocker{
          Why, getTextToRepeat(Subscript, Brackets[I], Context).value_or(""),
          Place};
  }
  return std::nullopt;
}

/// Returns where \p Text, which starts at \p Begin, mentions \p Name as a
/// token.
static bool mentions(StringRef Text, StringRef Name,
                     const LangOptions &Language) {
  std::string Copy = Text.str();
  Lexer Raw(SourceLocation(), Language, Copy.data(), Copy.data(),
            Copy.data() + Copy.size());
  Token Next;
  do {
    Raw.LexFromRawLexer(Next);
    if (Next.is(tok::raw_identifier) && Next.getRawIdentifier() == Name)
      return true;
  } while (Next.isNot(tok::eof));
  return false;
}

/// Adds InactiveRegion to the arrays that \p Skipped names inside \p K.
static void findInactiveUses(Kernel &K, const ASTContext &Context,
                             SourceRange Skipped) {
  const SourceManager &SM = Context.getSourceManager();
  SourceLocation Begin = SM.getExpansionLoc(K.Decl->getBeginLoc());
  SourceLocation End = SM.getExpansionLoc(K.Decl->getEndLoc());
  if (Skipped.isInvalid() ||
      SM.isBeforeInTranslationUnit(Skipped.getEnd(), Begin) ||
      SM.isBeforeInTranslationUnit(End, Skipped.getBegin()))
    return;
  auto [File, From] = SM.getDecomposedExpansionLoc(Skipped.getBegin());
  auto [EndFile, To] = SM.getDecomposedExpansionLoc(Skipped.getEnd());
  if (File != EndFile)
    return;
  StringRef Text = SM.getBufferData(File).slice(From, To);
  for (SharedArray &A : K.Arrays)
    if (mentions(Text, A.Name, Context.getLangOpts()))
      A.Blockers.push_back({Reason::InactiveRegion, "", Skipped.getBegin()});
}

void findTextBlockers(Kernel &K, const ASTContext &Context,
                      ArrayRef<SourceRange> Skipped) {
  std::optional<Blocker> OfKernel = findKernelBlocker(K, Context);
  const SourceManager &SM = Context.getSourceManager();
  FileID File = SM.getFileID(SM.getExpansionLoc(K.Decl->getEndLoc()));
  for (ArrayId Id = 0; Id != K.Arrays.size(); ++Id) {
    SharedArray &A = K.Arrays[Id];
    A.SubscriptBlocker = OfKernel;
    if (!A.IsExtern)
      A.DeclarationBlocker =
          findDeclarationBlocker(*A.Decl, countDimensions(*A.Decl), Context);
    for (const auto &Instance : K.Instances)
      for (const Access &Use : Instance->Accesses)
        if (Use.Array == Id && !A.SubscriptBlocker)
          A.SubscriptBlocker = findSubscriptBlocker(Use, File, Context);
  }
  for (SourceRange Range : Skipped)
    findInactiveUses(K, Context, Range);
}

} // namespace cudaopt
