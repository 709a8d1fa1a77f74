// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Derives the edits of a single layout by rewriting the array alone.
//===----------------------------------------------------------------------===//

#include "OwnEdits.h"

#include "cudaopt/Rewrite/RewriteKernel.h"

#include "clang/AST/ASTContext.h"
#include "llvm/ADT/STLExtras.h"

namespace cudaopt {

void addOwnEdits(const Kernel &K, const Plan &P, clang::ASTContext &Context,
                 std::vector<Finding> &Findings) {
  if (P.Reuse && P.Reuse->isRewritten())
    return;
  for (const auto &[Array, Decision] : P.Layouts) {
    const clang::SourceLocation Loc = K.Arrays[Array].Decl->getLocation();
    auto Told = llvm::find_if(Findings, [&](const Finding &F) {
      return F.What == diag::remark_layout_changed && F.Loc == Loc;
    });
    if (!Decision.isRewritten() || Told == Findings.end())
      continue;
    ArrayRewrite Alone = {K, Array, Decision.New};
    const Edits Own = rewriteArrays(Alone, Context);
    if (Alone.WhyNot.empty())
      Told->Edits = Own.byFile();
  }
}

} // namespace cudaopt
