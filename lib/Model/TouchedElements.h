// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The elements that the threads of a block touch with one access, by going
/// through all threads and iterations.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_TOUCHEDELEMENTS_H
#define CUDAOPT_LIB_MODEL_TOUCHEDELEMENTS_H

#include "cudaopt/Model/SharedProgram.h"

#include "llvm/ADT/DenseSet.h"

namespace cudaopt {

struct TouchedElements {
  ElementSet May;  ///< Of any thread, in any iteration.
  ElementSet Must; ///< Of all threads together, each time.
  /// True if some thread is seen to leave the array, or a row of it.
  bool Leaves = false;
};

class ElementCounter {
public:
  /// \p Budget points may be evaluated in all.
  explicit ElementCounter(const KernelInstance &Instance,
                          uint64_t Budget = 4'000'000)
      : Instance(Instance), Values(Instance.Values), Budget(Budget) {}

  /// Returns the elements that \p Pieces, all the accesses of one kind that one
  /// reference makes, touch together. \p Outer are the loops around the step
  /// that they are part of; if \p IsUnconditional, no condition stands between
  /// the step and them.
  TouchedElements find(llvm::ArrayRef<const Access *> Pieces,
                       const llvm::DenseSet<const clang::Stmt *> &Outer,
                       bool IsUnconditional);

private:
  class Enumeration;

  bool hasNumber(ValueId Id) const {
    return !Values.dependsOnParameter(Id) && !Values.dependsOnBlock(Id);
  }

  bool spend() { return Budget != 0 && --Budget != 0; }

  const KernelInstance &Instance;
  const ValueGraph &Values;
  uint64_t Budget;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_TOUCHEDELEMENTS_H
