// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds the host loops of the main file.
//===----------------------------------------------------------------------===//

#include "cudaopt/Model/HostLoop.h"
#include "HostLoopBuilder.h"

#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;
using llvm::ArrayRef;
using llvm::StringRef;

namespace cudaopt {
namespace {

/// Visits the functions of the main file, and their loops.
class LoopFinder : public RecursiveASTVisitor<LoopFinder> {
public:
  LoopFinder(ASTContext &Context, LevelizeChoice Choice,
             ArrayRef<SourceLocation> Errors)
      : Context(Context), SM(Context.getSourceManager()), Choice(Choice),
        Errors(Errors) {}

  bool VisitFunctionDecl(FunctionDecl *F) {
    const auto *Method = dyn_cast<CXXMethodDecl>(F);
    if (!F->doesThisDeclarationHaveABody() || F->isImplicit() ||
        (Method && Method->getParent()->isLambda()) ||
        !SM.isWrittenInMainFile(SM.getExpansionLoc(F->getLocation())))
      return true;
    Function = F;
    search(F->getBody(), {});
    return true;
  }

  std::vector<HostLoop> Loops;

private:
  /// Where a statement stands.
  struct Place {
    bool IsInLambda = false, IsInMarked = false, IsInBlock = false;
  };
  void search(const Stmt *S, Place P);
  void addMarked(const AttributedStmt *S, StringRef Text, Place P);
  bool addUnmarked(const ForStmt *S, Place P);
  Blocker findPlaceBlocker(const Stmt *S, bool IsInLambda) const;
  Blocker findTextBlocker(const Stmt *S) const;

  ASTContext &Context;
  const SourceManager &SM;
  const LevelizeChoice Choice;
  ArrayRef<SourceLocation> Errors;
  const FunctionDecl *Function = nullptr;
};

} // namespace

/// True for `if (... cudaopt::run_levelized(...) ...) {}`, which a rewrite
/// left.
static bool callsRuntime(const Stmt *S) {
  if (const auto *Call = dyn_cast<CallExpr>(S))
    if (const FunctionDecl *F = Call->getDirectCallee())
      if (const auto *Space = dyn_cast<NamespaceDecl>(F->getDeclContext()))
        if (Space->getName() == "cudaopt")
          return true;
  return llvm::any_of(S->children(), [](const Stmt *Child) {
    return Child && callsRuntime(Child);
  });
}

void LoopFinder::search(const Stmt *S, Place P) {
  if (const auto *Lambda = dyn_cast<LambdaExpr>(S)) {
    P.IsInLambda = true;
    search(Lambda->getBody(), P);
    return;
  }
  if (const auto *Marked = dyn_cast<AttributedStmt>(S))
    if (std::optional<StringRef> Text = findMark(Marked)) {
      addMarked(Marked, *Text, P);
      P.IsInMarked = true;
      S = Marked->getSubStmt();
    }
  // `if consteval` has no condition.
  if (const auto *If = dyn_cast<IfStmt>(S);
      If && If->getCond() && callsRuntime(If->getCond()))
    return;
  if (const auto *For = dyn_cast<ForStmt>(S))
    if (Choice != LevelizeChoice::Marked && !P.IsInMarked && !P.IsInLambda &&
        addUnmarked(For, P))
      return;
  P.IsInBlock = isa<CompoundStmt>(S);
  for (const Stmt *Child : S->children())
    if (Child)
      search(Child, P);
}

void LoopFinder::addMarked(const AttributedStmt *S, StringRef Text, Place P) {
  HostLoop &L = Loops.emplace_back();
  L.Function = Function;
  L.Marked = S;
  L.IsInBlock = P.IsInBlock;
  const SourceLocation Loc = S->getSubStmt()->getBeginLoc();
  L.Loop = dyn_cast<ForStmt>(S->getSubStmt());
  L.WhyNot = findPlaceBlocker(S, P.IsInLambda);
  if (L.isUnderstood() && P.IsInMarked)
    L.WhyNot = {Reason::LoopAgain, "", Loc};
  llvm::Expected<HostLoopMark> Mark = parseMark(Text);
  if (!Mark) {
    L.WhyNot = {Reason::LoopMark, toString(Mark.takeError()), Loc};
    return;
  }
  L.Mark = std::move(*Mark);
  if (L.isUnderstood() && !L.Loop)
    L.WhyNot = {isa<CXXForRangeStmt>(S->getSubStmt()) ? Reason::LoopRangeFor
                                                      : Reason::LoopNotFor,
                "", Loc};
  if (L.isUnderstood())
    HostLoopBuilder(L, Context).build();
}

/// True if the value of \p V is part of a subscript or of an inner loop's head.
static bool selects(const Stmt *S, const VarDecl *V, bool IsSubscript) {
  if (const auto *Use = dyn_cast<DeclRefExpr>(S))
    return IsSubscript && Use->getDecl() == V;
  if (const auto *E = dyn_cast<Expr>(S))
    if (std::optional<HostElement> Element = getHostElement(E);
        Element && Element->Subscript)
      return selects(Element->Subscript, V, true);
  return llvm::any_of(S->children(), [&](const Stmt *Child) {
    return Child && selects(Child, V, IsSubscript);
  });
}

/// True if a subscript of a written array, or what it depends on, is read from
/// an array.
static bool isIndirect(const HostLoop &L) {
  auto readsArray = [&](const Expr *Subscript) {
    return llvm::any_of(L.Accesses, [&](const HostAccess &Inner) {
      if (!Subscript || Inner.Kind != HostAccessKind::Read)
        return false;
      std::vector<const Stmt *> Work = {Subscript};
      while (!Work.empty()) {
        const Stmt *S = Work.back();
        Work.pop_back();
        if (S == Inner.Ref)
          return true;
        if (const auto *Use = dyn_cast<DeclRefExpr>(S))
          if (const auto *V = dyn_cast<VarDecl>(Use->getDecl());
              V && L.Locals.contains(V) && V->getInit())
            Work.push_back(V->getInit());
        for (const Stmt *Child : S->children())
          if (Child)
            Work.push_back(Child);
      }
      return false;
    });
  };
  return llvm::any_of(L.Accesses, [&](const HostAccess &A) {
    return L.Arrays[A.Array].IsWritten && readsArray(A.Subscript);
  });
}

/// True if the loop is worth a word, so that those inside of it are not.
bool LoopFinder::addUnmarked(const ForStmt *S, Place P) {
  if (findPlaceBlocker(S, false).Why != Reason::None)
    return false;
  HostLoop L;
  L.Function = Function;
  L.Loop = S;
  L.IsInBlock = P.IsInBlock;
  HostLoopBuilder(L, Context).build();
  if (!L.isUnderstood() || !isIndirect(L) ||
      !selects(S->getBody(), L.Iterator.Variable, false))
    return false;
  Loops.push_back(std::move(L));
  return true;
}

/// Why no loop of the function can change, or not at this place.
Blocker LoopFinder::findPlaceBlocker(const Stmt *S, bool IsInLambda) const {
  const auto *Marked = dyn_cast<AttributedStmt>(S);
  const SourceLocation Loc = (Marked ? Marked->getSubStmt() : S)->getBeginLoc();
  const FunctionDecl *F = Function;
  if (F->isDependentContext() || F->isTemplateInstantiation())
    return {Reason::LoopInTemplate, "", Loc};
  if (IsInLambda)
    return {Reason::LoopInLambda, "", Loc};
  if (F->isConstexpr() || F->isConsteval())
    return {Reason::LoopInConstexpr, "", Loc};
  if (F->hasAttr<CUDAGlobalAttr>() || F->hasAttr<CUDADeviceAttr>())
    return {Reason::LoopOnDevice, "", Loc};
  if (isa<CoroutineBodyStmt>(F->getBody()))
    return {Reason::LoopCoroutine, "", Loc};
  for (const DeclContext *C = F->getLexicalDeclContext(); C;
       C = C->getLexicalParent())
    if (const auto *Linkage = dyn_cast<LinkageSpecDecl>(C);
        Linkage && Linkage->hasBraces())
      return {Reason::LoopInLinkage, "", Loc};
  const DeclContext *Scope = F->getDeclContext();
  if (const auto *Method = dyn_cast<CXXMethodDecl>(F)) {
    Scope = Method->getParent()->getDeclContext();
    if (!Scope->getRedeclContext()->isFileContext())
      return {Reason::LoopInLocalClass, "", Loc};
  }
  const DeclContext *Text = F->getLexicalDeclContext();
  if (isa<CXXRecordDecl>(Text))
    Text = Text->getLexicalParent();
  if (!Scope->getRedeclContext()->Equals(Text->getRedeclContext()))
    return {Reason::LoopInForeignScope, F->getQualifiedNameAsString(), Loc};
  if (llvm::any_of(Errors, [&](SourceLocation Error) {
        return SM.isPointWithin(SM.getExpansionLoc(Error), F->getBeginLoc(),
                                F->getEndLoc());
      }))
    return {Reason::LoopHasErrors, "", Loc};
  return findTextBlocker(S);
}

static bool hasUsing(const Stmt *S) {
  if (const auto *Declaration = dyn_cast<DeclStmt>(S))
    for (const Decl *D : Declaration->decls())
      if (isa<UsingDirectiveDecl, UsingDecl, NamespaceAliasDecl>(D))
        return true;
  return llvm::any_of(S->children(), [](const Stmt *Child) {
    return Child && hasUsing(Child);
  });
}

/// The text in front of the loop decides what the loop's text means: copied in
/// front of the function, it must mean the same.
Blocker LoopFinder::findTextBlocker(const Stmt *S) const {
  const Stmt *Loop = S;
  if (const auto *Marked = dyn_cast<AttributedStmt>(S))
    Loop = Marked->getSubStmt();
  const SourceLocation Loc = Loop->getBeginLoc();
  if (!Loop->getBeginLoc().isFileID() || !Loop->getEndLoc().isFileID())
    return {Reason::LoopMacro, "the loop", Loc};
  const auto [File, Begin] =
      SM.getDecomposedExpansionLoc(Function->getBeginLoc());
  const auto [EndFile, End] = SM.getDecomposedLoc(Loop->getEndLoc());
  if (File != SM.getMainFileID() || EndFile != File)
    return {Reason::LoopInHeader, "", Loc};
  const StringRef Text = SM.getBufferData(File).slice(Begin, End);
  for (auto [Line, Rest] = Text.split('\n'); !Rest.empty();) {
    std::tie(Line, Rest) = Rest.split('\n');
    if (Line.ltrim().starts_with("#"))
      return {Reason::LoopDirective, "", Loc};
  }
  if (hasUsing(Function->getBody()))
    return {Reason::LoopUsing, "", Loc};
  return {};
}

std::vector<HostLoop> findHostLoops(ASTContext &Context, LevelizeChoice Choice,
                                    ArrayRef<SourceLocation> Errors) {
  LoopFinder Finder(Context, Choice, Errors);
  const SourceManager &SM = Context.getSourceManager();
  for (Decl *D : Context.getTranslationUnitDecl()->decls())
    if (SM.isWrittenInMainFile(SM.getExpansionLoc(D->getLocation())))
      Finder.TraverseDecl(D);
  return std::move(Finder.Loops);
}

} // namespace cudaopt
