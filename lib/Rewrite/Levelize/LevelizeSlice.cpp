// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Writes the slice of a host loop for the runtime's inspector: the accesses of
/// the body to conflict arrays, in its order (`touch.read(x, i)`), and the
/// statements that decide which elements these are. All other computation is
/// left out.
//===----------------------------------------------------------------------===//

#include "LevelizeText.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace cudaopt {
namespace {

/// Writes the slice line by line.
class SliceRenderer {
public:
  explicit SliceRenderer(LevelizeText &Text)
      : Text(Text), L(Text.L), Slice(Text.D.Slice) {}

  std::string render() {
    visit(L.Body, 0);
    return std::move(Lines);
  }

private:
  void visit(const Stmt *S, unsigned Depth);
  void visitBlock(const Stmt *S, unsigned Depth);
  void visitScope(const Stmt *S, unsigned Depth);
  void visitDeclaration(const DeclStmt *S);
  void visitEffect(const Expr *E);
  void visitFor(const ForStmt *S, unsigned Depth);
  void visitIf(const IfStmt *S, unsigned Depth);
  void orderSubscript(const HostAccess &A, bool IsUsedTwice);
  void touch(const Stmt *S);
  void touchUnder(const std::string &Guard, const Stmt *S);
  void touchStore(const HostAccess &A);
  bool isNeeded(const Expr *Target) const;
  std::string renderHere(const Expr *E) {
    std::string Front;
    std::string Result = Text.renderWhole(E, Front);
    addFront(Front);
    return Result;
  }
  /// Renders an expression of a loop's head, in front of which nothing can
  /// stand.
  std::string renderRepeated(const Expr *E) {
    if (Text.isUnordered(E))
      Text.fail(Reason::LoopOrder, E);
    return Text.render(E);
  }
  void addFront(const std::string &Front) {
    if (!Front.empty())
      addLine(Front.substr(0, Front.size() - 1)); // The last blank is dropped.
  }
  void addLine(const std::string &Line) {
    Lines += std::string(Indent, ' ') + Line + "\n";
  }

  LevelizeText &Text;
  const HostLoop &L;
  const LoopSlice &Slice;
  std::string Lines;
  unsigned Indent = 4;
};

} // namespace

/// Touches what \p S reads of conflict arrays, in the order in which the body
/// reads it.
void SliceRenderer::touch(const Stmt *S) {
  if (!Text.countReads(S))
    return;
  if (const auto *Choice = dyn_cast<ConditionalOperator>(S)) {
    const unsigned InParts = Text.countReads(Choice->getTrueExpr()) +
                             Text.countReads(Choice->getFalseExpr());
    if (InParts == 0) {
      touch(Choice->getCond());
      return;
    }
    const std::string Guard = renderHere(Choice->getCond());
    if (!Text.countReads(Choice->getTrueExpr())) {
      touchUnder("!(" + Guard + ")", Choice->getFalseExpr());
      return;
    }
    touchUnder(Guard, Choice->getTrueExpr());
    if (Text.countReads(Choice->getFalseExpr()))
      touchUnder("else", Choice->getFalseExpr());
    return;
  }
  if (const auto *Logical = dyn_cast<BinaryOperator>(S);
      Logical && Logical->isLogicalOp() && Text.countReads(Logical->getRHS())) {
    const std::string Guard = renderHere(Logical->getLHS());
    touchUnder(Logical->getOpcode() == BO_LAnd ? Guard : "!(" + Guard + ")",
               Logical->getRHS());
    return;
  }
  if (const HostAccess *A = L.findConflict(S)) {
    orderSubscript(*A, /*IsUsedTwice=*/false);
    addLine(Text.own("touch") + ".read(" + Text.renderElement(*A) + ");");
    return;
  }
  for (const Stmt *Child : S->children())
    if (Child)
      touch(Child);
}

void SliceRenderer::touchUnder(const std::string &Guard, const Stmt *S) {
  addLine(Guard == "else" ? "else {" : "if (" + Guard + ") {");
  Indent += 2;
  touch(S);
  Indent -= 2;
  addLine("}");
}

/// Hoists the reads in subscripts of \p A where their order is open, or where
/// the subscripts are used twice.
void SliceRenderer::orderSubscript(const HostAccess &A, bool IsUsedTwice) {
  if (!Text.isPlaceUnordered(A) && !(IsUsedTwice && Text.countPlaceReads(A)))
    return;
  std::string Front;
  Text.hoistPlace(A, Front);
  addFront(Front);
}

/// Touches what a store to a conflict array reads, and then the stored element,
/// as an update, a read and write, or a write.
void SliceRenderer::touchStore(const HostAccess &A) {
  if (const Expr *Value = A.getValue())
    touch(Value);
  orderSubscript(A, Text.readsToo(A));
  const std::string Place = Text.renderElement(A);
  if (A.Kind == HostAccessKind::Update) {
    addLine(Text.own("touch") + ".update(" + Place + ", " + Text.operation(A) +
            ");");
    return;
  }
  if (Text.readsToo(A))
    addLine(Text.own("touch") + ".read(" + Place + ");");
  addLine(Text.own("touch") + ".write(" + Place + ");");
}

/// Returns true if \p Target, or the array that it is an element of, is a
/// variable of the slice.
bool SliceRenderer::isNeeded(const Expr *Target) const {
  Target = Target->IgnoreParenImpCasts();
  while (const auto *Element = dyn_cast<ArraySubscriptExpr>(Target))
    Target = Element->getBase()->IgnoreParenImpCasts();
  const auto *Use = dyn_cast<DeclRefExpr>(Target);
  const auto *V = Use ? dyn_cast<VarDecl>(Use->getDecl()) : nullptr;
  return V && Slice.Needed.contains(V);
}

/// Writes an assignment of a needed variable as it is; of other statements only
/// the accesses to conflict arrays remain.
void SliceRenderer::visitEffect(const Expr *E) {
  if (const auto *Full = dyn_cast<ExprWithCleanups>(E))
    E = Full->getSubExpr();
  E = E->IgnoreParens();
  const auto *Binary = dyn_cast<BinaryOperator>(E);
  if (Binary && Binary->getOpcode() == BO_Comma) {
    visitEffect(Binary->getLHS());
    visitEffect(Binary->getRHS());
    return;
  }
  const auto *Unary = dyn_cast<UnaryOperator>(E);
  const Expr *Target = nullptr;
  if (Binary && Binary->isAssignmentOp())
    Target = Binary->getLHS();
  else if (Unary && Unary->isIncrementDecrementOp())
    Target = Unary->getSubExpr();
  if (!Target) {
    touch(E);
  } else if (const HostAccess *Store = L.findConflict(Target->IgnoreParens())) {
    touchStore(*Store);
  } else if (isNeeded(Target)) {
    addLine(renderHere(E) + ";");
  } else {
    if (Binary)
      touch(Binary->getRHS());
    touch(Target);
  }
}

void SliceRenderer::visitDeclaration(const DeclStmt *S) {
  for (const Decl *D : S->decls()) {
    const auto *V = dyn_cast<VarDecl>(D);
    if (!V)
      continue;
    const Expr *Init = V->getInit();
    if (!Slice.Needed.contains(V)) {
      if (Init)
        touch(Init);
      continue;
    }
    std::string Line = Text.declare(V->getType()->isArrayType()
                                        ? V->getType()
                                        : Text.Template.spell(V->getType()),
                                    V->getName());
    if (Init)
      Line += " = " + renderHere(Init);
    addLine(Line + ";");
  }
}

/// Writes a loop, unless at most its first part belongs to the slice.
void SliceRenderer::visitFor(const ForStmt *S, unsigned Depth) {
  auto isInSlice = [&](const Stmt *Part) {
    return Part && Slice.contains(L, Part);
  };
  if (!isInSlice(S->getCond()) && !isInSlice(S->getInc()) &&
      !isInSlice(S->getBody())) {
    if (S->getInit())
      visit(S->getInit(), Depth);
    return;
  }
  std::string Head = "for (";
  if (const auto *Init = dyn_cast_or_null<Expr>(S->getInit()))
    Head += renderRepeated(Init) + ";";
  else
    Head += S->getInit() ? Text.render(S->getInit()) : ";";
  Head += S->getCond() ? " " + renderRepeated(S->getCond()) + ";" : ";";
  Head += S->getInc() ? " " + renderRepeated(S->getInc()) : "";
  addLine(Head + ") {");
  visitBlock(S->getBody(), Depth + 1);
  addLine("}");
}

void SliceRenderer::visitBlock(const Stmt *S, unsigned Depth) {
  Indent += 2;
  visit(S, Depth);
  Indent -= 2;
}

/// Writes a nested block with its braces: another block may have variables of
/// the same names.
void SliceRenderer::visitScope(const Stmt *S, unsigned Depth) {
  if (!Slice.contains(L, S))
    return;
  addLine("{");
  visitBlock(S, Depth);
  addLine("}");
}

/// Writes a condition if a branch belongs to the slice. If only the else-branch
/// does, the condition is negated.
void SliceRenderer::visitIf(const IfStmt *S, unsigned Depth) {
  const bool HasThen = Slice.contains(L, S->getThen());
  const bool HasElse = S->getElse() && Slice.contains(L, S->getElse());
  if (!HasThen && !HasElse) {
    touch(S->getCond());
    return;
  }
  const std::string Condition = renderHere(S->getCond());
  addLine(HasThen ? "if (" + Condition + ") {" : "if (!(" + Condition + ")) {");
  visitBlock(HasThen ? S->getThen() : S->getElse(), Depth);
  if (HasThen && HasElse) {
    addLine("} else {");
    visitBlock(S->getElse(), Depth);
  }
  addLine("}");
}

/// Writes the parts of \p S that belong to the slice; \p Depth is the number of
/// inner loops around it, outside of which `continue` becomes `return`.
void SliceRenderer::visit(const Stmt *S, unsigned Depth) {
  if (!Slice.contains(L, S))
    return;
  if (const Expr *Update = L.findGuardedUpdate(S)) {
    visitEffect(Update);
  } else if (const auto *E = dyn_cast<Expr>(S)) {
    visitEffect(E);
  } else if (const auto *Declaration = dyn_cast<DeclStmt>(S)) {
    visitDeclaration(Declaration);
  } else if (const auto *If = dyn_cast<IfStmt>(S)) {
    visitIf(If, Depth);
  } else if (const auto *For = dyn_cast<ForStmt>(S)) {
    visitFor(For, Depth);
  } else if (const auto *While = dyn_cast<WhileStmt>(S)) {
    addLine("while (" + renderRepeated(While->getCond()) + ") {");
    visitBlock(While->getBody(), Depth + 1);
    addLine("}");
  } else if (const auto *Do = dyn_cast<DoStmt>(S)) {
    addLine("do {");
    visitBlock(Do->getBody(), Depth + 1);
    addLine("} while (" + renderRepeated(Do->getCond()) + ");");
  } else if (isa<ContinueStmt>(S)) {
    addLine(Depth == 0 ? "return;" : "continue;");
  } else if (isa<BreakStmt>(S)) {
    addLine("break;");
  } else {
    for (const Stmt *Child : S->children())
      if (Child && isa<CompoundStmt>(S) && isa<CompoundStmt>(Child))
        visitScope(Child, Depth);
      else if (Child)
        visit(Child, Depth);
  }
}

std::string renderLoopSlice(LevelizeText &Text) {
  return SliceRenderer(Text).render();
}

} // namespace cudaopt
