// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Writes variables that share bytes into unions.
///
/// Each variable keeps its name, as a reference to the union's member, so that
/// no use of it changes. Where a reference will not do (lambdas would copy the
/// array, local classes cannot name it, `decltype` would see the reference),
/// the use names the member itself. Arrays that become private are declared
/// without extents, and lose their subscripts. There is no `__restrict__`, and
/// one object for each group: what does not share bytes stays separate objects
/// for the compiler's alias analysis. What no compiler accepts as static memory
/// becomes `extern`.
//===----------------------------------------------------------------------===//

#include "DeclarationEdit.h"
#include "InstanceAssertion.h"
#include "LaunchEdit.h"
#include "PrivateEdit.h"
#include "SpecialUses.h"
#include "cudaopt/IR/OwnDeclarations.h"
#include "cudaopt/Rewrite/RewriteKernel.h"
#include "cudaopt/Source/Line.h"
#include "cudaopt/Source/StorageDeclaration.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/CharInfo.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;
using llvm::Error;
using llvm::StringRef;

namespace cudaopt {

namespace {

/// Writes all objects of one kernel. An object is a union or struct in shared
/// memory that several variables become members of.
class ReuseRewriter {
public:
  ReuseRewriter(const Kernel &K, const ReuseDecision &Reuse,
                ASTContext &Context, Edits E)
      : K(K), Reuse(Reuse), Context(Context), SM(Context.getSourceManager()),
        E(std::move(E)) {}

  Error run();
  Edits takeEdits() { return std::move(E); }

private:
  using Variables = llvm::SmallVector<unsigned, 8>;

  llvm::Expected<unsigned> findDeclaration(const VarDecl *Var);
  Error findDeclarations();
  bool isPrivate(const VarDecl *Var) const;
  bool isDynamic(const StorageNode &Object) const {
    return !Reuse.Launches.empty() && &Object == &Reuse.Objects.back();
  }
  Error write(const StorageNode &Object);
  llvm::Expected<SourceLocation> findPlace(const Variables &Members);
  llvm::Expected<SourceLocation> findFilePlace(const Variables &Members) const;
  Error writeStatements();
  Error writeBarriers();
  Error writeSpecialUses();
  void nameMembers(const Variables &Members);
  Error checkPlace(SourceLocation Place, const Variables &Members) const;
  bool isLocal(const Variables &Members) const {
    return llvm::all_of(Members, [&](unsigned V) {
      return ownerOf(V) == ownerOf(Members.front());
    });
  }
  const FunctionDecl *ownerOf(unsigned V) const {
    return Reuse.Variables[V].owner();
  }
  llvm::Expected<const Stmt *> findFirstStatement(const Variables &Members);
  std::string writeTree(const StorageNode &Tree, const std::string &Indent,
                        StringRef Break);
  std::string chooseName(StringRef Stem) const;
  const StorageDeclaration &declarationOf(unsigned Variable) const {
    return Declarations[Of.lookup(Variable)];
  }
  const StorageDeclaration::Declarator &declaratorOf(unsigned Variable) const {
    return *llvm::find_if(declarationOf(Variable).Declarators,
                          [&](const auto &D) {
                            return D.Decl == Reuse.Variables[Variable].Decl;
                          });
  }

  const Kernel &K;
  const ReuseDecision &Reuse;
  ASTContext &Context;
  const SourceManager &SM;
  Edits E;
  std::vector<StorageDeclaration> Declarations;
  /// The declaration of each variable, as an index.
  llvm::DenseMap<unsigned, unsigned> Of;
  /// The object of each variable, and the variable's name in it.
  std::map<unsigned, std::string> ObjectNames, MemberNames;
  std::vector<std::string> GapNames;
  /// The text that goes in front of each statement.
  std::map<SourceLocation, std::string> Fronts;
};

} // namespace

/// Returns the index of the declaration of \p Var, reading it if it is new.
llvm::Expected<unsigned> ReuseRewriter::findDeclaration(const VarDecl *Var) {
  llvm::Expected<StorageDeclaration> D = findStorageDeclaration(
      Var, cast<FunctionDecl>(Var->getParentFunctionOrMethod())->getBody(),
      Context);
  if (!D)
    return D.takeError();
  auto Known = llvm::find_if(Declarations, [&](const auto &Other) {
    return Other.Statement == D->Statement;
  });
  const unsigned Number = Known - Declarations.begin();
  if (Known == Declarations.end())
    Declarations.push_back(std::move(*D));
  return Number;
}

Error ReuseRewriter::findDeclarations() {
  Variables All;
  for (const StorageNode &Object : Reuse.Objects)
    llvm::append_range(All, listVariables(Object));
  for (unsigned V : All) {
    llvm::Expected<unsigned> Number = findDeclaration(Reuse.Variables[V].Decl);
    if (!Number)
      return Number.takeError();
    Of[V] = *Number;
  }
  for (ArrayId Array : Reuse.Private)
    if (auto Number = findDeclaration(K.Arrays[Array].Decl); !Number)
      return Number.takeError();
  return Error::success();
}

bool ReuseRewriter::isPrivate(const VarDecl *Var) const {
  return llvm::any_of(Reuse.Private, [&](ArrayId Array) {
    return K.Arrays[Array].Decl->getLocation() == Var->getLocation();
  });
}

//===----------------------------------------------------------------------===//
// Where an object may stand
//===----------------------------------------------------------------------===//

/// Returns the statement in front of which all of \p Members can be declared:
/// it is in the innermost block around them all.
llvm::Expected<const Stmt *>
ReuseRewriter::findFirstStatement(const Variables &Members) {
  const StorageDeclaration *First = &declarationOf(Members.front());
  auto isAround = [&](const CompoundStmt *Block, const StorageDeclaration &D) {
    return Block->getLBracLoc() <= D.Block->getLBracLoc() &&
           D.Block->getRBracLoc() <= Block->getRBracLoc();
  };
  for (unsigned V : Members)
    if (declarationOf(V).Range.getBegin() < First->Range.getBegin())
      First = &declarationOf(V);
  if (llvm::all_of(Members, [&](unsigned V) {
        return isAround(First->Block, declarationOf(V));
      }))
    return First->Statement;
  const Stmt *Body = ownerOf(Members.front())->getBody();
  for (const Stmt *S : cast<CompoundStmt>(Body)->body())
    if (SM.isPointWithin(First->Range.getBegin(), S->getBeginLoc(),
                         S->getEndLoc()))
      return S;
  return llvm::createStringError("there is no place for them all");
}

/// Returns the place in front of the first function that declares one of
/// \p Members, for an object that several functions share.
llvm::Expected<SourceLocation>
ReuseRewriter::findFilePlace(const Variables &Members) const {
  const FunctionDecl *First = ownerOf(Members.front());
  // The object is named after the kernel, since other kernels may have objects
  // in the same place.
  if (!K.Decl->getDeclContext()->lookup(K.Decl->getDeclName()).isSingleResult())
    return llvm::createStringError("several functions have the kernel's name");
  for (unsigned V : Members) {
    const FunctionDecl *Owner = ownerOf(V);
    if (Owner->getDeclContext()->getRedeclContext() !=
        First->getDeclContext()->getRedeclContext())
      return llvm::createStringError("they are declared in several namespaces");
    if (Owner->getLocation() < First->getLocation())
      First = Owner;
  }
  const SourceLocation Begin = SM.getExpansionLoc(First->getBeginLoc());
  return findFirstToken(SM.getLocForStartOfFile(SM.getFileID(Begin)), Begin,
                        Context);
}

llvm::Expected<SourceLocation>
ReuseRewriter::findPlace(const Variables &Members) {
  if (!isLocal(Members))
    return findFilePlace(Members);
  llvm::Expected<const Stmt *> First = findFirstStatement(Members);
  if (!First)
    return First.takeError();
  for (const StorageDeclaration &D : Declarations)
    if (D.Statement == *First)
      return D.Range.getBegin();
  return (*First)->getBeginLoc();
}

/// Returns true if \p Text contains \p Word as a whole word.
static bool hasWord(StringRef Text, StringRef Word) {
  for (size_t At = Text.find(Word); At != StringRef::npos;
       At = Text.find(Word, At + 1)) {
    const size_t End = At + Word.size();
    if ((At == 0 || !isAsciiIdentifierContinue(Text[At - 1])) &&
        (End == Text.size() || !isAsciiIdentifierContinue(Text[End])))
      return true;
  }
  return false;
}

/// Checks that the names in the declarations of \p Members (constants in
/// extents, types) mean the same at \p Place, which is in front of these.
Error ReuseRewriter::checkPlace(SourceLocation Place,
                                const Variables &Members) const {
  auto [File, Begin] = SM.getDecomposedLoc(Place);
  const StringRef Buffer = SM.getBufferData(File);
  // The declarations that a moved text might name.
  std::vector<const NamedDecl *> Names =
      isLocal(Members) ? nodesIn<NamedDecl>(ownerOf(Members.front())->getBody())
                       : ownNodes<NamedDecl>(Context);
  llvm::erase_if(Names, [](const NamedDecl *D) {
    return !D->getIdentifier() || isOfSystem(D);
  });
  for (unsigned V : Members) {
    const StorageDeclaration &D = declarationOf(V);
    const CharSourceRange &Range = declaratorOf(V).Range;
    auto [OwnFile, End] = SM.getDecomposedLoc(Range.getEnd());
    if (OwnFile != File)
      return llvm::createStringError("they are declared in several files");
    for (StringRef Rest = Buffer.slice(Begin, End); !Rest.empty();) {
      auto [Line, After] = Rest.split('\n');
      if (Line.ltrim().starts_with("#"))
        return llvm::createStringError(
            "a directive of the preprocessor stands between them");
      Rest = After;
    }
    const StringRef Dimensions =
        Buffer.slice(SM.getFileOffset(Range.getBegin()), End)
            .drop_front(Reuse.Variables[V].Name.size());
    for (const NamedDecl *Name : Names) {
      SourceLocation Loc = SM.getFileLoc(Name->getLocation());
      if (Loc < Place || Range.getEnd() < Loc)
        continue;
      if (hasWord(D.Specifiers, Name->getName()) ||
          hasWord(Dimensions, Name->getName()))
        return llvm::createStringError(
            "the declaration of '" + Reuse.Variables[V].Name + "' names '" +
            Name->getName() + "', which is declared too late");
    }
  }
  return Error::success();
}

/// Returns \p Stem, with a number if that name is taken.
std::string ReuseRewriter::chooseName(StringRef Stem) const {
  for (unsigned Number = 1;; ++Number) {
    std::string Name = Stem.str() + (Number == 1 ? "" : std::to_string(Number));
    if (Context.Idents.find(Name) == Context.Idents.end() &&
        !llvm::is_contained(GapNames, Name) &&
        llvm::none_of(ObjectNames,
                      [&](const auto &Other) { return Other.second == Name; }))
      return Name;
  }
}

/// Chooses the names of the members: variables of different blocks may have one
/// name.
void ReuseRewriter::nameMembers(const Variables &Members) {
  llvm::StringSet<> Used, Seen;
  for (unsigned V : Members)
    Used.insert(Reuse.Variables[V].Name);
  for (unsigned V : Members) {
    std::string Name = Reuse.Variables[V].Name;
    if (!Seen.insert(Name).second)
      for (unsigned Number = 2; !Used.insert(Name).second; ++Number)
        Name = Reuse.Variables[V].Name + std::to_string(Number);
    MemberNames[V] = Name;
  }
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// Returns the text of a group as a union or struct, with its members. The
/// declarators take their pending edits with them.
std::string ReuseRewriter::writeTree(const StorageNode &Tree,
                                     const std::string &Indent,
                                     StringRef Break) {
  if (Tree.What == StorageNode::Kind::Variable) {
    const StringRef Old = Reuse.Variables[Tree.Variable].Name;
    std::string Declarator = E.take(declaratorOf(Tree.Variable).Range);
    Declarator.replace(0, Old.size(), MemberNames.at(Tree.Variable));
    return Indent + declarationOf(Tree.Variable).Specifiers + Declarator + ";" +
           Break.str();
  }
  if (Tree.What == StorageNode::Kind::Gap) {
    GapNames.push_back(chooseName("gap"));
    return Indent + "unsigned char " + GapNames.back() + "[" +
           std::to_string(Tree.Bytes) + "];" + Break.str();
  }
  const bool IsUnion = Tree.What == StorageNode::Kind::Alternatives;
  std::string Text = (IsUnion ? "union {" : "struct {") + Break.str();
  for (const StorageNode &Member : Tree.Members) {
    const bool IsGroup = !Member.Members.empty();
    Text += (IsGroup ? Indent + "  " : "") +
            writeTree(Member, Indent + "  ", Break) +
            (IsGroup ? ";" + Break.str() : "");
  }
  return Text + Indent + "}";
}

/// Notes the text of \p Object for the statement that it goes in front of.
Error ReuseRewriter::write(const StorageNode &Object) {
  const Variables Members = listVariables(Object);
  llvm::Expected<SourceLocation> Found = findPlace(Members);
  if (!Found)
    return Found.takeError();
  const SourceLocation Place = *Found;
  std::optional<LineStyle> Line = findLineStart(Place, SM);
  if (!Line)
    return llvm::createStringError("no line begins with the first of them");
  if (Error Failed = checkPlace(Place, Members))
    return Failed;
  nameMembers(Members);
  const std::string Tree = writeTree(Object, Line->Indent.str(), Line->Break);
  if (isDynamic(Object)) {
    // The object's name is a cast: a lambda would copy a reference together
    // with the object.
    const std::string Type = chooseName("Dynamic"),
                      Name =
                          chooseName("dynamic_of_" + K.Decl->getNameAsString());
    for (unsigned V : Members)
      ObjectNames[V] = "reinterpret_cast<" + Type + " &>(" + Name + ")";
    Fronts[Place] +=
        "struct " + Type + Tree.substr(StringRef("struct").size()) + ";" +
        Line->next() + "extern __shared__ __align__(16) unsigned char " + Name +
        "[];" + Line->next();
    return Error::success();
  }
  const std::string Name = chooseName(
      isLocal(Members) ? "reused" : "reused_by_" + K.Decl->getNameAsString());
  for (unsigned V : Members)
    ObjectNames[V] = Name;
  Fronts[Place] += std::string(isLocal(Members) ? "" : "static ") +
                   "__shared__ " + Tree + " " + Name + ";" + Line->next();
  return Error::success();
}

/// Replaces each declaration by its references, and inserts the objects in
/// front.
Error ReuseRewriter::writeStatements() {
  for (const StorageDeclaration &D : Declarations) {
    std::optional<LineStyle> Line = findLineStart(D.Range.getBegin(), SM);
    const std::string Separator = Line ? Line->next() : std::string(" ");
    llvm::SmallVector<std::string, 4> Statements;
    std::string Kept, Private;
    for (const StorageDeclaration::Declarator &Each : D.Declarators) {
      auto Moved = llvm::find_if(ObjectNames, [&](const auto &Entry) {
        return Reuse.Variables[Entry.first].Decl == Each.Decl;
      });
      const std::string Name = Each.Decl->getNameAsString();
      if (Moved != ObjectNames.end())
        Statements.push_back("auto &" + Name + " = " + Moved->second + "." +
                             MemberNames.at(Moved->first) + ";");
      else if (isPrivate(Each.Decl))
        Private += (Private.empty() ? D.Specifiers : ", ") + Name;
      else
        Kept += (Kept.empty() ? "__shared__ " + D.Specifiers : ", ") +
                E.take(Each.Range);
    }
    if (!Private.empty())
      Statements.insert(Statements.begin(), Private + ";");
    if (!Kept.empty())
      Statements.insert(Statements.begin(), Kept + ";");
    std::string Text =
        Fronts[D.Range.getBegin()] + llvm::join(Statements, Separator);
    Fronts.erase(D.Range.getBegin());
    if (Error Failed = E.replace(D.Range, Text))
      return Failed;
  }
  for (const auto &[Place, Text] : Fronts)
    if (Error Failed = E.insert(Place, Text))
      return Failed;
  return Error::success();
}

/// In lambdas, local classes and `decltype`: `a` -> `reused.a`.
Error ReuseRewriter::writeSpecialUses() {
  llvm::SmallSetVector<const FunctionDecl *, 4> Owners;
  for (const auto &[V, _] : ObjectNames)
    Owners.insert(ownerOf(V));
  const SpecialUses Uses = findSpecialUses(Owners.getArrayRef());
  auto findMoved = [&](const DeclRefExpr *Ref) {
    return llvm::find_if(ObjectNames, [&](const auto &Entry) {
      return Reuse.Variables[Entry.first].Decl == Ref->getDecl();
    });
  };
  for (const DeclRefExpr *Ref : Uses.InConstants)
    if (findMoved(Ref) != ObjectNames.end())
      return llvm::createStringError("'" + Ref->getDecl()->getName() +
                                     "' is part of a constant expression");
  for (const DeclRefExpr *Ref : Uses.ByMember)
    if (auto Moved = findMoved(Ref); Moved != ObjectNames.end())
      if (Error Failed =
              E.replace(CharSourceRange::getTokenRange(Ref->getLocation()),
                        Moved->second + "." + MemberNames.at(Moved->first)))
        return Failed;
  return Error::success();
}

Error ReuseRewriter::writeBarriers() {
  for (const Stmt *Next : Reuse.NewBarriers) {
    std::optional<LineStyle> Line = findLineStart(Next->getBeginLoc(), SM);
    if (!Line)
      return llvm::createStringError(
          "no line begins where a barrier is needed");
    if (Error Failed =
            E.insert(Next->getBeginLoc(), "__syncthreads();" + Line->next()))
      return Failed;
  }
  return Error::success();
}

Error ReuseRewriter::run() {
  if (Error Failed = findDeclarations())
    return Failed;
  for (const StorageNode &Object : Reuse.Objects)
    if (Error Failed = write(Object))
      return Failed;
  if (Error Failed = writeStatements())
    return Failed;
  for (ArrayId Array : Reuse.Private)
    if (Error Failed = editPrivateUses(K, Array, Context, E))
      return Failed;
  if (Error Failed = writeSpecialUses())
    return Failed;
  if (Error Failed = editLaunches(Reuse.Launches, Context, E))
    return Failed;
  return writeBarriers();
}

Error rewriteReuse(const Kernel &K, const ReuseDecision &Reuse,
                   ASTContext &Context, Edits &E) {
  Edits Cut = E;
  for (const TrimmedArray &Each : Reuse.Trimmed)
    if (Error Failed = editOutermostExtent(K.Arrays[Each.Array], Each.Extent,
                                           Context, Cut))
      return Failed;
  ReuseRewriter Rewriter(K, Reuse, Context, std::move(Cut));
  if (Error Failed = Rewriter.run())
    return Failed;
  Edits All = Rewriter.takeEdits();
  if (Error Failed = assertInstances(K, K.Name, Context, All))
    return Failed;
  E = std::move(All);
  return Error::success();
}

} // namespace cudaopt
