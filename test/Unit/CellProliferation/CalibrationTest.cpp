// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Calibration.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace cells;

namespace {

TEST(SpectrumTest, Distances) {
  Spectrum one = spectrumOf(Histogram{{20, 5}, {30, 5}});
  Spectrum other = spectrumOf(Histogram{{5000, 5}});
  Spectrum half = spectrumOf(Histogram{{20, 9}});
  EXPECT_EQ(hellingerDistance(one, one), 0);
  EXPECT_EQ(overlap(one, one), 1);
  EXPECT_EQ(hellingerDistance(one, other), 1);
  EXPECT_EQ(overlap(one, other), 0);
  EXPECT_NEAR(hellingerDistance(one, half), std::sqrt(1 - std::sqrt(0.5)),
              1e-12);
  EXPECT_NEAR(overlap(one, half), 0.5, 1e-12);
}

// What lies beyond the ends belongs to the first and the last bin.
TEST(SpectrumTest, Ends) {
  Spectrum spectrum =
      spectrumOf(Histogram{{0, 1}, {10, 1}, {1e4, 1}, {1e6, 1}});
  EXPECT_EQ(spectrum.front(), 0.5);
  EXPECT_EQ(spectrum.back(), 0.5);
}

// A table of counts has the spectrum of the rows that are printed of it.
TEST(SpectrumTest, OfCounts) {
  Population population = populate({{900, 40}, {1000, 30}, {30, 4}}, 11);
  auto simulator = makeCpuSimulator(population, {200}, Precision::DOUBLE, 1);
  Counts counts =
      simulator->simulate({{{{0.5, 40, 9}, {0.5, 70, 9}}, 3}}).front();
  Spectrum made = SpectrumMaker(population, counts.shape)(counts);
  Spectrum printed =
      spectrumOf(outputRows(population, counts.shape, counts.cells));
  for (int i = 0; i < SPECTRUM_BINS; ++i)
    EXPECT_NEAR(made[i], printed[i], 1e-12);
}

TEST(SwarmTest, FindsTheLeast) {
  Swarm swarm({{"x", -10, 10}, {"y", 0, 5}}, 20, 1);
  auto evaluate = [](const std::vector<Position> &positions) {
    std::vector<double> values;
    for (const Position &p : positions)
      values.push_back((p[0] - 3) * (p[0] - 3) + (p[1] + 1) * (p[1] + 1));
    return values;
  };
  for (int i = 0; i < 80; ++i)
    swarm.advance(evaluate);
  EXPECT_NEAR(swarm.best()[0], 3, 1e-3);
  EXPECT_NEAR(swarm.best()[1], 0, 1e-9); // The edge of its range.
  EXPECT_NEAR(swarm.bestValue(), 1, 1e-3);
}

// A histogram that a model made is fitted by a model that makes about the same.
TEST(CalibrationTest, FitsWhatAModelMade) {
  Histogram histogram;
  for (int i = 0; i < 60; ++i)
    histogram.push_back({300.0 * std::pow(10, i / 59.0), 25});
  Population population = populate(histogram, 11);
  auto simulator = makeCpuSimulator(population, {120}, Precision::FLOAT, 2);
  std::vector<CellType> truth = {{0.2, -1, -1}, {0.4, 90, 20}, {0.4, 40, 10}};
  Counts made = simulator->simulate({{truth, 77}}).front();
  Spectrum target = SpectrumMaker(population, made.shape)(made);
  int calls = 0;
  Calibration found =
      calibrate(*simulator, population, target, {20, 30}, 1,
                [&](int done, double) { EXPECT_EQ(done, ++calls); });
  EXPECT_EQ(calls, 30);
  // The model that made it is as far from it, with another seed.
  EXPECT_LT(found.distance, 0.1);
  EXPECT_NEAR(found.types[2].mean, 40, 5);
}

} // namespace
