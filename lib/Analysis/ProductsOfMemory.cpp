// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Values that a load may get. What nothing here knows may be any value.
//===----------------------------------------------------------------------===//

#include "ProductFlow.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using llvm::SmallVectorImpl;

namespace cudaopt {

/// True if a value of \p Stored may be read as one of \p Loaded.
static bool mayBeRead(QualType Stored, QualType Loaded) {
  Stored = Stored.getNonReferenceType().getCanonicalType();
  Loaded = Loaded.getNonReferenceType().getCanonicalType();
  return !Stored->isArithmeticType() || !Loaded->isArithmeticType() ||
         Stored.getUnqualifiedType() == Loaded.getUnqualifiedType();
}

/// True if a pointer that is a part of a variable leads to \p E.
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

/// The variable of which \p Pointer is computed by an offset.
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

/// True if \p Pointer, a parameter of a function that the kernel calls, leads
/// to local variables wherever it comes from.
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

/// Adds what stores to memory that pointers lead to may have written where
/// \p E loads; to \p Named and what may be a part of it, if it is not null.
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

/// True if \p Pointer, or the place \p Pointer, may be a local variable.
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

/// Of the variable \p Root or of what it leads to.
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
    // A pointer that is a parameter of the kernel leads to where others of that
    // name lead; any other one may lead anywhere.
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
  // A part of what has no name, or what a computed pointer leads to.
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
    Pointer = Place; // Of a function that loads.
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
