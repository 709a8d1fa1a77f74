// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The passes that work on the loops of the host.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_FRONTEND_HOSTPASSES_H
#define CUDAOPT_LIB_FRONTEND_HOSTPASSES_H

#include "cudaopt/Frontend/Options.h"
#include "cudaopt/Report/Report.h"
#include "cudaopt/Transforms/Levelize.h"

namespace cudaopt {

/// Decides on the loops that \p Opts are about.
std::list<LevelizeDecision>
planHostLoops(const Options &Opts, const IslContext &Isl,
              clang::ASTContext &Context,
              llvm::ArrayRef<clang::SourceLocation> Errors,
              llvm::ArrayRef<HostPragma> Pragmas, const FloatingPoint &Floats);

/// Adds to \p Report what became of them.
void reportHostLoops(const std::list<LevelizeDecision> &Loops,
                     const clang::ASTContext &Context, FileReport &Report);

} // namespace cudaopt

#endif // CUDAOPT_LIB_FRONTEND_HOSTPASSES_H
