// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Alias analysis for loads: which of the values that the kernel stores may a
/// load yield? Pointers that are parameters of the kernel lead to global
/// memory, never to local variables; other pointers are followed to what they
/// were computed from. Where that fails, the load may yield any value.
//===----------------------------------------------------------------------===//

#include "ProductFlow.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using llvm::SmallVectorImpl;

namespace cudaopt {

/// Returns true if a value stored with type \p Stored may be loaded with type
/// \p Loaded. Only different arithmetic types exclude that (strict aliasing).
static bool mayBeRead(QualType Stored, QualType Loaded) {
  Stored = Stored.getNonReferenceType().getCanonicalType();
  Loaded = Loaded.getNonReferenceType().getCanonicalType();
  return !Stored->isArithmeticType() || !Loaded->isArithmeticType() ||
         Stored.getUnqualifiedType() == Loaded.getUnqualifiedType();
}

/// Returns true if \p E is reached through a pointer that is a part of a
/// variable, as in `v.p[i]`.
static bool isThroughPointer(const Expr *E) {
  while (true) {
    E = E->IgnoreParenCasts();
    if (const auto *Member = dyn_cast<MemberExpr>(E))
      E = Member->getBase();
    else if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E)) {
      E = Subscript->getBase()->IgnoreParenCasts();
      if (!E->getType()->isArrayType())
        return true;
    } else
      return false;
  }
}

/// Returns the variable from which \p Pointer is computed by adding offsets and
/// taking addresses; null if there is none.
static const VarDecl *getPointedVariable(const Expr *Pointer) {
  while (true) {
    Pointer = Pointer->IgnoreParenCasts();
    if (const auto *Binary = dyn_cast<BinaryOperator>(Pointer);
        Binary && Binary->isAdditiveOp())
      Pointer = Binary->getLHS()->getType()->isPointerType() ? Binary->getLHS()
                                                             : Binary->getRHS();
    else if (const auto *Unary = dyn_cast<UnaryOperator>(Pointer);
             Unary && Unary->getOpcode() == UO_AddrOf)
      Pointer = Unary->getSubExpr();
    else
      return getRootVariable(Pointer);
  }
}

bool ProductFlow::isParameterOfKernel(const VarDecl *V) const {
  return isa<ParmVarDecl>(V) && V->getDeclContext() == Kernel &&
         !Values.contains(V);
}

/// Returns true if \p Pointer, a local variable or a parameter of a called
/// function, surely leads to local arrays, whatever was assigned to it.
bool ProductFlow::leadsToLocals(const VarDecl *Pointer) {
  if (!Pointer->hasLocalStorage() || Reached.contains(Pointer) ||
      !Values.contains(Pointer) || !OpenPointers.insert(Pointer).second)
    return false;
  const llvm::SmallVector<const Expr *, 2> All(Values.lookup(Pointer));
  const bool Result = llvm::all_of(All, [&](const Expr *Each) {
    const VarDecl *Root = getPointedVariable(Each);
    if (!Root || !Root->hasLocalStorage() || Root->getType()->isReferenceType())
      return false;
    return Root->getType()->isPointerType() ? leadsToLocals(Root)
                                            : Root->getType()->isArrayType();
  });
  OpenPointers.erase(Pointer);
  return Result;
}

/// Adds to \p Found the values of the stores to Memory that may write what \p E
/// loads. If E loads from the variable \p Named, or from where that parameter
/// leads, only stores that may alias it count; if Named is null, all stores do.
/// Stores that surely come after E are left out.
void ProductFlow::findInMemory(const VarDecl *Named, const Expr *E,
                               SmallVectorImpl<const Expr *> &Found) {
  for (const auto &[Target, Stores] : Memory)
    if (!Named || !Target || Target == Named ||
        (Target->getType()->isPointerType() && !isParameterOfKernel(Target) &&
         !leadsToLocals(Target)))
      for (const Expr *Each : Stores)
        if (mayBeRead(Each->getType(), E->getType()) &&
            !isSurelyBefore(E, Each))
          Found.push_back(Each);
}

bool ProductFlow::mayVariablePointToLocal(const VarDecl *V) {
  if (isParameterOfKernel(V))
    return false;
  if (!V->hasLocalStorage())
    return Memory.contains(V);
  if (Reached.contains(V) || !Values.contains(V))
    return true;
  if (!OpenPointers.insert(V).second)
    return false;
  const llvm::SmallVector<const Expr *, 2> All(Values.lookup(V));
  const bool Result = llvm::any_of(
      All, [&](const Expr *Each) { return mayPointToLocal(Each); });
  OpenPointers.erase(V);
  return Result;
}

/// Returns true if \p Pointer may lead to a local variable. For a glvalue, the
/// question is asked about the pointer by which it is reached.
bool ProductFlow::mayPointToLocal(const Expr *Pointer) {
  if (++Steps > MaxSteps)
    return true;
  Pointer = Pointer->IgnoreParens();
  if (const auto *Cast = dyn_cast<CastExpr>(Pointer))
    return Cast->getCastKind() != CK_NullToPointer &&
           (Cast->getCastKind() == CK_IntegralToPointer ||
            mayPointToLocal(Cast->getSubExpr()));
  if (const auto *Binary = dyn_cast<BinaryOperator>(Pointer)) {
    auto isLocal = [&](const Expr *Each) {
      return Each->getType()->isPointerType() && mayPointToLocal(Each);
    };
    return isLocal(Binary->getLHS()) || isLocal(Binary->getRHS());
  }
  if (const auto *Unary = dyn_cast<UnaryOperator>(Pointer))
    return mayPointToLocal(Unary->getSubExpr());
  if (const auto *Choice = dyn_cast<ConditionalOperator>(Pointer))
    return mayPointToLocal(Choice->getTrueExpr()) ||
           mayPointToLocal(Choice->getFalseExpr());
  if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(Pointer))
    return mayPointToLocal(Subscript->getBase());
  if (const auto *Member = dyn_cast<MemberExpr>(Pointer))
    return mayPointToLocal(Member->getBase());
  const auto *Ref = dyn_cast<DeclRefExpr>(Pointer);
  const auto *V = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  return !V || mayVariablePointToLocal(V);
}

/// As findLoaded, for a load from the variable \p Root or from where that
/// leads.
bool ProductFlow::findLoadedOf(const VarDecl *Root, const Expr *E,
                               SmallVectorImpl<const Expr *> &Found) {
  if (const Expr *Init =
          Root->hasLocalStorage() ? nullptr : Root->getAnyInitializer())
    Found.push_back(Init);
  if (Root->hasLocalStorage()) {
    if (Reached.contains(Root))
      return false;
    const llvm::SmallVector<const Expr *, 2> Known(Values.lookup(Root));
    if (Known.empty() && !isParameterOfKernel(Root))
      return false; // Something else gives it a value.
    if (!Root->getType()->isPointerType() || isa<DeclRefExpr>(E))
      Found.append(Known.begin(), Known.end());
  }
  if (Root->getType()->isPointerType()) {
    if (!isa<DeclRefExpr>(E) && mayVariablePointToLocal(Root))
      return false;
    // A pointer parameter of the kernel is compared by its name; any other
    // pointer may lead anywhere.
    findInMemory(isParameterOfKernel(Root) ? Root : nullptr, E, Found);
    return true;
  }
  if (Root->getType()->isReferenceType() || isThroughPointer(E)) {
    if (!isParameterOfKernel(Root) && !Root->getType()->isReferenceType() &&
        mayVariablePointToLocal(Root))
      return false;
    findInMemory(nullptr, E, Found);
  } else if (!Root->hasLocalStorage()) {
    findInMemory(Root, E, Found);
  }
  return true;
}

bool ProductFlow::findLoaded(const Expr *E,
                             SmallVectorImpl<const Expr *> &Found) {
  E = E->IgnoreParens();
  if (const VarDecl *Root = getRootVariable(E))
    return findLoadedOf(Root, E->IgnoreParenCasts(), Found);
  // E is a part of an unnamed value, or what a computed pointer leads to. Strip
  // the parts to find which.
  const Expr *Place = E->IgnoreParenCasts();
  while (true) {
    const Expr *Next = nullptr;
    if (const auto *Member = dyn_cast<MemberExpr>(Place);
        Member && !Member->isArrow())
      Next = Member->getBase();
    const auto *Subscript = dyn_cast<ArraySubscriptExpr>(Place);
    if (Subscript &&
        Subscript->getBase()->IgnoreParenCasts()->getType()->isArrayType())
      Next = Subscript->getBase();
    if (!Next)
      break;
    Place = Next->IgnoreParenCasts();
  }
  const Expr *Pointer = nullptr;
  if (const auto *Member = dyn_cast<MemberExpr>(Place))
    Pointer = Member->getBase();
  else if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(Place))
    Pointer = Subscript->getBase();
  else if (const auto *Unary = dyn_cast<UnaryOperator>(Place);
           Unary && Unary->getOpcode() == UO_Deref)
    Pointer = Unary->getSubExpr();
  else if (Place->getType()->isPointerType() &&
           !isa<DeclRefExpr, CXXThisExpr, CallExpr>(Place))
    Pointer = Place; // The argument of __ldg() or the like.
  if (Pointer) {
    if (mayPointToLocal(Pointer))
      return false;
    const VarDecl *Base = getPointedVariable(Pointer);
    findInMemory(
        Base && (isParameterOfKernel(Base) ||
                 (!Base->hasLocalStorage() && Base->getType()->isArrayType()))
            ? Base
            : nullptr,
        E, Found);
    return true;
  }
  if (Place == E || isa<DeclRefExpr, CXXThisExpr>(Place))
    return false;
  Found.push_back(Place);
  return true;
}

} // namespace cudaopt
