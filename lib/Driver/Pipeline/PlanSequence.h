// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The candidate plans of a kernel, best first: with storage and layouts that
/// were chosen for each other, with layouts alone, with fewer of them, and
/// unchanged. Each candidate is a value. A check that refuses the current one
/// turns its refusal into a rule, and the next candidate is planned under this
/// rule; since every step adds a rule, the sequence ends.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_DRIVER_PIPELINE_PLANSEQUENCE_H
#define CUDAOPT_LIB_DRIVER_PIPELINE_PLANSEQUENCE_H

#include "KernelRules.h"
#include "cudaopt/Equivalence/Equivalence.h"
#include "cudaopt/Passes/KernelAnalyses.h"
#include "cudaopt/Passes/Passes.h"

#include <memory>
#include <optional>

namespace cudaopt {

/// The sequence for one kernel.
class PlanSequence {
public:
  /// \p Index is the index of \p K in the report; the rules are derived from
  /// \p From. All references must outlive the sequence.
  PlanSequence(const Kernel &K, size_t Index, const Target &T,
               PassOptions Settings, const RuleSources &From,
               KernelAnalyses::WorkSource Work);

  /// Returns the best candidate that has not been dropped.
  const Plan &current() const { return Current; }
  /// Returns the analyses of the kernel, as far as they were asked for.
  KernelAnalyses &analyses() { return Analyses; }
  /// Drops the current candidate because of \p What, and plans the next one.
  void drop(PlanRefusal What);

private:
  void plan();
  void choose();

  const Kernel &K;
  const Target &T;
  const PassOptions Settings;
  const Options &Asked;
  KernelRules Rules;
  KernelAnalyses Analyses;
  Plan Apart;  ///< The plan with all variables stored as in the source.
  Plan Stored; ///< The plan with the storage that the passes want.
  Plan Current;
};

/// A kernel on its way through the pipeline.
struct PlannedKernel {
  const Kernel &K;
  std::unique_ptr<PlanSequence> Candidates;
  std::optional<Verdict> Checked = {}; ///< The interpreter's verdict.
  /// True if the text of the current candidate was counted, where it matters.
  bool IsCounted = false;
  /// True if the registers of the current candidate cost no block, whatever the
  /// original takes.
  bool FitsAnyway = false;
  /// The resources that nvcc reports.
  std::optional<BeforeAfter<KernelResources>> Resources = {};

  const Plan &plan() const { return Candidates->current(); }
  bool isRewritten() const { return plan().isRewritten(); }
};

/// A refusal of the plan of one of several kernels.
struct KernelRefusal {
  PlannedKernel *Kernel;
  PlanRefusal What;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_DRIVER_PIPELINE_PLANSEQUENCE_H
