// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Minimizes a failing kernel by removing parts of its structure as long as it
/// still fails (delta debugging on the structure instead of the text).
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FUZZ_MINIMIZER_H
#define CUDAOPT_FUZZ_MINIMIZER_H

#include "Kernel.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace cudaopt::fuzz {

/// Returns a well-formed reduction of \p K for which \p StillFails holds, while
/// no kernel that is one step smaller fails.
Kernel minimize(Kernel K, llvm::function_ref<bool(const Kernel &)> StillFails);

} // namespace cudaopt::fuzz

#endif // CUDAOPT_FUZZ_MINIMIZER_H
