// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Privatization: finds shared arrays of which each thread uses one element of
/// its own, so that a local variable (a register) can take their place.
///
/// \verbatim
///   __shared__ float north[16][16];              float north;
///   north[ty][tx] = in[i - 16] - in[i];   ->     north = in[i - 16] - in[i];
///   sum += north[ty][tx];                        sum += north;
/// \endverbatim
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_PASSES_STORAGE_PRIVATEARRAYS_H
#define CUDAOPT_LIB_PASSES_STORAGE_PRIVATEARRAYS_H

#include "ReuseProblem.h"
#include "cudaopt/Source/FloatingPoint.h"

namespace cudaopt {

/// Returns the arrays that become private. \p Instances are all instances of
/// \p K whose block is not assumed. The new variables take at most \p MaxBytes
/// of registers in each thread; arrays that save most shared memory for each
/// byte of registers come first.
PrivatizeDecision findPrivateArrays(const Kernel &K,
                                    llvm::ArrayRef<ReuseInstance> Instances,
                                    uint64_t MaxBytes,
                                    const FloatingPoint &Floats);

} // namespace cudaopt

#endif // CUDAOPT_LIB_PASSES_STORAGE_PRIVATEARRAYS_H
