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

/// Returns the arrays whose last rows (or elements) no thread of any launch
/// accesses, but those of \p Private. What \p Layouts lay out anew is not
/// trimmed.
ShrinkDecision findTrimmedArrays(const Kernel &K,
                                 llvm::ArrayRef<ReuseInstance> Instances,
                                 const LayoutMap &Layouts,
                                 llvm::ArrayRef<ArrayId> Private);

} // namespace cudaopt

#endif // CUDAOPT_LIB_TRANSFORMS_TRIMMEDARRAYS_H
