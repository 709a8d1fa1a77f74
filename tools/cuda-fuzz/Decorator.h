// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Gives a random kernel features: see Features.def.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FUZZ_DECORATOR_H
#define CUDAOPT_FUZZ_DECORATOR_H

#include "Kernel.h"

namespace cudaopt::fuzz {

/// Adds to \p K some of \p Allowed, chosen by \p Seed and the kernel's number:
/// always the same. Kernels stay free of races.
void addFeatures(Kernel &K, uint64_t Seed, FeatureSet Allowed);

} // namespace cudaopt::fuzz

#endif // CUDAOPT_FUZZ_DECORATOR_H
