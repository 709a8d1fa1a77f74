// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What a compiler can prove of the place of an access: its low bits, and which
/// executions differ by a constant.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_ANALYSIS_LOWBITS_H
#define CUDAOPT_LIB_ANALYSIS_LOWBITS_H

#include "cudaopt/Model/ValueGraph.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>

namespace cudaopt {

/// What is known of the low bits of a value wherever its code is executed.
struct LowBits {
  static constexpr unsigned All = 64;
  unsigned Known; ///< So many are the same each time; All: it is a constant.
  unsigned Zero;  ///< So many are 0; at most Known.
};

/// Finds low bits, for code in which the iterators of \p Unrolled are numbers.
class LowBitsFinder {
public:
  LowBitsFinder(const ValueGraph &Graph, llvm::ArrayRef<LoopId> Unrolled)
      : Graph(Graph), Unrolled(Unrolled) {}

  LowBits find(ValueId Id);

private:
  LowBits compute(const Value &V);
  LowBits computeBinary(const Value &V, LowBits A, LowBits B);

  const ValueGraph &Graph;
  llvm::ArrayRef<LoopId> Unrolled;
  llvm::DenseMap<ValueId, LowBits> Found;
};

/// A value as the compiler sees it in one execution: something that it does not
/// know, by a hash, plus a number.
struct SymbolicSum {
  uint64_t Unknown = 0; ///< 0: nothing.
  int64_t Number = 0;
  bool operator==(const SymbolicSum &) const = default;
};

/// Takes values apart. \p Numbers is at the execution; \p Iterators tells, by
/// LoopId, what the iterators of unrolled loops are, and nothing of the others.
class SymbolicEvaluator {
public:
  SymbolicEvaluator(const ValueGraph &Graph, Evaluator &Numbers,
                    llvm::ArrayRef<std::optional<SymbolicSum>> Iterators)
      : Graph(Graph), Numbers(Numbers), Iterators(Iterators) {}

  SymbolicSum evaluate(ValueId Id);

private:
  SymbolicSum compute(ValueId Id);

  const ValueGraph &Graph;
  Evaluator &Numbers;
  llvm::ArrayRef<std::optional<SymbolicSum>> Iterators;
  llvm::DenseMap<ValueId, SymbolicSum> Known;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_ANALYSIS_LOWBITS_H
