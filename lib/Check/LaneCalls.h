// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Classifies calls in device code by what a run has to do for them.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_CHECK_LANECALLS_H
#define CUDAOPT_LIB_CHECK_LANECALLS_H

#include "WarpCode.h"

namespace cudaopt::check {

/// The operation that a call becomes.
struct LaneCall {
  LaneOperation::Kind What = LaneOperation::Forget;
  unsigned Opcode = 0; ///< LaneOperation::Opcode for that kind.
};

/// True if \p Symbol is the mangled name of the function of cooperative groups
/// with which all threads of a block wait, and not only those of a tile.
bool isBlockSync(llvm::StringRef Symbol);

/// Classifies \p Call. A callee with a body is run (LaneOperation::Call);
/// special registers, barriers, minima and maxima are known; of other results
/// nothing is known.
LaneCall findLaneCall(const llvm::CallBase &Call, const SymbolTable &Symbols);

} // namespace cudaopt::check

#endif // CUDAOPT_LIB_CHECK_LANECALLS_H
