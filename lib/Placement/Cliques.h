// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Cliques of graphs of at most 64 vertices. The members of a clique of the
/// interference graph all keep apart, so that their bytes are a lower bound of
/// any placement.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_PLACEMENT_CLIQUES_H
#define CUDAOPT_LIB_PLACEMENT_CLIQUES_H

#include "ItemSet.h"

namespace cudaopt {

inline constexpr size_t MaxCliqueVertices = 64;

/// Returns the largest sum of \p Weights over a clique; 0 if the graph has more
/// than MaxCliqueVertices vertices.
uint64_t findHeaviestClique(const std::vector<ItemSet> &Adjacent,
                            const std::vector<uint64_t> &Weights);

/// Returns maximal cliques, at most \p Limit of them; none if the graph has
/// more than MaxCliqueVertices vertices.
std::vector<ItemSet> listMaximalCliques(const std::vector<ItemSet> &Adjacent,
                                        size_t Limit);

} // namespace cudaopt

#endif // CUDAOPT_LIB_PLACEMENT_CLIQUES_H
