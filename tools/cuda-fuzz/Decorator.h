// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Adds features (Features.def) to a random kernel: constructs that real
/// programs have and that analyses get wrong, such as early exits or pointers.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FUZZ_DECORATOR_H
#define CUDAOPT_FUZZ_DECORATOR_H

#include "Kernel.h"

namespace cudaopt::fuzz {

/// Adds to \p K some of \p Allowed. The choice depends only on \p Seed and the
/// kernel's number. Kernels stay free of races.
void addFeatures(Kernel &K, uint64_t Seed, FeatureSet Allowed);

} // namespace cudaopt::fuzz

#endif // CUDAOPT_FUZZ_DECORATOR_H
