// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What simulations count on average, without one: the law of the division
/// times of a lineage is a renewal process.
//===----------------------------------------------------------------------===//

#ifndef CELLS_EXPECTED_H
#define CELLS_EXPECTED_H

#include "Counts.h"
#include "Model.h"

#include <vector>

namespace cells {

/// For each generation g up to \p generations, the probability that a lineage
/// of this type has gone on to divide g+1 times or more when time is over.
/// \p points is the number of steps into which time is cut.
std::vector<double> divisionProbabilities(const CellType &type,
                                          const Conditions &conditions,
                                          int generations, int points);

/// The expected counts, laid out as those of a simulation.
std::vector<double> expectedCounts(const Population &population,
                                   const Model &model,
                                   const Conditions &conditions,
                                   int points = 4000);

/// The divisions that are expected of one root of each generation limit.
std::vector<double> expectedDivisions(const Population &population,
                                      const Model &model,
                                      const Conditions &conditions, int points);

} // namespace cells

#endif // CELLS_EXPECTED_H
