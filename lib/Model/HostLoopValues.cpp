// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Reads the expressions of a host loop's body.
//===----------------------------------------------------------------------===//

#include "HostLoopBuilder.h"

#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace cudaopt {

/// std::vector, std::span or std::array.
static const ClassTemplateSpecializationDecl *getContainer(QualType Type) {
  const auto *Record = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      Type.getNonReferenceType()->getAsCXXRecordDecl());
  if (!Record || !Record->isInStdNamespace())
    return nullptr;
  const llvm::StringRef Name = Record->getName();
  return Name == "vector" || Name == "span" || Name == "array" ? Record
                                                               : nullptr;
}

std::optional<HostElement> getHostElement(const Expr *E) {
  E = E->IgnoreParens();
  if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E))
    return HostElement{Subscript->getBase()->IgnoreParenImpCasts(),
                       Subscript->getIdx()};
  if (const auto *Call = dyn_cast<CXXOperatorCallExpr>(E);
      Call && Call->getOperator() == OO_Subscript && Call->getNumArgs() == 2)
    return HostElement{Call->getArg(0)->IgnoreParenImpCasts(), Call->getArg(1)};
  const auto *Deref = dyn_cast<UnaryOperator>(E);
  if (!Deref || Deref->getOpcode() != UO_Deref)
    return std::nullopt;
  const Expr *Pointer = Deref->getSubExpr()->IgnoreParenImpCasts();
  if (const auto *Sum = dyn_cast<BinaryOperator>(Pointer);
      Sum && Sum->getOpcode() == BO_Add &&
      Sum->getLHS()->getType()->isPointerType())
    return HostElement{Sum->getLHS()->IgnoreParenImpCasts(), Sum->getRHS()};
  return HostElement{Pointer, nullptr};
}

std::optional<HostArrayId> HostLoopBuilder::findArray(const Expr *Base) {
  std::optional<HostPath> Path = getHostPath(Base);
  if (!Path || (Path->Fields.empty() &&
                (L.Locals.contains(Path->Root) || !Path->Root))) {
    refuse(Reason::LoopNotArray, Base);
    return std::nullopt;
  }
  HostArray A;
  A.Path = *Path;
  A.Loc = Base->getBeginLoc();
  A.Name = Path->name();
  QualType Type = Path->type();
  if (Type.isVolatileQualified()) {
    refuse(Reason::LoopVolatile, Base, Path->text());
    return std::nullopt;
  }
  if (const auto *Container = getContainer(Type)) {
    A.Kind = HostArrayKind::Container;
    A.Element = Container->getTemplateArgs()[0].getAsType();
    if (Container->getName() == "vector" && A.Element->isBooleanType()) {
      refuse(Reason::LoopProxy, Base);
      return std::nullopt;
    }
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
  } else {
    refuse(Reason::LoopNotArray, Base);
    return std::nullopt;
  }
  if (A.Kind == HostArrayKind::Pointer &&
      Variables.roleOf(*Path) != HostRole::Invariant) {
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

/// \p IsMember: a member of the element is read.
bool HostLoopBuilder::visitElement(const Expr *E, const HostElement &Element,
                                   const Expr *Assignment, bool IsMember) {
  if (Element.Subscript && !visitValue(Element.Subscript))
    return false;
  // An array of the iteration itself.
  if (std::optional<HostPath> Path = getHostPath(Element.Base);
      Path && Path->Root && Path->Fields.empty() &&
      L.Locals.contains(Path->Root) && Path->Root->getType()->isArrayType())
    return true;
  if (getHostElement(Element.Base)) {
    std::optional<HostElement> Outer = getHostElement(Element.Base);
    while (getHostElement(Outer->Base))
      Outer = getHostElement(Outer->Base);
    std::optional<HostPath> Path = getHostPath(Outer->Base);
    return refuse(Reason::LoopDimensions, E, Path ? Path->text() : "an array");
  }
  std::optional<HostArrayId> Array = findArray(Element.Base);
  if (!Array)
    return false;
  QualType Type = L.Arrays[*Array].Element;
  if (Type.isVolatileQualified())
    return refuse(Reason::LoopVolatile, E, L.Arrays[*Array].Path.text());
  if (!IsMember && !isHostScalar(Type))
    return refuse(Reason::LoopElement, E,
                  Type.getAsString(Context.getPrintingPolicy()));
  return addAccess(E->IgnoreParens(), *Array, Element.Subscript, Assignment);
}

bool HostLoopBuilder::addAccess(const Expr *Ref, HostArrayId Array,
                                const Expr *Subscript, const Expr *Assignment) {
  HostArray &A = L.Arrays[Array];
  HostAccessKind Kind = HostAccessKind::Read;
  if (Assignment) {
    Kind = getUpdate(Assignment, A.Element, Context) == BO_Comma
               ? HostAccessKind::Write
               : HostAccessKind::Update;
    A.IsWritten = true;
  }
  A.IsRead |= !Assignment;
  L.AccessOf[Ref] = L.Accesses.size();
  L.Accesses.push_back({Ref, Array, Kind, Subscript, Assignment});
  return true;
}

bool HostLoopBuilder::addScalar(const Expr *E, HostPath Path, bool IsSize) {
  for (unsigned Id = 0; Id != L.Scalars.size(); ++Id)
    if (L.Scalars[Id].Path == Path && L.Scalars[Id].IsSize == IsSize) {
      L.Scalars[Id].IsInBody |= !IsInHead;
      L.ScalarOf[E] = Id;
      return true;
    }
  std::string Name = Path.name() + (IsSize ? "_size" : "");
  L.ScalarOf[E] = L.Scalars.size();
  const bool MayBeReached = !Path.Root || Variables.mayBeReached(Path.Root) ||
                            !Path.Root->hasLocalStorage() ||
                            Path.Root->getType()->isReferenceType() ||
                            Path.Root->getType()->isPointerType();
  L.Scalars.push_back(
      {Path, E->getBeginLoc(), Name, IsSize, !IsInHead, MayBeReached});
  return true;
}

/// A variable or a field of one.
bool HostLoopBuilder::visitName(const Expr *E) {
  if (const auto *Use = dyn_cast<DeclRefExpr>(E)) {
    if (isa<EnumConstantDecl>(Use->getDecl()))
      return true;
    if (const auto *V = dyn_cast<VarDecl>(Use->getDecl()))
      if (V == L.Iterator.Variable || L.Locals.contains(V))
        return true;
  }
  std::optional<HostPath> Path = getHostPath(E);
  if (!Path)
    return refuse(Reason::LoopExpression, E, E->getStmtClassName());
  QualType Type = Path->type();
  if (Type.isVolatileQualified())
    return refuse(Reason::LoopVolatile, E, Path->text());
  if (!isHostScalar(Type))
    return refuse(
        Type->isPointerType() ? Reason::LoopPointer : Reason::LoopType, E,
        Type->isPointerType() ? Path->text()
                              : Type.getAsString(Context.getPrintingPolicy()));
  switch (Variables.roleOf(*Path)) {
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

/// `a[i].x`, only read.
bool HostLoopBuilder::visitElementMember(const MemberExpr *E) {
  std::optional<HostElement> Element = getHostElement(E->getBase());
  const auto *Record = E->getBase()->getType()->getAsCXXRecordDecl();
  if (!Element || !Record || !isa<FieldDecl>(E->getMemberDecl()))
    return visitName(E);
  if (!Record->isTriviallyCopyable() ||
      !Record->getDeclContext()->getRedeclContext()->isFileContext() ||
      !isHostScalar(E->getType()) || E->getType().isVolatileQualified())
    return refuse(
        Reason::LoopElement, E,
        E->getBase()->getType().getAsString(Context.getPrintingPolicy()));
  return visitElement(E->getBase(), *Element, nullptr, /*IsMember=*/true);
}

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

bool HostLoopBuilder::visitCall(const CallExpr *E) {
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(E)) {
    std::optional<HostPath> Path =
        getHostPath(Member->getImplicitObjectArgument());
    const CXXMethodDecl *Method = Member->getMethodDecl();
    if (Path && Method && getContainer(Path->type()) &&
        Method->getDeclName().isIdentifier() && Method->getName() == "size")
      return addScalar(E, *Path, /*IsSize=*/true);
  }
  bool IsMinMax = false;
  if (Blocker Why = findCallBlocker(E, IsMinMax, Context);
      Why.Why != Reason::None)
    return refuse(Why.Why, Why.Loc, Why.Detail);
  if (IsMinMax)
    L.MinMax.insert(E);
  return llvm::all_of(E->arguments(),
                      [&](const Expr *Each) { return visitValue(Each); });
}

/// Expressions that no body may have, each with what to say.
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

bool HostLoopBuilder::visitValue(const Expr *E) {
  if (E->getType().isVolatileQualified())
    return refuse(Reason::LoopVolatile, E,
                  getHostPath(E) ? getHostPath(E)->text() : "what is read");
  if (std::optional<HostElement> Element = getHostElement(E))
    return visitElement(E, *Element, nullptr);
  switch (E->getStmtClass()) {
  case Stmt::ParenExprClass:
    return visitValue(cast<ParenExpr>(E)->getSubExpr());
  case Stmt::ConstantExprClass:
  case Stmt::ExprWithCleanupsClass:
    return visitValue(cast<FullExpr>(E)->getSubExpr());
  case Stmt::MaterializeTemporaryExprClass:
    return visitValue(cast<MaterializeTemporaryExpr>(E)->getSubExpr());
  case Stmt::IntegerLiteralClass:
  case Stmt::FloatingLiteralClass:
  case Stmt::CXXBoolLiteralExprClass:
  case Stmt::CharacterLiteralClass:
    return isHostScalar(E->getType()) ||
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
