// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Fits a model to a measured histogram: quiescent, slow and fast cells, six
/// numbers, by a particle swarm whose particles are simulated in one batch.
//===----------------------------------------------------------------------===//

#ifndef CELLS_CALIBRATION_H
#define CELLS_CALIBRATION_H

#include "Simulator.h"
#include "Spectrum.h"
#include "Swarm.h"

#include <functional>
#include <iosfwd>
#include <vector>

namespace cells {

struct CalibrationSize {
  int particles, iterations;
};

struct Calibration {
  std::vector<CellType> types; ///< The best that was found.
  double distance;             ///< Hellinger's, between it and the target.
  std::vector<Variable> variables;
  Position best;
  std::vector<double> spread;
  double milliseconds; ///< The time of all simulations on the device.
};

/// The types that six numbers stand for, in the order of
/// Calibration::variables.
std::vector<CellType> typesOf(const Position &position);

/// Fits the types to \p target. The same \p seed gives the same result. Calls
/// \p onProgress after each iteration with its number, from 1, and the least
/// distance so far.
Calibration calibrate(Simulator &simulator, const Population &population,
                      const Spectrum &target, const CalibrationSize &size,
                      uint64_t seed,
                      const std::function<void(int, double)> &onProgress);

/// Prints a table of the variables.
void print(std::ostream &out, const Calibration &calibration);

} // namespace cells

#endif // CELLS_CALIBRATION_H
