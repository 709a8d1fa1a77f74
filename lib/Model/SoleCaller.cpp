// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Checks every mention of a function in the translation unit.
//===----------------------------------------------------------------------===//

#include "cudaopt/Model/SoleCaller.h"

#include "cudaopt/Model/CallTable.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace cudaopt {

namespace {

/// Collects the expressions that name the callees in a body.
class CalleeNameFinder : public DynamicRecursiveASTVisitor {
public:
  bool VisitCallExpr(CallExpr *Call) override {
    Found.insert(Call->getCallee()->IgnoreParenImpCasts());
    return true;
  }
  llvm::DenseSet<const Expr *> Found;
};

} // namespace

static bool isOneFunction(const FunctionDecl *Function) {
  return Function->getTemplatedKind() == FunctionDecl::TK_NonTemplate &&
         !isa<CXXMethodDecl>(Function) &&
         Function->getDeclContext()->getRedeclContext()->isFileContext();
}

std::optional<Blocker> findOtherCaller(const FunctionDecl *Function,
                                       const FunctionDecl *Kernel,
                                       ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  const std::string Name = Function->getNameAsString();
  const SourceLocation Loc = Function->getLocation();
  for (const FunctionDecl *Each : {Function, Kernel})
    if (!isOneFunction(Each))
      return Blocker{
          Reason::NotEditable,
          "'" + Each->getNameAsString() + "' is a template or a member", Loc};
  if (!SM.isInMainFile(SM.getExpansionLoc(Loc)))
    return Blocker{Reason::FunctionInHeader, Name, Loc};
  if (isOpenToOthers(Function, Context.getLangOpts()))
    return Blocker{Reason::CalledElsewhere, Name, Loc};
  CalleeNameFinder Kernels;
  Kernels.TraverseStmt(Kernel->getBody());
  const CallTable Calls(Context, [](const FunctionDecl *) { return false; });
  for (const CallTable::Mention &M : Calls.mentionsOf(Function))
    if (!M.Ref || !Kernels.Found.contains(M.Ref))
      return Blocker{Reason::CalledElsewhere, Name, M.Loc};
  return std::nullopt;
}

} // namespace cudaopt
