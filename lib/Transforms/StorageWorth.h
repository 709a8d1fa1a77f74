// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What a storage, and the layouts of what is stored, are worth.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_TRANSFORMS_STORAGEWORTH_H
#define CUDAOPT_LIB_TRANSFORMS_STORAGEWORTH_H

#include "cudaopt/Transforms/Passes.h"

namespace cudaopt {

/// Summed over instances (and over usual sizes of the block where that is not
/// known).
struct StorageWorth {
  unsigned NumTooLarge = 0; ///< Whose static memory no compiler accepts.
  uint64_t Blocks = 0;      ///< On a multiprocessor.
  uint64_t CarveOut = 0;    ///< Bytes taken from the L1 cache.
  uint64_t Bytes = 0;
  /// Some instance needs more than before, or an array is moved off what wide
  /// accesses need.
  bool Loses = false;
  /// Arrays whose layout does not pay for as few warps as then fit.
  unsigned NumWaiting = 0;
  double Wavefronts = 0; ///< Of a block's accesses, as far as they are counted.
  double Charge = 0;     ///< See LayoutDecision.

  /// True if \p Old is worth less, so that a text may change for it.
  bool isWorthMore(const StorageWorth &Old, ReuseChoice Wanted) const;
  /// True if the layouts of \p Other are the worse ones where both are stored
  /// as well as they can be: at equal worth what adds fewer instructions is
  /// better, or with \c ReuseChoice::Bytes what takes fewer bytes.
  bool isBetterThan(const StorageWorth &Other, ReuseChoice Wanted) const;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_TRANSFORMS_STORAGEWORTH_H
