// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Edits of launches, for kernels whose shared memory becomes dynamic.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_REWRITE_LAUNCHEDIT_H
#define CUDAOPT_LIB_REWRITE_LAUNCHEDIT_H

#include "cudaopt/Plan/Plan.h"
#include "cudaopt/Source/Edits.h"

namespace clang {
class ASTContext;
}

namespace cudaopt {

/// Makes launches ask for dynamic memory:
///
/// \verbatim
///     k<<<grid, block>>>(out);
///     ->
///     cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, N);
///     k<<<grid, block, N>>>(out);
/// \endverbatim
llvm::Error editLaunches(llvm::ArrayRef<DynamicLaunch> Launches,
                         const clang::ASTContext &Context, Edits &E);

} // namespace cudaopt

#endif // CUDAOPT_LIB_REWRITE_LAUNCHEDIT_H
