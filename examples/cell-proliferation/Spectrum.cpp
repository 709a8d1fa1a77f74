// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Histograms on one scale, see Spectrum.h.
//===----------------------------------------------------------------------===//

#include "Spectrum.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace cells;

static int spectrumBin(double fluorescence) {
  if (!(fluorescence > SPECTRUM_LOW))
    return 0;
  double place = std::log(fluorescence / SPECTRUM_LOW) /
                 std::log(SPECTRUM_HIGH / SPECTRUM_LOW);
  return int(std::min<double>(place * SPECTRUM_BINS, SPECTRUM_BINS - 1));
}

static void normalize(Spectrum &spectrum) {
  double sum = std::accumulate(spectrum.begin(), spectrum.end(), 0.0);
  if (sum > 0)
    for (double &value : spectrum)
      value /= sum;
}

Spectrum cells::spectrumOf(const Histogram &histogram) {
  Spectrum spectrum{};
  for (const Bin &bin : histogram)
    spectrum[spectrumBin(bin.fluorescence)] += double(bin.frequency);
  normalize(spectrum);
  return spectrum;
}

Spectrum cells::spectrumOf(const std::vector<OutputRow> &rows) {
  Spectrum spectrum{};
  for (const OutputRow &row : rows)
    spectrum[spectrumBin(row.fluorescence)] += row.count;
  normalize(spectrum);
  return spectrum;
}

SpectrumMaker::SpectrumMaker(const Population &population, const Shape &shape)
    : shape(shape) {
  for (uint32_t bin = 0; bin < shape.binCount; ++bin)
    for (int g = 0; g < shape.removedColumn(); ++g)
      binOf.push_back(
          spectrumBin(std::ldexp(population.fluorescence[bin], -g)));
}

Spectrum SpectrumMaker::operator()(const Counts &counts) const {
  Spectrum spectrum{};
  const uint64_t *count = counts.cells.data();
  const int *bin = binOf.data();
  for (uint32_t i = 0; i < shape.binCount; ++i) {
    for (int type = 0; type < shape.typeCount; ++type, ++count)
      for (int g = 0; g < shape.removedColumn(); ++g)
        spectrum[bin[g]] += double(*count++);
    bin += shape.removedColumn();
  }
  normalize(spectrum);
  return spectrum;
}

double cells::hellingerDistance(const Spectrum &first, const Spectrum &second) {
  double sum = 0;
  for (int i = 0; i < SPECTRUM_BINS; ++i) {
    double difference = std::sqrt(first[i]) - std::sqrt(second[i]);
    sum += difference * difference;
  }
  return std::sqrt(sum / 2);
}

double cells::overlap(const Spectrum &first, const Spectrum &second) {
  double sum = 0;
  for (int i = 0; i < SPECTRUM_BINS; ++i)
    sum += std::min(first[i], second[i]);
  return sum;
}
