// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Histograms on one scale, to be compared and drawn: 100 bins from 10 to
/// 10000, equal in the logarithm, that add up to 1.
//===----------------------------------------------------------------------===//

#ifndef CELLS_SPECTRUM_H
#define CELLS_SPECTRUM_H

#include "Counts.h"

#include <array>
#include <vector>

namespace cells {

constexpr int SPECTRUM_BINS = 100;
constexpr double SPECTRUM_LOW = 10, SPECTRUM_HIGH = 10000;

using Spectrum = std::array<double, SPECTRUM_BINS>;

/// Puts a histogram on the scale. What is beyond the ends is counted in the
/// first or the last bin.
Spectrum spectrumOf(const Histogram &histogram);
Spectrum spectrumOf(const std::vector<OutputRow> &rows);

/// Makes the spectra of many simulations of one population: which bin the cells
/// of a generation belong to is computed once.
class SpectrumMaker {
public:
  SpectrumMaker(const Population &population, const Shape &shape);

  Spectrum operator()(const Counts &counts) const;

private:
  Shape shape;
  std::vector<int> binOf; ///< By bin of the population, and generation.
};

/// Hellinger's distance: 0 if the two are the same, 1 if they have no bin in
/// common.
double hellingerDistance(const Spectrum &first, const Spectrum &second);

/// The part of the area under the curves that both have, from 0 to 1.
double overlap(const Spectrum &first, const Spectrum &second);

} // namespace cells

#endif // CELLS_SPECTRUM_H
