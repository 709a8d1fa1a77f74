// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Has the rewrites of a file judged by running or compiling them: by the
/// interpreter (--verify=machine) and by nvcc (--verify-resources).
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_DRIVER_PIPELINE_REWRITEREVIEW_H
#define CUDAOPT_LIB_DRIVER_PIPELINE_REWRITEREVIEW_H

#include "PlanSequence.h"
#include "cudaopt/Driver/Pipeline/Pipeline.h"

namespace cudaopt {

/// The review of one translation unit.
class RewriteReview {
public:
  /// All arguments must outlive the review.
  RewriteReview(const Options &Opts, const RewriteJudges &Judges,
                const Reordering &Orders, const Target &T,
                clang::ASTContext &Context)
      : Opts(Opts), Judges(Judges), Orders(Orders), T(T), Context(Context) {}

  /// Returns the refusals of \p Kernels that do not pass. \p Result holds their
  /// edits, and receives what is to be reported. Resources that were measured
  /// before are not measured again.
  std::vector<KernelRefusal> judge(std::vector<PlannedKernel> &Kernels,
                                   PipelineResult &Result) const;

private:
  std::vector<KernelRefusal> checkOnMachine(std::vector<PlannedKernel> &Kernels,
                                            PipelineResult &Result) const;
  std::vector<KernelRefusal> compareTimes(std::vector<PlannedKernel> &Kernels,
                                          PipelineResult &Result) const;
  bool needsResources(const PlannedKernel &Kernel) const;
  bool fitAnyway(std::vector<PlannedKernel> &Kernels,
                 const ResourceTable &After) const;
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

#endif // CUDAOPT_LIB_DRIVER_PIPELINE_REWRITEREVIEW_H
