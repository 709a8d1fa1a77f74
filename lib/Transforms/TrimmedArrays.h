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

/// The arrays whose last rows (or elements) no thread of any launch accesses.
/// Those stay as they are that \p P lays out anew or \p Decision makes private.
std::vector<TrimmedArray>
findTrimmedArrays(const Kernel &K, llvm::ArrayRef<ReuseInstance> Instances,
                  const Plan &P, const ReuseDecision &Decision);

} // namespace cudaopt

#endif // CUDAOPT_LIB_TRANSFORMS_TRIMMEDARRAYS_H
