// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Turns host loops into calls of the runtime.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_REWRITE_LEVELIZEEDIT_H
#define CUDAOPT_REWRITE_LEVELIZEEDIT_H

#include "cudaopt/Rewrite/Edits.h"
#include "cudaopt/Transforms/Levelize.h"

#include <map>
#include <string>

namespace cudaopt {

/// Adds the edits of all loops that \p Decisions rewrite to \p All. A loop
/// whose text cannot be edited is kept, with a reason. \p Macros are the names
/// that the program defines, and where: those that headers may use as names of
/// their own (`max`, `T`, `status`) are hidden from the runtime's.
void rewriteLoops(std::list<LevelizeDecision> &Decisions,
                  const std::map<std::string, clang::SourceLocation> &Macros,
                  const clang::ASTContext &Context, Edits &All);

/// The mark that would make an unmarked loop one that is rewritten, with
/// `EXTENT` where an extent is not known.
std::string proposeMark(const LevelizeDecision &D);

} // namespace cudaopt

#endif // CUDAOPT_REWRITE_LEVELIZEEDIT_H
