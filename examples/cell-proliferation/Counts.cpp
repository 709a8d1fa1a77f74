// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The result of a simulation, see Counts.h.
//===----------------------------------------------------------------------===//

#include "Counts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <ostream>

using namespace cells;

void Counts::add(const Counts &other) {
  for (size_t i = 0; i < cells.size(); ++i)
    cells[i] += other.cells[i];
  divisions += other.divisions;
}

uint64_t Counts::inGeneration(int generation) const {
  uint64_t sum = 0;
  for (size_t i = generation; i < cells.size(); i += shape.columnCount)
    sum += cells[i];
  return sum;
}

uint64_t Counts::counted() const {
  uint64_t sum = 0;
  for (int generation = 0; generation < shape.removedColumn(); ++generation)
    sum += inGeneration(generation);
  return sum;
}

uint64_t Counts::hash() const {
  uint64_t hash = 0xCBF29CE484222325u;
  auto add = [&](uint64_t number) {
    for (int shift = 0; shift < 64; shift += 8)
      hash = (hash ^ (number >> shift & 0xFF)) * 0x100000001B3u;
  };
  std::for_each(cells.begin(), cells.end(), add);
  add(divisions);
  return hash;
}

template <typename Number>
std::vector<OutputRow> cells::outputRows(const Population &population,
                                         const Shape &shape,
                                         const std::vector<Number> &counts) {
  std::map<double, std::vector<double>> byFluorescence;
  for (uint32_t bin = 0; bin < shape.binCount; ++bin)
    for (int type = 0; type < shape.typeCount; ++type)
      for (int g = 0; g < shape.removedColumn(); ++g) {
        Number count = counts[shape.at(bin, type, g)];
        if (!(count > 0))
          continue;
        auto &ofType =
            byFluorescence[std::ldexp(population.fluorescence[bin], -g)];
        ofType.resize(shape.typeCount);
        ofType[type] += double(count);
      }
  std::vector<OutputRow> rows;
  for (auto &[fluorescence, ofType] : byFluorescence) {
    double sum = 0;
    for (double count : ofType)
      sum += count;
    rows.push_back({fluorescence, sum, std::move(ofType)});
  }
  return rows;
}

template std::vector<OutputRow>
cells::outputRows(const Population &, const Shape &,
                  const std::vector<uint64_t> &);
template std::vector<OutputRow> cells::outputRows(const Population &,
                                                  const Shape &,
                                                  const std::vector<double> &);

/// Prints counts with all their digits, and expected counts with ten.
static void printCount(std::ostream &out, double count) {
  if (count == std::floor(count) && count < 0x1p63)
    out << uint64_t(count);
  else
    out << count;
}

void cells::print(std::ostream &out, const std::vector<OutputRow> &rows,
                  bool hasTypes, const std::string &prefix) {
  for (const OutputRow &row : rows) {
    out << prefix << row.fluorescence << '\t';
    printCount(out, row.count);
    for (size_t type = 0; hasTypes && type < row.countOfType.size(); ++type)
      printCount(out << '\t', row.countOfType[type]);
    out << '\n';
  }
}

std::string cells::violation(const Population &population,
                             const Counts &counts) {
  const Shape &shape = counts.shape;
  // Weights are multiples of 2^-62, and the root of a bin has 1.
  for (uint32_t bin = 0; bin < shape.binCount; ++bin) {
    unsigned __int128 weight = 0;
    int limit = population.limit[bin];
    for (int type = 0; type < shape.typeCount; ++type)
      for (int g = 0; g < shape.columnCount; ++g) {
        uint64_t count = counts.cells[shape.at(bin, type, g)];
        bool isRemoved = g == shape.removedColumn();
        if (g > limit && !isRemoved && count > 0)
          return "bin " + std::to_string(bin) + ": a cell that is too dim";
        int generation = isRemoved ? limit : g;
        if (generation <= limit)
          weight += (unsigned __int128)(count) << (62 - generation);
      }
    if (weight != (unsigned __int128)(population.frequency(bin)) << 62)
      return "bin " + std::to_string(bin) +
             ": the descendants do not add up to the roots";
  }
  if (population.rootCount() + counts.divisions !=
      counts.counted() + counts.removed())
    return "roots and divisions do not make as many cells as there are";
  return "";
}
