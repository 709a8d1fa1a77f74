// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds the host loops of the main file.
//===----------------------------------------------------------------------===//

#include "cudaopt/Model/HostLoop.h"
#include "HostLoopBuilder.h"
#include "LoopDirectives.h"
#include "cudaopt/IR/Build.h"
#include "cudaopt/Model/OwnDeclarations.h"
#include "cudaopt/Model/SourceText.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace clang;
using llvm::ArrayRef;
using llvm::StringRef;

namespace cudaopt {
namespace {

/// Where a statement stands.
struct LoopPlace {
  bool IsInMarked = false, IsInBlock = false;
  const OMPExecutableDirective *Threads = nullptr; ///< Of OpenMP, around it.
  const LambdaExpr *Lambda = nullptr;
};

/// A mark in one of its forms.
struct LoopMarkText {
  const AttributedStmt *Attributed = nullptr;
  const HostPragma *Pragma = nullptr;
  StringRef Text;
};

/// Visits the functions of the main file, and their loops.
class LoopFinder : public DynamicRecursiveASTVisitor {
public:
  LoopFinder(ASTContext &Context, LevelizeChoice Choice,
             ArrayRef<SourceLocation> Errors, ArrayRef<HostPragma> Pragmas)
      : Context(Context), SM(Context.getSourceManager()), Choice(Choice),
        Errors(Errors), Pragmas(Pragmas) {
    ShouldVisitTemplateInstantiations = true;
  }

  bool VisitFunctionDecl(FunctionDecl *F) override {
    const auto *Method = dyn_cast<CXXMethodDecl>(F);
    if (!F->doesThisDeclarationHaveABody() || F->isImplicit() ||
        (Method && Method->getParent()->isLambda()))
      return true;
    Function = F;
    Written = getWrittenDefinition(F);
    search(F->getBody(), {});
    if (Written == F)
      addStrayPragmas();
    return true;
  }

  std::vector<HostLoop> takeLoops();

private:
  void search(const Stmt *S, LoopPlace P);
  void addMarked(const Stmt *Marked, const LoopMarkText &Mark, LoopPlace P);
  bool addUnmarked(const ForStmt *S, LoopPlace P);
  void addStrayPragmas();
  std::optional<LoopMarkText> findMarkOf(const Stmt *S) const;
  Blocker findPlaceBlocker(const Stmt *Loop, const LoopPlace &P) const;
  Blocker findScopeBlocker(SourceLocation Loc) const;
  Blocker findTextBlocker(const Stmt *Loop) const;

  std::shared_ptr<const ir::Function> findIR(const FunctionDecl *F);

  ASTContext &Context;
  const SourceManager &SM;
  const LevelizeChoice Choice;
  ArrayRef<SourceLocation> Errors;
  ArrayRef<HostPragma> Pragmas;
  llvm::SmallPtrSet<const HostPragma *, 4> Matched;
  const FunctionDecl *Function = nullptr;
  const FunctionDecl *Written = nullptr; ///< What it was instantiated from.
  std::vector<HostLoop> Loops;
  /// Of functions with loops that are understood so far; null if there is none.
  llvm::DenseMap<const FunctionDecl *, std::shared_ptr<const ir::Function>>
      Built;
};

} // namespace

SourceLocation HostLoop::getBeginLoc() const {
  if (Loop)
    return Loop->getBeginLoc();
  return Marked ? Marked->getSubStmt()->getBeginLoc() : Pragma->Begin;
}

const Expr *HostAccess::getValue() const {
  if (Update)
    return Update->Value;
  const auto *Binary = dyn_cast_or_null<BinaryOperator>(
      Assignment ? Assignment->IgnoreParens() : nullptr);
  return Binary ? Binary->getRHS() : nullptr;
}

const Decl *getOutermostDecl(const FunctionDecl *F) {
  const Decl *Outermost = F;
  for (const DeclContext *C = F->getLexicalDeclContext();
       isa<CXXRecordDecl, LinkageSpecDecl>(C); C = C->getLexicalParent())
    Outermost = cast<Decl>(C);
  return Outermost;
}

bool HostAccess::isStored() const {
  const auto *Binary = dyn_cast_or_null<BinaryOperator>(
      Assignment ? Assignment->IgnoreParens() : nullptr);
  return Kind == HostAccessKind::Write && Binary &&
         Binary->getOpcode() == BO_Assign;
}

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

/// The mark in front of \p S.
std::optional<LoopMarkText> LoopFinder::findMarkOf(const Stmt *S) const {
  if (const auto *Attributed = dyn_cast<AttributedStmt>(S))
    if (std::optional<StringRef> Text = findMark(Attributed))
      return LoopMarkText{Attributed, nullptr, *Text};
  const SourceLocation Begin = S->getBeginLoc();
  if (!isa<ForStmt, CXXForRangeStmt>(S) || !Begin.isFileID())
    return std::nullopt;
  for (const HostPragma &Each : Pragmas) {
    if (!SM.isWrittenInSameFile(Each.End, Begin) ||
        !SM.isBeforeInTranslationUnit(Each.End, Begin))
      continue;
    std::optional<Token> Next =
        Lexer::findNextToken(Each.End, SM, Context.getLangOpts());
    if (Next && Next->getLocation() == Begin)
      return LoopMarkText{nullptr, &Each, Each.Clauses};
  }
  return std::nullopt;
}

void LoopFinder::search(const Stmt *S, LoopPlace P) {
  if (const auto *Lambda = dyn_cast<LambdaExpr>(S)) {
    P.Lambda = Lambda;
    search(Lambda->getBody(), P);
    return;
  }
  if (const auto *Threads = dyn_cast<OMPExecutableDirective>(S))
    P.Threads = Threads;
  if (std::optional<LoopMarkText> Mark = findMarkOf(S)) {
    addMarked(S, *Mark, P);
    P.IsInMarked = true;
    if (Mark->Attributed)
      S = Mark->Attributed->getSubStmt();
    else
      Matched.insert(Mark->Pragma);
  }
  // `if consteval` has no condition.
  if (const auto *If = dyn_cast<IfStmt>(S);
      If && If->getCond() && callsRuntime(If->getCond()))
    return;
  if (const auto *For = dyn_cast<ForStmt>(S))
    if (Choice != LevelizeChoice::Marked && !P.IsInMarked && !P.Lambda &&
        addUnmarked(For, P))
      return;
  P.IsInBlock = isa<CompoundStmt>(S);
  for (const Stmt *Child : S->children())
    if (Child)
      search(Child, P);
}

void LoopFinder::addMarked(const Stmt *S, const LoopMarkText &Text,
                           LoopPlace P) {
  HostLoop &L = Loops.emplace_back();
  L.Function = Function;
  L.Marked = Text.Attributed;
  L.Pragma = Text.Pragma;
  L.IsInBlock = P.IsInBlock;
  if (P.Lambda)
    L.Lambda = P.Lambda->getCallOperator();
  const Stmt *Inner = L.Marked ? L.Marked->getSubStmt() : S;
  if (isa<ForStmt, CXXForRangeStmt>(Inner))
    L.Loop = Inner;
  L.WhyNot = findPlaceBlocker(Inner, P);
  if (L.isUnderstood() && P.IsInMarked)
    L.WhyNot = {Reason::LoopAgain, "", Inner->getBeginLoc()};
  llvm::Expected<HostLoopMark> Mark = parseMark(Text.Text);
  if (!Mark) {
    L.WhyNot = {Reason::LoopMark, toString(Mark.takeError()),
                Inner->getBeginLoc()};
    return;
  }
  L.Mark = std::move(*Mark);
  if (L.isUnderstood() && !L.Loop)
    L.WhyNot = {Reason::LoopNotFor, "", Inner->getBeginLoc()};
  if (L.isUnderstood())
    HostLoopBuilder(L, Context, findIR(L.Lambda ? L.Lambda : Function)).build();
}

std::shared_ptr<const ir::Function> LoopFinder::findIR(const FunctionDecl *F) {
  auto [Known, IsNew] = Built.try_emplace(F);
  if (IsNew) {
    ir::BuildOptions Options;
    Options.KeepsText = true;
    Options.DropsUnreachable = false;
    Known->second = ir::build(F, Context, Options);
  }
  return Known->second;
}

/// Pragmas of the function that stand in front of no loop.
void LoopFinder::addStrayPragmas() {
  for (const HostPragma &Each : Pragmas) {
    if (Matched.contains(&Each) ||
        !SM.isPointWithin(Each.Begin,
                          SM.getExpansionLoc(Function->getBeginLoc()),
                          SM.getExpansionLoc(Function->getEndLoc())))
      continue;
    Matched.insert(&Each);
    HostLoop &L = Loops.emplace_back();
    L.Function = Function;
    L.Pragma = &Each;
    L.WhyNot = {Reason::LoopNotFor, "", Each.Begin};
  }
}

/// In the order of the text. A template's own loop is left out if there are
/// those of instantiations.
std::vector<HostLoop> LoopFinder::takeLoops() {
  auto isBefore = [&](const HostLoop &A, const HostLoop &B) {
    return SM.isBeforeInTranslationUnit(A.getBeginLoc(), B.getBeginLoc());
  };
  std::vector<const HostLoop *> Order;
  for (const HostLoop &L : Loops)
    Order.push_back(&L);
  // Those of one place stay in the order in which they were found.
  llvm::sort(Order, [&](const HostLoop *A, const HostLoop *B) {
    return A->getBeginLoc() == B->getBeginLoc() ? A < B : isBefore(*A, *B);
  });
  std::vector<HostLoop> Result;
  for (const HostLoop *L : Order) {
    const bool HasInstance = llvm::any_of(Order, [&](const HostLoop *Other) {
      return !Other->Function->isDependentContext() &&
             Other->getBeginLoc() == L->getBeginLoc();
    });
    if (!L->Function->isDependentContext() || !HasInstance)
      Result.push_back(*L);
  }
  return Result;
}

/// True if the value of \p V is part of a subscript or of an inner loop's head.
static bool selects(const Stmt *S, const VarDecl *V, bool IsSubscript) {
  if (const auto *Use = dyn_cast<DeclRefExpr>(S))
    return IsSubscript && Use->getDecl() == V;
  if (const auto *E = dyn_cast<Expr>(S))
    if (std::optional<HostElement> Element = getHostElement(E);
        Element && Element->Subscripts.back())
      return llvm::any_of(Element->Subscripts, [&](const Expr *Each) {
        return Each && selects(Each, V, true);
      });
  return llvm::any_of(S->children(), [&](const Stmt *Child) {
    return Child && selects(Child, V, IsSubscript);
  });
}

/// True if a subscript of a written array, or what it depends on, is read from
/// an array.
static bool isIndirect(const HostLoop &L) {
  auto readsArray = [&](const HostAccess &Outer) {
    return llvm::any_of(L.Accesses, [&](const HostAccess &Inner) {
      if (Inner.Kind != HostAccessKind::Read)
        return false;
      std::vector<const Stmt *> Work;
      for (const Expr *Each : Outer.Subscripts)
        if (Each)
          Work.push_back(Each);
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
    return L.Arrays[A.Array].IsWritten && readsArray(A);
  });
}

/// True if the loop is worth a word, so that those inside of it are not.
bool LoopFinder::addUnmarked(const ForStmt *S, LoopPlace P) {
  if (Written != Function || findPlaceBlocker(S, P).Why != Reason::None)
    return false;
  HostLoop L;
  L.Function = Function;
  L.Loop = S;
  L.IsInBlock = P.IsInBlock;
  HostLoopBuilder(L, Context, findIR(Function)).build();
  if (!L.isUnderstood() || !isIndirect(L) ||
      !selects(S->getBody(), L.Iterator.Variable, false))
    return false;
  Loops.push_back(std::move(L));
  return true;
}

/// Lambdas are for both sides until somebody says something else.
static bool runsOnDevice(const FunctionDecl *F) {
  const auto *OnDevice = F->getAttr<CUDADeviceAttr>();
  return F->hasAttr<CUDAGlobalAttr>() || (OnDevice && !OnDevice->isImplicit());
}

/// Why no loop of the function can change, or not at this place.
Blocker LoopFinder::findPlaceBlocker(const Stmt *Loop,
                                     const LoopPlace &P) const {
  const SourceLocation Loc = Loop->getBeginLoc();
  const LambdaExpr *Lambda = P.Lambda;
  const FunctionDecl *F = Function;
  if (Lambda && (Lambda->isGenericLambda() || Written != Function))
    return {Reason::LoopInLambda, "", Loc};
  if (F->isDependentContext())
    return {Reason::LoopInTemplate, "", Loc};
  if (F->isConstexpr() || F->isConsteval())
    return {Reason::LoopInConstexpr, "", Loc};
  if (runsOnDevice(F) || (Lambda && runsOnDevice(Lambda->getCallOperator())))
    return {Reason::LoopOnDevice, "", Loc};
  if (isa<CoroutineBodyStmt>(F->getBody()) ||
      (Lambda && isa<CoroutineBodyStmt>(Lambda->getBody())))
    return {Reason::LoopCoroutine, "", Loc};
  if (P.Threads) // A macro may have written it.
    return {Reason::LoopPragma,
            "omp " + llvm::omp::getOpenMPDirectiveName(
                         P.Threads->getDirectiveKind(), 50)
                         .str(),
            Loc};
  if (Blocker Why = findScopeBlocker(Loc); Why.Why != Reason::None)
    return Why;
  if (llvm::any_of(Errors, [&](SourceLocation Error) {
        return SM.isPointWithin(SM.getExpansionLoc(Error),
                                Written->getBeginLoc(), Written->getEndLoc());
      }))
    return {Reason::LoopHasErrors, "", Loc};
  return findTextBlocker(Loop);
}

/// A struct in front of the function must be able to name what the loop names.
Blocker LoopFinder::findScopeBlocker(SourceLocation Loc) const {
  for (const DeclContext *C = Written->getLexicalDeclContext(); C;
       C = C->getLexicalParent())
    if (const auto *Linkage = dyn_cast<LinkageSpecDecl>(C);
        Linkage && Linkage->hasBraces())
      return {Reason::LoopInLinkage, "", Loc};
  const DeclContext *Scope = Written->getDeclContext();
  if (const auto *Method = dyn_cast<CXXMethodDecl>(Written)) {
    Scope = Method->getParent()->getDeclContext();
    if (!Scope->getRedeclContext()->isFileContext())
      return {Reason::LoopInLocalClass, "", Loc};
  }
  const DeclContext *Text = Written->getLexicalDeclContext();
  if (isa<CXXRecordDecl>(Text))
    Text = Text->getLexicalParent();
  if (!Scope->getRedeclContext()->Equals(Text->getRedeclContext()))
    return {Reason::LoopInForeignScope, Function->getQualifiedNameAsString(),
            Loc};
  return {};
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
Blocker LoopFinder::findTextBlocker(const Stmt *Loop) const {
  const SourceLocation Loc = Loop->getBeginLoc();
  if (!Loop->getBeginLoc().isFileID() || !Loop->getEndLoc().isFileID())
    return {Reason::LoopMacro, "the loop", Loc};
  const FileID File = SM.getMainFileID();
  if (SM.getFileID(SM.getExpansionLoc(Written->getBeginLoc())) != File ||
      SM.getFileID(Loop->getEndLoc()) != File)
    return {Reason::LoopInHeader, "", Loc};
  if (Blocker Why = findLoopDirective(
          Loop, Function, getOutermostDecl(Written)->getBeginLoc(), Context);
      Why.Why != Reason::None)
    return Why;
  if (hasUsing(Function->getBody()))
    return {Reason::LoopUsing, "", Loc};
  return {};
}

std::vector<HostLoop> findHostLoops(ASTContext &Context, LevelizeChoice Choice,
                                    ArrayRef<SourceLocation> Errors,
                                    ArrayRef<HostPragma> Pragmas) {
  LoopFinder Finder(Context, Choice, Errors, Pragmas);
  // A mark in a header is refused, and not passed over in silence.
  for (Decl *D : listOwnDeclarations(Context))
    Finder.TraverseDecl(D);
  return Finder.takeLoops();
}

} // namespace cudaopt
