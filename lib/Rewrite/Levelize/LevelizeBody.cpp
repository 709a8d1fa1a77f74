// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Writes the body of a host loop for the runtime: the user's text, with what
/// changes replaced in place, so that lines keep their numbers. Stores to
/// conflict arrays become calls (`memory.store(x, i, v)`); where C++ leaves the
/// order of reads open, they are hoisted in front of the statement.
//===----------------------------------------------------------------------===//

#include "LevelizeText.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace cudaopt {
namespace {

/// Collects replacements (splices) for one statement or body.
class BodyRenderer {
public:
  explicit BodyRenderer(LevelizeText &Text) : Text(Text) {}

  std::string render(const Stmt *Body);
  std::string renderWhole(const Stmt *S);

private:
  void visit(const Stmt *S, bool IsInBlock, unsigned Depth);
  void visitParts(const Stmt *S, unsigned Depth);
  void visitEffect(const Expr *E, std::string &Front);
  void visitGuarded(const IfStmt *S, const Expr *Update, std::string &Front);
  void visitWhole(const Expr *E, std::string &Front);
  void visitRepeated(const Expr *E);
  void replace(const Stmt *S, std::string New) {
    if (auto Range = Text.offsets(S))
      Splices.push_back({Range->first, Range->second, std::move(New)});
  }

  LevelizeText &Text;
  std::vector<LevelizeText::Splice> Splices;
};

} // namespace

void BodyRenderer::visitWhole(const Expr *E, std::string &Front) {
  if (Text.isUnordered(E))
    Text.hoist(E, Front);
  Text.collect(E, Splices);
}

/// Visits an expression that a loop evaluates again and again: reads cannot be
/// hoisted in front of it.
void BodyRenderer::visitRepeated(const Expr *E) {
  if (Text.isUnordered(E))
    Text.fail(Reason::LoopOrder, E);
  Text.collect(E, Splices);
}

/// Returns the access that \p E assigns to, if it is one of a conflict array.
static const HostAccess *findStore(const HostLoop &L, const Expr *E) {
  const Expr *Target = nullptr;
  if (const auto *Binary = dyn_cast<BinaryOperator>(E))
    Target = Binary->isAssignmentOp() ? Binary->getLHS() : nullptr;
  if (const auto *Unary = dyn_cast<UnaryOperator>(E))
    Target = Unary->isIncrementDecrementOp() ? Unary->getSubExpr() : nullptr;
  return Target ? L.findConflict(Target->IgnoreParens()) : nullptr;
}

/// Replaces a store by a call, or the reads of another expression.
void BodyRenderer::visitEffect(const Expr *E, std::string &Front) {
  const Expr *Inner = E;
  if (const auto *Full = dyn_cast<ExprWithCleanups>(Inner))
    Inner = Full->getSubExpr();
  Inner = Inner->IgnoreParens();
  if (const auto *Comma = dyn_cast<BinaryOperator>(Inner);
      Comma && Comma->getOpcode() == BO_Comma) {
    visitEffect(Comma->getLHS(), Front);
    visitEffect(Comma->getRHS(), Front);
    return;
  }
  if (const HostAccess *Store = findStore(Text.L, Inner))
    replace(Inner, Text.renderStore(*Store, Front));
  else
    visitWhole(E, Front);
}

/// Replaces `if (v < x) x = v;` by one update. Line breaks are kept, so that
/// the lines behind it keep their numbers.
void BodyRenderer::visitGuarded(const IfStmt *S, const Expr *Update,
                                std::string &Front) {
  auto Range = Text.statementOffsets(S);
  const HostAccess *Store = findStore(Text.L, Update);
  if (!Range || !Store)
    return;
  const unsigned NumBreaks =
      llvm::StringRef(Text.apply(Range->first, Range->second, {})).count('\n');
  Splices.push_back(
      {Range->first, Range->second,
       Text.renderStore(*Store, Front) + ";" + std::string(NumBreaks, '\n')});
}

/// Replaces accesses in \p S. Declarations that order its reads go in front of
/// it, inside of new braces if it is not in a block. \p Depth is the number of
/// inner loops around it, outside of which `continue` becomes `return`.
void BodyRenderer::visit(const Stmt *S, bool IsInBlock, unsigned Depth) {
  std::string Front;
  const Stmt *Whole = S;
  if (const auto *E = dyn_cast<Expr>(S)) {
    visitEffect(E, Front);
  } else if (const Expr *Update = Text.L.findGuardedUpdate(S)) {
    visitGuarded(cast<IfStmt>(S), Update, Front);
  } else if (const auto *Declaration = dyn_cast<DeclStmt>(S)) {
    for (const Decl *D : Declaration->decls())
      if (const auto *V = dyn_cast<VarDecl>(D); V && V->getInit())
        visitWhole(V->getInit(), Front);
    if (!Front.empty() && !Declaration->isSingleDecl())
      Text.fail(Reason::LoopOrder, S);
  } else if (const auto *If = dyn_cast<IfStmt>(S)) {
    visitWhole(If->getCond(), Front);
    visit(If->getThen(), false, Depth);
    if (If->getElse())
      visit(If->getElse(), false, Depth);
  } else if (isa<ContinueStmt>(S)) {
    if (Depth == 0)
      replace(S, "return");
  } else {
    visitParts(S, Depth);
  }
  if (Front.empty())
    return;
  auto Range = Text.statementOffsets(Whole);
  if (!Range)
    return;
  Splices.push_back(
      {Range->first, Range->first, (IsInBlock ? "" : "{ ") + Front});
  if (!IsInBlock)
    Splices.push_back({Range->second, Range->second, " }"});
}

/// Visits a statement that contains others.
void BodyRenderer::visitParts(const Stmt *S, unsigned Depth) {
  std::string Front;
  if (const auto *For = dyn_cast<ForStmt>(S)) {
    if (const auto *E = dyn_cast_or_null<Expr>(For->getInit()))
      visitEffect(E, Front);
    else if (For->getInit())
      for (const Decl *D : cast<DeclStmt>(For->getInit())->decls())
        if (const auto *V = dyn_cast<VarDecl>(D); V && V->getInit())
          visitWhole(V->getInit(), Front);
    if (For->getCond())
      visitRepeated(For->getCond());
    if (For->getInc())
      visitEffect(For->getInc(), Front);
    visit(For->getBody(), false, Depth + 1);
  } else if (const auto *While = dyn_cast<WhileStmt>(S)) {
    visitRepeated(While->getCond());
    visit(While->getBody(), false, Depth + 1);
  } else if (const auto *Do = dyn_cast<DoStmt>(S)) {
    visit(Do->getBody(), false, Depth + 1);
    visitRepeated(Do->getCond());
  } else {
    for (const Stmt *Child : S->children())
      if (Child)
        visit(Child, isa<CompoundStmt>(S), Depth);
  }
  if (!Front.empty()) // Reads in a loop's head.
    Text.fail(Reason::LoopOrder, S);
}

std::string BodyRenderer::renderWhole(const Stmt *S) {
  visit(S, false, 0);
  auto Range = Text.statementOffsets(S);
  return Range ? Text.apply(Range->first, Range->second, std::move(Splices))
               : "";
}

/// Returns the text between the braces of the body, or the single statement.
std::string BodyRenderer::render(const Stmt *Body) {
  visit(Body, false, 0);
  auto Range = Text.statementOffsets(Body);
  if (!Range)
    return "";
  if (isa<CompoundStmt>(Body)) {
    ++Range->first; // The result goes without the braces.
    --Range->second;
  }
  return Text.apply(Range->first, Range->second, std::move(Splices));
}

std::string renderStatement(LevelizeText &Text, const Stmt *S) {
  return BodyRenderer(Text).renderWhole(S);
}

std::string renderLoopBody(LevelizeText &Text) {
  return BodyRenderer(Text).render(Text.L.Body);
}

} // namespace cudaopt
