// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Makes a failing kernel small: takes away parts of its structure as long as
/// it fails.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FUZZ_MINIMIZER_H
#define CUDAOPT_FUZZ_MINIMIZER_H

#include "Kernel.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace cudaopt::fuzz {

/// Returns a well-formed part of \p K for which \p StillFails holds, and of
/// which no part that is one step smaller fails.
Kernel minimize(Kernel K, llvm::function_ref<bool(const Kernel &)> StillFails);

} // namespace cudaopt::fuzz

#endif // CUDAOPT_FUZZ_MINIMIZER_H
