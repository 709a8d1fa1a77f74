// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The proof that one array can be overwritten by another one in place. Arrays
/// that are live in the same barrier interval interfere. Still they may share
/// bytes without a further barrier, both beginning at the same byte, if in that
/// interval the one dies while the other is born, and each thread overwrites
/// only what it alone has read:
///
/// \verbatim
///   b[t] = f(a[t]);       // the last use of a, the first use of b:
///   __syncthreads();      // b may be stored in the bytes of a
/// \endverbatim
///
/// isl proves that
///
/// \verbatim
///   { (t, i) -> (t', j) : iteration i of thread t accesses a byte of the array
///     that dies, and iteration j of thread t' one at the same place in the
///     array that is born, between the same barriers }
///     is a subset of { (t, i) -> (t, j) : i before j }
/// \endverbatim
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_PASSES_STORAGE_INPLACEPROOF_H
#define CUDAOPT_LIB_PASSES_STORAGE_INPLACEPROOF_H

#include "ReuseProblem.h"

namespace cudaopt {

/// The result for two arrays that interfere.
struct InPlaceResult {
  /// False if in some interval with both neither of them dies: then there is
  /// nothing to prove.
  bool IsCandidate = false;
  std::optional<Refusal> Refused; ///< Why the proof fails, if it does.
  /// The array that dies, in the interval that was looked at last.
  VariableId Dying = 0;
  bool isProved() const { return IsCandidate && !Refused; }
};

/// Tries to prove that \p A and \p B, which interfere in \p I, may begin at the
/// same byte: in every barrier interval, each byte that both have is accessed
/// by one thread only, and by that thread first as the dying array and then as
/// the other one.
InPlaceResult proveInPlace(const Kernel &K, const ReuseInstance &I,
                           VariableId A, VariableId B);

} // namespace cudaopt

#endif // CUDAOPT_LIB_PASSES_STORAGE_INPLACEPROOF_H
