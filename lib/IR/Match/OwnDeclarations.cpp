// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Lists the user's declarations.
//===----------------------------------------------------------------------===//

#include "cudaopt/IR/OwnDeclarations.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

bool cudaopt::isOfSystem(const Decl *D) {
  const SourceManager &SM = D->getASTContext().getSourceManager();
  return SM.isInSystemHeader(SM.getExpansionLoc(D->getLocation()));
}

std::vector<Decl *> cudaopt::listOwnDeclarations(const ASTContext &Context) {
  std::vector<Decl *> Own;
  for (Decl *D : Context.getTranslationUnitDecl()->noload_decls())
    if (!isOfSystem(D))
      Own.push_back(D);
  return Own;
}
