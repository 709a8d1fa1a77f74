// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Wavefront counts of one array in a block of one instance, for reports.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_PLAN_BLOCKCOUNT_H
#define CUDAOPT_PLAN_BLOCKCOUNT_H

#include "cudaopt/Machine/BankMap.h"
#include "cudaopt/Plan/Plan.h"

namespace cudaopt {

/// How well the shape of an instance's block is known, in ascending order: not
/// at all (or only of launches that are not seen), as a plausible assumption,
/// or from a launch, an option or a mark.
enum class BlockKnowledge { None, Assumed, Seen };
BlockKnowledge findKnowledge(const KernelInstance &I);

/// What the accesses to one array cost in a block of one instance.
struct BlockCount {
  Wavefronts Cost;           ///< The wavefronts of the countable accesses.
  bool HasRequests = false;  ///< False if no access can be counted.
  unsigned NumUncounted = 0; ///< The number of accesses that cannot.
  bool IsExact = true; ///< False if loops were sampled, or parameters assumed.
};

/// Counts the accesses to \p Array in a block of \p I, both as the array is
/// declared and with the layout \p New.
BlockCount countBlock(const KernelInstance &I, ArrayId Array, const Layout &New,
                      const BankMap &Map);

} // namespace cudaopt

#endif // CUDAOPT_PLAN_BLOCKCOUNT_H
