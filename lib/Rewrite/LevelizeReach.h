// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The call in front of a loop reads what the loop would read behind pointers.
/// It may do so only where the first iteration is sure to: the pointer may lead
/// nowhere else.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_REWRITE_LEVELIZEREACH_H
#define CUDAOPT_LIB_REWRITE_LEVELIZEREACH_H

#include "cudaopt/Model/HostLoop.h"

namespace cudaopt {

/// Why what \p L uses must not be read in front of it: `t->k`, which the first
/// iteration reads under a condition, if at all.
Blocker findUnreached(const HostLoop &L);

/// True if something must be read only where there are iterations.
bool readsBehindPointers(const HostLoop &L);

} // namespace cudaopt

#endif // CUDAOPT_LIB_REWRITE_LEVELIZEREACH_H
