// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Checks every mention of a function in the translation unit.
//===----------------------------------------------------------------------===//

#include "cudaopt/Model/SoleCaller.h"

#include "cudaopt/Model/CallTable.h"
#include "cudaopt/Support/Nodes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace cudaopt {

static bool isOneFunction(const FunctionDecl *Function) {
  return Function->getTemplatedKind() == FunctionDecl::TK_NonTemplate &&
         !isa<CXXMethodDecl>(Function) &&
         Function->getDeclContext()->getRedeclContext()->isFileContext();
}

std::optional<Refusal> findOtherCaller(const FunctionDecl *Function,
                                       const FunctionDecl *Kernel,
                                       ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  const std::string Name = Function->getNameAsString();
  const SourceLocation Loc = Function->getLocation();
  for (const FunctionDecl *Each : {Function, Kernel})
    if (!isOneFunction(Each))
      return Refusal{
          Reason::NotEditable,
          "'" + Each->getNameAsString() + "' is a template or a member", Loc};
  if (!SM.isInMainFile(SM.getExpansionLoc(Loc)))
    return Refusal{Reason::FunctionInHeader, Name, Loc};
  if (isOpenToOthers(Function, Context.getLangOpts()))
    return Refusal{Reason::CalledElsewhere, Name, Loc};
  llvm::DenseSet<const Expr *> Callees; // Named where they are called.
  for (const CallExpr *Call : nodesIn<CallExpr>(Kernel->getBody()))
    Callees.insert(Call->getCallee()->IgnoreParenImpCasts());
  const CallTable Calls(Context, [](const FunctionDecl *) { return false; });
  for (const CallTable::Mention &M : Calls.mentionsOf(Function))
    if (!M.Ref || !Callees.contains(M.Ref))
      return Refusal{Reason::CalledElsewhere, Name, M.Loc};
  return std::nullopt;
}

} // namespace cudaopt
