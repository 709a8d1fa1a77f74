// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The statements of a kernel, interpreted for one thread;
/// KernelInterpreterExpr.cpp has the expressions, KernelInterpreterOperands.cpp
/// what they are made of.
//===----------------------------------------------------------------------===//

#include "cudaopt/Transforms/KernelInterpreter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;
using namespace cudaopt;

/// How often a loop runs whose condition is unknown.
static constexpr uint32_t UnknownTripCount = 10;

KernelInterpreter::KernelInterpreter(const FunctionDecl *Kernel, Dim3 Block,
                                     Dim3 Grid,
                                     llvm::ArrayRef<TracedReference> References,
                                     ASTContext &Context, uint64_t MaxSteps)
    : Kernel(Kernel), Block(Block), Grid(Grid), References(References),
      Context(Context), MaxSteps(MaxSteps) {
  for (auto [Id, Reference] : llvm::enumerate(References))
    ReferenceIds[Reference.Ref->IgnoreParens()] = Id;
  for (const ParmVarDecl *Parameter : Kernel->parameters())
    addLocal(Parameter);
  scan(Kernel->getBody(), /*IsConsumed=*/true);
  for (const TracedReference &Reference : References)
    IsComplete &= Relevant.contains(Reference.Ref->IgnoreParens());
}

bool KernelInterpreter::run(Dim3 NewThread, Dim3 NewBlockIndex,
                            std::vector<Execution> &NewExecutions) {
  Thread = NewThread;
  BlockIndex = NewBlockIndex;
  Executions = &NewExecutions;
  Values.assign(Slots.size(), {});
  Iteration = 0;
  Uncertain = NumUncertainExits = 0;
  execute(Kernel->getBody());
  return !isBudgetSpent();
}

//===----------------------------------------------------------------------===//
// What the body contains
//===----------------------------------------------------------------------===//

void KernelInterpreter::addLocal(const VarDecl *Local) {
  if (Local->hasLocalStorage() && integerType(Local->getType()) &&
      !Local->getType().isVolatileQualified())
    Slots.try_emplace(Local, Slots.size());
}

static bool isIncrement(const Stmt *S) {
  auto *Op = dyn_cast<UnaryOperator>(S);
  return Op && Op->isIncrementDecrementOp();
}

static bool isAssignment(const Stmt *S) {
  auto *Op = dyn_cast<BinaryOperator>(S);
  return Op && Op->isAssignmentOp();
}

/// Returns the variable that lvalue \p E, a name or an assignment, denotes.
static const VarDecl *variableOf(const Expr *E) {
  E = E->IgnoreParens();
  if (auto *Name = dyn_cast<DeclRefExpr>(E))
    return dyn_cast<VarDecl>(Name->getDecl());
  if (isAssignment(E))
    return variableOf(cast<BinaryOperator>(E)->getLHS());
  if (isIncrement(E))
    return variableOf(cast<UnaryOperator>(E)->getSubExpr());
  return nullptr;
}

/// Returns true if \p Parent does no more with the lvalue \p Child than read or
/// assign it, so that no other name for it remains.
bool KernelInterpreter::isConsumedBy(const Stmt *Parent, const Stmt *Child,
                                     bool ParentIsConsumed) const {
  if (isa<ParenExpr, FullExpr, ConditionalOperator>(Parent))
    return ParentIsConsumed;
  if (auto *Cast = dyn_cast<CastExpr>(Parent))
    return Cast->getCastKind() == CK_LValueToRValue ||
           Cast->getCastKind() == CK_ToVoid;
  if (isIncrement(Parent))
    return isa<DeclRefExpr>(cast<Expr>(Child)->IgnoreParens());
  if (isAssignment(Parent))
    return Child == cast<BinaryOperator>(Parent)->getLHS() &&
           isa<DeclRefExpr>(cast<Expr>(Child)->IgnoreParens());
  if (auto *Op = dyn_cast<BinaryOperator>(Parent); Op && Op->isCommaOp())
    return Child == Op->getLHS() || ParentIsConsumed;
  return !isa<Expr, DeclStmt, AsmStmt>(Parent);
}

/// Fills Slots and Relevant. \p IsConsumed says that the place of \p S does not
/// keep an lvalue. Returns true if \p S is relevant.
bool KernelInterpreter::scan(const Stmt *S, bool IsConsumed) {
  if (!S || isa<UnaryExprOrTypeTraitExpr>(S))
    return false;
  bool IsRelevant =
      isa<ReturnStmt, BreakStmt, ContinueStmt, GotoStmt, AsmStmt, LambdaExpr>(
          S) ||
      isAssignment(S) || isIncrement(S);
  if (auto *E = dyn_cast<Expr>(S)) {
    IsRelevant |= ReferenceIds.contains(E->IgnoreParens());
    if (const VarDecl *Local = variableOf(E);
        Local && E->isGLValue() && !IsConsumed)
      Aliased.insert(Local);
  }
  if (auto *Declarations = dyn_cast<DeclStmt>(S))
    for (const Decl *D : Declarations->decls())
      if (auto *Local = dyn_cast<VarDecl>(D)) {
        addLocal(Local);
        IsRelevant |= Slots.contains(Local);
      }
  // A property's syntactic form says all of it that matters here.
  if (auto *Pseudo = dyn_cast<PseudoObjectExpr>(S))
    return scan(Pseudo->getSyntacticForm(), false) && Relevant.insert(S).second;
  for (const Stmt *Child : S->children())
    if (Child)
      IsRelevant |= scan(Child, isConsumedBy(S, Child, IsConsumed));
  if (IsRelevant)
    Relevant.insert(S);
  return IsRelevant;
}

/// Makes the locals unknown that \p S assigns to.
void KernelInterpreter::forgetAssigned(const Stmt *S) {
  if (!S)
    return;
  if (isAssignment(S) || isIncrement(S)) {
    auto Slot = Slots.find(variableOf(cast<Expr>(S)));
    if (Slot != Slots.end())
      Values[Slot->second] = {};
  }
  for (const Stmt *Child : S->children())
    forgetAssigned(Child);
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

/// A loop of any form; absent parts are null.
struct KernelInterpreter::LoopParts {
  const Stmt *Loop;
  const Stmt *Init = nullptr;
  const DeclStmt *Variable = nullptr; ///< Declared in the condition.
  const Expr *Condition = nullptr;
  const Expr *Increment = nullptr;
  const Stmt *Body;
  bool TestsFirst = true;
};

KernelInterpreter::Flow KernelInterpreter::execute(const Stmt *S) {
  if (!S || !Relevant.contains(S))
    return Flow::Next;
  ++Steps;
  if (isBudgetSpent())
    return Flow::Return;

  if (auto *E = dyn_cast<Expr>(S)) {
    evaluate(E);
    return Flow::Next;
  }
  switch (S->getStmtClass()) {
  case Stmt::CompoundStmtClass:
    for (const Stmt *Child : cast<CompoundStmt>(S)->body())
      if (Flow Exit = execute(Child); Exit != Flow::Next)
        return Exit;
    return Flow::Next;
  case Stmt::AttributedStmtClass:
    return execute(cast<AttributedStmt>(S)->getSubStmt());
  case Stmt::DeclStmtClass:
    executeDeclarations(cast<DeclStmt>(S));
    return Flow::Next;
  case Stmt::IfStmtClass:
    return executeIf(cast<IfStmt>(S));
  case Stmt::ForStmtClass: {
    auto *For = cast<ForStmt>(S);
    return executeLoop({For, For->getInit(),
                        For->getConditionVariableDeclStmt(), For->getCond(),
                        For->getInc(), For->getBody()});
  }
  case Stmt::WhileStmtClass: {
    auto *While = cast<WhileStmt>(S);
    return executeLoop({While, nullptr, While->getConditionVariableDeclStmt(),
                        While->getCond(), nullptr, While->getBody()});
  }
  case Stmt::DoStmtClass: {
    auto *Do = cast<DoStmt>(S);
    return executeLoop({Do, nullptr, nullptr, Do->getCond(), nullptr,
                        Do->getBody(), /*TestsFirst=*/false});
  }
  case Stmt::ReturnStmtClass:
    return Flow::Return;
  case Stmt::BreakStmtClass:
    return Flow::Break;
  case Stmt::ContinueStmtClass:
    return Flow::Continue;
  default:
    IsComplete = false;
    forgetAssigned(S);
    return Flow::Next;
  }
}

void KernelInterpreter::executeDeclarations(const DeclStmt *S) {
  for (const Decl *D : S->decls()) {
    auto *Local = dyn_cast<VarDecl>(D);
    if (!Local || !Local->hasLocalStorage())
      continue;
    Integer Value = Local->getInit() ? evaluate(Local->getInit()) : Integer();
    if (auto Slot = Slots.find(Local); Slot != Slots.end())
      Values[Slot->second] = Value;
  }
}

KernelInterpreter::Flow KernelInterpreter::executeIf(const IfStmt *If) {
  if (If->isConsteval()) {
    IsComplete = false;
    forgetAssigned(If);
    return Flow::Next;
  }
  execute(If->getInit());
  execute(If->getConditionVariableDeclStmt());
  Integer Condition = evaluate(If->getCond());
  BlockDimensions |= Condition.Blocks;
  if (Condition.Number)
    return execute(*Condition.Number ? If->getThen() : If->getElse());

  Locals Before = Values;
  ++Uncertain;
  Flow Then = execute(If->getThen());
  std::swap(Values, Before);
  Values.resize(Slots.size()); // A call may have brought new locals.
  Flow Else = execute(If->getElse());
  --Uncertain;
  join(Before);
  if (Then == Else)
    return Then;
  ++NumUncertainExits;
  return Then == Flow::Next || Else == Flow::Next ? Flow::Next : Then;
}

/// Returns what is known of an integer that is \p A or \p B.
KernelInterpreter::Integer KernelInterpreter::join(Integer A, Integer B) {
  if (A.isUnknown() || B.isUnknown())
    return {};
  if (A.Number != B.Number)
    A.Number = std::nullopt;
  A.Blocks |= B.Blocks;
  return A;
}

/// Keeps what Values and \p Other agree on.
void KernelInterpreter::join(const Locals &Other) {
  for (auto [Slot, Value] : llvm::enumerate(Values))
    Value = join(Value, Slot < Other.size() ? Other[Slot] : Integer());
}

KernelInterpreter::Flow KernelInterpreter::executeLoop(const LoopParts &Loop) {
  execute(Loop.Init);
  llvm::SaveAndRestore Outer(Iteration);
  unsigned ExitsBefore = NumUncertainExits;
  bool IsUnknown = false;
  Flow Exit = Flow::Next;
  for (uint32_t Count = 0; !isBudgetSpent(); ++Count, ++Steps) {
    auto Next =
        Iterations.try_emplace({Outer.get(), Count}, Iterations.size() + 1);
    Iteration = Next.first->second;
    if (Loop.Condition && (Loop.TestsFirst || Count > 0)) {
      execute(Loop.Variable);
      Integer Condition = evaluate(Loop.Condition);
      BlockDimensions |= Condition.Blocks;
      if (Condition.Number && *Condition.Number == 0)
        break;
      if (!Condition.Number && !IsUnknown) {
        IsUnknown = true;
        ++Uncertain;
      }
    }
    bool MayHaveEnded = IsUnknown || NumUncertainExits != ExitsBefore;
    if (MayHaveEnded && Count >= UnknownTripCount)
      break;
    Exit = execute(Loop.Body);
    if (Exit == Flow::Break || Exit == Flow::Return)
      break;
    if (Loop.Increment)
      evaluate(Loop.Increment);
  }

  if (IsUnknown || NumUncertainExits != ExitsBefore)
    forgetAssigned(Loop.Loop);
  if (!IsUnknown)
    return Exit == Flow::Return ? Flow::Return : Flow::Next;
  --Uncertain;
  // The loop may not have run at all.
  NumUncertainExits += Exit == Flow::Return;
  return Flow::Next;
}
