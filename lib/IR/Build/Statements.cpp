// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Statements, declarations, and what constructors and destructors add.
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "clang/AST/Attr.h"
#include "clang/AST/RecordLayout.h"

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
    return opaque(S, "asm");
  // Control, which is in the graph.
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

void Lowering::lowerVariable(const clang::VarDecl *D, const clang::Stmt *At) {
  if (D->hasAttr<clang::CUDASharedAttr>() || D->hasExternalStorage())
    return;
  if (!D->hasLocalStorage()) {
    // A guard decides whether this is the first time.
    if (D->getInit() && !D->hasConstantInitialization())
      opaque(At, "static initialisation", {addressOf(D)}, Context.VoidTy);
    return;
  }
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

/// A member, or a base, of the object that is being constructed.
void Lowering::lowerInitializer(const clang::CXXCtorInitializer *I) {
  const clang::Expr *Init = I->getInit();
  const auto *Constructor = dyn_cast<clang::CXXConstructorDecl>(Now->Callee);
  if (!Constructor || !Init)
    return;
  const auto *Made = dyn_cast<clang::CXXConstructExpr>(Init);
  if (Made && Made->getConstructor()->isDefaultConstructor() &&
      Made->getConstructor()->isTrivial() &&
      !Made->requiresZeroInitialization())
    return; // What was there stays.
  const clang::CXXRecordDecl *Class = Constructor->getParent();
  const clang::FieldDecl *Field = I->getMember();
  const bool IsPlain =
      Field
          ? !Field->isBitField()
          : I->isBaseInitializer() && !I->isBaseVirtual() &&
                I->getBaseClass()->getAsCXXRecordDecl()->isTriviallyCopyable();
  if (!IsPlain || !Now->This) {
    opaque(Init, "initialiser", {get(Init), Now->This}, Context.VoidTy);
    return;
  }
  if (Field)
    return initialize(member(Now->This, Field), Field->getType(), Init);
  const uint64_t Bytes =
      Context.getASTRecordLayout(Class)
          .getBaseClassOffset(I->getBaseClass()->getAsCXXRecordDecl())
          .getQuantity();
  initialize(Builder.offset(Now->This,
                            Builder.literal(Bytes, Type::integer(true, 64))),
             clang::QualType(I->getBaseClass(), 0), Init);
}

void Lowering::lowerDestructor(const clang::CFGImplicitDtor &D) {
  const clang::CXXDestructorDecl *Callee = D.getDestructorDecl(Context);
  if (!Callee || Callee->isTrivial())
    return;
  Operation O;
  O.Why = Callee->getNameAsString();
  if (std::optional<clang::CFGAutomaticObjDtor> Variable =
          D.getAs<clang::CFGAutomaticObjDtor>()) {
    O.Operands.push_back(addressOf(Variable->getVarDecl()));
    O.Where = anchor(Variable->getTriggerStmt());
  } else if (std::optional<clang::CFGTemporaryDtor> Temporary =
                 D.getAs<clang::CFGTemporaryDtor>()) {
    if (const ValueId V = known(Temporary->getBindTemporaryExpr()))
      O.Operands.push_back(V);
  }
  if (Now->This)
    O.Operands.push_back(Now->This);
  appendOpaque(std::move(O));
}
