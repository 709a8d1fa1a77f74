// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Simulates on the CPU, root by root and depth first.
//===----------------------------------------------------------------------===//

#ifndef CELLS_CPU_H
#define CELLS_CPU_H

#include "Counts.h"
#include "Model.h"

#include <vector>

namespace cells {

/// Adds the descendants of \p root to the rows of its bin, \p rows, which has
/// the shape's rowSize(); they divide until they are of generation \p limit.
/// Returns the number of divisions.
template <typename Real>
uint64_t followRoot(const Rules<Real> &rules, uint32_t root, int limit,
                    const Shape &shape, uint64_t *rows);

/// Simulates each model; \p Real is the precision.
template <typename Real>
std::vector<Counts>
simulateOnCpu(const Population &population, const std::vector<Model> &models,
              const Conditions &conditions, unsigned threadCount);

} // namespace cells

#endif // CELLS_CPU_H
