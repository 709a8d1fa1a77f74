// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds the roles of scalars from the order of the text: no flow analysis, but
/// a loop that passes is one that any reader understands at a glance.
//===----------------------------------------------------------------------===//

#include "HostVariables.h"
#include "HostUpdates.h"
#include "cudaopt/Model/StatementParts.h"

#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace cudaopt {

const Expr *getAssigned(const Expr *E) {
  E = E->IgnoreParens();
  if (const auto *Binary = dyn_cast<BinaryOperator>(E))
    return Binary->isAssignmentOp() ? Binary->getLHS()->IgnoreParens()
                                    : nullptr;
  if (const auto *Unary = dyn_cast<UnaryOperator>(E))
    return Unary->isIncrementDecrementOp() ? Unary->getSubExpr()->IgnoreParens()
                                           : nullptr;
  return nullptr;
}

void HostVariables::read(const HostLoop &L, const ASTContext &Context) {
  Function = L.Lambda ? L.Lambda : L.Function;
  Loop = L.Loop;
  Body = L.Body;
  collectUses(Body, Context);
  collectReached(Function->getBody(), /*IsValue=*/false);
  // Captured variables are others' too.
  if (L.Lambda)
    for (const LambdaCapture &Each :
         cast<CXXMethodDecl>(L.Lambda)->getParent()->captures())
      if (Each.capturesVariable())
        if (const auto *V = dyn_cast<VarDecl>(Each.getCapturedVar()))
          Reached.insert(V);
}

void HostVariables::collectUses(const Stmt *S, const ASTContext &C) {
  if (std::optional<HostUpdate> Update = findUpdate(S, C))
    if (std::optional<HostPath> Path = getHostPath(Update->Target)) {
      if (Update->Value)
        collectUses(Update->Value, C);
      Uses.push_back({*Path, true, Update});
      return;
    }
  const auto *E = dyn_cast<Expr>(S);
  const Expr *Target = E ? getAssigned(E) : nullptr;
  if (Target)
    if (std::optional<HostPath> Path = getHostPath(Target)) {
      // Its operands are evaluated first.
      if (const auto *Binary = dyn_cast<BinaryOperator>(E->IgnoreParens()))
        collectUses(Binary->getRHS(), C);
      Uses.push_back({*Path, true, std::nullopt});
      return;
    }
  if (E)
    if (std::optional<HostPath> Path = getHostPath(E))
      Uses.push_back({*Path, false, std::nullopt});
  for (const Stmt *Child : S->children())
    if (Child)
      collectUses(Child, C);
}

/// A variable that is only read, assigned, subscripted or asked for a member
/// cannot be reached by other names. \p IsValue: the parent does one of these.
void HostVariables::collectReached(const Stmt *S, bool IsValue) {
  if (const auto *Use = dyn_cast<DeclRefExpr>(S)) {
    if (const auto *V = dyn_cast<VarDecl>(Use->getDecl()); V && !IsValue)
      Reached.insert(V);
    return;
  }
  if (const auto *Capture = dyn_cast<LambdaExpr>(S))
    for (const LambdaCapture &Each : Capture->captures())
      if (Each.capturesVariable())
        if (const auto *V = dyn_cast<VarDecl>(Each.getCapturedVar()))
          Reached.insert(V);
  const Expr *Target = nullptr;
  if (const auto *E = dyn_cast<Expr>(S))
    Target = getAssigned(E);
  const auto *Cast = dyn_cast<ImplicitCastExpr>(S);
  const bool Reads = Cast && Cast->getCastKind() == CK_LValueToRValue;
  const bool Passes = IsValue && (isa<ParenExpr>(S) || isa<MemberExpr>(S) ||
                                  isa<ConditionalOperator>(S) ||
                                  (Cast && Cast->getCastKind() == CK_NoOp));
  const bool IsSizeof = isa<UnaryExprOrTypeTraitExpr>(S);
  for (const Stmt *Child : S->children())
    if (Child) {
      const auto *E = dyn_cast<Expr>(Child);
      const bool IsTarget = Target && E && E->IgnoreParens() == Target &&
                            !isa<ConditionalOperator>(Target);
      collectReached(Child, Reads || Passes || IsTarget || IsSizeof);
    }
}

/// True for `for (V = ...; ...)`.
static bool assignsInInit(const ForStmt *S, const VarDecl *V) {
  const auto *Init = dyn_cast_or_null<BinaryOperator>(S->getInit());
  if (!Init || Init->getOpcode() != BO_Assign)
    return false;
  std::optional<HostPath> Path = getHostPath(Init->getLHS());
  return Path && Path->Fields.empty() && Path->Root == V;
}

static bool mentions(const Stmt *S, const VarDecl *V) {
  if (const auto *Use = dyn_cast<DeclRefExpr>(S))
    return Use->getDecl() == V;
  return llvm::any_of(S->children(), [&](const Stmt *Child) {
    return Child && mentions(Child, V);
  });
}

static bool assigns(const Stmt *S, const VarDecl *V) {
  const auto *E = dyn_cast<BinaryOperator>(S);
  if (!E || E->getOpcode() != BO_Assign || mentions(E->getRHS(), V))
    return false;
  std::optional<HostPath> Path = getHostPath(E->getLHS());
  return Path && Path->Fields.empty() && Path->Root == V;
}

/// True if control can come to the middle of \p S.
static bool hasLabel(const Stmt *S) {
  return isa<LabelStmt, SwitchCase>(S) ||
         llvm::any_of(S->children(),
                      [](const Stmt *C) { return C && hasLabel(C); });
}

/// True if \p S uses \p V at most where a for loop, or an assignment in front,
/// gave it a value before. Does not look into \p Except.
static bool usesOnlyInitialised(const Stmt *S, const VarDecl *V,
                                const Stmt *Except) {
  if (S == Except)
    return true;
  if (const auto *Use = dyn_cast<DeclRefExpr>(S))
    return Use->getDecl() != V;
  if (const auto *For = dyn_cast<ForStmt>(S))
    if (assignsInInit(For, V))
      return !mentions(cast<BinaryOperator>(For->getInit())->getRHS(), V) &&
             !(Except && contains(For, Except));
  if (const auto *Block = dyn_cast<CompoundStmt>(S);
      Block && !(Except && contains(Block, Except)) && !hasLabel(Block))
    for (const Stmt *Each : Block->body()) {
      if (assigns(Each, V))
        return true;
      if (!usesOnlyInitialised(Each, V, nullptr))
        return false;
    }
  return llvm::all_of(S->children(), [&](const Stmt *Child) {
    return !Child || usesOnlyInitialised(Child, V, Except);
  });
}

/// True if \p V may be read behind \p Loop, which \p S contains, before it gets
/// another value. What runs in front of the loop alone does not count.
static bool mayBeReadBehind(const Stmt *S, const VarDecl *V, const Stmt *Loop) {
  if (S == Loop)
    return false;
  if (const auto *Block = dyn_cast<CompoundStmt>(S)) {
    const auto *At = llvm::find_if(
        Block->body(), [&](const Stmt *Each) { return contains(Each, Loop); });
    return At == Block->body_end() || mayBeReadBehind(*At, V, Loop) ||
           !std::all_of(At + 1, Block->body_end(), [&](const Stmt *Each) {
             return usesOnlyInitialised(Each, V, nullptr);
           });
  }
  if (const auto *If = dyn_cast<IfStmt>(S))
    for (const Stmt *Branch : {If->getThen(), If->getElse()})
      if (Branch && contains(Branch, Loop))
        return mayBeReadBehind(Branch, V, Loop);
  if (const auto *Attributed = dyn_cast<AttributedStmt>(S))
    return mayBeReadBehind(Attributed->getSubStmt(), V, Loop);
  return !usesOnlyInitialised(S, V, Loop); // It may come back.
}

bool HostVariables::isAssignedFirst(const VarDecl *V) const {
  return usesOnlyInitialised(Body, V, nullptr);
}

bool HostVariables::isLiveOut(const VarDecl *V) const {
  if (!V->hasLocalStorage() || V->getType()->isReferenceType() ||
      mayBeReached(V))
    return true;
  const Stmt *All = Function->getBody();
  return hasLabel(All) ? !usesOnlyInitialised(All, V, Loop)
                       : mayBeReadBehind(All, V, Loop);
}

HostRole HostVariables::roleOf(const HostPath &Path) const {
  std::optional<HostOperation> Op;
  bool IsAssigned = false, IsReduction = true;
  for (const Use &Each : Uses) {
    if (!(Each.Path == Path))
      continue;
    IsAssigned |= Each.IsAssigned;
    if (!Each.Update) {
      IsReduction = false;
      continue;
    }
    HostOperation Mine = Each.Update->Operation;
    if (Mine == HostOperation::Minus) // A sum, too.
      Mine = HostOperation::Plus;
    IsReduction &= !Op || *Op == Mine;
    Op = Mine;
  }
  if (!IsAssigned)
    return HostRole::Invariant;
  if (IsReduction)
    return HostRole::Reduction;
  if (Path.isOwnVariable() && !Path.Root->isStaticLocal() &&
      isAssignedFirst(Path.Root))
    return HostRole::Private;
  return HostRole::Carried;
}

} // namespace cudaopt
