// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The call in front of a loop reads, early, what the loop would read behind
/// pointers. It may do so only if the first iteration is certain to read it,
/// too: otherwise the pointer may be null.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_REWRITE_LEVELIZE_LEVELIZEREACH_H
#define CUDAOPT_LIB_REWRITE_LEVELIZE_LEVELIZEREACH_H

#include "cudaopt/HostLoops/HostLoop.h"

namespace cudaopt {

/// Returns why what \p L uses must not be read in front of it: `t->k`, which
/// the first iteration reads under a condition, if at all. std::nullopt if
/// all may be read.
std::optional<Refusal> findUnreached(const HostLoop &L);

/// Returns true if something must be read only if there are iterations at all.
bool readsBehindPointers(const HostLoop &L);

} // namespace cudaopt

#endif // CUDAOPT_LIB_REWRITE_LEVELIZE_LEVELIZEREACH_H
