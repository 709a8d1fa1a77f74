// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The elements that the threads of a block touch with one access, found by
/// enumerating all threads and iterations.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_TOUCHEDELEMENTS_H
#define CUDAOPT_LIB_MODEL_TOUCHEDELEMENTS_H

#include "cudaopt/Model/SharedProgram.h"

#include "llvm/ADT/DenseSet.h"

namespace cudaopt {

/// The elements touched by one execution of a step.
struct TouchedElements {
  ElementSet May;  ///< Touched by some thread in some iteration.
  ElementSet Must; ///< Touched by the threads together in each execution.
  /// True if some thread is seen to leave the array, or a row of it.
  bool Leaves = false;
};

/// Enumerates accesses of one instance, within a budget.
class ElementCounter {
public:
  /// \p Budget is the total number of points that may be evaluated.
  explicit ElementCounter(const KernelInstance &Instance,
                          uint64_t Budget = 4'000'000)
      : Instance(Instance), Values(Instance.Values), Budget(Budget) {}

  /// Returns the elements that \p Pieces touch together: all accesses of one
  /// kind that one reference makes. \p Outer are the loops around the step that
  /// they are part of; \p IsUnconditional says that no condition stands between
  /// the step and them.
  TouchedElements find(llvm::ArrayRef<const Access *> Pieces,
                       const llvm::DenseSet<const clang::Stmt *> &Outer,
                       bool IsUnconditional);

private:
  class Enumeration;

  bool hasNumber(ValueId Id) const {
    return !Values.dependsOnParameter(Id) && !Values.dependsOnBlock(Id);
  }

  bool spend() {
    if (Budget > 0)
      --Budget;
    return Budget != 0;
  }

  const KernelInstance &Instance;
  const ValueGraph &Values;
  uint64_t Budget;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_TOUCHEDELEMENTS_H
