// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What simulations count on average, see Expected.h.
//===----------------------------------------------------------------------===//

#include "Expected.h"

#include <algorithm>
#include <cmath>

using namespace cells;

using Series = std::vector<double>; ///< A function of time, at the grid points.

namespace {

/// The law of the hours between divisions, on a grid: point i stands for the
/// interval of half a step around it, so that no mass is lost however narrow
/// the law is.
class IntervalLaw {
public:
  IntervalLaw(const CellType &type, double step)
      : type(type), step(step),
        below(type.deviation > 0 ? normal(-type.mean / type.deviation) : 0) {}

  /// The probability of at most \p x.
  double atMost(double x) const {
    if (x < 0)
      return 0;
    if (type.deviation == 0)
      return x >= type.mean;
    return (normal((x - type.mean) / type.deviation) - below) / (1 - below);
  }

  /// The probability of the interval that point \p i stands for.
  double mass(int i) const {
    return atMost((i + 0.5) * step) - (i ? atMost((i - 0.5) * step) : 0);
  }

  /// The distribution function of an age, which is a uniform part of an
  /// interval between divisions, at \p count points.
  Series ageAtMost(int count) const {
    int end =
        std::max(count, int((type.mean + 12 * type.deviation) / step) + 2);
    Series result(count);
    double inverse = 0; // The mean of 1/interval, for intervals above a point.
    for (int i = end - 1; i > 0; --i) {
      double x = i * step;
      double half = atMost(x + step / 2) - atMost(x);
      if (i < count)
        result[i] =
            std::min(1.0, atMost(x) + x * (inverse + half / (x + step / 4)));
      inverse += mass(i) / x;
    }
    return result;
  }

private:
  static double normal(double z) { return 0.5 * std::erfc(-z / std::sqrt(2)); }

  CellType type;
  double step;
  double below;
};

} // namespace

/// The distribution function of the sum of two independent times, of which the
/// first has the probabilities \p masses and the second the distribution
/// function \p atMost: a convolution.
static Series sumAtMost(const Series &masses, const Series &atMost) {
  Series result(masses.size());
  for (size_t x = 0; x < masses.size(); ++x) {
    double sum = 0;
    for (size_t i = 0; i <= x; ++i)
      sum += masses[i] * atMost[x - i];
    result[x] = sum;
  }
  return result;
}

/// The distribution function of a root's first division.
static Series firstDivision(const IntervalLaw &law, const Series &masses,
                            Start start, double step) {
  int count = int(masses.size());
  if (start == Start::ASYNCHRONOUS)
    return sumAtMost(masses, law.ageAtMost(count));
  Series result(count);
  for (int i = 0; i < count; ++i) {
    double x = i * step;
    result[i] = law.atMost(x);
    if (start != Start::SHARED_DRAW || i == 0)
      continue;
    // The interval T stretched by 1 + U: if T is in [x/2, x], U <= x/T - 1.
    constexpr int PARTS = 400;
    double width = x / 2 / PARTS;
    result[i] = law.atMost(x / 2);
    for (int part = 0; part < PARTS; ++part) {
      double low = x / 2 + part * width;
      result[i] += (law.atMost(low + width) - law.atMost(low)) *
                   (x / (low + width / 2) - 1);
    }
  }
  return result;
}

std::vector<double> cells::divisionProbabilities(const CellType &type,
                                                 const Conditions &conditions,
                                                 int generations, int points) {
  std::vector<double> result(generations + 1);
  if (type.isQuiescent())
    return result;
  double step = conditions.duration / points;
  if (step == 0)
    return result; // Intervals are positive: nothing divides at once.
  IntervalLaw law(type, step);
  Series masses(points + 1);
  for (int i = 0; i <= points; ++i)
    masses[i] = law.mass(i);
  Series atMost = firstDivision(law, masses, conditions.start, step);
  for (int g = 0; g <= generations; ++g) {
    if (g > 0)
      atMost = sumAtMost(masses, atMost);
    result[g] = atMost.back();
    if (result[g] < 1e-30)
      break;
  }
  return result;
}

std::vector<double> cells::expectedCounts(const Population &population,
                                          const Model &model,
                                          const Conditions &conditions,
                                          int points) {
  Shape shape = shapeOf(population, int(model.types.size()));
  std::vector<double> counts(shape.size());
  for (int type = 0; type < shape.typeCount; ++type) {
    std::vector<double> divides = divisionProbabilities(
        model.types[type], conditions, population.mostGenerations, points);
    for (uint32_t bin = 0; bin < shape.binCount; ++bin) {
      double roots = model.types[type].proportion * population.frequency(bin);
      int limit = population.limit[bin];
      double isThere = 1; // The probability of a cell of generation g.
      for (int g = 0; g <= limit; ++g) {
        counts[shape.at(bin, type, g)] =
            std::ldexp(roots * (isThere - divides[g]), g);
        isThere = divides[g];
      }
      counts[shape.at(bin, type, shape.removedColumn())] =
          std::ldexp(roots * isThere, limit);
    }
  }
  return counts;
}

std::vector<double> cells::expectedDivisions(const Population &population,
                                             const Model &model,
                                             const Conditions &conditions,
                                             int points) {
  std::vector<double> result(population.mostGenerations + 1);
  for (const CellType &type : model.types) {
    std::vector<double> divides = divisionProbabilities(
        type, conditions, population.mostGenerations, points);
    double sum = 0;
    for (size_t limit = 0; limit < result.size(); ++limit) {
      result[limit] += type.proportion * sum;
      sum += std::ldexp(divides[limit], int(limit));
    }
  }
  return result;
}
