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

/// What is beyond the ends belongs to the bins there.
Spectrum spectrumOf(const Histogram &histogram);
Spectrum spectrumOf(const std::vector<OutputRow> &rows);

/// The bins that simulated cells belong to, found once.
class SpectrumMaker {
public:
  SpectrumMaker(const Population &population, const Shape &shape);

  Spectrum operator()(const Counts &counts) const;

private:
  Shape shape;
  std::vector<int> binOf; ///< Of each bin of the population and generation.
};

/// 0 if the two are the same, 1 if they have no bin in common.
double hellingerDistance(const Spectrum &first, const Spectrum &second);

/// The part of the area that both have.
double overlap(const Spectrum &first, const Spectrum &second);

} // namespace cells

#endif // CELLS_SPECTRUM_H
