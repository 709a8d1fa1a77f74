// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What simulations count on average, computed without a simulation: along a
/// lineage divisions are a renewal process, so that the law of the time of the
/// g-th division is a convolution of the laws of intervals.
//===----------------------------------------------------------------------===//

#ifndef CELLS_EXPECTED_H
#define CELLS_EXPECTED_H

#include "Counts.h"
#include "Model.h"

#include <vector>

namespace cells {

/// Returns, for each generation g up to \p generations, the probability that a
/// lineage of this type has divided g+1 times or more when time is over.
/// \p points is the number of steps into which time is cut; the work is
/// O(generations * points^2).
std::vector<double> divisionProbabilities(const CellType &type,
                                          const Conditions &conditions,
                                          int generations, int points);

/// The expected counts, laid out as those of a simulation.
std::vector<double> expectedCounts(const Population &population,
                                   const Model &model,
                                   const Conditions &conditions,
                                   int points = 4000);

/// The expected number of divisions of one root and its descendants, by the
/// generation limit of the root.
std::vector<double> expectedDivisions(const Population &population,
                                      const Model &model,
                                      const Conditions &conditions, int points);

} // namespace cells

#endif // CELLS_EXPECTED_H
