// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Turns host loops into calls of the runtime.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_REWRITE_LEVELIZEEDIT_H
#define CUDAOPT_REWRITE_LEVELIZEEDIT_H

#include "cudaopt/Rewrite/Edits.h"
#include "cudaopt/Transforms/Levelize.h"

namespace cudaopt {

/// Adds the edits of all loops that \p Decisions rewrite to \p All. A loop
/// whose text cannot be edited is kept, with a reason.
void rewriteLoops(std::list<LevelizeDecision> &Decisions,
                  const clang::ASTContext &Context, Edits &All);

/// The mark that would make an unmarked loop one that is rewritten, with
/// `EXTENT` where an extent is not known.
std::string proposeMark(const LevelizeDecision &D);

} // namespace cudaopt

#endif // CUDAOPT_REWRITE_LEVELIZEEDIT_H
