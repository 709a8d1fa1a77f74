// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds the host loops of the main file: those with a mark, and on request
/// those that are worth a proposal. Before a loop's head and body are read
/// (HostLoopBuilder), this file checks that its place allows a rewrite, which
/// moves the loop's text into a struct in front of the function.
//===----------------------------------------------------------------------===//

#include "cudaopt/HostLoops/HostLoop.h"
#include "HostLoopBuilder.h"
#include "cudaopt/IR/Build.h"
#include "cudaopt/IR/OwnDeclarations.h"
#include "cudaopt/Source/LoopDirectives.h"
#include "cudaopt/Source/SourceText.h"

#include "clang/AST/Attr.h"
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

/// What stands around a statement.
struct LoopPlace {
  bool IsInMarked = false, IsInBlock = false;
  /// The innermost OpenMP directive around it; null without one.
  const OMPExecutableDirective *Threads = nullptr;
  const LambdaExpr *Lambda = nullptr;
};

/// A mark in either form, attribute or pragma, with the text of its clauses.
struct LoopMarkText {
  const AttributedStmt *Attributed = nullptr;
  const HostPragma *Pragma = nullptr;
  StringRef Text;
};

/// Visits the functions of the main file, and their loops. Template
/// instantiations are visited one by one.
class LoopFinder {
public:
  LoopFinder(ASTContext &Context, LevelizeChoice Choice,
             ArrayRef<SourceLocation> Errors, ArrayRef<HostPragma> Pragmas)
      : Context(Context), SM(Context.getSourceManager()), Choice(Choice),
        Errors(Errors), Pragmas(Pragmas) {}

  void visit(const FunctionDecl *F) {
    const auto *Method = dyn_cast<CXXMethodDecl>(F);
    if (!F->doesThisDeclarationHaveABody() || F->isImplicit() ||
        (Method && Method->getParent()->isLambda()))
      return;
    Function = F;
    Written = getWrittenDefinition(F);
    search(F->getBody(), {});
    if (Written == F)
      addStrayPragmas();
  }

  std::vector<HostLoop> takeLoops();

private:
  void search(const Stmt *S, LoopPlace P);
  void addMarked(const Stmt *Marked, const LoopMarkText &Mark, LoopPlace P);
  bool addUnmarked(const ForStmt *S, LoopPlace P);
  void addStrayPragmas();
  std::optional<LoopMarkText> findMarkOf(const Stmt *S) const;
  std::optional<Refusal> findPlaceRefusal(const Stmt *Loop,
                                          const LoopPlace &P) const;
  std::optional<Refusal> findScopeRefusal(SourceLocation Loc) const;
  std::optional<Refusal> findTextRefusal(const Stmt *Loop) const;

  std::shared_ptr<const ir::Function> findIR(const FunctionDecl *F);

  ASTContext &Context;
  const SourceManager &SM;
  const LevelizeChoice Choice;
  ArrayRef<SourceLocation> Errors;
  ArrayRef<HostPragma> Pragmas;
  llvm::SmallPtrSet<const HostPragma *, 4> Matched;
  const FunctionDecl *Function = nullptr;
  /// The definition in the source: Function, or the template that it
  /// instantiates.
  const FunctionDecl *Written = nullptr;
  std::vector<HostLoop> Loops;
  /// The IR of functions with loops that are understood so far; null if a
  /// function has none.
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

/// Returns true if \p S calls a function of namespace cudaopt: an if with such
/// a condition is a loop that an earlier rewrite has replaced.
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

/// Returns the mark of \p S: its attribute, or a pragma whose next token is the
/// first one of \p S.
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
  // A rewritten loop still contains its text; `if consteval` has no condition.
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
  L.Refused = findPlaceRefusal(Inner, P);
  if (L.isUnderstood() && P.IsInMarked)
    L.Refused = {Reason::LoopAgain, "", Inner->getBeginLoc()};
  llvm::Expected<HostLoopMark> Mark = parseMark(Text.Text);
  if (!Mark) {
    L.Refused = {Reason::LoopMark, toString(Mark.takeError()),
                 Inner->getBeginLoc()};
    return;
  }
  L.Mark = std::move(*Mark);
  if (L.isUnderstood() && !L.Loop)
    L.Refused = {Reason::LoopNotFor, "", Inner->getBeginLoc()};
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

/// Adds a refused loop for each pragma of the function that stands in front of
/// no loop, so that the user hears of it.
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
    L.Refused = {Reason::LoopNotFor, "", Each.Begin};
  }
}

/// Returns the loops in the order of the text. The loop of a template itself is
/// left out if there are loops of its instantiations.
std::vector<HostLoop> LoopFinder::takeLoops() {
  auto isBefore = [&](const HostLoop &A, const HostLoop &B) {
    return SM.isBeforeInTranslationUnit(A.getBeginLoc(), B.getBeginLoc());
  };
  std::vector<const HostLoop *> Order;
  for (const HostLoop &L : Loops)
    Order.push_back(&L);
  // Loops of one place (instantiations) stay in the order in which they were
  // found.
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

/// Returns true if \p S uses the value of \p V in a subscript. \p IsSubscript
/// says that \p S itself is part of one.
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

/// Returns true if a subscript of a written array is read from an array,
/// directly or through local variables: `x[idx[i]]`. Only then do the
/// dependences between iterations need an inspection at run time.
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

/// Adds \p S if it is worth a proposal, and returns true: nested loops then get
/// none of their own.
bool LoopFinder::addUnmarked(const ForStmt *S, LoopPlace P) {
  if (Written != Function || findPlaceRefusal(S, P))
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

/// Returns true if \p F is device code. A lambda is implicitly for both sides;
/// that does not count.
static bool runsOnDevice(const FunctionDecl *F) {
  const auto *OnDevice = F->getAttr<CUDADeviceAttr>();
  return F->hasAttr<CUDAGlobalAttr>() || (OnDevice && !OnDevice->isImplicit());
}

/// Returns why no loop of the function, or none at this place, can be
/// rewritten; std::nullopt if it can.
std::optional<Refusal> LoopFinder::findPlaceRefusal(const Stmt *Loop,
                                                    const LoopPlace &P) const {
  const SourceLocation Loc = Loop->getBeginLoc();
  const LambdaExpr *Lambda = P.Lambda;
  const FunctionDecl *F = Function;
  if (Lambda && (Lambda->isGenericLambda() || Written != Function))
    return Refusal{Reason::LoopInLambda, "", Loc};
  if (F->isDependentContext())
    return Refusal{Reason::LoopInTemplate, "", Loc};
  if (F->isConstexpr() || F->isConsteval())
    return Refusal{Reason::LoopInConstexpr, "", Loc};
  if (runsOnDevice(F) || (Lambda && runsOnDevice(Lambda->getCallOperator())))
    return Refusal{Reason::LoopOnDevice, "", Loc};
  if (isa<CoroutineBodyStmt>(F->getBody()) ||
      (Lambda && isa<CoroutineBodyStmt>(Lambda->getBody())))
    return Refusal{Reason::LoopCoroutine, "", Loc};
  if (P.Threads) // Found in the AST, since a macro may have written the pragma.
    return Refusal{Reason::LoopPragma,
                   "omp " + llvm::omp::getOpenMPDirectiveName(
                                P.Threads->getDirectiveKind(), 50)
                                .str(),
                   Loc};
  if (std::optional<Refusal> R = findScopeRefusal(Loc))
    return R;
  if (llvm::any_of(Errors, [&](SourceLocation Error) {
        return SM.isPointWithin(SM.getExpansionLoc(Error),
                                Written->getBeginLoc(), Written->getEndLoc());
      }))
    return Refusal{Reason::LoopHasErrors, "", Loc};
  return findTextRefusal(Loop);
}

/// Returns why a struct in front of the function could not name what the loop
/// names: the function is in an extern "C" block (no templates there), in a
/// local or nested class, or defined outside of its own namespace.
std::optional<Refusal> LoopFinder::findScopeRefusal(SourceLocation Loc) const {
  for (const DeclContext *C = Written->getLexicalDeclContext(); C;
       C = C->getLexicalParent())
    if (const auto *Linkage = dyn_cast<LinkageSpecDecl>(C);
        Linkage && Linkage->hasBraces())
      return Refusal{Reason::LoopInLinkage, "", Loc};
  const DeclContext *Scope = Written->getDeclContext();
  if (const auto *Method = dyn_cast<CXXMethodDecl>(Written)) {
    Scope = Method->getParent()->getDeclContext();
    if (!Scope->getRedeclContext()->isFileContext())
      return Refusal{Reason::LoopInLocalClass, "", Loc};
  }
  const DeclContext *Text = Written->getLexicalDeclContext();
  if (isa<CXXRecordDecl>(Text))
    Text = Text->getLexicalParent();
  if (!Scope->getRedeclContext()->Equals(Text->getRedeclContext()))
    return Refusal{Reason::LoopInForeignScope,
                   Function->getQualifiedNameAsString(), Loc};
  return std::nullopt;
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

/// The rewrite copies the loop's text to a place in front of the function.
/// Returns what stands between the two, or in the loop, and may change the
/// text's meaning: macros, directives, or using declarations.
std::optional<Refusal> LoopFinder::findTextRefusal(const Stmt *Loop) const {
  const SourceLocation Loc = Loop->getBeginLoc();
  if (!Loop->getBeginLoc().isFileID() || !Loop->getEndLoc().isFileID())
    return Refusal{Reason::LoopMacro, "the loop", Loc};
  const FileID File = SM.getMainFileID();
  if (SM.getFileID(SM.getExpansionLoc(Written->getBeginLoc())) != File ||
      SM.getFileID(Loop->getEndLoc()) != File)
    return Refusal{Reason::LoopInHeader, "", Loc};
  if (std::optional<Refusal> R = findLoopDirective(
          Loop, Function, getOutermostDecl(Written)->getBeginLoc(), Context))
    return R;
  if (hasUsing(Function->getBody()))
    return Refusal{Reason::LoopUsing, "", Loc};
  return std::nullopt;
}

std::vector<HostLoop> findHostLoops(ASTContext &Context, LevelizeChoice Choice,
                                    ArrayRef<SourceLocation> Errors,
                                    ArrayRef<HostPragma> Pragmas) {
  LoopFinder Finder(Context, Choice, Errors, Pragmas);
  // Headers are visited, too: a mark in one is refused, and not passed over in
  // silence.
  for (const FunctionDecl *F :
       ownNodes<FunctionDecl>(Context, {.Instances = true}))
    Finder.visit(F);
  return Finder.takeLoops();
}

} // namespace cudaopt
