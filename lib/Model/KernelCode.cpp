// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Builds the two IR functions of a kernel on demand.
//===----------------------------------------------------------------------===//

#include "cudaopt/Model/KernelCode.h"

#include "clang/AST/Decl.h"

namespace cudaopt {

std::unique_ptr<ir::Function> KernelCode::build(bool DropsUnreachable) const {
  ir::BuildOptions Options;
  Options.KeepsEvaluations = true;
  Options.DropsUnreachable = DropsUnreachable;
  return ir::build(Decl, Decl->getASTContext(), Options);
}

ir::Function *KernelCode::live() {
  if (!Live)
    Live = build(/*DropsUnreachable=*/true);
  return Live.get();
}

ir::Function *KernelCode::whole() {
  if (!Whole)
    Whole = build(/*DropsUnreachable=*/false);
  return Whole.get();
}

} // namespace cudaopt
