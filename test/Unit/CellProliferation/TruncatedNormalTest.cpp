// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TruncatedNormal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace cells;

namespace {

double normal(double z) { return 0.5 * std::erfc(-z / std::sqrt(2)); }

// The known answers of Random123.
TEST(PhiloxTest, KnownAnswers) {
  struct {
    Words counter;
    Key key;
    Words expected;
  } cases[] = {
      {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
      {{~0u, ~0u, ~0u, ~0u},
       {~0u, ~0u},
       {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
      {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
       {0xa4093822, 0x299f31d0},
       {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
  };
  for (const auto &known : cases) {
    Words words = philox(known.counter, known.key);
    EXPECT_EQ(words.x, known.expected.x);
    EXPECT_EQ(words.y, known.expected.y);
    EXPECT_EQ(words.z, known.expected.z);
    EXPECT_EQ(words.w, known.expected.w);
  }
}

// The ends of the words give numbers inside of (0, 1).
TEST(UniformTest, StaysInside) {
  EXPECT_EQ(uniform<double>(0, 0), 0x1p-53);
  EXPECT_EQ(uniform<double>(~0u, ~0u), 1 - 0x1p-53);
  EXPECT_EQ(uniform<float>(0, 0), 0x1p-24f);
  EXPECT_EQ(uniform<float>(~0u, ~0u), 1 - 0x1p-24f);
}

TEST(TruncatedNormalTest, LogarithmAndReciprocal) {
  for (double x = 1.7071; x < 2.4142; x += 1e-4)
    EXPECT_LE(std::fabs(x * reciprocal(x) - 1), 2.3e-16) << x;
  for (double x = 1e-12; x < 1; x *= 1.01) {
    EXPECT_NEAR(logarithm(x) / std::log(x), 1, 1e-15) << x;
    EXPECT_NEAR(logarithm(float(x)) / std::log(float(x)), 1, 3e-7) << x;
  }
}

// The distribution function takes the quantile back, also far out.
TEST(TruncatedNormalTest, Quantile) {
  for (int i = 1; i < 20000; ++i) {
    double u = i / 20000.0;
    EXPECT_LE(std::fabs(normal(quantile(u)) - u), 2.3e-16) << u;
    float single = float(u);
    EXPECT_NEAR(quantile(single), quantile(double(single)), 2e-6) << u;
  }
  for (double u = 1e-16; u < 1e-3; u *= 1.3)
    EXPECT_NEAR(normal(quantile(u)) / u, 1, 5e-14) << u;
  EXPECT_EQ(quantile(0.5), 0);
}

TEST(TruncatedNormalTest, ProbabilityBelow) {
  for (double x : {0.1, 1.0, 2.874, 5.0, 8.2})
    EXPECT_NEAR(probabilityBelow(x) / normal(-x), 1, 1e-14) << x;
  EXPECT_EQ(probabilityBelow(9), 0);
}

/// sqrt(N) times the statistic of Kolmogorov and Smirnov.
template <typename Real> double distanceFromLaw(double mean, double deviation) {
  constexpr int COUNT = 200000;
  auto law = truncatedNormal<Real>(mean, deviation);
  std::vector<double> values;
  for (uint32_t i = 0; i < COUNT / 2; ++i) {
    Two<Real> two = law.draw(philox({i, 0, 0, 7}, {1, 0}));
    values.push_back(two.left);
    values.push_back(two.right);
  }
  std::sort(values.begin(), values.end());
  EXPECT_GT(values.front(), 0);
  double below = normal(-mean / deviation), worst = 0;
  for (int i = 0; i < COUNT; ++i) {
    double p = (normal((values[i] - mean) / deviation) - below) / (1 - below);
    worst = std::max({worst, std::fabs(p - double(i) / COUNT),
                      std::fabs(p - (i + 1.0) / COUNT)});
  }
  return worst * std::sqrt(COUNT);
}

// 1.63 is the limit that one sampler in 100 exceeds by chance.
TEST(TruncatedNormalTest, KolmogorovSmirnov) {
  for (auto [mean, deviation] :
       {std::pair(41.1, 14.3), std::pair(46.1, 28.9), std::pair(10.0, 40.0)}) {
    EXPECT_LT(distanceFromLaw<double>(mean, deviation), 1.63) << mean;
    EXPECT_LT(distanceFromLaw<float>(mean, deviation), 1.63) << mean;
  }
}

TEST(TruncatedNormalTest, WithoutDeviation) {
  Two<double> two = truncatedNormal<double>(24, 0).draw({1, 2, 3, 4});
  EXPECT_EQ(two.left, 24);
  EXPECT_EQ(two.right, 24);
}

} // namespace
