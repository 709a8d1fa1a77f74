// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Casts, implicit and written.
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "clang/AST/RecordLayout.h"

using namespace cudaopt::ir;
using namespace llvm;

ValueId Lowering::lowerCast(const clang::CastExpr *E) {
  const clang::Expr *Operand = E->getSubExpr();
  const clang::QualType T = E->getType();
  switch (E->getCastKind()) {
  case clang::CK_LValueToRValue: {
    // The value of an assignment is what was stored; no compiler reads again.
    const auto *Assigns =
        dyn_cast<clang::BinaryOperator>(Operand->IgnoreParens());
    if (Assigns && Assigns->isAssignmentOp() &&
        !Operand->getType().isVolatileQualified())
      if (const ValueId Stored = Now->Stored.lookup(Assigns))
        return Stored;
    if (std::optional<ValueId> Known = evaluate(E))
      return *Known;
    return isScalar(T) ? load(Operand, get(Operand), Operand->getType())
                       : get(Operand);
  }
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

/// To a base class, which may lie behind the beginning of the object.
ValueId Lowering::lowerToBase(const clang::CastExpr *E) {
  ValueId Pointer = get(E->getSubExpr());
  clang::QualType T = E->getSubExpr()->getType();
  const clang::CXXRecordDecl *Class = T->isPointerType()
                                          ? T->getPointeeCXXRecordDecl()
                                          : T->getAsCXXRecordDecl();
  for (const clang::CXXBaseSpecifier *Step : E->path()) {
    if (Step->isVirtual())
      return opaque(E, "virtual base");
    const clang::CXXRecordDecl *Base = Step->getType()->getAsCXXRecordDecl();
    const uint64_t Bytes = Context.getASTRecordLayout(Class)
                               .getBaseClassOffset(Base)
                               .getQuantity();
    // A null pointer stays null; only an offset tells the difference.
    if (Bytes && E->getCastKind() == clang::CK_DerivedToBase &&
        T->isPointerType() && !isa<clang::CXXThisExpr>(E->getSubExpr()))
      return opaque(E, "cast of a pointer that may be null");
    Pointer = Builder.offset(Pointer,
                             Builder.literal(Bytes, Type::integer(true, 64)));
    Class = Base;
  }
  return Pointer;
}
