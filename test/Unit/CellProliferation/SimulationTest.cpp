// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Comparison.h"
#include "Cpu.h"
#include "Expected.h"
#include "Jobs.h"
#include "Rows.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace cells;

namespace {

const std::vector<CellType> MODELS[] = {
    {{1.0, 46.1, 28.9}},
    {{0.86, 46.0, 26.4}, {0.14, -1, -1}},
    {{0.06, -1, -1}, {0.47, 63.7, 28.9}, {0.47, 41.1, 14.3}},
    {{0.28, 83.9, 26.6}, {0.72, 44.2, 19.5}},
};

/// A log-normal histogram, of about \p cells cells.
Histogram makeHistogram(double cells) {
  Histogram histogram;
  for (int i = 0; i < 60; ++i) {
    double x = std::pow(10, 1 + 3 * i / 59.0), z = (std::log(x) - 7.3) / 0.6;
    histogram.push_back({x, uint64_t(cells / 13 * std::exp(-z * z / 2))});
  }
  return histogram;
}

Counts simulate(const Population &population, const Model &model,
                const Conditions &conditions, unsigned threads = 1) {
  return simulateOnCpu<double>(population, {model}, conditions, threads)[0];
}

// Half of 22 is not above 11, so a cell of 22 does not divide.
TEST(PopulationTest, Limits) {
  Population population =
      populate({{5, 1}, {22, 1}, {23, 2}, {30, 0}, {88.1, 3}}, 11);
  EXPECT_EQ(population.limit, (std::vector<int>{0, 0, 1, 3}));
  EXPECT_EQ(population.firstRoot, (std::vector<uint32_t>{0, 1, 2, 4, 7}));
  EXPECT_EQ(population.mostGenerations, 3);
}

TEST(PopulationTest, Refused) {
  EXPECT_THROW(populate({{5, 0}}, 11), InputError);
  EXPECT_THROW(populate({{5, 1}}, 1e-30), InputError);
  EXPECT_THROW(populate({{5, 3000000000}, {6, 3000000000}}, 11), InputError);
}

// Each root by itself: divisions make the cells, and the descendants, weighed
// by 2^-generation, add up to one root.
TEST(CpuTest, IdentitiesOfEachRoot) {
  Population population = populate(makeHistogram(4000), 8.7);
  Shape shape = shapeOf(population, 3);
  auto rules = rulesOf<double>({MODELS[2], 5}, {504});
  int wrong = 0;
  uint64_t all = 0;
  for (uint32_t bin = 0; bin < population.binCount(); ++bin)
    for (uint32_t root = population.firstRoot[bin];
         root < population.firstRoot[bin + 1]; ++root) {
      std::vector<uint64_t> rows(shape.rowSize());
      int limit = population.limit[bin];
      uint64_t divisions = followRoot(rules, root, limit, shape, rows.data());
      uint64_t weight = 0, cells = 0;
      for (size_t i = 0; i < rows.size(); ++i) {
        int column = int(i) % shape.columnCount;
        bool isRemoved = column == shape.removedColumn();
        wrong += rows[i] > 0 && !isRemoved && column > limit;
        weight += rows[i] << (30 - (isRemoved ? limit : column));
        cells += rows[i];
      }
      wrong += weight != uint64_t(1) << 30 || cells != divisions + 1;
      all += cells;
    }
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(all, population.rootCount() * 20);
}

// The same bits with every number of threads, alone and in a batch; and in each
// precision, on all machines, those of the day when this was written.
TEST(CpuTest, SameCells) {
  Population population = populate(makeHistogram(3000), 11);
  Conditions conditions{240};
  Model model{MODELS[2], 1}, other{MODELS[0], 9};
  Counts counts = simulate(population, model, conditions);
  EXPECT_EQ(violation(population, counts), "");
  EXPECT_EQ(counts.hash(), simulate(population, model, conditions, 3).hash());
  // Of the other model's three types, two have no cells.
  auto batch =
      simulateOnCpu<double>(population, {other, model, other}, conditions, 2);
  EXPECT_EQ(batch[1].hash(), counts.hash());
  EXPECT_EQ(batch[0].hash(), batch[2].hash());
  EXPECT_NE(batch[0].hash(), counts.hash());
}

// The bits of the day when this was written, on all machines. So few cells are
// the same in both precisions.
TEST(CpuTest, KnownCells) {
  Histogram histogram;
  for (uint64_t i = 1; i <= 60; ++i)
    histogram.push_back({50.0 * double(i), 20 + i});
  Population population = populate(histogram, 11);
  Model model{MODELS[2], 1};
  Conditions conditions{240};
  EXPECT_EQ(simulate(population, model, conditions).hash(),
            0xCE5CF791A7E82886ull);
  EXPECT_EQ(simulateOnCpu<float>(population, {model}, conditions, 1)[0].hash(),
            0xCE5CF791A7E82886ull);
}

TEST(CpuTest, NoTime) {
  Population population = populate(makeHistogram(3000), 11);
  Counts counts = simulate(population, {MODELS[2], 1}, {0});
  EXPECT_EQ(counts.divisions, 0u);
  EXPECT_EQ(counts.inGeneration(0), population.rootCount());
}

TEST(CpuTest, AllQuiescent) {
  Population population = populate(makeHistogram(3000), 11);
  Counts counts = simulate(population, {{{1, -1, -1}}, 1}, {1e6});
  EXPECT_EQ(counts.inGeneration(0), population.rootCount());
}

// Cells that divide every 24 hours at once: powers of two. A division at the
// very end still happens.
TEST(CpuTest, Doubling) {
  Population population = populate({{1000, 7}}, 11);
  Conditions conditions{96, Start::SYNCHRONOUS};
  Counts counts = simulate(population, {{{1, 24, 0}}, 1}, conditions);
  EXPECT_EQ(counts.inGeneration(4), 7u * 16);
  EXPECT_EQ(counts.counted(), 7u * 16);
  EXPECT_EQ(counts.divisions, 7u * 15);
}

// A cell that is too dim to divide stays if its time has not come, and goes if
// it has.
TEST(CpuTest, TooDim) {
  Population population = populate({{20, 1000}}, 11);
  Counts counts = simulate(population, {{{1, 46.1, 28.9}}, 1}, {60});
  EXPECT_EQ(counts.divisions, 0u);
  EXPECT_GT(counts.counted(), 100u);
  EXPECT_GT(counts.removed(), 100u);
}

TEST(ViolationTest, Found) {
  Population population = populate({{1000, 7}}, 11);
  Counts counts = simulate(population, {MODELS[0], 1}, {100});
  EXPECT_EQ(violation(population, counts), "");
  Counts lost = counts, invented = counts;
  lost.cells[2] -= 1;
  EXPECT_NE(violation(population, lost), "");
  // One cell that becomes two of the next generation is a division.
  invented.cells[2] -= 1;
  invented.cells[3] += 2;
  EXPECT_NE(violation(population, invented), "");
  invented.divisions += 1;
  EXPECT_EQ(violation(population, invented), "");
}

// The means of 64 seeds are within four standard errors of the renewal form, in
// each generation.
TEST(ExpectedTest, MeansOfSimulations) {
  for (auto [hours, least] : {std::pair(240.0, 11.0), std::pair(504.0, 8.7)})
    for (const auto &types : MODELS)
      for (Start start :
           {Start::ASYNCHRONOUS, Start::SHARED_DRAW, Start::SYNCHRONOUS}) {
        if (start != Start::ASYNCHRONOUS && hours > 300)
          continue;
        Population population = populate(makeHistogram(150), least);
        Conditions conditions{hours, start};
        std::vector<Model> models;
        for (uint64_t seed = 1; seed <= 64; ++seed)
          models.push_back({types, seed});
        auto counts = simulateOnCpu<float>(population, models, conditions, 2);
        auto expected = expectedCounts(population, models[0], conditions, 1000);
        for (const Deviation &row : compareGenerations(counts, expected))
          EXPECT_LT(std::fabs(row.z()), 4)
              << types[0].mean << " h, " << hours << ", expected "
              << row.expected << ", is " << row.mean;
      }
}

// What is expected has the identities of what is simulated.
TEST(ExpectedTest, Conserves) {
  Population population = populate(makeHistogram(1000), 8.7);
  Model model{MODELS[3], 1};
  std::vector<double> counts = expectedCounts(population, model, {504}, 500);
  Shape shape = shapeOf(population, 2);
  double weight = 0;
  for (uint32_t bin = 0; bin < shape.binCount; ++bin)
    for (int type = 0; type < 2; ++type)
      for (int g = 0; g < shape.columnCount; ++g)
        weight += std::ldexp(
            counts[shape.at(bin, type, g)],
            -(g == shape.removedColumn() ? population.limit[bin] : g));
  EXPECT_NEAR(weight / population.rootCount(), 1, 1e-12);
}

TEST(JobsTest, EachRootOnce) {
  Population population = populate(makeHistogram(5000), 11);
  std::vector<double> divisions =
      expectedDivisions(population, {MODELS[2], 1}, {240}, 96);
  for (JobSize size :
       {JobSize{512, 4, 65536}, JobSize{1, 32, 65536}, JobSize{1e9, 1, 64}}) {
    std::vector<int> times(population.rootCount());
    for (const Job &job : cutIntoJobs(population, divisions, size)) {
      EXPECT_LE(job.binCount, size.bins);
      EXPECT_LE(job.rootCount, size.roots);
      EXPECT_GE(job.firstRoot, population.firstRoot[job.firstBin]);
      EXPECT_LE(job.firstRoot + job.rootCount,
                population.firstRoot[job.firstBin + job.binCount]);
      for (uint32_t i = 0; i < job.rootCount; ++i)
        ++times[job.firstRoot + i];
    }
    EXPECT_EQ(times, std::vector<int>(population.rootCount(), 1));
  }
}

} // namespace
