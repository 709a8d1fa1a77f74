// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HostPasses.h"

#include "cudaopt/Rewrite/LevelizeEdit.h"
#include "cudaopt/Transforms/Passes.h"

#include "clang/AST/ASTContext.h"

namespace cudaopt {

std::list<LevelizeDecision>
planHostLoops(const Options &Opts, const IslContext &Isl,
              clang::ASTContext &Context,
              llvm::ArrayRef<clang::SourceLocation> Errors,
              llvm::ArrayRef<HostPragma> Pragmas, const FloatingPoint &Floats) {
  for (const PassInfo &Pass : allPasses())
    if (!Pass.Run && Opts.runsPass(Pass.Name, Pass.OnByDefault))
      return planLevelize(Context, Isl, *parseLevelizeChoice(Opts.Levelize),
                          Errors, Pragmas, Floats);
  return {};
}

void reportHostLoops(const std::list<LevelizeDecision> &Loops,
                     const clang::ASTContext &Context, FileReport &Report) {
  for (const LevelizeDecision &D : Loops)
    Report.Loops.push_back(
        reportLoop(D, proposeMark(D), Context.getSourceManager()));
}

} // namespace cudaopt
