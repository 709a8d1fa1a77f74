// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Alignments that are not declared but relied on. An array of floats that the
/// compiler happens to store at byte 512 can be accessed as `float4`; moved to
/// byte 516, the same access would fault.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_PASSES_STORAGE_WIDEALIGNMENTS_H
#define CUDAOPT_LIB_PASSES_STORAGE_WIDEALIGNMENTS_H

#include "cudaopt/Model/SharedProgram.h"

namespace cudaopt {

/// Returns, by variable of \p P, the alignment in bytes that the variable has
/// in the source's storage, if that is more than its declaration guarantees and
/// some access may need it; else 1. Variables that are not known to be accessed
/// element by element may need it.
std::vector<unsigned> findWideAlignments(const Kernel &K,
                                         const SharedProgram &P);

} // namespace cudaopt

#endif // CUDAOPT_LIB_PASSES_STORAGE_WIDEALIGNMENTS_H
