// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds instructions that may tell the threads of a block apart, or order
/// them.
///
/// A plan may rely on duplicates: threads that differ only in dimensions of the
/// thread index that the kernel never reads. They execute the same instructions
/// on the same values, unless some instruction tells them apart otherwise.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_CHECK_THREADSIGHT_H
#define CUDAOPT_LIB_CHECK_THREADSIGHT_H

#include "llvm/IR/Instruction.h"
#include <array>

namespace cudaopt::check {

/// Returns true if \p I is known to do the same in threads that differ only in
/// dimensions that are not \p Observed, provided that there are no data races:
/// it computes, loads or stores, branches, calls a function with a body, is a
/// barrier of the block, or reads the thread index in an observed dimension.
/// Returns false for everything else, such as atomics, shuffles and volatile
/// accesses.
bool isBlind(const llvm::Instruction &I, const std::array<bool, 3> &Observed);

/// Returns true unless it is known that \p I does not synchronise or
/// communicate with other threads, except as a barrier of the whole block.
/// Plain loads and stores do not count: without a barrier, they would race.
bool mayOrder(const llvm::Instruction &I);

} // namespace cudaopt::check

#endif // CUDAOPT_LIB_CHECK_THREADSIGHT_H
