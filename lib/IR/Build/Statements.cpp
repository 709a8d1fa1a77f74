// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Lowers statements that are no expressions, declarations, and the
/// initialisers of constructors. Control flow is not lowered here: clang::CFG
/// has made it edges already (ControlFlow.cpp).
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "clang/AST/Attr.h"

using namespace cudaopt::ir;
using namespace llvm;

ValueId Lowering::lower(const clang::Stmt *S) {
  if (const auto *E = dyn_cast<clang::Expr>(S))
    return lowerExpression(E);
  switch (S->getStmtClass()) {
  case clang::Stmt::DeclStmtClass:
    lowerDeclarations(cast<clang::DeclStmt>(S));
    return 0;
  case clang::Stmt::ReturnStmtClass:
    lowerReturn(cast<clang::ReturnStmt>(S));
    return 0;
  case clang::Stmt::GCCAsmStmtClass:
    return lowerAssembly(cast<clang::GCCAsmStmt>(S));
  // Control flow, which the edges of the graph represent.
  case clang::Stmt::NullStmtClass:
  case clang::Stmt::CompoundStmtClass:
  case clang::Stmt::LabelStmtClass:
  case clang::Stmt::CaseStmtClass:
  case clang::Stmt::DefaultStmtClass:
  case clang::Stmt::AttributedStmtClass:
  case clang::Stmt::SwitchStmtClass:
  case clang::Stmt::IfStmtClass:
  case clang::Stmt::ForStmtClass:
  case clang::Stmt::WhileStmtClass:
  case clang::Stmt::DoStmtClass:
  case clang::Stmt::CXXForRangeStmtClass:
  case clang::Stmt::GotoStmtClass:
  case clang::Stmt::BreakStmtClass:
  case clang::Stmt::ContinueStmtClass:
  case clang::Stmt::CXXTryStmtClass:
  case clang::Stmt::CXXCatchStmtClass:
    return 0;
  default:
    return opaque(S, S->getStmtClassName());
  }
}

void Lowering::lowerDeclarations(const clang::DeclStmt *S) {
  for (const clang::Decl *D : S->decls())
    if (const auto *Variable = dyn_cast<clang::VarDecl>(D))
      lowerVariable(Variable, S);
}

/// Lowers the declaration of \p D. A scalar without an initialiser is stored an
/// undefined value, so that its old value (in a loop) is not live.
void Lowering::lowerVariable(const clang::VarDecl *D, const clang::Stmt *At) {
  if (D->hasAttr<clang::CUDASharedAttr>() || D->hasExternalStorage())
    return;
  if (D->isInvalidDecl()) {
    opaque(At, "error", {addressOf(D)}, Context.VoidTy);
    return;
  }
  if (!D->hasLocalStorage())
    return lowerStatic(D, At);
  if (D->getType()->isVariablyModifiedType()) {
    opaque(At, "variable length", {addressOf(D)}, Context.VoidTy);
    return;
  }
  if (D->getInit())
    return initialize(addressOf(D), D->getType(), D->getInit());
  if (isScalar(D->getType()))
    store(At, addressOf(D), Builder.undefined(typeOf(D->getType())),
          D->getType());
}

/// Initialises a static variable and sets its guard. The graph gets here only
/// if the guard is not set (see lowerGuard()).
void Lowering::lowerStatic(const clang::VarDecl *D, const clang::Stmt *At) {
  if (!D->getInit() || D->hasConstantInitialization())
    return;
  initialize(addressOf(D), D->getType(), D->getInit());
  store(At, Builder.address(guardOf(D)), Builder.literal(1, Type::boolean()),
        Context.BoolTy);
}

/// Returns the address of the member or base that \p I initialises;
/// std::nullopt for virtual bases.
std::optional<ValueId> Lowering::partOf(const clang::CXXCtorInitializer *I) {
  const auto *Constructor = dyn_cast<clang::CXXConstructorDecl>(Now->Callee);
  if (!Constructor || !Now->This)
    return std::nullopt;
  if (I->isDelegatingInitializer())
    return Now->This;
  if (I->isMemberInitializer())
    return member(Now->This, I->getMember());
  if (!I->isBaseInitializer() || I->isBaseVirtual())
    return std::nullopt;
  const clang::CXXRecordDecl *Class = Constructor->getParent();
  for (const clang::CXXBaseSpecifier &Base : Class->bases())
    if (Context.hasSameUnqualifiedType(Base.getType(),
                                       clang::QualType(I->getBaseClass(), 0)))
      return base(Now->This, Class, Base);
  return std::nullopt;
}

/// Initialises a member or a base of the object that is being constructed.
void Lowering::lowerInitializer(const clang::CXXCtorInitializer *I) {
  const clang::Expr *Init = I->getInit();
  if (!Init)
    return;
  const auto *Made = dyn_cast<clang::CXXConstructExpr>(Init);
  if (Made && Made->getConstructor()->isDefaultConstructor() &&
      Made->getConstructor()->isTrivial() &&
      !Made->requiresZeroInitialization())
    return; // A trivial default constructor leaves the memory as it is.
  const std::optional<ValueId> Part = partOf(I);
  if (!Part) {
    SmallVector<ValueId, 2> Operands = {get(Init), Now->This};
    erase(Operands, 0u);
    opaque(Init, "initialiser", Operands, Context.VoidTy);
    return;
  }
  const clang::FieldDecl *Field = I->getMember();
  if (Field && Field->isBitField())
    storeBits(Init, *Part, Field, get(Init));
  else
    initialize(*Part, Field ? Field->getType() : Init->getType(), Init);
}
