// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Makes random kernels that have no race, stay in bounds, and read only what
/// they wrote, by construction.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FUZZ_KERNELGENERATOR_H
#define CUDAOPT_FUZZ_KERNELGENERATOR_H

#include "Kernel.h"

namespace cudaopt::fuzz {

/// Kernel \p Number of \p Seed: always the same.
Kernel generateKernel(uint64_t Seed, uint64_t Number);

/// The same for kernels of many phases, whose arrays live in turn.
Kernel generatePhases(uint64_t Seed, uint64_t Number);

/// The same for kernels that are a sequence of idioms, of those of \p Allowed.
Kernel generateIdioms(uint64_t Seed, uint64_t Number, IdiomSet Allowed);

} // namespace cudaopt::fuzz

#endif // CUDAOPT_FUZZ_KERNELGENERATOR_H
