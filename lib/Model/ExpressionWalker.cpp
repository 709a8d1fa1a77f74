// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The part of KernelWalker for expressions. It goes down from each expression
/// to its operands and hands on, as a Use, what the parent does with the
/// operand: so that an element is known to be read, written or passed on when
/// it is met.
//===----------------------------------------------------------------------===//

#include "KernelWalker.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace cudaopt {

/// Returns the use of an element that an expression changes and then names, `(x
/// += 1)`: the parent may let its address out.
static Use changedBy(Use::Kind Change, const Use &OfResult) {
  return OfResult.What == Use::Blocked ? OfResult : Use(Change);
}

void KernelWalker::walkAssignment(const BinaryOperator *Op, const Use &U) {
  walkExpr(Op->getRHS(), Use(Use::Read));
  // The value of an assignment to a volatile object is read back.
  const bool Reads =
      isa<CompoundAssignOperator>(Op) ||
      (U.What == Use::Read && Op->getLHS()->getType().isVolatileQualified());
  walkExpr(Op->getLHS(), changedBy(Reads ? Use::ReadWrite : Use::Write, U));
}

void KernelWalker::walkIncrement(const UnaryOperator *Op, const Use &U) {
  walkExpr(Op->getSubExpr(), Op->isPostfix() ? Use(Use::ReadWrite)
                                             : changedBy(Use::ReadWrite, U));
}

/// Walks the operand of sizeof, noexcept or typeid, which names arrays but does
/// not access them.
void KernelWalker::walkUnevaluated(const Expr *E, const Use &U) {
  llvm::SaveAndRestore<bool> Unevaluated(IsEvaluated, false);
  walkExpr(E, U);
}

/// A copy constructor reads its argument; any other constructor that takes a
/// reference may keep it.
void KernelWalker::walkConstruction(const CXXConstructExpr *Construct) {
  const CXXConstructorDecl *Constructor = Construct->getConstructor();
  bool IsCopy =
      Constructor->isCopyOrMoveConstructor() &&
      (Constructor->isTrivial() || isLibraryFunction(Context, Constructor));
  Use U(Use::Blocked, Reason::BoundToReference, Constructor->getNameAsString());
  for (const Expr *Argument : Construct->arguments())
    walkExpr(Argument, IsCopy ? Use(Use::Read) : U);
}

/// The body runs where the closure is called. If no call is met, it is not
/// known where that is.
void KernelWalker::walkLambda(const LambdaExpr *Lambda) {
  for (const Expr *Init : Lambda->capture_inits())
    if (Init)
      walkExpr(Init);
  auto Paths = Code.pathsInto(Lambda->getBody(), Path);
  if (Paths.empty())
    Paths = {BoundKernel::Unknown};
  for (ir::CallPathId Each : Paths) {
    llvm::SaveAndRestore<ir::CallPathId> Inside(Path, Each);
    walkStmt(Lambda->getBody());
  }
}

void KernelWalker::walkAddressOf(const UnaryOperator *Op, const Use &U) {
  if (U.What == Use::Atomic)
    return walkExpr(Op->getSubExpr(), U);
  if (U.What == Use::ReadBehind)
    return walkExpr(Op->getSubExpr(), Use(Use::Read));
  if (U.What == Use::ChangeBehind)
    return walkExpr(Op->getSubExpr(), Use(Use::ReadWrite));
  Use Escape(Use::Blocked, Reason::AddressEscapes, textOf(Op));
  if (U.What == Use::Blocked && U.Why != Reason::AddressEscapes)
    Escape = U;
  walkExpr(Op->getSubExpr(), Escape);
}

/// An expression that names a whole array, and is not known to be harmless,
/// lets its address escape.
void KernelWalker::walkReference(const DeclRefExpr *Ref, const Use &U) {
  std::optional<ArrayId> Array = findArray(Ref);
  if (!Array)
    return;
  Handled.insert(Ref);
  const bool IsKnown = U.What == Use::Blocked;
  refuse(*Array, IsKnown ? U.Why : Reason::AddressEscapes,
         IsKnown && !U.Detail.empty() ? U.Detail : textOf(Ref),
         Ref->getLocation());
}

void KernelWalker::walkCast(const CastExpr *Cast, const Use &U) {
  const Expr *Operand = Cast->getSubExpr();
  Use Inner = U;
  if (Cast->getCastKind() == CK_LValueToRValue)
    Inner = namesPointer(Operand) ? U : Use(Use::Read);
  else if (Cast->getCastKind() == CK_ToVoid)
    Inner = Use(Use::Discard);
  else if (isa<ExplicitCastExpr>(Cast) &&
           (Operand->isGLValue() || Operand->getType()->isPointerType()))
    Inner =
        Use(Use::Blocked, Reason::PointerCast, Cast->getType().getAsString());
  walkExpr(Operand, Inner);
}

void KernelWalker::walkBinary(const BinaryOperator *Op, const Use &U) {
  if (Op->isAssignmentOp())
    return walkAssignment(Op, U);
  if (Op->isLogicalOp()) {
    walkExpr(Op->getLHS());
    return walkExpr(Op->getRHS());
  }
  const bool IsComma = Op->getOpcode() == BO_Comma;
  walkExpr(Op->getLHS(), IsComma ? Use(Use::Discard) : Use());
  walkExpr(Op->getRHS(), IsComma ? U : Use());
}

void KernelWalker::walkUnary(const UnaryOperator *Op, const Use &U) {
  if (Op->isIncrementDecrementOp())
    return walkIncrement(Op, U);
  if (Op->getOpcode() == UO_AddrOf)
    return walkAddressOf(Op, U);
  walkExpr(Op->getSubExpr());
}

/// Walks the operand of sizeof, noexcept or typeid, if \p E is one of these.
bool KernelWalker::walkQuestion(const Expr *E) {
  if (const auto *Trait = dyn_cast<UnaryExprOrTypeTraitExpr>(E)) {
    if (!Trait->isArgumentType())
      walkUnevaluated(Trait->getArgumentExpr(),
                      Use(Use::Blocked, Reason::SizeTaken));
    return true;
  }
  if (const auto *Noexcept = dyn_cast<CXXNoexceptExpr>(E)) {
    walkUnevaluated(Noexcept->getOperand(), Use());
    return true;
  }
  const auto *Typeid = dyn_cast<CXXTypeidExpr>(E);
  if (Typeid && !Typeid->isTypeOperand())
    walkUnevaluated(Typeid->getExprOperand(), Use());
  return Typeid;
}

void KernelWalker::walkExpr(const Expr *E, const Use &U) {
  if (!E)
    return;
  E = E->IgnoreParens();
  if (walkElement(E, U) || walkQuestion(E))
    return;
  if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E)) {
    // A row of an array, or an element that a pointer leads to.
    walkExpr(Sub->getBase(), U.What == Use::Blocked ? U : Use());
    return walkExpr(Sub->getIdx());
  }
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
    return walkReference(Ref, U);
  if (const auto *Cast = dyn_cast<CastExpr>(E))
    return walkCast(Cast, U);
  if (const auto *Op = dyn_cast<BinaryOperator>(E))
    return walkBinary(Op, U);
  if (const auto *Op = dyn_cast<UnaryOperator>(E))
    return walkUnary(Op, U);
  if (const auto *Op = dyn_cast<ConditionalOperator>(E)) {
    walkExpr(Op->getCond());
    walkExpr(Op->getTrueExpr(), U);
    return walkExpr(Op->getFalseExpr(), U);
  }
  if (const auto *Op = dyn_cast<BinaryConditionalOperator>(E)) {
    walkExpr(Op->getCommon(), U);
    return walkExpr(Op->getFalseExpr(), U);
  }
  if (const auto *Call = dyn_cast<CallExpr>(E))
    return walkCall(Call, U);
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(E))
    return walkConstruction(Construct);
  if (const auto *Lambda = dyn_cast<LambdaExpr>(E))
    return walkLambda(Lambda);
  if (const auto *Pseudo = dyn_cast<PseudoObjectExpr>(E))
    return walkExpr(Pseudo->getSyntacticForm());
  if (const auto *Statements = dyn_cast<StmtExpr>(E)) {
    walkStmt(Statements->getSubStmt());
    return;
  }
  if (const auto *Full = dyn_cast<FullExpr>(E))
    return walkExpr(Full->getSubExpr(), U);
  if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(E))
    return walkExpr(Temporary->getSubExpr());
  for (const Stmt *Child : E->children())
    if (const auto *Operand = dyn_cast_or_null<Expr>(Child))
      walkExpr(Operand);
}

} // namespace cudaopt
