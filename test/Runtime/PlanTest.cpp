// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Plans: what they refuse, when they serve again, what the environment does.
//===----------------------------------------------------------------------===//

#include "environment_guard.hpp"
#include "random_loop.hpp"

#include "cudaopt/levelize.hpp"

#include <gtest/gtest.h>

#include <string>
#include <thread>

using namespace cudaopt;
using namespace cudaopt::test;

namespace {

/// x[to[i]] = x[from[i]] + 1, for as many iterations as there are.
struct copy_loop {
  array<std::uint64_t> x;
  const int *from, *to;

  extents arrays() const { return extents_of(x); }
  template <class Touch> void slice(index_t i, Touch &touch) const {
    touch.read(x, from[i]);
    touch.write(x, to[i]);
  }
  template <class Memory> void body(index_t i, Memory &memory) const {
    memory.store(x, to[i], memory.load(x, from[i]) + 1);
  }
};

/// Its first iteration is slow.
struct slow_copy : copy_loop {
  template <class Memory> void body(index_t i, Memory &memory) const {
    if (i == 0) // Ten times the watchdog's limit.
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
    copy_loop::body(i, memory);
  }
};

struct only_tickets : copy_loop {
  static constexpr strategy_set strategies{strategy::tickets};
};

options by(strategy s) {
  options wanted;
  wanted.force = s;
  wanted.threads = 2;
  return wanted;
}

constexpr strategy inspecting[] = {strategy::doall,
                                   strategy::last_writer,
                                   strategy::atomic_reduction,
                                   strategy::ordered_reduction,
                                   strategy::chains,
                                   strategy::levels_graph,
                                   strategy::levels_cooperative,
                                   strategy::paper_levels,
                                   strategy::owner,
                                   strategy::renaming,
                                   strategy::tickets};

/// x[i + 1] = x[i] + 1: a chain of \p n.
struct chain {
  explicit chain(int n) : data(std::size_t(n) + 1) {
    for (int i = 0; i < n; ++i) {
      from.push_back(i);
      to.push_back(i + 1);
    }
  }
  copy_loop loop() {
    return {{data.data(), index_t(data.size()), 0}, from.data(), to.data()};
  }
  std::vector<std::uint64_t> data;
  std::vector<int> from, to;
};

} // namespace

// An index outside of its array, above or below: the first such iteration is
// told, memory is as it was, and the plan is not valid.
TEST(Plan, RefusesIndicesOutOfRange) {
  for (int bad : {-1, 9, 1 << 30})
    for (strategy s : inspecting) {
      chain c(8);
      c.to[5] = c.from[6] = bad;
      const auto before = c.data;
      plan p;
      EXPECT_EQ(run(p, c.loop(), 8, by(s)), status::index_out_of_range)
          << name_of(s);
      EXPECT_EQ(p.info().bad_iteration, 5);
      EXPECT_EQ(c.data, before);
      EXPECT_FALSE(p.is_valid());
      EXPECT_EQ(execute(p, c.loop()), status::unsupported);
    }
}

// reserve looks at indices when it comes to them, and ends there.
TEST(Plan, ReserveEndsAtAnIndexOutOfRange) {
  chain c(8);
  c.to[5] = 9;
  plan p;
  EXPECT_EQ(run(p, c.loop(), 8, by(strategy::reserve)),
            status::index_out_of_range);
  EXPECT_EQ(c.data, (std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5, 0, 0, 0}));
}

// Loops of no iterations do nothing, by any strategy; negative counts are none.
TEST(Plan, RunsNoIterations) {
  for (int s = 0; s < num_strategies; ++s)
    for (index_t n : {0, -3}) {
      chain c(1);
      plan p;
      EXPECT_EQ(run(p, c.loop(), n, by(strategy(s))), status::ok);
      EXPECT_EQ(c.data[1], 0u);
      EXPECT_TRUE(p.is_valid());
    }
}

TEST(Plan, RunsOneIteration) {
  for (strategy s : {strategy::doall, strategy::chains, strategy::levels_graph,
                     strategy::owner, strategy::renaming, strategy::tickets,
                     strategy::reserve, strategy::sequential}) {
    chain c(1);
    plan p;
    EXPECT_EQ(run(p, c.loop(), 1, by(s)), status::ok) << name_of(s);
    EXPECT_EQ(c.data[1], 1u) << name_of(s);
  }
}

// Iterations without accesses, and arrays without elements.
TEST(Plan, RunsIterationsWithoutAccesses) {
  for (strategy s : inspecting) {
    random_engine random(1);
    auto p = make_table_problem(random, family::mixed, 0, 1);
    const index_t begin[] = {0, 0, 0, 0};
    std::uint64_t outputs[3] = {};
    table_loop loop = p.at(p.image.data());
    loop.begin = begin;
    loop.outputs = outputs;
    plan made;
    EXPECT_EQ(run(made, loop, 3, by(s)), status::ok) << name_of(s);
    EXPECT_EQ(outputs[2], 3u);
  }
}

// A body may take longer than the watchdog's limit: others wait for it, but it
// does not wait itself.
TEST(Plan, SlowBodiesAreNoStall) {
  chain c(4);
  slow_copy loop{c.loop()};
  options wanted = by(strategy::tickets);
  wanted.stall_ms = 20;
  plan p;
  EXPECT_EQ(run(p, loop, 4, wanted), status::ok);
  EXPECT_EQ(c.data[4], 4u);
}

// Workers that wait for what nobody does give up together, and the team works
// again afterwards.
TEST(Plan, WaitsInVainEnd) {
  detail::cpu::thread_team team(3, 50);
  for (int again = 0; again < 2; ++again) {
    std::atomic<int> left{0};
    team.run([&](int worker) {
      if (worker != 1) // Has ended long before.
        left += !detail::cpu::wait_until(team, [] { return false; });
    });
    EXPECT_TRUE(team.was_stalled());
    EXPECT_EQ(left, team.size() - 1);
    std::atomic<int> sum{0};
    team.run([&](int worker) { sum += worker; });
    EXPECT_FALSE(team.was_stalled());
    EXPECT_EQ(sum, 3);
  }
}

// A strategy without the memory that it needs gives way to the next.
TEST(Plan, KeepsItsBudget) {
  chain c(1000);
  options wanted = by(strategy::tickets);
  wanted.max_scratch_bytes = 1000;
  plan p;
  EXPECT_EQ(run(p, c.loop(), 1000, wanted), status::out_of_memory);
  EXPECT_EQ(c.data[1], 0u);
  wanted.force = strategy::automatic;
  wanted.expected_runs = 1000; // Inspections are tried.
  wanted.threads = 4;
  EXPECT_EQ(run(p, c.loop(), 1000, wanted), status::ok);
  EXPECT_EQ(c.data[1000], 1000u);
}

// Of three runs with the same indices one inspects; a change of an index is
// noticed by the hash, not by a promise.
TEST(Plan, ServesAgain) {
  for (const reuse when : {reuse::checked, reuse::unchanged, reuse::never}) {
    chain c(10);
    options wanted = by(strategy::tickets);
    wanted.when = when;
    wanted.indices[0] = {c.from.data(), 10 * sizeof(int)};
    wanted.indices[1] = {c.to.data(), 10 * sizeof(int)};
    plan p;
    ASSERT_EQ(run(p, c.loop(), 10, wanted), status::ok);
    ASSERT_EQ(run(p, c.loop(), 10, wanted), status::ok);
    EXPECT_EQ(p.info().inspections, when == reuse::never ? 2 : 1);
    // Other promises of the caller make another plan.
    ASSERT_EQ(run(p, c.loop(), 9, wanted), status::ok);
    EXPECT_EQ(p.info().iterations, 9);
    c.from[4] = 0;
    c.data.assign(11, 0);
    if (when != reuse::unchanged) {
      ASSERT_EQ(run(p, c.loop(), 10, wanted), status::ok);
      EXPECT_EQ(c.data[5], 1u);
    }
    p.invalidate();
    EXPECT_FALSE(p.is_valid());
  }
}

// Two equal words that change places, and a zero at the end, change the hash.
TEST(Plan, HashesPositions) {
  options wanted;
  wanted.when = reuse::checked;
  auto hash = [&](std::vector<unsigned char> bytes) {
    wanted.indices[0] = {bytes.data(), bytes.size()};
    std::uint64_t h[2];
    EXPECT_EQ(detail::hash_of(wanted, nullptr, h), status::ok);
    return std::make_pair(h[0], h[1]);
  };
  std::vector<unsigned char> a(24), b(24), c(25);
  a[0] = 1;
  b[8] = 1;
  c[0] = 1;
  EXPECT_EQ(hash(a), hash(a));
  EXPECT_NE(hash(a), hash(b));
  EXPECT_NE(hash(a).first, hash(c).first);
  EXPECT_NE(hash(a).second, hash(c).second);
}

// CUDAOPT_LEVELIZE_FORCE and =off choose, unless the program does.
TEST(Plan, ListensToTheEnvironment) {
  chain c(100);
  plan p;
  {
    environment_guard force("CUDAOPT_LEVELIZE_FORCE", "renaming");
    ASSERT_EQ(run(p, c.loop(), 100), status::ok);
    EXPECT_EQ(p.info().chosen, strategy::renaming);
    EXPECT_TRUE(p.info().was_forced);
    ASSERT_EQ(run(p, c.loop(), 100, by(strategy::tickets)), status::ok);
    EXPECT_EQ(p.info().chosen, strategy::tickets);
    environment_guard off("CUDAOPT_LEVELIZE", "off");
    ASSERT_EQ(run(p, c.loop(), 100), status::ok);
    EXPECT_EQ(p.info().chosen, strategy::sequential);
  }
  {
    environment_guard unknown("CUDAOPT_LEVELIZE_FORCE", "magic");
    ASSERT_EQ(run(p, c.loop(), 100), status::ok);
    EXPECT_FALSE(p.info().was_forced);
  }
  environment_guard gpu("CUDAOPT_LEVELIZE", "gpu"); // There is none.
  EXPECT_EQ(run(p, c.loop(), 100), status::unsupported);
  EXPECT_EQ(detail::contents_of(p).wanted.stall_ms, 10'000u);
}

// One line for an inspection, with the strategy's name.
TEST(Plan, TracesInspections) {
  environment_guard trace("CUDAOPT_LEVELIZE_TRACE", "1");
  chain c(7);
  plan p;
  testing::internal::CaptureStderr();
  ASSERT_EQ(run(p, c.loop(), 7, by(strategy::tickets)), status::ok);
  const std::string line = testing::internal::GetCapturedStderr();
  EXPECT_NE(line.find("7 iterations, tickets on the cpu (ok)"),
            std::string::npos)
      << line;
}

// A caller with a loop of its own is told to run that.
TEST(Plan, LeavesUnprofitableLoopsToTheCaller) {
  chain c(50);
  options wanted;
  wanted.fallback = false;
  plan p;
  EXPECT_EQ(run(p, c.loop(), 50, wanted), status::not_profitable);
  EXPECT_EQ(c.data[1], 0u);
  wanted.fallback = true;
  EXPECT_EQ(run(p, c.loop(), 50, wanted), status::ok);
  EXPECT_EQ(p.info().chosen, strategy::sequential);
  EXPECT_EQ(c.data[50], 50u);
}

// A loop names the strategies that are compiled for it.
TEST(Plan, TakesOnlyTheStrategiesOfTheLoop) {
  chain c(5);
  only_tickets loop{c.loop()};
  plan p;
  EXPECT_EQ(run(p, loop, 5, by(strategy::renaming)), status::unsupported);
  EXPECT_EQ(run(p, loop, 5, by(strategy::tickets)), status::ok);
  EXPECT_EQ(run(p, loop, 5, by(strategy::sequential)), status::ok);
}
