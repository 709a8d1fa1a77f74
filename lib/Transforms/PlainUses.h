// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Arrays of which nothing but elements is ever named, so that another
/// declaration can take their place.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_TRANSFORMS_PLAINUSES_H
#define CUDAOPT_LIB_TRANSFORMS_PLAINUSES_H

#include "cudaopt/Model/Kernel.h"

namespace cudaopt {

/// Why some use of \p Array, in any instance of \p K or in a branch that they
/// discard, may be more than a load or a store of one element that the kernel
/// itself writes as `a[i][j]`; None if all are that. \p Pass asks, and the
/// author may have told it to leave the array alone.
Blocker findUnusualUse(const Kernel &K, ArrayId Array, llvm::StringRef Pass);

} // namespace cudaopt

#endif // CUDAOPT_LIB_TRANSFORMS_PLAINUSES_H
