// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The rules that restrict the plans of a kernel. They collect in one place
/// what has nothing to do with correctness of a transformation by itself: marks
/// in the source, headers that must not be edited, macros and inactive #if
/// regions, instances of templates, doubts about the parse, and refusals of
/// earlier candidates by the checks.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_DRIVER_PIPELINE_KERNELRULES_H
#define CUDAOPT_LIB_DRIVER_PIPELINE_KERNELRULES_H

#include "Parse/ParseDoubts.h"
#include "Parse/ParseFacts.h"
#include "cudaopt/Driver/Pipeline/Pipeline.h"
#include "cudaopt/Model/SourceMarks.h"
#include "cudaopt/Plan/PlanRules.h"

#include <map>
#include <optional>

namespace cudaopt {

/// What a check refuses about a candidate plan, and why.
struct PlanRefusal {
  enum class Part { Layout, Storage, Rewrite, All };
  Part Of = Part::All;
  /// For Part::Layout, the array; for Part::Rewrite, the index of the rewrite
  /// in the plan.
  unsigned Number = 0;
  /// For Part::All, the location is that of the array or of the kernel.
  Refusal Refused;
};

/// The facts about a file from which the rules of its kernels are derived.
struct RuleSources {
  const Options &Opts;
  const ParseFacts &Facts;
  const ParseDoubts &Doubts;
  const SourceMarks &Marks;
  const Reordering &Orders;
  clang::ASTContext &Context;

  /// Returns true if the device's compiler may turn quotients into products.
  bool approximates() const { return !Facts.Floats.DeviceApproximates.empty(); }
};

/// The rules of one kernel.
class KernelRules final : public PlanRules {
public:
  /// \p Index is the index of \p K in the report. All arguments must outlive
  /// the rules.
  KernelRules(const Kernel &K, size_t Index, const RuleSources &From);

  std::optional<Refusal> ofArray(ArrayId Array) const override;
  std::optional<Refusal> ofLayout(ArrayId Array,
                                  const Layout &New) const override;
  std::optional<Refusal> ofStorage(const Plan &P) const override;
  std::optional<Refusal> ofOrder(const OrderDecision &New) const override;
  bool isReordered() const override;
  /// Returns why \p Wanted, the rewrite at index \p Number of the plan, must
  /// not be made; std::nullopt if it may.
  std::optional<Refusal> ofRewrite(unsigned Number,
                                   const KernelRewrite &Wanted) const;

  /// Makes the refusal \p What a rule for all further plans.
  void add(PlanRefusal What);

private:
  std::optional<Refusal> ofText(clang::SourceLocation Loc) const;
  std::optional<Refusal> ofDoubts(clang::SourceLocation Loc) const;
  std::optional<Refusal> ofKernel() const;
  std::optional<Refusal> ofStorageText(const Plan &P) const;

  const Kernel &K;
  const size_t Index;
  const RuleSources &From;
  const std::optional<Refusal> OfInstances;
  std::optional<Refusal> All, Storage;
  std::map<ArrayId, Refusal> Layouts;
  /// Refused rewrites, by index in the plan.
  std::map<unsigned, Refusal> Rewrites;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_DRIVER_PIPELINE_KERNELRULES_H
