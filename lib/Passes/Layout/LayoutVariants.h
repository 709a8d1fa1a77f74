// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The layouts among which an array may choose where the storage of the kernel
/// changes, too. Then its own bytes are no longer what a layout costs: padding
/// may be free, or a smaller layout may let another block fit.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_PASSES_LAYOUT_LAYOUTVARIANTS_H
#define CUDAOPT_LIB_PASSES_LAYOUT_LAYOUTVARIANTS_H

#include "cudaopt/Passes/Passes.h"
#include "cudaopt/Passes/Residency.h"
#include "cudaopt/Plan/Plan.h"

#include <vector>

namespace cudaopt {

/// Returns true if with other storage another layout than \p Decided could be
/// better.
bool dependsOnMemory(const LayoutDecision &Decided);

/// Returns the decisions among which array \p Id may choose: first the one in
/// \p Layouts; then, as far as they differ, the best layout that needs no more
/// bytes than the declared array, the best one regardless of the block's
/// memory, and the declared one. \p Room is the least that a block may need.
/// The result contains layouts that pay for the warps which fit then, and may
/// not pay for fewer warps. Empty if Layouts does not contain the array.
std::vector<LayoutDecision> listLayoutVariants(const PassInput &In, ArrayId Id,
                                               const LayoutMap &Layouts,
                                               const BlockNeeds &Room);

} // namespace cudaopt

#endif // CUDAOPT_LIB_PASSES_LAYOUT_LAYOUTVARIANTS_H
