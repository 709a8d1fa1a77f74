// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which instructions may tell the threads of a block apart.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_CHECK_THREADSIGHT_H
#define CUDAOPT_LIB_CHECK_THREADSIGHT_H

#include "llvm/IR/Instruction.h"
#include <array>

namespace cudaopt::check {

/// True if \p I is known to give the same to threads that differ only in
/// dimensions that are not \p Observed, if nothing races: it computes, loads or
/// stores, goes on elsewhere, calls what has a body, waits for the block, or
/// reads the index of the thread in dimensions that are.
bool isBlind(const llvm::Instruction &I, const std::array<bool, 3> &Observed);

} // namespace cudaopt::check

#endif // CUDAOPT_LIB_CHECK_THREADSIGHT_H
