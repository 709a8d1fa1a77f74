// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Marks of the source on their way through the pipeline: they are read, the
/// user hears of those that say nothing, and no edit gets past them.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_FRONTEND_MARKCHECK_H
#define CUDAOPT_LIB_FRONTEND_MARKCHECK_H

#include "cudaopt/Model/SourceMarks.h"
#include "cudaopt/Report/Report.h"
#include "cudaopt/Rewrite/Edits.h"
#include "cudaopt/Transforms/Levelize.h"
#include "cudaopt/Transforms/Plan.h"
#include "cudaopt/Verify/Equivalence.h"

#include <list>
#include <memory>
#include <vector>

namespace cudaopt {

/// A kernel on its way through the stages.
struct PlannedKernel {
  Kernel &K;
  Plan P;
  std::optional<Verdict> Checked; ///< By the interpreter.
  std::optional<BeforeAfter<KernelResources>> Resources; ///< By nvcc.

  bool isRewritten() const { return P.isRewritten(); }
};

/// Reads the marks of the user's files. \p Filter is null, or outlives them.
std::unique_ptr<SourceMarks>
readMarks(clang::ASTContext &Context,
          llvm::ArrayRef<clang::SourceRange> Comments,
          const LineFilter *Filter);

/// Warns of marks that are misspelt, contradict each other, or mark nothing.
void checkMarks(clang::ASTContext &Context, const SourceMarks &Marks,
                llvm::ArrayRef<Kernel> Kernels);

/// Keeps the loops that are marked.
void keepMarkedLoops(const SourceMarks &Marks,
                     std::list<LevelizeDecision> &Loops);

/// What forbids the edits \p Order, which move statements of \p K.
std::optional<Blocker> findOrderMark(const Kernel &K, const Edits &Order,
                                     const SourceMarks &Marks);

/// Takes something back if an edit in \p All lies in text that shall stay.
/// Returns false if there is nothing to take back.
bool keepMarkedText(const SourceMarks &Marks, const Edits &All,
                    std::vector<PlannedKernel> &Kernels,
                    std::list<LevelizeDecision> &Loops);

} // namespace cudaopt

#endif // CUDAOPT_LIB_FRONTEND_MARKCHECK_H
