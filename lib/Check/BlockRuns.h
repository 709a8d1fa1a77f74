// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which blocks of a grid are run, and how many bytes their threads access.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_CHECK_BLOCKRUNS_H
#define CUDAOPT_LIB_CHECK_BLOCKRUNS_H

#include "DeviceFacts.h"

#include "llvm/ADT/SmallVector.h"

namespace cudaopt::check {

/// The first block, and one in its middle if the grid is known.
llvm::SmallVector<Dim3, 2> chooseBlocks(const Dim3 &Grid);

/// The bytes that a lane accesses in \p Place, which accesses \p Variable of
/// \p Claims: what the code says; of functions of the library what all claims
/// allow that may explain it; 0 if nobody says.
uint64_t countBytes(const RunPlace &Place, const KernelClaims &Claims,
                    unsigned Variable);

} // namespace cudaopt::check

#endif // CUDAOPT_LIB_CHECK_BLOCKRUNS_H
