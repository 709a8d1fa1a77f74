// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Reads the pieces of a loop's text that its staged form repeats, and edits
/// the loop.
//===----------------------------------------------------------------------===//

#include "StagingText.h"
#include "cudaopt/Source/Edits.h"
#include "cudaopt/Source/SourceText.h"
#include "cudaopt/Support/Nodes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ParentMapContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include <set>

using namespace clang;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace cudaopt {
namespace {

/// Expressions, and the texts that stand in their place.
using Replacements = std::vector<std::pair<const Expr *, std::string>>;

/// Edits one loop.
class StagingEditor {
public:
  StagingEditor(const RowWalk &Walk, const TileShape &Tile, unsigned Number,
                const Kernel &K, ASTContext &Context, Edits &All)
      : Walk(Walk), Number(Number), K(K), Context(Context),
        SM(Context.getSourceManager()), All(All) {
    Loop.Tile = Tile;
  }

  Error run();

private:
  Error checkNames();
  SourceLocation findSemicolon(const Stmt &S) const;
  Error readRows();
  Error readStores();
  Error readHead();
  Error read();
  Error edit();
  Expected<std::string> writeTypeOf(const Expr *Element) const;
  Expected<std::string> takeText(SourceRange Range,
                                 const Replacements &Replaced = {}) const;
  Expected<std::string> takeLine(const Stmt *Of,
                                 const Replacements &Replaced = {}) const;
  Expected<std::string> takeAt(const Expr *Place, StringRef Column) const;
  std::string makeName(const llvm::Twine &Wanted);
  std::optional<CharSourceRange> rangeOf(SourceRange Range) const {
    return getEditableRange(Range, Walk.Loop->getForLoc(), Context);
  }
  std::string lastColumn() const;

  const RowWalk &Walk;
  const unsigned Number; ///< Of the walk in its kernel.
  const Kernel &K;
  ASTContext &Context;
  const SourceManager &SM;
  Edits &All;
  std::set<std::string> Taken; ///< Names.
  llvm::StringSet<> Inner;     ///< Names that the body of the loop declares.
  StagedLoop Loop;
  Replacements Staged; ///< The elements that the loop loads.
};

} // namespace

static Error fail(const llvm::Twine &Why) {
  return llvm::createStringError(Why);
}

/// Moves \p Text to \p To, unless it is an error, which is returned.
static Error store(std::string &To, Expected<std::string> Text) {
  if (!Text)
    return Text.takeError();
  To = std::move(*Text);
  return Error::success();
}

/// Returns the last column, as the counter holds it: the subscript is computed
/// in its type.
std::string StagingEditor::lastColumn() const {
  const bool IsSame =
      !K.Decl->isDependentContext() &&
      Context.hasSameUnqualifiedType(Walk.End->IgnoreParenImpCasts()->getType(),
                                     Walk.Counter->getType());
  return (IsSame ? "" : "(" + Loop.Type + ")") + "(" + Loop.End +
         (Walk.IncludesEnd ? ")" : " - 1)");
}

/// Returns the semicolon behind \p S, an invalid location if it ends with a
/// brace.
SourceLocation StagingEditor::findSemicolon(const Stmt &S) const {
  if (isa<CompoundStmt>(S))
    return {};
  const auto Next =
      Lexer::findNextToken(S.getEndLoc(), SM, Context.getLangOpts());
  return Next && Next->is(tok::semi) ? Next->getLocation() : SourceLocation();
}

/// Returns a name that nothing in the translation unit has, nor another staged
/// loop of the kernel: \p Wanted, or something like it.
std::string StagingEditor::makeName(const llvm::Twine &Wanted) {
  std::string Base = Wanted.str();
  while (true) {
    std::string Name = Base + (Number ? llvm::utostr(Number + 1) : "");
    if (Context.Idents.find(Name) == Context.Idents.end() &&
        Taken.insert(Name).second)
      return Name;
    Base += "_";
  }
}

/// Returns the text of \p Range, with the edits that are made already.
Expected<std::string>
StagingEditor::takeText(SourceRange Range, const Replacements &Replaced) const {
  Edits Own = All;
  for (const auto &[Old, New] : Replaced) {
    const auto At = rangeOf(Old->getSourceRange());
    if (!At)
      return fail("a macro writes '" + getWrittenText(Old, Context) + "'");
    if (Error Failed = Own.replace(*At, New))
      return Failed;
  }
  const auto Whole = rangeOf(Range);
  if (!Whole)
    return fail("a macro or a directive stands in the loop");
  return Own.take(*Whole);
}

/// Returns the identifiers and numbers of \p Text.
static llvm::SmallVector<StringRef, 8> splitWords(StringRef Text) {
  llvm::SmallVector<StringRef, 8> Words;
  const auto isPart = [](char C) { return llvm::isAlnum(C) || C == '_'; };
  while (!(Text = Text.drop_until(isPart)).empty()) {
    Words.push_back(Text.take_while(isPart));
    Text = Text.drop_front(Words.back().size());
  }
  return Words;
}

/// The same of a part that is to stand on one line, in front of the loop.
Expected<std::string>
StagingEditor::takeLine(const Stmt *Of, const Replacements &Replaced) const {
  Expected<std::string> Text = takeText(Of->getSourceRange(), Replaced);
  if (Text &&
      (StringRef(*Text).contains('\n') || StringRef(*Text).contains("//")))
    return fail("'" + StringRef(*Text).split('\n').first +
                "' has more than one line");
  if (Text)
    for (StringRef Word : splitWords(*Text))
      if (Inner.contains(Word))
        return fail("'" + Word + "' is declared in the loop");
  return Text;
}

/// Returns the text of \p Place with \p Column in place of the counter.
Expected<std::string> StagingEditor::takeAt(const Expr *Place,
                                            StringRef Column) const {
  Replacements Replaced;
  forEachNode(Place, [&](const DynTypedNode &N) {
    const auto *Ref = N.get<DeclRefExpr>();
    if (Ref && Ref->getDecl()->getLocation() == Walk.Counter->getLocation())
      Replaced.push_back({Ref, Column.str()});
  });
  return takeLine(Place, Replaced);
}

/// Returns true if \p Instance has a type with qualifiers as an argument.
static bool hasQualifiedArgument(const FunctionDecl &Instance) {
  const TemplateArgumentList *Arguments =
      Instance.getTemplateSpecializationArgs();
  return Arguments && llvm::any_of(Arguments->asArray(), [](const auto &Each) {
           return Each.getKind() == TemplateArgument::Type &&
                  Each.getAsType().hasQualifiers();
         });
}

/// Returns the node of the template's text that stands where \p Instance does
/// in an instance; null if there is none of that kind.
template <typename Node, typename Range>
static const Node *findInPattern(const FunctionDecl &Pattern,
                                 const Range &Instance) {
  const Node *Found = nullptr;
  forEachNode(Pattern.getBody(), [&](const DynTypedNode &N) {
    const auto *Each = N.get<Node>();
    if (Each && !Found && Each->getSourceRange() == Instance.getSourceRange())
      Found = Each;
  });
  return Found;
}

/// Returns the type of \p Element as it can be written in front of the loop: a
/// type of the language, or a parameter of the template.
Expected<std::string> StagingEditor::writeTypeOf(const Expr *Element) const {
  QualType Type = Element->getType().getCanonicalType().getUnqualifiedType();
  if (K.Decl->isDependentContext()) {
    const Expr *Written = findInPattern<ArraySubscriptExpr>(*K.Decl, *Element);
    if (!Written)
      Written = findInPattern<UnaryOperator>(*K.Decl, *Element);
    QualType Own = Written ? Written->getType() : Context.DependentTy;
    if (Own->isDependentType()) {
      const auto *Parameter = Own->getAs<TemplateTypeParmType>();
      if (!Parameter)
        return fail("the type of '" + getWrittenText(Element, Context) +
                    "' is not written in the template");
      for (const auto &Instance : K.Instances)
        if (hasQualifiedArgument(*Instance->Decl))
          return fail("an argument of the template is const or volatile");
      Type = Own.getUnqualifiedType();
    }
  }
  return Type.getAsString(Context.getPrintingPolicy());
}

/// Returns the name of the pointer or array that \p Element is a part of.
static StringRef nameOf(const Expr *Element) {
  StringRef Name = "row";
  forEachNode(Element, [&](const DynTypedNode &N) {
    const auto *Ref = N.get<DeclRefExpr>();
    if (Ref && Name == "row" && Ref->getDecl()->getIdentifier() &&
        (Ref->getType()->isPointerType() || Ref->getType()->isArrayType()))
      Name = Ref->getDecl()->getName();
  });
  return Name;
}

/// Reads how the text names the rows of the loop.
Error StagingEditor::readRows() {
  Loop.Rows.resize(Walk.NumRows);
  for (const RowLoad &Each : Walk.Loads) {
    StagedRow &Row = Loop.Rows[Each.Row];
    if (Row.Element.empty()) {
      if (Error Failed = store(Row.Element, takeAt(Each.Element, Loop.Begin)))
        return Failed;
      if (Error Failed = store(Row.Type, writeTypeOf(Each.Element)))
        return Failed;
      const StringRef Name = nameOf(Each.Element);
      Row.Tile = makeName(Name + "_tile");
      Row.Row = makeName(Name + "_row");
      Row.First = makeName(Name + "_first");
      Row.Pitch = makeName(Name + "_pitch");
      Row.From = makeName(Name + "_from");
      Row.Next = makeName(Name + "_next");
    }
    if (Each.MayWrap)
      if (Error Failed = store(Row.Last, takeAt(Each.Element, lastColumn())))
        return Failed;
    Staged.push_back(
        {Each.Element,
         llvm::formatv("{0}[{1}][{2}][{3} - {4}]", Row.Tile, Loop.Warp,
                       Loop.Lane, Walk.Counter->getName(), Loop.Begin)});
  }
  return Error::success();
}

Error StagingEditor::readStores() {
  for (const Expr *Place : Walk.Stores) {
    StagedStore Store;
    if (Error Failed = store(Store.First, takeAt(Place, Loop.Begin)))
      return Failed;
    if (Error Failed = store(Store.Last, takeAt(Place, lastColumn())))
      return Failed;
    Loop.Stores.push_back(std::move(Store));
  }
  return Error::success();
}

/// Reads the first column, the bound, and the loop over the columns of a tile.
Error StagingEditor::readHead() {
  const ForStmt *For = Walk.Loop;
  if (Error Failed = store(Loop.First, takeLine(Walk.First)))
    return Failed;
  if (Error Failed = store(Loop.End, takeLine(Walk.End)))
    return Failed;
  if (!isa<DeclRefExpr, IntegerLiteral>(Walk.End->IgnoreImpCasts()))
    Loop.End = "(" + Loop.End + ")";
  std::string Init, Step;
  if (Error Failed =
          store(Init, takeLine(For->getInit(), {{Walk.First, Loop.Begin}})))
    return Failed;
  if (Error Failed = store(Step, takeLine(For->getInc())))
    return Failed;
  Loop.Head = llvm::formatv("for ({0}; {1} < {2} + {3}; {4})",
                            StringRef(Init).rtrim(";"), Walk.Counter->getName(),
                            Loop.Begin, Loop.Tile.Columns, Step);
  return Error::success();
}

Error StagingEditor::read() {
  Loop.IncludesEnd = Walk.IncludesEnd;
  Loop.Begin = makeName(Walk.Counter->getName() + "_begin");
  Loop.Warp = makeName("warp");
  Loop.Lane = makeName("lane");
  Loop.Turn = makeName("turn");
  Loop.Indent = Lexer::getIndentationForLine(Walk.Loop->getBeginLoc(), SM);
  Loop.Type = Walk.Counter->getType()
                  .getCanonicalType()
                  .getUnqualifiedType()
                  .getAsString(Context.getPrintingPolicy());
  if (Error Failed = readHead())
    return Failed;
  if (Error Failed = readRows())
    return Failed;
  if (Error Failed = readStores())
    return Failed;
  const Stmt *Body = Walk.Loop->getBody();
  Loop.IsBlock = isa<CompoundStmt>(Body);
  if (Error Failed = store(Loop.Body, takeText(Body->getSourceRange(), Staged)))
    return Failed;
  if (findSemicolon(*Body).isValid())
    Loop.Body += ";";
  return Error::success();
}

/// Puts the staged loop in front of the original one, which goes on behind it.
Error StagingEditor::edit() {
  const DynTypedNodeList Parents = Context.getParents(*Walk.Loop);
  if (!Parents.empty() && Parents[0].get<AttributedStmt>())
    return fail("a directive tells how to compile the loop");
  const auto *Around =
      Parents.empty() ? nullptr : Parents[0].get<CompoundStmt>();
  const DynTypedNodeList Outer =
      Around ? Context.getParents(*Around) : DynTypedNodeList(Parents);
  const bool IsInBlock =
      Around && (Outer.empty() || !Outer[0].get<SwitchStmt>());
  const auto Start = rangeOf(SourceRange(Walk.Loop->getForLoc()));
  const auto First = rangeOf(Walk.First->getSourceRange());
  if (!Start || !First)
    return fail("a macro writes the loop");
  Edits Own = All;
  if (Error Failed =
          Own.insert(Start->getBegin(), (IsInBlock ? "" : "{\n" + Loop.Indent) +
                                            writeStaging(Loop)))
    return Failed;
  if (Error Failed = Own.replace(*First, Loop.Begin))
    return Failed;
  if (!IsInBlock) {
    const SourceLocation Last = findSemicolon(*Walk.Loop->getBody());
    const auto End =
        rangeOf(SourceRange(Last.isValid() ? Last : Walk.Loop->getEndLoc()));
    if (!End)
      return fail("a macro ends the loop");
    if (Error Failed = Own.insert(End->getEnd(), "\n" + Loop.Indent + "}"))
      return Failed;
  }
  All = std::move(Own);
  return Error::success();
}

/// Fails if the new text would mean something else where it stands.
Error StagingEditor::checkNames() {
  bool HasLabel = false, HidesBuiltin = false;
  const auto isBuiltin = [](const NamedDecl &D) {
    return D.getIdentifier() &&
           (D.getName() == "threadIdx" || D.getName() == "blockDim");
  };
  forEachNode(K.Decl->getBody(), [&](const DynTypedNode &N) {
    HasLabel |= N.get<LabelStmt>() != nullptr;
    const auto *D = N.get<NamedDecl>();
    HidesBuiltin |= D && isBuiltin(*D);
  });
  if (HasLabel)
    return fail("the kernel has a label, which a jump may come to");
  if (HidesBuiltin || llvm::any_of(K.Decl->parameters(), [&](const auto *P) {
        return isBuiltin(*P);
      }))
    return fail("the kernel declares 'threadIdx' or 'blockDim'");
  const VarDecl *Varying = nullptr;
  if (K.Decl->isDependentContext()) {
    Varying = findInPattern<VarDecl>(*K.Decl, *Walk.Counter);
    if (!Varying || Varying->getType()->isDependentType())
      return fail("the template decides the type of the counter");
  }
  bool Imports = false;
  forEachNode(Walk.Loop->getBody(), [&](const DynTypedNode &N) {
    const auto *D = N.get<Decl>();
    Imports |= D && isa<UsingDecl, UsingDirectiveDecl, UsingEnumDecl>(D);
    if (const auto *Named = dyn_cast_or_null<NamedDecl>(D))
      Inner.insert(Named->getNameAsString());
  });
  return Imports ? fail("the loop has a using declaration") : Error::success();
}

Error StagingEditor::run() {
  if (Error Failed = checkNames())
    return Failed;
  if (Error Failed = read())
    return Failed;
  for (StringRef Word : splitWords(Loop.Body))
    if (Word == "__LINE__" || Word == "__COUNTER__")
      return fail("'" + Word + "' would have another value");
  return edit();
}

Error stageRows(const RowWalk &Walk, const TileShape &Tile, unsigned Number,
                const Kernel &K, ASTContext &Context, Edits &All) {
  return StagingEditor(Walk, Tile, Number, K, Context, All).run();
}

} // namespace cudaopt
