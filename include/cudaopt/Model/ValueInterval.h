// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Interval analysis of values: the cheap proof that a subscript stays in
/// bounds. isl is asked only where intervals do not suffice.
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

/// The integers x with Low <= x <= High; empty if Low > High.
struct Interval {
  int64_t Low = 0, High = 0;
};

/// Bounds values at one access, using the conditions that hold there.
class ValueIntervals {
public:
  ValueIntervals(const KernelInstance &Instance, const Access &A);

  /// Returns an interval that contains \p Id, as C computes it, in every thread
  /// and iteration that executes the access; std::nullopt if it may wrap, or no
  /// bound is found.
  std::optional<Interval> find(ValueId Id);

  /// Returns true if 0 <= \p Id < \p Extent is proved.
  bool isInRange(ValueId Id, uint64_t Extent);

private:
  /// A linear function of one iterator, Factor * i + Rest. C computes the same
  /// number as long as it is at most Max.
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
  /// Bounds that follow from the guards of the access and the tests of its
  /// loops.
  std::map<ValueId, Interval> Assumed;
  llvm::DenseMap<ValueId, std::optional<Interval>> Known;
  llvm::DenseSet<ValueId> InProgress;
};

} // namespace cudaopt

#endif // CUDAOPT_MODEL_VALUEINTERVAL_H
