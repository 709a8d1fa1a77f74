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
#include "cudaopt/Support/Nodes.h"

#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;
using llvm::StringRef;

namespace cudaopt {
namespace {

/// Decides whether each name and piece of text of a function means the same in
/// a copy.
class CopyCheck {
public:
  CopyCheck(const FunctionDecl *F, const HostLoop &L, const ASTContext &Context)
      : F(F), Context(Context), SM(Context.getSourceManager()),
        Scope(L.Function->getEnclosingNamespaceContext()) {}

  bool accepts(const DynTypedNode &N) const {
    if (const NamedDecl *Type = findNamedType(N))
      return findsSame(Type);
    const auto *S = N.get<Stmt>();
    if (!S)
      return true;
    const auto *Use = dyn_cast<DeclRefExpr>(S);
    const auto *Call = dyn_cast<CallExpr>(S);
    return isWritten(S->getBeginLoc()) && isWritten(S->getEndLoc()) &&
           (!Use || acceptsName(Use)) && (!Call || acceptsCall(Call));
  }

private:
  bool acceptsName(const DeclRefExpr *Use) const;
  bool acceptsCall(const CallExpr *Call) const;
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

bool CopyCheck::acceptsName(const DeclRefExpr *Use) const {
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

bool CopyCheck::acceptsCall(const CallExpr *Call) const {
  // An argument of reference type would take the address of a global constant.
  return isMinMax(Call) || llvm::none_of(Call->arguments(), [&](const Expr *E) {
           const auto *Use =
               dyn_cast<DeclRefExpr>(E->IgnoreParenNoopCasts(Context));
           const auto *V = Use ? dyn_cast<VarDecl>(Use->getDecl()) : nullptr;
           return V && !V->isLocalVarDeclOrParm();
         });
}

/// Returns true if unqualified lookup of the name of \p D, in front of the
/// loop's function, finds \p D. The scopes are searched from that place
/// outwards; another declaration of the name in a scope on the way to that of
/// \p D hides it.
bool CopyCheck::findsSame(const NamedDecl *D) const {
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
  const CopyCheck Check(Definition, L, Context);
  bool IsSame = true;
  auto visit = [&](const DynTypedNode &N) {
    IsSame = IsSame && Check.accepts(N);
  };
  for (const ParmVarDecl *P : Definition->parameters()) {
    IsSame &= !P->hasInit();
    forEachNode(P, visit);
  }
  forEachNode(Definition->getBody(), visit);
  return IsSame;
}

namespace {

/// The names that functions use and do not declare themselves, and the
/// functions that they call.
struct UsedNames {
  std::vector<StringRef> Names;
  std::vector<const FunctionDecl *> Called;

  void add(const DynTypedNode &N) {
    const NamedDecl *Named = findNamedType(N);
    if (const auto *Use = N.get<DeclRefExpr>()) {
      const auto *V = dyn_cast<VarDecl>(Use->getDecl());
      if (!(V && V->isLocalVarDeclOrParm()) && !Use->hasQualifier())
        Named = Use->getDecl();
      if (const auto *F = dyn_cast<FunctionDecl>(Use->getDecl()))
        Called.push_back(F);
    }
    if (Named && Named->getDeclName().isIdentifier())
      Names.push_back(Named->getName());
  }
};

} // namespace

std::optional<StringRef> findNameOfCopies(const HostLoop &L,
                                          const llvm::StringSet<> &Members) {
  UsedNames Used;
  auto visit = [&](const DynTypedNode &N) { Used.add(N); };
  Used.Called.assign(L.Called.begin(), L.Called.end());
  for (const FunctionDecl *F : L.Copied) {
    Used.Names.push_back(F->getName());
    forEachNode(F->getBody(), visit);
    for (const ParmVarDecl *P : F->parameters())
      forEachNode(P, visit);
  }
  for (StringRef Name : Used.Names)
    if (Members.contains(Name))
      return Name;
  // A member of the struct hides all functions of its name from outside: what
  // calls one of these would then find the copy.
  auto isCopied = [&](const FunctionDecl *F) {
    const FunctionDecl *Definition = nullptr;
    return F->hasBody(Definition) && llvm::is_contained(L.Copied, Definition);
  };
  for (const FunctionDecl *Copy : L.Copied) {
    for (const FunctionDecl *F : Used.Called)
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
