// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Compares simulations with what is expected, and the variants of the thesis
/// with the simulator.
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
  double mean, error; ///< The error of the mean, from the simulations.
  double expected;

  /// In standard errors; 0 if simulations hardly ever have such cells.
  double z() const;
};

/// Of each generation, the cells that vanished, and all cells at the end. Cells
/// of one tree are not independent, but simulations are.
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
