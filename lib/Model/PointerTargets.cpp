// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Computes points-to sets: which shared variables an expression may lead to,
/// given those that the locals of the function lead to (AddressFlow computes
/// these).
//===----------------------------------------------------------------------===//

#include "PointerTargets.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace cudaopt {

/// Lambdas and classes without a definition count as holding addresses.
bool canHoldAddress(QualType Type) {
  Type = Type.getCanonicalType();
  while (const ArrayType *Array = Type->getAsArrayTypeUnsafe())
    Type = Array->getElementType().getCanonicalType();
  if (Type->isArithmeticType() || Type->isEnumeralType() ||
      Type->isVectorType() || Type->isVoidType())
    return false;
  const auto *Record = Type->getAsCXXRecordDecl();
  if (!Record || !Record->hasDefinition() || Record->isLambda())
    return true;
  for (const CXXBaseSpecifier &Base : Record->bases())
    if (canHoldAddress(Base.getType()))
      return true;
  for (const FieldDecl *Field : Record->fields())
    if (canHoldAddress(Field->getType()))
      return true;
  return false;
}

CallOperands getOperands(const Expr *Call) {
  CallOperands Result;
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(Call)) {
    for (const Expr *Argument : Construct->arguments())
      Result.Arguments.push_back(Argument);
    return Result;
  }
  const auto *Plain = cast<CallExpr>(Call);
  unsigned First = 0;
  const auto *Method =
      dyn_cast_or_null<CXXMethodDecl>(Plain->getDirectCallee());
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(Call))
    Result.Object = Member->getImplicitObjectArgument();
  else if (isa<CXXOperatorCallExpr>(Call) && Method && !Method->isStatic() &&
           Plain->getNumArgs())
    Result.Object = Plain->getArg(First++);
  for (; First < Plain->getNumArgs(); ++First)
    Result.Arguments.push_back(Plain->getArg(First));
  return Result;
}

/// Removes everything that does not change which object or address \p E is.
static const Expr *strip(const Expr *E) {
  while (true) {
    E = E->IgnoreParenCasts();
    if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(E))
      E = Temporary->getSubExpr();
    else if (const auto *Full = dyn_cast<FullExpr>(E))
      E = Full->getSubExpr();
    else
      return E;
  }
}

/// Collects the shared variables that a statement mentions, directly or through
/// locals, and may lead to; the values that are loaded on the way are left out.
class TargetFinder : public DynamicRecursiveASTVisitor {
public:
  TargetFinder(const PointerTargets &Pointers, const CallFrame &Frame,
               bool TakesNumbers = false)
      : Pointers(Pointers), Frame(Frame), Found(Pointers.Shared.none()),
        IsInLambda(TakesNumbers) {
    ShouldVisitImplicitCode = true;
  }

  bool TraverseStmt(Stmt *S) override {
    // A number leads nowhere: reading it is a use of a variable, but it is no
    // pointer to one.
    if (const auto *E = dyn_cast_or_null<Expr>(S);
        E && E->isPRValue() && !E->isTypeDependent() &&
        !canHoldAddress(E->getType()) && !IsInLambda)
      return true;
    return DynamicRecursiveASTVisitor::TraverseStmt(S);
  }
  bool TraverseLambdaExpr(LambdaExpr *Lambda) override {
    llvm::SaveAndRestore<bool> Inside(IsInLambda, true);
    return DynamicRecursiveASTVisitor::TraverseLambdaExpr(Lambda);
  }
  bool VisitDeclRefExpr(DeclRefExpr *Ref) override {
    add(Ref->getDecl());
    return true;
  }
  bool VisitCXXThisExpr(CXXThisExpr *) override {
    Found |= Frame.This;
    return true;
  }
  bool VisitCallExpr(CallExpr *Call) override {
    addCallee(Call);
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *Construct) override {
    addCallee(Construct);
    return true;
  }
  bool TraverseUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr *) override {
    return true;
  }

  void add(const ValueDecl *D) {
    if (const auto *Binding = dyn_cast<BindingDecl>(D))
      D = Binding->getDecomposedDecl();
    if (std::optional<VariableId> Id = Pointers.Shared.find(D))
      Found.set(*Id);
    else if (const auto *Var = dyn_cast_or_null<VarDecl>(D))
      if (auto It = Frame.Targets.find(Var); It != Frame.Targets.end())
        Found |= It->second;
  }

  const PointerTargets &Pointers;
  const CallFrame &Frame;
  TargetSet Found;

private:
  /// Inside a lambda, which leads to all that its body mentions.
  bool IsInLambda;
  /// A callee may return the address of what it mentions itself.
  void addCallee(const Expr *Call) {
    if (const FunctionDecl *Body =
            findUserBody(Call, Pointers.Shared.context()))
      Found |= Pointers.Shared.mentionedFrom(Body);
  }
};

TargetSet PointerTargets::targetsOf(const Expr *E,
                                    const CallFrame &Frame) const {
  TargetFinder Finder(*this, Frame);
  Finder.TraverseStmt(const_cast<Expr *>(E));
  return std::move(Finder.Found);
}

TargetSet PointerTargets::mentionedIn(const Stmt *S,
                                      const CallFrame &Frame) const {
  TargetFinder Finder(*this, Frame, true);
  Finder.TraverseStmt(const_cast<Stmt *>(S));
  return std::move(Finder.Found);
}

std::optional<VariableId>
PointerTargets::findWhole(const Expr *E, const CallFrame &Frame) const {
  E = E->IgnoreParenImpCasts();
  if (const auto *Op = dyn_cast<UnaryOperator>(E);
      Op && Op->getOpcode() == UO_AddrOf)
    if (const auto *Sub =
            dyn_cast<ArraySubscriptExpr>(Op->getSubExpr()->IgnoreParens())) {
      const auto *Zero =
          dyn_cast<IntegerLiteral>(Sub->getIdx()->IgnoreParenImpCasts());
      if (!Zero || Zero->getValue() != 0 || Sub->getBase() != Sub->getLHS())
        return std::nullopt;
      E = Sub->getBase()->IgnoreParenImpCasts();
    }
  const auto *Ref = dyn_cast<DeclRefExpr>(E);
  if (!Ref)
    return std::nullopt;
  if (std::optional<VariableId> Id = Shared.find(Ref->getDecl()))
    return Id;
  const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
  auto It = Var ? Frame.Whole.find(Var) : Frame.Whole.end();
  return It == Frame.Whole.end() ? std::nullopt : std::optional(It->second);
}

bool PointerTargets::concerns(const Expr *Call, const FunctionDecl *Body,
                              const CallFrame &Caller) const {
  if (Shared.mentionedFrom(Body).any())
    return true;
  CallOperands Operands = getOperands(Call);
  if (Operands.Object && targetsOf(Operands.Object, Caller).any())
    return true;
  return llvm::any_of(Operands.Arguments, [&](const Expr *Argument) {
    return targetsOf(Argument, Caller).any();
  });
}

//===----------------------------------------------------------------------===//
// Frames
//===----------------------------------------------------------------------===//

CallFrame PointerTargets::enterKernel(const FunctionDecl *Kernel) const {
  CallFrame Frame;
  Frame.Function = Kernel;
  Frame.This = Shared.none();
  solve(Frame);
  return Frame;
}

/// Returns true if the declarations of a variable and a parameter have the same
/// element type and inner extents.
static bool haveSimilarTypes(const ASTContext &Context, QualType Parameter,
                             QualType Argument) {
  if (Parameter->isReferenceType())
    return Context.hasSimilarType(Parameter.getNonReferenceType(), Argument);
  if (Argument->isArrayType())
    Argument = Context.getArrayDecayedType(Argument);
  return Parameter->isPointerType() &&
         Context.hasSimilarType(Parameter, Argument);
}

/// Binds parameters to the targets of their arguments, as the caller knows
/// them, and solves the callee's body with these. A parameter that the model
/// handles as an access (\p IsPlain) is not followed.
CallFrame PointerTargets::enter(const Expr *Call, const FunctionDecl *Body,
                                const CallFrame &Caller,
                                IsPlainAccess IsPlain) const {
  CallFrame Frame;
  Frame.Function = Body;
  Frame.Caller = &Caller;
  Frame.Depth = Caller.Depth + 1;
  Frame.This = Shared.none();
  const CallOperands Operands = getOperands(Call);
  const auto *Plain = dyn_cast<CallExpr>(Call);
  Frame.IsModelled =
      Caller.IsModelled && Plain && Shared.calls().canEnter(Body) &&
      !Shared.context().getDiagnostics().hasUncompilableErrorOccurred() &&
      isa<DeclRefExpr>(Plain->getCallee()->IgnoreParenImpCasts());
  if (Operands.Object) {
    Frame.This = targetsOf(Operands.Object, Caller);
    Frame.ThisIsLocal = isLocalPlace(Operands.Object, Caller);
  } else if (isa<CXXConstructExpr>(Call)) {
    Frame.ThisIsLocal = true;
    Frame.This = Shared.mentionedFrom(Body);
    for (const Expr *Argument : Operands.Arguments)
      Frame.This |= targetsOf(Argument, Caller);
  }
  for (unsigned I = 0;
       I < Body->getNumParams() && I < Operands.Arguments.size(); ++I) {
    const ParmVarDecl *Parameter = Body->getParamDecl(I);
    const Expr *Argument = Operands.Arguments[I];
    if (!canHoldAddress(Parameter->getType()) || IsPlain(Argument))
      continue;
    Frame.Targets[Parameter] = targetsOf(Argument, Caller);
    if (refersToLocal(Argument, Parameter->getType(), Caller))
      Frame.ToLocals.insert(Parameter);
    std::optional<VariableId> Whole = findWhole(Argument, Caller);
    const auto *Ref = dyn_cast<DeclRefExpr>(Argument->IgnoreParenImpCasts());
    if (Whole && Ref &&
        haveSimilarTypes(Shared.context(), Parameter->getType(),
                         Ref->getType()))
      Frame.Whole[Parameter] = *Whole;
  }
  solve(Frame);
  return Frame;
}

bool isLocalPlace(const Expr *E, const CallFrame &Frame) {
  E = strip(E);
  if (const auto *Member = dyn_cast<MemberExpr>(E)) {
    const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
    if (!Field || Field->getType()->isReferenceType())
      return false;
    return Member->isArrow() ? pointsToLocal(Member->getBase(), Frame)
                             : isLocalPlace(Member->getBase(), Frame);
  }
  if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E)) {
    const Expr *Base = Sub->getBase()->IgnoreParenImpCasts();
    return Base->getType()->isArrayType() ? isLocalPlace(Base, Frame)
                                          : pointsToLocal(Base, Frame);
  }
  if (const auto *Op = dyn_cast<UnaryOperator>(E))
    return Op->getOpcode() == UO_Deref &&
           pointsToLocal(Op->getSubExpr(), Frame);
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    if (!Var)
      return false;
    return Var->getType()->isReferenceType() ? Frame.ToLocals.contains(Var)
                                             : Var->hasLocalStorage();
  }
  if (isa<CXXThisExpr>(E))
    return Frame.ThisIsLocal;
  return E->isPRValue() && E->getType()->isRecordType(); // A temporary object.
}

bool pointsToLocal(const Expr *E, const CallFrame &Frame) {
  E = strip(E);
  if (isa<CXXThisExpr>(E))
    return Frame.ThisIsLocal;
  if (const auto *Op = dyn_cast<UnaryOperator>(E))
    return Op->getOpcode() == UO_AddrOf &&
           isLocalPlace(Op->getSubExpr(), Frame);
  const auto *Ref = dyn_cast<DeclRefExpr>(E);
  const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  if (Var && Var->getType()->isArrayType())
    return isLocalPlace(Ref, Frame);
  return Var && Frame.ToLocals.contains(Var);
}

bool refersToLocal(const Expr *Argument, QualType Parameter,
                   const CallFrame &Frame) {
  return Parameter->isReferenceType() ? isLocalPlace(Argument, Frame)
                                      : pointsToLocal(Argument, Frame);
}

const VarDecl *findRoot(const Expr *E) {
  E = strip(E);
  while (true) {
    if (const auto *Member = dyn_cast<MemberExpr>(E))
      E = strip(Member->getBase());
    else if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E))
      E = strip(Sub->getBase());
    else if (const auto *Op = dyn_cast<UnaryOperator>(E);
             Op &&
             (Op->getOpcode() == UO_Deref || Op->getOpcode() == UO_AddrOf))
      E = strip(Op->getSubExpr());
    else
      break;
  }
  const auto *Ref = dyn_cast<DeclRefExpr>(E);
  return Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
}

} // namespace cudaopt
