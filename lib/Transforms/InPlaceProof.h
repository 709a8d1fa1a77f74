// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Whether one array can be overwritten by another one in place: both begin at
/// the same byte, and no barrier stands between the reads of the one and the
/// writes of the other, as each thread overwrites only what it alone has read.
///
/// \verbatim
///   { (t, i) -> (t', j) : iteration i of thread t accesses a byte of the array
///     that dies, and iteration j of thread t' one at the same place in the
///     array that is born, between the same barriers }
///     is a subset of { (t, i) -> (t, j) : i before j }
/// \endverbatim
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_TRANSFORMS_INPLACEPROOF_H
#define CUDAOPT_LIB_TRANSFORMS_INPLACEPROOF_H

#include "ReuseProblem.h"

namespace cudaopt {

/// What is known of two arrays that are busy together.
struct InPlaceResult {
  /// False if somewhere neither of them dies where the other is born: then
  /// there is nothing to prove.
  bool IsCandidate = false;
  Blocker Why; ///< None if it is proved.
  /// In some interval, the one that dies.
  VariableId Dying = 0;
  bool isProved() const { return IsCandidate && Why.Why == Reason::None; }
};

/// Says of \p A and \p B, which interfere in \p I, whether each byte that both
/// have, counted from their beginnings, is accessed by one thread between two
/// barriers, and by that as the one array before it does as the other.
InPlaceResult proveInPlace(const Kernel &K, const ReuseInstance &I,
                           VariableId A, VariableId B);

} // namespace cudaopt

#endif // CUDAOPT_LIB_TRANSFORMS_INPLACEPROOF_H
