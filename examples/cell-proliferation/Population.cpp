// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The cells at the beginning, see Population.h.
//===----------------------------------------------------------------------===//

#include "Population.h"

#include "Lineage.h"
#include "Rows.h"

#include <algorithm>
#include <cmath>

using namespace cells;

Histogram cells::readHistogram(const std::string &path) {
  Histogram histogram;
  for (const Row &row : readRows(path)) {
    if (row.numbers.size() != 2)
      refuse(row.where, "a row is a fluorescence and a frequency");
    double fluorescence = row.numbers[0], frequency = row.numbers[1];
    if (fluorescence < 0)
      refuse(row.where, "the fluorescence is negative");
    if (frequency < 0 || frequency != std::floor(frequency))
      refuse(row.where, "the frequency is no natural number");
    if (frequency > UINT32_MAX)
      refuse(row.where, "more cells than 32 bits can number");
    histogram.push_back({fluorescence, uint64_t(frequency)});
  }
  return histogram;
}

double cells::leastFluorescence(const Histogram &histogram) {
  for (const Bin &bin : histogram)
    if (bin.frequency > 0)
      return bin.fluorescence;
  throw InputError("the histogram has no cells");
}

Population cells::populate(const Histogram &histogram, double threshold) {
  Population population;
  population.threshold = threshold;
  uint64_t rootCount = 0;
  for (const Bin &bin : histogram) {
    if (bin.frequency == 0)
      continue;
    int limit = 0;
    // Halves are exact, so this is the same as halving again and again.
    while (limit <= MOST_GENERATIONS &&
           std::ldexp(bin.fluorescence, -limit - 1) > threshold)
      ++limit;
    if (limit > MOST_GENERATIONS)
      throw InputError("the least fluorescence lets a cell divide more than " +
                       std::to_string(MOST_GENERATIONS) + " times");
    population.fluorescence.push_back(bin.fluorescence);
    population.firstRoot.push_back(uint32_t(rootCount));
    population.limit.push_back(limit);
    population.mostGenerations = std::max(population.mostGenerations, limit);
    rootCount += bin.frequency;
    if (rootCount > UINT32_MAX)
      throw InputError("the histogram has more cells than 32 bits can number");
  }
  if (rootCount == 0)
    throw InputError("the histogram has no cells");
  population.firstRoot.push_back(uint32_t(rootCount));
  return population;
}
