// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The cache of analyses of one kernel that several passes need. Each analysis
/// is computed when a pass first asks for it, and serves all candidates for the
/// kernel's plan.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_PASSES_KERNELANALYSES_H
#define CUDAOPT_PASSES_KERNELANALYSES_H

#include "cudaopt/Machine/KernelWork.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>

namespace cudaopt {

struct Kernel;
struct KernelInstance;
class ReuseProblem;

/// The analyses of one kernel. There is no invalidation: plans are values
/// beside the kernel, which does not change.
class KernelAnalyses {
public:
  /// Counts the work of a block of an instance as the user wrote it;
  /// std::nullopt if that is not known.
  using WorkSource =
      std::function<std::optional<KernelWork>(const KernelInstance &)>;

  /// \p K must outlive the analyses and must not change. Without a source, the
  /// work of blocks is not known.
  explicit KernelAnalyses(const Kernel &K, WorkSource Source = {});
  ~KernelAnalyses();

  /// Returns the live ranges and the interference of the `__shared__`
  /// variables, with every variable stored as in the source.
  const ReuseProblem &storage();

  /// Returns the work of a block of \p I as the user wrote it; std::nullopt if
  /// that is not known.
  const std::optional<KernelWork> &work(const KernelInstance &I);

private:
  const Kernel &K;
  std::unique_ptr<const ReuseProblem> Storage;
  const WorkSource Source;
  std::map<const KernelInstance *, std::optional<KernelWork>> Works;
};

} // namespace cudaopt

#endif // CUDAOPT_PASSES_KERNELANALYSES_H
