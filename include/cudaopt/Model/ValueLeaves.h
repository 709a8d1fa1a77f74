// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What values depend on. Each value is looked at once, however often it is
/// used: chains of locals stay linear.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_MODEL_VALUELEAVES_H
#define CUDAOPT_MODEL_VALUELEAVES_H

#include "cudaopt/Model/ValueGraph.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <array>
#include <vector>

namespace cudaopt {

/// What a value depends on.
struct Leaves {
  std::array<bool, 3> Blocks = {};
  bool HasThread = false, HasParameter = false;
  llvm::SmallVector<LoopId, 4> Loops;

  /// True if nothing but iterators decides the value.
  bool areLoopsOnly() const {
    return !HasThread && !HasParameter && !Blocks[0] && !Blocks[1] &&
           !Blocks[2];
  }
};

/// Returns, by ValueId, which values may have a number, as Evaluator computes
/// them: most have none if an operand has none.
std::vector<bool> findNumbers(const ValueGraph &Graph);

/// Finds what \p Roots depend on; with \p Numbers, only through values that
/// have one there.
Leaves findLeaves(const ValueGraph &Graph, llvm::ArrayRef<ValueId> Roots,
                  const std::vector<bool> *Numbers = nullptr);

} // namespace cudaopt

#endif // CUDAOPT_MODEL_VALUELEAVES_H
