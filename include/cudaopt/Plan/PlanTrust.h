// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Determines how far the decisions of a plan may be believed (Model/Trust.h):
/// whether they are proved for every launch that the language allows, or only
/// for the launches that are known.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_PLAN_PLANTRUST_H
#define CUDAOPT_PLAN_PLANTRUST_H

#include "cudaopt/Plan/Plan.h"

namespace cudaopt {

/// Returns \p P with the Rests of its layouts and of its storage filled in.
Plan withTrust(const Kernel &K, Plan P);

} // namespace cudaopt

#endif // CUDAOPT_PLAN_PLANTRUST_H
