// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Marks of the source on their way through the pipeline: they are read, the
/// user hears of those that say nothing, and no edit gets past them.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_FRONTEND_MARKCHECK_H
#define CUDAOPT_LIB_FRONTEND_MARKCHECK_H

#include "cudaopt/Model/SourceMarks.h"
#include "cudaopt/Rewrite/Edits.h"
#include "cudaopt/Transforms/Levelize.h"

#include <memory>
#include <optional>

namespace cudaopt {

/// Reads the marks of the user's files. \p Filter is null, or outlives them.
std::unique_ptr<SourceMarks>
readMarks(clang::ASTContext &Context,
          llvm::ArrayRef<clang::SourceRange> Comments,
          const LineFilter *Filter);

/// Warns of marks that are misspelt, contradict each other, or mark nothing.
void checkMarks(clang::ASTContext &Context, const SourceMarks &Marks,
                llvm::ArrayRef<Kernel> Kernels);

/// What keeps the pass levelize away from the loop of \p D.
std::optional<Blocker> findLoopMark(const LevelizeDecision &D,
                                    const SourceMarks &Marks);

/// The first mark that forbids an edit of \p All.
std::optional<Blocker> findMarkedEdit(const Edits &All,
                                      const SourceMarks &Marks);

} // namespace cudaopt

#endif // CUDAOPT_LIB_FRONTEND_MARKCHECK_H
