// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Intervals of values: the cheap proof that a subscript stays in bounds. isl
/// is asked only where they do not suffice.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_MODEL_VALUEINTERVAL_H
#define CUDAOPT_MODEL_VALUEINTERVAL_H

#include "cudaopt/Model/Kernel.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <limits>
#include <map>
#include <optional>

namespace cudaopt {

/// { x : Low <= x <= High }; empty if Low > High.
struct Interval {
  int64_t Low = 0, High = 0;
};

/// Bounds values wherever one access executes.
class ValueIntervals {
public:
  ValueIntervals(const KernelInstance &Instance, const Access &A);

  /// Returns an interval that holds \p Id, as C computes it, in every thread
  /// and iteration that executes the access; nothing if it may wrap or none is
  /// found.
  std::optional<Interval> find(ValueId Id);

  /// True if 0 <= \p Id < \p Extent is certain.
  bool isInRange(ValueId Id, uint64_t Extent);

private:
  /// A linear function of one iterator: Factor * i + Rest, as C computes it as
  /// long as it is at most Max.
  struct LinearForm {
    int64_t Factor = 0;
    Interval Rest;
    int64_t Max = std::numeric_limits<int64_t>::max();
  };

  void assume(ValueId Condition, bool Negated);
  void limit(ValueId Id, std::optional<int64_t> Low,
             std::optional<int64_t> High);
  std::optional<Interval> compute(const Value &V);
  std::optional<Interval> computeLeaf(const Value &V);
  std::optional<Interval> computeBinary(const Value &V);
  std::optional<Interval> computeIterator(LoopId Loop);
  std::optional<LinearForm> toLinear(ValueId Id, LoopId Loop);
  std::optional<LinearForm> computeLinear(const Value &V, LoopId Loop);
  bool dependsOn(ValueId Id, LoopId Loop) const;
  std::optional<int64_t> countIterations(ValueId Condition, LoopId Loop);

  const KernelInstance &Instance;
  const ValueGraph &Values;
  std::map<ValueId, Interval> Assumed; ///< By guards and tests of loops.
  llvm::DenseMap<ValueId, std::optional<Interval>> Known;
  llvm::DenseSet<ValueId> InProgress;
};

} // namespace cudaopt

#endif // CUDAOPT_MODEL_VALUEINTERVAL_H
