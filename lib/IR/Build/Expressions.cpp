// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Lowers expressions: names, members, subscripts, and operators. An expression
/// without a rule becomes an opaque operation.
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "clang/AST/RecordLayout.h"

using namespace cudaopt::ir;
using namespace llvm;

/// Elements of the graph have been lowered in their order when they are needed
/// as operands; other expressions are lowered here on demand.
ValueId Lowering::get(const clang::Stmt *S) {
  if (const auto Known = Now->Values.find(S); Known != Now->Values.end())
    return Known->second;
  // The graph has branches in unevaluated operands, too (`noexcept(a && b)`).
  // They have no effect, so that any condition will do.
  if (const auto *E = dyn_cast<clang::Expr>(S);
      E && Now->Unevaluated.contains(S))
    return Builder.undefined(E->isGLValue() ? Type::pointer()
                                            : typeOf(E->getType()));
  const size_t Begin = Touched.size();
  const ObjectId FirstObject = Builder.function().numObjects();
  const ValueId V = lower(S);
  Now->Values[S] = V;
  Now->Spans[S] = {Begin, Touched.size(), FirstObject,
                   ObjectId(Builder.function().numObjects())};
  if (Options.KeepsEvaluations)
    Builder.record(S, Now->Path, {V, Here});
  return V;
}

ValueId Lowering::anew(function_ref<ValueId()> Lower) {
  auto Saved = std::exchange(Now->Values,
                             llvm::DenseMap<const clang::Stmt *, ValueId>());
  const uint32_t Outer = std::exchange(Now->Instance, ++NumInstances);
  const bool WasDetached = std::exchange(IsDetached, true);
  const ValueId V = Lower();
  IsDetached = WasDetached;
  Now->Instance = Outer;
  Now->Values = std::move(Saved);
  return V;
}

ValueId Lowering::lowerAnew(const clang::Expr *S, ValueId To) {
  return anew([&] {
    if (To)
      place(S, To);
    return get(S);
  });
}

/// Lowers `__builtin_LINE()` and its like. In a default argument, they tell the
/// place of the call. File names and the like are objects of unknown content.
ValueId Lowering::lowerSourceLocation(const clang::SourceLocExpr *E) {
  const clang::APValue Found = E->EvaluateInContext(Context, Now->Default);
  if (Found.isInt())
    return Builder.literal(Found.getInt(), typeOf(E->getType()));
  Object O;
  O.What = Object::Constant;
  O.Name = "location";
  O.SourceType = E->getType()->getPointeeType();
  return Builder.address(Builder.addObject(std::move(O)));
}

/// Returns the literal that \p E is if clang's constant evaluator knows it.
std::optional<ValueId> Lowering::evaluate(const clang::Expr *E) {
  clang::Expr::EvalResult Result;
  if (!E->getType()->isIntegralOrEnumerationType() || E->isValueDependent() ||
      !E->EvaluateAsInt(Result, Context))
    return std::nullopt;
  return Builder.literal(Result.Val.getInt(), typeOf(E->getType()));
}

ValueId Lowering::floating(const APFloat &Number, clang::QualType T) {
  return Builder.convert(Builder.literal(Number), typeOf(T));
}

/// Returns true if \p E, a `sizeof` or the like, asks about `long double`. Its
/// size differs between host and device, and so between the two parses of one
/// file.
static bool hasOtherSizeElsewhere(const clang::UnaryExprOrTypeTraitExpr *E) {
  const clang::QualType Of = E->isArgumentType()
                                 ? E->getArgumentType()
                                 : E->getArgumentExpr()->getType();
  return Of->getBaseElementTypeUnsafe()->isSpecificBuiltinType(
      clang::BuiltinType::LongDouble);
}

ValueId Lowering::lowerExpression(const clang::Expr *E) {
  // Where clang found an error, an expression may be of no type that it knows.
  if (E->getType().isNull() || E->isTypeDependent())
    return opaque(E, "error");
  switch (E->getStmtClass()) {
  case clang::Stmt::FloatingLiteralClass:
    return floating(cast<clang::FloatingLiteral>(E)->getValue(), E->getType());
  case clang::Stmt::StringLiteralClass:
  case clang::Stmt::PredefinedExprClass:
    return Builder.address(literalObject(E));
  case clang::Stmt::CXXNullPtrLiteralExprClass:
  case clang::Stmt::GNUNullExprClass:
    return Builder.literal(0, typeOf(E->getType()));
  case clang::Stmt::ImplicitValueInitExprClass:
  case clang::Stmt::CXXScalarValueInitExprClass:
    return zeros(E);
  case clang::Stmt::DeclRefExprClass:
    return lowerName(cast<clang::DeclRefExpr>(E));
  case clang::Stmt::MemberExprClass:
    return lowerMember(cast<clang::MemberExpr>(E));
  case clang::Stmt::ArraySubscriptExprClass:
    return lowerSubscript(cast<clang::ArraySubscriptExpr>(E));
  case clang::Stmt::UnaryOperatorClass:
    return lowerUnary(cast<clang::UnaryOperator>(E));
  case clang::Stmt::BinaryOperatorClass:
    return lowerBinary(cast<clang::BinaryOperator>(E));
  case clang::Stmt::CompoundAssignOperatorClass:
    return lowerCompound(cast<clang::CompoundAssignOperator>(E));
  case clang::Stmt::ConditionalOperatorClass:
  case clang::Stmt::BinaryConditionalOperatorClass:
    return lowerConditional(cast<clang::AbstractConditionalOperator>(E));
  case clang::Stmt::PseudoObjectExprClass:
    return lowerProperty(cast<clang::PseudoObjectExpr>(E));
  case clang::Stmt::MSPropertyRefExprClass:
    return 0; // Its PseudoObjectExpr says what it is.
  case clang::Stmt::CallExprClass:
  case clang::Stmt::CXXMemberCallExprClass:
  case clang::Stmt::CXXOperatorCallExprClass:
  case clang::Stmt::UserDefinedLiteralClass:
    return lowerCall(cast<clang::CallExpr>(E));
  case clang::Stmt::CUDAKernelCallExprClass:
    return lowerLaunch(cast<clang::CUDAKernelCallExpr>(E));
  case clang::Stmt::CXXConstructExprClass:
  case clang::Stmt::CXXTemporaryObjectExprClass:
    return lowerConstruction(cast<clang::CXXConstructExpr>(E));
  case clang::Stmt::InitListExprClass:
    return lowerList(cast<clang::InitListExpr>(E));
  case clang::Stmt::LambdaExprClass:
    return lowerLambda(cast<clang::LambdaExpr>(E));
  case clang::Stmt::MaterializeTemporaryExprClass:
    return lowerTemporary(cast<clang::MaterializeTemporaryExpr>(E));
  case clang::Stmt::CXXThisExprClass:
    if (const clang::FieldDecl *Field = Now->Captures.lookup(nullptr))
      return capturedThis(Field);
    return Now->This ? Now->This : opaque(E, "this");
  case clang::Stmt::StmtExprClass: {
    const clang::CompoundStmt *Body = cast<clang::StmtExpr>(E)->getSubStmt();
    const auto *Last = Body->body_empty()
                           ? nullptr
                           : dyn_cast<clang::ValueStmt>(Body->body_back());
    const clang::Expr *Result = Last ? Last->getExprStmt() : nullptr;
    return Result && !E->getType()->isVoidType() ? get(Result) : 0;
  }
  case clang::Stmt::ParenExprClass:
  case clang::Stmt::ExprWithCleanupsClass:
  case clang::Stmt::CXXBindTemporaryExprClass:
  case clang::Stmt::SubstNonTypeTemplateParmExprClass:
    return get(wrappedBy(E));
  case clang::Stmt::CXXRewrittenBinaryOperatorClass:
    return get(cast<clang::CXXRewrittenBinaryOperator>(E)->getSemanticForm());
  case clang::Stmt::OpaqueValueExprClass:
    if (const clang::Expr *Source =
            cast<clang::OpaqueValueExpr>(E)->getSourceExpr())
      return get(Source);
    return opaque(E, "OpaqueValueExpr");
  case clang::Stmt::GenericSelectionExprClass:
    return get(cast<clang::GenericSelectionExpr>(E)->getResultExpr());
  case clang::Stmt::UnaryExprOrTypeTraitExprClass:
    if (hasOtherSizeElsewhere(cast<clang::UnaryExprOrTypeTraitExpr>(E)))
      return opaque(E, "size of long double");
    break;
  case clang::Stmt::CXXDefaultArgExprClass: {
    const clang::Expr *Outer = Now->Default;
    if (!Outer)
      Now->Default = E;
    const ValueId V = lowerAnew(cast<clang::CXXDefaultArgExpr>(E)->getExpr());
    Now->Default = Outer;
    return V;
  }
  case clang::Stmt::CXXDefaultInitExprClass: {
    const clang::Expr *Outer = Now->Default;
    if (!Outer)
      Now->Default = E;
    const ValueId V = lowerAnew(cast<clang::CXXDefaultInitExpr>(E)->getExpr());
    Now->Default = Outer;
    return V;
  }
  case clang::Stmt::SourceLocExprClass:
    return lowerSourceLocation(cast<clang::SourceLocExpr>(E));
  case clang::Stmt::ArrayInitIndexExprClass:
    return Builder.convert(Now->Index, typeOf(E->getType()));
  case clang::Stmt::ArrayInitLoopExprClass:
    return lowerArrayCopy(cast<clang::ArrayInitLoopExpr>(E));
  case clang::Stmt::ChooseExprClass:
    return get(cast<clang::ChooseExpr>(E)->getChosenSubExpr());
  case clang::Stmt::CompoundLiteralExprClass:
    if (isScalar(E->getType()) && E->isGLValue())
      break;
    return get(cast<clang::CompoundLiteralExpr>(E)->getInitializer());
  default:
    break;
  }
  if (isa<clang::CastExpr>(E))
    return lowerCast(cast<clang::CastExpr>(E));
  if (std::optional<ValueId> Known = evaluate(E))
    return *Known;
  if (isa<clang::ConstantExpr>(E))
    return get(wrappedBy(E));
  return opaque(E, E->getStmtClassName());
}

/// Returns the address of a variable that a lambda has captured: that of the
/// closure's field, or, if it was captured by reference, what the field holds.
ValueId Lowering::captured(const clang::FieldDecl *Field) {
  const ValueId At = member(Now->This, Field);
  return Field->getType()->isReferenceType()
             ? load(nullptr, At, Field->getType())
             : At;
}

/// Returns the captured `this`: `[this]` captures the pointer, `[*this]` a copy
/// of the object.
ValueId Lowering::capturedThis(const clang::FieldDecl *Field) {
  const ValueId At = member(Now->This, Field);
  return Field->getType()->isPointerType() ? load(nullptr, At, Field->getType())
                                           : At;
}

/// Offsets from the object are constant, so that accesses of members can be
/// promoted one by one.
ValueId Lowering::member(ValueId Object, const clang::FieldDecl *Field) {
  uint64_t Bits = Context.getASTRecordLayout(Field->getParent())
                      .getFieldOffset(Field->getFieldIndex());
  if (Field->isBitField())
    if (const std::optional<BitField> Found = findBits(Field, Context))
      Bits = 8 * Found->Location.Offset;
  return Builder.offset(Object,
                        Builder.literal(Bits / 8, Type::integer(true, 64)));
}

/// Lowers the name of a variable to its address. The name of a reference is the
/// object that it refers to, whose address is loaded; enumerators are literals;
/// a captured variable is a field of the closure.
ValueId Lowering::lowerName(const clang::DeclRefExpr *E) {
  const clang::ValueDecl *D = E->getDecl();
  if (const auto *Constant = dyn_cast<clang::EnumConstantDecl>(D))
    return Builder.literal(Constant->getInitVal(), typeOf(E->getType()));
  if (E->refersToEnclosingVariableOrCapture()) {
    const auto *Variable = dyn_cast<clang::VarDecl>(D);
    if (Variable && IsAdopting)
      adopt(Variable);
    if (Variable && Now->Adopted.contains(Variable))
      return addressOf(Variable);
    if (const clang::FieldDecl *Field = Now->Captures.lookup(D))
      return captured(Field);
    // The body of a region that other threads may run, as of OpenMP.
    return Variable ? opaque(E, "capture", {addressOf(Variable)}, E->getType())
                    : opaque(E, "capture");
  }
  if (const auto *Binding = dyn_cast<clang::BindingDecl>(D))
    return Binding->getBinding() ? lowerAnew(Binding->getBinding())
                                 : opaque(E, "binding");
  if (isa<clang::FunctionDecl>(D))
    return Builder.argument(D, Type::pointer());
  const auto *Variable = dyn_cast<clang::VarDecl>(D);
  if (!Variable)
    return opaque(E, "name");
  if (IsAdopting)
    adopt(Variable);
  const ValueId Address = addressOf(Variable);
  return D->getType()->isReferenceType() ? load(nullptr, Address, D->getType())
                                         : Address;
}

/// Lowers `x.m` and `p->m`, where the base became the address of the object in
/// both cases. Static members are variables.
ValueId Lowering::lowerMember(const clang::MemberExpr *E) {
  const ValueId Base = get(E->getBase());
  if (const auto *Constant =
          dyn_cast<clang::EnumConstantDecl>(E->getMemberDecl()))
    return Builder.literal(Constant->getInitVal(), typeOf(E->getType()));
  if (const auto *Static = dyn_cast<clang::VarDecl>(E->getMemberDecl())) {
    const ValueId Address = addressOf(Static);
    return Static->getType()->isReferenceType()
               ? load(nullptr, Address, Static->getType())
               : Address;
  }
  const auto *Field = dyn_cast<clang::FieldDecl>(E->getMemberDecl());
  if (!Field)
    return Base; // A method; the call takes the object.
  const ValueId Address = member(Base, Field);
  return Field->getType()->isReferenceType()
             ? load(E, Address, Field->getType())
             : Address;
}

/// Lowers `a[i]` to an offset, in bytes, from the beginning of the array.
ValueId Lowering::lowerSubscript(const clang::ArraySubscriptExpr *E) {
  const uint64_t Bytes = sizeOf(E->getType());
  if (E->getBase()->getType()->isVectorType() || !Bytes)
    return opaque(E, "subscript");
  return Builder.offset(get(E->getBase()), scale(get(E->getIdx()), Bytes));
}

/// Lowers `++x`, `x++`, `--x` and `x--` of integers, floating-point numbers and
/// pointers.
ValueId Lowering::lowerIncrement(const clang::UnaryOperator *E) {
  const clang::Expr *Operand = E->getSubExpr();
  const clang::QualType T = Operand->getType();
  const clang::FieldDecl *Bits = Operand->getSourceBitField();
  if (!isScalar(T) || (Operand->refersToBitField() && !Bits))
    return opaque(E, "increment");
  const ValueId Address = get(Operand);
  const ValueId Old =
      Bits ? loadBits(Operand, Address, Bits) : load(Operand, Address, T);
  const clang::BinaryOperatorKind Opcode =
      E->isIncrementOp() ? clang::BO_Add : clang::BO_Sub;
  ValueId New;
  if (T->isPointerType()) {
    New = arithmetic(Opcode, T, T, Old, Context.IntTy,
                     Builder.literal(1, typeOf(Context.IntTy)));
  } else if (T->isRealFloatingType()) {
    const APFloat One(Context.getFloatTypeSemantics(T), 1);
    New = Builder.binary(Opcode, typeOf(T), Old, floating(One, T));
  } else {
    // Narrow types are promoted, and the result is truncated.
    const clang::QualType Wide = Context.isPromotableIntegerType(T)
                                     ? Context.getPromotedIntegerType(T)
                                     : T;
    New =
        Builder.binary(Opcode, typeOf(Wide), Builder.convert(Old, typeOf(Wide)),
                       Builder.literal(1, typeOf(Wide)));
    New = Builder.convert(New, typeOf(T));
  }
  if (Bits)
    New = storeBits(Operand, Address, Bits, New);
  else
    store(Operand, Address, New, T);
  return E->isPostfix() ? Old : E->isGLValue() ? Address : New;
}

ValueId Lowering::lowerUnary(const clang::UnaryOperator *E) {
  if (E->isIncrementDecrementOp())
    return lowerIncrement(E);
  const clang::Expr *Operand = E->getSubExpr();
  switch (E->getOpcode()) {
  case clang::UO_Deref:
  case clang::UO_Plus:
  case clang::UO_Extension:
    return get(Operand);
  case clang::UO_AddrOf:
    if (Operand->isGLValue() && !E->getType()->isMemberPointerType())
      return get(Operand);
    break;
  case clang::UO_Minus:
  case clang::UO_Not:
    if (isScalar(E->getType()))
      return Builder.unary(E->getOpcode(), get(Operand));
    break;
  case clang::UO_LNot:
    if (!isScalar(Operand->getType()))
      break;
    return Builder.unary(E->getOpcode(),
                         Builder.convert(get(Operand), Type::boolean()));
  default:
    break;
  }
  return opaque(E, "operator");
}

/// Returns `L Opcode R`. The operands have been converted as C++ does;
/// \p LeftType and \p RightType are their types after that, which tell pointer
/// arithmetic from arithmetic on numbers.
ValueId Lowering::arithmetic(clang::BinaryOperatorKind Opcode,
                             clang::QualType T, clang::QualType LeftType,
                             ValueId L, clang::QualType RightType, ValueId R) {
  const bool Subtracts = Opcode == clang::BO_Sub;
  const clang::QualType Pointer =
      LeftType->isPointerType() ? LeftType : RightType;
  if (Pointer->isPointerType() && (Opcode == clang::BO_Add || Subtracts) &&
      Pointer->getPointeeType()->isVariablyModifiedType())
    return Builder.undefined(typeOf(T)); // The element size varies at run time.
  if (LeftType->isPointerType() && RightType->isIntegralOrEnumerationType())
    return Builder.offset(
        L, scale(R, sizeOf(LeftType->getPointeeType()), Subtracts));
  if (RightType->isPointerType() && LeftType->isIntegralOrEnumerationType())
    return Builder.offset(R, scale(L, sizeOf(RightType->getPointeeType())));
  if (LeftType->isPointerType() && Subtracts) {
    const Type Wide = Type::integer(true, 64);
    const ValueId Bytes =
        Builder.binary(clang::BO_Sub, Wide, Builder.convert(L, Wide),
                       Builder.convert(R, Wide));
    const uint64_t Size = sizeOf(LeftType->getPointeeType());
    return Builder.binary(clang::BO_Div, Wide, Bytes,
                          Builder.literal(Size ? Size : 1, Wide));
  }
  return Builder.binary(Opcode, typeOf(T), L, R);
}

/// Lowers binary operators. An assignment evaluates its right side first, as
/// C++17 demands.
ValueId Lowering::lowerBinary(const clang::BinaryOperator *E) {
  const clang::Expr *L = E->getLHS(), *R = E->getRHS();
  if (E->isLogicalOp())
    return lowerLogical(E);
  if (E->getOpcode() == clang::BO_Comma)
    return get(R);
  if (E->getOpcode() == clang::BO_Assign) {
    const ValueId Stored = get(R), Address = get(L);
    const clang::FieldDecl *Bits = L->getSourceBitField();
    if (L->refersToBitField() && !Bits)
      return opaque(E, "bit-field");
    if (!isScalar(L->getType())) {
      copy(E, Address, Stored, L->getType());
      return Address;
    }
    ValueId Result = Stored;
    if (Bits)
      Result = storeBits(L, Address, Bits, Stored);
    else
      store(L, Address, Stored, L->getType());
    Now->Stored[E] = Result;
    return E->isGLValue() ? Address : Result;
  }
  if (E->isPtrMemOp() || !isScalar(E->getType()) || !isScalar(L->getType()) ||
      E->getOpcode() == clang::BO_Cmp || L->getType()->isMemberPointerType())
    return opaque(E, "operator");
  if (!E->isShiftOp() && isOrderOpen({L, R}))
    return opaqueOrder(E, {L, R});
  return arithmetic(E->getOpcode(), E->getType(), L->getType(), get(L),
                    R->getType(), get(R));
}

/// Lowers `x += y` and its like: a load, the operation in the type to which C++
/// converts both operands, and a store of the result, converted back. The right
/// side is evaluated first.
ValueId Lowering::lowerCompound(const clang::CompoundAssignOperator *E) {
  const clang::Expr *L = E->getLHS(), *R = E->getRHS();
  const clang::QualType T = L->getType();
  const clang::FieldDecl *Bits = L->getSourceBitField();
  if (!isScalar(T) || !isScalar(E->getComputationResultType()) ||
      (L->refersToBitField() && !Bits))
    return opaque(E, "operator");
  const ValueId Right = get(R), Address = get(L);
  ValueId V = Bits ? loadBits(L, Address, Bits) : load(L, Address, T);
  if (T->isPointerType()) {
    V = arithmetic(
        clang::BinaryOperator::getOpForCompoundAssignment(E->getOpcode()), T, T,
        V, R->getType(), Right);
  } else {
    V = Builder.convert(V, typeOf(E->getComputationLHSType()));
    V = Builder.binary(
        clang::BinaryOperator::getOpForCompoundAssignment(E->getOpcode()),
        typeOf(E->getComputationResultType()), V, Right);
    V = Builder.convert(V, typeOf(T));
  }
  if (Bits)
    V = storeBits(L, Address, Bits, V);
  else
    store(L, Address, V, T);
  Now->Stored[E] = V;
  return E->isGLValue() ? Address : V;
}

/// Lowers `threadIdx.x` and its like, which clang's header declares as
/// properties (`__declspec(property)`) of classes, to special registers.
ValueId Lowering::lowerProperty(const clang::PseudoObjectExpr *E) {
  const auto *Reference =
      dyn_cast<clang::MSPropertyRefExpr>(E->getSyntacticForm()->IgnoreParens());
  if (!Reference)
    return opaque(E, "property");
  const clang::MSPropertyDecl *Property = Reference->getPropertyDecl();
  const auto *Class =
      dyn_cast<clang::CXXRecordDecl>(Property->getDeclContext());
  static constexpr StringLiteral Classes[] = {
      "__cuda_builtin_threadIdx_t", "__cuda_builtin_blockIdx_t",
      "__cuda_builtin_blockDim_t", "__cuda_builtin_gridDim_t"};
  const auto *Known = Class && Class->getIdentifier()
                          ? find(Classes, Class->getName())
                          : std::end(Classes);
  const size_t Axis = StringRef("xyz").find(Property->getName());
  if (Known == std::end(Classes) || Axis > 2)
    return opaque(E, "property");
  return Builder.special(static_cast<SpecialRegister>(
      3 * std::distance(std::begin(Classes), Known) + Axis));
}
