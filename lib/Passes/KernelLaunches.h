// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds the launches of a kernel, provided that the text of each one can be
/// edited to ask for dynamic shared memory:
///
/// \verbatim
///   k<<<grid, block>>>(x);
///     ->  cudaFuncSetAttribute(k, ..., bytes);  k<<<grid, block, bytes>>>(x);
/// \endverbatim
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_PASSES_KERNELLAUNCHES_H
#define CUDAOPT_LIB_PASSES_KERNELLAUNCHES_H

#include "cudaopt/Plan/Plan.h"

#include "llvm/Support/Error.h"

namespace cudaopt {

/// Returns all launches of \p K, at least one, with their bytes not set yet.
/// Fails if another file may launch the kernel, too, if a launch has dynamic
/// memory already, or if no statement can be written in front of it. The
/// message of the error is a clause that can follow "but".
llvm::Expected<std::vector<DynamicLaunch>>
findEditableLaunches(const Kernel &K, clang::ASTContext &Context);

} // namespace cudaopt

#endif // CUDAOPT_LIB_PASSES_KERNELLAUNCHES_H
