// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Turns host loops into calls of the levelize runtime:
///
///     for (int i = 0; i < n; ++i)         if (... !cudaopt::run_loop(...)) {
///       x[idx[i]] += v[i];                  for (int i = 0; i < n; ++i)
///                                             x[idx[i]] += v[i];
///                                         }
///
/// The struct that describes the loop to the runtime is written in front of the
/// function. The original loop stays as the fallback.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_REWRITE_LEVELIZE_LEVELIZEEDIT_H
#define CUDAOPT_REWRITE_LEVELIZE_LEVELIZEEDIT_H

#include "cudaopt/Plan/LoopDecision.h"
#include "cudaopt/Source/Edits.h"

#include <map>
#include <string>
#include <vector>

namespace cudaopt {

/// Adds the edits of the loops \p Wanted to \p All. Returns, for each loop, why
/// its text cannot be edited (it gets no edit then), or std::nullopt. \p Macros
/// are the names that the program defines, and where: those that headers may
/// use as names of their own (`max`, `T`, `status`) are hidden from the
/// runtime's headers.
std::vector<std::optional<Refusal>>
rewriteLoops(llvm::ArrayRef<const LevelizeDecision *> Wanted,
             const std::map<std::string, clang::SourceLocation> &Macros,
             const clang::ASTContext &Context, Edits &All);

/// Returns the mark that would make an unmarked loop one that is rewritten,
/// with `EXTENT` where an extent is not known.
std::string proposeMark(const LevelizeDecision &D);

} // namespace cudaopt

#endif // CUDAOPT_REWRITE_LEVELIZE_LEVELIZEEDIT_H
