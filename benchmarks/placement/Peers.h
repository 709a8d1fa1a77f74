// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// How other compilers place buffers, stated anew for placement problems.
///
/// They see lifetimes as stretches of one straight line: from the first
/// interval that uses an item to the last, and the item whole.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_BENCHMARKS_PLACEMENT_PEERS_H
#define CUDAOPT_BENCHMARKS_PLACEMENT_PEERS_H

#include "cudaopt/Placement/Problem.h"

namespace cudaopt {

/// Triton, lib/Analysis/Allocation.cpp: by falling size, each buffer takes the
/// lowest free start whose stretch of time it meets alone; then buffers that
/// still overlap are coloured and moved up, until none do.
Placement placeLikeTriton(const PlacementProblem &Problem);

/// IREE, GPUReuseSharedMemoryAllocs.cpp: buffers whose lifetimes are joined by
/// a chain of overlaps lie side by side; such groups share bytes.
Placement placeLikeIree(const PlacementProblem &Problem);

/// TVM, storage_rewrite: a dead buffer's room goes whole to one new buffer, the
/// best fit first, or the largest that is too small, which then grows.
Placement placeLikeTvm(const PlacementProblem &Problem);

} // namespace cudaopt

#endif // CUDAOPT_BENCHMARKS_PLACEMENT_PEERS_H
