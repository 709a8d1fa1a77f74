// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Collects what a loop refers to, from the AST, and the identifiers of a file,
/// from its tokens.
//===----------------------------------------------------------------------===//

#include "LevelizeUses.h"
#include "cudaopt/Support/Nodes.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace clang;
using llvm::StringRef;

namespace cudaopt {

namespace {

/// Collects the uses of the loop, and of the functions that are copied for it.
class UseCollector {
public:
  UseCollector(const HostLoop &L, const ASTContext &Context)
      : L(L), SM(Context.getSourceManager()) {}

  /// Collects those of \p S, which is the body of \p Callee, or the loop if
  /// that is null.
  void collect(const Stmt *S, const FunctionDecl *Callee) {
    Scope = S->getSourceRange();
    Function = Callee;
    forEachNode(S, [&](const DynTypedNode &N) {
      const auto *Use = N.get<DeclRefExpr>();
      add(Use ? Use->getDecl() : findNamedType(N));
    });
  }

  LoopUses Uses;

private:
  void add(const NamedDecl *D) {
    // The type that a using-declaration names is visited, too.
    if (!D || !D->getIdentifier() || isa<UsingShadowDecl>(D))
      return;
    Uses.Names.insert(D->getName());
    if (!isCaptured(D) && !isDeclaredHere(D))
      Uses.Outside.push_back(D);
  }
  /// Returns true for a variable that the struct has as a member, or declares
  /// itself.
  bool isCaptured(const NamedDecl *D) const {
    const auto *V = dyn_cast<VarDecl>(D);
    auto isRoot = [&](const auto &Each) { return Each.Path.Root == V; };
    return V && !Function &&
           (L.isPrivate(V) || V == L.Iterator.Variable ||
            llvm::any_of(L.Arrays, isRoot) || llvm::any_of(L.Scalars, isRoot));
  }
  /// Returns true if \p D is declared inside of the visited text.
  bool isDeclaredHere(const NamedDecl *D) const {
    if (Function && D->getDeclContext() == Function)
      return true;
    const SourceLocation Loc = D->getLocation();
    return !SM.isBeforeInTranslationUnit(Loc, Scope.getBegin()) &&
           SM.isBeforeInTranslationUnit(Loc, Scope.getEnd());
  }

  const HostLoop &L;
  const SourceManager &SM;
  SourceRange Scope;
  const FunctionDecl *Function = nullptr;
};

} // namespace

LoopUses collectUses(const HostLoop &L, const ASTContext &Context) {
  UseCollector Collector(L, Context);
  Collector.collect(L.Loop, nullptr);
  for (const FunctionDecl *F : L.Copied)
    if (const Stmt *Body = F->getBody())
      Collector.collect(Body, F);
  return std::move(Collector.Uses);
}

llvm::StringSet<> collectIdentifiers(const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  const StringRef Buffer = SM.getBufferData(SM.getMainFileID());
  Lexer Raw(SM.getLocForStartOfFile(SM.getMainFileID()), Context.getLangOpts(),
            Buffer.begin(), Buffer.begin(), Buffer.end());
  llvm::StringSet<> Names;
  Token Next;
  bool IsLast = false;
  while (!IsLast) {
    IsLast = Raw.LexFromRawLexer(Next);
    if (Next.is(tok::raw_identifier))
      Names.insert(Next.getRawIdentifier());
  }
  return Names;
}

llvm::StringSet<> collectIdentifiers(const HostLoop &L,
                                     const ASTContext &Context) {
  llvm::StringSet<> Names = collectIdentifiers(Context);
  for (const auto &Each : collectUses(L, Context).Names)
    Names.insert(Each.first());
  return Names;
}

} // namespace cudaopt
