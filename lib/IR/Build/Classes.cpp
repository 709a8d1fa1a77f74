// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Lowers what makes objects of classes and arrays: constructors, initialiser
/// lists, lambdas, temporaries.
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "clang/AST/RecordLayout.h"

using namespace cudaopt::ir;
using namespace llvm;

/// If the initialiser has made its object at \p To already, nothing is left to
/// do. A default member initialiser is lowered anew for each object.
void Lowering::initialize(ValueId To, clang::QualType T,
                          const clang::Expr *Init) {
  const auto *Shared = dyn_cast<clang::CXXDefaultInitExpr>(Init);
  const ValueId V =
      Shared && !isScalar(T) ? lowerAnew(Shared->getExpr(), To) : get(Init);
  if (T->isReferenceType() || isScalar(T))
    return store(Init, To, V, T);
  if (!V || V == To || !sizeOf(T))
    return;
  const clang::CXXRecordDecl *Class = T->getAsCXXRecordDecl();
  if (Class && !Class->isTriviallyCopyable()) {
    // C++ would construct the object in place, but it was made elsewhere. Its
    // constructor may have kept that address, so that a copy would be wrong.
    opaque(Init, "object made elsewhere", {To, V}, Context.VoidTy);
    return;
  }
  copy(Init, To, V, T);
}

/// Lowers value initialisation, `T()`: a zero, or the address of a temporary
/// that is filled with zeros.
ValueId Lowering::zeros(const clang::Expr *E) {
  const clang::QualType T = E->getType();
  if (T->isVoidType())
    return 0;
  if (T->isRealFloatingType())
    return floating(APFloat::getZero(Context.getFloatTypeSemantics(T)), T);
  if (isScalar(T))
    return Builder.literal(0, typeOf(T));
  const ValueId Address = temporary(E, T);
  fill(E, Address, T);
  return Address;
}

void Lowering::fill(const clang::Stmt *At, ValueId Address, clang::QualType T) {
  Operation O;
  O.What = Operation::Store;
  O.Address = Address;
  O.Width = sizeOf(T);
  O.Of = T;
  O.Stored = Builder.literal(0, Type::aggregate(O.Width));
  O.IsVolatile = hasVolatile(T, Context);
  O.Where = anchor(At);
  if (O.Width)
    append(std::move(O));
}

/// Lowers a construction, and returns the address of the object. Trivial copies
/// and trivial default constructors call nothing.
ValueId Lowering::lowerConstruction(const clang::CXXConstructExpr *E) {
  const clang::CXXConstructorDecl *D = E->getConstructor();
  const clang::QualType T = E->getType();
  const ValueId Address = temporary(E, T);
  if (D->isCopyOrMoveConstructor() && D->isTrivial()) {
    copy(E, Address, get(E->getArg(0)), T);
    return Address;
  }
  if (E->requiresZeroInitialization())
    fill(E, Address, T);
  if (D->isDefaultConstructor() && D->isTrivial())
    return Address;
  if (T->isArrayType())
    return lowerArrayConstruction(E, Address);
  const SmallVector<const clang::Expr *, 4> Arguments(E->arguments());
  if (!E->isListInitialization() && isOrderOpen(Arguments)) {
    opaqueOrder(E, Arguments);
    return Address;
  }
  call(E, D, Address, Arguments);
  return Address;
}

/// Lowers the conversion of a prvalue to a temporary object; one of class type
/// is an object already.
ValueId Lowering::lowerTemporary(const clang::MaterializeTemporaryExpr *E) {
  const ValueId V = get(E->getSubExpr());
  if (!isScalar(E->getType()))
    return V ? V : opaque(E, "temporary");
  const ValueId Address = temporary(E, E->getType());
  store(E, Address, V, E->getType());
  return Address;
}

/// Returns the address of the base \p Base in an object of class \p Class.
ValueId Lowering::base(ValueId Object, const clang::CXXRecordDecl *Class,
                       const clang::CXXBaseSpecifier &Base) {
  const uint64_t Bytes =
      Context.getASTRecordLayout(Class)
          .getBaseClassOffset(Base.getType()->getAsCXXRecordDecl())
          .getQuantity();
  return Builder.offset(Object,
                        Builder.literal(Bytes, Type::integer(true, 64)));
}

/// Initialises the elements of an array: those that the list names, and then
/// the rest, with the same initialiser for each (the filler).
ValueId Lowering::lowerArrayList(const clang::InitListExpr *E,
                                 ValueId Address) {
  const clang::QualType Element =
      Context.getAsArrayType(E->getType())->getElementType();
  const uint64_t Size = sizeOf(Element);
  const auto At = [&](uint64_t I) {
    return Builder.offset(Address,
                          Builder.literal(I * Size, Type::integer(true, 64)));
  };
  for (auto [I, Init] : enumerate(E->inits()))
    initialize(At(I), Element, Init);
  const clang::Expr *Filler =
      E->hasArrayFiller() ? E->getArrayFiller() : nullptr;
  const auto *Array = Context.getAsConstantArrayType(E->getType());
  if (!Filler || isa<clang::ImplicitValueInitExpr>(Filler) || !Array)
    return Address;
  forEachElement(At(E->getNumInits()), Element,
                 Array->getZExtSize() - E->getNumInits(), false,
                 [&](ValueId To) {
                   place(Filler, To);
                   initialize(To, Element, Filler);
                 });
  return Address;
}

/// Lowers the copy of an array, as in a lambda that captures one. Clang has one
/// expression that copies an element and stands for all of them.
ValueId Lowering::lowerArrayCopy(const clang::ArrayInitLoopExpr *E) {
  const clang::QualType T = E->getType();
  const ValueId From = get(E->getCommonExpr());
  const ValueId Address = temporary(E, T);
  if (From && T.isTriviallyCopyableType(Context)) {
    copy(E, Address, From, T);
    return Address;
  }
  const clang::QualType Element =
      Context.getAsConstantArrayType(T)->getElementType();
  forEachElement(Address, Element, E->getArraySize().getLimitedValue(), false,
                 [&](ValueId To) {
                   Now->Values[E->getCommonExpr()] = From;
                   place(E->getSubExpr(), To);
                   initialize(To, Element, E->getSubExpr());
                 });
  return Address;
}

/// Returns whether \p E initialises each element or member of its object by a
/// store of its own, so that no zeros are needed first. Bit-fields need zeros:
/// a store to one keeps the other bits of its location.
static bool initialisesAll(const clang::InitListExpr *E,
                           const clang::ASTContext &Context) {
  if (const auto *Array = Context.getAsConstantArrayType(E->getType()))
    return E->getNumInits() == Array->getZExtSize();
  const clang::RecordDecl *Class = E->getType()->getAsRecordDecl();
  return Class && !Class->isUnion() &&
         none_of(Class->fields(),
                 [](const clang::FieldDecl *F) { return F->isBitField(); });
}

void Lowering::fillUnnamed(const clang::InitListExpr *E, ValueId Address) {
  const clang::QualType T = E->getType();
  if (initialisesAll(E, Context))
    return;
  const bool HasParts = any_of(E->inits(), [&](const clang::Expr *Init) {
    const clang::Expr *Maker =
        isScalar(Init->getType()) ? nullptr : makerOf(Init);
    return Maker && Places.contains(keyOf(Maker));
  });
  if (!HasParts)
    return fill(E, Address, T);
  const auto At = [&](uint64_t Bytes) {
    return Builder.offset(Address,
                          Builder.literal(Bytes, Type::integer(true, 64)));
  };
  if (const auto *Array = Context.getAsConstantArrayType(T)) {
    const uint64_t Named = E->getNumInits(), All = Array->getZExtSize();
    const clang::QualType Element = Array->getElementType();
    if (Named < All)
      fill(E, At(Named * sizeOf(Element)),
           Context.getConstantArrayType(Element, APInt(64, All - Named),
                                        nullptr,
                                        clang::ArraySizeModifier::Normal, 0));
    return;
  }
  // Storing a bit-field keeps the other bits of its location, which are set to
  // 0 first.
  const clang::RecordDecl *Class = T->getAsRecordDecl();
  for (const clang::FieldDecl *Field : Class->fields()) {
    const std::optional<BitField> Bits =
        Field->isBitField() && Field->getBitWidthValue()
            ? findBits(Field, Context)
            : std::nullopt;
    if (!Bits)
      continue;
    Operation O;
    O.What = Operation::Store;
    O.Address = At(Bits->Location.Offset);
    O.Stored = Builder.literal(0, Bits->Location.Ty);
    O.Width = Bits->Location.Width;
    O.Where = anchor(E);
    append(std::move(O));
  }
}

/// Lowers `{a, b}` for an array, an aggregate class, or a scalar.
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
  if (!Class && !Array)
    return opaque(E, "list");
  const ValueId Address = temporary(E, T);
  fillUnnamed(E, Address);
  if (Array)
    return lowerArrayList(E, Address);
  if (Class->isUnion()) {
    const clang::FieldDecl *Field = E->getInitializedFieldInUnion();
    if (Field && E->getNumInits() == 1 && !Field->isBitField())
      initialize(member(Address, Field), Field->getType(), E->getInit(0));
    else if (Field)
      opaque(E, "list", {Address}, Context.VoidTy);
    return Address;
  }
  unsigned Next = 0;
  if (const auto *Cxx = dyn_cast<clang::CXXRecordDecl>(Class))
    for (const clang::CXXBaseSpecifier &Base : Cxx->bases())
      if (Next < E->getNumInits())
        initialize(base(Address, Cxx, Base), Base.getType(),
                   E->getInit(Next++));
  for (const clang::FieldDecl *Field : Class->fields()) {
    if (Field->isUnnamedBitField() || Next >= E->getNumInits())
      continue;
    // In a default member initialiser, `this` is the object of the list.
    const clang::Expr *Init = E->getInit(Next++);
    const ValueId This = Now->This;
    if (isa<clang::CXXDefaultInitExpr>(Init))
      Now->This = Address;
    if (Field->isBitField())
      storeBits(Init, member(Address, Field), Field, get(Init));
    else
      initialize(member(Address, Field), Field->getType(), Init);
    Now->This = This;
  }
  return Address;
}

/// Makes the closure of a lambda: an object whose fields are the captures.
ValueId Lowering::lowerLambda(const clang::LambdaExpr *E) {
  const ValueId Address = temporary(E, E->getType());
  auto Field = E->getLambdaClass()->field_begin();
  for (const clang::Expr *Init : E->capture_inits()) {
    if (!Init)
      return opaque(E, "lambda", {Address}, E->getType());
    initialize(member(Address, *Field), Field->getType(), Init);
    ++Field;
  }
  return Address;
}
