// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Other layouts that an array could have, if it is stored together with
/// others.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_TRANSFORMS_LAYOUTVARIANTS_H
#define CUDAOPT_LIB_TRANSFORMS_LAYOUTVARIANTS_H

#include "cudaopt/Transforms/Passes.h"
#include "cudaopt/Transforms/Plan.h"

#include <vector>

namespace cudaopt {

/// What array \p Id of \p K may get: first what \p P decided; then, if they are
/// others, the best layout that needs no more bytes than the array has, the
/// best one whatever of the block's memory is left, and none.
std::vector<LayoutDecision> listLayoutVariants(const Kernel &K, ArrayId Id,
                                               const Target &T,
                                               const PassOptions &Options,
                                               const Plan &P);

} // namespace cudaopt

#endif // CUDAOPT_LIB_TRANSFORMS_LAYOUTVARIANTS_H
