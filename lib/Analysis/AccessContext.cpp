// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds what surrounds accesses in the text.
//===----------------------------------------------------------------------===//

#include "AccessContext.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace cudaopt;

/// Adds the parents of all parts of \p S to \p Parents.
static void
addParents(const clang::Stmt *S,
           llvm::DenseMap<const clang::Stmt *, const clang::Stmt *> &Parents) {
  for (const clang::Stmt *Child : S->children())
    if (Child) {
      Parents[Child] = S;
      addParents(Child, Parents);
    }
}

const AccessContext::ParentMap &AccessContext::parents() const {
  if (Parents)
    return *Parents;
  Parents.emplace();
  llvm::SmallPtrSet<const clang::FunctionDecl *, 4> Functions = {Instance.Decl};
  for (const Access &A : Instance.Accesses)
    Functions.insert(A.Function);
  for (const clang::FunctionDecl *Function : Functions)
    if (Function && Function->getBody())
      addParents(Function->getBody(), *Parents);
  return *Parents;
}

/// Returns true if \p Parent executes its part \p Child under a condition.
static bool isBranch(const clang::Stmt *Child, const clang::Stmt *Parent) {
  if (const auto *If = llvm::dyn_cast<clang::IfStmt>(Parent))
    return Child != If->getCond();
  if (const auto *Select =
          llvm::dyn_cast<clang::AbstractConditionalOperator>(Parent))
    return Child != Select->getCond();
  if (const auto *Op = llvm::dyn_cast<clang::BinaryOperator>(Parent))
    return Op->isLogicalOp() && Child == Op->getRHS();
  return llvm::isa<clang::SwitchStmt>(Parent);
}

std::optional<bool>
AccessContext::isConditional(const clang::Expr *Ref,
                             const clang::Stmt *Ancestor) const {
  bool Conditional = false;
  const clang::Stmt *S = Ref;
  while (S != Ancestor) {
    const clang::Stmt *Parent = parents().lookup(S);
    if (!Parent)
      return std::nullopt;
    Conditional |= isBranch(S, Parent);
    S = Parent;
  }
  return Conditional;
}

bool AccessContext::isWidened(const clang::Expr *Ref) const {
  const bool IsClass = Ref->getType()->isRecordType();
  for (const clang::Stmt *S = parents().lookup(Ref); S;
       S = parents().lookup(S)) {
    if (const auto *Call = llvm::dyn_cast<clang::CallExpr>(S)) {
      const clang::FunctionDecl *Callee = Call->getDirectCallee();
      if (!IsClass || !Callee)
        return false;
      if (const auto *By = llvm::dyn_cast<clang::CXXConversionDecl>(Callee))
        return By->getParent()->getName() == "__nv_bfloat16";
      return Callee->getDeclName().isIdentifier() &&
             Callee->getName() == "__bfloat162float";
    }
    const auto *E = llvm::dyn_cast<clang::Expr>(S);
    if (!E)
      return false;
    // The promotion to int in front of a conversion to float is none for the
    // compiler.
    if (const auto *Cast = llvm::dyn_cast<clang::CastExpr>(E);
        Cast && Cast->getCastKind() == clang::CK_IntegralCast) {
      const auto *Next =
          llvm::dyn_cast_or_null<clang::CastExpr>(parents().lookup(Cast));
      return !Next || Next->getCastKind() != clang::CK_IntegralToFloating;
    }
    if (!IsClass && !llvm::isa<clang::CastExpr, clang::ParenExpr>(E))
      return false;
  }
  return false;
}
