// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The expressions of a kernel: which of them access a shared array, how, and
/// which let its address out.
//===----------------------------------------------------------------------===//

#include "ArrayViews.h"
#include "KernelWalker.h"
#include "cudaopt/Model/SourceText.h"

#include "clang/AST/RecordLayout.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace cudaopt {

std::string KernelWalker::textOf(const Expr *E) const {
  return getWrittenText(E, Context);
}

std::optional<ArrayId> KernelWalker::findArray(const Expr *E) const {
  const auto *Ref = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
  const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  if (!Var)
    return std::nullopt;
  if (auto It = Arrays.find(Var); It != Arrays.end())
    return It->second;
  if (auto It = Parameters.find(Var); It != Parameters.end())
    return It->second;
  if (auto It = Rows.find(Var); It != Rows.end())
    return It->second.Array;
  return std::nullopt;
}

/// True for a pointer that stands for an array: to read it is to use the
/// array's address.
bool KernelWalker::namesPointer(const Expr *E) const {
  const auto *Ref = dyn_cast<DeclRefExpr>(E->IgnoreParens());
  const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  return Var && (Parameters.contains(Var) || Arrays.contains(Var));
}

void KernelWalker::block(ArrayId Array, Reason Why, std::string Detail,
                         SourceLocation Loc) {
  K.Arrays[Array].block({Why, std::move(Detail), Loc});
}

/// Loads and stores move 1, 2, 4, 8 or 16 bytes a lane; a structure is moved in
/// pieces of its alignment.
void KernelWalker::addAccess(Access A, unsigned Offset, uint64_t Size,
                             unsigned Chunk) {
  A.Function = Stack.empty() ? nullptr : Stack.back();
  A.Use = currentUse();
  Record.use(A.Array, Uses);
  for (uint64_t Done = 0; Done < Size; Done += Chunk) {
    A.Offset = Offset + Done;
    A.Width = Chunk;
    Instance.Accesses.push_back(A);
  }
}

/// Takes \p Var as a pointer to a row, if it is declared and used as one.
/// Whatever else is done with it is met as a use of the array.
bool KernelWalker::bindRow(const VarDecl *Var) {
  Rows.erase(Var);
  RowPointer Row;
  const Expr *Base = takeSubscripts(Var->getInit(), Row.Subscripts);
  std::optional<ArrayId> Array;
  if (Base && !Row.Subscripts.empty())
    Array = findArray(Base);
  const FunctionDecl *Function = Stack.empty() ? Instance.Decl : Stack.back();
  if (!Array ||
      Row.Subscripts.size() + 1 != Instance.Shapes[*Array].Extents.size() ||
      !isRowPointer(Var, Function->getBody()))
    return false;
  Row.Array = *Array;
  Row.Index.emplace();
  for (const Expr *Subscript : Row.Subscripts) {
    walkExpr(Subscript);
    std::optional<ValueId> Value = build(Subscript);
    if (Value && Row.Index)
      Row.Index->push_back(*Value);
    else
      Row.Index.reset();
  }
  Handled.insert(cast<DeclRefExpr>(Base));
  K.Arrays[*Array].RowPointers.push_back(Var);
  Named[Var].insert(*Array);
  Rows[Var] = std::move(Row);
  return true;
}

Access KernelWalker::makeAccess(const Expr *Ref, ArrayId Array,
                                const RowPointer *Row,
                                llvm::ArrayRef<const Expr *> Subscripts) {
  Access A;
  A.Ref = Ref;
  if (Row) {
    A.IsThroughRowPointer = true;
    A.Subscripts = Row->Subscripts;
  } else if (Subscripts.size() == 1) {
    A.Splits = findSplits(Subscripts[0]);
  }
  llvm::append_range(A.Subscripts, Subscripts);
  A.Array = Array;
  A.Interval = Instance.NumBarriers;
  A.Loops = Loops;
  A.Guards = Guards;
  A.DomainIsExact = DomainIsExact;
  if (Row && Row->Index)
    A.Index = *Row->Index;
  for (const Expr *Subscript : Subscripts) {
    std::optional<ValueId> Value = build(Subscript);
    if (!Value || (Row && !Row->Index)) {
      A.Index.clear();
      A.WhyOpaque = Reason::DataDependent;
      break;
    }
    A.Index.push_back(*Value);
  }
  return A;
}

void KernelWalker::record(const Expr *Ref, ArrayId Array, const RowPointer *Row,
                          llvm::ArrayRef<const Expr *> Subscripts,
                          unsigned Offset, QualType Type, unsigned Chunk,
                          const Use &U) {
  if (U.What == Use::Blocked) {
    // sizeof an element is the same in every layout.
    if (U.Why == Reason::SizeTaken)
      return;
    return block(Array, U.Why, U.Detail.empty() ? textOf(Ref) : U.Detail,
                 Ref->getExprLoc());
  }
  Access A = makeAccess(Ref, Array, Row, Subscripts);
  A.Chunk = Chunk;
  uint64_t Size = Context.getTypeSizeInChars(Type).getQuantity();
  uint64_t Piece =
      std::min<uint64_t>(Context.getTypeAlignInChars(Type).getQuantity(), 16);
  // A part of an element that is itself an array: which bytes is not known.
  if (Type->isArrayType() || Size == 0 || Size % Piece || Size > 128) {
    A.Index.clear();
    A.WhyOpaque = Reason::NotAffine;
    Size = Piece;
  }
  for (AccessKind Kind :
       {AccessKind::Atomic, AccessKind::Read, AccessKind::Write}) {
    bool Applies = Kind == AccessKind::Atomic ? U.What == Use::Atomic
                   : Kind == AccessKind::Read
                       ? U.What == Use::Read || U.What == Use::ReadWrite ||
                             U.What == Use::Discard
                       : U.What == Use::Write || U.What == Use::ReadWrite;
    if (!Applies)
      continue;
    A.Kind = Kind;
    addAccess(A, Offset, Size, Piece);
  }
}

/// Finds the products in the sum \p Subscript: `row * factor + rest`. Which of
/// them split the array into rows is for isl to say.
llvm::SmallVector<LinearSplit, 1>
KernelWalker::findSplits(const Expr *Subscript) {
  llvm::SmallVector<LinearSplit, 1> Splits;
  std::optional<ValueId> Whole = build(Subscript);
  const auto *Top = dyn_cast<BinaryOperator>(Subscript->IgnoreParenImpCasts());
  llvm::SmallVector<const Expr *, 4> Terms = {Subscript};
  while (Whole && !Terms.empty()) {
    const Expr *Term = Terms.pop_back_val()->IgnoreParenImpCasts();
    const auto *Op = dyn_cast<BinaryOperator>(Term);
    if (Op && (Op->getOpcode() == BO_Add || Op->getOpcode() == BO_Sub)) {
      Terms.push_back(Op->getLHS());
      if (Op->getOpcode() == BO_Add)
        Terms.push_back(Op->getRHS());
      continue;
    }
    if (!Op || Op->getOpcode() != BO_Mul)
      continue;
    std::optional<ValueId> Product = build(Op);
    for (auto [Factor, Row] : {std::pair(Op->getRHS(), Op->getLHS()),
                               std::pair(Op->getLHS(), Op->getRHS())}) {
      std::optional<ValueId> Value = build(Factor);
      std::optional<int64_t> Pitch =
          Value ? Instance.Values.asConstant(*Value) : std::nullopt;
      if (!Product || !Pitch || *Pitch < 2)
        continue;
      ValueType Type = Instance.Values[*Whole].Type;
      ValueId Rest = Instance.Values.operation(
          ValueKind::Sub, Type, {*Whole, Builder.convert(*Product, Type)});
      std::optional<ValueId> RowValue = build(Row);
      if (!RowValue)
        continue;
      LinearSplit Split{Factor,           Row,       nullptr,
                        uint64_t(*Pitch), *RowValue, Rest};
      if (Top && Top->getOpcode() == BO_Add) {
        if (Top->getLHS()->IgnoreParenImpCasts() == Op)
          Split.Column = Top->getRHS();
        else if (Top->getRHS()->IgnoreParenImpCasts() == Op)
          Split.Column = Top->getLHS();
      }
      Splits.push_back(Split);
      break;
    }
  }
  return Splits;
}

bool KernelWalker::walkElement(const Expr *E, const Use &U) {
  // Outwards in: the members behind the element, then its subscripts.
  const Expr *Ref = E->IgnoreParens();
  if (!isa<ArraySubscriptExpr, MemberExpr>(Ref) && !findCastElement(Ref))
    return false;
  unsigned Offset = 0;
  while (const auto *Member = dyn_cast<MemberExpr>(Ref)) {
    const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
    if (!Field || Member->isArrow() || Field->getType()->isReferenceType() ||
        Field->isBitField())
      return false;
    const ASTRecordLayout &Layout =
        Context.getASTRecordLayout(Field->getParent());
    Offset += Layout.getFieldOffset(Field->getFieldIndex()) / 8;
    Ref = Member->getBase()->IgnoreParenNoopCasts(Context);
  }
  const Expr *CastElement = findCastElement(Ref);
  const QualType Accessed = Ref->getType();
  if (CastElement)
    Ref = CastElement;
  llvm::SmallVector<const Expr *, 4> Subscripts;
  const Expr *Base = takeSubscripts(Ref, Subscripts);
  std::optional<ArrayId> Array;
  if (Base)
    Array = findArray(Base);
  if (!Array || E->isTypeDependent() || Subscripts.empty())
    return false;
  const auto *Name = cast<DeclRefExpr>(Base);
  auto Found = Rows.find(cast<VarDecl>(Name->getDecl()));
  std::optional<RowPointer> Row;
  if (Found != Rows.end())
    Row = Found->second;
  if ((Row && CastElement) ||
      Subscripts.size() + (Row ? Row->Subscripts.size() : 0) !=
          Instance.Shapes[*Array].Extents.size())
    return false;
  std::optional<unsigned> Chunk = 1;
  if (CastElement)
    Chunk = findChunkOf(*Array, Subscripts, Accessed);
  if (!Chunk)
    return false;
  Handled.insert(Name);
  for (const Expr *Subscript : Subscripts)
    walkExpr(Subscript);
  record(Ref->IgnoreParenImpCasts(), *Array, Row ? &*Row : nullptr, Subscripts,
         Offset, E->getType(), *Chunk, U);
  return true;
}

/// The elements that an access of type \p Type to the one with the subscripts
/// \p Subscripts takes at once.
std::optional<unsigned> KernelWalker::findChunkOf(
    ArrayId Array, llvm::ArrayRef<const Expr *> Subscripts, QualType Type) {
  llvm::SmallVector<ValueId, 4> Index;
  for (const Expr *Subscript : Subscripts) {
    std::optional<ValueId> Value = build(Subscript);
    if (!Value)
      return std::nullopt;
    Index.push_back(*Value);
  }
  return findChunk(Instance.Values, Instance.Shapes[Array], Index,
                   Context.getTypeSizeInChars(Type).getQuantity());
}

void KernelWalker::assign(const Expr *Target, std::optional<ValueId> NewValue) {
  const auto *Ref = dyn_cast<DeclRefExpr>(Target->IgnoreParens());
  const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  if (!Var)
    return;
  std::optional<ValueType> Type = getValueType(Context, Var->getType());
  if (NewValue && Var->getType()->isBooleanType())
    NewValue = Instance.Values.operation(
        ValueKind::NotEqual, {},
        {*NewValue,
         Instance.Values.constant(0, Instance.Values[*NewValue].Type)});
  if (NewValue && Type && Trackable.contains(Var))
    Locals[Var] = Builder.convert(*NewValue, *Type);
  else
    Locals.erase(Var);
}

/// What becomes of an element that an expression changes and then names: its
/// parent may let the address out.
static Use changedBy(Use::Kind Change, const Use &OfResult) {
  return OfResult.What == Use::Blocked ? OfResult : Use(Change);
}

void KernelWalker::walkAssignment(const BinaryOperator *Op, const Use &U) {
  walkExpr(Op->getRHS(), Use(Use::Read));
  if (const auto *Compound = dyn_cast<CompoundAssignOperator>(Op)) {
    walkExpr(Op->getLHS(), changedBy(Use::ReadWrite, U));
    std::optional<ValueType> Type =
        getValueType(Context, Compound->getComputationLHSType());
    std::optional<ValueId> Left = build(Op->getLHS()),
                           Right = build(Op->getRHS()), Result;
    if (Type && Left && Right)
      Result = Builder.combine(
          BinaryOperator::getOpForCompoundAssignment(Op->getOpcode()), *Type,
          Builder.convert(*Left, *Type), *Right);
    assign(Op->getLHS(), Result);
    return;
  }
  walkExpr(Op->getLHS(), changedBy(Use::Write, U));
  assign(Op->getLHS(), build(Op->getRHS()));
}

void KernelWalker::walkIncrement(const UnaryOperator *Op, const Use &U) {
  walkExpr(Op->getSubExpr(), Op->isPostfix() ? Use(Use::ReadWrite)
                                             : changedBy(Use::ReadWrite, U));
  std::optional<ValueId> Old = build(Op->getSubExpr()), New;
  if (Old) {
    ValueType Type = Instance.Values[*Old].Type;
    if (Type.Bits < 32) { // C computes in int and converts back.
      Type = ValueType{32, true};
      Old = Builder.convert(*Old, Type);
    }
    New = Builder.combine(Op->isIncrementOp() ? BO_Add : BO_Sub, Type, *Old,
                          Instance.Values.constant(1, Type));
  }
  assign(Op->getSubExpr(), New);
}

/// Walks the operand of sizeof, noexcept or typeid: it names things and changes
/// nothing.
void KernelWalker::walkUnevaluated(const Expr *E, const Use &U) {
  Environment Before = Locals;
  llvm::SaveAndRestore<bool> Unevaluated(IsEvaluated, false);
  walkExpr(E, U);
  Locals = std::move(Before);
}

/// Walks \p E, which is evaluated only if \p Condition holds.
void KernelWalker::walkGuarded(const Expr *E, std::optional<ValueId> Condition,
                               const Use &U) {
  GuardScope Scope(*this);
  pushGuard(Condition);
  walkExpr(E, U);
  forget(findAssignedVariables(E));
}

void KernelWalker::walkShortCircuit(const BinaryOperator *Op) {
  walkExpr(Op->getLHS());
  std::optional<ValueId> Left = build(Op->getLHS());
  walkGuarded(Op->getRHS(), Op->getOpcode() == BO_LAnd ? Left : negate(Left));
}

void KernelWalker::walkConditional(const ConditionalOperator *Op,
                                   const Use &U) {
  walkExpr(Op->getCond());
  std::optional<ValueId> Condition = build(Op->getCond());
  walkGuarded(Op->getTrueExpr(), Condition, U);
  // What the first branch assigned is forgotten, so the second starts right.
  walkGuarded(Op->getFalseExpr(), negate(Condition), U);
}

/// A copy copies; any other constructor that takes a reference may keep it.
void KernelWalker::walkConstruction(const CXXConstructExpr *Construct) {
  const CXXConstructorDecl *Constructor = Construct->getConstructor();
  bool IsCopy =
      Constructor->isCopyOrMoveConstructor() &&
      (Constructor->isTrivial() || isLibraryFunction(Context, Constructor));
  Use U(Use::Blocked, Reason::BoundToReference, Constructor->getNameAsString());
  for (const Expr *Argument : Construct->arguments())
    walkExpr(Argument, IsCopy ? Use(Use::Read) : U);
}

/// The body may run at any time, or never, with the copies it captured.
void KernelWalker::walkLambda(const LambdaExpr *Lambda) {
  for (const Expr *Init : Lambda->capture_inits())
    if (Init)
      walkExpr(Init);
  GuardScope Scope(*this);
  DomainIsExact = false;
  unsigned Returns = NumReturns, Exits = NumLoopExits;
  forget(findAssignedVariables(Lambda->getBody()));
  walkStmt(Lambda->getBody());
  forget(findAssignedVariables(Lambda->getBody()));
  NumReturns = Returns;
  NumLoopExits = Exits;
}

void KernelWalker::walkAddressOf(const UnaryOperator *Op, const Use &U) {
  if (U.What == Use::Atomic)
    return walkExpr(Op->getSubExpr(), U);
  if (U.What == Use::ReadBehind)
    return walkExpr(Op->getSubExpr(), Use(Use::Read));
  if (U.What == Use::ChangeBehind)
    return walkExpr(Op->getSubExpr(), Use(Use::ReadWrite));
  Use Escape(Use::Blocked, Reason::AddressEscapes, textOf(Op));
  if (U.What == Use::Blocked && U.Why != Reason::AddressEscapes)
    Escape = U;
  walkExpr(Op->getSubExpr(), Escape);
}

void KernelWalker::walkExpr(const Expr *E, const Use &U) {
  if (!E)
    return;
  E = E->IgnoreParens();
  if (walkElement(E, U))
    return;
  if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E)) {
    // A row, or the element of a pointer.
    walkExpr(Sub->getBase(), U.What == Use::Blocked ? U : Use());
    return walkExpr(Sub->getIdx());
  }
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
    if (std::optional<ArrayId> Array = findArray(Ref)) {
      Handled.insert(Ref);
      bool IsKnown = U.What == Use::Blocked;
      block(*Array, IsKnown ? U.Why : Reason::AddressEscapes,
            IsKnown && !U.Detail.empty() ? U.Detail : textOf(Ref),
            Ref->getLocation());
    }
    return;
  }
  if (const auto *Cast = dyn_cast<CastExpr>(E)) {
    Use Inner = U;
    if (Cast->getCastKind() == CK_LValueToRValue)
      Inner = namesPointer(Cast->getSubExpr()) ? U : Use(Use::Read);
    else if (Cast->getCastKind() == CK_ToVoid)
      Inner = Use(Use::Discard);
    else if (isa<ExplicitCastExpr>(Cast) &&
             (Cast->getSubExpr()->isGLValue() ||
              Cast->getSubExpr()->getType()->isPointerType()))
      Inner =
          Use(Use::Blocked, Reason::PointerCast, Cast->getType().getAsString());
    return walkExpr(Cast->getSubExpr(), Inner);
  }
  if (const auto *Op = dyn_cast<BinaryOperator>(E)) {
    if (Op->isAssignmentOp())
      return walkAssignment(Op, U);
    if (Op->isLogicalOp())
      return walkShortCircuit(Op);
    bool IsComma = Op->getOpcode() == BO_Comma;
    walkExpr(Op->getLHS(), IsComma ? Use(Use::Discard) : Use());
    return walkExpr(Op->getRHS(), IsComma ? U : Use());
  }
  if (const auto *Op = dyn_cast<UnaryOperator>(E)) {
    if (Op->isIncrementDecrementOp())
      return walkIncrement(Op, U);
    if (Op->getOpcode() == UO_AddrOf)
      return walkAddressOf(Op, U);
    return walkExpr(Op->getSubExpr());
  }
  if (const auto *Op = dyn_cast<ConditionalOperator>(E))
    return walkConditional(Op, U);
  if (const auto *Op = dyn_cast<BinaryConditionalOperator>(E)) {
    walkExpr(Op->getCommon(), U);
    return walkGuarded(Op->getFalseExpr(), std::nullopt, U);
  }
  if (const auto *Call = dyn_cast<CallExpr>(E))
    return walkCall(Call, U);
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(E))
    return walkConstruction(Construct);
  if (const auto *Lambda = dyn_cast<LambdaExpr>(E))
    return walkLambda(Lambda);
  if (const auto *Pseudo = dyn_cast<PseudoObjectExpr>(E))
    return walkExpr(Pseudo->getSyntacticForm());
  if (const auto *Trait = dyn_cast<UnaryExprOrTypeTraitExpr>(E)) {
    if (Trait->isArgumentType())
      return;
    return walkUnevaluated(Trait->getArgumentExpr(),
                           Use(Use::Blocked, Reason::SizeTaken));
  }
  if (const auto *Noexcept = dyn_cast<CXXNoexceptExpr>(E))
    return walkUnevaluated(Noexcept->getOperand(), Use());
  if (const auto *Typeid = dyn_cast<CXXTypeidExpr>(E)) {
    if (!Typeid->isTypeOperand())
      walkUnevaluated(Typeid->getExprOperand(), Use());
    return;
  }
  if (const auto *Statements = dyn_cast<StmtExpr>(E)) {
    walkStmt(Statements->getSubStmt());
    return;
  }
  if (const auto *Full = dyn_cast<FullExpr>(E))
    return walkExpr(Full->getSubExpr(), U);
  if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(E))
    return walkExpr(Temporary->getSubExpr());
  for (const Stmt *Child : E->children())
    if (const auto *Operand = dyn_cast_or_null<Expr>(Child))
      walkExpr(Operand);
}

} // namespace cudaopt
