// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Compares simulations with their analytic expectation (Expected.h), and the
/// variants of the thesis (variants/Variants.h) with the simulator.
//===----------------------------------------------------------------------===//

#ifndef CELLS_COMPARISON_H
#define CELLS_COMPARISON_H

#include "Counts.h"
#include "Model.h"

#include <iosfwd>
#include <string>
#include <vector>

namespace cells {

/// How far the mean of several simulations is from what is expected.
struct Deviation {
  double mean, error; ///< The mean of the simulations, and its standard error.
  double expected;

  /// The distance in standard errors; 0 if simulations hardly ever have such
  /// cells, since their mean is then not normally distributed.
  double z() const;
};

/// Compares the cells of each generation, those that vanished, and all cells at
/// the end. Errors come from several simulations with different seeds, since
/// cells of one tree are not independent, but simulations are.
std::vector<Deviation> compareGenerations(const std::vector<Counts> &simulated,
                                          const std::vector<double> &expected);

/// Prints compareGenerations as a table. Returns the greatest |z|.
double printGenerations(std::ostream &out, const std::vector<Counts> &simulated,
                        const std::vector<double> &expected);

/// Runs the variant of that name, or all, and prints their times and what they
/// lost. Returns the exit code. Throws InputError if there is no such variant.
int compareVariants(std::ostream &out, const Population &population,
                    const Model &model, const Conditions &conditions,
                    const std::string &name, int depth);

} // namespace cells

#endif // CELLS_COMPARISON_H
