// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What is foreseen, told and kept: models, estimates, explanations, saved
/// plans, staging.
//===----------------------------------------------------------------------===//

#include "environment_guard.hpp"
#include "random_loop.hpp"

#include "cudaopt/levelize.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <numeric>
#include <string>

using namespace cudaopt;
using namespace cudaopt::test;

namespace {

/// x[i + distance] = x[i]: distance chains side by side.
struct shift_loop {
  static constexpr strategy_set strategies{strategy::tickets,
                                           strategy::levels_graph};
  array<double> x;
  index_t distance;

  extents arrays() const { return extents_of(x); }
  template <class Touch> void slice(index_t i, Touch &touch) const {
    touch.read(x, i);
    touch.write(x, i + distance);
  }
  template <class Memory> void body(index_t i, Memory &memory) const {
    memory.store(x, i + distance, memory.load(x, i));
  }
};

detail::loop_facts facts_of(index_t iterations, index_t distance) {
  std::vector<double> x(std::size_t(iterations + distance));
  const shift_loop loop{{x.data(), index_t(x.size()), 0}, distance};
  detail::loop_facts facts;
  EXPECT_TRUE(detail::estimate_on_host(
      loop, iterations, detail::map_locations(loop.arrays()), facts));
  return facts;
}

std::string temporary(const char *name) {
  return testing::TempDir() + "cudaopt-" + name;
}

} // namespace

// Levels of windows grow with them in a chain, and not where iterations meet
// none of their window.
TEST(Model, EstimatesLevels) {
  EXPECT_EQ(facts_of(1'000'000, 1).levels, 1'000'000);
  EXPECT_EQ(facts_of(1'000'000, 500'000).levels, 1);
  const index_t ten_chains = facts_of(1'000'000, 10).levels;
  EXPECT_GT(ten_chains, 80'000);
  EXPECT_LT(ten_chains, 120'000);
  EXPECT_EQ(facts_of(1'000'000, 10).accesses, 2'000'000);
  EXPECT_EQ(facts_of(5, 1).levels, 5);
  EXPECT_EQ(facts_of(1, 1).levels, 1);
}

// Some iterations of a window meet by chance: the loop has the levels of chance
// (9 here), not as many as its windows.
TEST(Model, EstimatesLevelsOfChance) {
  random_engine random(1);
  const index_t n = 200'000;
  auto p = make_table_problem(random, family::mixed, n, 2 * n);
  const table_loop loop = p.at(p.image.data());
  detail::loop_facts facts;
  ASSERT_TRUE(detail::estimate_on_host(
      loop, n, detail::map_locations(loop.arrays()), facts));
  EXPECT_GT(facts.levels, 1);
  EXPECT_LT(facts.levels, 60);
}

// An index out of range stops the estimate, and nothing is copied for it.
TEST(Model, LeavesBadLoopsOnTheHost) {
  double x[10] = {};
  const shift_loop loop{{x, 10, 0}, 5};
  const comparison c = compare(loop, 10, 0, 0);
  EXPECT_FALSE(c.prefers_device());
}

// An iteration does not wait for itself, however often it meets its location.
TEST(Model, IterationsDoNotWaitForThemselves) {
  struct own_loop {
    array<double> x;
    extents arrays() const { return extents_of(x); }
    void slice(index_t i, detail::sampling_touch &touch) const {
      touch.read(x, i);
      touch.write(x, i);
      touch.read(x, i);
    }
  };
  std::vector<double> x(100'000);
  const own_loop loop{{x.data(), index_t(x.size()), 0}};
  detail::loop_facts facts;
  ASSERT_TRUE(detail::estimate_on_host(
      loop, 100'000, detail::map_locations(loop.arrays()), facts));
  EXPECT_EQ(facts.levels, 1);
  EXPECT_EQ(facts.accesses, 300'000);
}

// Where the host is done before a device has begun, nearly nothing is sampled.
TEST(Model, LooksBrieflyAtSmallLoops) {
  struct counted_loop {
    array<double> x;
    index_t *slices;
    extents arrays() const { return extents_of(x); }
    void slice(index_t i, detail::sampling_touch &touch) const {
      ++*slices;
      touch.update(x, i, plus{});
    }
  };
  std::vector<double> x(5'000);
  index_t slices = 0;
  const counted_loop loop{{x.data(), index_t(x.size()), 0}, &slices};
  EXPECT_FALSE(compare(loop, 5'000, 0, 0, {}, device_model()).prefers_device());
  EXPECT_LE(slices, 10);
}

// A deep chain belongs to the host, wide levels to the device; transfers count.
TEST(Model, ComparesHostAndDevice) {
  const index_t n = 1 << 24;
  std::vector<double> x(std::size_t(2 * n));
  auto with = [&](index_t distance, std::size_t bytes) {
    const shift_loop loop{{x.data(), 2 * n, 0}, distance};
    return compare(loop, n, bytes, bytes, {}, device_model());
  };
  EXPECT_FALSE(with(1, 0).prefers_device());
  EXPECT_TRUE(with(n, 0).prefers_device());
  EXPECT_FALSE(with(n, std::size_t(1) << 40).prefers_device());
  // The arrays of a loop need no numbers.
  const shift_loop plain{{x.data(), 2 * n}, n};
  const comparison c = compare(plain, n, 0, 0, {}, device_model());
  EXPECT_EQ(c.device_ms, with(n, 0).device_ms);
  EXPECT_TRUE(c.prefers_device());
}

// Few levels and many runs: levels are worth their inspection; a deep loop
// stays with dataflow.
TEST(Model, LevelsPayWhenTheyServeAgain) {
  const device_model m;
  auto cheaper = [&](index_t levels, int runs) {
    const detail::loop_facts f{10'000'000, 30'000'000, levels, 0};
    return detail::cost_of(strategy::levels_cooperative, f, m).of_runs(runs) <
           detail::cost_of(strategy::tickets, f, m).of_runs(runs);
  };
  EXPECT_FALSE(cheaper(20, 1));
  EXPECT_TRUE(cheaper(20, 100));
  EXPECT_FALSE(cheaper(1'000'000, 100));
}

// A model that was written is read again, a damaged file is not.
TEST(Model, IsKept) {
  const std::string path = temporary("model.txt");
  device_model m, read;
  m.hop_us = 0.123456789f;
  ASSERT_TRUE(detail::write_model(path, m));
  ASSERT_TRUE(detail::read_model(path, read));
  EXPECT_EQ(read.hop_us, m.hop_us);
  EXPECT_TRUE(read.is_measured);
  std::FILE *file = std::fopen(path.c_str(), "w");
  std::fputs("hop_us 1\nnonsense 2\n", file);
  std::fclose(file);
  read.hop_us = 7;
  EXPECT_FALSE(detail::read_model(path, read));
  EXPECT_EQ(read.hop_us, 7);
  std::remove(path.c_str());
  EXPECT_FALSE(detail::read_model(path, read));
}

TEST(Model, CacheIsWhereTheEnvironmentSays) {
  environment_guard place("CUDAOPT_CACHE_DIR", "/somewhere");
  EXPECT_EQ(detail::cache_directory(), "/somewhere");
}

// The words name the strategy, the reason of a refusal and the counts; any
// size of the buffer is kept to.
TEST(Explain, TellsWhy) {
  std::vector<double> x(101);
  const shift_loop loop{{x.data(), 101, 0}, 1};
  options wanted;
  wanted.force = strategy::tickets;
  plan p;
  char text[1000];
  explain(p, text, sizeof(text));
  EXPECT_NE(std::string(text).find("There is no plan"), std::string::npos);
  ASSERT_EQ(inspect(p, loop, 100, wanted), status::ok);
  explain(p, text, sizeof(text));
  const std::string all = text;
  EXPECT_NE(all.find("100 iterations with 200 accesses to 101 locations, at "
                     "most 2 to one"),
            std::string::npos)
      << all;
  EXPECT_NE(all.find("Runs by tickets on the CPU, as was asked for"),
            std::string::npos)
      << all;
  for (std::size_t size : {std::size_t(1), std::size_t(10), all.size()}) {
    std::vector<char> small(size + 1, 'x');
    explain(p, small.data(), size);
    EXPECT_EQ(std::string(small.data()), all.substr(0, size - 1));
    EXPECT_EQ(small[size], 'x');
  }
  wanted.force = strategy::doall;
  EXPECT_EQ(inspect(p, loop, 101, wanted), status::unsupported);
  wanted.force = strategy::tickets;
  EXPECT_EQ(inspect(p, loop, 101, wanted), status::index_out_of_range);
  explain(p, text, sizeof(text));
  EXPECT_NE(std::string(text).find("Iteration 100 has an index out of range"),
            std::string::npos)
      << text;
}

// What was decided once is decided so again, for the same number of
// iterations.
TEST(SavedPlan, RemembersTheDecision) {
  std::vector<double> x(1001);
  const shift_loop loop{{x.data(), 1001, 0}, 1};
  options wanted;
  wanted.force = strategy::tickets;
  plan p, other;
  saved_plan saved;
  EXPECT_EQ(save(p, saved), status::unsupported);
  ASSERT_EQ(inspect(p, loop, 1000, wanted), status::ok);
  ASSERT_EQ(save(p, saved), status::ok);
  ASSERT_EQ(load(other, saved), status::ok);
  ASSERT_EQ(run(other, loop, 1000), status::ok);
  EXPECT_EQ(other.info().chosen, strategy::tickets);
  ASSERT_EQ(run(other, loop, 999), status::ok);
  EXPECT_EQ(other.info().chosen, strategy::sequential);
  saved.iterations = 999;
  EXPECT_EQ(load(other, saved), status::unsupported);
}

TEST(SavedPlan, GoesThroughAFile) {
  const std::string path = temporary("plan.bin");
  std::vector<double> x(11);
  plan p, other;
  options wanted;
  wanted.force = strategy::levels_graph;
  ASSERT_EQ(inspect(p, shift_loop{{x.data(), 11, 0}, 1}, 10, wanted),
            status::ok);
  ASSERT_EQ(save(p, path.c_str()), status::ok);
  ASSERT_EQ(load(other, path.c_str()), status::ok);
  EXPECT_EQ(detail::contents_of(other).remembered, strategy::levels_graph);
  std::remove(path.c_str());
  EXPECT_EQ(load(other, path.c_str()), status::unsupported);
}

// Without a device host memory is used in place.
TEST(Staging, CopiesNothingForTheHost) {
  int x[4] = {1, 2, 3, 4};
  staging area(backend::cpu);
  area.declare(x, 4, transfer::in_out);
  ASSERT_EQ(area.start(), status::ok);
  EXPECT_EQ(area.on_device(x + 1), x + 1);
  EXPECT_EQ(area.bytes(), 0u);
  EXPECT_EQ(area.finish(), status::ok);
}
