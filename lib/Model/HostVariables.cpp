// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds the roles of scalars from the order of the text: no flow analysis, but
/// a loop that passes is one that any reader understands at a glance.
//===----------------------------------------------------------------------===//

#include "HostVariables.h"

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

BinaryOperatorKind getUpdate(const Expr *Assignment, QualType Element,
                             const ASTContext &Context) {
  Assignment = Assignment->IgnoreParens();
  Element = Element.getUnqualifiedType();
  if (Element->isBooleanType() || Element->isEnumeralType())
    return BO_Comma;
  if (const auto *Unary = dyn_cast<UnaryOperator>(Assignment)) {
    if (Unary->isIncrementOp())
      return BO_Add;
    // 1 is subtracted by adding its negation.
    return Unary->isDecrementOp() && !Element->isSignedIntegerType() ? BO_Sub
                                                                     : BO_Comma;
  }
  const auto *Compound = dyn_cast<CompoundAssignOperator>(Assignment);
  if (!Compound)
    return BO_Comma;
  QualType Type = Compound->getComputationResultType();
  // What integers lose by being narrowed again does not depend on the order.
  const bool IsNarrow = Element->isIntegerType() &&
                        Context.getTypeSize(Element) < 32 &&
                        Context.hasSameType(Type, Context.IntTy);
  if (!Context.hasSameUnqualifiedType(Type, Element) && !IsNarrow)
    return BO_Comma;
  switch (Compound->getOpcode()) {
  case BO_AddAssign:
    return BO_Add;
  case BO_SubAssign:
    return Element->isSignedIntegerType() ? BO_Comma : BO_Sub;
  case BO_MulAssign:
    return BO_Mul;
  case BO_AndAssign:
    return BO_And;
  case BO_OrAssign:
    return BO_Or;
  case BO_XorAssign:
    return BO_Xor;
  default:
    return BO_Comma;
  }
}

void HostVariables::read(const FunctionDecl *F, const ForStmt *S,
                         const ASTContext &C) {
  Function = F;
  Loop = S;
  Context = &C;
  collectUses(S->getBody(), C);
  collectReached(F->getBody(), /*IsValue=*/false);
}

void HostVariables::collectUses(const Stmt *S, const ASTContext &C) {
  const auto *E = dyn_cast<Expr>(S);
  const Expr *Target = E ? getAssigned(E) : nullptr;
  if (Target)
    if (std::optional<HostPath> Path = getHostPath(Target)) {
      // Its operands are evaluated first.
      if (const auto *Binary = dyn_cast<BinaryOperator>(E->IgnoreParens()))
        collectUses(Binary->getRHS(), C);
      Uses.push_back({*Path, E->IgnoreParens()});
      return;
    }
  if (E)
    if (std::optional<HostPath> Path = getHostPath(E))
      Uses.push_back({*Path, nullptr});
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
                                  (Cast && Cast->getCastKind() == CK_NoOp));
  const bool IsSizeof = isa<UnaryExprOrTypeTraitExpr>(S);
  for (const Stmt *Child : S->children())
    if (Child) {
      const auto *E = dyn_cast<Expr>(Child);
      const bool IsTarget = Target && E && E->IgnoreParens() == Target;
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

static bool contains(const Stmt *S, const Stmt *Part) {
  return S == Part || llvm::any_of(S->children(), [&](const Stmt *Child) {
           return Child && contains(Child, Part);
         });
}

static bool assigns(const Stmt *S, const VarDecl *V) {
  const auto *E = dyn_cast<BinaryOperator>(S);
  if (!E || E->getOpcode() != BO_Assign || mentions(E->getRHS(), V))
    return false;
  std::optional<HostPath> Path = getHostPath(E->getLHS());
  return Path && Path->Fields.empty() && Path->Root == V;
}

/// True if \p S uses \p V at most where a for loop gave it a value before. Does
/// not look into \p Except.
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
  return llvm::all_of(S->children(), [&](const Stmt *Child) {
    return !Child || usesOnlyInitialised(Child, V, Except);
  });
}

bool HostVariables::isAssignedFirst(const VarDecl *V) const {
  const auto *Body = dyn_cast<CompoundStmt>(Loop->getBody());
  if (!Body)
    return usesOnlyInitialised(Loop->getBody(), V, nullptr);
  for (const Stmt *S : Body->body()) {
    if (assigns(S, V))
      return true;
    if (!usesOnlyInitialised(S, V, nullptr))
      return false;
  }
  return true;
}

bool HostVariables::isLiveOut(const VarDecl *V) const {
  return !V->hasLocalStorage() || V->getType()->isReferenceType() ||
         mayBeReached(V) || !usesOnlyInitialised(Function->getBody(), V, Loop);
}

HostRole HostVariables::roleOf(const HostPath &Path) const {
  BinaryOperatorKind Op = BO_Comma;
  bool IsAssigned = false, IsReduction = true;
  for (const Use &Each : Uses) {
    if (!(Each.Path == Path))
      continue;
    BinaryOperatorKind Mine =
        Each.Assignment ? getUpdate(Each.Assignment, Path.type(), *Context)
                        : BO_Comma;
    if (Mine == BO_Sub) // A sum, too.
      Mine = BO_Add;
    IsReduction &= Mine != BO_Comma && (Op == BO_Comma || Op == Mine);
    Op = Mine;
    IsAssigned |= Each.Assignment != nullptr;
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
