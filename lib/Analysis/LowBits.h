// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What a compiler can prove about the address of an access, so that it can
/// merge several into a wider one: the low bits, for the alignment, and which
/// executions differ by a constant, for adjacency.
///
/// \verbatim
///   s[4 * t + k], k an iterator of an unrolled loop
///     low bits:      4 * t: 2 known, 2 zero; 4 * t + k: 2 known
///     symbolic sum:  { hash of 4 * t, k }
/// \endverbatim
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_ANALYSIS_LOWBITS_H
#define CUDAOPT_LIB_ANALYSIS_LOWBITS_H

#include "cudaopt/Model/ValueGraph.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>

namespace cudaopt {

/// What is known about the low bits of a value in all executions of its code.
struct LowBits {
  static constexpr unsigned All = 64;
  /// The number of low bits that are the same in every execution; All if the
  /// value is a constant.
  unsigned Known;
  unsigned Zero; ///< The number of low bits that are 0; at most Known.
};

/// Finds low bits in code in which the loops \p Unrolled are unrolled, so that
/// their iterators are constants.
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

/// A value as the compiler sees it in one execution: the sum of an unknown
/// term, represented by a hash, and a constant. Two executions whose Unknown
/// are equal differ by a constant.
struct SymbolicSum {
  uint64_t Unknown = 0; ///< 0 if there is no unknown term.
  int64_t Number = 0;
  bool operator==(const SymbolicSum &) const = default;
};

/// Splits values into unknown term and constant. \p Numbers evaluates at the
/// execution in question. \p Iterators holds, by LoopId, what the iterators of
/// unrolled loops are; std::nullopt for the other loops.
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
