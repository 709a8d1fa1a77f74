// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Objects of classes and arrays: constructors, lists, lambdas, temporaries.
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "clang/AST/RecordLayout.h"

using namespace cudaopt::ir;
using namespace llvm;

void Lowering::initialize(ValueId To, clang::QualType T,
                          const clang::Expr *Init) {
  const ValueId V = get(Init);
  if (T->isReferenceType() || isScalar(T))
    return store(Init, To, V, T);
  if (!V || V == To || !sizeOf(T))
    return;
  const clang::CXXRecordDecl *Class = T->getAsCXXRecordDecl();
  if (Class && !Class->isTriviallyCopyable()) {
    // C++ makes the object in its place; who keeps its address there sees that.
    opaque(Init, "object made elsewhere", {To, V}, Context.VoidTy);
    return;
  }
  copy(Init, To, V, T);
}

/// `T()`: zeros, in a temporary if it is no scalar.
ValueId Lowering::zeros(const clang::Expr *E) {
  const clang::QualType T = E->getType();
  if (T->isVoidType())
    return 0;
  if (T->isRealFloatingType())
    return Builder.literal(APFloat::getZero(Context.getFloatTypeSemantics(T)));
  if (isScalar(T))
    return Builder.literal(0, typeOf(T));
  const ValueId Address = Builder.address(temporary(E, T));
  fill(E, Address, T);
  return Address;
}

void Lowering::fill(const clang::Stmt *At, ValueId Address, clang::QualType T) {
  Operation O;
  O.What = Operation::Store;
  O.Address = Address;
  O.Width = sizeOf(T);
  O.Of = T;
  O.Stored = Builder.literal(
      0, {Type::Aggregate, false, static_cast<uint32_t>(8 * O.Width)});
  O.Where = anchor(At);
  if (O.Width)
    append(std::move(O));
}

ValueId Lowering::lowerConstruction(const clang::CXXConstructExpr *E) {
  const clang::CXXConstructorDecl *D = E->getConstructor();
  const clang::QualType T = E->getType();
  const bool IsEmpty = D->isDefaultConstructor() && D->isTrivial() &&
                       !E->requiresZeroInitialization();
  if (T->isArrayType() && !IsEmpty)
    return opaque(E, "array of objects");
  const ValueId Address = Builder.address(temporary(E, T));
  if (D->isCopyOrMoveConstructor() && D->isTrivial()) {
    copy(E, Address, get(E->getArg(0)), T);
    return Address;
  }
  if (E->requiresZeroInitialization())
    fill(E, Address, T);
  if (D->isDefaultConstructor() && D->isTrivial())
    return Address;
  const SmallVector<const clang::Expr *, 4> Arguments(E->arguments());
  call(E, D, Address, Arguments);
  return Address;
}

ValueId Lowering::lowerTemporary(const clang::MaterializeTemporaryExpr *E) {
  const ValueId V = get(E->getSubExpr());
  if (!isScalar(E->getType()))
    return V ? V : opaque(E, "temporary");
  const ValueId Address = Builder.address(temporary(E, E->getType()));
  store(E, Address, V, E->getType());
  return Address;
}

/// `{a, b}`: of an array, a class without constructors, or a scalar.
ValueId Lowering::lowerList(const clang::InitListExpr *E) {
  if (const clang::InitListExpr *Semantic = E->getSemanticForm())
    E = Semantic;
  const clang::QualType T = E->getType();
  if (E->isTransparent() || isScalar(T)) {
    if (E->getNumInits() != 1)
      return zeros(E);
    return get(E->getInit(0));
  }
  const clang::RecordDecl *Class = T->getAsRecordDecl();
  const clang::ArrayType *Array = Context.getAsArrayType(T);
  if ((!Class && !Array) || (Class && Class->isUnion()))
    return opaque(E, "list");
  const ValueId Address = Builder.address(temporary(E, T));
  // What the list does not name is zero.
  fill(E, Address, T);
  if (Array) {
    const clang::QualType Element = Array->getElementType();
    for (auto [I, Init] : enumerate(E->inits()))
      initialize(
          Builder.offset(Address, Builder.literal(I * sizeOf(Element),
                                                  Type::integer(true, 64))),
          Element, Init);
    return E->hasArrayFiller() &&
                   !isa<clang::ImplicitValueInitExpr>(E->getArrayFiller())
               ? opaque(E, "list", {Address}, T)
               : Address;
  }
  const auto *Cxx = dyn_cast<clang::CXXRecordDecl>(Class);
  if (Cxx && Cxx->getNumBases())
    return opaque(E, "list");
  unsigned Next = 0;
  for (const clang::FieldDecl *Field : Class->fields()) {
    if (Field->isUnnamedBitField())
      continue;
    if (Field->isBitField() || Next >= E->getNumInits()) {
      SmallVector<ValueId, 8> Operands = {Address};
      for (const clang::Expr *Init : E->inits())
        if (const ValueId V = known(Init))
          Operands.push_back(V);
      return opaque(E, "list", Operands, T);
    }
    // `this` in a default member initialiser is the object of the list.
    const clang::Expr *Init = E->getInit(Next++);
    const ValueId This = Now->This;
    if (isa<clang::CXXDefaultInitExpr>(Init))
      Now->This = Address;
    initialize(member(Address, Field), Field->getType(), Init);
    Now->This = This;
  }
  return Address;
}

/// The closure, whose fields are what it captures.
ValueId Lowering::lowerLambda(const clang::LambdaExpr *E) {
  const ValueId Address = Builder.address(temporary(E, E->getType()));
  auto Field = E->getLambdaClass()->field_begin();
  for (const clang::Expr *Init : E->capture_inits()) {
    if (!Init)
      return opaque(E, "lambda", {Address}, E->getType());
    initialize(member(Address, *Field), Field->getType(), Init);
    ++Field;
  }
  return Address;
}
