// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Follows the addresses of shared variables through one function: into its
/// locals, which then lead to the variables, or out of sight, which pins them.
/// The analysis ignores the order of statements (flow-insensitive): it iterates
/// over the body until no local leads to more variables.
//===----------------------------------------------------------------------===//

#include "AddressEscapes.h"
#include "PointerTargets.h"
#include "cudaopt/Support/Nodes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace clang;

namespace cudaopt {

/// Returns why a library function must be taken to keep the addresses it gets,
/// or to use them asynchronously; reason None for functions that have a
/// definition, and for those known to use them only during the call.
static Reason classifyLibraryCall(const CallExpr *Call,
                                  const FunctionDecl *Callee,
                                  const ASTContext &Context) {
  StringRef Name = Callee->getIdentifier() ? Callee->getName() : "";
  if (Name.contains("map_shared_rank") || Name.contains("mapa"))
    return Reason::DistributedShared;
  if (ir::isInNamespace(Callee, "cuda", "ptx") || Name.contains("bulk") ||
      Name.contains("mbarrier") || Name.contains("cp_async") ||
      (Name == "memcpy_async" &&
       ir::classifyAsyncCopy(Call, Context) == ir::AsyncCopy::None))
    return Reason::AsyncBulkCopy;
  if (Name.contains("cvta"))
    return Reason::AddressAsInteger;
  const FunctionDecl *Body = nullptr;
  const FunctionDecl *Pattern = Callee->getTemplateInstantiationPattern();
  auto isDefined = [&](const FunctionDecl *Function) {
    return Function->hasBody(Body) || Function->isDefined() ||
           Function->hasSkippedBody();
  };
  if (isDefined(Callee) || (Pattern && isDefined(Pattern)) ||
      Callee->isImplicit() || Callee->isDefaulted() ||
      Name.starts_with("atomic") || Name.starts_with("__nvvm_atom") ||
      Name.starts_with("__nvvm_ldg") || Name.starts_with("__builtin_mem") ||
      Name.starts_with("__builtin_assume") || Name == "memcpy" ||
      Name == "memset" || Name.starts_with("__pipeline_"))
    return Reason::None;
  return Reason::PassedToUnknown;
}

/// Returns true if \p Argument refers to, or points to, an object that may hold
/// an address.
static bool seesAddresses(const Expr *Argument) {
  QualType Type = Argument->getType();
  if (!Argument->isGLValue() && Type->isPointerType())
    Type = Type->getPointeeType();
  return canHoldAddress(Type);
}

static bool hasRestrict(QualType Type) {
  if (Type.isRestrictQualified() || Type->isReferenceType())
    return Type.isRestrictQualified() ||
           Type.getNonReferenceType().isRestrictQualified();
  const auto *Record = Type.getCanonicalType()->getAsCXXRecordDecl();
  return Record && Record->hasDefinition() &&
         llvm::any_of(Record->fields(), [](const FieldDecl *Field) {
           return hasRestrict(Field->getType());
         });
}

/// One pass over a function, repeated until no local leads to more variables.
class AddressFlow : public DynamicRecursiveASTVisitor {
public:
  AddressFlow(const PointerTargets &Pointers, CallFrame &Frame)
      : Pointers(Pointers), Shared(Pointers.Shared), Frame(Frame) {
    ShouldVisitImplicitCode = true;
  }
  bool TraverseUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr *) override {
    return true;
  }
  bool HasChanged = false;

  bool VisitVarDecl(VarDecl *Var) override {
    if (Shared.find(Var))
      return true;
    if (Var->hasInit() && !isa<ParmVarDecl>(Var) &&
        canHoldAddress(Var->getType())) {
      TargetSet Set = targetsOf(Var->getInit());
      if (!Var->hasLocalStorage())
        Shared.pin(Set, Reason::AddressStored, "", Var->getLocation());
      merge(Var, Set);
    }
    visitDestructor(Var);
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *Op) override {
    if (Op->isAssignmentOp() && canHoldAddress(Op->getRHS()->getType()))
      store(Op->getLHS(), targetsOf(Op->getRHS()), Op->getOperatorLoc());
    return true;
  }
  bool VisitLambdaExpr(LambdaExpr *Lambda) override {
    for (const LambdaCapture &Capture : Lambda->captures())
      if (Lambda->isInitCapture(&Capture))
        if (const auto *Var = dyn_cast<VarDecl>(Capture.getCapturedVar()))
          merge(Var, targetsOf(Var->getInit()));
    return true;
  }
  bool VisitCallExpr(CallExpr *Call) override {
    visitCall(Call, Call->getDirectCallee());
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *Construct) override {
    visitCall(Construct, Construct->getConstructor());
    return true;
  }

private:
  TargetSet targetsOf(const Expr *E) const {
    return Pointers.targetsOf(E, Frame);
  }

  void merge(const VarDecl *Var, const TargetSet &Set) {
    if (Set.none())
      return;
    auto [It, IsNew] = Frame.Targets.try_emplace(Var, Set);
    if (!IsNew && !Set.test(It->second))
      return;
    It->second |= Set;
    HasChanged = true;
  }

  /// An address of each variable in \p Set is stored in \p Place: in a local,
  /// which then leads to them, or elsewhere, by which they escape.
  void store(const Expr *Place, const TargetSet &Set, SourceLocation Loc) {
    if (Set.none())
      return;
    const VarDecl *Root = findRoot(Place);
    if (!isLocalPlace(Place, Frame) ||
        (Root && !canHoldAddress(Root->getType())))
      Shared.pin(Set, Reason::AddressStored, "", Loc);
    if (Root) {
      merge(Root, Set);
    } else if (Set.test(Frame.This)) {
      Frame.This |= Set;
      HasChanged = true;
    }
  }

  void visitCall(const Expr *Call, const FunctionDecl *Callee) {
    CallOperands Operands = getOperands(Call);
    TargetSet Passed = Shared.none();
    for (const Expr *Argument : Operands.Arguments)
      Passed |= targetsOf(Argument);
    TargetSet All = Passed;
    if (Operands.Object)
      All |= targetsOf(Operands.Object);
    const FunctionDecl *Body = findUserBody(Call, Shared.context());
    if (Body)
      All |= Shared.mentionedFrom(Body);
    if (All.none())
      return;
    if (const auto *Plain = dyn_cast<CallExpr>(Call); Plain && !Body)
      visitUnseen(Plain, Callee, Operands, Passed, All);
    else if (Body)
      bindLambda(Body, Operands);
    // An asynchronous copy hands the addresses to the hardware; the group
    // object that issues it does not keep them.
    if (const auto *Plain = dyn_cast<CallExpr>(Call);
        Plain &&
        ir::classifyAsyncCopy(Plain, Shared.context()) == ir::AsyncCopy::Issue)
      return;
    // The callee may store one argument in another, or addresses that it
    // mentions itself in any of them.
    Operands.Arguments.push_back(Operands.Object);
    for (const Expr *Argument : Operands.Arguments) {
      if (!Argument)
        continue;
      const bool IsPlace = Argument->isGLValue()
                               ? isLocalPlace(Argument, Frame)
                               : pointsToLocal(Argument, Frame);
      const VarDecl *Root = IsPlace ? findRoot(Argument) : nullptr;
      if (!Root || Shared.find(Root))
        continue;
      if (canHoldAddress(Root->getType()))
        merge(Root, All);
      else if (seesAddresses(Argument))
        Shared.pin(All, Reason::AddressStored, "", Argument->getExprLoc());
    }
  }

  void visitUnseen(const CallExpr *Call, const FunctionDecl *Callee,
                   const CallOperands &Operands, const TargetSet &Passed,
                   const TargetSet &All) {
    const ASTContext &Context = Shared.context();
    if (!Callee || !isLibraryFunction(Context, Callee))
      return Shared.pin(All, Reason::PassedToUnknown,
                        Callee ? Callee->getNameAsString()
                               : "a function pointer",
                        Call->getExprLoc());
    Reason Why = classifyLibraryCall(Call, Callee, Context);
    if (Why != Reason::None)
      return Shared.pin(All, Why, Callee->getNameAsString(),
                        Call->getExprLoc());
    const auto *Method = dyn_cast<CXXMethodDecl>(Callee);
    const Expr *Object = Operands.Object;
    // A method of a library's object may keep the address in the object.
    if (Method && Object && !Method->isConst() &&
        canHoldAddress(Context.getCanonicalTagType(Method->getParent())) &&
        !(Object->isGLValue() ? isLocalPlace(Object, Frame)
                              : pointsToLocal(Object, Frame)))
      Shared.pin(Passed, Reason::AddressStored, "", Call->getExprLoc());
  }

  /// The body of a lambda belongs to this function, but its parameters get what
  /// its calls pass.
  void bindLambda(const FunctionDecl *Body, const CallOperands &Operands) {
    const auto *Method = dyn_cast<CXXMethodDecl>(Body);
    if (!Method || !Method->getParent()->isLambda())
      return;
    const bool IsSeen =
        !Method->getParent()->isGenericLambda() &&
        static_cast<const DeclContext *>(Frame.Function)->Encloses(Method);
    for (size_t I = 0; I != Operands.Arguments.size(); ++I) {
      TargetSet Set = targetsOf(Operands.Arguments[I]);
      if (!IsSeen || I >= Body->getNumParams())
        Shared.pin(Set, Reason::PassedToUnknown, "a lambda",
                   Operands.Arguments[I]->getExprLoc());
      else
        merge(Body->getParamDecl(I), Set);
    }
  }

  /// The call of a destructor has no place in the text, so what it may use is
  /// pinned.
  void visitDestructor(const VarDecl *Var) {
    QualType Type = Var->getType();
    const auto *Record = Type.getCanonicalType()->getAsCXXRecordDecl();
    if (!Record || !Record->hasDefinition() || Record->hasTrivialDestructor())
      return;
    TargetSet Set = Frame.Targets.lookup(Var);
    const CXXDestructorDecl *Destructor = Record->getDestructor();
    const FunctionDecl *Body = nullptr;
    if (Destructor && Destructor->hasBody(Body)) {
      Set.resize(Shared.size());
      Set |= Shared.mentionedFrom(Body);
    }
    Shared.pin(Set, Reason::PassedToUnknown, "a destructor",
               Var->getLocation());
  }

  const PointerTargets &Pointers;
  const SharedVariables &Shared;
  CallFrame &Frame;
};

/// Returns the pointers that something else than a read mentions: these may
/// change.
static llvm::SetVector<const VarDecl *> findChangedPointers(const Stmt *Body) {
  llvm::DenseSet<const Expr *> Read;
  llvm::SetVector<const VarDecl *> Changed;
  forEachNode(Body, [&](const DynTypedNode &N) {
    if (const auto *Cast = N.get<CastExpr>();
        Cast && Cast->getCastKind() == CK_LValueToRValue)
      Read.insert(Cast->getSubExpr()->IgnoreParens());
    const auto *Ref = N.get<DeclRefExpr>();
    if (Ref && !Read.contains(Ref) && Ref->getType()->isPointerType())
      if (const auto *Var = dyn_cast<VarDecl>(Ref->getDecl()))
        Changed.insert(Var);
  });
  return Changed;
}

void PointerTargets::solve(CallFrame &Frame) const {
  for (const VarDecl *Var : findChangedPointers(Frame.Function->getBody())) {
    Frame.Whole.erase(Var);
    if (!Var->getType()->isReferenceType())
      Frame.ToLocals.erase(Var);
  }
  bool HasChanged = true;
  while (HasChanged) {
    AddressFlow Flow(*this, Frame);
    Flow.TraverseStmt(Frame.Function->getBody());
    if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(Frame.Function))
      for (const CXXCtorInitializer *Init : Constructor->inits())
        Flow.TraverseStmt(Init->getInit());
    HasChanged = Flow.HasChanged;
  }
  pinEscapes(Shared, *this, Frame);
  llvm::SmallVector<const VarDecl *, 8> Restricted;
  for (const auto &[Var, Set] : Frame.Targets)
    if (hasRestrict(Var->getType()))
      Restricted.push_back(Var);
  // Only the first reason is kept. Sorting by position makes that the same one
  // in every run.
  llvm::sort(Restricted, [](const VarDecl *A, const VarDecl *B) {
    return A->getLocation() < B->getLocation();
  });
  for (const VarDecl *Var : Restricted)
    Shared.pin(Frame.Targets.find(Var)->second, Reason::ReachedByRestrict,
               Var->getNameAsString(), Var->getLocation());
}

} // namespace cudaopt
