// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Determines which constants a compiler may find a value to be. This matters
/// since operations on constants vanish: if the compiler finds that z is 0, it
/// turns `a * b + z` into `a * b`, and what looked like a rounded sum is an
/// unrounded product.
///
/// The answer is conservative with respect to compilers of any cleverness: a
/// value is Opaque only if it surely depends on data of the run (what a launch
/// passes, thread and block numbers), by operations that keep the dependence.
/// Anything else may be any constant.
//===----------------------------------------------------------------------===//

#include "ProductFlow.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include <climits>
#include <optional>

using namespace clang;
using llvm::StringRef;

namespace cudaopt {

static unsigned classify(const llvm::APFloat &Value) {
  if (Value.isZero())
    return Value.isNegative() ? MinusZero : PlusZero;
  if (!Value.isFinite())
    return OtherNumber;
  const int Log = Value.getExactLog2Abs();
  if (Log == 0 || Log == 1)
    return Log == 0 ? One : Two;
  return Log == INT_MIN ? OtherNumber : Power;
}

static unsigned classify(const llvm::APSInt &Value) {
  if (Value == 0)
    return PlusZero;
  const llvm::APInt Magnitude =
      Value.isSigned() ? Value.abs() : llvm::APInt(Value);
  if (Magnitude == 1 || Magnitude == 2)
    return Magnitude == 1 ? One : Two;
  return Magnitude.isPowerOf2() ? Power : OtherNumber;
}

static std::optional<unsigned> evaluate(const Expr *E,
                                        const ASTContext &Context) {
  Expr::EvalResult Result;
  if (E->isValueDependent() || !E->getType()->isArithmeticType() ||
      !E->EvaluateAsRValue(Result, Context))
    return std::nullopt;
  if (Result.Val.isFloat())
    return classify(Result.Val.getFloat());
  if (Result.Val.isInt())
    return classify(Result.Val.getInt());
  return std::nullopt;
}

unsigned ProductFlow::joinConstants(llvm::ArrayRef<const Expr *> All) {
  unsigned Result = Opaque;
  for (const Expr *Each : All)
    Result |= findConstants(Each);
  return Result;
}

/// Returns true for the thread and block indices, which no compiler knows.
/// (The extents, `blockDim` and the like, a compiler may learn from the
/// launch.)
static bool isIndex(const VarDecl *V) {
  return V->getIdentifier() &&
         llvm::is_contained({"threadIdx", "blockIdx"}, V->getName());
}

unsigned ProductFlow::findConstantsOfLoad(const Expr *E) {
  const VarDecl *Root = getRootVariable(E);
  const bool IsElementOfHeld = isHeld(Root);
  const void *Key = Root ? static_cast<const void *>(Root) : this;
  if (Root && !IsElementOfHeld && Tested.contains(Root))
    return AnyConstant;
  if (Root && isIndex(Root))
    return Opaque;
  if (Root && Root->getIdentifier() &&
      llvm::is_contained({"blockDim", "gridDim", "warpSize"}, Root->getName()))
    return AnyConstant;
  if (const auto Known = OpenConstants.find(Key); Known != OpenConstants.end())
    return Known->second;
  llvm::SmallVector<const Expr *, 4> Found;
  if (IsElementOfHeld)
    Found.assign(Stored.begin(), Stored.end());
  else if (!findLoaded(E, Found))
    return AnyConstant;
  return joinConstants(Key, Found);
}

/// Joins the constants of the values \p All of \p Key, a variable or function
/// whose values may depend on itself (`x = x + 1`): iterates, with the result
/// so far in OpenConstants, until nothing is added.
unsigned ProductFlow::joinConstants(const void *Key,
                                    llvm::ArrayRef<const Expr *> All) {
  unsigned Result = Opaque;
  while (true) {
    OpenConstants[Key] = Result;
    const unsigned Next = Result | joinConstants(All);
    OpenConstants.erase(Key);
    if (Next == Result)
      return Result;
    Result = Next;
  }
}

unsigned ProductFlow::findConstantsOfCall(const CallExpr *E) {
  const FunctionDecl *F = E->getDirectCallee();
  const FunctionDecl *Definition = nullptr;
  const SourceManager &SM = Context.getSourceManager();
  if (!F)
    return AnyConstant;
  if (F->hasBody(Definition) &&
      !SM.isInSystemHeader(Definition->getLocation())) {
    if (!Returned.contains(Definition) || OpenConstants.contains(Definition))
      return AnyConstant;
    return joinConstants(Definition, llvm::SmallVector<const Expr *, 2>(
                                         Returned.lookup(Definition)));
  }
  // A function of the toolkit is opaque if it has floating-point arguments and
  // all of them are.
  const bool IsOfToolkit =
      F->getBuiltinID() || SM.isInSystemHeader(F->getLocation());
  const StringRef Name = F->getDeclName().isIdentifier() ? F->getName() : "";
  if (!IsOfToolkit || E->getNumArgs() == 0 ||
      !(E->getType()->isRealFloatingType() || isShortType(E->getType())))
    return AnyConstant;
  if (Name == "__ldg" || Name.starts_with("__ldc"))
    return findConstantsOfLoad(E->getArg(0));
  for (const Expr *Each : E->arguments())
    if ((Each->getType()->isRealFloatingType() ||
         isShortType(Each->getType()) || E->getNumArgs() == 1) &&
        findConstants(Each) != Opaque)
      return AnyConstant;
  return llvm::any_of(E->arguments(),
                      [](const Expr *Each) {
                        return Each->getType()->isRealFloatingType() ||
                               isShortType(Each->getType());
                      })
             ? Opaque
             : AnyConstant;
}

unsigned ProductFlow::findConstantsOfCast(const CastExpr *E) {
  const Expr *Operand = E->getSubExpr();
  switch (E->getCastKind()) {
  case CK_NoOp:
  case CK_LValueToRValue:
    return findConstants(Operand);
  case CK_IntegralToFloating:
  case CK_IntegralCast:
    if (Operand->getType()->isBooleanType() ||
        (E->getType()->isIntegerType() &&
         Context.getTypeSize(E->getType()) <
             Context.getTypeSize(Operand->getType())))
      return AnyConstant;
    [[fallthrough]];
  case CK_FloatingCast:
    return findConstants(Operand) == Opaque ? Opaque : AnyConstant;
  default:
    return AnyConstant;
  }
}

unsigned ProductFlow::findConstantsOfBinary(const BinaryOperator *E) {
  const BinaryOperatorKind Op = getOperation(E);
  if (Op == BO_Assign || Op == BO_Comma)
    return findConstants(E->getRHS());
  const bool IsSum = Op == BO_Add || Op == BO_Sub;
  const unsigned Left = findConstants(E->getLHS());
  if (E->getType()->isRealFloatingType()) {
    const unsigned Right = findConstants(E->getRHS());
    if (Op == BO_Mul && Left == PlusZero && Right == PlusZero)
      return PlusZero;
    // One opaque operand is enough. Even x - x does not fold to 0, since x
    // might be NaN or infinite.
    return (IsSum || Op == BO_Mul || Op == BO_Div) &&
                   (Left == Opaque || Right == Opaque)
               ? Opaque
               : AnyConstant;
  }
  // Integers wrap: x * 2^32 is 0 whatever x is. Multiplication by an odd number
  // is a bijection, so that the product is as opaque as x.
  if (Op == BO_Mul && Left == Opaque) {
    Expr::EvalResult Factor;
    return !E->getRHS()->isValueDependent() &&
                   E->getRHS()->EvaluateAsInt(Factor, Context) &&
                   Factor.Val.getInt()[0]
               ? Opaque
               : AnyConstant;
  }
  const bool IsOffset =
      IsSum && ((Left == Opaque && evaluate(E->getRHS(), Context)) ||
                (evaluate(E->getLHS(), Context) &&
                 findConstants(E->getRHS()) == Opaque));
  return IsOffset ? Opaque : AnyConstant;
}

unsigned ProductFlow::findConstants(const Expr *E) {
  if (++Steps > MaxSteps)
    return AnyConstant;
  E = E->IgnoreParens();
  if (const std::optional<unsigned> Known = evaluate(E, Context))
    return *Known;
  if (const auto *Full = dyn_cast<FullExpr>(E))
    return findConstants(Full->getSubExpr());
  if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(E))
    return findConstants(Temporary->getSubExpr());
  if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(E))
    return findConstants(Default->getExpr());
  if (const auto *Pseudo = dyn_cast<PseudoObjectExpr>(E)) {
    const auto *Index = dyn_cast<MSPropertyRefExpr>(Pseudo->getSyntacticForm());
    const VarDecl *Root =
        Index ? getRootVariable(Index->getBaseExpr()) : nullptr;
    return Root && isIndex(Root) && !Tested.contains(Root) ? Opaque
                                                           : AnyConstant;
  }
  if (const auto *Cast = dyn_cast<CastExpr>(E))
    return findConstantsOfCast(Cast);
  if (const auto *Choice = dyn_cast<ConditionalOperator>(E))
    return findConstants(Choice->getTrueExpr()) |
           findConstants(Choice->getFalseExpr());
  if (const auto *Binary = dyn_cast<BinaryOperator>(E))
    return findConstantsOfBinary(Binary);
  if (const auto *Unary = dyn_cast<UnaryOperator>(E)) {
    if (Unary->getOpcode() == UO_Deref)
      return findConstantsOfLoad(E);
    const bool KeepsMagnitude =
        Unary->getOpcode() == UO_Minus || Unary->getOpcode() == UO_Plus;
    const unsigned Constants =
        KeepsMagnitude ? findConstants(Unary->getSubExpr()) : AnyConstant;
    return Constants & (PlusZero | MinusZero) ? Constants | PlusZero | MinusZero
                                              : Constants;
  }
  if (const auto *Call = dyn_cast<CallExpr>(E))
    return findConstantsOfCall(Call);
  if (const auto *New = dyn_cast<CXXConstructExpr>(E))
    return New->getConstructor()->isCopyOrMoveConstructor() &&
                   !New->getConstructor()->isUserProvided() &&
                   New->getNumArgs() == 1
               ? findConstants(New->getArg(0))
               : AnyConstant;
  if (const auto *List = dyn_cast<InitListExpr>(E))
    return List->getNumInits() == 0 || List->hasArrayFiller()
               ? unsigned(AnyConstant)
               : joinConstants(List->inits());
  if (isa<DeclRefExpr, ArraySubscriptExpr, MemberExpr>(E))
    return findConstantsOfLoad(E);
  return AnyConstant;
}

} // namespace cudaopt
