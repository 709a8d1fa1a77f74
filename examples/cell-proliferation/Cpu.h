// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The simulation on the CPU: roots are spread over threads, and the tree of
/// descendants of each root is walked depth first.
//===----------------------------------------------------------------------===//

#ifndef CELLS_CPU_H
#define CELLS_CPU_H

#include "Counts.h"
#include "Model.h"

#include <vector>

namespace cells {

/// Counts the descendants of one root. \p rows are the rows of its bin, of
/// Shape::rowSize() counts, which are added to; cells of generation \p limit
/// are too dim to divide. Returns the number of divisions.
template <typename Real>
uint64_t followRoot(const Rules<Real> &rules, uint32_t root, int limit,
                    const Shape &shape, uint64_t *rows);

/// Simulates each model, in the order of \p models; \p Real is the precision.
/// The result does not depend on \p threadCount, of which 0 is all.
template <typename Real>
std::vector<Counts>
simulateOnCpu(const Population &population, const std::vector<Model> &models,
              const Conditions &conditions, unsigned threadCount);

} // namespace cells

#endif // CELLS_CPU_H
