// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Cliques of graphs of at most 64 vertices.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_PLACEMENT_CLIQUES_H
#define CUDAOPT_LIB_PLACEMENT_CLIQUES_H

#include "ItemSet.h"

namespace cudaopt {

inline constexpr size_t MaxCliqueVertices = 64;

/// The largest sum of \p Weights over a clique; 0 for a larger graph.
uint64_t findHeaviestClique(const std::vector<ItemSet> &Adjacent,
                            const std::vector<uint64_t> &Weights);

/// The maximal cliques, \p Limit of them at most; none of a larger graph.
std::vector<ItemSet> listMaximalCliques(const std::vector<ItemSet> &Adjacent,
                                        size_t Limit);

} // namespace cudaopt

#endif // CUDAOPT_LIB_PLACEMENT_CLIQUES_H
