// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds arrays of which only a first part is accessed, such as
/// `__shared__ float part[1024]` in blocks of 256 threads.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_PASSES_STORAGE_TRIMMEDARRAYS_H
#define CUDAOPT_LIB_PASSES_STORAGE_TRIMMEDARRAYS_H

#include "ReuseProblem.h"

namespace cudaopt {

/// Returns the arrays whose last rows (or elements) no thread of any launch
/// accesses, without those in \p Private. Arrays that get a new layout in
/// \p Layouts are not trimmed.
ShrinkDecision findTrimmedArrays(const Kernel &K,
                                 llvm::ArrayRef<ReuseInstance> Instances,
                                 const LayoutMap &Layouts,
                                 llvm::ArrayRef<ArrayId> Private);

} // namespace cudaopt

#endif // CUDAOPT_LIB_PASSES_STORAGE_TRIMMEDARRAYS_H
