// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Random loops by all strategies of the CPU give the sequential loop's bits.
//===----------------------------------------------------------------------===//

#include "cpu_run.hpp"
#include "fiber_team.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

using namespace cudaopt;
using namespace cudaopt::test;

namespace {

/// CUDAOPT_TEST_LOOPS asks for more.
int number_of_loops() {
  const char *asked = std::getenv("CUDAOPT_TEST_LOOPS");
  return asked ? std::atoi(asked) : 100'000;
}

constexpr strategy strategies[] = {strategy::doall,
                                   strategy::last_writer,
                                   strategy::atomic_reduction,
                                   strategy::ordered_reduction,
                                   strategy::chains,
                                   strategy::levels_graph,
                                   strategy::owner,
                                   strategy::renaming,
                                   strategy::tickets,
                                   strategy::reserve,
                                   strategy::paper_levels};

} // namespace

// Any interleaving of 1 to 4 workers gives the bits of the sequential loop, and
// every strategy gets its share of the loops.
TEST(RandomLoops, AreRightUnderRandomInterleavings) {
  random_engine random(1);
  fiber_team team(random);
  int times[num_strategies] = {};
  const int loops = number_of_loops();
  for (int t = 0; t < loops; ++t)
    with_random_problem(random, 16, [&](const auto &p, const char *name) {
      const auto expected = p.expected();
      // The first strategy, from a random one on, that takes the loop.
      for (std::size_t k = random(), tried = 0; tried < std::size(strategies);
           ++k, ++tried) {
        const strategy s = strategies[k % std::size(strategies)];
        team.resize(1 + int(below(random, fiber_team::most_workers)));
        options wanted;
        wanted.window = below(random, 8);
        const outcome o =
            run_by<detail::cpu::exact_rules>(p, expected, s, team, wanted);
        if (o == outcome::unsupported)
          continue;
        ++times[int(s)];
        ASSERT_EQ(o, outcome::right)
            << name << " by " << name_of(s) << ", loop " << t;
        return;
      }
      FAIL() << name;
    });
  for (strategy s : strategies)
    EXPECT_GT(times[int(s)], loops / 200) << name_of(s);
}

// The same with real threads and larger loops.
TEST(RandomLoops, AreRightWithThreads) {
  random_engine random(2);
  detail::cpu::thread_team team(3, 10'000);
  for (int t = 0; t < 300; ++t)
    with_random_problem(random, 400, [&](const auto &p, const char *name) {
      const auto expected = p.expected();
      for (strategy s : strategies) {
        const outcome o =
            run_by<detail::cpu::exact_rules>(p, expected, s, team);
        if (o != outcome::unsupported)
          ASSERT_EQ(o, outcome::right)
              << name << " by " << name_of(s) << ", loop " << t;
      }
    });
}
