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
};

class ElementCounter {
public:
  explicit ElementCounter(const KernelInstance &Instance)
      : Instance(Instance), Values(Instance.Values) {}

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
  uint64_t Budget = 4'000'000; ///< Points that may be evaluated.
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_TOUCHEDELEMENTS_H
