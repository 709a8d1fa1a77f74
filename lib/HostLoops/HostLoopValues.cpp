// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Reads the expressions of a host loop's body: which elements of which arrays
/// they read, and which scalars. Each expression that is understood claims its
/// reads in the IR.
//===----------------------------------------------------------------------===//

#include "HostLoopBuilder.h"
#include "cudaopt/IR/Build.h"

#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace cudaopt {

/// Returns the element type of the container \p D. The first template argument
/// is taken as the type's author wrote it, so that generated text keeps its
/// typedefs.
static QualType getElementType(QualType Type,
                               const ClassTemplateSpecializationDecl *D) {
  if (const auto *Written =
          Type.getNonReferenceType()->getAs<TemplateSpecializationType>())
    if (!Written->isTypeAlias() && !Written->template_arguments().empty() &&
        Written->template_arguments()[0].getKind() == TemplateArgument::Type)
      return Written->template_arguments()[0].getAsType();
  return D->getTemplateArgs()[0].getAsType();
}

/// If the elements of \p A are themselves arrays, appends their length to
/// HostArray::Row and returns the type of their elements. A std::array counts
/// if it has nothing but its elements.
static std::optional<QualType> splitRow(HostArray &A,
                                        const ASTContext &Context) {
  if (const auto *Row = Context.getAsConstantArrayType(A.Element)) {
    A.Row.push_back(Row->getZExtSize());
    return Row->getElementType();
  }
  const auto *Row = getContainer(A.Element);
  if (!Row || A.Element->isReferenceType() || !Row->isInStdNamespace() ||
      Row->getName() != "array")
    return std::nullopt;
  QualType Part = getElementType(A.Element, Row);
  const uint64_t Length =
      Row->getTemplateArgs()[1].getAsIntegral().getZExtValue();
  if (!Row->isCompleteDefinition() || Part->isIncompleteType() ||
      Context.getTypeSize(A.Element) != Length * Context.getTypeSize(Part))
    return std::nullopt;
  A.Row.push_back(Length);
  A.HasPlainRows = false;
  return A.Element.isConstQualified() ? Part.withConst() : Part;
}

const ClassTemplateSpecializationDecl *getContainer(QualType Type) {
  const CXXRecordDecl *Class = Type.getNonReferenceType()->getAsCXXRecordDecl();
  return Class ? ir::asContainer(*Class) : nullptr;
}

/// Fills in kind, element type and rows of \p A from the type of \p Base, its
/// name in the source.
bool HostLoopBuilder::readType(HostArray &A, const Expr *Base) {
  QualType Type = A.Path.type();
  if (Type.isVolatileQualified())
    return refuse(Reason::LoopVolatile, Base, A.Path.text());
  if (const auto *Container = getContainer(Type)) {
    A.Kind = HostArrayKind::Container;
    A.Element = getElementType(Type, Container);
    A.IsThrust = !Container->isInStdNamespace();
    if (Container->getName() == "device_vector")
      return refuse(Reason::LoopDeviceVector, Base, A.Path.text());
    if (Container->getName() == "vector" && A.Element->isBooleanType())
      return refuse(Reason::LoopProxy, Base);
    if (Container->getName() != "span" && Type.isConstQualified())
      A.Element.addConst();
  } else if (const ArrayType *Array = Context.getAsArrayType(Type)) {
    A.Kind = HostArrayKind::Array;
    A.Element = Array->getElementType();
  } else if (Type->isPointerType()) {
    A.Element = Type->getPointeeType();
  } else if (isHostScalar(Type)) {
    A.Kind = HostArrayKind::Scalar;
    A.Element = Type;
    return true;
  } else {
    return refuse(Reason::LoopNotArray, Base);
  }
  while (std::optional<QualType> Part = splitRow(A, Context))
    A.Element = *Part;
  return true;
}

/// Returns the array that \p Base names, adding it to the loop if it is new;
/// std::nullopt, with the loop refused, if it cannot be one. A pointer must be
/// invariant in the loop.
std::optional<HostArrayId> HostLoopBuilder::findArray(const Expr *Base) {
  std::optional<HostPath> Path = getHostPath(Base);
  if (!Path || (Path->Fields.empty() &&
                (L.Locals.contains(Path->Root) || !Path->Root))) {
    refuse(Reason::LoopNotArray, Base);
    return std::nullopt;
  }
  if (Path->Root && Path->Root == L.Iterator.Variable) {
    refuse(Reason::LoopRangeUse, Base, Path->text());
    return std::nullopt;
  }
  HostArray A;
  A.Path = *Path;
  A.Loc = Base->getBeginLoc();
  A.Name = Path->name();
  if (!readType(A, Base))
    return std::nullopt;
  if (A.Kind == HostArrayKind::Pointer &&
      Variables.roleOf(Base) != HostRole::Invariant) {
    refuse(Reason::LoopPointer, Base, Path->text());
    return std::nullopt;
  }
  for (HostArrayId Id = 0; Id != L.Arrays.size(); ++Id)
    if (L.Arrays[Id].Path == *Path) {
      L.ArrayOf[Base->IgnoreParens()] = Id;
      return Id;
    }
  L.ArrayOf[Base->IgnoreParens()] = L.Arrays.size();
  L.Arrays.push_back(std::move(A));
  return L.Arrays.size() - 1;
}

/// Adds an access to \p Element. \p Access says how the element is used; its
/// array and subscripts are filled in here. \p IsMember: only a member of the
/// element is read, so that the element may be a struct.
bool HostLoopBuilder::visitElement(const HostElement &Element,
                                   HostAccess Access, bool IsMember) {
  const Expr *E = Access.Ref;
  for (const Expr *Each : Element.Subscripts)
    if (Each && !visitValue(Each))
      return false;
  Access.Subscripts = Element.Subscripts;
  if (isRangeVariable(Element.Base)) {
    Access.Array = L.Iterator.Array;
    Access.IsAtIteration = true;
    // The reference itself names an element.
    if (L.Iterator.Range == HostRange::Reference)
      Access.Subscripts.insert(Access.Subscripts.begin(), nullptr);
  } else {
    std::optional<HostPath> Path = getHostPath(Element.Base);
    // An array that the body declares needs no access: each iteration has its
    // own.
    if (Path && Path->Root && Path->Fields.empty() &&
        L.Locals.contains(Path->Root) && Path->Root->getType()->isArrayType())
      return true;
    std::optional<HostArrayId> Array = findArray(Element.Base);
    if (!Array)
      return false;
    Access.Array = *Array;
  }
  const HostArray &A = L.Arrays[Access.Array];
  if (A.IsThrust && !Context.hasSameUnqualifiedType(E->getType(), A.Element))
    return refuse(Reason::LoopDeviceVector, E, A.Path.text());
  if (Access.Subscripts.size() != A.Row.size() + 1)
    return refuse(Access.Subscripts.front() ? Reason::LoopDimensions
                                            : Reason::LoopIndirection, // *v
                  E, A.Path.text());
  if (A.Element.isVolatileQualified())
    return refuse(Reason::LoopVolatile, E, A.Path.text());
  if (!IsMember && !isHostScalar(A.Element))
    return refuse(Reason::LoopElement, E,
                  A.Element.getAsString(Context.getPrintingPolicy()));
  return addAccess(std::move(Access));
}

/// Adds an access whose array and subscripts are known. The first assignment
/// makes the array a written one.
bool HostLoopBuilder::addAccess(HostAccess Access) {
  Access.Ref = Access.Ref->IgnoreParens();
  if (!Access.Node)
    Access.Node = Access.Ref;
  if (Access.Assignment) {
    Access.Kind =
        Access.Update ? HostAccessKind::Update : HostAccessKind::Write;
    L.Arrays[Access.Array].IsWritten = true;
  }
  L.AccessOf[Access.Ref] = L.Accesses.size();
  L.Accesses.push_back(std::move(Access));
  return true;
}

/// Adds the invariant value at \p Path, or the size of the container there,
/// unless the loop has it already.
bool HostLoopBuilder::addScalar(const Expr *E, HostPath Path, bool IsSize) {
  for (unsigned Id = 0; Id != L.Scalars.size(); ++Id)
    if (L.Scalars[Id].Path == Path && L.Scalars[Id].IsSize == IsSize) {
      L.Scalars[Id].IsInBody |= !IsInHead;
      L.ScalarOf[E] = Id;
      return true;
    }
  std::string Name = Path.name() + (IsSize ? "_size" : "");
  L.ScalarOf[E] = L.Scalars.size();
  const bool MayBeReached = !Path.Root || View->mayBeReached(Path.Root) ||
                            !Path.Root->hasLocalStorage() ||
                            Path.Root->getType()->isReferenceType() ||
                            Path.Root->getType()->isPointerType();
  L.Scalars.push_back(
      {Path, E->getBeginLoc(), Name, IsSize, !IsInHead, MayBeReached});
  return true;
}

/// Reads a variable, or a field of one, that is used as a value.
bool HostLoopBuilder::visitName(const Expr *E) {
  if (isRangeVariable(E) && L.Iterator.Range == HostRange::Reference)
    return visitElement({E, {}}, {.Ref = E});
  if (const auto *Use = dyn_cast<DeclRefExpr>(E)) {
    if (isa<EnumConstantDecl>(Use->getDecl()))
      return true;
    if (const auto *V = dyn_cast<VarDecl>(Use->getDecl()))
      if ((V == L.Iterator.Variable && !isRangeVariable(E)) ||
          L.Locals.contains(V))
        return true;
  }
  std::optional<HostPath> Path = getHostPath(E);
  if (!Path)
    return refuse(Reason::LoopExpression, E, E->getStmtClassName());
  if (Path->Root && Path->Root == L.Iterator.Variable)
    return refuse(Reason::LoopRangeUse, E, Path->text());
  QualType Type = Path->type();
  if (Type.isVolatileQualified())
    return refuse(Reason::LoopVolatile, E, Path->text());
  if (E->refersToBitField())
    return refuse(Reason::LoopType, E, "bit-field");
  if (!isHostScalar(Type))
    return refuse(
        Type->isPointerType() ? Reason::LoopPointer : Reason::LoopType, E,
        Type->isPointerType() ? Path->text()
                              : Type.getAsString(Context.getPrintingPolicy()));
  switch (Variables.roleOf(E)) {
  case HostRole::Invariant:
    return addScalar(E, *Path, /*IsSize=*/false);
  case HostRole::Private:
    if (!IsInHead)
      return true;
    [[fallthrough]];
  default:
    return refuse(Reason::LoopCarried, E, Path->text());
  }
}

/// Reads `a[i].x`, a member of a struct element; other member expressions go to
/// visitName().
bool HostLoopBuilder::visitElementMember(const MemberExpr *E) {
  std::optional<HostElement> Element = getHostElement(E->getBase());
  if (!E->isArrow() && isRangeVariable(E->getBase()) &&
      L.Iterator.Range == HostRange::Reference)
    Element = HostElement{E->getBase(), {}};
  const auto *Record = E->getBase()->getType()->getAsCXXRecordDecl();
  if (!Element || !Record || !isa<FieldDecl>(E->getMemberDecl()))
    return visitName(E);
  if (!Record->isTriviallyCopyable() ||
      !Record->getDeclContext()->getRedeclContext()->isFileContext() ||
      !isHostScalar(E->getType()) || E->getType().isVolatileQualified())
    return refuse(
        Reason::LoopElement, E,
        E->getBase()->getType().getAsString(Context.getPrintingPolicy()));
  return visitElement(*Element, {.Ref = E->getBase(), .Node = E},
                      /*IsMember=*/true);
}

/// Reads the operand of a cast between numbers; other casts are refused.
bool HostLoopBuilder::visitCast(const CastExpr *E) {
  switch (E->getCastKind()) {
  case CK_LValueToRValue:
  case CK_NoOp:
  case CK_IntegralCast:
  case CK_FloatingCast:
  case CK_IntegralToFloating:
  case CK_FloatingToIntegral:
  case CK_IntegralToBoolean:
  case CK_FloatingToBoolean:
  case CK_ToVoid:
    break;
  default:
    return refuse(isa<ExplicitCastExpr>(E) ? Reason::LoopExpression
                                           : Reason::LoopAddress,
                  E, "a cast");
  }
  if (E->getCastKind() != CK_ToVoid && !isHostScalar(E->getType()))
    return refuse(Reason::LoopType, E,
                  E->getType().getAsString(Context.getPrintingPolicy()));
  return visitValue(E->getSubExpr());
}

bool HostLoopBuilder::visitOperator(const Expr *E) {
  if (const auto *Unary = dyn_cast<UnaryOperator>(E)) {
    switch (Unary->getOpcode()) {
    case UO_Plus:
    case UO_Minus:
    case UO_Not:
    case UO_LNot:
      return visitValue(Unary->getSubExpr());
    case UO_AddrOf:
      return refuse(Reason::LoopAddress, E);
    default:
      return Unary->isIncrementDecrementOp()
                 ? refuse(Reason::LoopEffect, E)
                 : refuse(Reason::LoopExpression, E, "an operator");
    }
  }
  const auto *Binary = cast<BinaryOperator>(E);
  if (Binary->isAssignmentOp() || Binary->getOpcode() == BO_Comma)
    return refuse(Reason::LoopEffect, E);
  if (Binary->isPtrMemOp())
    return refuse(Reason::LoopExpression, E, "a pointer to a member");
  return visitValue(Binary->getLHS()) && visitValue(Binary->getRHS());
}

/// Returns the object of a call of a member function or of an operator; null
/// for other calls.
static const Expr *getObject(const CallExpr *E) {
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(E))
    return Member->getImplicitObjectArgument();
  return isa<CXXOperatorCallExpr>(E) && E->getNumArgs() ? E->getArg(0)
                                                        : nullptr;
}

/// Reads a call: `v.size()` is an invariant value, and other callees must
/// compute numbers from numbers.
bool HostLoopBuilder::visitCall(const CallExpr *E) {
  // If the object is an element of class type, the element is refused first:
  // that message says more than one about the call.
  if (const Expr *Object = getObject(E))
    if (getHostElement(stripTemporaries(Object)) &&
        !visitValue(stripTemporaries(Object)))
      return false;
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(E)) {
    std::optional<HostPath> Path =
        getHostPath(Member->getImplicitObjectArgument());
    const CXXMethodDecl *Method = Member->getMethodDecl();
    if (Path && Method && getContainer(Path->type()) &&
        Method->getDeclName().isIdentifier() && Method->getName() == "size")
      return addScalar(E, *Path, /*IsSize=*/true);
  }
  if (std::optional<Refusal> R = findCallRefusal(E, L, *View, Context))
    return refuse(R->Why, R->Loc, R->Detail);
  return llvm::all_of(E->arguments(),
                      [&](const Expr *Each) { return visitValue(Each); });
}

/// Refuses an expression that no body may contain, with the reason that fits it
/// best.
bool HostLoopBuilder::refuseValue(const Expr *E) {
  switch (E->getStmtClass()) {
  case Stmt::CXXNewExprClass:
  case Stmt::CXXDeleteExprClass:
    return refuse(Reason::LoopAllocation, E);
  case Stmt::LambdaExprClass:
    return refuse(Reason::LoopLambda, E);
  case Stmt::CXXThrowExprClass:
    return refuse(Reason::LoopException, E);
  case Stmt::CoawaitExprClass:
  case Stmt::CoyieldExprClass:
    return refuse(Reason::LoopCoroutine, E);
  default:
    return refuse(Reason::LoopExpression, E, E->getStmtClassName());
  }
}

/// Returns true for __LINE__ and __COUNTER__, which have other values at the
/// place that the text is copied to.
static bool dependsOnPlace(const Expr *Literal, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  return SM.isWrittenInScratchSpace(SM.getSpellingLoc(Literal->getBeginLoc()));
}

/// Reads an expression that is used as a value, without side effects.
bool HostLoopBuilder::visitValue(const Expr *E) {
  View->claimReads(E);
  if (E->getType().isVolatileQualified())
    return refuse(Reason::LoopVolatile, E,
                  getHostPath(E) ? getHostPath(E)->text() : "what is read");
  if (isIterationNumber(E)) {
    L.Numbers.insert(E);
    return true;
  }
  if (std::optional<HostElement> Element = getHostElement(E))
    return visitElement(*Element, {.Ref = E});
  switch (E->getStmtClass()) {
  case Stmt::ParenExprClass:
    return visitValue(cast<ParenExpr>(E)->getSubExpr());
  case Stmt::ConstantExprClass:
  case Stmt::ExprWithCleanupsClass:
    return visitValue(cast<FullExpr>(E)->getSubExpr());
  case Stmt::MaterializeTemporaryExprClass:
    return visitValue(cast<MaterializeTemporaryExpr>(E)->getSubExpr());
  case Stmt::SubstNonTypeTemplateParmExprClass:
    return visitValue(cast<SubstNonTypeTemplateParmExpr>(E)->getReplacement());
  case Stmt::IntegerLiteralClass:
  case Stmt::FloatingLiteralClass:
  case Stmt::CXXBoolLiteralExprClass:
  case Stmt::CharacterLiteralClass:
    return dependsOnPlace(E, Context)
               ? refuse(Reason::LoopMacro, E, "a number")
               : isHostScalar(E->getType()) ||
                     refuse(Reason::LoopType, E, E->getType().getAsString());
  case Stmt::CXXScalarValueInitExprClass:
    return isHostScalar(E->getType());
  case Stmt::DeclRefExprClass:
    return visitName(E);
  case Stmt::MemberExprClass:
    return visitElementMember(cast<MemberExpr>(E));
  case Stmt::ImplicitCastExprClass:
  case Stmt::CStyleCastExprClass:
  case Stmt::CXXStaticCastExprClass:
  case Stmt::CXXFunctionalCastExprClass:
    return visitCast(cast<CastExpr>(E));
  case Stmt::UnaryOperatorClass:
  case Stmt::BinaryOperatorClass:
  case Stmt::CompoundAssignOperatorClass:
    return visitOperator(E);
  case Stmt::ConditionalOperatorClass: {
    const auto *Choice = cast<ConditionalOperator>(E);
    return visitValue(Choice->getCond()) && visitValue(Choice->getTrueExpr()) &&
           visitValue(Choice->getFalseExpr());
  }
  case Stmt::InitListExprClass: // `int x{0}`
    return cast<InitListExpr>(E)->getNumInits() == 1 &&
                   isHostScalar(E->getType())
               ? visitValue(cast<InitListExpr>(E)->getInit(0))
               : refuse(Reason::LoopExpression, E, "a list");
  case Stmt::UnaryExprOrTypeTraitExprClass:
    return cast<UnaryExprOrTypeTraitExpr>(E)->isArgumentType() ||
           refuse(Reason::LoopExpression, E, "sizeof an expression");
  case Stmt::CallExprClass:
  case Stmt::CXXMemberCallExprClass:
  case Stmt::CXXOperatorCallExprClass:
    return visitCall(cast<CallExpr>(E));
  default:
    return refuseValue(E);
  }
}

} // namespace cudaopt
