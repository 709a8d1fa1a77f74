// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SharedProgramBuilder.h"
#include "Exits.h"
#include "Induction.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace cudaopt {
namespace {

/// Iterations of a loop of unknown length.
constexpr double UnknownIterations = 64;

/// Looks for calls that matter to copies beside the threads.
class CopyFinder : public DynamicRecursiveASTVisitor {
public:
  explicit CopyFinder(const ASTContext &Context) : Context(Context) {}
  bool VisitCallExpr(CallExpr *Call) override {
    AsyncCopy Copy = classifyAsyncCopy(Call, Context);
    if (Copy != AsyncCopy::None)
      Found.push_back(Copy);
    return true;
  }
  llvm::SmallVector<AsyncCopy, 2> Found;

private:
  const ASTContext &Context;
};

} // namespace

SharedProgramBuilder::SharedProgramBuilder(const Kernel &K,
                                           const KernelInstance &Instance,
                                           ASTContext &Context)
    : Instance(Instance), Context(Context),
      Calls(Context, [](const FunctionDecl *) { return false; }),
      Shared(K, Instance, Calls, P), Pointers(Shared),
      Uses(Instance, Shared, Pointers, P) {}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

void SharedProgramBuilder::refuse(Reason Why, SourceLocation Loc,
                                  std::string Detail) {
  if (!P.Refused)
    P.Refused = Blocker{Why, std::move(Detail), Loc};
}

void SharedProgramBuilder::refuseJumps(const Stmt *Body) {
  if (const Stmt *Jump = findJump(Body))
    refuse(Reason::UnstructuredControl, Jump->getBeginLoc());
}

void SharedProgramBuilder::connect(const Ends &From, StepId To) {
  for (StepId Id : From)
    if (!llvm::is_contained(P.Steps[Id].Successors, To))
      P.Steps[Id].Successors.push_back(To);
}

StepId SharedProgramBuilder::addStep(Step::Kind What, const Stmt *S,
                                     bool InSequence) {
  StepId Id = P.Steps.size();
  Step &New = P.Steps.emplace_back();
  New.What = What;
  New.Statement = S;
  New.LoopDepth = LoopDepth;
  New.Weight = Weight;
  New.MayFollowBarrier =
      InSequence && IsUniform && Stack.size() == 1 && !isa<AttributedStmt>(S);
  connect(Frontier, Id);
  Frontier = {Id};
  return Id;
}

/// The start of a statement with barriers inside: a place for one in front.
void SharedProgramBuilder::addFront(const Stmt *S, bool InSequence) {
  addStep(Step::Kind::Work, S, InSequence);
}

void SharedProgramBuilder::addBarrier(const Stmt *S, bool InSequence) {
  addStep(Step::Kind::Barrier, S, InSequence);
  Uses.OwnWrites.clear();
}

/// A copy that is started here may be awaited by a wait for all that is
/// committed only if a commit stands between.
void SharedProgramBuilder::noteCopies(const Stmt *S, Step &Into) {
  CopyFinder Finder(Context);
  Finder.TraverseStmt(const_cast<Stmt *>(S));
  const bool IsWhole = isa<Expr>(S) && Finder.Found.size() == 1;
  for (AsyncCopy Copy : Finder.Found) {
    if (Copy == AsyncCopy::Issue)
      HasOpenBatch = true;
    else if (Copy == AsyncCopy::Commit && IsWhole && !LoopDepth)
      HasOpenBatch = false;
    else if (IsWhole && (Copy == AsyncCopy::WaitAll ||
                         (Copy == AsyncCopy::WaitCommitted && !HasOpenBatch)))
      Into.WaitsForPending = true;
  }
}

/// True if \p S is `return;`, perhaps behind other statements.
static bool isReturn(const Stmt *S) {
  const auto *Block = dyn_cast_or_null<CompoundStmt>(S);
  if (!Block || Block->body_empty())
    return isa_and_nonnull<ReturnStmt>(S);
  return isa<ReturnStmt>(Block->body_back()) &&
         llvm::none_of(llvm::drop_end(Block->body()), [](const Stmt *Each) {
           return findExits(Each).HasReturn;
         });
}

/// True if the threads that return in \p S, which has no barrier inside, may be
/// some and not all.
bool SharedProgramBuilder::mayReturnAlone(const Stmt *S) const {
  if (!findExits(S).HasReturn)
    return false;
  if (!IsUniform || isa<ReturnStmt>(S))
    return !IsUniform;
  const auto *If = dyn_cast<IfStmt>(S);
  return !If || !If->getCond() || !isReturn(If->getThen()) ||
         findExits(If->getElse()).HasReturn ||
         findExits(If->getCond()).HasReturn ||
         Stack.back()->Control.classify(If->getCond()) != Uniformity::Uniform;
}

void SharedProgramBuilder::connectExits(const Stmt *S, StepId Id) {
  const Exits Out = findExits(S);
  if (Calls.mayEndThread(S))
    connect({Id}, SharedProgram::Exit);
  const bool IsAlone = mayReturnAlone(S);
  // Who returns from a function may come to the end before the others.
  MayPart |= IsAlone;
  P.Steps[Id].MayLeave |=
      Calls.mayLeaveOthers(S) || (IsAlone && Stack.size() == 1);
  SplicedCall &Call = *Stack.back();
  if (Out.HasReturn)
    Call.Returns.push_back(Id);
  if (Out.HasBreak && !Call.Loops.empty())
    Call.Loops.back().Breaks.push_back(Id);
  if (Out.HasContinue && !Call.Loops.empty())
    Call.Loops.back().Continues.push_back(Id);
  if (isa<ReturnStmt, BreakStmt, ContinueStmt>(S))
    Frontier.clear();
}

void SharedProgramBuilder::addWork(const Stmt *S, bool InSequence) {
  StepId Id = addStep(Step::Kind::Work, S, InSequence);
  const Exits Out = findExits(S);
  const bool MayLeave =
      Out.leavesLoop() || Out.HasContinue || Calls.mayEndThread(S);
  noteCopies(S, P.Steps[Id]);
  Uses.collect(S, *Stack.back()->Frame,
               MayLeave ? UseCollector::Order::MayLeave
                        : UseCollector::Order::Known,
               P.Steps[Id]);
  connectExits(S, Id);
}

double SharedProgramBuilder::countIterations(const Stmt *Statement) const {
  for (const Loop &L : Instance.Loops)
    if (L.Statement == Statement)
      if (std::optional<int64_t> Trips = countTrips(Instance, L.Id))
        return std::max<int64_t>(*Trips, 1);
  return UnknownIterations;
}

bool SharedProgramBuilder::judge(const Expr *Condition, Uniformity Exits) {
  Uniformity Found = Exits;
  if (Condition) {
    Uniformity Own = Stack.back()->Control.classify(Condition);
    if (Own == Uniformity::Divergent)
      refuse(Reason::DivergentBarrier, Condition->getExprLoc());
    Found = std::max(Found, Own);
  }
  MayPart |= Found != Uniformity::Uniform;
  P.HasPartialBarriers |= Found != Uniformity::Uniform;
  return Found == Uniformity::Uniform;
}

//===----------------------------------------------------------------------===//
// Statements with barriers
//===----------------------------------------------------------------------===//

void SharedProgramBuilder::walkIf(const IfStmt *If) {
  if (std::optional<const Stmt *> Taken = If->getNondiscardedCase(Context)) {
    if (*Taken)
      walk(*Taken, false);
    return;
  }
  for (const Stmt *S :
       {If->getInit(), (const Stmt *)If->getConditionVariableDeclStmt()})
    if (S)
      walk(S, false);
  if (If->getCond())
    walk(If->getCond(), false);
  llvm::SaveAndRestore<bool> Around(IsUniform);
  IsUniform &= judge(If->getCond(), Uniformity::Uniform);
  const Ends AtCondition = Frontier;
  const auto Own = Uses.OwnWrites;
  walk(If->getThen(), false);
  Ends AfterThen = std::move(Frontier);
  Frontier = AtCondition;
  Uses.OwnWrites = Own;
  if (If->getElse())
    walk(If->getElse(), false);
  llvm::append_range(Frontier, AfterThen);
  Uses.OwnWrites.clear();
}

void SharedProgramBuilder::enterLoop(const Stmt *Loop, const Expr *Condition) {
  IsUniform &= judge(Condition, Stack.back()->Control.classifyExits(Loop));
  Stack.back()->Loops.emplace_back();
  Uses.OwnWrites.clear();
  Uses.pushLoop(Loop);
  ++LoopDepth;
  Weight *= countIterations(Loop);
}

void SharedProgramBuilder::leaveLoop(const Stmt *Loop, Ends After) {
  Frontier = std::move(After);
  llvm::append_range(Frontier, Stack.back()->Loops.pop_back_val().Breaks);
  Uses.OwnWrites.clear();
  Uses.popLoop(Loop);
  --LoopDepth;
}

void SharedProgramBuilder::walkBody(const Stmt *Loop, const Stmt *Body,
                                    const Expr *Inc, StepId Head) {
  walk(Body, false);
  llvm::append_range(Frontier, Stack.back()->Loops.back().Continues);
  if (Inc) {
    Uses.OwnWrites.clear();
    walk(Inc, false);
  }
  connect(Frontier, Head);
}

void SharedProgramBuilder::walkFor(const ForStmt *For) {
  llvm::SaveAndRestore<bool> Around(IsUniform);
  llvm::SaveAndRestore<double> Before(Weight);
  if (For->getInit())
    walk(For->getInit(), false);
  enterLoop(For, For->getCond());
  StepId Head = addStep(Step::Kind::Work, For, false);
  if (For->getConditionVariableDeclStmt())
    walk(For->getConditionVariableDeclStmt(), false);
  if (For->getCond())
    walk(For->getCond(), false);
  const Ends AtTest = Frontier;
  walkBody(For, For->getBody(), For->getInc(), Head);
  leaveLoop(For, For->getCond() ? AtTest : Ends());
}

void SharedProgramBuilder::walkWhile(const WhileStmt *While) {
  llvm::SaveAndRestore<bool> Around(IsUniform);
  llvm::SaveAndRestore<double> Before(Weight);
  enterLoop(While, While->getCond());
  StepId Head = addStep(Step::Kind::Work, While, false);
  if (While->getConditionVariableDeclStmt())
    walk(While->getConditionVariableDeclStmt(), false);
  walk(While->getCond(), false);
  const Ends AtTest = Frontier;
  walkBody(While, While->getBody(), nullptr, Head);
  leaveLoop(While, AtTest);
}

void SharedProgramBuilder::walkDo(const DoStmt *Do) {
  llvm::SaveAndRestore<bool> Around(IsUniform);
  llvm::SaveAndRestore<double> Before(Weight);
  enterLoop(Do, Do->getCond());
  StepId Head = addStep(Step::Kind::Work, Do, false);
  walkBody(Do, Do->getBody(), Do->getCond(), Head);
  leaveLoop(Do, Frontier);
}

void SharedProgramBuilder::walkRange(const CXXForRangeStmt *Range) {
  llvm::SaveAndRestore<bool> Around(IsUniform);
  llvm::SaveAndRestore<double> Before(Weight);
  for (const Stmt *S :
       {Range->getInit(), (const Stmt *)Range->getRangeStmt(),
        (const Stmt *)Range->getBeginStmt(), (const Stmt *)Range->getEndStmt()})
    if (S)
      walk(S, false);
  enterLoop(Range, Range->getCond());
  StepId Head = addStep(Step::Kind::Work, Range, false);
  walk(Range->getCond(), false);
  const Ends AtTest = Frontier;
  walk(Range->getLoopVarStmt(), false);
  walkBody(Range, Range->getBody(), Range->getInc(), Head);
  leaveLoop(Range, AtTest);
}

void SharedProgramBuilder::walkDecl(const DeclStmt *Declaration,
                                    bool InSequence) {
  for (const Decl *D : Declaration->decls())
    if (const auto *Var = dyn_cast<VarDecl>(D); Var && Var->hasInit()) {
      walkPoints(Var->getInit(), Declaration, InSequence);
      InSequence = false;
    }
}

void SharedProgramBuilder::walk(const Stmt *S, bool InSequence) {
  if (!S || Frontier.empty() || P.Refused)
    return;
  if (!Shared.hasBarrier(S))
    return addWork(S, InSequence);
  if (const auto *E = dyn_cast<Expr>(S))
    return walkExpr(E, S, InSequence);
  if (isa<CompoundStmt>(S)) {
    for (const Stmt *Child : S->children())
      walk(Child, true);
    return;
  }
  if (const auto *Declaration = dyn_cast<DeclStmt>(S))
    return walkDecl(Declaration, InSequence);
  if (const auto *Attributed = dyn_cast<AttributedStmt>(S))
    return walk(Attributed->getSubStmt(), false);
  if (const auto *Asm = dyn_cast<AsmStmt>(S))
    return addBarrier(Asm, InSequence);
  if (const auto *Return = dyn_cast<ReturnStmt>(S)) {
    walkPoints(Return->getRetValue(), Return, InSequence);
    llvm::append_range(Stack.back()->Returns, Frontier);
    return Frontier.clear();
  }
  addFront(S, InSequence);
  if (const auto *If = dyn_cast<IfStmt>(S))
    return walkIf(If);
  if (const auto *For = dyn_cast<ForStmt>(S))
    return walkFor(For);
  if (const auto *While = dyn_cast<WhileStmt>(S))
    return walkWhile(While);
  if (const auto *Do = dyn_cast<DoStmt>(S))
    return walkDo(Do);
  if (const auto *Range = dyn_cast<CXXForRangeStmt>(S))
    return walkRange(Range);
  if (isa<SwitchStmt>(S))
    return refuse(Reason::BarrierInSwitch, S->getBeginLoc());
  refuse(Reason::BarrierElsewhere, S->getBeginLoc(), S->getStmtClassName());
}

SharedProgram SharedProgramBuilder::build() {
  P.Instance = &Instance;
  P.Steps.resize(2);
  P.Steps[SharedProgram::Entry].What = Step::Kind::Entry;
  P.Steps[SharedProgram::Exit].What = Step::Kind::Exit;
  const Stmt *Body = Instance.Decl->getBody();
  CallFrame Frame = Pointers.enterKernel(Instance.Decl);
  SplicedCall Kernel{&Frame, UniformControl(Instance.Decl, Context), {}, {}};
  Stack.push_back(&Kernel);
  Frontier = {SharedProgram::Entry};
  refuseJumps(Body);
  for (const Stmt *S : Body->children())
    walk(S, true);
  for (StepId Id : Frontier)
    P.Steps[Id].MayLeave |= MayPart;
  connect(Frontier, SharedProgram::Exit);
  connect(Kernel.Returns, SharedProgram::Exit);
  return std::move(P);
}

SharedProgram buildSharedProgram(const Kernel &K,
                                 const KernelInstance &Instance,
                                 ASTContext &Context) {
  return SharedProgramBuilder(K, Instance, Context).build();
}

} // namespace cudaopt
