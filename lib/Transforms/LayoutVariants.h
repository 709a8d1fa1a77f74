// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Other layouts that an array could have, if it is stored together with
/// others.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_TRANSFORMS_LAYOUTVARIANTS_H
#define CUDAOPT_LIB_TRANSFORMS_LAYOUTVARIANTS_H

#include "Residency.h"
#include "cudaopt/Transforms/Passes.h"
#include "cudaopt/Transforms/Plan.h"

#include <vector>

namespace cudaopt {

/// True if other storage could make another choice than \p Decided.
bool dependsOnMemory(const LayoutDecision &Decided);

/// What array \p Id may get: first what \p Layouts say; then, if they are
/// others, the best layout that needs no more bytes than the array has, the
/// best one whatever of the block's memory is left, and none. \p Room is the
/// least that a block may need when its arrays are stored: layouts that pay for
/// the warps that then fit are among them, and may not pay for fewer.
std::vector<LayoutDecision> listLayoutVariants(const PassInput &In, ArrayId Id,
                                               const LayoutMap &Layouts,
                                               const BlockNeeds &Room);

} // namespace cudaopt

#endif // CUDAOPT_LIB_TRANSFORMS_LAYOUTVARIANTS_H
