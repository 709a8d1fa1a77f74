// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Has those who can run or compile a text judge the rewrites of a file: the
/// interpreter (--verify=machine), and nvcc (--verify-resources).
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_FRONTEND_REWRITEREVIEW_H
#define CUDAOPT_LIB_FRONTEND_REWRITEREVIEW_H

#include "PlanSequence.h"
#include "cudaopt/Frontend/Pipeline.h"

namespace cudaopt {

class RewriteReview {
public:
  /// All arguments outlive the review.
  RewriteReview(const Options &Opts, const RewriteJudges &Judges,
                const Reordering &Orders, const Target &T,
                clang::ASTContext &Context)
      : Opts(Opts), Judges(Judges), Orders(Orders), T(T), Context(Context) {}

  /// Returns what of \p Kernels does not pass; \p Result has their edits, and
  /// gets what is to be said. What was judged once is not judged again.
  std::vector<KernelRefusal> judge(std::vector<PlannedKernel> &Kernels,
                                   PipelineResult &Result) const;

private:
  std::vector<KernelRefusal> checkOnMachine(std::vector<PlannedKernel> &Kernels,
                                            PipelineResult &Result) const;
  std::vector<KernelRefusal>
  compareResources(std::vector<PlannedKernel> &Kernels,
                   PipelineResult &Result) const;

  const Options &Opts;
  const RewriteJudges &Judges;
  const Reordering &Orders;
  const Target &T;
  clang::ASTContext &Context;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_FRONTEND_REWRITEREVIEW_H
