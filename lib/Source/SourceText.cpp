// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds the editable text of expressions. Ranges are resolved by clang's
/// getFileRangeForEdit; what is added here is that an argument of a macro is
/// edited only as a whole subscript, and never if the macro turns it into a
/// string or pastes it.
//===----------------------------------------------------------------------===//

#include "cudaopt/Source/SourceText.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/Builtins.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Tooling/Transformer/SourceCode.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;
using llvm::StringRef;

namespace cudaopt {

/// Returns the text from the start of the line to the end of the directive that
/// contains offset \p Offset; a backslash at the end of a line continues a
/// directive.
static StringRef getDirective(StringRef Buffer, size_t Offset) {
  auto IsContinued = [&](size_t Newline) {
    StringRef Line = Buffer.take_front(Newline).rtrim('\r');
    return Line.ends_with("\\");
  };
  size_t Begin = Buffer.rfind('\n', Offset);
  while (Begin != StringRef::npos && IsContinued(Begin))
    Begin = Begin ? Buffer.rfind('\n', Begin - 1) : StringRef::npos;
  Begin = Begin == StringRef::npos ? 0 : Begin + 1;
  size_t End = Buffer.find('\n', Offset);
  while (End != StringRef::npos && IsContinued(End))
    End = Buffer.find('\n', End + 1);
  return Buffer.slice(Begin, End);
}

/// Returns true if the definition of the macro that has parameter \p Parameter
/// uses `#` or `##`: the argument's text is then more than code.
static bool pastesArguments(SourceLocation Parameter, const SourceManager &SM) {
  SourceLocation Spelling = SM.getSpellingLoc(Parameter);
  auto [File, Offset] = SM.getDecomposedLoc(Spelling);
  if (!SM.getFileEntryRefForID(File))
    return true;
  StringRef Directive = getDirective(SM.getBufferData(File), Offset).ltrim();
  return !Directive.consume_front("#") || Directive.contains('#');
}

std::optional<SourceLocation> getFileAnchor(SourceLocation Anchor,
                                            const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  while (SM.isMacroArgExpansion(Anchor)) {
    if (pastesArguments(SM.getImmediateExpansionRange(Anchor).getBegin(), SM))
      return std::nullopt;
    Anchor = SM.getImmediateSpellingLoc(Anchor);
  }
  if (!Anchor.isFileID())
    return std::nullopt;
  return Anchor;
}

/// Follows \p Loc out of as many macro arguments as \p Anchor is in;
/// std::nullopt if it is in fewer.
static std::optional<SourceLocation>
toLevelOf(SourceLocation Anchor, SourceLocation Loc, const SourceManager &SM) {
  while (SM.isMacroArgExpansion(Anchor)) {
    if (!SM.isMacroArgExpansion(Loc))
      return std::nullopt;
    Anchor = SM.getImmediateSpellingLoc(Anchor);
    Loc = SM.getImmediateSpellingLoc(Loc);
  }
  return SM.getExpansionLoc(Loc);
}

/// Returns true if a line of \p Text starts a directive other than \p Harmless.
static bool containsDirective(StringRef Text, StringRef Harmless = "") {
  auto [First, Rest] = Text.split('\n');
  while (!Rest.empty()) {
    std::tie(First, Rest) = Rest.split('\n');
    First = First.ltrim();
    if (!First.consume_front("#") && !First.consume_front("%:"))
      continue;
    if (Harmless.empty() || !First.ltrim().starts_with(Harmless))
      return true;
  }
  return false;
}

static StringRef getText(CharSourceRange Range, const SourceManager &SM) {
  auto [File, Begin] = SM.getDecomposedLoc(Range.getBegin());
  return SM.getBufferData(File).slice(Begin, SM.getFileOffset(Range.getEnd()));
}

std::optional<CharSourceRange> getEditableRange(SourceRange Range,
                                                SourceLocation Anchor,
                                                const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  if (Range.isInvalid() || !getFileAnchor(Anchor, Context))
    return std::nullopt;
  std::optional<CharSourceRange> File = tooling::getFileRangeForEdit(
      CharSourceRange::getTokenRange(Range), Context);
  if (!File || toLevelOf(Anchor, Range.getBegin(), SM) != File->getBegin())
    return std::nullopt;
  if (!SM.getFileEntryRefForID(SM.getFileID(File->getBegin())) ||
      containsDirective(getText(*File, SM)))
    return std::nullopt;
  return File;
}

/// Returns true if \p Text is nothing but white space and comments.
static bool isBlank(StringRef Text, const LangOptions &Language) {
  std::string Copy = Text.str();
  Lexer Raw(SourceLocation(), Language, Copy.data(), Copy.data(),
            Copy.data() + Copy.size());
  Token Next;
  return Raw.LexFromRawLexer(Next) && Next.is(tok::eof);
}

std::optional<CharSourceRange> getBracketedRange(const Expr *E,
                                                 SourceLocation RBracket,
                                                 const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  std::optional<CharSourceRange> Range =
      getEditableRange(E->getSourceRange(), RBracket, Context);
  if (!Range)
    return std::nullopt;
  SourceLocation Close = *getFileAnchor(RBracket, Context);
  auto [File, Begin] = SM.getDecomposedLoc(Range->getBegin());
  auto [CloseFile, CloseOffset] = SM.getDecomposedLoc(Close);
  unsigned End = SM.getFileOffset(Range->getEnd());
  StringRef Buffer = SM.getBufferData(File);
  if (File != CloseFile || CloseOffset < End || Buffer[CloseOffset] != ']')
    return std::nullopt;
  StringRef Between = Buffer.slice(End, CloseOffset);
  if (!Buffer.take_front(Begin).rtrim().ends_with("[") ||
      containsDirective(Between) || !isBlank(Between, Context.getLangOpts()))
    return std::nullopt;
  return Range;
}

std::optional<std::string> getTextToRepeat(const Expr *E, SourceLocation Anchor,
                                           const ASTContext &Context) {
  std::optional<CharSourceRange> Range =
      getEditableRange(E->getSourceRange(), Anchor, Context);
  if (!Range)
    return std::nullopt;
  StringRef Text = getText(*Range, Context.getSourceManager());
  if (!Text.contains('\n'))
    return Text.str();
  // A line comment or a continued line cannot be joined to the next line.
  if (Text.contains("//") || Text.contains('\\') || Text.contains('"'))
    return std::nullopt;
  llvm::SmallVector<StringRef, 4> Lines;
  Text.split(Lines, '\n');
  for (StringRef &Line : Lines)
    Line = Line.trim();
  return llvm::join(Lines, " ");
}

/// Returns true for a free function that returns an expression of its
/// arguments, which are numbers passed by value. (`constexpr` alone says
/// nothing: a lambda that counts its calls is constexpr, too.)
static bool isPureFormula(const FunctionDecl &Callee,
                          const ASTContext &Context) {
  const FunctionDecl *Definition = nullptr;
  if (isa<CXXMethodDecl>(Callee) || !Callee.hasBody(Definition) ||
      !llvm::all_of(Definition->parameters(), [](const ParmVarDecl *P) {
        return P->getType()->isArithmeticType();
      }))
    return false;
  const auto *Body = dyn_cast<CompoundStmt>(Definition->getBody());
  const auto *Return = Body && Body->size() == 1
                           ? dyn_cast<ReturnStmt>(Body->body_front())
                           : nullptr;
  return Return && Return->getRetValue() &&
         !Return->getRetValue()->HasSideEffects(Context);
}

/// Returns true if \p E names a variable of the thread, a constant, or a member
/// of one: reading it twice gives the same value.
static bool isOwnVariable(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  if (const auto *Member = dyn_cast<MemberExpr>(E))
    return !Member->isArrow() && isOwnVariable(Member->getBase());
  if (const auto *Opaque = dyn_cast<OpaqueValueExpr>(E))
    return Opaque->getSourceExpr() && isOwnVariable(Opaque->getSourceExpr());
  const auto *Ref = dyn_cast<DeclRefExpr>(E);
  const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  return Var && !Var->getType()->isReferenceType() &&
         (Var->hasLocalStorage() || Var->getType().isConstQualified());
}

/// Returns true if a call of \p Callee does nothing but return a value.
static bool isPure(const FunctionDecl &Callee, const ASTContext &Context) {
  if (Callee.hasAttr<ConstAttr>() || Callee.hasAttr<PureAttr>())
    return true;
  if (unsigned Id = Callee.getBuiltinID())
    return Context.BuiltinInfo.isConst(Id);
  const IdentifierInfo *Name = Callee.getIdentifier();
  if (!Name)
    return false;
  if (Context.getSourceManager().isInSystemHeader(
          Callee.getCanonicalDecl()->getLocation()))
    // threadIdx.x is a property of clang's headers, read by __fetch_builtin_x.
    return Name->getName().starts_with("__fetch_builtin_") ||
           llvm::is_contained({"min", "max", "umin", "umax", "abs"},
                              Name->getName());
  return isPureFormula(Callee, Context);
}

/// Returns the reason that the node \p S itself, without its children, gives
/// against evaluating it twice.
static std::optional<Reason> whyNodeNotRepeatable(const Stmt *S,
                                                  const ASTContext &Context) {
  auto whyIf = [](bool Holds, Reason Why) {
    return Holds ? std::optional(Why) : std::nullopt;
  };
  if (const auto *Call = dyn_cast<CallExpr>(S)) {
    const FunctionDecl *Callee = Call->getDirectCallee();
    return whyIf(!Callee || !isPure(*Callee, Context), Reason::SideEffect);
  }
  if (const auto *Unary = dyn_cast<UnaryOperator>(S))
    return whyIf(Unary->isIncrementDecrementOp(), Reason::SideEffect);
  if (const auto *Binary = dyn_cast<BinaryOperator>(S))
    return whyIf(Binary->isAssignmentOp(), Reason::SideEffect);
  if (const auto *Cast = dyn_cast<CastExpr>(S)) {
    if (Cast->getCastKind() != CK_LValueToRValue)
      return std::nullopt;
    if (Cast->getSubExpr()->getType().isVolatileQualified())
      return Reason::SideEffect;
    // Another thread may write to memory between two reads.
    return whyIf(!isOwnVariable(Cast->getSubExpr()), Reason::DataDependent);
  }
  if (const auto *Reference = dyn_cast<DeclRefExpr>(S))
    return whyIf(Reference->getDecl()->hasAttr<CUDASharedAttr>(),
                 Reason::DataDependent);
  bool IsHarmless =
      isa<IntegerLiteral, CharacterLiteral, CXXBoolLiteralExpr, MemberExpr,
          ArraySubscriptExpr, ParenExpr, ConditionalOperator, FullExpr,
          SubstNonTypeTemplateParmExpr, UnaryExprOrTypeTraitExpr,
          PseudoObjectExpr, MSPropertyRefExpr, OpaqueValueExpr, CXXThisExpr,
          MaterializeTemporaryExpr, FloatingLiteral, SizeOfPackExpr>(S);
  return whyIf(!IsHarmless, Reason::SideEffect);
}

/// Returns the first reason in \p S or its children.
static std::optional<Reason> whyTreeNotRepeatable(const Stmt *S,
                                                  const ASTContext &Context) {
  std::optional<Reason> Why = whyNodeNotRepeatable(S, Context);
  if (const auto *Opaque = dyn_cast<OpaqueValueExpr>(S))
    if (!Why && Opaque->getSourceExpr())
      return whyTreeNotRepeatable(Opaque->getSourceExpr(), Context);
  for (const Stmt *Child : S->children())
    if (!Why && Child)
      Why = whyTreeNotRepeatable(Child, Context);
  return Why;
}

std::string getWrittenText(const Expr *E, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  CharSourceRange Range = SM.getExpansionRange(E->getSourceRange());
  return Lexer::getSourceText(Range, SM, Context.getLangOpts()).str();
}

std::optional<Reason> whyNotRepeatable(const Expr *E,
                                       const ASTContext &Context) {
  // A class that converts itself to a number may define operators of its own.
  if (!E->IgnoreImplicit()->getType()->isIntegralType(Context))
    return Reason::SideEffect;
  return whyTreeNotRepeatable(E, Context);
}

static llvm::SmallVector<ArrayTypeLoc, 4> listDimensions(TypeLoc Type) {
  llvm::SmallVector<ArrayTypeLoc, 4> Dimensions;
  Type = Type.getUnqualifiedLoc().IgnoreParens();
  while (auto Array = Type.getAs<ArrayTypeLoc>()) {
    Dimensions.push_back(Array);
    Type = Array.getElementLoc().getUnqualifiedLoc().IgnoreParens();
  }
  return Dimensions;
}

llvm::SmallVector<ArrayTypeLoc, 4> getWrittenDimensions(const VarDecl &D) {
  const TypeSourceInfo *Info = D.getTypeSourceInfo();
  if (!Info)
    return {};
  return listDimensions(Info->getTypeLoc());
}

const FunctionDecl *getWrittenDefinition(const FunctionDecl *Function) {
  if (const FunctionDecl *Pattern = Function->getTemplateInstantiationPattern())
    Function = Pattern;
  const FunctionDecl *Definition = Function->getDefinition();
  return Definition ? Definition : Function;
}

llvm::SmallVector<ArrayTypeLoc, 4>
getParameterDimensions(const FunctionDecl *Function, unsigned Index) {
  const FunctionDecl *Written = getWrittenDefinition(Function);
  if (Written->getNumParams() != Function->getNumParams())
    return {};
  const TypeSourceInfo *Info =
      Written->getParamDecl(Index)->getTypeSourceInfo();
  if (!Info)
    return {};
  TypeLoc Type = Info->getTypeLoc().getUnqualifiedLoc().IgnoreParens();
  if (auto Pointer = Type.getAs<PointerTypeLoc>())
    Type = Pointer.getPointeeLoc();
  else if (auto Reference = Type.getAs<ReferenceTypeLoc>())
    Type = Reference.getPointeeLoc();
  return listDimensions(Type);
}

bool canLengthenRows(const FunctionDecl *Function, unsigned Index,
                     size_t NumDimensions, const ASTContext &Context) {
  const FunctionDecl *Written = getWrittenDefinition(Function);
  const SourceManager &SM = Context.getSourceManager();
  llvm::SmallVector<ArrayTypeLoc, 4> Dimensions =
      getParameterDimensions(Function, Index);
  if (Dimensions.size() > NumDimensions ||
      Dimensions.size() + 1 < NumDimensions || NumDimensions < 2 ||
      !SM.isInMainFile(Written->getLocation()) ||
      Written->getFirstDecl() != Written->getMostRecentDecl())
    return false;
  // Only the first extent may be missing; an extent that is deduced must not
  // change.
  for (ArrayTypeLoc Dimension :
       llvm::ArrayRef(Dimensions).take_back(NumDimensions - 1)) {
    const Expr *Size = Dimension.getSizeExpr();
    if (!Size || Size->isInstantiationDependent() ||
        !getBracketedRange(Size, Dimension.getRBracketLoc(), Context))
      return false;
  }
  return true;
}

llvm::SmallVector<SourceLocation, 4> getSubscriptBrackets(const Expr *Ref) {
  llvm::SmallVector<SourceLocation, 4> Brackets;
  const auto *Subscript = dyn_cast<ArraySubscriptExpr>(Ref->IgnoreParens());
  while (Subscript && Subscript->getLHS() == Subscript->getBase()) {
    Brackets.insert(Brackets.begin(), Subscript->getRBracketLoc());
    Subscript = dyn_cast<ArraySubscriptExpr>(
        Subscript->getBase()->IgnoreParenImpCasts());
  }
  return Brackets;
}

std::optional<CharSourceRange> getCopiedRange(const FunctionDecl *Written,
                                              const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  const Decl *Whole = Written;
  if (const FunctionTemplateDecl *Template =
          Written->getDescribedFunctionTemplate())
    Whole = Template;
  // The text may begin with a macro, `__device__`, whose name is copied.
  SourceLocation Begin = Whole->getBeginLoc(), End = Written->getEndLoc();
  if (Begin.isInvalid() || !End.isFileID() || SM.isMacroArgExpansion(Begin))
    return std::nullopt;
  Begin = SM.getExpansionLoc(Begin);
  if (SM.getFileID(Begin) != SM.getFileID(End) ||
      SM.getFileOffset(End) < SM.getFileOffset(Begin))
    return std::nullopt;
  auto Range = CharSourceRange::getCharRange(Begin, End.getLocWithOffset(1));
  StringRef Text = getText(Range, SM);
  if (!Text.ends_with("}") || containsDirective(Text, "pragma"))
    return std::nullopt;
  return Range;
}

//===----------------------------------------------------------------------===//
// Members
//===----------------------------------------------------------------------===//

static QualType getElementType(QualType Type) {
  while (const ArrayType *Array = Type->getAsArrayTypeUnsafe())
    Type = Array->getElementType();
  return Type;
}

std::optional<CharSourceRange> getElementTypeRange(const VarDecl &D,
                                                   const ASTContext &Context) {
  llvm::SmallVector<ArrayTypeLoc, 4> Dimensions = getWrittenDimensions(D);
  if (Dimensions.empty())
    return std::nullopt;
  TypeLoc Type = Dimensions.back().getElementLoc().getUnqualifiedLoc();
  if (!Type.getAs<TagTypeLoc>() && !Type.getAs<TypedefTypeLoc>() &&
      !Type.getAs<UsingTypeLoc>())
    return std::nullopt;
  return getEditableRange(Type.getSourceRange(), D.getLocation(), Context);
}

/// Returns a name of the number type \p Type that is valid at any place; empty
/// if it has none.
static std::string getNameEverywhere(QualType Type, const ASTContext &Context) {
  const PrintingPolicy Policy(Context.getLangOpts());
  if (Type.hasQualifiers() || !Type->isBuiltinType())
    return "";
  if (const auto *Typedef = Type->getAs<TypedefType>()) {
    const TypedefNameDecl *Name = Typedef->getDecl();
    if (Name->getDeclContext()->getRedeclContext()->isTranslationUnit())
      return Name->getNameAsString();
  }
  return Type.getCanonicalType().getAsString(Policy);
}

std::optional<llvm::SmallVector<WrittenField, 4>>
getWrittenFields(const VarDecl &D, const ASTContext &Context) {
  const auto *Record = getElementType(D.getType())->getAsCXXRecordDecl();
  if (!Record || !Record->hasDefinition() ||
      isa<ClassTemplateSpecializationDecl>(Record))
    return std::nullopt;
  llvm::SmallVector<WrittenField, 4> Fields;
  for (const FieldDecl *Field : Record->fields()) {
    std::string Type = getNameEverywhere(Field->getType(), Context);
    if (Type.empty() || Field->hasAttrs() || !Field->getIdentifier())
      return std::nullopt;
    Fields.push_back({Type, Field->getNameAsString()});
  }
  return Fields;
}

std::optional<MemberText> getMemberText(const MemberUse &Use,
                                        const ASTContext &Context) {
  SourceLocation Bracket = Use.Element->getRBracketLoc();
  std::optional<CharSourceRange> Array =
      getEditableRange(Use.Array->getSourceRange(), Bracket, Context);
  std::optional<CharSourceRange> Member = getEditableRange(
      SourceRange(Use.Member->getOperatorLoc(), Use.Member->getMemberLoc()),
      Bracket, Context);
  if (!Array || !Member)
    return std::nullopt;
  StringRef Text = getText(*Member, Context.getSourceManager());
  if (!Text.starts_with(".") ||
      Text.drop_front().trim(" \t") !=
          Use.Member->getMemberDecl()->getNameAsString())
    return std::nullopt;
  return MemberText{Array->getEnd(), *Member};
}

} // namespace cudaopt
