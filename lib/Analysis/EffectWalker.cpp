// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Implements the walk in two parts: statements and operators, which determine
/// what is read and written; and places, which determine the object that a
/// glvalue or a pointer leads to.
//===----------------------------------------------------------------------===//

#include "EffectWalker.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using llvm::StringRef;

namespace cudaopt {

static constexpr Effects::Use Read{true, false}, Write{false, true},
    Both{true, true};

/// Returns true if \p S does no more than its children do: its effects are the
/// union of theirs.
static bool isSumOfParts(const Stmt *S) {
  if (const auto *Cast = dyn_cast<CastExpr>(S))
    return isa<ImplicitCastExpr, CStyleCastExpr, CXXFunctionalCastExpr,
               CXXStaticCastExpr>(Cast) &&
           Cast->getCastKind() != CK_UserDefinedConversion;
  return isa<CompoundStmt, IfStmt, ForStmt, WhileStmt, DoStmt, SwitchStmt,
             CaseStmt, DefaultStmt, BreakStmt, ContinueStmt, NullStmt,
             AttributedStmt, ParenExpr, ConditionalOperator, InitListExpr,
             FullExpr, MaterializeTemporaryExpr, ImplicitValueInitExpr,
             SubstNonTypeTemplateParmExpr, IntegerLiteral, FloatingLiteral,
             CXXBoolLiteralExpr, CharacterLiteral, CXXNullPtrLiteralExpr,
             CXXScalarValueInitExpr>(S);
}

void EffectWalker::visitChildren(const Stmt *S) {
  for (const Stmt *Child : S->children())
    visit(Child);
}

void EffectWalker::visit(const Stmt *S) {
  if (!S)
    return;
  if (const auto *Declaration = dyn_cast<DeclStmt>(S))
    return visitDeclarations(Declaration);
  if (isa<ReturnStmt>(S) && !Callees.empty())
    return visitChildren(S);
  if (isa<ReturnStmt, GotoStmt, IndirectGotoStmt, LabelStmt>(S)) {
    Found.Leaves = true;
    return visitChildren(S);
  }
  if (isa<UnaryExprOrTypeTraitExpr>(S))
    return; // Unevaluated: CUDA has no arrays of variable length.
  if (const auto *E = dyn_cast<Expr>(S); E && visitOperator(E))
    return;
  Found.IsOrdered |= !isSumOfParts(S);
  visitChildren(S);
}

void EffectWalker::visitDeclarations(const DeclStmt *Declaration) {
  for (const Decl *D : Declaration->decls()) {
    const auto *Var = dyn_cast<VarDecl>(D);
    // Declarations of types and structured bindings are not understood.
    if (!Var || isa<DecompositionDecl>(Var)) {
      Found.IsOrdered = true;
      continue;
    }
    if (Var->hasAttr<CUDASharedAttr>()) {
      Found.IsOrdered |=
          Var->getInit() && !isa<CXXConstructExpr>(Var->getInit());
      continue;
    }
    Found.IsOrdered |= Var->isStaticLocal() && !Var->isConstexpr();
    touch(Var, Write);
    visit(Var->getInit());
  }
}

/// Visits \p E if it is an operator, a call or a reference to a variable.
/// Returns false if it is none of these.
bool EffectWalker::visitOperator(const Expr *E) {
  if (const auto *Pseudo = dyn_cast<PseudoObjectExpr>(E)) {
    visit(Pseudo->getResultExpr());
  } else if (const auto *Opaque = dyn_cast<OpaqueValueExpr>(E)) {
    visit(Opaque->getSourceExpr());
  } else if (const auto *Cast = dyn_cast<ImplicitCastExpr>(E);
             Cast && Cast->getCastKind() == CK_LValueToRValue) {
    access(Cast->getSubExpr(), Read);
  } else if (const auto *Op = dyn_cast<BinaryOperator>(E)) {
    if (!Op->isAssignmentOp())
      visit(Op->getLHS());
    else
      access(Op->getLHS(), Op->isCompoundAssignmentOp() ? Both : Write);
    visit(Op->getRHS());
    Found.IsOrdered |= Op->isPtrMemOp();
  } else if (const auto *Unary = dyn_cast<UnaryOperator>(E)) {
    if (Unary->isIncrementDecrementOp() || Unary->getOpcode() == UO_AddrOf)
      access(Unary->getSubExpr(), Both);
    else if (Unary->getOpcode() == UO_Deref)
      access(Unary, Both);
    else
      visit(Unary->getSubExpr());
  } else if (const auto *Call = dyn_cast<CallExpr>(E)) {
    visitCall(Call);
  } else if (const auto *Construct = dyn_cast<CXXConstructExpr>(E)) {
    visitConstruction(Construct);
  } else if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(E)) {
    visit(Default->getExpr());
  } else if (isa<DeclRefExpr, MemberExpr, ArraySubscriptExpr>(E)) {
    // A glvalue that is not loaded from: it is bound to a reference or decays
    // to a pointer, through which anything may happen to it.
    access(E, Both);
  } else {
    return false;
  }
  return true;
}

/// Visits a construction. A trivial copy is a read of its operand; any other
/// constructor that is not trivial is not understood.
void EffectWalker::visitConstruction(const CXXConstructExpr *Construct) {
  const CXXConstructorDecl *Constructor = Construct->getConstructor();
  if (!Constructor->isTrivial())
    Found.IsOrdered = true;
  if (Constructor->isCopyOrMoveConstructor() && Constructor->isTrivial() &&
      Construct->getNumArgs() == 1)
    return access(Construct->getArg(0), Read);
  visitChildren(Construct);
}

/// Returns true if \p Callee is a function of the toolkit whose result depends
/// on its arguments only, not on memory or other threads. The toolkit does not
/// mark its functions; so all that take and return numbers count, except for
/// builtins that clang does not call pure and a list of prefixes.
static bool isArithmetic(const FunctionDecl *Callee) {
  auto isNumber = [](QualType Type) {
    return Type->isArithmeticType() || Type->isVectorType();
  };
  if (Callee->isVariadic() || !Callee->getIdentifier() ||
      isa<CXXMethodDecl>(Callee))
    return false;
  const StringRef Name = Callee->getName();
  if (!isNumber(Callee->getReturnType()) && !Name.starts_with("make_"))
    return false;
  for (const ParmVarDecl *Parameter : Callee->parameters())
    if (!isNumber(Parameter->getType()))
      return false;
  if (const unsigned Id = Callee->getBuiltinID()) {
    const Builtin::Context &Builtins = Callee->getASTContext().BuiltinInfo;
    if (Name.starts_with("__nvvm_"))
      return Name.starts_with("__nvvm_read_ptx_sreg_tid") ||
             Name.starts_with("__nvvm_read_ptx_sreg_ctaid") ||
             Name.starts_with("__nvvm_read_ptx_sreg_ntid") ||
             Name.starts_with("__nvvm_read_ptx_sreg_nctaid");
    return Builtins.isConst(Id) ||
           Builtins.isConstWithoutErrnoAndExceptions(Id) ||
           Builtins.isConstWithoutExceptions(Id);
  }
  static constexpr llvm::StringLiteral Others[] = {
      "__shfl", "__ballot",  "__any",    "__all",  "__activemask", "__match",
      "__redu", "__vote",    "clock",    "surf",   "__clock",      "tex",
      "__sync", "__barrier", "__nv_tex", "__cvta", "__global",     "__bar",
      "__atom", "__nvvm",    "putchar",  "rand"};
  return llvm::none_of(
      Others, [&](StringRef Prefix) { return Name.starts_with(Prefix); });
}

/// Returns true for the function that clang's headers call for `threadIdx.x`
/// and the like.
static bool readsIndex(const FunctionDecl *Callee) {
  return Callee->getIdentifier() &&
         Callee->getName().starts_with("__fetch_builtin_");
}

/// Visits a call: its arguments and, for a function of the user, the body of
/// the callee. Calls of member functions or by pointer, recursive or deeply
/// nested calls, and functions of the toolkit with other effects than their
/// result are ordered with everything.
void EffectWalker::visitCall(const CallExpr *Call) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  if (isPlainBarrier(Call)) {
    Found.HasBarrier = true;
    return;
  }
  if (Callee && readsIndex(Callee))
    return;
  for (const Expr *Argument : Call->arguments())
    visit(Argument);
  if (!Callee || isa<CXXMemberCallExpr>(Call)) {
    Found.IsOrdered = true;
    return;
  }
  if (Callee->getIdentifier() && Callees.empty())
    Found.Names.insert(Callee->getName());
  const FunctionDecl *Body = Callee->getDefinition();
  const bool IsLibrary =
      Callee->getBuiltinID() ||
      Context.getSourceManager().isInSystemHeader(Callee->getLocation());
  if (IsLibrary || !Body || !Body->getBody()) {
    // A function of the user without a body may do anything.
    Found.IsOrdered |= !IsLibrary || !isArithmetic(Callee);
    return;
  }
  constexpr size_t MaxDepth = 8;
  if (Callees.size() == MaxDepth || llvm::is_contained(Callees, Body)) {
    Found.IsOrdered = true;
    return;
  }
  // Arguments are not bound to parameters. Accesses through the callee's
  // parameters therefore count as Elsewhere.
  Callees.push_back(Body);
  visit(Body->getBody());
  Callees.pop_back();
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

// Constants of any kind are left out: nothing can write to them.
void EffectWalker::touch(const ValueDecl *D, Use U) {
  if (D->getIdentifier() && Callees.empty())
    Found.Names.insert(D->getName());
  const auto *Var = dyn_cast<VarDecl>(D);
  if (!Var) {
    Found.IsOrdered |=
        !isa<EnumConstantDecl, FunctionDecl, NonTypeTemplateParmDecl>(D);
    return;
  }
  if (Var->getType()->isReferenceType())
    Found.Elsewhere |= U;
  if (Var->hasAttr<CUDASharedAttr>() && !Var->hasExternalStorage())
    Found.Shared[Var] |= U;
  else if (Var->hasLocalStorage() && Var->getParentFunctionOrMethod() != Kernel)
    return; // A callee's local variable lives during the call only.
  else if (Var->hasLocalStorage())
    Found.Locals[Var] |= U;
  else if (Var->getType().isConstQualified() || Var->isConstexpr() ||
           Var->hasAttr<CUDAConstantAttr>())
    return;
  else
    Found.Elsewhere |= U;
}

void EffectWalker::accessMember(const MemberExpr *Member, Use U) {
  const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
  if (!Field || Field->getType()->isReferenceType()) {
    Found.IsOrdered |=
        !Field && !isa<EnumConstantDecl>(Member->getMemberDecl());
    Found.Elsewhere |= U;
  }
  if (Member->isArrow())
    return accessPointee(Member->getBase(), U);
  if (Member->getBase()->isGLValue())
    return access(Member->getBase(), U);
  visit(Member->getBase());
}

void EffectWalker::access(const Expr *E, Use U) {
  E = E->IgnoreParens();
  if (E->getType().isVolatileQualified())
    Found.IsOrdered = true;
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
    return touch(Ref->getDecl(), U);
  if (const auto *Member = dyn_cast<MemberExpr>(E))
    return accessMember(Member, U);
  if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E)) {
    visit(Sub->getIdx());
    return Sub->getBase()->getType()->isPointerType()
               ? accessPointee(Sub->getBase(), U)
               : access(Sub->getBase(), U);
  }
  if (const auto *Op = dyn_cast<UnaryOperator>(E);
      Op && Op->getOpcode() == UO_Deref)
    return accessPointee(Op->getSubExpr(), U);
  if (const auto *Cast = dyn_cast<CastExpr>(E);
      Cast && Cast->getCastKind() == CK_NoOp && Cast->isGLValue())
    return access(Cast->getSubExpr(), U);
  visit(E);
  if (E->isGLValue() && !isa<MaterializeTemporaryExpr>(E))
    Found.Elsewhere |= U;
}

// Pointer arithmetic and casts keep to the object that the pointer leads to.
// That object is known if the pointer is a parameter of the kernel, an array
// that decays, or the address of a variable; else it is Elsewhere.
void EffectWalker::accessPointee(const Expr *E, Use U) {
  E = E->IgnoreParens();
  while (const auto *Cast = dyn_cast<CastExpr>(E)) {
    if (Cast->getCastKind() == CK_ArrayToPointerDecay)
      return access(Cast->getSubExpr(), U);
    if (Cast->getCastKind() != CK_BitCast && Cast->getCastKind() != CK_NoOp)
      break;
    E = Cast->getSubExpr()->IgnoreParens();
  }
  if (const auto *Op = dyn_cast<BinaryOperator>(E); Op && Op->isAdditiveOp()) {
    const bool IsLeft = Op->getLHS()->getType()->isPointerType();
    visit(IsLeft ? Op->getRHS() : Op->getLHS());
    return accessPointee(IsLeft ? Op->getLHS() : Op->getRHS(), U);
  }
  if (const auto *Op = dyn_cast<UnaryOperator>(E);
      Op && Op->getOpcode() == UO_AddrOf)
    return access(Op->getSubExpr(), U);
  visit(E);
  const auto *Ref = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
  const auto *Parameter = Ref ? dyn_cast<ParmVarDecl>(Ref->getDecl()) : nullptr;
  if (Parameter && Parameter->getParentFunctionOrMethod() == Kernel &&
      Parameter->getType()->isPointerType())
    Found.Pointees[Parameter] |= U;
  else
    Found.Elsewhere |= U;
}

} // namespace cudaopt
