// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The problems on which placements are compared.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_BENCHMARKS_PLACEMENT_INSTANCES_H
#define CUDAOPT_BENCHMARKS_PLACEMENT_INSTANCES_H

#include "cudaopt/Placement/Problem.h"

#include <filesystem>
#include <random>

namespace cudaopt {

struct Instance {
  std::string Name;
  PlacementProblem Problem;
};

/// The .csv files of \p Folder, by name.
std::vector<Instance> readInstances(const std::filesystem::path &Folder);

/// Any graph, not only of stretches of time: pairs interfere at random.
PlacementProblem drawGraph(std::mt19937 &Random, unsigned Count);

/// Sizes of tiles, aligned to 4 to 128 bytes; intervals of a program with loops
/// and branches, each with a few items.
PlacementProblem drawKernel(std::mt19937 &Random, unsigned Count);

/// The least height, below or at \p Height, by trying every order of first fit:
/// one of them gives it. Without alignment and for items that are in use whole.
uint64_t findLeastHeight(const PlacementProblem &Problem, uint64_t Height);

} // namespace cudaopt

#endif // CUDAOPT_BENCHMARKS_PLACEMENT_INSTANCES_H
