// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What values depend on.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_ANALYSIS_VALUELEAVES_H
#define CUDAOPT_LIB_ANALYSIS_VALUELEAVES_H

#include "cudaopt/Model/ValueGraph.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <array>
#include <vector>

namespace cudaopt {

/// What a value depends on.
struct Leaves {
  std::array<bool, 3> Blocks = {};
  llvm::SmallVector<LoopId, 4> Loops;
};

/// Returns, by ValueId, which values may have a number, as Evaluator computes
/// them: most have none if an operand has none.
std::vector<bool> findNumbers(const ValueGraph &Graph);

/// Finds what \p Roots depend on; with \p Numbers, only through values that
/// have one there.
Leaves findLeaves(const ValueGraph &Graph, llvm::ArrayRef<ValueId> Roots,
                  const std::vector<bool> *Numbers = nullptr);

} // namespace cudaopt

#endif // CUDAOPT_LIB_ANALYSIS_VALUELEAVES_H
