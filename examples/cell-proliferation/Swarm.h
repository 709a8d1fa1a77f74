// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Particle swarm optimization: finds where a function of a few numbers is
/// least, without its derivatives.
//===----------------------------------------------------------------------===//

#ifndef CELLS_SWARM_H
#define CELLS_SWARM_H

#include "Philox.h"

#include <functional>
#include <string>
#include <vector>

namespace cells {

/// A number that is looked for, and its range.
struct Variable {
  std::string name;
  double low, high;
};

using Position = std::vector<double>;

/// The values of a function at many positions at once.
using Evaluate =
    std::function<std::vector<double>(const std::vector<Position> &)>;

/// Particles are drawn to the best place that they have been to, and to the
/// best of all (J. Kennedy, R. Eberhart, ICNN 1995, with the constriction of
/// M. Clerc and J. Kennedy, 2002). The same seed goes the same way.
class Swarm {
public:
  Swarm(std::vector<Variable> variables, int particleCount, uint64_t seed);

  /// Evaluates all particles once, and moves them.
  void advance(const Evaluate &evaluate);

  const Position &best() const { return bestPositions[leader]; }
  double bestValue() const { return bestValues[leader]; }
  /// The standard deviation, for each variable, of the best places of the
  /// particles: small if they agree.
  std::vector<double> spread() const;

private:
  double random(uint32_t particle, uint32_t variable, uint32_t purpose) const;
  void move(size_t particle);

  std::vector<Variable> variables;
  Key key;
  uint32_t round = 0;
  size_t leader = 0;
  std::vector<Position> positions, velocities, bestPositions;
  std::vector<double> bestValues;
};

} // namespace cells

#endif // CELLS_SWARM_H
