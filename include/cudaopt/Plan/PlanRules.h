// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The rules that restrict what passes may decide about a kernel, whatever it
/// would gain: the author's marks, text that cannot be edited, and what a later
/// stage found wrong with an earlier candidate.
///
/// A plan is never changed once it is made. Passes ask the rules before they
/// decide. If a later stage refuses a plan, the refusal becomes a rule under
/// which the kernel is planned again:
///
/// \verbatim
///   candidates -> legal -> checked -> judged -> the first that survives
///   passes        rules    Verify,    --verify=machine,
///                          code       nvcc
/// \endverbatim
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_PLAN_PLANRULES_H
#define CUDAOPT_PLAN_PLANRULES_H

#include "cudaopt/Plan/Plan.h"

namespace cudaopt {

/// The rules of one kernel. This base class allows everything. Each question
/// returns the reason against the change; std::nullopt if it is allowed.
class PlanRules {
public:
  virtual ~PlanRules();

  /// Why \p Array must keep its layout, whatever the new one would be.
  virtual std::optional<Refusal> ofArray(ArrayId Array) const;
  /// Why \p Array must not get the layout \p New; another one may be allowed.
  virtual std::optional<Refusal> ofLayout(ArrayId Array,
                                          const Layout &New) const;
  /// Why the storage that \p P plans must not be made.
  virtual std::optional<Refusal> ofStorage(const Plan &P) const;
  /// Why the statements must not get the order \p New.
  virtual std::optional<Refusal> ofOrder(const OrderDecision &New) const;
  /// Returns true if the text that is planned has been reordered already.
  virtual bool isReordered() const;
};

} // namespace cudaopt

#endif // CUDAOPT_PLAN_PLANRULES_H
