// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Plausible shapes for a block of unknown shape. Costs are counted for these
/// where no launch and no option tells the shape. Proofs never rely on them.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_PLAUSIBLESHAPES_H
#define CUDAOPT_LIB_MODEL_PLAUSIBLESHAPES_H

#include "cudaopt/Model/Kernel.h"

#include <vector>

namespace cudaopt {

/// Returns usual shapes with as many dimensions as \p Kernel uses of threadIdx,
/// and at most as many threads as \p Unknown allows; with `__launch_bounds__`,
/// exactly as many, if there is such a shape.
std::vector<BlockShape> listPlausibleShapes(const clang::FunctionDecl *Kernel,
                                            const BlockShape &Unknown);

/// Returns false if some thread would access an array of \p Instance out of
/// bounds in the first iteration of all loops: the shape is then not one that
/// the author had in mind.
bool isPlausible(const KernelInstance &Instance);

/// Returns false if blocks of \p Instance would read elements of an array that
/// none of their threads writes, or leave an array in a later iteration. Such a
/// shape should not decide about a layout if the kernel has others.
bool isLikely(const KernelInstance &Instance, const Kernel &K);

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_PLAUSIBLESHAPES_H
