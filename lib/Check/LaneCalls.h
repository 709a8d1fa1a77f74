// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What calls do, for runs of device code.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_CHECK_LANECALLS_H
#define CUDAOPT_LIB_CHECK_LANECALLS_H

#include "WarpCode.h"

namespace cudaopt::check {

struct LaneCall {
  LaneOperation::Kind What = LaneOperation::Forget;
  unsigned Opcode = 0; ///< As of an operation of that kind.
};

/// True if \p Symbol is the mangled name of the function of cooperative groups
/// with which all threads of a block wait, and not only those of a tile.
bool isBlockSync(llvm::StringRef Symbol);

LaneCall findLaneCall(const llvm::CallBase &Call, const SymbolTable &Symbols);

} // namespace cudaopt::check

#endif // CUDAOPT_LIB_CHECK_LANECALLS_H
