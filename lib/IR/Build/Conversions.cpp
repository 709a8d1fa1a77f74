// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Lowers casts, implicit and explicit ones: loads of lvalues, conversions of
/// scalars, and casts between base and derived classes.
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "clang/AST/RecordLayout.h"

using namespace cudaopt::ir;
using namespace llvm;

/// Lowers the conversion of an lvalue to an rvalue, which is a load.
ValueId Lowering::lowerLoad(const clang::CastExpr *E) {
  const clang::Expr *Operand = E->getSubExpr();
  const clang::QualType T = Operand->getType();
  // The value of an assignment is what was stored; no compiler loads it again.
  const auto *Assigns =
      dyn_cast<clang::BinaryOperator>(Operand->IgnoreParens());
  if (Assigns && Assigns->isAssignmentOp() && !T.isVolatileQualified())
    if (const ValueId Stored = Now->Stored.lookup(Assigns))
      return Stored;
  if (std::optional<ValueId> Known = evaluate(E))
    return *Known;
  if (const ValueId Read = Now->Loaded.lookup(Operand->IgnoreParens()))
    return Read;
  const ValueId Address = get(Operand);
  if (const clang::FieldDecl *Bits = Operand->getSourceBitField())
    return loadBits(Operand, Address, Bits);
  if (Operand->refersToBitField())
    return opaque(E, "bit-field");
  if (isScalar(E->getType()))
    return load(Operand, Address, T);
  // A vector or a complex number, which is an object here. It is copied, since
  // the value must not change when its source does.
  const ValueId Copied = temporary(E, T.getUnqualifiedType());
  copy(Operand, Copied, Address, T);
  return Copied;
}

ValueId Lowering::lowerCast(const clang::CastExpr *E) {
  const clang::Expr *Operand = E->getSubExpr();
  const clang::QualType T = E->getType();
  switch (E->getCastKind()) {
  case clang::CK_LValueToRValue:
    return lowerLoad(E);
  case clang::CK_NoOp:
  case clang::CK_ArrayToPointerDecay:
  case clang::CK_FunctionToPointerDecay:
  case clang::CK_BuiltinFnToFnPtr:
  case clang::CK_LValueBitCast:
  case clang::CK_ConstructorConversion:
  case clang::CK_UserDefinedConversion:
    return get(Operand);
  case clang::CK_BitCast:
  case clang::CK_AddressSpaceConversion:
    if (Operand->getType()->isPointerType() && T->isPointerType())
      return get(Operand);
    break;
  case clang::CK_ToVoid:
    return 0;
  case clang::CK_NullToPointer:
    return Builder.literal(0, Type::pointer());
  case clang::CK_UncheckedDerivedToBase:
  case clang::CK_DerivedToBase:
  case clang::CK_BaseToDerived:
    return lowerToBase(E);
  case clang::CK_IntegralCast:
  case clang::CK_IntegralToBoolean:
  case clang::CK_BooleanToSignedIntegral:
  case clang::CK_IntegralToFloating:
  case clang::CK_FloatingToIntegral:
  case clang::CK_FloatingCast:
  case clang::CK_FloatingToBoolean:
  case clang::CK_PointerToBoolean:
  case clang::CK_IntegralToPointer:
  case clang::CK_PointerToIntegral:
    if (isScalar(T) && isScalar(Operand->getType()))
      return Builder.convert(get(Operand), typeOf(T));
    break;
  default:
    break;
  }
  return opaque(E, E->getCastKindName());
}

/// Lowers a cast to a base class, or back. A base may lie behind the beginning
/// of the object; then the pointer is moved by a constant.
ValueId Lowering::lowerToBase(const clang::CastExpr *E) {
  ValueId Pointer = get(E->getSubExpr());
  const bool IsBack = E->getCastKind() == clang::CK_BaseToDerived;
  clang::QualType T = E->getSubExpr()->getType();
  const clang::QualType From = IsBack ? E->getType() : T;
  const clang::CXXRecordDecl *Class = From->isPointerType()
                                          ? From->getPointeeCXXRecordDecl()
                                          : From->getAsCXXRecordDecl();
  for (const clang::CXXBaseSpecifier *Step : E->path()) {
    if (Step->isVirtual())
      return opaque(E, "virtual base");
    const clang::CXXRecordDecl *Base = Step->getType()->getAsCXXRecordDecl();
    const uint64_t Bytes = Context.getASTRecordLayout(Class)
                               .getBaseClassOffset(Base)
                               .getQuantity();
    // A null pointer must stay null, so that it cannot just be moved.
    if (Bytes && E->getCastKind() != clang::CK_UncheckedDerivedToBase &&
        T->isPointerType() && !isa<clang::CXXThisExpr>(E->getSubExpr()))
      return opaque(E, "cast of a pointer that may be null");
    const Type Wide = Type::integer(true, 64);
    Pointer = Builder.offset(Pointer,
                             Builder.literal(IsBack ? 0 - Bytes : Bytes, Wide));
    Class = Base;
  }
  return Pointer;
}
