// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which shared variables have to keep their place, since not all uses of their
/// addresses are known (IR/PointsTo.h), or since the text promises that nothing
/// else is accessed through a pointer to them (`__restrict__`).
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_SHAREDESCAPES_H
#define CUDAOPT_LIB_MODEL_SHAREDESCAPES_H

#include "SharedVariables.h"
#include "StatementOverlay.h"
#include "cudaopt/IR/PointsTo.h"

namespace cudaopt {

/// Returns the variables among \p Objects.
TargetSet findVariables(const ir::ObjectSet &Objects, const ir::Function &F,
                        const SharedVariables &Shared);

/// Pins these variables of \p F, each for the first reason found.
void pinEscapes(const ir::Function &F, const ir::PointsTo &Pointers,
                const StatementOverlay &Overlay, const SharedVariables &Shared);

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_SHAREDESCAPES_H
