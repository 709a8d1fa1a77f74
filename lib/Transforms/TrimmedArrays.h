// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Arrays that are larger than what is accessed: `__shared__ float part[1024]`
/// in blocks of 256 threads.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_TRANSFORMS_TRIMMEDARRAYS_H
#define CUDAOPT_LIB_TRANSFORMS_TRIMMEDARRAYS_H

#include "ReuseProblem.h"

namespace cudaopt {

/// Fills Trimmed and NotTrimmed of \p Decision with the arrays whose last rows
/// (or elements) no thread of any launch accesses, but those that it makes
/// private. What \p P lays out anew is not trimmed.
void findTrimmedArrays(const Kernel &K, llvm::ArrayRef<ReuseInstance> Instances,
                       const Plan &P, ReuseDecision &Decision);

} // namespace cudaopt

#endif // CUDAOPT_LIB_TRANSFORMS_TRIMMEDARRAYS_H
