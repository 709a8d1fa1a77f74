// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The leaves that values depend on. Each value is visited once, however often
/// it is used, so that chains of locals take linear time.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_MODEL_VALUELEAVES_H
#define CUDAOPT_MODEL_VALUELEAVES_H

#include "cudaopt/Model/ValueGraph.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <array>
#include <vector>

namespace cudaopt {

/// What a value depends on: dimensions of the block index, the thread index,
/// parameters, and loop iterators.
struct Leaves {
  std::array<bool, 3> Blocks = {};
  bool HasThread = false, HasParameter = false;
  llvm::SmallVector<LoopId, 4> Loops;

  /// Returns true if the value depends on nothing but iterators.
  bool areLoopsOnly() const {
    return !HasThread && !HasParameter && !Blocks[0] && !Blocks[1] &&
           !Blocks[2];
  }
};

/// Returns, indexed by ValueId, which values Evaluator may be able to compute.
/// Most operations need all operands; a logical operator or a selection may do
/// with one of two.
std::vector<bool> findNumbers(const ValueGraph &Graph);

/// Finds what \p Roots depend on. With \p Numbers, the result of findNumbers(),
/// values that cannot be computed are skipped.
Leaves findLeaves(const ValueGraph &Graph, llvm::ArrayRef<ValueId> Roots,
                  const std::vector<bool> *Numbers = nullptr);

} // namespace cudaopt

#endif // CUDAOPT_MODEL_VALUELEAVES_H
