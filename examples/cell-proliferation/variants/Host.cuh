// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The host's work that all variants have in common: it makes the roots,
/// filters generations and counts.
//===----------------------------------------------------------------------===//

#ifndef CELLS_VARIANTS_HOST_CUH
#define CELLS_VARIANTS_HOST_CUH

#include "Cell.cuh"
#include "Variants.h"

#include <chrono>
#include <map>

namespace cells {

class Stopwatch {
public:
  double milliseconds() const {
    auto time = std::chrono::steady_clock::now() - start;
    return std::chrono::duration<double, std::milli>(time).count();
  }

private:
  std::chrono::steady_clock::time_point start =
      std::chrono::steady_clock::now();
};

/// The cells of the first generation, in the order of the histogram.
inline std::vector<Cell> makeRoots(const Population &population,
                                   const Rules<double> &rules) {
  std::vector<Cell> cells;
  for (uint32_t bin = 0; bin < population.binCount(); ++bin)
    for (uint32_t root = population.firstRoot[bin];
         root < population.firstRoot[bin + 1]; ++root) {
      Founder<double> first = founder(rules, root);
      cells.push_back({population.fluorescence[bin], first.divisionTime, 1,
                       root, first.type, State::ALIVE, 0});
    }
  return cells;
}

/// The result of a variant as it grows.
class Tally {
public:
  explicit Tally(int typeCount) : typeCount(typeCount) {}

  void add(double fluorescence, int type, uint64_t count) {
    std::vector<double> &ofType = counts[fluorescence];
    ofType.resize(typeCount);
    ofType[type] += double(count);
  }
  void addRemoved(uint64_t count) { removed += count; }

  /// Counts the cells of a generation that will not divide, and appends those
  /// that are alive to \p alive.
  void filter(const std::vector<Cell> &cells, std::vector<Cell> &alive) {
    for (const Cell &cell : cells)
      if (cell.state == State::INACTIVE)
        add(cell.fluorescence, cell.type, 1);
      else if (cell.state == State::VANISHED)
        ++removed;
      else if (cell.state == State::ALIVE)
        alive.push_back(cell);
  }

  /// Writes the histogram to the result of a run.
  void finish(VariantRun &run) const {
    run.removed = removed;
    for (const auto &[fluorescence, ofType] : counts) {
      double sum = 0;
      for (double count : ofType)
        sum += count;
      run.rows.push_back({fluorescence, sum, ofType});
    }
  }

private:
  int typeCount;
  std::map<double, std::vector<double>> counts;
  uint64_t removed = 0;
};

} // namespace cells

#endif // CELLS_VARIANTS_HOST_CUH
