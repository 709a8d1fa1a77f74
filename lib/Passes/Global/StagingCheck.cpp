// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Checks on the syntax tree that the rows of a loop may be read ahead.
//===----------------------------------------------------------------------===//

#include "StagedRows.h"
#include "cudaopt/IR/Build.h"
#include "cudaopt/Source/SourceText.h"
#include "cudaopt/Source/StatementParts.h"
#include "cudaopt/Support/Nodes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;
using llvm::Error;

namespace cudaopt {
namespace {

/// Checks one loop.
class WalkCheck {
public:
  WalkCheck(const RowWalk &Walk, const ASTContext &Context)
      : Walk(Walk), Context(Context) {}

  Error run();

private:
  Error checkHead() const;
  Error checkNode(const DynTypedNode &N, NodePath Around);
  Error checkCall(const CallExpr &Call);
  Error checkWrite(const Expr *Target, const FunctionDecl *Callee) const;
  Error checkCallee(const FunctionDecl &Callee);
  Error checkElement(const Expr *Element) const;
  Error checkRead(const Expr *Element) const;
  bool isFixed(const VarDecl *Var) const { return Fixed.contains(Var); }

  const RowWalk &Walk;
  const ASTContext &Context;
  /// The counter, and the variables that tell where rows begin and end.
  llvm::SmallPtrSet<const VarDecl *, 8> Fixed;
  llvm::SmallPtrSet<const FunctionDecl *, 4> Checked;
};

} // namespace

static Error fail(const llvm::Twine &Why) {
  return llvm::createStringError(Why);
}

static const VarDecl *getVariable(const Expr *E) {
  const auto *Ref = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
  return Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
}

/// Returns what an assignment, increment or decrement changes; null for other
/// expressions.
static const Expr *getTarget(const Expr *E) {
  if (const auto *Binary = dyn_cast<BinaryOperator>(E))
    return Binary->isAssignmentOp() ? Binary->getLHS()->IgnoreParens()
                                    : nullptr;
  const auto *Unary = dyn_cast<UnaryOperator>(E);
  return Unary && Unary->isIncrementDecrementOp()
             ? Unary->getSubExpr()->IgnoreParens()
             : nullptr;
}

/// Returns the variable whose bytes \p Place names: `a` of `a[i].x[j]`, where
/// `a` is an array; null if a pointer leads there.
static const VarDecl *getWhole(const Expr *Place) {
  while (true) {
    Place = Place->IgnoreParens();
    if (const auto *Member = dyn_cast<MemberExpr>(Place)) {
      if (Member->isArrow())
        return nullptr;
      Place = Member->getBase();
    } else if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(Place)) {
      Place = Subscript->getBase()->IgnoreParenImpCasts();
      if (!Place->getType()->isArrayType())
        return nullptr;
    } else {
      const VarDecl *Var = getVariable(Place);
      return Var && !Var->getType()->isReferenceType() ? Var : nullptr;
    }
  }
}

/// Returns the pointer or array that \p Place begins with; null if there are
/// several, or none.
static const VarDecl *getBase(const Expr *Place) {
  const VarDecl *Base = nullptr;
  bool IsOne = true;
  forEachNode(Place, [&](const DynTypedNode &N) {
    const auto *Ref = N.get<DeclRefExpr>();
    const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    if (!Var ||
        (!Var->getType()->isPointerType() && !Var->getType()->isArrayType()))
      return;
    IsOne &= !Base || Base == Var;
    Base = Var;
  });
  return IsOne ? Base : nullptr;
}

Error WalkCheck::checkHead() const {
  const auto *Condition = dyn_cast<BinaryOperator>(Walk.Loop->getCond());
  if (!Condition ||
      (Condition->getOpcode() != BO_LT && Condition->getOpcode() != BO_LE &&
       Condition->getOpcode() != BO_GT && Condition->getOpcode() != BO_GE))
    return fail("the condition of the loop is no comparison");
  const bool IsMirrored =
      Condition->getOpcode() == BO_GT || Condition->getOpcode() == BO_GE;
  const Expr *Counter = IsMirrored ? Condition->getRHS() : Condition->getLHS();
  const bool IncludesEnd =
      Condition->getOpcode() == BO_LE || Condition->getOpcode() == BO_GE;
  if (getVariable(Counter) != Walk.Counter || IncludesEnd != Walk.IncludesEnd)
    return fail("the condition of the loop tests another variable");
  const Expr *Step = Walk.Loop->getInc()->IgnoreParens();
  const Expr *Target = getTarget(Step);
  const auto *Assigned = dyn_cast<BinaryOperator>(Step);
  const Expr *Amount =
      Assigned ? Assigned->getRHS()->IgnoreParenImpCasts() : nullptr;
  if (Assigned && Assigned->getOpcode() == BO_Assign) {
    const auto *Sum = dyn_cast<BinaryOperator>(Amount);
    if (!Sum || Sum->getOpcode() != BO_Add ||
        getVariable(Sum->getLHS()) != Walk.Counter)
      return fail("the loop does not count by one");
    Amount = Sum->getRHS()->IgnoreParenImpCasts();
  } else if (Assigned && Assigned->getOpcode() != BO_AddAssign) {
    return fail("the loop does not count by one");
  }
  const auto *One = dyn_cast_or_null<IntegerLiteral>(Amount);
  const auto *Unary = dyn_cast<UnaryOperator>(Step);
  if (!Target || getVariable(Target) != Walk.Counter ||
      (Unary ? !Unary->isIncrementOp() : !One || One->getValue() != 1))
    return fail("the loop does not count by one");
  return Error::success();
}

/// A write must be to a variable of the thread, to shared memory, to what the
/// rewritten text compares with the rows, or to what `__restrict__` keeps apart
/// from these.
Error WalkCheck::checkWrite(const Expr *Target,
                            const FunctionDecl *Callee) const {
  if (const VarDecl *Var = getWhole(Target)) {
    if (isFixed(Var))
      return fail("the loop changes '" + Var->getName() + "'");
    if (Var->hasLocalStorage() || Var->hasAttr<CUDASharedAttr>())
      return Error::success();
  }
  if (Callee)
    return fail("'" + Callee->getName() + "' writes to memory");
  if (llvm::any_of(Walk.Stores, [&](const Expr *Each) {
        return Each->getBeginLoc() == Target->getBeginLoc() &&
               Each->getEndLoc() == Target->getEndLoc();
      }))
    return Error::success();
  const VarDecl *Written = getBase(Target);
  for (const RowLoad &Each : Walk.Loads) {
    const VarDecl *Read = getBase(Each.Element);
    if (!Written || !Read || Written == Read ||
        !(Written->getType().isRestrictQualified() ||
          Read->getType().isRestrictQualified() ||
          Written->hasAttr<CUDASharedAttr>()))
      return fail("a store may change a row");
  }
  return Error::success();
}

/// A function of the user must compute from numbers, and change its own
/// variables only.
Error WalkCheck::checkCallee(const FunctionDecl &Callee) {
  const FunctionDecl *Definition = nullptr;
  if (!Callee.hasBody(Definition) || isa<CXXMethodDecl>(Callee) ||
      !llvm::all_of(Definition->parameters(), [](const ParmVarDecl *P) {
        return !P->getType()->isReferenceType();
      }))
    return fail("the loop calls '" + Callee.getName() + "'");
  if (!Checked.insert(Definition).second)
    return Error::success();
  Error Found = Error::success();
  forEachNode(Definition->getBody(), [&](const DynTypedNode &N) {
    if (Found)
      return;
    const auto *E = N.get<Expr>();
    if (N.get<AsmStmt>() || (E && isa<LambdaExpr, CXXThrowExpr>(E)))
      Found = fail("'" + Callee.getName() + "' is not understood");
    else if (const Expr *Target = E ? getTarget(E) : nullptr)
      Found = checkWrite(Target, Definition);
    else if (const auto *Call = dyn_cast_or_null<CallExpr>(E))
      Found = checkCall(*Call);
  });
  return Found;
}

Error WalkCheck::checkCall(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (!Callee)
    return fail("the loop calls through a pointer");
  if (ir::onlyComputes(Callee, Context))
    return Error::success();
  // threadIdx.x calls a function of clang's headers.
  if (Callee->getIdentifier() &&
      Callee->getName().starts_with("__fetch_builtin_"))
    return Error::success();
  if (!Callee->getIdentifier())
    return fail("the loop calls an operator of a class");
  return checkCallee(*Callee);
}

Error WalkCheck::checkNode(const DynTypedNode &N, NodePath Around) {
  if (const auto *Var = N.get<VarDecl>(); Var && !Var->hasLocalStorage())
    return fail("'" + Var->getName() + "' outlives an iteration");
  const auto *S = N.get<Stmt>();
  if (!S)
    return Error::success();
  const bool IsInInner = llvm::any_of(Around, [](const DynTypedNode &Outer) {
    return Outer.get<ForStmt>() || Outer.get<WhileStmt>() ||
           Outer.get<DoStmt>() || Outer.get<CXXForRangeStmt>() ||
           Outer.get<SwitchStmt>();
  });
  if (isa<ReturnStmt, GotoStmt, IndirectGotoStmt, LabelStmt, AsmStmt,
          CXXThrowExpr, CXXTryStmt, LambdaExpr, CXXNewExpr, CXXDeleteExpr,
          CXXConstructExpr, StmtExpr>(S) ||
      (isa<BreakStmt>(S) && !IsInInner))
    return fail("the loop does more than compute");
  if (const auto *Call = dyn_cast<CallExpr>(S))
    return checkCall(*Call);
  const auto *E = dyn_cast<Expr>(S);
  if (!E)
    return Error::success();
  if (const auto *Unary = dyn_cast<UnaryOperator>(E))
    if (Unary->getOpcode() == UO_AddrOf)
      if (const VarDecl *Var = getWhole(Unary->getSubExpr()))
        if (isFixed(Var))
          return fail("the address of '" + Var->getName() + "' is taken");
  if (E->isLValue() && E->getType().isVolatileQualified())
    return fail("the loop accesses volatile memory");
  if (const Expr *Target = getTarget(E))
    return checkWrite(Target, nullptr);
  return Error::success();
}

/// The element must be read whatever the conditions in the loop say.
Error WalkCheck::checkElement(const Expr *Element) const {
  Error Found = fail("the element is not in the loop");
  bool MayContinue = false;
  walkNodes(Walk.Loop->getBody(), [&](const DynTypedNode &N, NodePath Around) {
    MayContinue |= N.get<ContinueStmt>() != nullptr;
    if (N.get<Expr>() != Element)
      return true;
    consumeError(std::move(Found));
    Found = MayContinue ? fail("an iteration may end before the element")
                        : Error::success();
    const auto isPartOf = [&](const Stmt *Part) {
      return Part && contains(Part, Element);
    };
    for (const DynTypedNode &Outer : Around) {
      bool IsSure = true;
      if (const auto *If = Outer.get<IfStmt>())
        // Instances have only one side of `if constexpr`.
        IsSure = isPartOf(If->getCond()) || isPartOf(If->getInit()) ||
                 If->isConstexpr();
      else if (const auto *Choice = Outer.get<AbstractConditionalOperator>())
        IsSure = isPartOf(Choice->getCond());
      else if (const auto *Binary = Outer.get<BinaryOperator>())
        IsSure = !Binary->isLogicalOp() || isPartOf(Binary->getLHS());
      else if (const auto *Inner = Outer.get<ForStmt>())
        IsSure = isPartOf(Inner->getInit());
      else if (Outer.get<WhileStmt>() || Outer.get<DoStmt>() ||
               Outer.get<SwitchStmt>() || Outer.get<CXXForRangeStmt>())
        IsSure = false;
      if (!IsSure && !Found)
        Found = fail("some iterations do not read the element");
    }
    return true;
  });
  return Found;
}

/// Returns true if both are the same expression, blanks aside.
static bool areSame(const Expr *A, const Expr *B, const ASTContext &Context) {
  llvm::FoldingSetNodeID Left, Right;
  A->Profile(Left, Context, /*Canonical=*/true);
  B->Profile(Right, Context, /*Canonical=*/true);
  return Left == Right;
}

/// Each iteration must read \p Element, here or where the text has it again.
Error WalkCheck::checkRead(const Expr *Element) const {
  Error Found = checkElement(Element);
  for (const RowLoad &Each : Walk.Loads) {
    if (!Found || Each.Element == Element ||
        !areSame(Each.Element, Element, Context))
      continue;
    Error Other = checkElement(Each.Element);
    if (!Other) {
      consumeError(std::move(Found));
      return Error::success();
    }
    consumeError(std::move(Other));
  }
  return Found;
}

Error WalkCheck::run() {
  if (Error Failed = checkHead())
    return Failed;
  const auto fix = [this](const Expr *E) {
    forEachNode(E, [&](const DynTypedNode &N) {
      const auto *Ref = N.get<DeclRefExpr>();
      if (const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr)
        if (Var->hasLocalStorage())
          Fixed.insert(Var);
    });
  };
  Fixed.insert(Walk.Counter);
  fix(Walk.End);
  llvm::for_each(Walk.Stores, fix);
  for (const RowLoad &Each : Walk.Loads)
    fix(Each.Element);
  Error Found = Error::success();
  walkNodes(Walk.Loop->getBody(), [&](const DynTypedNode &N, NodePath Around) {
    if (!Found)
      Found = checkNode(N, Around);
    return true;
  });
  for (const RowLoad &Each : Walk.Loads)
    if (!Found)
      Found = checkRead(Each.Element);
  return Found;
}

Error checkWalk(const RowWalk &Walk, const ASTContext &Context) {
  return WalkCheck(Walk, Context).run();
}

} // namespace cudaopt
