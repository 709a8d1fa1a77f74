// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Decides whether a host function can be copied to another place of the file.
/// That is a question of name lookup: at the new place each name must find the
/// declaration that it found at the old one.
//===----------------------------------------------------------------------===//

#include "HostCopies.h"
#include "HostLoopBuilder.h"

#include "cudaopt/Source/SourceText.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;
using llvm::StringRef;

namespace cudaopt {
namespace {

/// Visits the body of a function and returns false at the first name or piece
/// of text that may mean something else in a copy.
class CopyVisitor : public DynamicRecursiveASTVisitor {
public:
  CopyVisitor(const FunctionDecl *F, const HostLoop &L,
              const ASTContext &Context)
      : F(F), Context(Context), SM(Context.getSourceManager()),
        Scope(L.Function->getEnclosingNamespaceContext()) {}

  bool VisitStmt(Stmt *S) override {
    return isWritten(S->getBeginLoc()) && isWritten(S->getEndLoc());
  }
  bool VisitDeclRefExpr(DeclRefExpr *Use) override {
    const NamedDecl *D = Use->getFoundDecl();
    if (const auto *V = dyn_cast<VarDecl>(Use->getDecl());
        V && V->isLocalVarDeclOrParm())
      return true;
    // A user's function is copied as well and becomes a member of the same
    // struct, where its unqualified name finds it.
    if (const auto *Callee = dyn_cast<FunctionDecl>(Use->getDecl());
        Callee && !SM.isInSystemHeader(Callee->getLocation()) &&
        Callee->getBuiltinID() == 0)
      return !Use->hasQualifier();
    // Device code may use the values of constants, but not their addresses.
    if (isa<VarDecl>(Use->getDecl()) && !isHostScalar(Use->getType()))
      return false;
    return Use->hasQualifier() ? D->isInStdNamespace() : findsSame(D);
  }
  bool VisitCallExpr(CallExpr *Call) override {
    // An argument of reference type would take the address of a global
    // constant.
    return isMinMax(Call) || llvm::none_of(Call->arguments(), [&](Expr *E) {
             const auto *Use =
                 dyn_cast<DeclRefExpr>(E->IgnoreParenNoopCasts(Context));
             const auto *V = Use ? dyn_cast<VarDecl>(Use->getDecl()) : nullptr;
             return V && !V->isLocalVarDeclOrParm();
           });
  }
  bool VisitTypedefTypeLoc(TypedefTypeLoc Loc) override {
    return findsSame(Loc.getDecl());
  }
  bool VisitUsingTypeLoc(UsingTypeLoc Loc) override {
    return findsSame(Loc.getDecl());
  }
  bool VisitTagTypeLoc(TagTypeLoc Loc) override {
    return findsSame(Loc.getDecl());
  }

private:
  bool isWritten(SourceLocation Loc) const {
    return Loc.isFileID() &&
           SM.getFileID(Loc) == SM.getFileID(F->getLocation());
  }
  bool findsSame(const NamedDecl *D) const;

  const FunctionDecl *F;
  const ASTContext &Context;
  const SourceManager &SM;
  const DeclContext *Scope;
};

} // namespace

/// Returns true if unqualified lookup of the name of \p D, in front of the
/// loop's function, finds \p D. The scopes are searched from that place
/// outwards; another declaration of the name in a scope on the way to that of
/// \p D hides it.
bool CopyVisitor::findsSame(const NamedDecl *D) const {
  const bool IsSystem = SM.isInSystemHeader(D->getLocation());
  const DeclContext *Home = D->getDeclContext()->getRedeclContext();
  if (const auto *Enum = dyn_cast<EnumDecl>(Home); Enum && !Enum->isScoped())
    Home = Enum->getDeclContext()->getRedeclContext();
  if (!Home->isFileContext())
    // A member: the type that it is looked up in is checked on its own.
    return IsSystem;
  for (const DeclContext *C = Scope->getRedeclContext(); C;
       C = C->getParent() ? C->getParent()->getRedeclContext() : nullptr) {
    if (C->Equals(Home))
      return true;
    for (const NamedDecl *Other : C->lookup(D->getDeclName()))
      if (!IsSystem || !SM.isInSystemHeader(Other->getLocation()))
        return false;
  }
  return IsSystem; // A using directive makes it visible.
}

bool canBeCopied(const FunctionDecl *Definition, const HostLoop &L,
                 const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  const FunctionDecl *Written = getWrittenDefinition(Definition);
  const SourceRange Range(Written->getLocation(), Written->getEndLoc());
  if (Range.getBegin().isMacroID() || Range.getEnd().isMacroID() ||
      !SM.isWrittenInSameFile(Range.getBegin(), Range.getEnd()) ||
      Definition->isConsteval() || !Definition->getDeclName().isIdentifier() ||
      // An explicit specialization of a member stands outside of its class.
      Definition->getTemplateSpecializationKind() ==
          TSK_ExplicitSpecialization ||
      Definition->getReturnType()->isReferenceType() ||
      (Written != Definition &&
       (Written->getReturnTypeSourceRange().isInvalid() ||
        Written->getReturnTypeSourceRange().getBegin().isMacroID())))
    return false;
  CopyVisitor Visitor(Definition, L, Context);
  for (ParmVarDecl *P : Definition->parameters())
    if (P->hasInit() || !Visitor.TraverseDecl(P))
      return false;
  return Visitor.TraverseStmt(Definition->getBody());
}

namespace {

/// Collects the names that a function uses and does not declare itself, and the
/// functions it calls.
class NameCollector : public DynamicRecursiveASTVisitor {
public:
  bool VisitDeclRefExpr(DeclRefExpr *Use) override {
    const auto *V = dyn_cast<VarDecl>(Use->getDecl());
    if (!(V && V->isLocalVarDeclOrParm()) && !Use->hasQualifier() &&
        Use->getDecl()->getDeclName().isIdentifier())
      Names.push_back(Use->getDecl()->getName());
    if (const auto *F = dyn_cast<FunctionDecl>(Use->getDecl()))
      Called.push_back(F);
    return true;
  }
  bool VisitTypedefTypeLoc(TypedefTypeLoc Loc) override {
    return add(Loc.getDecl());
  }
  bool VisitUsingTypeLoc(UsingTypeLoc Loc) override {
    return add(Loc.getDecl());
  }
  bool VisitTagTypeLoc(TagTypeLoc Loc) override { return add(Loc.getDecl()); }

  std::vector<StringRef> Names;
  std::vector<const FunctionDecl *> Called;

private:
  bool add(const NamedDecl *D) {
    if (D->getDeclName().isIdentifier())
      Names.push_back(D->getName());
    return true;
  }
};

} // namespace

std::optional<StringRef> findNameOfCopies(const HostLoop &L,
                                          const llvm::StringSet<> &Members) {
  NameCollector Collector;
  Collector.Called.assign(L.Called.begin(), L.Called.end());
  for (const FunctionDecl *F : L.Copied) {
    Collector.Names.push_back(F->getName());
    Collector.TraverseStmt(F->getBody());
    for (ParmVarDecl *P : F->parameters())
      Collector.TraverseDecl(P);
  }
  for (StringRef Name : Collector.Names)
    if (Members.contains(Name))
      return Name;
  // A member of the struct hides all functions of its name from outside: what
  // calls one of these would then find the copy.
  auto isCopied = [&](const FunctionDecl *F) {
    const FunctionDecl *Definition = nullptr;
    return F->hasBody(Definition) && llvm::is_contained(L.Copied, Definition);
  };
  for (const FunctionDecl *Copy : L.Copied) {
    for (const FunctionDecl *F : Collector.Called)
      if (F->getDeclName() == Copy->getDeclName() && !isCopied(F))
        return Copy->getName();
    for (const FunctionDecl *Other : L.Copied)
      if (Other->getDeclName() == Copy->getDeclName() &&
          !Other->getDeclContext()->getRedeclContext()->Equals(
              Copy->getDeclContext()->getRedeclContext()))
        return Copy->getName();
  }
  return std::nullopt;
}

} // namespace cudaopt
