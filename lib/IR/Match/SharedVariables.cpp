// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds `__shared__` variables.
//===----------------------------------------------------------------------===//

#include "Collector.h"
#include "cudaopt/IR/Match.h"

#include "clang/AST/Attr.h"

using namespace clang::ast_matchers;

std::vector<const clang::VarDecl *>
cudaopt::ir::findSharedVariables(clang::ASTContext &Context) {
  return collect<clang::VarDecl>(
      varDecl(hasAttr(clang::attr::CUDAShared)).bind(Found), Context,
      [](const clang::VarDecl &D) {
        return !D.getDeclContext()->isDependentContext();
      });
}
