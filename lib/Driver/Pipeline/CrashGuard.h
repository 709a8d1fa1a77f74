// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Survives crashes of clang and LLVM in code that is not made for every input.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_DRIVER_PIPELINE_CRASHGUARD_H
#define CUDAOPT_LIB_DRIVER_PIPELINE_CRASHGUARD_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace cudaopt {

/// Runs \p Work. Returns false if it crashes: then what it was working on must
/// be leaked, as its state cannot be destroyed safely.
bool surviveCrash(llvm::function_ref<void()> Work);

} // namespace cudaopt

#endif // CUDAOPT_LIB_DRIVER_PIPELINE_CRASHGUARD_H
