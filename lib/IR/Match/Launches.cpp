// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds launches of kernels.
//===----------------------------------------------------------------------===//

#include "Collector.h"
#include "cudaopt/IR/Match.h"

using namespace clang::ast_matchers;

std::vector<const clang::Expr *>
cudaopt::ir::findLaunches(clang::ASTContext &Context) {
  const auto Launches = hasAnyName(
      "cudaLaunchKernel", "cudaLaunchKernelEx", "cudaLaunchKernelExC",
      "cudaLaunchCooperativeKernel", "cuLaunchKernel", "cuLaunchKernelEx",
      "cuLaunchCooperativeKernel");
  return collect<clang::Expr>(
      expr(
          anyOf(cudaKernelCallExpr(), callExpr(callee(functionDecl(Launches)))))
          .bind(Found),
      Context, [](const clang::Expr &E) { return !E.isTypeDependent(); });
}
