// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What may not become of a kernel, whatever it would gain: the author's marks,
/// text that cannot be edited, and what a judge found to be wrong with an
/// earlier candidate.
///
/// A plan is never changed once it is made. Passes ask these rules before they
/// decide; what a stage refuses later becomes a rule, under which the kernel is
/// planned again:
///
/// \verbatim
///   candidates -> legal -> checked -> judged -> the first that survives
///   passes        rules    Verify,    --verify=machine,
///                          code       nvcc
/// \endverbatim
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_TRANSFORMS_PLANRULES_H
#define CUDAOPT_TRANSFORMS_PLANRULES_H

#include "cudaopt/Transforms/Plan.h"

namespace cudaopt {

/// True if there is nothing against what was asked.
inline bool isNone(const Blocker &Why) { return Why.Why == Reason::None; }

/// The rules of one kernel; this one allows everything. Each question has an
/// answer with reason None if there is nothing against it.
class PlanRules {
public:
  virtual ~PlanRules();

  /// Why \p Array has no other layout, whatever that would be.
  virtual Blocker ofArray(ArrayId Array) const;
  /// Why \p Array does not get \p New; another layout may be allowed.
  virtual Blocker ofLayout(ArrayId Array, const Layout &New) const;
  /// Why the storage of \p P stays as it is.
  virtual Blocker ofStorage(const Plan &P) const;
  /// Why the statements do not get the order \p New.
  virtual Blocker ofOrder(const OrderDecision &New) const;
  /// True if the text that is planned has another order of statements already.
  virtual bool isReordered() const;
};

} // namespace cudaopt

#endif // CUDAOPT_TRANSFORMS_PLANRULES_H
