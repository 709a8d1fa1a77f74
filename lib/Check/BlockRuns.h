// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Helpers of the checks that run device code: which blocks of a grid are run,
/// and how many bytes their threads access.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_CHECK_BLOCKRUNS_H
#define CUDAOPT_LIB_CHECK_BLOCKRUNS_H

#include "DeviceFacts.h"

#include "llvm/ADT/SmallVector.h"

namespace cudaopt::check {

/// Returns the indices of the blocks to run: the first one, and one in the
/// middle of the grid if that is known and has several.
llvm::SmallVector<Dim3, 2> chooseBlocks(const Dim3 &Grid);

/// Returns how many bytes a lane accesses in \p Place, which accesses
/// \p Variable of \p Claims. If the code does not say it, as for a function of
/// the library, returns the most that the claims say which may explain the
/// place; 0 if that is not known either.
uint64_t countBytes(const RunPlace &Place, const KernelClaims &Claims,
                    unsigned Variable);

} // namespace cudaopt::check

#endif // CUDAOPT_LIB_CHECK_BLOCKRUNS_H
