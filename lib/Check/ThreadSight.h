// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which instructions may tell the threads of a block apart, or order them.
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

/// True if a thread may wait in \p I for others, or say something to them, by
/// anything but a barrier of the whole block: if it is not known that it does
/// not.
bool mayOrder(const llvm::Instruction &I);

} // namespace cudaopt::check

#endif // CUDAOPT_LIB_CHECK_THREADSIGHT_H
