// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Fits a model to a measured histogram, see Calibration.h.
//===----------------------------------------------------------------------===//

#include "Calibration.h"

#include <cstdio>
#include <ostream>

using namespace cells;

/// The ranges in which the published models were looked for; means and
/// deviations in hours.
static std::vector<Variable> sixVariables() {
  return {{"quiescent part", 0, 1}, {"slow part of the others", 0, 1},
          {"slow mean", 63, 504},   {"slow deviation", 0.1, 30},
          {"fast mean", 30, 63},    {"fast deviation", 0.1, 20}};
}

std::vector<CellType> cells::typesOf(const Position &position) {
  double quiescent = position[0], slow = (1 - quiescent) * position[1];
  return {{quiescent, -1, -1},
          {slow, position[2], position[3]},
          {1 - quiescent - slow, position[4], position[5]}};
}

Calibration
cells::calibrate(Simulator &simulator, const Population &population,
                 const Spectrum &target, const CalibrationSize &size,
                 uint64_t seed,
                 const std::function<void(int, double)> &onProgress) {
  Calibration result{};
  result.variables = sixVariables();
  Swarm swarm(result.variables, size.particles, seed);
  SpectrumMaker makeSpectrum(population, shapeOf(population, 3));
  // All particles are simulated with the same roots and random numbers: only
  // their models differ.
  auto evaluate = [&](const std::vector<Position> &positions) {
    std::vector<Model> models;
    for (const Position &position : positions)
      models.push_back({typesOf(position), seed});
    std::vector<double> distances;
    for (const Counts &counts : simulator.simulate(models))
      distances.push_back(hellingerDistance(makeSpectrum(counts), target));
    result.milliseconds += simulator.milliseconds();
    return distances;
  };
  for (int i = 1; i <= size.iterations; ++i) {
    swarm.advance(evaluate);
    onProgress(i, swarm.bestValue());
  }
  result.best = swarm.best();
  result.types = typesOf(swarm.best());
  result.distance = swarm.bestValue();
  result.spread = swarm.spread();
  return result;
}

void cells::print(std::ostream &out, const Calibration &calibration) {
  char line[128];
  std::snprintf(line, sizeof(line), "%-24s %9s %9s %9s %9s\n", "variable",
                "low", "high", "best", "spread");
  out << line;
  for (size_t i = 0; i < calibration.variables.size(); ++i) {
    const Variable &variable = calibration.variables[i];
    std::snprintf(line, sizeof(line), "%-24s %9.4g %9.4g %9.4g %9.2g\n",
                  variable.name.c_str(), variable.low, variable.high,
                  calibration.best[i], calibration.spread[i]);
    out << line;
  }
  std::snprintf(line, sizeof(line), "%-24s %9s %9s %9.4f\n",
                "Hellinger distance", "", "", calibration.distance);
  out << line;
}
