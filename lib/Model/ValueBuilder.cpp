// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ValueBuilder.h"

#include "cudaopt/Machine/BankMap.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace cudaopt {

static constexpr ValueType IntType{32, true};
static constexpr unsigned MaxCallDepth = 8;

std::optional<ValueType> getValueType(const ASTContext &Context,
                                      QualType Type) {
  Type = Type.getNonReferenceType().getCanonicalType();
  if (Type->isBooleanType())
    return IntType;
  if (!Type->isIntegralOrEnumerationType() || Type->isDependentType())
    return std::nullopt;
  unsigned Bits = Context.getIntWidth(Type);
  if (Bits > 64)
    return std::nullopt;
  return ValueType{uint8_t(Bits), Type->isSignedIntegerOrEnumerationType()};
}

namespace {
class TrackableFinder : public DynamicRecursiveASTVisitor {
public:
  TrackableFinder() { ShouldVisitImplicitCode = true; }

  bool VisitVarDecl(VarDecl *Var) override {
    if (Var->hasLocalStorage() && !Var->getType().isVolatileQualified() &&
        !Var->getType()->isReferenceType())
      Seen.insert(Var);
    return true;
  }
  // A parent is visited before its children, so that an operand that is only
  // read or assigned is known to be harmless when the reference itself comes.
  // `x = 1` and `++x` name x: they are harmless if they are read or dropped.
  bool VisitStmt(Stmt *S) override {
    if (isa<CompoundStmt, IfStmt, ForStmt, WhileStmt, DoStmt, SwitchStmt,
            SwitchCase, AttributedStmt>(S))
      for (Stmt *Child : S->children())
        if (auto *E = dyn_cast_or_null<Expr>(Child))
          addHarmless(E);
    return true;
  }
  bool VisitCastExpr(CastExpr *Cast) override {
    if (Cast->getCastKind() == CK_LValueToRValue ||
        Cast->getCastKind() == CK_ToVoid)
      addHarmless(Cast->getSubExpr());
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *Op) override {
    if (Op->getOpcode() == BO_Comma) {
      addHarmless(Op->getLHS());
      if (Harmless.contains(Op))
        addHarmless(Op->getRHS());
    } else if (Op->isAssignmentOp() && Harmless.contains(Op)) {
      addTarget(Op->getLHS());
    }
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *Op) override {
    if (Op->isPostfix() ||
        (Op->isIncrementDecrementOp() && Harmless.contains(Op)))
      addTarget(Op->getSubExpr());
    if (Op->getOpcode() == UO_Deref && Harmless.contains(Op))
      Followed.insert(Op->getSubExpr()->IgnoreParenImpCasts());
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *Ref) override {
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    if (Var && !Harmless.contains(Ref))
      Exposed.insert(Var);
    if (Var && !Followed.contains(Ref))
      Kept.insert(Var);
    return true;
  }

  llvm::DenseSet<const VarDecl *> Seen, Exposed;
  llvm::DenseSet<const VarDecl *> Kept; ///< For more than `*p`.

private:
  /// A variable as the target of a change; not `(x = 1) = 2`, which changes x
  /// twice and is not followed.
  void addTarget(Expr *E) {
    const auto *Op = dyn_cast<UnaryOperator>(E->IgnoreParens());
    if (isa<DeclRefExpr>(E->IgnoreParens()) ||
        (Op && Op->getOpcode() == UO_Deref))
      addHarmless(E);
  }
  void addHarmless(Expr *E) {
    E = E->IgnoreParens();
    if (auto *Full = dyn_cast<FullExpr>(E))
      E = Full->getSubExpr()->IgnoreParens();
    Harmless.insert(E);
  }
  llvm::DenseSet<const Expr *> Harmless, Followed;
};
} // namespace

static TrackableFinder findVariables(const FunctionDecl *Function) {
  TrackableFinder Finder;
  Finder.TraverseDecl(const_cast<FunctionDecl *>(Function));
  return Finder;
}

llvm::DenseSet<const VarDecl *>
findTrackableVariables(const FunctionDecl *Function) {
  TrackableFinder Finder = findVariables(Function);
  for (const VarDecl *Var : Finder.Exposed)
    Finder.Seen.erase(Var);
  return Finder.Seen;
}

bool usesOnlyValue(const FunctionDecl *Function, unsigned Index) {
  const FunctionDecl *Definition = nullptr;
  if (!Function->hasBody(Definition) || Index >= Definition->getNumParams() ||
      Definition->isDependentContext())
    return false;
  const ParmVarDecl *Parameter = Definition->getParamDecl(Index);
  TrackableFinder Finder = findVariables(Definition);
  return !(Parameter->getType()->isPointerType() ? Finder.Kept : Finder.Exposed)
              .contains(Parameter);
}

std::optional<ValueId> ValueBuilder::build(const Expr *E,
                                           const Environment &NewLocals) {
  Locals = &NewLocals;
  return build(E);
}

ValueId ValueBuilder::convert(ValueId Id, ValueType Type) {
  if (Values[Id].Type == Type)
    return Id;
  return Values.operation(ValueKind::Cast, Type, {Id});
}

std::optional<ValueId> ValueBuilder::buildConstant(const Expr *E) {
  Expr::EvalResult Result;
  std::optional<ValueType> Type = getValueType(Context, E->getType());
  if (!Type || E->isValueDependent() || !E->EvaluateAsInt(Result, Context))
    return std::nullopt;
  return Values.constant(Result.Val.getInt().getExtValue(), *Type);
}

/// Returns the dimension that a member of a dim3 or uint3 names.
static std::optional<unsigned> getDimension(StringRef Member) {
  return llvm::StringSwitch<std::optional<unsigned>>(Member)
      .Case("x", 0)
      .Case("y", 1)
      .Case("z", 2)
      .Default(std::nullopt);
}

/// If \p E calls a method of the group of all threads of a block: returns its
/// name.
static StringRef getGroupMethod(const Expr *E) {
  const auto *Call = dyn_cast<CallExpr>(E);
  const auto *Callee =
      Call ? dyn_cast<MemberExpr>(Call->getCallee()->IgnoreParenImpCasts())
           : nullptr;
  const auto *Method =
      Callee ? dyn_cast<CXXMethodDecl>(Callee->getMemberDecl()) : nullptr;
  if (!Method || !Method->getIdentifier() || Call->getNumArgs() ||
      Method->getParent()->getName() != "thread_block")
    return "";
  const DeclContext *Outer = Method->getParent();
  while (!Outer->getParent()->isTranslationUnit())
    Outer = Outer->getParent();
  const auto *Namespace = dyn_cast<NamespaceDecl>(Outer);
  if (!Namespace || Namespace->getName() != "cooperative_groups")
    return "";
  // `block` or `this_thread_block()`.
  const Expr *Group = Callee->getBase();
  if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(Group))
    Group = Temporary->getSubExpr();
  Group = Group->IgnoreParenImpCasts();
  const auto *Made = dyn_cast<CallExpr>(Group);
  if (!isa<DeclRefExpr>(Group) && !(Made && Made->getNumArgs() == 0))
    return "";
  return Method->getName();
}

/// threadIdx, blockIdx, blockDim or gridDim, by \p Name.
ValueId ValueBuilder::buildBuiltin(StringRef Name, unsigned Dimension) {
  if (Name == "threadIdx")
    return Values.threadIdx(Dimension);
  if (Name == "blockIdx")
    return Values.blockIdx(Dimension);
  ValueType Unsigned{32, false};
  uint32_t Size =
      Name == "blockDim" ? Block.Threads[Dimension] : Block.Grid[Dimension];
  if (Size)
    return Values.constant(Size, Unsigned);
  const StringRef Member = StringRef("xyz").substr(Dimension, 1);
  return Values.parameter((Name + "." + Member).str(), Unsigned);
}

std::optional<ValueId> ValueBuilder::buildBuiltin(const Expr *Base,
                                                  StringRef Member) {
  if (const auto *Opaque = dyn_cast<OpaqueValueExpr>(Base))
    Base = Opaque->getSourceExpr();
  if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(Base))
    Base = Temporary->getSubExpr();
  std::optional<unsigned> Dimension = getDimension(Member);
  if (!Dimension)
    return std::nullopt;
  Base = Base->IgnoreParenImpCasts();
  StringRef Name = llvm::StringSwitch<StringRef>(getGroupMethod(Base))
                       .Case("thread_index", "threadIdx")
                       .Case("group_index", "blockIdx")
                       .Cases({"group_dim", "dim_threads"}, "blockDim")
                       .Default("");
  const auto *Ref = dyn_cast<DeclRefExpr>(Base);
  const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  if (Var && Var->getDeclContext()->getRedeclContext()->isTranslationUnit())
    Name = Var->getName();
  if (Name == "threadIdx" || Name == "blockIdx" || Name == "blockDim" ||
      Name == "gridDim")
    return buildBuiltin(Name, *Dimension);
  return std::nullopt;
}

/// `block.thread_rank()` and `block.size()`.
std::optional<ValueId> ValueBuilder::buildGroupCall(const CallExpr *Call) {
  const StringRef Method = getGroupMethod(Call);
  const bool IsRank = Method == "thread_rank";
  std::optional<ValueType> Type = getValueType(Context, Call->getType());
  if (!Type || (!IsRank && Method != "size" && Method != "num_threads"))
    return std::nullopt;
  // Of {z, y, x}: (z * blockDim.y + y) * blockDim.x + x.
  ValueType Unsigned{32, false};
  ValueId Result = Values.constant(IsRank ? 0 : 1, Unsigned);
  for (unsigned Dimension : {2, 1, 0}) {
    Result = Values.operation(ValueKind::Mul, Unsigned,
                              {Result, buildBuiltin("blockDim", Dimension)});
    // A dimension of one thread has the index 0.
    if (IsRank && Block.Threads[Dimension] != 1)
      Result = Values.operation(ValueKind::Add, Unsigned,
                                {Result, Values.threadIdx(Dimension)});
  }
  return convert(Result, *Type);
}

std::optional<ValueId> ValueBuilder::buildReference(const DeclRefExpr *Ref) {
  const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
  if (!Var)
    return buildConstant(Ref);
  if (auto It = Locals->find(Var); It != Locals->end())
    return It->second;
  if (std::optional<ValueId> Constant = buildConstant(Ref))
    return Constant;
  std::optional<ValueType> Type = getValueType(Context, Var->getType());
  if (!Type || !Var->hasGlobalStorage())
    return std::nullopt;
  if (Var->getName() == "warpSize" &&
      Var->getDeclContext()->getRedeclContext()->isTranslationUnit())
    return Values.constant(WarpSize, *Type);
  // The host cannot change __constant__ memory during a launch.
  if (Var->hasAttr<CUDAConstantAttr>() &&
      !isa<VarTemplateSpecializationDecl>(Var))
    return Values.parameter("::" + Var->getQualifiedNameAsString(), *Type);
  return std::nullopt;
}

std::optional<ValueId> ValueBuilder::buildCast(const CastExpr *Cast) {
  std::optional<ValueType> Type = getValueType(Context, Cast->getType());
  if (!Type)
    return std::nullopt;
  switch (Cast->getCastKind()) {
  case CK_LValueToRValue:
  case CK_NoOp:
    return build(Cast->getSubExpr());
  case CK_IntegralCast: {
    std::optional<ValueId> Operand = build(Cast->getSubExpr());
    if (!Operand)
      return std::nullopt;
    return convert(*Operand, *Type);
  }
  case CK_IntegralToBoolean: {
    std::optional<ValueId> Operand = build(Cast->getSubExpr());
    if (!Operand)
      return std::nullopt;
    ValueId Zero = Values.constant(0, Values[*Operand].Type);
    return Values.operation(ValueKind::NotEqual, IntType, {*Operand, Zero});
  }
  default:
    return buildConstant(Cast);
  }
}

std::optional<ValueId> ValueBuilder::buildUnary(const UnaryOperator *Op) {
  std::optional<ValueType> Type = getValueType(Context, Op->getType());
  if (!Type)
    return std::nullopt;
  std::optional<ValueId> Operand = build(Op->getSubExpr());
  if (!Operand)
    return std::nullopt;
  switch (Op->getOpcode()) {
  case UO_Plus:
    return Operand;
  case UO_Minus:
    return Values.operation(ValueKind::Sub, *Type,
                            {Values.constant(0, *Type), *Operand});
  case UO_Not:
    return Values.operation(ValueKind::Xor, *Type,
                            {*Operand, Values.constant(-1, *Type)});
  case UO_LNot:
    return Values.operation(ValueKind::LogicalNot, IntType, {*Operand});
  default:
    return std::nullopt;
  }
}

std::optional<ValueId> ValueBuilder::combine(BinaryOperatorKind Opcode,
                                             ValueType Type, ValueId Left,
                                             ValueId Right) {
  auto make = [&](ValueKind Kind, ValueType Result) {
    return Values.operation(Kind, Result, {Left, Right});
  };
  switch (Opcode) {
  case BO_Add:
    return make(ValueKind::Add, Type);
  case BO_Sub:
    return make(ValueKind::Sub, Type);
  case BO_Mul:
    return make(ValueKind::Mul, Type);
  case BO_Div:
    return make(ValueKind::Div, Type);
  case BO_Rem:
    return make(ValueKind::Rem, Type);
  case BO_Shl:
    return make(ValueKind::Shl, Type);
  case BO_Shr:
    return make(ValueKind::Shr, Type);
  case BO_And:
    return make(ValueKind::And, Type);
  case BO_Or:
    return make(ValueKind::Or, Type);
  case BO_Xor:
    return make(ValueKind::Xor, Type);
  case BO_LT:
    return make(ValueKind::Less, IntType);
  case BO_LE:
    return make(ValueKind::LessEqual, IntType);
  case BO_EQ:
    return make(ValueKind::Equal, IntType);
  case BO_NE:
    return make(ValueKind::NotEqual, IntType);
  case BO_GT:
    return Values.operation(ValueKind::Less, IntType, {Right, Left});
  case BO_GE:
    return Values.operation(ValueKind::LessEqual, IntType, {Right, Left});
  case BO_LAnd:
    return make(ValueKind::LogicalAnd, IntType);
  case BO_LOr:
    return make(ValueKind::LogicalOr, IntType);
  default:
    return std::nullopt;
  }
}

std::optional<ValueId> ValueBuilder::buildBinary(const BinaryOperator *Op) {
  if (Op->isAssignmentOp())
    return std::nullopt;
  std::optional<ValueType> Type = getValueType(Context, Op->getType());
  if (!Type)
    return std::nullopt;
  if (Op->getOpcode() == BO_Comma)
    return Op->getLHS()->HasSideEffects(Context) ? std::nullopt
                                                 : build(Op->getRHS());
  std::optional<ValueId> Left = build(Op->getLHS());
  std::optional<ValueId> Right = build(Op->getRHS());
  if (!Left || !Right)
    return std::nullopt;
  return combine(Op->getOpcode(), *Type, *Left, *Right);
}

std::optional<ValueId> ValueBuilder::buildInlined(const CallExpr *Call) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  const FunctionDecl *Definition = nullptr;
  if (!Callee || !Callee->hasBody(Definition) || CallDepth == MaxCallDepth ||
      Definition->isVariadic() ||
      Call->getNumArgs() != Definition->getNumParams() ||
      isa<CXXMethodDecl>(Definition))
    return std::nullopt;
  const auto *Body = dyn_cast<CompoundStmt>(Definition->getBody());
  if (!Body || Body->size() != 1)
    return std::nullopt;
  const auto *Return = dyn_cast<ReturnStmt>(Body->body_front());
  if (!Return || !Return->getRetValue() ||
      Return->getRetValue()->HasSideEffects(Context))
    return std::nullopt;
  Environment Parameters;
  for (unsigned I = 0; I < Call->getNumArgs(); ++I) {
    const ParmVarDecl *Parameter = Definition->getParamDecl(I);
    std::optional<ValueType> Type = getValueType(Context, Parameter->getType());
    std::optional<ValueId> Argument = build(Call->getArg(I));
    if (!Type || !Argument)
      return std::nullopt;
    Parameters[Parameter] = convert(*Argument, *Type);
  }
  const Environment *Saved = Locals;
  Locals = &Parameters;
  ++CallDepth;
  std::optional<ValueId> Result = build(Return->getRetValue());
  --CallDepth;
  Locals = Saved;
  return Result;
}

std::optional<ValueId> ValueBuilder::buildCall(const CallExpr *Call) {
  if (auto It = Results.find(Call); It != Results.end())
    return It->second;
  const FunctionDecl *Callee = Call->getDirectCallee();
  std::optional<ValueType> Type = getValueType(Context, Call->getType());
  if (!Callee || !Callee->getIdentifier() || !Type)
    return std::nullopt;
  if (std::optional<ValueId> OfGroup = buildGroupCall(Call))
    return OfGroup;
  ValueKind Kind = llvm::StringSwitch<ValueKind>(Callee->getName())
                       .Cases({"min", "umin"}, ValueKind::Min)
                       .Cases({"max", "umax"}, ValueKind::Max)
                       .Cases({"__mul24", "__umul24"}, ValueKind::Mul)
                       .Default(ValueKind::Constant);
  bool IsLibrary =
      Context.getSourceManager().isInSystemHeader(Callee->getLocation());
  if (Kind != ValueKind::Constant && IsLibrary && Call->getNumArgs() == 2) {
    std::optional<ValueId> Left = build(Call->getArg(0));
    std::optional<ValueId> Right = build(Call->getArg(1));
    if (!Left || !Right)
      return std::nullopt;
    return Values.operation(Kind, *Type,
                            {convert(*Left, *Type), convert(*Right, *Type)});
  }
  if (std::optional<ValueId> Constant = buildConstant(Call))
    return Constant;
  return buildInlined(Call);
}

std::optional<ValueId> ValueBuilder::build(const Expr *E) {
  E = E->IgnoreParens();
  if (const auto *Full = dyn_cast<FullExpr>(E))
    return build(Full->getSubExpr());
  if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(E))
    return build(Temporary->getSubExpr());
  if (const auto *Argument = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
    return build(Argument->getReplacement());
  if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(E))
    return build(Default->getExpr());
  if (const auto *Cast = dyn_cast<CastExpr>(E))
    return buildCast(Cast);
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
    return buildReference(Ref);
  if (const auto *Member = dyn_cast<MemberExpr>(E)) {
    if (auto Builtin =
            buildBuiltin(Member->getBase(), Member->getMemberDecl()->getName()))
      return Builtin;
    return buildConstant(E);
  }
  // clang's own CUDA headers make threadIdx.x a property.
  if (const auto *Pseudo = dyn_cast<PseudoObjectExpr>(E)) {
    const auto *Property =
        dyn_cast<MSPropertyRefExpr>(Pseudo->getSyntacticForm()->IgnoreParens());
    if (!Property)
      return std::nullopt;
    return buildBuiltin(Property->getBaseExpr(),
                        Property->getPropertyDecl()->getName());
  }
  if (const auto *Op = dyn_cast<UnaryOperator>(E))
    return buildUnary(Op);
  if (const auto *Op = dyn_cast<BinaryOperator>(E))
    return buildBinary(Op);
  if (const auto *Op = dyn_cast<ConditionalOperator>(E)) {
    std::optional<ValueType> Type = getValueType(Context, E->getType());
    std::optional<ValueId> Condition = build(Op->getCond()),
                           Then = build(Op->getTrueExpr()),
                           Else = build(Op->getFalseExpr());
    if (!Type || !Condition || !Then || !Else)
      return std::nullopt;
    return Values.operation(ValueKind::Select, *Type,
                            {*Condition, *Then, *Else});
  }
  if (const auto *Call = dyn_cast<CallExpr>(E))
    return buildCall(Call);
  return buildConstant(E);
}

} // namespace cudaopt
