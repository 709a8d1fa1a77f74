// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The objective function of shared-reuse: what a storage, together with the
/// layouts of the arrays, is worth, and the two orders by which it is compared.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_PASSES_STORAGE_STORAGEWORTH_H
#define CUDAOPT_LIB_PASSES_STORAGE_STORAGEWORTH_H

#include "cudaopt/Passes/Passes.h"

namespace cudaopt {

/// The worth of a storage. Figures are sums over the instances (and over usual
/// sizes of the block for instances where that is not known).
struct StorageWorth {
  /// The number of instances whose static memory no compiler accepts.
  unsigned NumTooLarge = 0;
  uint64_t Blocks = 0;   ///< The blocks that fit on a multiprocessor.
  uint64_t CarveOut = 0; ///< The bytes that shared memory takes from L1.
  uint64_t Bytes = 0;    ///< The static memory of a block.
  /// True if some instance needs more bytes than it may, or if some array loses
  /// the alignment on which wide accesses rely.
  bool Loses = false;
  /// The number of arrays whose layout does not pay for as few warps as fit
  /// with this storage.
  unsigned NumWaiting = 0;
  double Wavefronts = 0; ///< The counted wavefronts of a block.
  double Charge = 0;     ///< The sum of LayoutDecision::Charge.

  /// Returns true if a change of the text from a storage that is worth \p Old
  /// to this one pays.
  bool isWorthMore(const StorageWorth &Old, ReuseChoice Wanted) const;
  /// Compares two combinations of layouts, each with its best storage. Returns
  /// true if this one is better. Unlike isWorthMore, it also breaks ties: fewer
  /// added instructions are better, or with \c ReuseChoice::Bytes fewer bytes.
  bool isBetterThan(const StorageWorth &Other, ReuseChoice Wanted) const;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_PASSES_STORAGE_STORAGEWORTH_H
