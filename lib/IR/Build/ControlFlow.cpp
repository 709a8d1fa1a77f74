// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Lowers the blocks of a clang::CFG and the edges between them.
///
/// The graph holds every expression as an element, in the order of evaluation.
/// What it does not hold is lowered on demand (get()): parentheses, default
/// arguments, and the values of `a && b` and `a ? b : c`, which depend on the
/// edge by which their block is reached and so become phis.
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
  // Promotion folds branches, and records the launches that it drops.
  Wanted.PruneTriviallyFalseEdges = false;
  Wanted.AddImplicitDtors = true;
  Wanted.AddTemporaryDtors = true;
  Wanted.AddInitializers = true;
  Wanted.AddStaticInitBranches = true;
  Wanted.AssumeReachableDefaultInSwitchStatements = true;
  return clang::CFG::buildCFG(D, D->getBody(), &Context, Wanted);
}

/// Returns the field of the closure for each variable that \p D captures; null
/// stands for `this`. Empty if \p D is no lambda's call operator.
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

/// Returns \p Start and the blocks that it reaches, in reverse post-order,
/// except for those in \p Seen; adds them to \p Seen.
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

/// Returns the operand of \p S that is not evaluated although the graph has it,
/// as that of `noexcept`; null if there is none.
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

/// Adds \p S and everything below it to \p Found.
static void addAll(const clang::Stmt *S,
                   SmallPtrSetImpl<const clang::Stmt *> &Found) {
  if (!S || !Found.insert(S).second)
    return;
  for (const clang::Stmt *Child : S->children())
    addAll(Child, Found);
}

/// Lowers the body of \p F, beginning at Here. Returns false, and lowers
/// nothing, if clang cannot make its graph.
bool Lowering::lowerBody(Frame &F) {
  F.Graph = makeGraph(F.Callee, Context);
  if (!F.Graph)
    return false;
  Frame *Outer = std::exchange(Now, &F);
  F.Captures = findCaptures(F.Callee);
  std::vector<const clang::CFGBlock *> Order;
  for (const clang::CFGBlock *B : clang::PostOrderCFGView(F.Graph.get()))
    Order.push_back(B);
  // Handlers are reached by no edge of the graph, and come after all else.
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

/// Lowers one block of the graph. It may become several blocks of the IR, since
/// barriers, spliced calls and operations that may leave end a block.
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
    // Default member initialisers are lowered for each object instead.
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

/// Leaves the frame: jumps back to the caller of a spliced function, or ends
/// the function itself.
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

/// Returns the successors of \p B that are lowered. Edges that clang thinks
/// unreachable are included: only promotion folds branches.
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

/// Returns true if control never gets to the end of \p B in a program with
/// defined behaviour, since `__builtin_unreachable()` is called there.
static bool isNeverPassed(const clang::CFGBlock &B) {
  return any_of(B, [](const clang::CFGElement &Each) {
    const std::optional<clang::CFGStmt> S = Each.getAs<clang::CFGStmt>();
    const auto *Call = S ? dyn_cast<clang::CallExpr>(S->getStmt()) : nullptr;
    return Call &&
           Call->getBuiltinCallee() == clang::Builtin::BI__builtin_unreachable;
  });
}

/// Returns the `return` statement that ends \p B, if one does; behind it there
/// may only be destructors.
static const clang::ReturnStmt *findReturn(const clang::CFGBlock &B) {
  for (const clang::CFGElement &Each : reverse(B))
    if (const auto S = Each.getAs<clang::CFGStmt>())
      return dyn_cast<clang::ReturnStmt>(S->getStmt());
  return nullptr;
}

void Lowering::lowerTerminator(const clang::CFGBlock &B) {
  const auto Next = successorsOf(B);
  const clang::Stmt *Terminator = B.getTerminatorStmt();
  // An endless loop stands for "control never goes on from here".
  if (isNeverPassed(B)) {
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
  // A computed goto, or another terminator with several successors: control may
  // go to any of them.
  SmallVector<std::pair<Block *, std::optional<Block::CaseRange>>, 4> Targets;
  for (const clang::CFGBlock *To : Next)
    Targets.push_back({Now->Starts.lookup(To), std::nullopt});
  Builder.switchOver(Here, Builder.undefined(Type::integer(false, 32)), Targets,
                     anchor(Terminator));
}

/// Lowers the branch around the initialisation of a static variable, which is
/// executed once: on a guard, unless the initialiser is constant.
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
    // The target of the default may carry a label of an outer switch.
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
  // The graph has the cases in reverse order, and the default last.
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
  // A phi must stand at the beginning of the block where the paths join. If
  // something in front of E has ended that block already, it is too late.
  if (!Start)
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

/// Lowers `a && b` and `a || b` as values. In a nest such as `a && b && c`, an
/// edge that skips operands brings true or false, by whether it is the true
/// edge; the edge from the last operand brings that operand's value.
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
