// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Arrays that need no shared memory: each thread has one element.
///
/// \verbatim
///   __shared__ float north[16][16];              float north;
///   north[ty][tx] = in[i - 16] - in[i];   ->     north = in[i - 16] - in[i];
///   sum += north[ty][tx];                        sum += north;
/// \endverbatim
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_TRANSFORMS_PRIVATEARRAYS_H
#define CUDAOPT_LIB_TRANSFORMS_PRIVATEARRAYS_H

#include "ReuseProblem.h"
#include "cudaopt/Model/FloatingPoint.h"

namespace cudaopt {

/// Returns which arrays become private. \p Instances are all of \p K's that are
/// no assumption. The variables take at most \p MaxBytes of each thread's
/// registers; those that save most come first.
PrivatizeDecision findPrivateArrays(const Kernel &K,
                                    llvm::ArrayRef<ReuseInstance> Instances,
                                    uint64_t MaxBytes,
                                    const FloatingPoint &Floats);

} // namespace cudaopt

#endif // CUDAOPT_LIB_TRANSFORMS_PRIVATEARRAYS_H
