// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What the decisions of a plan rest on.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_TRANSFORMS_PLANTRUST_H
#define CUDAOPT_TRANSFORMS_PLANTRUST_H

#include "cudaopt/Transforms/Plan.h"

namespace cudaopt {

/// Returns \p P with what each decision rests on: whether it is proved for
/// every launch, or for the launches that are known.
Plan withTrust(const Kernel &K, Plan P);

} // namespace cudaopt

#endif // CUDAOPT_TRANSFORMS_PLANTRUST_H
