// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds the uses by which the address of a shared variable escapes. The
/// analysis is a list of what is understood: any other expression or statement
/// lets all addresses escape that its operands mention. What is known to copy
/// an address into another object is followed by AddressFlow.
//===----------------------------------------------------------------------===//

#include "AddressEscapes.h"
#include "TrackableVariables.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace cudaopt {
namespace {

/// Returns true for a statement that moves addresses only through its
/// expressions.
bool isUnderstood(const Stmt *S) {
  return isa<CompoundStmt, DeclStmt, NullStmt, IfStmt, SwitchStmt, SwitchCase,
             ForStmt, WhileStmt, DoStmt, CXXForRangeStmt, BreakStmt,
             ContinueStmt, ReturnStmt, GotoStmt, IndirectGotoStmt, LabelStmt,
             AttributedStmt>(S);
}

/// Returns true for an expression that PointerTargets and AddressFlow follow;
/// casts, calls and some operators are checked in detail.
bool isUnderstood(const Expr *E) {
  return isa<ParenExpr, DeclRefExpr, MemberExpr, ArraySubscriptExpr, CastExpr,
             UnaryOperator, BinaryOperator, AbstractConditionalOperator,
             CallExpr, CXXConstructExpr, InitListExpr, CXXParenListInitExpr,
             CompoundLiteralExpr, DesignatedInitExpr, CXXStdInitializerListExpr,
             ArrayInitLoopExpr, OpaqueValueExpr, PseudoObjectExpr,
             MSPropertyRefExpr, FullExpr, MaterializeTemporaryExpr,
             CXXBindTemporaryExpr, SubstNonTypeTemplateParmExpr,
             CXXDefaultArgExpr, CXXDefaultInitExpr, LambdaExpr, StmtExpr,
             ExtVectorElementExpr, CXXRewrittenBinaryOperator,
             CXXPseudoDestructorExpr>(E) &&
         !isa<CUDAKernelCallExpr>(E);
}

/// Returns true for a library function that hands on the addresses in its
/// arguments with their types.
bool keepsTypes(const FunctionDecl *Callee) {
  StringRef Name = Callee->getIdentifier() ? Callee->getName() : "";
  return llvm::StringSwitch<bool>(Name)
      .Cases({"get", "swap", "move", "forward", "exchange", "addressof", "tie",
              "min", "max", "as_const"},
             true)
      .Default(Callee->getReturnType()->isVoidType() ||
               canHoldAddress(Callee->getReturnType()));
}

QualType getElement(QualType Type) {
  Type = Type.getCanonicalType();
  while (const ArrayType *Array = Type->getAsArrayTypeUnsafe())
    Type = Array->getElementType().getCanonicalType();
  return Type.getUnqualifiedType();
}

/// Returns the type of what a parameter of type \p Parameter lets its function
/// see through \p Argument; a null type if it gets a copy.
QualType getReferred(const Expr *Argument, QualType Parameter) {
  if (Parameter->isReferenceType())
    return Argument->getType();
  const Expr *E = Argument->IgnoreParenImpCasts();
  if (E->getType()->isArrayType())
    return getElement(E->getType());
  return E->getType()->isPointerType() ? E->getType()->getPointeeType()
                                       : QualType();
}

/// Returns true if \p Function only reads and assigns what its parameters refer
/// to.
bool keepsArguments(const FunctionDecl *Function) {
  for (const ParmVarDecl *Parameter : Function->parameters())
    if (canHoldAddress(Parameter->getType()) &&
        !usesOnlyValue(Function, Parameter->getFunctionScopeIndex()))
      return false;
  return true;
}

/// Visits a function and pins the variables whose address escapes.
class EscapeFinder : public DynamicRecursiveASTVisitor {
public:
  EscapeFinder(const SharedVariables &Shared, const PointerTargets &Pointers,
               const CallFrame &Frame)
      : Shared(Shared), Pointers(Pointers), Frame(Frame) {
    ShouldVisitImplicitCode = true;
  }

  bool TraverseUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr *) override {
    return true;
  }
  bool TraverseCXXNoexceptExpr(CXXNoexceptExpr *) override { return true; }
  bool TraverseLambdaExpr(LambdaExpr *Lambda) override {
    // The text of a generic lambda has no types; its instances have.
    FunctionTemplateDecl *Template =
        Lambda->getCallOperator()->getDescribedFunctionTemplate();
    if (!Template)
      return DynamicRecursiveASTVisitor::TraverseLambdaExpr(Lambda);
    for (Expr *Init : Lambda->capture_inits())
      if (Init)
        TraverseStmt(Init);
    for (FunctionDecl *Each : Template->specializations())
      if (Each->hasBody())
        TraverseStmt(Each->getBody());
    return true;
  }
  bool VisitStmt(Stmt *S) override {
    if (const auto *E = dyn_cast<Expr>(S))
      visitExpr(E);
    else if (isa<AsmStmt>(S))
      pinParts(S, Reason::InlineAssembly, "");
    else if (!isUnderstood(S))
      pinParts(S, Reason::AddressNotFollowed, S->getStmtClassName());
    return true;
  }
  bool VisitVarDecl(VarDecl *Var) override {
    if (const auto *Cleanup = Var->getAttr<CleanupAttr>())
      if (auto It = Frame.Targets.find(Var); It != Frame.Targets.end())
        Shared.pin(It->second, Reason::PassedToUnknown,
                   Cleanup->getFunctionDecl()->getNameAsString(),
                   Var->getLocation());
    return true;
  }

private:
  TargetSet targetsOf(const Expr *E) const {
    return Pointers.targetsOf(E, Frame);
  }

  /// Pins what the operands of \p S mention; operands that are numbers do not
  /// count.
  void pinParts(const Stmt *S, Reason Why, std::string Detail) const {
    for (const Stmt *Child : S->children()) {
      const auto *E = dyn_cast_or_null<Expr>(Child);
      if (!Child || (E && E->isPRValue() && !E->isTypeDependent() &&
                     !canHoldAddress(E->getType())))
        continue;
      Shared.pin(Pointers.mentionedIn(Child, Frame), Why, Detail,
                 S->getBeginLoc());
    }
  }

  void visitExpr(const Expr *E) {
    if (const auto *Cast = dyn_cast<CastExpr>(E))
      visitCast(Cast);
    else if (const auto *Op = dyn_cast<BinaryOperator>(E))
      visitBinary(Op);
    else if (const auto *Member = dyn_cast<MemberExpr>(E))
      visitMember(Member);
    else if (const auto *New = dyn_cast<CXXNewExpr>(E))
      visitNew(New);
    else if (const auto *Construct = dyn_cast<CXXConstructExpr>(E))
      visitConstruct(Construct);
    else if (!isUnderstood(E))
      pinParts(E, Reason::AddressNotFollowed, E->getStmtClassName());
    else if (const auto *Call = dyn_cast<CallExpr>(E))
      visitCall(Call);
  }

  /// Returns true for a part of a shared variable, or its address, if it is
  /// spelled as one. Addresses that are stored in shared memory have escaped
  /// already.
  bool isShared(const Expr *E) const {
    while (true) {
      E = E->IgnoreParenImpCasts();
      if (const auto *Member = dyn_cast<MemberExpr>(E);
          Member && !Member->isArrow())
        E = Member->getBase();
      else if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E);
               Sub &&
               Sub->getBase()->IgnoreParenImpCasts()->getType()->isArrayType())
        E = Sub->getBase();
      else if (const auto *Op = dyn_cast<UnaryOperator>(E);
               Op && Op->getOpcode() == UO_AddrOf)
        E = Op->getSubExpr();
      else
        break;
    }
    const auto *Ref = dyn_cast<DeclRefExpr>(E);
    return Ref && Shared.find(Ref->getDecl());
  }

  /// An object that holds addresses is seen as another type, so that its
  /// addresses may be read as something else.
  void visitReinterpretation(const CastExpr *Cast, QualType From, QualType To) {
    if (canHoldAddress(From) && getElement(From) != getElement(To) &&
        !isShared(Cast->getSubExpr()))
      Shared.pin(targetsOf(Cast->getSubExpr()), Reason::AddressBytes, "",
                 Cast->getExprLoc());
  }

  void visitCast(const CastExpr *Cast) {
    const Expr *Sub = Cast->getSubExpr();
    switch (Cast->getCastKind()) {
    case CK_LValueToRValueBitCast:
      if (!canHoldAddress(Sub->getType()))
        return;
      [[fallthrough]];
    case CK_PointerToIntegral:
      return Shared.pin(targetsOf(Sub), Reason::AddressAsInteger, "",
                        Cast->getExprLoc());
    case CK_LValueBitCast:
      return visitReinterpretation(Cast, Sub->getType(), Cast->getType());
    case CK_BitCast:
      if (Sub->getType()->isPointerType() && Cast->getType()->isPointerType())
        return visitReinterpretation(Cast, Sub->getType()->getPointeeType(),
                                     Cast->getType()->getPointeeType());
      break;
    case CK_NoOp:
    case CK_LValueToRValue:
    case CK_ArrayToPointerDecay:
    case CK_FunctionToPointerDecay:
    case CK_BuiltinFnToFnPtr:
    case CK_DerivedToBase:
    case CK_UncheckedDerivedToBase:
    case CK_BaseToDerived:
    case CK_ToVoid:
    case CK_NullToPointer:
    case CK_PointerToBoolean:
    case CK_ConstructorConversion:
    case CK_UserDefinedConversion:
    case CK_IntegralToPointer:
    case CK_AddressSpaceConversion:
      return;
    default:
      break;
    }
    pinParts(Cast, Reason::AddressNotFollowed, Cast->getCastKindName());
  }

  void visitBinary(const BinaryOperator *Op) {
    if (Op->isPtrMemOp()) {
      QualType Object = Op->getLHS()->getType();
      visitUnion(Object->isPointerType() ? Object->getPointeeType() : Object,
                 Op->getLHS(), Op->getExprLoc());
    }
  }

  void visitMember(const MemberExpr *Member) {
    if (const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl()))
      visitUnion(Member->getMemberDecl()->getASTContext().getCanonicalTagType(
                     Field->getParent()),
                 Member->getBase(), Member->getExprLoc());
  }

  /// An address that is stored in one member of a union may be read through
  /// another one as something else.
  void visitUnion(QualType Type, const Expr *Object, SourceLocation Loc) {
    const auto *Record = Type.getCanonicalType()->getAsRecordDecl();
    if (Record && Record->isUnion() && canHoldAddress(Type) &&
        !llvm::hasSingleElement(Record->fields()) && !isShared(Object))
      Shared.pin(targetsOf(Object), Reason::AddressBytes, "", Loc);
  }

  void visitNew(const CXXNewExpr *New) {
    if (const Expr *Init = New->getInitializer();
        Init && canHoldAddress(New->getAllocatedType()))
      Shared.pin(targetsOf(Init), Reason::AddressStored, "", New->getExprLoc());
    for (unsigned I = 1; I < New->getNumPlacementArgs(); ++I)
      Shared.pin(targetsOf(New->getPlacementArg(I)), Reason::PassedToUnknown,
                 "operator new", New->getExprLoc());
  }

  /// A function that the compiler generates may run user-written functions of
  /// the members, which nobody follows.
  void visitImplicit(const CXXMethodDecl *Method, const Expr *Call,
                     llvm::ArrayRef<const Expr *> Operands) const {
    const ASTContext &Context = Shared.context();
    if (!Method->isImplicit() || Method->isTrivial() ||
        Context.getSourceManager().isInSystemHeader(Method->getLocation()))
      return;
    for (const Expr *Operand : Operands)
      Shared.pin(targetsOf(Operand), Reason::PassedToUnknown,
                 Method->getNameAsString(), Call->getExprLoc());
  }

  void visitConstruct(const CXXConstructExpr *Construct) const {
    visitImplicit(Construct->getConstructor(), Construct,
                  getOperands(Construct).Arguments);
  }

  void visitCall(const CallExpr *Call) {
    const FunctionDecl *Callee = Call->getDirectCallee();
    if (!Callee || Call->isTypeDependent())
      return; // AddressFlow treats it as unknown.
    CallOperands Operands = getOperands(Call);
    if (!isLibraryFunction(Shared.context(), Callee)) {
      for (const Expr *Extra :
           llvm::ArrayRef(Operands.Arguments)
               .drop_front(std::min<size_t>(Operands.Arguments.size(),
                                            Callee->getNumParams())))
        pinPassed(targetsOf(Extra), Call, Callee);
      return;
    }
    TargetSet All = Shared.none();
    auto Every = Operands.Arguments;
    if (Operands.Object)
      Every.push_back(Operands.Object);
    for (const Expr *Operand : Every)
      All |= targetsOf(Operand);
    if (All.none())
      return;
    if (const auto *Method = dyn_cast<CXXMethodDecl>(Callee))
      visitImplicit(Method, Call, Every);
    visitHanded(Call, Callee, Operands.Arguments);
    if (llvm::any_of(Every, [&](const Expr *Operand) {
          return runsUnknown(Operand->getType());
        }))
      pinPassed(All, Call, Callee);
  }

  void pinPassed(const TargetSet &Set, const CallExpr *Call,
                 const FunctionDecl *Callee) const {
    Shared.pin(Set, Reason::PassedToUnknown, Callee->getNameAsString(),
               Call->getExprLoc());
  }

  /// Pins what is passed to a library function that sees an object with an
  /// address in it, and makes a number of it.
  void visitHanded(const CallExpr *Call, const FunctionDecl *Callee,
                   llvm::ArrayRef<const Expr *> Arguments) const {
    if (keepsTypes(Callee) || Callee->getReturnType()->isBooleanType())
      return;
    for (const auto &[Argument, Parameter] :
         llvm::zip(Arguments, Callee->parameters())) {
      QualType Referred = getReferred(Argument, Parameter->getType());
      if (!Referred.isNull() && canHoldAddress(Referred) &&
          !Referred->isFunctionType() && !isShared(Argument))
        Shared.pin(targetsOf(Argument), Reason::AddressBytes, "",
                   Argument->getExprLoc());
    }
  }

  /// Returns true if a library function that gets an object of \p Type may run
  /// functions of the user with addresses that are not followed: function
  /// pointers, and function objects that do more with their arguments than to
  /// read and assign them.
  bool runsUnknown(QualType Type) const {
    Type = Type.getNonReferenceType().getCanonicalType();
    if (Type->isFunctionType() || Type->isFunctionPointerType() ||
        Type->isMemberFunctionPointerType())
      return true;
    const auto *Record = Type->getAsCXXRecordDecl();
    if (!Record || !Record->hasDefinition() ||
        Shared.context().getSourceManager().isInSystemHeader(
            Record->getLocation()))
      return false;
    for (const Decl *Member : Record->decls()) {
      const auto *Method = dyn_cast<CXXMethodDecl>(Member);
      if (Method && Method->getOverloadedOperator() == OO_Call &&
          runsUnknown(Method))
        return true;
      if (const auto *Template = dyn_cast<FunctionTemplateDecl>(Member))
        for (const FunctionDecl *Each : Template->specializations())
          if (Each->getOverloadedOperator() == OO_Call && runsUnknown(Each))
            return true;
    }
    return false;
  }
  bool runsUnknown(const FunctionDecl *Operator) const {
    const auto *Record = cast<CXXMethodDecl>(Operator)->getParent();
    // The body of a lambda is a part of the function around it.
    const bool HoldsAddress =
        !Record->isLambda() &&
        canHoldAddress(Shared.context().getCanonicalTagType(Record));
    return HoldsAddress || !keepsArguments(Operator);
  }

  const SharedVariables &Shared;
  const PointerTargets &Pointers;
  const CallFrame &Frame;
};

} // namespace

void pinEscapes(const SharedVariables &Shared, const PointerTargets &Pointers,
                const CallFrame &Frame) {
  // A defaulted function copies members with their types.
  if (Frame.Function->isDefaulted())
    return;
  EscapeFinder Finder(Shared, Pointers, Frame);
  Finder.TraverseStmt(Frame.Function->getBody());
  if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(Frame.Function))
    for (const CXXCtorInitializer *Init : Constructor->inits())
      Finder.TraverseStmt(Init->getInit());
}

} // namespace cudaopt
