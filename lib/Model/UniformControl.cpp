// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "UniformControl.h"
#include "AssignedRegions.h"
#include "BlockBarriers.h"
#include "TrackableVariables.h"

#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace cudaopt {

static Uniformity join(Uniformity A, Uniformity B) { return std::max(A, B); }

/// Goes over a function, and joins what each assignment gives a variable with
/// the control around it. Repeated until nothing changes.
class UniformityWalker {
public:
  explicit UniformityWalker(UniformControl &U) : U(U) {}
  bool HasChanged = false;

  void walk(const Stmt *S) {
    if (!S)
      return;
    if (const auto *If = dyn_cast<IfStmt>(S))
      return walkIf(If);
    if (isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(S))
      return walkLoop(S);
    if (const auto *Switch = dyn_cast<SwitchStmt>(S)) {
      walk(Switch->getInit());
      walk(Switch->getConditionVariableDeclStmt());
      walk(Switch->getCond());
      llvm::SaveAndRestore<Uniformity> Inside(
          Control, join(Control, U.classify(Switch->getCond())));
      llvm::SaveAndRestore<bool> Breaks(BreakLeavesLoop, false);
      return walk(Switch->getBody());
    }
    if (isa<ContinueStmt>(S) || (isa<BreakStmt>(S) && BreakLeavesLoop)) {
      if (Loop)
        raise(U.Exits[Loop], Control);
      return;
    }
    if (const auto *Conditional = dyn_cast<AbstractConditionalOperator>(S))
      return walkGuarded(Conditional, Conditional->getCond());
    const auto *Op = dyn_cast<BinaryOperator>(S);
    if (Op && Op->isLogicalOp())
      return walkGuarded(Op, Op->getLHS());
    note(S);
    for (const Stmt *Child : S->children())
      walk(Child);
  }

private:
  void walkIf(const IfStmt *If) {
    walk(If->getInit());
    walk(If->getConditionVariableDeclStmt());
    walk(If->getCond());
    Uniformity Condition =
        If->getCond() ? U.classify(If->getCond()) : Uniformity::Uniform;
    llvm::SaveAndRestore<Uniformity> Inside(Control, join(Control, Condition));
    walk(If->getThen());
    walk(If->getElse());
  }
  void walkLoop(const Stmt *S) {
    const Expr *Condition = nullptr;
    if (const auto *For = dyn_cast<ForStmt>(S)) {
      walk(For->getInit());
      Condition = For->getCond();
    } else if (const auto *While = dyn_cast<WhileStmt>(S)) {
      Condition = While->getCond();
    } else if (const auto *Do = dyn_cast<DoStmt>(S)) {
      Condition = Do->getCond();
    } else {
      Condition = cast<CXXForRangeStmt>(S)->getCond();
    }
    llvm::SaveAndRestore<const Stmt *> Inside(Loop, S);
    llvm::SaveAndRestore<bool> Breaks(BreakLeavesLoop, true);
    llvm::SaveAndRestore<Uniformity> Around(Control);
    Control = join(Control, U.classifyExits(S));
    if (Condition)
      Control = join(Control, U.classify(Condition));
    for (const Stmt *Child : S->children())
      walk(Child);
  }
  void walkGuarded(const Expr *E, const Expr *Condition) {
    llvm::SaveAndRestore<Uniformity> Inside(
        Control, join(Control, U.classify(Condition)));
    for (const Stmt *Child : E->children())
      walk(Child);
  }

  void note(const Stmt *S) {
    if (const auto *Declaration = dyn_cast<DeclStmt>(S)) {
      for (const Decl *D : Declaration->decls())
        if (const auto *Var = dyn_cast<VarDecl>(D); Var && Var->hasInit()) {
          walk(Var->getInit());
          raise(U.Variables[{Var, nullptr}],
                join(U.classify(Var->getInit()), Control));
        }
    } else if (const auto *Op = dyn_cast<BinaryOperator>(S)) {
      if (Op->isAssignmentOp())
        assign(Op->getLHS(), U.classify(Op->getRHS()));
    } else if (const auto *Step = dyn_cast<UnaryOperator>(S)) {
      if (Step->isIncrementDecrementOp())
        assign(Step->getSubExpr(), Uniformity::Uniform);
    }
  }
  void assign(const Expr *Target, Uniformity Value) {
    const auto *Ref = dyn_cast<DeclRefExpr>(Target->IgnoreParens());
    const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    if (!Var)
      return;
    raise(U.Variables[{Var, nullptr}], join(Value, Control));
    for (UniformControl::Region Inside : U.Regions.lookup(Ref))
      raise(U.Variables[{Var, Inside}], join(Value, Control));
  }
  void raise(Uniformity &Known, Uniformity To) {
    HasChanged |= To > Known;
    Known = join(Known, To);
  }

  UniformControl &U;
  Uniformity Control = Uniformity::Uniform;
  const Stmt *Loop = nullptr;
  bool BreakLeavesLoop = true;
};

UniformControl::UniformControl(const FunctionDecl *Function,
                               const ASTContext &Context)
    : Context(Context), IsKernel(Function->hasAttr<CUDAGlobalAttr>()),
      Trackable(findTrackableVariables(Function)),
      Regions(findAssignedRegions(Function->getBody())) {
  bool HasChanged = true;
  while (HasChanged) {
    UniformityWalker Walker(*this);
    Walker.walk(Function->getBody());
    HasChanged = Walker.HasChanged;
  }
}

Uniformity UniformControl::classifyVariable(const DeclRefExpr *Ref) const {
  const auto *Var = cast<VarDecl>(Ref->getDecl());
  if (Var->getType().isVolatileQualified() || Var->getType()->isReferenceType())
    return Uniformity::Unknown;
  if (!Var->isLocalVarDeclOrParm() || Var->isStaticLocal())
    return Var->isConstexpr() || Var->hasAttr<CUDAConstantAttr>()
               ? Uniformity::Uniform
               : Uniformity::Unknown;
  if (!Trackable.contains(Var))
    return Uniformity::Unknown;
  auto Known = Regions.find(Ref);
  Uniformity Assigned = Variables.lookup(
      {Var, Known == Regions.end() ? nullptr : Known->second.back()});
  if (isa<ParmVarDecl>(Var) && !IsKernel)
    return join(Assigned, Uniformity::Unknown);
  return Assigned;
}

Uniformity UniformControl::classifyCall(const CallExpr *Call) const {
  if (isBlockBarrier(Call, Context)) // The result of a vote.
    return Uniformity::Uniform;
  const FunctionDecl *Callee = Call->getDirectCallee();
  StringRef Name = Callee && Callee->getIdentifier() ? Callee->getName() : "";
  if (Name == "thread_rank" || Name == "thread_index")
    return Uniformity::Divergent;
  // threadIdx.x may be a call of this builtin.
  if (Name.starts_with("__nvvm_read_ptx_sreg_"))
    return Name.contains("_tid_") || Name.contains("lane")
               ? Uniformity::Divergent
               : (Name.contains("tid") ? Uniformity::Uniform
                                       : Uniformity::Unknown);
  if (Name != "min" && Name != "max")
    return Uniformity::Unknown;
  Uniformity Result = Uniformity::Uniform;
  for (const Expr *Argument : Call->arguments())
    Result = join(Result, classify(Argument));
  return Result;
}

Uniformity UniformControl::classifyOperands(const Expr *E) const {
  Uniformity Result = Uniformity::Uniform;
  for (const Stmt *Child : E->children())
    Result = join(Result, classify(cast<Expr>(Child)));
  return Result;
}

/// What a builtin variable like `threadIdx` is.
static std::optional<Uniformity> classifyBuiltin(StringRef Name) {
  return llvm::StringSwitch<std::optional<Uniformity>>(Name)
      .Case("threadIdx", Uniformity::Divergent)
      .Cases({"blockIdx", "blockDim", "gridDim", "warpSize"},
             Uniformity::Uniform)
      .Default(std::nullopt);
}

Uniformity UniformControl::classify(const Expr *E) const {
  E = E->IgnoreParens();
  if (!E->isValueDependent() && E->getType()->isIntegralOrEnumerationType() &&
      E->isEvaluatable(Context))
    return Uniformity::Uniform;
  if (const auto *Pseudo = dyn_cast<PseudoObjectExpr>(E))
    return classify(Pseudo->getSyntacticForm());
  if (const auto *Property = dyn_cast<MSPropertyRefExpr>(E))
    return classify(Property->getBaseExpr());
  if (const auto *Opaque = dyn_cast<OpaqueValueExpr>(E))
    return Opaque->getSourceExpr() ? classify(Opaque->getSourceExpr())
                                   : Uniformity::Unknown;
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    if (!Var)
      return isa<EnumConstantDecl>(Ref->getDecl()) ? Uniformity::Uniform
                                                   : Uniformity::Unknown;
    if (Var->isFileVarDecl())
      if (std::optional<Uniformity> Builtin = classifyBuiltin(Var->getName()))
        return *Builtin;
    return classifyVariable(Ref);
  }
  if (const auto *Member = dyn_cast<MemberExpr>(E))
    return Member->isArrow() ? Uniformity::Unknown
                             : classify(Member->getBase());
  if (const auto *Call = dyn_cast<CallExpr>(E))
    return classifyCall(Call);
  if (const auto *Op = dyn_cast<BinaryOperator>(E))
    return Op->isAssignmentOp() || Op->isPtrMemOp() ? Uniformity::Unknown
                                                    : classifyOperands(Op);
  if (const auto *Op = dyn_cast<UnaryOperator>(E))
    return Op->isIncrementDecrementOp() || Op->getOpcode() == UO_Deref ||
                   Op->getOpcode() == UO_AddrOf
               ? Uniformity::Unknown
               : classifyOperands(Op);
  if (isa<CastExpr, ConditionalOperator, FullExpr,
          SubstNonTypeTemplateParmExpr>(E))
    return classifyOperands(E);
  if (isa<IntegerLiteral, FloatingLiteral, CXXBoolLiteralExpr, CharacterLiteral,
          UnaryExprOrTypeTraitExpr>(E))
    return Uniformity::Uniform;
  return Uniformity::Unknown;
}

Uniformity UniformControl::classifyExits(const Stmt *Loop) const {
  return Exits.lookup(Loop);
}

} // namespace cudaopt
