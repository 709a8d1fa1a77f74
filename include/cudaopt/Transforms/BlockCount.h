// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What can be told of a block of one instance of a kernel.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_TRANSFORMS_BLOCKCOUNT_H
#define CUDAOPT_TRANSFORMS_BLOCKCOUNT_H

#include "cudaopt/Machine/BankMap.h"
#include "cudaopt/Transforms/Plan.h"

namespace cudaopt {

/// How well the shape of a block is known: of a launch that is seen, assumed,
/// or not at all.
enum class BlockKnowledge { None, Assumed, Seen };
BlockKnowledge findKnowledge(const KernelInstance &I);

/// What the accesses to one array take in a block of one instance.
struct BlockCount {
  Wavefronts Cost;           ///< Of those that can be counted.
  bool HasRequests = false;  ///< False if none can be counted.
  unsigned NumUncounted = 0; ///< Accesses without a number.
  bool IsExact = true; ///< False if loops were sampled, or parameters assumed.
};

/// Counts the accesses to \p Array, as it is declared and if it gets \p New.
BlockCount countBlock(const KernelInstance &I, ArrayId Array, const Layout &New,
                      const BankMap &Map);

} // namespace cudaopt

#endif // CUDAOPT_TRANSFORMS_BLOCKCOUNT_H
