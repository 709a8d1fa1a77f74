// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HostConstants.h"
#include "HostFolding.h"

#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;
using llvm::APFloat;
using llvm::APSInt;

namespace cudaopt {

static constexpr unsigned MaxDepth = 32;

bool isDim3(QualType Type) {
  const auto *Record = Type->getAsCXXRecordDecl();
  return Record && Record->getIdentifier() && Record->getName() == "dim3" &&
         Record->getDeclContext()->getRedeclContext()->isTranslationUnit();
}

std::optional<unsigned> getDim3Member(const MemberExpr *Member) {
  const StringRef Name = Member->getMemberDecl()->getIdentifier()
                             ? Member->getMemberDecl()->getName()
                             : "";
  if (Member->isArrow() || !isDim3(Member->getBase()->getType()) ||
      Name.size() != 1 || Name[0] < 'x' || Name[0] > 'z')
    return std::nullopt;
  return Name[0] - 'x';
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static CastKind getCastKind(QualType From, QualType To) {
  if (To->isBooleanType())
    return From->isRealFloatingType() ? CK_FloatingToBoolean
                                      : CK_IntegralToBoolean;
  if (From->isRealFloatingType())
    return To->isRealFloatingType() ? CK_FloatingCast : CK_FloatingToIntegral;
  return To->isRealFloatingType() ? CK_IntegralToFloating : CK_IntegralCast;
}

/// True if a conversion of \p V gives the same number in each rounding mode.
static bool isExact(const APValue &V, const APValue &Converted) {
  if (!Converted.isFloat())
    return true; // To an integer, fractions are cut off, and not rounded.
  APFloat To = Converted.getFloat();
  if (V.isInt()) {
    APFloat Exact(To.getSemantics());
    return Exact.convertFromAPInt(V.getInt(), V.getInt().isSigned(),
                                  APFloat::rmTowardZero) == APFloat::opOK;
  }
  bool LosesInfo = false;
  APFloat From = V.getFloat();
  From.convert(To.getSemantics(), APFloat::rmTowardZero, &LosesInfo);
  return !LosesInfo;
}

HostValue HostConstants::convert(const APValue &V, QualType From,
                                 QualType To) const {
  From = From.getCanonicalType().getUnqualifiedType();
  To = To.getCanonicalType().getUnqualifiedType();
  if (From == To)
    return V;
  if (!isHostNumber(From) || !isHostNumber(To))
    return std::nullopt;
  HostValue Result =
      fold(ImplicitCastExpr::Create(Context, To, getCastKind(From, To),
                                    makeConstant(V, From, Context), nullptr,
                                    VK_PRValue, FPOptionsOverride()),
           Context);
  return Result && isExact(V, *Result) ? Result : std::nullopt;
}

/// Sums and so on that are exact: how a compiler contracts and rounds them does
/// not matter. A quotient may be computed with the reciprocal.
static HostValue computeFloating(BinaryOperatorKind Op, APFloat Left,
                                 const APFloat &Right) {
  const auto Mode = APFloat::rmNearestTiesToEven;
  APFloat Reciprocal(Right.getSemantics(), 1);
  switch (Op) {
  case BO_Add:
    return Left.add(Right, Mode) ? HostValue() : APValue(Left);
  case BO_Sub:
    return Left.subtract(Right, Mode) ? HostValue() : APValue(Left);
  case BO_Mul:
    return Left.multiply(Right, Mode) ? HostValue() : APValue(Left);
  case BO_Div:
    return Reciprocal.divide(Right, Mode) || Left.divide(Right, Mode)
               ? HostValue()
               : APValue(Left);
  default:
    return std::nullopt;
  }
}

HostValue HostConstants::compute(BinaryOperatorKind Op, const APValue &Left,
                                 QualType LeftType, const APValue &Right,
                                 QualType RightType, QualType Type) const {
  if (Left.isFloat() && Right.isFloat() && !BinaryOperator::isComparisonOp(Op))
    return computeFloating(Op, Left.getFloat(), Right.getFloat());
  return fold(BinaryOperator::Create(
                  Context, makeConstant(Left, LeftType, Context),
                  makeConstant(Right, RightType, Context), Op, Type, VK_PRValue,
                  OK_Ordinary, SourceLocation(), FPOptionsOverride()),
              Context);
}

HostValue HostConstants::computeUnary(const UnaryOperator *Op) {
  const Expr *Operand = Op->getSubExpr();
  switch (Op->getOpcode()) {
  case UO_Extension:
    return evaluate(Operand);
  case UO_Plus:
  case UO_Minus:
  case UO_Not:
  case UO_LNot:
    break;
  default:
    return std::nullopt;
  }
  HostValue V = evaluate(Operand);
  if (!V)
    return std::nullopt;
  return fold(UnaryOperator::Create(
                  Context, makeConstant(*V, Operand->getType(), Context),
                  Op->getOpcode(), Op->getType(), VK_PRValue, OK_Ordinary,
                  SourceLocation(), Op->canOverflow(), FPOptionsOverride()),
              Context);
}

static bool isZero(const APValue &V) {
  return V.isInt() ? V.getInt().isZero() : V.getFloat().isZero();
}

HostValue HostConstants::computeBinary(const BinaryOperator *Op) {
  if (Op->isAssignmentOp() || Op->isCommaOp() || Op->isPtrMemOp())
    return std::nullopt;
  HostValue Left = evaluate(Op->getLHS());
  if (!Left)
    return std::nullopt;
  // The right operand of && and || may not be evaluated.
  if (Op->isLogicalOp() && isZero(*Left) == (Op->getOpcode() == BO_LAnd))
    return convert(*Left, Op->getLHS()->getType(), Op->getType());
  HostValue Right = evaluate(Op->getRHS());
  if (!Right)
    return std::nullopt;
  return compute(Op->getOpcode(), *Left, Op->getLHS()->getType(), *Right,
                 Op->getRHS()->getType(), Op->getType());
}

HostValue HostConstants::computeCast(const CastExpr *Cast) {
  const Expr *Operand = Cast->getSubExpr();
  switch (Cast->getCastKind()) {
  case CK_LValueToRValue:
    if (HostValue V = read(Operand->IgnoreParenNoopCasts(Context)))
      return V;
    return foldWritten(Cast, Context);
  case CK_NoOp:
    return evaluate(Operand);
  case CK_IntegralCast:
  case CK_IntegralToBoolean:
  case CK_BooleanToSignedIntegral:
  case CK_IntegralToFloating:
  case CK_FloatingToIntegral:
  case CK_FloatingToBoolean:
  case CK_FloatingCast:
    break;
  default:
    return foldWritten(Cast, Context);
  }
  HostValue V = evaluate(Operand);
  return V ? convert(*V, Operand->getType(), Cast->getType()) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

bool HostConstants::isTracked(const VarDecl *Variable) const {
  return Variable && Variable->hasLocalStorage() &&
         !isa<ParmVarDecl>(Variable) &&
         !Variable->getType().isVolatileQualified() &&
         !Changes.isHandedOut(Variable);
}

const VarDecl *HostConstants::getTracked(const Expr *E) const {
  const auto *Ref = dyn_cast<DeclRefExpr>(E->IgnoreParenNoopCasts(Context));
  const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  return isTracked(Var) ? Var : nullptr;
}

static const VarDecl *getVariable(const Expr *E) {
  const auto *Ref = dyn_cast<DeclRefExpr>(E);
  return Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
}

/// The value that a variable of static storage has all the time; null if that
/// is not known. One with another initialiser than a constant is zero first,
/// and another file may change what it can name.
static const APValue *getStaticValue(const VarDecl *Var,
                                     const HostChanges &Changes) {
  if (!Var->hasGlobalStorage() || Var->getType().isVolatileQualified() ||
      Var->getType()->isReferenceType() || Var->isWeak() ||
      Changes.isChanged(Var) || !Var->getAnyInitializer())
    return nullptr;
  const QualType Type = Var->getASTContext().getBaseElementType(Var->getType());
  if (!Type.isConstQualified() && Var->isExternallyVisible())
    return nullptr;
  const VarDecl *Initialised = Var->getInitializingDeclaration();
  if (!Initialised || Initialised->getInit()->isValueDependent() ||
      !Initialised->hasConstantInitialization())
    return nullptr;
  return Initialised->evaluateValue();
}

/// The initialiser of a local variable that nothing changes; null for others.
static const Expr *getLocalInit(const VarDecl *Var,
                                const HostChanges &Changes) {
  if (!Var->hasLocalStorage() || isa<ParmVarDecl>(Var) ||
      Var->getType().isVolatileQualified() ||
      Var->getType()->isReferenceType() || Changes.isChanged(Var))
    return nullptr;
  return Var->getInit();
}

/// What other variables hold now, they need not have held there.
HostValue HostConstants::evaluateElsewhere(const Expr *Init) {
  llvm::SaveAndRestore<State> There(Now, State());
  return evaluate(Init);
}

HostValue HostConstants::readElement(const ArraySubscriptExpr *Sub) {
  const VarDecl *Var = getVariable(Sub->getBase()->IgnoreParenImpCasts());
  if (!Var || !Var->getType()->isConstantArrayType())
    return std::nullopt;
  const std::optional<uint64_t> Index = evaluateSize(Sub->getIdx());
  if (!Index)
    return std::nullopt;
  if (const APValue *Whole = getStaticValue(Var, Changes))
    return Whole->isArray() && *Index < Whole->getArrayInitializedElts()
               ? HostValue(Whole->getArrayInitializedElt(*Index))
               : std::nullopt;
  const auto *List = dyn_cast_or_null<InitListExpr>(getLocalInit(Var, Changes));
  if (!List || !List->isSemanticForm() || *Index >= List->getNumInits())
    return std::nullopt;
  return evaluateElsewhere(List->getInit(*Index));
}

HostValue HostConstants::read(const Expr *Place) {
  if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(Place))
    return readElement(Sub);
  if (const auto *Member = dyn_cast<MemberExpr>(Place)) {
    const std::optional<unsigned> Number = getDim3Member(Member);
    std::optional<Dim3Value> Whole;
    if (Number)
      Whole = evaluateDim3(Member->getBase());
    if (!Whole)
      return std::nullopt;
    return APValue(APSInt(llvm::APInt(32, (*Whole)[*Number]), true));
  }
  const VarDecl *Var = getVariable(Place);
  if (!Var)
    return std::nullopt;
  if (isTracked(Var))
    if (auto It = Now.Numbers.find(Var); It != Now.Numbers.end())
      return It->second;
  if (const APValue *V = getStaticValue(Var, Changes))
    return *V;
  if (const Expr *Init = getLocalInit(Var, Changes))
    return evaluateElsewhere(Init);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

/// Without what only stands around the value.
static const Expr *stripValue(const Expr *E) {
  while (true) {
    E = E->IgnoreParens();
    if (const auto *Full = dyn_cast<FullExpr>(E))
      E = Full->getSubExpr();
    else if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(E))
      E = Temporary->getSubExpr();
    else if (const auto *Temporary = dyn_cast<CXXBindTemporaryExpr>(E))
      E = Temporary->getSubExpr();
    else if (const auto *Subst = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
      E = Subst->getReplacement();
    else if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(E))
      E = Default->getExpr();
    else if (const auto *List = dyn_cast<InitListExpr>(E);
             List && List->getNumInits() == 1 &&
             List->getType()->isArithmeticType())
      E = List->getInit(0);
    else
      return E;
  }
}

HostValue HostConstants::compute(const Expr *E) {
  if (const auto *Cast = dyn_cast<CastExpr>(E))
    return computeCast(Cast);
  if (const auto *Op = dyn_cast<UnaryOperator>(E))
    return computeUnary(Op);
  if (const auto *Op = dyn_cast<BinaryOperator>(E))
    return computeBinary(Op);
  if (const auto *Op = dyn_cast<ConditionalOperator>(E)) {
    HostValue Condition = evaluate(Op->getCond());
    if (!Condition)
      return std::nullopt;
    return evaluate(isZero(*Condition) ? Op->getFalseExpr()
                                       : Op->getTrueExpr());
  }
  return foldWritten(E, Context);
}

HostValue HostConstants::evaluate(const Expr *E) {
  llvm::SaveAndRestore Deeper(Depth, Depth + 1);
  if (!E || E->isValueDependent() || Depth > MaxDepth)
    return std::nullopt;
  if (auto It = KnownNumbers.find(E); It != KnownNumbers.end())
    return It->second;
  E = stripValue(E);
  if (!E->isPRValue() || !isHostNumber(E->getType()))
    return std::nullopt;
  HostValue V = compute(E);
  // What is not finite is nobody's intention.
  if (V && !V->isInt() && !(V->isFloat() && V->getFloat().isFinite()))
    return std::nullopt;
  return V;
}

std::optional<uint64_t> HostConstants::evaluateSize(const Expr *E) {
  HostValue V = evaluate(E);
  if (!V || !V->isInt() || V->getInt().isNegative())
    return std::nullopt;
  return V->getInt().tryZExtValue();
}

//===----------------------------------------------------------------------===//
// dim3
//===----------------------------------------------------------------------===//

static std::optional<Dim3Value> toDim3(const APValue &V) {
  if (!V.isStruct() || V.getStructNumBases() || V.getStructNumFields() != 3)
    return std::nullopt;
  Dim3Value Result;
  for (unsigned I = 0; I != 3; ++I) {
    if (!V.getStructField(I).isInt())
      return std::nullopt;
    Result[I] = V.getStructField(I).getInt().getZExtValue();
  }
  return Result;
}

std::optional<Dim3Value> HostConstants::construct(const CXXConstructExpr *E) {
  if (E->getConstructor()->isCopyOrMoveConstructor())
    return evaluateDim3(E->getArg(0));
  Dim3Value Result = {1, 1, 1};
  if (E->getNumArgs() > Result.size())
    return std::nullopt;
  for (auto [Argument, Member] : llvm::zip(E->arguments(), Result)) {
    HostValue V = evaluate(Argument);
    if (!V || !V->isInt() || V->getInt().getBitWidth() != 32 ||
        V->getInt().isSigned())
      return std::nullopt;
    Member = V->getInt().getZExtValue();
  }
  return Result;
}

std::optional<Dim3Value> HostConstants::computeDim3(const Expr *E) {
  if (const VarDecl *Var = getVariable(E)) {
    if (isTracked(Var))
      if (auto It = Now.Dims.find(Var); It != Now.Dims.end())
        return It->second;
    if (const APValue *V = getStaticValue(Var, Changes))
      return toDim3(*V);
    const Expr *Init = getLocalInit(Var, Changes);
    llvm::SaveAndRestore<State> There(Now, State());
    return evaluateDim3(Init);
  }
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(E))
    return construct(Construct);
  if (const auto *Op = dyn_cast<ConditionalOperator>(E)) {
    HostValue Condition = evaluate(Op->getCond());
    if (!Condition)
      return std::nullopt;
    return evaluateDim3(isZero(*Condition) ? Op->getFalseExpr()
                                           : Op->getTrueExpr());
  }
  HostValue V = foldWritten(E, Context);
  return V ? toDim3(*V) : std::nullopt;
}

std::optional<Dim3Value> HostConstants::evaluateDim3(const Expr *E) {
  llvm::SaveAndRestore Deeper(Depth, Depth + 1);
  if (!E || E->isValueDependent() || Depth > MaxDepth)
    return std::nullopt;
  if (auto It = KnownDims.find(E); It != KnownDims.end())
    return It->second;
  while (true) {
    E = stripValue(E);
    const auto *Cast = dyn_cast<CastExpr>(E);
    if (!Cast || (Cast->getCastKind() != CK_NoOp &&
                  Cast->getCastKind() != CK_ConstructorConversion))
      break;
    E = Cast->getSubExpr();
  }
  return isDim3(E->getType()) ? computeDim3(E) : std::nullopt;
}

} // namespace cudaopt
