// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Follows values without regard to the order of statements. A function that
/// is not known may return a product: the exponential functions of the toolkit
/// do.
//===----------------------------------------------------------------------===//

#include "ProductFlow.h"

#include "FlowCollector.h"
#include "cudaopt/Analysis/LoopRounding.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"
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

/// Nested comparisons; more of them are not worth the time.
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

/// A type of the toolkit that has 16 bits, or two of them.
static bool isShortType(QualType Type) {
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

namespace {
/// Finds what a thread may execute more than once, or out of the order of the
/// text.
class RepetitionFinder : public DynamicRecursiveASTVisitor {
public:
  bool VisitStmt(Stmt *S) override {
    if (isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(S))
      Loops.push_back(S->getSourceRange());
    HasOtherOrder |= isa<LabelStmt, GotoStmt, IndirectGotoStmt, LambdaExpr,
                         SwitchStmt, StmtExpr>(S);
    return true;
  }
  llvm::SmallVector<SourceRange, 4> Loops;
  bool HasOtherOrder = false;
};
} // namespace

static llvm::SmallVector<SourceRange, 4> findRepeated(const Stmt *Body) {
  RepetitionFinder Finder;
  Finder.TraverseStmt(const_cast<Stmt *>(Body));
  if (Finder.HasOtherOrder)
    return {Body->getSourceRange()};
  return Finder.Loops;
}

ProductFlow::ProductFlow(const FunctionDecl *Kernel, const VarDecl *Held,
                         bool Approximates)
    : Context(Kernel->getASTContext()), Held(Held), Approximates(Approximates),
      Body(Kernel->getBody()->getSourceRange()),
      Repeated(findRepeated(Kernel->getBody())) {
  FlowCollector(*this).collect(Kernel);
}

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

/// True if a value of \p Stored may be read as one of \p Loaded.
static bool mayBeRead(QualType Stored, QualType Loaded) {
  Stored = Stored.getNonReferenceType().getCanonicalType();
  Loaded = Loaded.getNonReferenceType().getCanonicalType();
  return !Stored->isArithmeticType() || !Loaded->isArithmeticType() ||
         Stored.getUnqualifiedType() == Loaded.getUnqualifiedType();
}

bool ProductFlow::anyProduct(ArrayRef<const Expr *> Values) {
  return llvm::any_of(Values,
                      [&](const Expr *E) { return mayBeProduct(E, nullptr); });
}

/// Whether what \p E reads, of a variable or of memory, may be one.
bool ProductFlow::mayLoadProduct(const Expr *E) {
  const VarDecl *Root = getRootVariable(E);
  if (isHeld(Root))
    return false;
  const bool IsLocal = Root && Root->hasLocalStorage() &&
                       !Root->getType()->isReferenceType() &&
                       !Root->getType()->isPointerType();
  if (IsLocal && Reached.contains(Root))
    return true;
  const void *Key = Root ? static_cast<const void *>(Root) : this;
  if (!Open.insert(Key).second)
    return false;
  bool Result = false;
  if (IsLocal) {
    Result =
        anyProduct(llvm::SmallVector<const Expr *, 2>(Values.lookup(Root)));
  } else {
    // A pointer that is a parameter of the kernel leads to where others of that
    // name lead; any other one may lead anywhere.
    const bool IsNamed =
        Root && (!Root->getType()->isPointerType() ||
                 (isa<ParmVarDecl>(Root) && !Values.contains(Root)));
    for (const auto &[Target, Stores] : Memory)
      if (!IsNamed || !Target || Target == Root ||
          (Target->getType()->isPointerType() &&
           (!isa<ParmVarDecl>(Target) || Values.contains(Target))))
        for (const Expr *Each : llvm::SmallVector<const Expr *, 2>(Stores))
          Result |= mayBeRead(Each->getType(), E->getType()) &&
                    !isSurelyBefore(E, Each) && mayBeProduct(Each, nullptr);
  }
  Open.erase(Key);
  return Result;
}

/// Functions of the toolkit whose results no sum takes apart again.
static bool isRoundedName(StringRef Name) {
  if (Name.ends_with("_rn") || Name.ends_with("_rz") || Name.ends_with("_ru") ||
      Name.ends_with("_rd"))
    return true;
  for (StringRef Prefix :
       {"fma",       "__fma",        "__hfma",   "__hadd",
        "__hsub",    "__shfl",       "atomic",   "tex",
        "surf",      "__int2",       "__uint2",  "__ll2",
        "__ull2",    "__half2float", "__float2", "__bfloat162float",
        "__double2", "floor",        "ceil",     "rint",
        "round",     "trunc",        "nearbyint"})
    if (Name.starts_with(Prefix))
      return true;
  return false;
}

static bool handsOn(StringRef Name) {
  return Name.starts_with("make_") ||
         llvm::is_contained({"fmax", "fmaxf", "fmin", "fminf", "min", "max",
                             "fabs", "fabsf", "abs", "copysign", "copysignf"},
                            Name);
}

/// `__float_as_int` and the like: the bits may become a number again.
static bool keepsBits(StringRef Name) { return Name.contains("_as_"); }

bool ProductFlow::mayBeProductOfCall(const CallExpr *E,
                                     SmallVectorImpl<const Expr *> *Direct) {
  if (isShortProduct(E)) {
    if (Direct)
      Direct->push_back(E);
    return !Direct;
  }
  const FunctionDecl *F = E->getDirectCallee();
  const FunctionDecl *Definition = nullptr;
  if (!F)
    return true;
  const SourceManager &SM = Context.getSourceManager();
  const StringRef Name = F->getDeclName().isIdentifier() ? F->getName() : "";
  const bool IsSeen =
      F->hasBody(Definition) && !SM.isInSystemHeader(Definition->getLocation());
  auto anyArgument = [&](SmallVectorImpl<const Expr *> *Into) {
    bool Result = false;
    for (const Expr *Each : E->arguments())
      Result |= mayBeProduct(Each, Into);
    return Result;
  };
  const bool IsOfToolkit =
      F->getBuiltinID() || SM.isInSystemHeader(F->getLocation());
  if (!IsSeen &&
      (keepsBits(Name) || (!IsOfToolkit && E->getType()->isIntegerType())))
    return anyArgument(nullptr);
  if (IsOfToolkit && handsOn(Name))
    return anyArgument(Direct);
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(E);
      Operator && !IsSeen && isShortType(E->getType())) {
    const OverloadedOperatorKind Kind = Operator->getOperator();
    if (Kind == OO_Plus || Kind == OO_Minus)
      return Operator->getNumArgs() == 1 && anyArgument(nullptr);
  }
  if (IsOfToolkit && (Name == "__ldg" || Name.starts_with("__ldc")))
    return mayLoadProduct(E->getArg(0));
  if (IsOfToolkit &&
      (isRoundedName(Name) || (Name.starts_with("sqrt") && !Approximates)))
    return false;
  if (!IsSeen) // Integers come from floats by bits only.
    return !E->getType()->isIntegralOrEnumerationType();
  if (!Open.insert(Definition).second)
    return false;
  const bool Result = anyProduct(
      llvm::SmallVector<const Expr *, 2>(Returned.lookup(Definition)));
  Open.erase(Definition);
  return Result;
}

bool ProductFlow::mayBeProduct(const Expr *E,
                               SmallVectorImpl<const Expr *> *Direct) {
  E = E->IgnoreParens();
  if (isProduct(E, Context)) {
    if (Direct)
      Direct->push_back(E);
    return !Direct;
  }
  if (const auto *Full = dyn_cast<FullExpr>(E))
    return mayBeProduct(Full->getSubExpr(), Direct);
  if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(E))
    return mayBeProduct(Temporary->getSubExpr(), Direct);
  if (const auto *Temporary = dyn_cast<CXXBindTemporaryExpr>(E))
    return mayBeProduct(Temporary->getSubExpr(), Direct);
  if (const auto *Cast = dyn_cast<CastExpr>(E)) {
    if (Cast->getCastKind() == CK_IntegralToFloating ||
        Cast->getCastKind() == CK_FloatingToIntegral ||
        Cast->getCastKind() == CK_FloatingToBoolean)
      return false;
    return mayBeProduct(Cast->getSubExpr(), Direct);
  }
  if (const auto *Choice = dyn_cast<ConditionalOperator>(E)) {
    const bool First = mayBeProduct(Choice->getTrueExpr(), Direct);
    return mayBeProduct(Choice->getFalseExpr(), Direct) || First;
  }
  if (const auto *Binary = dyn_cast<BinaryOperator>(E)) {
    if (Binary->getOpcode() == BO_Assign || Binary->getOpcode() == BO_Comma)
      return mayBeProduct(Binary->getRHS(), nullptr);
    const bool IsQuotient =
        Binary->getOpcode() == BO_Div || Binary->getOpcode() == BO_DivAssign;
    return IsQuotient && Approximates &&
           Binary->getType()->isRealFloatingType();
  }
  if (const auto *Unary = dyn_cast<UnaryOperator>(E)) {
    if (Unary->getOpcode() == UO_Deref)
      return mayLoadProduct(E);
    return !Unary->isIncrementDecrementOp() &&
           mayBeProduct(Unary->getSubExpr(), Direct);
  }
  if (const auto *Call = dyn_cast<CallExpr>(E))
    return mayBeProductOfCall(Call, Direct);
  if (const auto *New = dyn_cast<CXXConstructExpr>(E)) {
    const bool IsCopy =
        New->getConstructor()->isCopyOrMoveConstructor() && New->getNumArgs();
    bool Result = false;
    for (const Expr *Each : New->arguments())
      Result |= mayBeProduct(Each, IsCopy ? Direct : nullptr);
    return Result;
  }
  if (const auto *List = dyn_cast<InitListExpr>(E)) {
    bool Result = false;
    for (const Expr *Each : List->inits())
      Result |= mayBeProduct(Each, Direct);
    return Result;
  }
  if (isa<DeclRefExpr, ArraySubscriptExpr, MemberExpr>(E))
    return mayLoadProduct(E);
  if (isa<StmtExpr, LambdaExpr>(E))
    return true;
  return false; // Literals, built-in variables.
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

static BinaryOperatorKind getOperation(const BinaryOperator *E) {
  return E->isCompoundAssignmentOp()
             ? BinaryOperator::getOpForCompoundAssignment(E->getOpcode())
             : E->getOpcode();
}

/// \p A and \p B are of one form.
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
    return false; // Nothing new.
  const bool Result = areEqualValues(A, B);
  Compared.erase({A, B});
  return Result;
}

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
