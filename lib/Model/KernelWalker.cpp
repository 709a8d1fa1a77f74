// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelWalker.h"
#include "ArrayParts.h"
#include "Exits.h"
#include "Induction.h"
#include "LoopUnrolling.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace cudaopt {
namespace {

/// Collects the references to arrays anywhere, in types too.
class ReferenceFinder : public DynamicRecursiveASTVisitor {
public:
  bool VisitDeclRefExpr(DeclRefExpr *Ref) override {
    Found.push_back(Ref);
    return true;
  }
  llvm::SmallVector<const DeclRefExpr *, 32> Found;
};

} // namespace

KernelWalker::KernelWalker(
    ASTContext &Context, Kernel &K, KernelInstance &Instance,
    const llvm::DenseMap<const VarDecl *, ArrayId> &Arrays,
    const CallTable &Calls, CallRecord &Record)
    : Context(Context), K(K), Instance(Instance), Arrays(Arrays), Calls(Calls),
      Record(Record), Builder(Instance.Values, Context, Instance.Block),
      Trackable(findTrackableVariables(Instance.Decl)) {}

void KernelWalker::walk() {
  const Stmt *Body = Instance.Decl->getBody();
  for (const ParmVarDecl *Parameter : Instance.Decl->parameters())
    if (auto Type = getValueType(Context, Parameter->getType());
        Type && Trackable.contains(Parameter))
      Locals[Parameter] =
          Instance.Values.parameter( // Those of a pack have one name.
              (Parameter->getName() + "#" +
               llvm::Twine(Parameter->getFunctionScopeIndex()))
                  .str(),
              *Type);
  walkStmt(Body);

  if (findJump(Body) || HasJump)
    for (auto [Array, Id] : Arrays)
      block(Id, Reason::UnstructuredControl, "", Array->getLocation());
  blockUnmetUses(Body);
  for (const FunctionDecl *Function : Entered)
    blockUnmetUses(Function->getBody());
}

/// Returns what \p Ref names in any of the calls of the function around it.
llvm::SmallVector<ArrayId, 2>
KernelWalker::findArraysEver(const DeclRefExpr *Ref) const {
  const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
  if (auto It = Named.find(Var); It != Named.end())
    return {It->second.begin(), It->second.end()};
  if (std::optional<ArrayId> Array = findArray(Ref))
    return {*Array};
  return {};
}

/// A use that the walk did not meet (in a type, say) is a use all the same.
void KernelWalker::blockUnmetUses(const Stmt *Body) {
  ReferenceFinder References;
  References.TraverseStmt(const_cast<Stmt *>(Body));
  for (const DeclRefExpr *Ref : References.Found)
    if (!Handled.contains(Ref))
      for (ArrayId Array : findArraysEver(Ref))
        block(Array, Reason::AddressEscapes, textOf(Ref), Ref->getLocation());
}

void KernelWalker::forget(llvm::ArrayRef<const VarDecl *> Variables) {
  for (const VarDecl *Var : Variables)
    Locals.erase(Var);
}

std::optional<ValueId> KernelWalker::negate(std::optional<ValueId> Condition) {
  if (!Condition)
    return std::nullopt;
  return Instance.Values.operation(ValueKind::LogicalNot, {}, {*Condition});
}

/// Locals hold what the else branch left, \p Then what the other one did.
void KernelWalker::merge(std::optional<ValueId> Condition,
                         const Environment &Then) {
  llvm::SmallVector<const VarDecl *, 8> Unknown;
  for (auto &[Var, Value] : Locals) {
    auto It = Then.find(Var);
    if (It == Then.end() || (It->second != Value && !Condition)) {
      Unknown.push_back(Var);
      continue;
    }
    if (It->second != Value)
      Value = Instance.Values.operation(ValueKind::Select,
                                        Instance.Values[Value].Type,
                                        {*Condition, It->second, Value});
  }
  forget(Unknown);
}

/// No access behind \p S, nor any beside it, is sure to be the whole block's if
/// threads may end in there.
void KernelWalker::noteThreadExits(const Stmt *S) {
  HasLeft = HasLeft || Calls.mayEndThread(S);
}

bool KernelWalker::walkIf(const IfStmt *If) {
  if (If->getInit())
    walkStmt(If->getInit());
  if (If->getConditionVariableDeclStmt())
    walkStmt(If->getConditionVariableDeclStmt());
  std::optional<ValueId> Condition;
  if (If->getCond()) { // `if consteval` has none.
    noteThreadExits(If->getCond());
    walkExpr(If->getCond());
    Condition = build(If->getCond());
  }
  Environment Before = Locals;
  unsigned ExitsBefore = NumReturns + NumLoopExits;
  bool ThenLeaves, ElseLeaves = false;
  {
    GuardScope Scope(*this);
    pushGuard(Condition);
    ThenLeaves = walkStmt(If->getThen());
  }
  Environment Then = std::move(Locals);
  Locals = std::move(Before);
  if (If->getElse()) {
    GuardScope Scope(*this);
    pushGuard(negate(Condition));
    ElseLeaves = walkStmt(If->getElse());
  }
  if (ThenLeaves && !ElseLeaves) {
    pushGuard(negate(Condition));
    return false;
  }
  if (ElseLeaves && !ThenLeaves) {
    Locals = std::move(Then);
    pushGuard(Condition);
    return false;
  }
  merge(Condition, Then);
  // Some thread may have left from the middle of a branch.
  if (!ThenLeaves && NumReturns + NumLoopExits != ExitsBefore)
    DomainIsExact = false;
  return ThenLeaves && ElseLeaves;
}

/// Control enters the body at any label, and may leave it at any break.
bool KernelWalker::walkSwitch(const SwitchStmt *Switch) {
  if (Switch->getInit())
    walkStmt(Switch->getInit());
  if (Switch->getConditionVariableDeclStmt())
    walkStmt(Switch->getConditionVariableDeclStmt());
  walkExpr(Switch->getCond());
  auto Assigned = findAssignedVariables(Switch->getBody());
  forget(Assigned);
  unsigned ReturnsBefore = NumReturns;
  {
    GuardScope Scope(*this);
    llvm::SaveAndRestore<unsigned> Exits(NumLoopExits);
    const auto *Body = dyn_cast<CompoundStmt>(Switch->getBody());
    for (const Stmt *S : Switch->getBody()->children()) {
      if (!Body || !S)
        continue;
      while (const auto *Label = dyn_cast<SwitchCase>(S)) {
        forget(Assigned);
        Guards.truncate(Scope.NumGuards);
        S = Label->getSubStmt();
      }
      DomainIsExact = false;
      walkStmt(S);
    }
    if (!Body)
      walkStmt(Switch->getBody());
  }
  forget(Assigned);
  if (NumReturns != ReturnsBefore || findExits(Switch->getBody()).HasContinue)
    DomainIsExact = false;
  return false;
}

/// If \p Var names a part of an array: its initialiser is no use of the whole.
bool KernelWalker::walkPart(const VarDecl *Var) {
  if (!Arrays.contains(Var) || Var->getType()->isArrayType())
    return false;
  const PartAddress Address = *findPartAddress(Var, Context);
  Handled.insert(Address.Base);
  for (const PartAddress::Step &Step : Address.Steps)
    walkExpr(Step.Index);
  return true;
}

bool KernelWalker::walkDecl(const DeclStmt *Statement) {
  for (const Decl *D : Statement->decls()) {
    const auto *Var = dyn_cast<VarDecl>(D);
    if (!Var || !Var->hasInit() || walkPart(Var) || bindRow(Var))
      continue;
    Use U;
    if (Var->getType()->isReferenceType())
      U = Use(Use::Blocked, Reason::BoundToReference, Var->getNameAsString());
    walkExpr(Var->getInit(), U);
    std::optional<ValueType> Type = getValueType(Context, Var->getType());
    std::optional<ValueId> Value = build(Var->getInit());
    if (Type && Value && Trackable.contains(Var))
      Locals[Var] = Builder.convert(*Value, *Type);
    else
      Locals.erase(Var);
  }
  return false;
}

/// Returns the steps that every iteration of a loop takes once: those of
/// \p StepExpr, and of the statements of \p Body, if none is skipped.
static llvm::SmallVector<InductionStep, 2>
collectLoopSteps(const Expr *StepExpr, const Stmt *Body) {
  llvm::SmallVector<InductionStep, 2> Steps;
  if (StepExpr)
    Steps = collectSteps(StepExpr);
  const auto *Statements = dyn_cast<CompoundStmt>(Body);
  if (!Statements || findExits(Body).HasContinue)
    return Steps;
  for (const Stmt *S : Statements->body())
    if (const auto *E = dyn_cast<Expr>(S); E && E != StepExpr)
      llvm::append_range(Steps, collectSteps(E));
  return Steps;
}

/// Gives each variable that \p Steps advance the value that it has after
/// \p Iteration iterations. \p Assigned are all assignments of the loop.
void KernelWalker::advance(llvm::ArrayRef<InductionStep> Steps,
                           const Environment &AtEntry, ValueId Iteration,
                           llvm::ArrayRef<const VarDecl *> Assigned) {
  llvm::MapVector<const VarDecl *, std::optional<ValueId>> Known;
  for (const InductionStep &S : Steps) {
    if (!S.Var || !AtEntry.contains(S.Var))
      continue;
    const auto NumSteps = llvm::count_if(
        Steps, [&](const InductionStep &Each) { return Each.Var == S.Var; });
    // Of several steps, those that add up commute with all others.
    const bool IsKnown =
        llvm::count(Assigned, S.Var) == NumSteps &&
        (NumSteps == 1 || S.Opcode == BO_Add || S.Opcode == BO_Sub);
    // The amount is built while all that the loop changes is unknown.
    std::optional<ValueId> Amount = Instance.Values.constant(1);
    if (S.Amount)
      Amount = build(S.Amount);
    std::optional<ValueId> &Value =
        Known.try_emplace(S.Var, AtEntry.lookup(S.Var)).first->second;
    if (Value && Amount && IsKnown)
      Value = computeInduction(Builder, Instance.Values, Iteration, S.Opcode,
                               *Value, *Amount);
    else
      Value = std::nullopt;
  }
  for (auto [Var, Value] : Known)
    if (Value)
      Locals[Var] = *Value;
}

bool KernelWalker::walkLoop(const Stmt *S, const Expr *Condition,
                            const Expr *StepExpr, const Stmt *Body,
                            bool StepIsInBody) {
  auto Assigned = findAssignedVariables(Body);
  for (const Expr *E : {Condition, StepIsInBody ? nullptr : StepExpr})
    llvm::append_range(Assigned, findAssignedVariables(E));
  const Environment AtEntry = Locals;
  forget(Assigned);
  const bool LeavesLoop =
      findExits(Body).leavesLoop() || findExits(S).HasReturn;
  LoopId Id = Instance.Loops.size();
  std::optional<LoopId> Parent;
  if (!Loops.empty())
    Parent = Loops.back();
  Instance.Loops.push_back({S, Id, Parent, std::nullopt});
  Instance.Loops.back().Use = currentUse();
  describeUnrolling(Context, Body, std::exchange(LoopAttributes, {}),
                    Instance.Loops.back());
  const auto Steps = collectLoopSteps(StepExpr, Body);
  advance(Steps, AtEntry, Instance.Values.iterator(Id), Assigned);
  if (Condition)
    Instance.Loops[Id].Condition = build(Condition);

  unsigned ReturnsBefore = NumReturns;
  {
    GuardScope Scope(*this);
    llvm::SaveAndRestore<unsigned> Exits(NumLoopExits);
    if (LeavesLoop)
      DomainIsExact = false;
    Loops.push_back(Id);
    if (Condition)
      walkExpr(Condition);
    walkStmt(Body);
    if (StepExpr && !StepIsInBody) {
      if (findExits(Body).HasContinue) { // It comes from there, too.
        Guards.truncate(Scope.NumGuards);
        DomainIsExact = false;
        forget(findAssignedVariables(Body));
      }
      walkExpr(StepExpr, Use(Use::Discard));
    }
    Loops.pop_back();
  }
  forget(Assigned);
  if (!LeavesLoop)
    if (std::optional<int64_t> Trips = countTrips(Instance, Id))
      advance(Steps, AtEntry, Instance.Values.constant(*Trips), Assigned);
  if (NumReturns != ReturnsBefore)
    DomainIsExact = false;
  return false;
}

bool KernelWalker::walkFor(const ForStmt *For) {
  if (For->getInit())
    walkStmt(For->getInit());
  if (For->getConditionVariableDeclStmt()) {
    forget(findAssignedVariables(For));
    walkStmt(For->getConditionVariableDeclStmt());
    Locals.erase(For->getConditionVariable());
    return walkLoop(For, nullptr, For->getInc(), For->getBody(), false);
  }
  return walkLoop(For, For->getCond(), For->getInc(), For->getBody(), false);
}

/// `while (c) { ...; step; }` is a for loop if its last statement is the only
/// one that changes the variable, and nothing skips it.
bool KernelWalker::walkWhile(const WhileStmt *While) {
  const auto *Body = dyn_cast<CompoundStmt>(While->getBody());
  const Expr *Last = nullptr;
  if (Body && !Body->body_empty() && !findExits(Body).HasContinue)
    Last = dyn_cast<Expr>(Body->body_back());
  if (While->getConditionVariableDeclStmt()) {
    // It is initialised anew in each iteration.
    forget(findAssignedVariables(While));
    walkStmt(While->getConditionVariableDeclStmt());
    Locals.erase(While->getConditionVariable());
    return walkLoop(While, nullptr, nullptr, While->getBody(), false);
  }
  return walkLoop(While, While->getCond(), Last, While->getBody(), true);
}

/// A statement of no known form.
void KernelWalker::walkOther(const Stmt *S) {
  forget(findAssignedVariables(S));
  Use U;
  if (isa<AsmStmt>(S))
    U = Use(Use::Blocked, Reason::InlineAssembly);
  const unsigned ReturnsBefore = NumReturns;
  {
    GuardScope Scope(*this);
    DomainIsExact = false;
    for (const Stmt *Child : S->children()) {
      if (const auto *E = dyn_cast_or_null<Expr>(Child))
        walkExpr(E, U);
      else
        walkStmt(Child);
    }
  }
  if (NumReturns != ReturnsBefore)
    DomainIsExact = false;
  forget(findAssignedVariables(S));
}

bool KernelWalker::walkStmt(const Stmt *S) {
  if (!S)
    return false;
  if (!isa<CompoundStmt, IfStmt, LabelStmt, AttributedStmt>(S))
    noteThreadExits(S);
  switch (S->getStmtClass()) {
  case Stmt::CompoundStmtClass: {
    bool Leaves = false;
    for (const Stmt *Child : S->children())
      Leaves |= walkStmt(Child);
    return Leaves;
  }
  case Stmt::DeclStmtClass:
    return walkDecl(cast<DeclStmt>(S));
  case Stmt::IfStmtClass:
    return walkIf(cast<IfStmt>(S));
  case Stmt::SwitchStmtClass:
    return walkSwitch(cast<SwitchStmt>(S));
  case Stmt::ForStmtClass:
    return walkFor(cast<ForStmt>(S));
  case Stmt::WhileStmtClass:
    return walkWhile(cast<WhileStmt>(S));
  case Stmt::DoStmtClass: {
    const auto *Do = cast<DoStmt>(S);
    forget(findAssignedVariables(Do->getCond()));
    walkLoop(Do, nullptr, nullptr, Do->getBody(), false);
    walkExpr(Do->getCond());
    forget(findAssignedVariables(Do->getCond()));
    return false;
  }
  case Stmt::ReturnStmtClass:
    ++NumReturns;
    if (const Expr *Value = cast<ReturnStmt>(S)->getRetValue()) {
      walkExpr(Value);
      ReturnValue = build(Value);
    }
    return true;
  case Stmt::BreakStmtClass:
  case Stmt::ContinueStmtClass:
    ++NumLoopExits;
    return true;
  case Stmt::LabelStmtClass: // findJump sees it.
    return walkStmt(cast<LabelStmt>(S)->getSubStmt());
  case Stmt::AttributedStmtClass:
    LoopAttributes = cast<AttributedStmt>(S)->getAttrs();
    return walkStmt(cast<AttributedStmt>(S)->getSubStmt());
  case Stmt::CaseStmtClass:
  case Stmt::DefaultStmtClass:
    HasJump = true; // A label that is not directly in its switch.
    break;
  default:
    break;
  }
  if (const auto *E = dyn_cast<Expr>(S)) {
    walkExpr(E, Use(Use::Discard));
    return false;
  }
  walkOther(S); // asm, range-for, null statements.
  return false;
}

} // namespace cudaopt
