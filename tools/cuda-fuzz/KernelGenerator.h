// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Generates random kernels that, by construction, have no races, stay in
/// bounds, and read only elements that they wrote. So any difference that a
/// rewrite makes is an error of the rewrite.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FUZZ_KERNELGENERATOR_H
#define CUDAOPT_FUZZ_KERNELGENERATOR_H

#include "Kernel.h"

namespace cudaopt::fuzz {

/// Returns kernel \p Number of \p Seed, which is always the same.
Kernel generateKernel(uint64_t Seed, uint64_t Number);

/// The same for kernels of many phases whose arrays are live in turn.
Kernel generatePhases(uint64_t Seed, uint64_t Number);

/// The same for kernels that are sequences of idioms in \p Allowed.
Kernel generateIdioms(uint64_t Seed, uint64_t Number, IdiomSet Allowed);

} // namespace cudaopt::fuzz

#endif // CUDAOPT_FUZZ_KERNELGENERATOR_H
