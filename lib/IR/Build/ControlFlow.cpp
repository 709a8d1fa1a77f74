// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The blocks of a function, from those of its clang::CFG.
///
/// The graph holds every expression as an element, in the order in which it is
/// evaluated. What it does not hold is lowered on demand: parentheses, default
/// arguments, and expressions that join ways, whose value depends on the way.
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "clang/AST/Attr.h"
#include "clang/Analysis/Analyses/PostOrderCFGView.h"
#include "clang/Basic/Builtins.h"

using namespace cudaopt::ir;
using namespace llvm;

Lowering::Lowering(clang::ASTContext &Context, const BuildOptions &Options,
                   const clang::FunctionDecl *D)
    : Context(Context), Options(Options), Decl(D), Builder(D, Context) {}

static std::unique_ptr<clang::CFG> makeGraph(const clang::FunctionDecl *D,
                                             clang::ASTContext &Context) {
  clang::CFG::BuildOptions Wanted;
  Wanted.setAllAlwaysAdd();
  Wanted.PruneTriviallyFalseEdges = false; // Folded later, and known then.
  Wanted.AddImplicitDtors = true;
  Wanted.AddTemporaryDtors = true;
  Wanted.AddInitializers = true;
  Wanted.AddStaticInitBranches = true;
  Wanted.AssumeReachableDefaultInSwitchStatements = true;
  return clang::CFG::buildCFG(D, D->getBody(), &Context, Wanted);
}

/// The variables that a lambda's call operator finds in its closure.
static DenseMap<const clang::ValueDecl *, clang::FieldDecl *>
findCaptures(const clang::FunctionDecl *D) {
  DenseMap<const clang::ValueDecl *, clang::FieldDecl *> Fields;
  const auto *Method = dyn_cast<clang::CXXMethodDecl>(D);
  if (!Method || !Method->getParent()->isLambda())
    return Fields;
  DenseMap<const clang::ValueDecl *, clang::FieldDecl *> Found;
  clang::FieldDecl *This = nullptr;
  Method->getParent()->getCaptureFields(Found, This);
  if (This)
    Found[nullptr] = This;
  return Found;
}

std::unique_ptr<Function> Lowering::run() {
  Frame F;
  F.Callee = Decl;
  Block *Entry = Here = Builder.addBlock();
  Now = &F;
  setParameters(F);
  if (!Decl->getReturnType()->isVoidType() && isScalar(Decl->getReturnType()))
    F.Returned = temporary(Decl->getBody(), Decl->getReturnType());
  F.Captures = findCaptures(Decl);
  adoptCaptures(F);
  if (!lowerBody(F) || ReturnsTwice)
    return nullptr;
  return Builder.finish(Entry);
}

/// \p Start and what it reaches in \p Graph, in reverse post-order, without
/// what is in \p Seen, which grows.
static std::vector<const clang::CFGBlock *>
listReached(const clang::CFGBlock *Start,
            SmallPtrSetImpl<const clang::CFGBlock *> &Seen) {
  std::vector<const clang::CFGBlock *> Order;
  std::vector<
      std::pair<const clang::CFGBlock *, clang::CFGBlock::const_succ_iterator>>
      Stack;
  const auto Enter = [&](const clang::CFGBlock *B) {
    if (B && Seen.insert(B).second)
      Stack.push_back({B, B->succ_begin()});
  };
  Enter(Start);
  while (!Stack.empty()) {
    auto &[B, Next] = Stack.back();
    if (Next == B->succ_end()) {
      Order.push_back(B);
      Stack.pop_back();
    } else {
      Enter((Next++)->getReachableBlock());
    }
  }
  std::reverse(Order.begin(), Order.end());
  return Order;
}

/// The operand that \p S names and does not evaluate, though the graph has it.
static const clang::Stmt *unevaluatedOperand(const clang::Stmt *S) {
  if (const auto *Noexcept = dyn_cast<clang::CXXNoexceptExpr>(S))
    return Noexcept->getOperand();
  if (const auto *Typeid = dyn_cast<clang::CXXTypeidExpr>(S))
    return Typeid->isTypeOperand() || Typeid->isPotentiallyEvaluated()
               ? nullptr
               : Typeid->getExprOperand();
  if (const auto *Selection = dyn_cast<clang::GenericSelectionExpr>(S))
    return Selection->isExprPredicate() ? Selection->getControllingExpr()
                                        : nullptr;
  if (const auto *Trait = dyn_cast<clang::UnaryExprOrTypeTraitExpr>(S))
    return Trait->isArgumentType() ? nullptr : Trait->getArgumentExpr();
  return nullptr;
}

static void addAll(const clang::Stmt *S,
                   SmallPtrSetImpl<const clang::Stmt *> &Found) {
  if (!S || !Found.insert(S).second)
    return;
  for (const clang::Stmt *Child : S->children())
    addAll(Child, Found);
}

/// Lowers the body of \p F behind Here. False, and nothing is lowered, if clang
/// cannot make its graph.
bool Lowering::lowerBody(Frame &F) {
  F.Graph = makeGraph(F.Callee, Context);
  if (!F.Graph)
    return false;
  Frame *Outer = std::exchange(Now, &F);
  F.Captures = findCaptures(F.Callee);
  std::vector<const clang::CFGBlock *> Order;
  for (const clang::CFGBlock *B : clang::PostOrderCFGView(F.Graph.get()))
    Order.push_back(B);
  F.Tries = findTries(*F.Graph);
  SmallPtrSet<const clang::CFGBlock *, 16> Seen(Order.begin(), Order.end());
  for (const Try &T : F.Tries)
    append_range(Order, listReached(T.Handlers, Seen));
  for (const clang::CFGBlock *B : Order)
    F.Starts[B] = Builder.addBlock();
  findPerElement(F);
  placeResults(F);
  for (const clang::CFGBlock *B : *F.Graph)
    for (const clang::CFGElement &E : *B)
      if (const auto S = E.getAs<clang::CFGStmt>())
        addAll(unevaluatedOperand(S->getStmt()), F.Unevaluated);
  Builder.jump(Here, F.Starts.lookup(&F.Graph->getEntry()));
  for (const clang::CFGBlock *B : Order)
    lowerBlock(*B);
  Now = Outer;
  return true;
}

void Lowering::lowerBlock(const clang::CFGBlock &B) {
  Here = Now->Starts.lookup(&B);
  if (&B == &Now->Graph->getExit())
    return leaveFrame(nullptr);
  lowerHandlers(B);
  for (const clang::CFGElement &E : B)
    lowerElement(E);
  Now->Ends[Here] = &B;
  if (B.getLoopTarget())
    Here->ClosedLoop = anchor(B.getLoopTarget());
  lowerTerminator(B);
}

void Lowering::lowerElement(const clang::CFGElement &E) {
  if (std::optional<clang::CFGStmt> S = E.getAs<clang::CFGStmt>()) {
    const clang::Stmt *Each = S->getStmt();
    enterTries(Each);
    // What initialises a member by default is lowered for each object.
    if (!Now->Unevaluated.contains(Each) && !Now->Values.contains(Each) &&
        !Now->PerElement.contains(Each) &&
        !isa<clang::CXXDefaultInitExpr>(Each)) {
      const ValueId V = get(Each);
      const auto *Arm = dyn_cast<clang::Expr>(Each);
      if (Arm && Now->ReadArms.contains(Arm) && !Now->Loaded.contains(Arm))
        Now->Loaded[Arm] = load(Arm, V, Arm->getType());
    }
  } else if (std::optional<clang::CFGInitializer> I =
                 E.getAs<clang::CFGInitializer>()) {
    lowerInitializer(I->getInitializer());
  } else if (std::optional<clang::CFGImplicitDtor> D =
                 E.getAs<clang::CFGImplicitDtor>()) {
    lowerDestructor(*D);
  } else if (std::optional<clang::CFGCleanupFunction> C =
                 E.getAs<clang::CFGCleanupFunction>()) {
    Operation O;
    O.Why = C->getFunctionDecl()->getNameAsString();
    O.Operands.push_back(addressOf(C->getVarDecl()));
    appendOpaque(std::move(O));
  }
}

/// From the end of a function: of the kernel, or back to the caller.
void Lowering::leaveFrame(const clang::Stmt *At) {
  if (Now->Return)
    return Builder.jump(Here, Now->Return);
  const ValueId Returned =
      Now->Returned ? load(nullptr, Now->Returned, Decl->getReturnType()) : 0;
  Builder.leave(Here, Returned, anchor(At));
}

void Lowering::lowerReturn(const clang::ReturnStmt *S) {
  const clang::Expr *Returned = S->getRetValue();
  if (!Returned)
    return;
  const ValueId V = get(Returned);
  if (Now->Returned && V && !Returned->getType()->isVoidType())
    initialize(Now->Returned, Now->Callee->getReturnType(), Returned);
}

/// The successors that control can reach.
SmallVector<const clang::CFGBlock *, 2>
Lowering::successorsOf(const clang::CFGBlock &B) const {
  SmallVector<const clang::CFGBlock *, 2> Result;
  for (const clang::CFGBlock::AdjacentBlock &Next : B.succs()) {
    const clang::CFGBlock *To = Next.getReachableBlock();
    if (!To)
      To = Next.getPossiblyUnreachableBlock();
    if (To && Now->Starts.contains(To)) // `for (;;)` has no way out.
      Result.push_back(To);
  }
  return Result;
}

/// True if the program has no meaning that comes to the end of \p B.
static bool isNeverPassed(const clang::CFGBlock &B) {
  return any_of(B, [](const clang::CFGElement &Each) {
    const std::optional<clang::CFGStmt> S = Each.getAs<clang::CFGStmt>();
    const auto *Call = S ? dyn_cast<clang::CallExpr>(S->getStmt()) : nullptr;
    return Call &&
           Call->getBuiltinCallee() == clang::Builtin::BI__builtin_unreachable;
  });
}

/// The statement at the end of \p B, behind which only lifetimes end.
static const clang::ReturnStmt *findReturn(const clang::CFGBlock &B) {
  for (const clang::CFGElement &Each : reverse(B))
    if (const auto S = Each.getAs<clang::CFGStmt>())
      return dyn_cast<clang::ReturnStmt>(S->getStmt());
  return nullptr;
}

void Lowering::lowerTerminator(const clang::CFGBlock &B) {
  const auto Next = successorsOf(B);
  const clang::Stmt *Terminator = B.getTerminatorStmt();
  if (isNeverPassed(B)) { // A loop without a way out leads nowhere, too.
    Block *Never = Builder.addBlock();
    Builder.jump(Here, Never);
    return Builder.jump(Never, Never);
  }
  if (B.hasNoReturnElement() || Next.empty())
    return Builder.leave(Here, 0, anchor(Terminator));
  if (const clang::ReturnStmt *Return = findReturn(B);
      Return && !Now->Return && Next[0] == &Now->Graph->getExit())
    return leaveFrame(Return);
  if (isa_and_nonnull<clang::SwitchStmt>(Terminator))
    return lowerSwitch(B, Terminator);
  if (isa_and_nonnull<clang::GCCAsmStmt>(Terminator)) { // asm goto
    opaque(Terminator, "asm");
    Now->Ends[Here] = &B;
  }
  if (const auto *D = dyn_cast_or_null<clang::DeclStmt>(Terminator);
      D && Next.size() == 2)
    return lowerGuard(D, Now->Starts.lookup(Next[0]),
                      Now->Starts.lookup(Next[1]));
  if (Next.size() == 1)
    return Builder.jump(Here, Now->Starts.lookup(Next[0]));
  if (const auto *If = dyn_cast_or_null<clang::IfStmt>(Terminator);
      If && If->isConsteval()) // Nothing here is a constant evaluation.
    return Builder.jump(
        Here, Now->Starts.lookup(Next[If->isNegatedConsteval() ? 0 : 1]));
  const clang::Expr *Condition = B.getLastCondition();
  const bool IsKnown = Next.size() == 2 && Condition &&
                       B.getTerminator().isStmtBranch() &&
                       !isa<clang::GCCAsmStmt>(Terminator);
  if (IsKnown) {
    const ValueId V = Builder.convert(get(Condition), Type::boolean());
    if (isa<clang::ForStmt, clang::WhileStmt, clang::CXXForRangeStmt>(
            Terminator))
      Here->TestedLoop = Terminator;
    return Builder.branch(Here, V, Now->Starts.lookup(Next[0]),
                          Now->Starts.lookup(Next[1]), anchor(Condition));
  }
  // Computed goto, and what else goes several ways: any of them.
  SmallVector<std::pair<Block *, std::optional<Block::CaseRange>>, 4> Targets;
  for (const clang::CFGBlock *To : Next)
    Targets.push_back({Now->Starts.lookup(To), std::nullopt});
  Builder.switchOver(Here, Builder.undefined(Type::integer(false, 32)), Targets,
                     anchor(Terminator));
}

/// What a static variable is initialised with runs once, if it runs at all.
void Lowering::lowerGuard(const clang::DeclStmt *S, Block *Behind,
                          Block *Initialises) {
  const auto *D = cast<clang::VarDecl>(S->getSingleDecl());
  if (!D->getInit() || D->hasConstantInitialization() ||
      D->hasAttr<clang::CUDASharedAttr>())
    return Builder.jump(Here, Behind);
  const ValueId IsDone =
      load(nullptr, Builder.address(guardOf(D)), Context.BoolTy);
  Builder.branch(Here, IsDone, Behind, Initialises, anchor(S));
}

void Lowering::lowerSwitch(const clang::CFGBlock &B,
                           const clang::Stmt *Terminator) {
  const auto *Switch = cast<clang::SwitchStmt>(Terminator);
  SmallVector<std::pair<Block *, std::optional<Block::CaseRange>>, 4> Targets;
  for (const clang::CFGBlock *To : successorsOf(B)) {
    std::optional<Block::CaseRange> Range;
    // The label of a switch around this one may be where its default goes.
    const auto *Case = dyn_cast_or_null<clang::CaseStmt>(To->getLabel());
    bool IsOwn = false;
    for (const clang::SwitchCase *Own = Switch->getSwitchCaseList(); Own;
         Own = Own->getNextSwitchCase())
      IsOwn |= Own == Case;
    if (Case && IsOwn) {
      const APSInt First = Case->getLHS()->EvaluateKnownConstInt(Context);
      const clang::Expr *Last = Case->getRHS();
      Range = {First, Last ? Last->EvaluateKnownConstInt(Context) : First};
    }
    Targets.push_back({Now->Starts.lookup(To), Range});
  }
  // The graph has the default last, and the cases backwards.
  std::reverse(Targets.begin(), std::prev(Targets.end()));
  Builder.switchOver(Here, get(Switch->getCond()), Targets,
                     anchor(Switch->getCond()));
}

//===----------------------------------------------------------------------===//
// Expressions that join ways
//===----------------------------------------------------------------------===//

ValueId Lowering::join(const clang::Expr *E,
                       function_ref<ValueId(const clang::CFGBlock &)> Find) {
  Block *Start = nullptr;
  for (const auto &[Clang, Ours] : Now->Starts)
    if (Ours == Here && !IsDetached)
      Start = Ours;
  if (!Start) // Something before E in its block has ended the block.
    return opaque(E, "ways that join");
  SmallVector<ValueId, 4> Incoming;
  for (const Block *Before : Start->Predecessors) {
    const clang::CFGBlock *From = Now->Ends.lookup(Before);
    const ValueId V = From ? Find(*From) : 0;
    if (!V)
      return opaque(E, "ways that join");
    Incoming.push_back(V);
  }
  if (Incoming.empty())
    return opaque(E, "ways that join");
  if (all_equal(Incoming))
    return Incoming[0];
  const ValueId Phi = Builder.phi(Start, Builder.value(Incoming[0]).Ty);
  for (ValueId V : Incoming)
    Builder.addOperand(Phi, V);
  return Phi;
}

/// `a && b` as a value: a way that leaves early brings what it was left with.
ValueId Lowering::lowerLogical(const clang::BinaryOperator *E) {
  const clang::Expr *Last = E;
  for (const auto *B = E; B && B->isLogicalOp();
       B = dyn_cast<clang::BinaryOperator>(Last))
    Last = B->getRHS()->IgnoreParens();
  return join(E, [&](const clang::CFGBlock &From) -> ValueId {
    const auto Next = successorsOf(From);
    if (Next.size() == 1)
      return Builder.convert(get(Last), Type::boolean());
    if (Next.size() != 2 || Next[0] == Next[1])
      return 0;
    const bool IfTrue = Now->Starts.lookup(Next[0]) == Here;
    return Builder.literal(IfTrue ? 1 : 0, Type::boolean());
  });
}

ValueId
Lowering::lowerConditional(const clang::AbstractConditionalOperator *E) {
  if (E->getType()->isVoidType())
    return 0;
  const clang::Expr *Arms[] = {E->getTrueExpr()->IgnoreParens(),
                               E->getFalseExpr()->IgnoreParens()};
  const bool IsRead = all_of(
      Arms, [&](const clang::Expr *Arm) { return Now->Loaded.contains(Arm); });
  const ValueId V = join(E, [&](const clang::CFGBlock &From) -> ValueId {
    for (const clang::Expr *Arm : Arms)
      for (const clang::CFGElement &Each : From)
        if (std::optional<clang::CFGStmt> S = Each.getAs<clang::CFGStmt>())
          if (S->getStmt() == Arm)
            return IsRead ? Now->Loaded.lookup(Arm) : get(Arm);
    // `a ?: b` is what its condition was, converted.
    const bool IsCondition =
        isa<clang::BinaryConditionalOperator>(E) && isScalar(E->getType()) &&
        isa<clang::OpaqueValueExpr>(Arms[0]->IgnoreParenImpCasts()) &&
        successorsOf(From).size() == 2;
    return IsCondition ? get(Arms[0]) : 0;
  });
  if (!IsRead || Builder.value(V).Ty == Type::pointer())
    return V;
  Now->Loaded[E] = V;
  return Builder.undefined(Type::pointer());
}
