// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The cells at the beginning: a histogram of their fluorescence, and how often
/// their descendants may divide.
//===----------------------------------------------------------------------===//

#ifndef CELLS_POPULATION_H
#define CELLS_POPULATION_H

#include <cstdint>
#include <string>
#include <vector>

namespace cells {

struct Bin {
  double fluorescence;
  uint64_t frequency;
};

/// The bins in the order of the file.
using Histogram = std::vector<Bin>;

/// Reads rows of a fluorescence and a frequency. Throws InputError.
Histogram readHistogram(const std::string &path);

/// The fluorescence of the first bin that has cells. Throws InputError if none
/// has.
double leastFluorescence(const Histogram &histogram);

/// The bins that have cells. Roots are numbered through them, so a root is the
/// same in every simulation of the same histogram.
struct Population {
  double threshold; ///< A cell divides only if half of it is above this.
  std::vector<double> fluorescence;
  /// By bin: its first root; and at the end the number of roots.
  std::vector<uint32_t> firstRoot;
  /// By bin: the generation that is too dim to divide.
  std::vector<int> limit;
  int mostGenerations = 0; ///< The greatest limit.

  uint32_t binCount() const { return uint32_t(fluorescence.size()); }
  uint32_t rootCount() const { return firstRoot.back(); }
  uint32_t frequency(uint32_t bin) const {
    return firstRoot[bin + 1] - firstRoot[bin];
  }
};

/// Makes the population of a histogram. Throws InputError if there are too many
/// roots or generations.
Population populate(const Histogram &histogram, double threshold);

} // namespace cells

#endif // CELLS_POPULATION_H
