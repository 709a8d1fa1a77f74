// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Decides which declarations and subscripts of a kernel can be edited: the
/// text must be the user's, stand in one place, and have one meaning.
//===----------------------------------------------------------------------===//

#include "cudaopt/Model/TextRefusals.h"

#include "ArrayParts.h"
#include "cudaopt/Model/SourceMarks.h"
#include "cudaopt/Support/Nodes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

using namespace clang;
using llvm::ArrayRef;
using llvm::StringRef;

namespace cudaopt {

static Refusal inMacro(SourceLocation Loc, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  StringRef Name;
  if (Loc.isMacroID())
    Name = Lexer::getImmediateMacroName(Loc, SM, Context.getLangOpts());
  return {Reason::InMacro, Name.str(), SM.getExpansionLoc(Loc)};
}

/// Returns the refusal for text around \p Loc that cannot be edited: a macro
/// that writes it, or else \p Else, since it has no simple form.
static Refusal notEditable(SourceLocation Loc, SourceRange Inner, Reason Else,
                           const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  for (SourceLocation Place : {Loc, Inner.getBegin(), Inner.getEnd()})
    if (Place.isMacroID())
      return inMacro(Place, Context);
  return {Else, "", SM.getExpansionLoc(Loc)};
}

/// Returns true if the file that contains \p Loc was entered more than once:
/// its text then means several things.
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

/// Returns what forbids every edit of \p K's text.
static std::optional<Refusal> findKernelRefusal(const Kernel &K,
                                                const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  SourceRange Range = K.Decl->getSourceRange();
  for (SourceLocation Loc : {Range.getBegin(), Range.getEnd()}) {
    // `__global__` itself is a macro, which is harmless; an argument of another
    // macro is not.
    if (SM.isMacroArgExpansion(Loc))
      return inMacro(Loc, Context);
  }
  if (Range.getEnd().isMacroID())
    return inMacro(Range.getEnd(), Context);
  if (SM.isInSystemHeader(Range.getEnd()))
    return Refusal{Reason::SystemHeader, "", Range.getEnd()};
  if (isIncludedTwice(Range.getEnd(), SM))
    return Refusal{Reason::IncludedTwice, "", K.Decl->getLocation()};
  return std::nullopt;
}

static std::optional<Refusal>
findDeclarationRefusal(const VarDecl &D, size_t NumDimensions,
                       const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  SourceLocation Loc = D.getLocation();
  if (SM.isInSystemHeader(SM.getExpansionLoc(Loc)))
    return Refusal{Reason::SystemHeader, "", SM.getExpansionLoc(Loc)};
  if (Loc.isMacroID())
    return inMacro(Loc, Context);
  if (isIncludedTwice(Loc, SM))
    return Refusal{Reason::IncludedTwice, "", Loc};
  llvm::SmallVector<ArrayTypeLoc, 4> Dimensions = getWrittenDimensions(D);
  if (Dimensions.empty() || Dimensions.size() != NumDimensions)
    return Refusal{Reason::SharedDeclarator, "", Loc};
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

//===----------------------------------------------------------------------===//
// Mentions
//===----------------------------------------------------------------------===//

/// Returns the use of a field of the array that is declared at \p Declared, if
/// \p Member is one: `a[i].x`.
static std::optional<MemberUse> asMemberUse(const MemberExpr *Member,
                                            SourceLocation Declared) {
  const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
  const auto *Element =
      dyn_cast<ArraySubscriptExpr>(Member->getBase()->IgnoreParens());
  if (!Field || !Element || Member->isArrow() || Member->hasQualifier())
    return std::nullopt;
  const Expr *Base = Element;
  while (const auto *Subscript =
             dyn_cast<ArraySubscriptExpr>(Base->IgnoreParens())) {
    if (Subscript->getBase() != Subscript->getLHS())
      return std::nullopt;
    Base = Subscript->getBase()->IgnoreImpCasts();
  }
  const auto *Ref = dyn_cast<DeclRefExpr>(Base->IgnoreParens());
  if (!Ref || Ref->getDecl()->getLocation() != Declared)
    return std::nullopt;
  return MemberUse{Member, Element, Base};
}

/// Adds to \p Found what \p Body says of the array that is declared at
/// \p Declared: the instances of a template have variables of their own,
/// declared where the template's is.
static void addMentions(const Stmt *Body, SourceLocation Declared,
                        Mentions &Found) {
  forEachNode(Body, [&](const DynTypedNode &N) {
    if (const auto *Ref = N.get<DeclRefExpr>()) {
      if (Ref->getDecl()->getLocation() == Declared)
        Found.All.push_back(Ref->getLocation());
    } else if (const auto *Member = N.get<MemberExpr>()) {
      if (std::optional<MemberUse> Use = asMemberUse(Member, Declared))
        Found.Members.push_back(*Use);
    } else if (const auto *Statement = N.get<DeclStmt>()) {
      for (const Decl *D : Statement->decls())
        if (D->getLocation() == Declared && !Statement->isSingleDecl())
          Found.SharedDeclaration = Declared;
    }
  });
}

Mentions findMentions(const Kernel &K, const SharedArray &A) {
  // A local variable can be named only in the function that declares it.
  llvm::SetVector<const FunctionDecl *> Functions;
  const DeclContext *Owner = A.Decl->getDeclContext();
  while (Owner && !isa<FunctionDecl>(Owner))
    Owner = Owner->getParent();
  if (const auto *Function = dyn_cast_or_null<FunctionDecl>(Owner)) {
    Functions.insert(Function);
    const FunctionDecl *Pattern = Function->getTemplateInstantiationPattern();
    Functions.insert(Pattern ? Pattern : Function);
    if (const FunctionTemplateDecl *Template =
            Functions.back()->getDescribedFunctionTemplate())
      Functions.insert_range(Template->specializations());
  }
  for (const auto &Instance : K.Instances)
    Functions.insert(Instance->Decl);
  Mentions Found;
  for (const FunctionDecl *Function : Functions)
    if (Function->doesThisDeclarationHaveABody())
      addMentions(Function->getBody(), A.Decl->getLocation(), Found);
  llvm::DenseSet<SourceLocation> OfMembers;
  for (const MemberUse &Use : Found.Members)
    OfMembers.insert(Use.Array->IgnoreParens()->getBeginLoc());
  for (SourceLocation Mention : Found.All)
    if (!Found.WholeElement && !OfMembers.contains(Mention))
      Found.WholeElement = Mention;
  return Found;
}

/// Returns why the text of \p A cannot become a struct of arrays.
static std::optional<Refusal> findFieldsRefusal(const Kernel &K,
                                                const SharedArray &A,
                                                const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  SourceLocation Loc = A.Decl->getLocation();
  if (A.IsExtern)
    return Refusal{Reason::ExternArray, "", Loc};
  if (A.DeclarationRefusal)
    return A.DeclarationRefusal;
  Mentions Found = findMentions(K, A);
  if (Found.WholeElement)
    return Refusal{Reason::WholeElement, "",
                   SM.getExpansionLoc(*Found.WholeElement)};
  if (Found.SharedDeclaration || !getWrittenFields(*A.Decl, Context) ||
      !getElementTypeRange(*A.Decl, Context))
    return Refusal{Reason::SharedDeclarator, "", Loc};
  for (const MemberUse &Use : Found.Members)
    if (!getMemberText(Use, Context))
      return notEditable(Use.Member->getBeginLoc(),
                         Use.Member->getSourceRange(), Reason::UnusualSubscript,
                         Context);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Subscripts
//===----------------------------------------------------------------------===//

/// Returns the author's mark at the access \p A.
static std::optional<Refusal> findTextMark(const Kernel &K, const Access &A) {
  return K.Marks ? K.Marks->ofText(A.Ref->getBeginLoc()) : std::nullopt;
}

/// Longer rows change the types of parameters, too: refuses \p A if one of them
/// is in text that is marked off.
static void findParameterMarks(const Kernel &K, SharedArray &A) {
  if (!K.Marks)
    return;
  for (const ParmVarDecl *Parameter : A.Parameters)
    if (auto Mark = K.Marks->ofText(Parameter->getLocation()))
      A.refuse(*Mark);
}

/// Returns why the subscripts of \p A cannot be edited. Only the last two
/// matter: a layout combines these.
static std::optional<Refusal> findSubscriptRefusal(const Access &A,
                                                   FileID KernelFile,
                                                   const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  SourceLocation Place = SM.getExpansionLoc(A.Ref->getBeginLoc());
  if (SM.getFileID(Place) != KernelFile && isIncludedTwice(Place, SM))
    return Refusal{Reason::IncludedTwice, "", Place};
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
    std::optional<Reason> Why = whyNotRepeatable(Subscript, Context);
    if (Why == Reason::SideEffect || (IsRepeated && Why))
      return Refusal{
          *Why, getTextToRepeat(Subscript, Brackets[I], Context).value_or(""),
          Place};
  }
  return std::nullopt;
}

/// Longer rows mean a greater leading dimension of fragments: returns why the
/// text of that cannot be edited.
static std::optional<Refusal> findLdmRefusal(const Access &A, FileID KernelFile,
                                             const ASTContext &Context) {
  if (!A.Run || !A.Run->Ldm)
    return std::nullopt;
  const SourceManager &SM = Context.getSourceManager();
  const SourceRange Range = A.Run->Ldm->getSourceRange();
  const SourceLocation Anchor = A.Run->Call->getRParenLoc();
  SourceLocation Place = SM.getExpansionLoc(Anchor);
  if (SM.getFileID(Place) != KernelFile && isIncludedTwice(Place, SM))
    return Refusal{Reason::IncludedTwice, "", Place};
  if (!getEditableRange(Range, Anchor, Context))
    return notEditable(Anchor, Range, Reason::SharedDeclarator, Context);
  return std::nullopt;
}

/// Returns true if \p Text contains \p Name as a token.
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

/// Returns true if \p Text at \p Begin uses \p A in a device function that gets
/// it, or calls that function once more.
static bool isUsedByFunction(const SharedArray &A, StringRef Text,
                             SourceLocation Begin, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  return llvm::any_of(A.Parameters, [&](const ParmVarDecl *Parameter) {
    const auto *Function = cast<FunctionDecl>(Parameter->getDeclContext());
    if (mentions(Text, Function->getName(), Context.getLangOpts()))
      return true;
    SourceRange Range = Function->getSourceRange();
    return SM.isPointWithin(Begin, SM.getExpansionLoc(Range.getBegin()),
                            SM.getExpansionLoc(Range.getEnd())) &&
           mentions(Text, Parameter->getName(), Context.getLangOpts());
  });
}

/// Returns true if \p Text at \p Begin uses a pointer to a row of \p A.
static bool isUsedByRowPointer(const SharedArray &A, StringRef Text,
                               SourceLocation Begin,
                               const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  return llvm::any_of(A.RowPointers, [&](const VarDecl *Row) {
    SourceRange Range =
        cast<Decl>(Row->getParentFunctionOrMethod())->getSourceRange();
    return SM.isPointWithin(Begin, SM.getExpansionLoc(Range.getBegin()),
                            SM.getExpansionLoc(Range.getEnd())) &&
           mentions(Text, Row->getName(), Context.getLangOpts());
  });
}

/// Adds InactiveRegion to the arrays that the range \p Skipped by `#if` names
/// inside \p K, or uses through a device function.
static void findInactiveUses(Kernel &K, const ASTContext &Context,
                             SourceRange Skipped) {
  const SourceManager &SM = Context.getSourceManager();
  SourceLocation Begin = SM.getExpansionLoc(K.Decl->getBeginLoc());
  SourceLocation End = SM.getExpansionLoc(K.Decl->getEndLoc());
  if (Skipped.isInvalid())
    return;
  const bool IsInKernel =
      !SM.isBeforeInTranslationUnit(Skipped.getEnd(), Begin) &&
      !SM.isBeforeInTranslationUnit(End, Skipped.getBegin());
  auto [File, From] = SM.getDecomposedExpansionLoc(Skipped.getBegin());
  auto [EndFile, To] = SM.getDecomposedExpansionLoc(Skipped.getEnd());
  if (File != EndFile || !(IsInKernel || File == SM.getMainFileID()))
    return;
  StringRef Text = SM.getBufferData(File).slice(From, To);
  for (SharedArray &A : K.Arrays)
    if ((IsInKernel && mentions(Text, A.Name, Context.getLangOpts())) ||
        isUsedByRowPointer(A, Text, Skipped.getBegin(), Context) ||
        isUsedByFunction(A, Text, Skipped.getBegin(), Context))
      A.Refusals.push_back({Reason::InactiveRegion, "", Skipped.getBegin()});
}

bool hasInactiveText(const FunctionDecl *Function, const ASTContext &Context,
                     llvm::ArrayRef<SourceRange> Skipped) {
  const SourceManager &SM = Context.getSourceManager();
  const SourceLocation Begin = SM.getExpansionLoc(Function->getBeginLoc()),
                       End = SM.getExpansionLoc(Function->getEndLoc());
  return llvm::any_of(Skipped, [&](SourceRange Each) {
    auto [File, From] = SM.getDecomposedExpansionLoc(Each.getBegin());
    auto [EndFile, To] = SM.getDecomposedExpansionLoc(Each.getEnd());
    if (Each.isInvalid() || SM.isInSystemHeader(Each.getBegin()) ||
        File != EndFile)
      return false;
    return SM.isPointWithin(SM.getExpansionLoc(Each.getBegin()), Begin, End) ||
           mentions(SM.getBufferData(File).slice(From, To), Function->getName(),
                    Context.getLangOpts());
  });
}

static bool hasFields(const Kernel &K, ArrayId Array) {
  return llvm::any_of(K.Instances, [&](const auto &Instance) {
    return Array < Instance->Shapes.size() &&
           !Instance->Shapes[Array].Fields.empty();
  });
}

void findTextRefusals(Kernel &K, const ASTContext &Context,
                      ArrayRef<SourceRange> Skipped) {
  std::optional<Refusal> OfKernel = findKernelRefusal(K, Context);
  const SourceManager &SM = Context.getSourceManager();
  FileID File = SM.getFileID(SM.getExpansionLoc(K.Decl->getEndLoc()));
  for (ArrayId Id = 0; Id != K.Arrays.size(); ++Id) {
    SharedArray &A = K.Arrays[Id];
    A.SubscriptRefusal = OfKernel;
    findParameterMarks(K, A);
    if (!A.IsExtern && !A.DeclarationRefusal)
      A.DeclarationRefusal =
          findDeclarationRefusal(*A.Decl, countDimensions(*A.Decl), Context);
    for (const auto &Instance : K.Instances)
      for (const Access &Use : Instance->Accesses)
        if (Use.Array == Id && !A.SubscriptRefusal) {
          A.SubscriptRefusal = findTextMark(K, Use);
          if (!A.SubscriptRefusal)
            A.SubscriptRefusal = findSubscriptRefusal(Use, File, Context);
        }
    for (const auto &Instance : K.Instances)
      for (const Access &Use : Instance->Accesses)
        if (Use.Array == Id && !A.DeclarationRefusal)
          A.DeclarationRefusal = findLdmRefusal(Use, File, Context);
    if (!A.FieldsRefusal && hasFields(K, Id))
      A.FieldsRefusal = findFieldsRefusal(K, A, Context);
  }
  for (SourceRange Range : Skipped)
    findInactiveUses(K, Context, Range);
  spreadPartRefusals(K);
}

} // namespace cudaopt
