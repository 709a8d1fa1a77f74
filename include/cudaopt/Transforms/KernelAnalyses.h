// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Analyses of a kernel that several passes need: each is done once, when the
/// first of them asks, and serves all candidates for the kernel's plan.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_TRANSFORMS_KERNELANALYSES_H
#define CUDAOPT_TRANSFORMS_KERNELANALYSES_H

#include <memory>

namespace cudaopt {

struct Kernel;
class ReuseProblem;

class KernelAnalyses {
public:
  /// \p K outlives the analyses, and does not change.
  explicit KernelAnalyses(const Kernel &K);
  ~KernelAnalyses();

  /// The live ranges of the shared variables, as the source stores them.
  const ReuseProblem &storage();

private:
  const Kernel &K;
  std::unique_ptr<const ReuseProblem> Storage;
};

} // namespace cudaopt

#endif // CUDAOPT_TRANSFORMS_KERNELANALYSES_H
