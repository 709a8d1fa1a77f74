// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Shapes that a block of unknown shape may have: what costs are counted for
/// where no launch and no option tells. Proofs never rely on them.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_PLAUSIBLESHAPES_H
#define CUDAOPT_LIB_MODEL_PLAUSIBLESHAPES_H

#include "cudaopt/Model/Kernel.h"

#include <vector>

namespace cudaopt {

/// Returns usual shapes of as many dimensions of threadIdx as \p Kernel uses,
/// of at most (with `__launch_bounds__`: of just) as many threads as \p Unknown
/// has.
std::vector<BlockShape> listPlausibleShapes(const clang::FunctionDecl *Kernel,
                                            const BlockShape &Unknown);

/// False if some thread would access an array of \p Instance outside of its
/// bounds in the first iteration of all loops: the shape is then not the
/// author's.
bool isPlausible(const KernelInstance &Instance);

/// False if blocks of \p Instance would read elements of an array that none of
/// their threads writes, or leave one in a later iteration: a layout should not
/// be chosen for such a shape if the kernel has others.
bool isLikely(const KernelInstance &Instance, const Kernel &K);

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_PLAUSIBLESHAPES_H
