// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds kernels, device callees, and host functions with loops.
//===----------------------------------------------------------------------===//

#include "Collector.h"
#include "cudaopt/IR/Match.h"

#include "clang/AST/Attr.h"

using namespace clang::ast_matchers;
using namespace cudaopt::ir;

/// Returns true for functions and instances of templates, not for patterns.
static bool isInstance(const clang::FunctionDecl &F) {
  return !F.isDependentContext() && !F.isInvalidDecl();
}

std::vector<const clang::FunctionDecl *>
cudaopt::ir::findKernels(clang::ASTContext &Context) {
  return collect<clang::FunctionDecl>(
      functionDecl(isDefinition(), hasAttr(clang::attr::CUDAGlobal))
          .bind(Found),
      Context, isInstance);
}

std::vector<const clang::FunctionDecl *>
cudaopt::ir::findDeviceCallees(clang::ASTContext &Context) {
  std::vector<const clang::FunctionDecl *> Called =
      collect<clang::FunctionDecl>(
          callExpr(callee(
              functionDecl(hasAttr(clang::attr::CUDADevice)).bind(Found))),
          Context, isInstance);
  std::vector<const clang::FunctionDecl *> Defined;
  for (const clang::FunctionDecl *F : Called)
    if (F->hasBody(F) && !llvm::is_contained(Defined, F))
      Defined.push_back(F);
  return Defined;
}

std::vector<const clang::FunctionDecl *>
cudaopt::ir::findLoopFunctions(clang::ASTContext &Context) {
  return collect<clang::FunctionDecl>(
      functionDecl(isDefinition(),
                   hasDescendant(stmt(anyOf(forStmt(), cxxForRangeStmt()))),
                   unless(hasAttr(clang::attr::CUDAGlobal)),
                   unless(hasAttr(clang::attr::CUDADevice)))
          .bind(Found),
      Context, isInstance);
}
