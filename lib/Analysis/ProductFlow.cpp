// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Implements the questions about expressions. Each is a recursion over the
/// forms of expressions; a form that is not known "may be a product". Values
/// are followed without regard to the order of statements.
//===----------------------------------------------------------------------===//

#include "ProductFlow.h"

#include "FlowCollector.h"
#include "cudaopt/HostLoops/LoopRounding.h"
#include "cudaopt/Support/Nodes.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/FoldingSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;
using llvm::ArrayRef;
using llvm::SmallVectorImpl;
using llvm::StringRef;

namespace cudaopt {

/// The greatest depth of nested comparisons; beyond it, values count as equal.
static constexpr unsigned MaxCompared = 24;

const VarDecl *getRootVariable(const Expr *E) {
  while (true) {
    E = E->IgnoreParenCasts();
    if (const auto *Member = dyn_cast<MemberExpr>(E)) {
      if (Member->isArrow())
        return nullptr;
      E = Member->getBase();
    } else if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E)) {
      E = Subscript->getBase();
    } else {
      break;
    }
  }
  const auto *Ref = dyn_cast<DeclRefExpr>(E);
  return Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
}

bool isShortType(QualType Type) {
  const auto *Record = Type.getNonReferenceType()->getAsCXXRecordDecl();
  return Record && Record->getIdentifier() &&
         llvm::is_contained(
             {"__half", "__half2", "__nv_bfloat16", "__nv_bfloat162"},
             Record->getName());
}

bool isShortProduct(const Expr *E) {
  const auto *Call = dyn_cast<CXXOperatorCallExpr>(E);
  return Call && Call->getOperator() == OO_Star && Call->getNumArgs() == 2 &&
         isShortType(Call->getType());
}

bool isProduct(const Expr *E, const ASTContext &Context) {
  const auto *Binary = dyn_cast<BinaryOperator>(E);
  if (!Binary || !Binary->getType()->isRealFloatingType())
    return false;
  return Binary->getOpcode() == BO_Mul || Binary->getOpcode() == BO_MulAssign ||
         isProductLike(Binary, Context);
}

BinaryOperatorKind getOperation(const BinaryOperator *E) {
  return E->isCompoundAssignmentOp()
             ? BinaryOperator::getOpForCompoundAssignment(E->getOpcode())
             : E->getOpcode();
}

/// Returns the parts of \p Body that a thread may execute more than once, or
/// not in the order of the text.
static llvm::SmallVector<SourceRange, 4> findRepeated(const Stmt *Body) {
  llvm::SmallVector<SourceRange, 4> Loops;
  for (const Stmt *S : nodesIn<Stmt>(Body)) {
    if (isa<LabelStmt, GotoStmt, IndirectGotoStmt, LambdaExpr, SwitchStmt,
            StmtExpr>(S))
      return {Body->getSourceRange()};
    if (isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(S))
      Loops.push_back(S->getSourceRange());
  }
  return Loops;
}

ProductFlow::ProductFlow(const FunctionDecl *Kernel, const VarDecl *Held,
                         bool Approximates)
    : Context(Kernel->getASTContext()), Kernel(Kernel), Held(Held),
      Approximates(Approximates), Body(Kernel->getBody()->getSourceRange()),
      Repeated(findRepeated(Kernel->getBody())) {
  FlowCollector(*this).collect(Kernel);
}

// The order of the text is the order of execution, except in loops and beside
// jumps (Repeated), and in macros, whose text stands elsewhere.
bool ProductFlow::isSurelyBefore(const Expr *Load, const Expr *Store) const {
  const SourceManager &SM = Context.getSourceManager();
  const SourceLocation First = Load->getEndLoc(), Second = Store->getBeginLoc();
  if (First.isMacroID() || Second.isMacroID() || Body.getBegin().isMacroID() ||
      Body.getEnd().isMacroID())
    return false;
  auto isInside = [&](SourceLocation Loc, SourceRange Range) {
    return !SM.isBeforeInTranslationUnit(
               Loc, SM.getExpansionLoc(Range.getBegin())) &&
           !SM.isBeforeInTranslationUnit(SM.getExpansionLoc(Range.getEnd()),
                                         Loc);
  };
  return isInside(First, Body) && isInside(Second, Body) &&
         SM.isBeforeInTranslationUnit(First, Second) &&
         llvm::none_of(Repeated,
                       [&](SourceRange Loop) { return isInside(First, Loop); });
}

bool ProductFlow::anyProduct(ArrayRef<const Expr *> Values) {
  return llvm::any_of(Values,
                      [&](const Expr *E) { return mayBeProduct(E, nullptr); });
}

/// Returns true if the value that \p E loads from a variable or from memory may
/// be a product.
bool ProductFlow::mayLoadProduct(const Expr *E) {
  const VarDecl *Root = getRootVariable(E);
  if (isHeld(Root))
    return false;
  const void *Key = Root ? static_cast<const void *>(Root) : this;
  if (!Open.insert(Key).second)
    return false;
  llvm::SmallVector<const Expr *, 4> Found;
  const bool Result = !findLoaded(E, Found) || anyProduct(Found);
  Open.erase(Key);
  return Result;
}

/// Returns true if \p E is a product whose sign compilers cannot know. Then
/// they must not fold `E + 0.f` to E, since a product of -0 gives +0. They may
/// do so if they know that the product is not -0, for example since a factor
/// was compared, or since both factors are the same value.
bool ProductFlow::hasUnknownSign(const Expr *E) {
  E = E->IgnoreParenCasts();
  const auto *Product = dyn_cast<BinaryOperator>(E);
  if (!Product || Product->getOpcode() != BO_Mul)
    return false;
  const Expr *Left = Product->getLHS(), *Right = Product->getRHS();
  auto isOfAnySign = [&](const Expr *Factor) {
    Factor = Factor->IgnoreParenImpCasts();
    const VarDecl *Root = getRootVariable(Factor);
    return Root && Factor->getType()->isRealFloatingType() &&
           isa<DeclRefExpr, ArraySubscriptExpr, MemberExpr>(Factor) &&
           !Ordered.contains(Root) &&
           (isParameterOfKernel(Root) || !Root->hasLocalStorage()) &&
           // A factor that may be 0 does no harm: 0 * x is exact anyway.
           !(findConstants(Factor) & ~(PlusZero | MinusZero));
  };
  return (isOfAnySign(Left) || isOfAnySign(Right) || hasUnknownSign(Left) ||
          hasUnknownSign(Right)) &&
         !mayBeEqual(Left, Right);
}

// Folds that IEEE arithmetic allows: x + -0 and x - 0 are x; x + 0 is x unless
// x may be -0; x * 1 and x / 1 are x; x * 2 is exact.
bool ProductFlow::mayLeaveProduct(BinaryOperatorKind Op, const Expr *Operand,
                                  const Expr *Other, bool IsRight) {
  const unsigned Constants = findConstants(Operand);
  switch (Op) {
  case BO_Add:
  case BO_Sub:
    if (!(Constants & (PlusZero | MinusZero)))
      return false;
    if (!(Constants & MinusZero) && !(Op == BO_Sub && IsRight) &&
        hasUnknownSign(Other))
      return false; // Not foldable: `-0 + 0` is +0, not -0.
    return mayBeProduct(Other, nullptr);
  case BO_Mul:
    return (Constants & (One | Two)) && mayBeProduct(Other, nullptr);
  case BO_Div:
    // A quotient by a power of two is computed as a product, and `x / 1` is x.
    return IsRight && ((Constants & (Power | Two)) ||
                       ((Constants & One) && mayBeProduct(Other, nullptr)));
  default:
    return true;
  }
}

bool ProductFlow::mayBeProductOfOperation(BinaryOperatorKind Op,
                                          const Expr *Left, const Expr *Right) {
  return mayLeaveProduct(Op, Right, Left, /*IsRight=*/true) ||
         (Op != BO_Div && mayLeaveProduct(Op, Left, Right, /*IsRight=*/false));
}

// Copies of a value (casts, conditionals, loads) are followed. An operation may
// be a product if it is a multiplication, or if it may fold to an operand that
// may be one.
bool ProductFlow::mayBeProduct(const Expr *E,
                               SmallVectorImpl<const Expr *> *Direct) {
  if (++Steps > MaxSteps)
    return true;
  E = E->IgnoreParens();
  if (const auto *Binary = dyn_cast<BinaryOperator>(E);
      Binary && isProduct(E, Context)) {
    // Compilers fold `a * b * 1.f` to the inner product, which rounding the
    // outer one would not round.
    const bool IsExact =
        getOperation(Binary) == BO_Div
            ? (findConstants(Binary->getRHS()) & (One | Power)) &&
                  mayBeProduct(Binary->getLHS(), nullptr)
            : mayBeProductOfOperation(BO_Mul, Binary->getLHS(),
                                      Binary->getRHS());
    if (Direct && !IsExact)
      Direct->push_back(E);
    return !Direct || IsExact;
  }
  if (const auto *Full = dyn_cast<FullExpr>(E))
    return mayBeProduct(Full->getSubExpr(), Direct);
  if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(E))
    return mayBeProduct(Temporary->getSubExpr(), Direct);
  if (const auto *Temporary = dyn_cast<CXXBindTemporaryExpr>(E))
    return mayBeProduct(Temporary->getSubExpr(), Direct);
  if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(E))
    return mayBeProduct(Default->getExpr(), nullptr);
  if (const auto *Default = dyn_cast<CXXDefaultInitExpr>(E))
    return mayBeProduct(Default->getExpr(), nullptr);
  if (const auto *Pseudo = dyn_cast<PseudoObjectExpr>(E))
    return !Pseudo->getResultExpr() ||
           mayBeProduct(Pseudo->getResultExpr(), nullptr);
  if (const auto *Opaque = dyn_cast<OpaqueValueExpr>(E))
    return !Opaque->getSourceExpr() ||
           mayBeProduct(Opaque->getSourceExpr(), nullptr);
  if (const auto *Cast = dyn_cast<CastExpr>(E)) {
    if (Cast->getCastKind() == CK_IntegralToFloating ||
        Cast->getCastKind() == CK_FloatingToIntegral ||
        Cast->getCastKind() == CK_FloatingToBoolean ||
        Cast->getCastKind() == CK_NullToPointer)
      return false;
    return mayBeProduct(Cast->getSubExpr(), Direct);
  }
  if (const auto *Choice = dyn_cast<ConditionalOperator>(E)) {
    const bool First = mayBeProduct(Choice->getTrueExpr(), Direct);
    return mayBeProduct(Choice->getFalseExpr(), Direct) || First;
  }
  if (const auto *Binary = dyn_cast<BinaryOperator>(E)) {
    const BinaryOperatorKind Op = getOperation(Binary);
    if (Op == BO_Assign || Op == BO_Comma)
      return mayBeProduct(Binary->getRHS(), nullptr);
    if (Binary->isComparisonOp() || Binary->isLogicalOp())
      return false;
    // An operation on integers may still pass the bits of a product on.
    if (!Binary->getType()->isRealFloatingType())
      return mayBeProduct(Binary->getLHS(), nullptr) ||
             mayBeProduct(Binary->getRHS(), nullptr);
    return (Op == BO_Div && Approximates) ||
           mayBeProductOfOperation(Op, Binary->getLHS(), Binary->getRHS());
  }
  if (const auto *Unary = dyn_cast<UnaryOperator>(E)) {
    switch (Unary->getOpcode()) {
    case UO_Deref:
      return mayLoadProduct(E);
    case UO_LNot:
      return false;
    case UO_PreInc:
    case UO_PreDec:
      if (Unary->getType()->isRealFloatingType())
        return false;
      [[fallthrough]];
    case UO_PostInc:
    case UO_PostDec:
      return mayBeProduct(Unary->getSubExpr(), nullptr);
    case UO_Plus:
    case UO_Minus:
    case UO_Extension:
      return mayBeProduct(Unary->getSubExpr(), Direct);
    case UO_Not:
    case UO_AddrOf:
      return mayBeProduct(Unary->getSubExpr(), nullptr);
    default:
      return true;
    }
  }
  if (const auto *Call = dyn_cast<CallExpr>(E))
    return mayBeProductOfCall(Call, Direct);
  if (const auto *New = dyn_cast<CXXConstructExpr>(E))
    return mayBeProductOfNew(New, Direct);
  if (const auto *List = dyn_cast<InitListExpr>(E)) {
    bool Result = false;
    for (const Expr *Each : List->inits())
      Result |= mayBeProduct(Each, Direct);
    return Result;
  }
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E);
      Ref && isa<EnumConstantDecl, FunctionDecl>(Ref->getDecl()))
    return false;
  if (isa<DeclRefExpr, ArraySubscriptExpr, MemberExpr>(E))
    return mayLoadProduct(E);
  return !isa<IntegerLiteral, FloatingLiteral, CharacterLiteral, StringLiteral,
              CXXBoolLiteralExpr, CXXNullPtrLiteralExpr, GNUNullExpr,
              ImplicitValueInitExpr, CXXScalarValueInitExpr, NoInitExpr,
              UnaryExprOrTypeTraitExpr, SizeOfPackExpr, TypeTraitExpr,
              SubstNonTypeTemplateParmExpr>(E);
}

const Expr *ProductFlow::findFoldedUse() {
  for (const Operation &Each : Operations)
    for (const bool IsRight : {false, true}) {
      const Expr *Operand = IsRight ? Each.Right : Each.Left;
      const Expr *Other = IsRight ? Each.Left : Each.Right;
      // `x + 0` does not fold for an x that may be -0; `x + -0` does.
      if (Each.Kind == BO_Add && !(findConstants(Operand) & MinusZero))
        continue;
      if ((Each.Kind != BO_Div || IsRight) && dependsOnHeld(Operand) &&
          mayLeaveProduct(Each.Kind, Operand, Other, IsRight))
        return Each.E;
    }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Products that compilers may find to be the same
//===----------------------------------------------------------------------===//

bool ProductFlow::dependsOnHeld(const Expr *E) {
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
    const auto *V = dyn_cast<VarDecl>(Ref->getDecl());
    if (isHeld(V))
      return true;
    if (!V || !Open.insert(V).second)
      return false;
    const llvm::SmallVector<const Expr *, 2> All(Values.lookup(V));
    const bool Result = llvm::any_of(
        All, [&](const Expr *Each) { return dependsOnHeld(Each); });
    Open.erase(V);
    return Result;
  }
  return llvm::any_of(E->children(), [&](const Stmt *Child) {
    const auto *Part = dyn_cast_or_null<Expr>(Child);
    return Part && dependsOnHeld(Part);
  });
}

/// Compares \p A and \p B by their form: the same operation on operands that
/// may be equal, or the same leaf.
bool ProductFlow::areEqualOperands(const Expr *A, const Expr *B) {
  if (const auto *Left = dyn_cast<BinaryOperator>(A)) {
    const auto *Right = dyn_cast<BinaryOperator>(B);
    if (!Right || getOperation(Left) != getOperation(Right))
      return false;
    if (mayBeEqual(Left->getLHS(), Right->getLHS()) &&
        mayBeEqual(Left->getRHS(), Right->getRHS()))
      return true;
    const BinaryOperatorKind Op = getOperation(Left);
    return (Op == BO_Mul || Op == BO_Add) &&
           mayBeEqual(Left->getLHS(), Right->getRHS()) &&
           mayBeEqual(Left->getRHS(), Right->getLHS());
  }
  if (A->getStmtClass() != B->getStmtClass())
    return false;
  if (isa<ArraySubscriptExpr, UnaryOperator, ConditionalOperator, CallExpr,
          MemberExpr>(A)) {
    if (const auto *Member = dyn_cast<MemberExpr>(A);
        Member && Member->getMemberDecl()->getCanonicalDecl() !=
                      cast<MemberExpr>(B)->getMemberDecl()->getCanonicalDecl())
      return false;
    if (const auto *Unary = dyn_cast<UnaryOperator>(A);
        Unary && Unary->getOpcode() != cast<UnaryOperator>(B)->getOpcode())
      return false;
    auto Left = A->children(), Right = B->children();
    auto I = Left.begin(), J = Right.begin();
    for (; I != Left.end() && J != Right.end(); ++I, ++J) {
      const auto *First = dyn_cast_or_null<Expr>(*I);
      const auto *Second = dyn_cast_or_null<Expr>(*J);
      if (!First || !Second || !mayBeEqual(First, Second))
        return false;
    }
    return I == Left.end() && J == Right.end();
  }
  llvm::FoldingSetNodeID First, Second;
  A->Profile(First, Context, /*Canonical=*/true);
  B->Profile(Second, Context, /*Canonical=*/true);
  return First == Second;
}

bool ProductFlow::mayBeEqual(const Expr *A, const Expr *B) {
  A = A->IgnoreParenCasts();
  B = B->IgnoreParenCasts();
  if (A == B || Compared.size() == MaxCompared)
    return true;
  if (!Compared.insert({A, B}).second)
    return false; // A cycle: the outer comparison of the pair decides.
  const bool Result = areEqualValues(A, B);
  Compared.erase({A, B});
  return Result;
}

/// Compares \p A and \p B by all values that they may be copies of.
bool ProductFlow::areEqualValues(const Expr *A, const Expr *B) {
  const VarDecl *First = getRootVariable(A), *Second = getRootVariable(B);
  if (isHeld(First) && isHeld(Second))
    return true;
  auto anyValue = [&](const VarDecl *V, const Expr *Other) {
    llvm::SmallVector<const Expr *, 2> All;
    if (isHeld(V))
      All.assign(Stored.begin(), Stored.end());
    else if (V && V->hasLocalStorage() && !V->getType()->isReferenceType())
      All = Values.lookup(V);
    return llvm::any_of(All, [&](const Expr *Each) {
      return Each != Other && mayBeEqual(Each, Other);
    });
  };
  if (First && First == Second && isa<DeclRefExpr>(A) && isa<DeclRefExpr>(B))
    return true;
  return anyValue(First, B) || anyValue(Second, A) || areEqualOperands(A, B);
}

} // namespace cudaopt
