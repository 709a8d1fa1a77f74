// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// A plain particle swarm, see Swarm.h.
//===----------------------------------------------------------------------===//

#include "Swarm.h"

#include "TruncatedNormal.h"

#include <cmath>
#include <limits>

using namespace cells;

enum Draw : uint32_t { PLACE, SPEED, TO_OWN_BEST, TO_BEST };

Swarm::Swarm(std::vector<Variable> theVariables, int particleCount,
             uint64_t seed)
    : variables(std::move(theVariables)), key(keyOf(seed)),
      bestValues(particleCount, std::numeric_limits<double>::infinity()) {
  for (int particle = 0; particle < particleCount; ++particle) {
    Position position, velocity;
    for (uint32_t i = 0; i < variables.size(); ++i) {
      double width = variables[i].high - variables[i].low;
      position.push_back(variables[i].low + width * random(particle, i, PLACE));
      velocity.push_back(width / 4 * (2 * random(particle, i, SPEED) - 1));
    }
    positions.push_back(position);
    velocities.push_back(velocity);
  }
  bestPositions = positions;
}

double Swarm::random(uint32_t particle, uint32_t variable,
                     uint32_t purpose) const {
  Words words = philox({particle, variable, round, purpose}, key);
  return uniform<double>(words.x, words.y);
}

void Swarm::move(size_t particle) {
  constexpr double INERTIA = 0.7298, ATTRACTION = 1.49618;
  Position &position = positions[particle], &velocity = velocities[particle];
  for (uint32_t i = 0; i < variables.size(); ++i) {
    double own = bestPositions[particle][i] - position[i];
    double common = best()[i] - position[i];
    velocity[i] =
        INERTIA * velocity[i] +
        ATTRACTION * (random(uint32_t(particle), i, TO_OWN_BEST) * own +
                      random(uint32_t(particle), i, TO_BEST) * common);
    position[i] += velocity[i];
    double inside =
        std::fmin(std::fmax(position[i], variables[i].low), variables[i].high);
    if (inside != position[i]) { // It bounces off the wall.
      position[i] = inside;
      velocity[i] *= -0.5;
    }
  }
}

void Swarm::advance(const Evaluate &evaluate) {
  std::vector<double> values = evaluate(positions);
  for (size_t i = 0; i < positions.size(); ++i) {
    if (!(values[i] < bestValues[i]))
      continue;
    bestValues[i] = values[i];
    bestPositions[i] = positions[i];
    if (bestValues[i] < bestValues[leader])
      leader = i;
  }
  ++round;
  for (size_t i = 0; i < positions.size(); ++i)
    move(i);
}

std::vector<double> Swarm::spread() const {
  std::vector<double> result;
  double count = double(bestPositions.size());
  for (size_t i = 0; i < variables.size(); ++i) {
    double sum = 0, squares = 0;
    for (const Position &position : bestPositions) {
      double distance = position[i] - best()[i];
      sum += distance;
      squares += distance * distance;
    }
    double variance = squares / count - sum * sum / count / count;
    result.push_back(std::sqrt(std::fmax(variance, 0)));
  }
  return result;
}
