// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Whether blocks of a kernel may wait for each other. Then all blocks of the
/// grid must be resident at once, and a change by which fewer of them fit on
/// the GPU makes the launch fail, or the kernel hang.
///
/// \verbatim
///   cooperative_groups::this_grid().sync();
///   while (atomicAdd(&arrived, 0) < gridDim.x)   // a barrier by hand
///     ;
/// \endverbatim
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_ANALYSIS_GRIDBARRIERS_H
#define CUDAOPT_ANALYSIS_GRIDBARRIERS_H

#include <string>

namespace cudaopt {

namespace ir {
class Function;
} // namespace ir

/// Returns what in \p F may be a part of a barrier of the grid: code that is
/// not seen, by its name ("this_grid"); "a volatile access", "an atomic
/// operation" or "a fence" in a loop. Empty if there is nothing.
std::string findGridBarrier(const ir::Function &F);

} // namespace cudaopt

#endif // CUDAOPT_ANALYSIS_GRIDBARRIERS_H
