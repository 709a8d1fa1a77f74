// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The cache of analyses of one kernel that several passes need. Each analysis
/// is computed when a pass first asks for it, and serves all candidates for the
/// kernel's plan.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_PASSES_KERNELANALYSES_H
#define CUDAOPT_PASSES_KERNELANALYSES_H

#include <memory>

namespace cudaopt {

struct Kernel;
class ReuseProblem;

/// The analyses of one kernel. There is no invalidation: plans are values
/// beside the kernel, which does not change.
class KernelAnalyses {
public:
  /// \p K must outlive the analyses and must not change.
  explicit KernelAnalyses(const Kernel &K);
  ~KernelAnalyses();

  /// Returns the live ranges and the interference of the `__shared__`
  /// variables, with every variable stored as in the source.
  const ReuseProblem &storage();

private:
  const Kernel &K;
  std::unique_ptr<const ReuseProblem> Storage;
};

} // namespace cudaopt

#endif // CUDAOPT_PASSES_KERNELANALYSES_H
