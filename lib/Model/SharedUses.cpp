// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SharedUses.h"
#include "ArrayViews.h"

#include "clang/AST/ASTContext.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace cudaopt {

UseCollector::UseCollector(const KernelInstance &Instance,
                           const SharedVariables &Shared,
                           const PointerTargets &Pointers, SharedProgram &P)
    : Instance(Instance), Shared(Shared), Pointers(Pointers), P(P),
      Counter(Instance) {
  for (const Access &A : Instance.Accesses)
    ByRef[A.Ref].push_back(&A);
}

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

SharedUse UseCollector::makeUse(VariableId Id, SourceLocation Loc) const {
  SharedUse U;
  U.Variable = Id;
  U.Loc = Loc;
  U.IsPending = IsPending;
  const unsigned Size = P.Variables[Id].numElements();
  U.May.resize(Size);
  U.Must.resize(Size);
  U.Exposed.resize(Size);
  return U;
}

void UseCollector::use(VariableId Id, bool Reads, bool Writes,
                       SourceLocation Loc) {
  SharedUse U = makeUse(Id, Loc);
  U.Reads = Reads;
  U.Writes = Writes;
  U.May.set();
  if (Reads)
    U.Exposed.set();
  // The same again says nothing new.
  for (const SharedUse &Known : Target->Uses)
    if (Known.Variable == Id && Known.Reads >= Reads &&
        Known.Writes >= Writes && Known.IsPending == IsPending &&
        Known.May.all() && (!Reads || Known.Exposed.all()))
      return;
  Target->Uses.push_back(std::move(U));
}

void UseCollector::use(const TargetSet &Targets, SourceLocation Loc) {
  for (unsigned Id : Targets.set_bits())
    use(Id, true, true, Loc);
}

bool UseCollector::isOwn(const Access &A) const {
  return !A.isOpaque() && llvm::any_of(OwnWrites, [&](const OwnWrite &W) {
    return W.Array == A.Array && W.Chunk == A.Chunk &&
           llvm::equal(W.Index, A.Index);
  });
}

/// \p Pieces are what one reference does to one array.
void UseCollector::useElements(llvm::ArrayRef<const Access *> Pieces,
                               bool IsAssigned) {
  std::optional<VariableId> Id;
  for (VariableId Each = 0; Each != P.Variables.size(); ++Each)
    if (P.Variables[Each].Array == Pieces.front()->Array)
      Id = Each;
  if (!Id)
    return;
  // Of several calls of one function, each has its own access; which is this
  // one's is not known.
  const bool IsOnly = llvm::all_of(Pieces, [&](const Access *A) {
    return llvm::count_if(Pieces, [&](const Access *B) {
             return A->Kind == B->Kind && A->Offset == B->Offset;
           }) == 1;
  });
  for (AccessKind Kind :
       {AccessKind::Atomic, AccessKind::Read, AccessKind::Write}) {
    Accesses Group;
    for (const Access *A : Pieces)
      if (A->Kind == Kind)
        Group.push_back(A);
    if (Group.empty())
      continue;
    const Access &A = *Group.front();
    SharedUse U = makeUse(*Id, A.Ref->getExprLoc());
    U.Reads = Kind != AccessKind::Write;
    U.Writes = Kind != AccessKind::Read;
    unsigned Bytes = 0;
    if (IsOnly) {
      TouchedElements Touched =
          Counter.find(Group, Outer, Conditions + ExprConditions == 0);
      U.May = std::move(Touched.May);
      if (Kind == AccessKind::Write && IsAssigned && How == Order::Known)
        U.Must = std::move(Touched.Must);
      for (const Access *Piece : Group)
        Bytes += Piece->Width;
    } else {
      for (const Access *Each : Group)
        U.May |= Counter.find(Each, Outer, false).May;
    }
    if (U.Reads && !(IsOnly && How != Order::Unknown &&
                     Kind == AccessKind::Read && isOwn(A)))
      U.Exposed = U.May;
    if (Kind == AccessKind::Write && IsAssigned && IsOnly && !A.isOpaque() &&
        !ExprConditions &&
        Bytes == Instance.Shapes[A.Array].ElementSize * A.Chunk)
      NewWrites.push_back({A.Array, A.Chunk, A.Index});
    Target->Uses.push_back(std::move(U));
  }
}

//===----------------------------------------------------------------------===//
// References
//===----------------------------------------------------------------------===//

/// The accesses of the model that \p Ref makes in this call; none if the model
/// does not tell.
UseCollector::Accesses UseCollector::findAccesses(const Expr *Ref) const {
  auto It = ByRef.find(Ref);
  if (It == ByRef.end() || IsInLambda || !Frame->IsModelled)
    return {};
  llvm::SmallVector<const Expr *, 4> Subscripts;
  const Expr *Base = takeSubscripts(Ref, Subscripts);
  Accesses Result;
  std::optional<VariableId> Whole;
  if (Base)
    Whole = Pointers.findWhole(Base, *Frame);
  for (const Access *A : It->second) {
    // A pointer to a row is the kernel's own.
    if (!Whole && (!A->IsThroughRowPointer || Frame->Caller))
      return {};
    if (!Whole || P.Variables[*Whole].Array == A->Array)
      Result.push_back(A);
  }
  return Result;
}

/// Handles \p E if it is an element that the model knows, or a part of one.
bool UseCollector::visitElement(const Expr *E, bool IsAssigned) {
  const Expr *Ref = E->IgnoreParens();
  while (const auto *Member = dyn_cast<MemberExpr>(Ref)) {
    if (Member->isArrow())
      return false;
    Ref = Member->getBase()->IgnoreParenNoopCasts(Shared.context());
  }
  Accesses Found = findAccesses(Ref);
  if (Found.empty())
    return false;
  while (const auto *Sub = dyn_cast<ArraySubscriptExpr>(Ref)) {
    visitExpr(Sub->getIdx());
    Ref = Sub->getBase()->IgnoreParenImpCasts();
  }
  useElements(Found, IsAssigned);
  return true;
}

bool UseCollector::isPlainAccess(const Expr *Argument) const {
  const Expr *E = Argument->IgnoreParenImpCasts();
  if (const auto *Op = dyn_cast<UnaryOperator>(E);
      Op && Op->getOpcode() == UO_AddrOf)
    E = Op->getSubExpr()->IgnoreParens();
  return !findAccesses(E).empty();
}

/// Handles `n` and `n = ...` of a scalar.
bool UseCollector::visitScalar(const Expr *E) {
  if (const auto *Cast = dyn_cast<CastExpr>(E);
      Cast && Cast->getCastKind() == CK_LValueToRValue) {
    const auto *Ref = dyn_cast<DeclRefExpr>(Cast->getSubExpr()->IgnoreParens());
    std::optional<VariableId> Id;
    if (Ref)
      Id = Shared.find(Ref->getDecl());
    if (Id)
      use(*Id, true, false, Ref->getLocation());
    return Id.has_value();
  }
  const auto *Op = dyn_cast<BinaryOperator>(E);
  if (!Op || Op->getOpcode() != BO_Assign)
    return false;
  const auto *Ref = dyn_cast<DeclRefExpr>(Op->getLHS()->IgnoreParens());
  std::optional<VariableId> Id;
  if (Ref)
    Id = Shared.find(Ref->getDecl());
  if (!Id)
    return false;
  visitExpr(Op->getRHS());
  SharedUse U = makeUse(*Id, Ref->getLocation());
  U.Writes = true;
  U.May.set();
  if (How == Order::Known && !Conditions && !ExprConditions && !InnerLoops)
    U.Must.set();
  Target->Uses.push_back(std::move(U));
  return true;
}

void UseCollector::visitPlace(const Expr *Place) {
  const Expr *E = Place->IgnoreParens();
  if (isa<DeclRefExpr, CXXThisExpr>(E))
    return;
  if (const auto *Cast = dyn_cast<CastExpr>(E);
      Cast && Cast->isGLValue() && Cast->getSubExpr()->isGLValue())
    return visitPlace(Cast->getSubExpr());
  if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E)) {
    visitAddress(Sub->getBase());
    return visitExpr(Sub->getIdx());
  }
  if (const auto *Member = dyn_cast<MemberExpr>(E))
    return Member->isArrow() ? visitAddress(Member->getBase())
                             : visitPlace(Member->getBase());
  if (const auto *Op = dyn_cast<UnaryOperator>(E);
      Op && Op->getOpcode() == UO_Deref)
    return visitAddress(Op->getSubExpr());
  visitExpr(E);
}

void UseCollector::visitAddress(const Expr *Address) {
  const Expr *E = Address->IgnoreParens();
  if (isa<CXXThisExpr>(E))
    return;
  if (const auto *Cast = dyn_cast<CastExpr>(E)) {
    const Expr *Sub = Cast->getSubExpr();
    if (Cast->getCastKind() == CK_ArrayToPointerDecay)
      return visitPlace(Sub);
    // A pointer's own value is in a register.
    const auto *Ref = dyn_cast<DeclRefExpr>(Sub->IgnoreParens());
    if (Cast->getCastKind() == CK_LValueToRValue && Ref &&
        !Shared.find(Ref->getDecl()))
      return;
    if (Sub->isPRValue() && Sub->getType()->isPointerType())
      return visitAddress(Sub);
    return visitExpr(E);
  }
  if (const auto *Op = dyn_cast<UnaryOperator>(E);
      Op && Op->getOpcode() == UO_AddrOf)
    return visitPlace(Op->getSubExpr());
  if (const auto *Op = dyn_cast<BinaryOperator>(E); Op && Op->isAdditiveOp())
    for (const Expr *Side : {Op->getLHS(), Op->getRHS()})
      Side->getType()->isPointerType() ? visitAddress(Side) : visitExpr(Side);
  else
    visitExpr(E);
}

/// \p E initialises something of type \p Type.
void UseCollector::visitBound(const Expr *E, QualType Type) {
  if (Type->isReferenceType() && E->isGLValue())
    visitPlace(E);
  else if (Type->isPointerType() && E->getType()->isPointerType())
    visitAddress(E);
  else
    visitExpr(E);
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

void UseCollector::visitChildren(const Stmt *S) {
  for (const Stmt *Child : S->children()) {
    if (const auto *E = dyn_cast_or_null<Expr>(Child))
      visitExpr(E);
    else if (Child)
      visitStmt(Child);
  }
}

void UseCollector::visitBinary(const BinaryOperator *Op) {
  if (Op->isLogicalOp()) {
    visitExpr(Op->getLHS());
    llvm::SaveAndRestore<unsigned> Inside(ExprConditions, ExprConditions + 1);
    return visitExpr(Op->getRHS());
  }
  if (!Op->isAssignmentOp())
    return visitChildren(Op);
  visitBound(Op->getRHS(), Op->getRHS()->getType());
  const auto *Ref = dyn_cast<DeclRefExpr>(Op->getLHS()->IgnoreParens());
  if (Ref && Op->getLHS()->getType()->isPointerType() &&
      !Shared.find(Ref->getDecl()) &&
      !Ref->getDecl()->getType()->isReferenceType())
    return; // A pointer gets a value: nothing behind it is touched.
  if (!visitElement(Op->getLHS(), true))
    visitExpr(Op->getLHS());
}

void UseCollector::visitExpr(const Expr *E) {
  E = E->IgnoreParens();
  if (isa<UnaryExprOrTypeTraitExpr, CXXNoexceptExpr, CXXTypeidExpr>(E) ||
      visitElement(E, false) || visitScalar(E))
    return;
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
    return use(Pointers.targetsOf(Ref, *Frame), Ref->getLocation());
  if (const auto *This = dyn_cast<CXXThisExpr>(E))
    return use(Frame->This, This->getLocation());
  if (const auto *Op = dyn_cast<BinaryOperator>(E))
    return visitBinary(Op);
  if (const auto *Op = dyn_cast<UnaryOperator>(E);
      Op && Op->isIncrementDecrementOp() &&
      visitElement(Op->getSubExpr(), true))
    return;
  if (const auto *Op = dyn_cast<AbstractConditionalOperator>(E)) {
    visitExpr(Op->getCond());
    llvm::SaveAndRestore<unsigned> Inside(ExprConditions, ExprConditions + 1);
    visitExpr(Op->getTrueExpr());
    return visitExpr(Op->getFalseExpr());
  }
  if (isa<CallExpr, CXXConstructExpr>(E))
    return visitCall(E);
  if (const auto *Pseudo = dyn_cast<PseudoObjectExpr>(E))
    return visitExpr(Pseudo->getSyntacticForm());
  if (const auto *Opaque = dyn_cast<OpaqueValueExpr>(E)) {
    if (Opaque->getSourceExpr())
      visitExpr(Opaque->getSourceExpr());
    return;
  }
  if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(E))
    return visitExpr(Default->getExpr());
  if (const auto *Default = dyn_cast<CXXDefaultInitExpr>(E))
    return visitExpr(Default->getExpr());
  if (const auto *Lambda = dyn_cast<LambdaExpr>(E)) {
    llvm::SaveAndRestore<bool> Inside(IsInLambda, true);
    llvm::SaveAndRestore<unsigned> Maybe(Conditions, Conditions + 1);
    return visitChildren(Lambda);
  }
  visitChildren(E);
}

/// What it writes, its own reads do not see.
void UseCollector::visitFull(const Expr *E) {
  visitExpr(E);
  if (How != Order::Unknown && !IsInLambda)
    OwnWrites.insert(OwnWrites.end(), NewWrites.begin(), NewWrites.end());
  NewWrites.clear();
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

void UseCollector::visitIf(const IfStmt *If) {
  if (If->getInit())
    visitStmt(If->getInit());
  if (If->getConditionVariableDeclStmt())
    visitStmt(If->getConditionVariableDeclStmt());
  if (If->getCond())
    visitFull(If->getCond());
  llvm::SaveAndRestore<unsigned> Inside(Conditions, Conditions + 1);
  const std::vector<OwnWrite> Before = OwnWrites;
  for (const Stmt *Branch : {If->getThen(), If->getElse()})
    if (Branch) {
      visitStmt(Branch);
      OwnWrites = Before;
    }
}

/// What an iteration writes, the next one need not have written; there may be
/// no iteration, or one that leaves in front of a write.
void UseCollector::visitLoop(const Stmt *Loop) {
  const std::vector<OwnWrite> Before = OwnWrites;
  if (const auto *For = dyn_cast<ForStmt>(Loop); For && For->getInit())
    visitStmt(For->getInit());
  llvm::SaveAndRestore<unsigned> Inside(InnerLoops, InnerLoops + 1);
  for (const Stmt *Child : Loop->children()) {
    const auto *For = dyn_cast<ForStmt>(Loop);
    if (!Child || (For && Child == For->getInit()))
      continue;
    const std::vector<OwnWrite> Around = OwnWrites;
    visitStmt(Child);
    OwnWrites = Around;
  }
  OwnWrites = Before;
}

void UseCollector::visitStmt(const Stmt *S) {
  if (const auto *E = dyn_cast<Expr>(S))
    return visitFull(E);
  if (const auto *If = dyn_cast<IfStmt>(S))
    return visitIf(If);
  if (isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(S))
    return visitLoop(S);
  if (const auto *Declaration = dyn_cast<DeclStmt>(S)) {
    for (const Decl *D : Declaration->decls()) {
      const auto *Var = dyn_cast<VarDecl>(D);
      if (!Var || !Var->hasInit() || Shared.find(Var))
        continue;
      visitBound(Var->getInit(), Var->getType());
      if (How != Order::Unknown && !IsInLambda)
        OwnWrites.insert(OwnWrites.end(), NewWrites.begin(), NewWrites.end());
      NewWrites.clear();
    }
    return;
  }
  if (isa<SwitchStmt, LabelStmt, GotoStmt, IndirectGotoStmt>(S)) {
    llvm::SaveAndRestore<unsigned> Inside(Conditions, Conditions + 1);
    const std::vector<OwnWrite> Before = std::move(OwnWrites);
    OwnWrites.clear();
    visitChildren(S);
    OwnWrites = Before;
    return;
  }
  for (const Stmt *Child : S->children())
    if (Child)
      visitStmt(Child);
}

void UseCollector::collect(const Stmt *S, const CallFrame &Where, Order Known,
                           Step &Into) {
  Target = &Into;
  Frame = &Where;
  How = Known;
  visitStmt(S);
}

} // namespace cudaopt
