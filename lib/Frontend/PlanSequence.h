// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The candidates for the plan of a kernel, one after the other, best first:
/// with the storage and the layouts that were chosen for each other, with the
/// layouts alone, with fewer of them, and as it is. Each is a value; the one
/// that is dropped becomes a rule, and the next one is planned under it.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_FRONTEND_PLANSEQUENCE_H
#define CUDAOPT_LIB_FRONTEND_PLANSEQUENCE_H

#include "KernelRules.h"
#include "cudaopt/Transforms/KernelAnalyses.h"
#include "cudaopt/Transforms/Passes.h"
#include "cudaopt/Verify/Equivalence.h"

#include <memory>
#include <optional>

namespace cudaopt {

class PlanSequence {
public:
  /// The rules of kernel \p K, the one at \p Index of the report, are those of
  /// \p From. All references outlive the sequence.
  PlanSequence(const Kernel &K, size_t Index, const Target &T,
               const PassOptions &Settings, const RuleSources &From);

  /// The best candidate that nobody has dropped.
  const Plan &current() const { return Current; }
  /// Drops the current candidate, because of \p Why.
  void drop(Refusal Why);

private:
  void plan();
  void choose();

  const Kernel &K;
  const Target &T;
  const PassOptions &Settings;
  const Options &Asked;
  KernelRules Rules;
  KernelAnalyses Analyses;
  Plan Apart;  ///< All variables are stored as in the source.
  Plan Stored; ///< With the storage that the passes want.
  Plan Current;
};

/// A kernel on its way through the stages.
struct PlannedKernel {
  const Kernel &K;
  std::unique_ptr<PlanSequence> Candidates;
  std::optional<Verdict> Checked = {}; ///< By the interpreter.
  std::optional<BeforeAfter<KernelResources>> Resources = {}; ///< By nvcc.

  const Plan &plan() const { return Candidates->current(); }
  bool isRewritten() const { return plan().isRewritten(); }
};

/// What is wrong with the plan of one of several kernels.
struct KernelRefusal {
  PlannedKernel *Kernel;
  Refusal Why;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_FRONTEND_PLANSEQUENCE_H
