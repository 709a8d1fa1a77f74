// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Decides which functions can be copied. A copy is put behind the original:
/// whatever the text names means the same there, and all calls behind it can
/// name the copy.
//===----------------------------------------------------------------------===//

#include "FunctionCopies.h"

#include "cudaopt/Model/CallTable.h"
#include "cudaopt/Source/SourceText.h"
#include "cudaopt/Support/Nodes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclFriend.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using llvm::StringRef;

namespace cudaopt {

/// Returns true if \p Function has static or shared variables: a copy of it
/// would have its own.
static bool hasLastingVariable(const FunctionDecl *Function) {
  return llvm::any_of(
      nodesIn<VarDecl>(Function->getBody()), [](const VarDecl *Var) {
        return Var->isStaticLocal() || Var->hasAttr<CUDASharedAttr>();
      });
}

static bool isSpecialised(const FunctionDecl *Written) {
  if (Written->getTemplateSpecializationKind() == TSK_ExplicitSpecialization)
    return true;
  const FunctionTemplateDecl *Template =
      Written->getDescribedFunctionTemplate();
  return Template &&
         llvm::any_of(Template->specializations(),
                      [](const FunctionDecl *Each) {
                        return Each->getTemplateSpecializationKind() ==
                               TSK_ExplicitSpecialization;
                      });
}

/// Returns true if \p Written has no overloads, so that a copy with another
/// name is found wherever the original is.
static bool isOnlyOne(const FunctionDecl *Written) {
  const DeclContext *Scope = Written->getDeclContext();
  if (!Scope->isFileContext() ||
      !Written->getLexicalDeclContext()->Equals(Scope))
    return false;
  size_t Count = 0;
  for (const NamedDecl *Each : Scope->lookup(Written->getDeclName()))
    Count += !isa<TagDecl>(Each);
  return Count == 1;
}

/// Returns the function that \p D declares, or of which it declares a template;
/// null if it declares none.
static const FunctionDecl *asFunction(const Decl *D) {
  const auto *Friend = dyn_cast<FriendDecl>(D);
  const NamedDecl *Named =
      Friend ? Friend->getFriendDecl() : dyn_cast<NamedDecl>(D);
  return Named ? Named->getAsFunction() : nullptr;
}

static const DeclContext *asScope(const Decl *D) {
  if (const auto *Template = dyn_cast<ClassTemplateDecl>(D))
    return Template->getTemplatedDecl();
  return isa<NamespaceDecl, LinkageSpecDecl, ExportDecl, RecordDecl>(D)
             ? cast<DeclContext>(D)
             : nullptr;
}

/// Returns true if \p In, or a scope inside of it, declares another function
/// with the name of \p Written.
static bool declaresOther(const DeclContext *In, const FunctionDecl *Written) {
  return llvm::any_of(In->decls(), [&](const Decl *D) {
    const FunctionDecl *Other = asFunction(D);
    if (Other && Other->getDeclName() == Written->getDeclName() &&
        getWritten(Other)->getCanonicalDecl() != Written->getCanonicalDecl())
      return true;
    const DeclContext *Inside = asScope(D);
    return Inside && declaresOther(Inside, Written);
  });
}

bool isOverloaded(const FunctionDecl *Function) {
  return declaresOther(Function->getASTContext().getTranslationUnitDecl(),
                       getWritten(Function));
}

/// Returns what in the declaration of \p Written forbids a copy; empty if
/// nothing does.
static StringRef findObstacle(const FunctionDecl *Written) {
  if (Written->isExternC() || Written->hasAttr<AsmLabelAttr>())
    return "has a name for the linker";
  if (!isOnlyOne(Written))
    return "is overloaded";
  if (isSpecialised(Written))
    return "has explicit specialisations";
  if (Written->getFirstDecl() != Written->getMostRecentDecl())
    return "is declared more than once";
  if (hasLastingVariable(Written))
    return "has static variables";
  return "";
}

/// Returns what in the text of \p Written forbids a copy.
static std::optional<Refusal> findTextObstacle(const FunctionDecl *Written,
                                               const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  for (SourceLocation Loc : {Written->getLocation(), Written->getEndLoc()})
    if (Loc.isMacroID())
      return Refusal{
          Reason::InMacro,
          Lexer::getImmediateMacroName(Loc, SM, Context.getLangOpts()).str(),
          SM.getExpansionLoc(Loc)};
  if (!getCopiedRange(Written, Context))
    return Refusal{Reason::NoCopy,
                   "'" + Written->getNameAsString() +
                       "' contains preprocessor directives",
                   Written->getLocation()};
  return std::nullopt;
}

/// Returns why \p Call cannot call a copy.
static std::optional<Refusal> findCallObstacle(const FunctionUse::Call &Call,
                                               const FunctionDecl *Written,
                                               const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  SourceLocation Loc = Call.Callee->getLocation();
  if (Loc.isMacroID())
    return Refusal{
        Reason::InMacro,
        Lexer::getImmediateMacroName(Loc, SM, Context.getLangOpts()).str(),
        SM.getExpansionLoc(Loc)};
  auto refuse = [&](const char *Why) {
    return Refusal{Reason::NoCopy,
                   "'" + Written->getNameAsString() + "' " + Why, Loc};
  };
  if (!StringRef(SM.getCharacterData(Loc)).starts_with(Written->getName()))
    return refuse("is called by another name");
  if (SM.getFileID(Loc) != SM.getFileID(Written->getEndLoc()) ||
      SM.getFileOffset(Loc) < SM.getFileOffset(Written->getEndLoc()))
    return refuse("is defined behind this call");
  const NamedDecl *Found = Call.Callee->getFoundDecl();
  if (isa<UsingShadowDecl>(Found))
    return refuse("is named by a using-declaration");
  return std::nullopt;
}

/// Returns true if use \p Id may run itself, or another use of the same text.
static bool callsItself(llvm::ArrayRef<FunctionUse> Uses, FunctionUseId Id) {
  const FunctionDecl *Written = getWritten(Uses[Id].Function);
  llvm::SetVector<FunctionUseId> Callers;
  Callers.insert(Id);
  for (size_t I = 0; I != Callers.size(); ++I)
    for (const FunctionUse::Call &Call : Uses[Callers[I]].Calls) {
      if (!Call.Caller)
        continue;
      if (getWritten(Uses[*Call.Caller].Function) == Written)
        return true;
      Callers.insert(*Call.Caller);
    }
  return false;
}

std::optional<Refusal> findCopyRefusal(llvm::ArrayRef<FunctionUse> Uses,
                                       FunctionUseId Id,
                                       const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  const FunctionDecl *Written = getWrittenDefinition(Uses[Id].Function);
  const std::string Name = Uses[Id].Function->getNameAsString();
  if (!SM.isInMainFile(SM.getExpansionLoc(Written->getLocation())))
    return Refusal{Reason::FunctionInHeader, Name, Written->getLocation()};
  if (callsItself(Uses, Id))
    return Refusal{Reason::RecursiveFunction, Name, Written->getLocation()};
  if (StringRef Why = findObstacle(Written); !Why.empty())
    return Refusal{Reason::NoCopy, ("'" + Name + "' " + Why).str(),
                   Written->getLocation()};
  if (std::optional<Refusal> R = findTextObstacle(Written, Context))
    return R;
  for (const FunctionUse::Call &Call : Uses[Id].Calls)
    if (std::optional<Refusal> R = findCallObstacle(Call, Written, Context))
      return R;
  return std::nullopt;
}

} // namespace cudaopt
