// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Arguments that make no sense: each gets one status, nothing is modified, and
/// nothing undefined happens.
//===----------------------------------------------------------------------===//

#include "chain_loops.hpp"
#include "environment_guard.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

using namespace cudaopt;
using namespace cudaopt::test;

namespace {

/// run() with \p wanted refuses, and data are as they were.
void expect_refused(const options &wanted, const char *what) {
  links c(16);
  plan p;
  EXPECT_EQ(run(p, c.loop(), 16, wanted), status::invalid_argument) << what;
  EXPECT_FALSE(p.is_valid()) << what;
  EXPECT_EQ(execute(p, c.loop()), status::unsupported) << what;
  EXPECT_EQ(c.data, std::vector<std::uint64_t>(17)) << what;
}

/// The same for an array of x.
void expect_array_refused(array<std::uint64_t> x, const char *what) {
  for (int s = 0; s < num_strategies; ++s) {
    links c(16);
    link_loop loop = c.loop();
    loop.x = x;
    plan p;
    EXPECT_EQ(run(p, loop, 16, by(strategy(s))), status::invalid_argument)
        << what << " " << name_of(strategy(s));
    EXPECT_FALSE(run_loop(loop, 16, {})) << what;
  }
}

/// Its arrays are made in each call.
struct temporary_arrays {
  int *a, *b;
  const int *w;
  index_t size;
  int first, second; ///< Numbers.

  array<int> A() const { return {a, size, first}; }
  array<int> B() const { return {b, size, second}; }
  extents arrays() const { return extents_of(A(), B()); }
  template <class Touch> void slice(index_t i, Touch &touch) const {
    touch.read(A(), w[i]);
    touch.write(B(), w[i]);
  }
  template <class Memory> void body(index_t i, Memory &memory) const {
    memory.store(B(), w[i], memory.load(A(), w[i]) + 1);
  }
};

/// Accesses an array that arrays() does not name.
struct unlisted_array : two_arrays {
  extents arrays() const { return extents_of(A); }
};

/// Lists one array twice.
struct listed_twice : link_loop {
  extents arrays() const { return extents_of(x, x); }
};

/// Lists more arrays than there can be, by hand.
struct nine_arrays : link_loop {
  extents arrays() const {
    extents e = extents_of(x);
    e.count = 9;
    return e;
  }
};

} // namespace

// strategy(77), backend(9), reuse(200).
TEST(Misuse, ValuesThatNoEnumerationHas) {
  expect_refused(by(strategy(77)), "strategy(77)");
  expect_refused(by(strategy(num_strategies)), "one beyond the last strategy");
  options o;
  o.where = backend(9);
  expect_refused(o, "backend(9)");
  o = {};
  o.when = reuse(200);
  expect_refused(o, "reuse(200)");
  EXPECT_STREQ(name_of(strategy(77)), "");
  EXPECT_STREQ(name_of(status(77)), "");
}

// Counts below 0.
TEST(Misuse, NegativeOptions) {
  expect_refused(by(strategy::tickets, -5), "threads");
  options o = by(strategy::tickets);
  o.window = -7;
  expect_refused(o, "window");
  o.window = std::numeric_limits<index_t>::max();
  expect_refused(o, "a window of 2^63 - 1");
  o = by(strategy::automatic);
  o.expected_runs = -3;
  expect_refused(o, "expected_runs");
}

// Sizes of the auxiliary array that are none.
TEST(Misuse, AuxiliaryArrays) {
  const double nan = std::nan("");
  for (double size : {0.0, -1.0, nan, 1e-300}) {
    options o = by(strategy::paper_levels);
    o.paper.auxiliary = size;
    expect_refused(o, "auxiliary");
  }
  for (double size : {1e30, std::numeric_limits<double>::infinity()}) {
    links c(16);
    options o = by(strategy::paper_levels);
    o.paper.auxiliary = size;
    plan p;
    EXPECT_EQ(run(p, c.loop(), 16, o), status::ok);
    EXPECT_EQ(c.data[16], 16u);
  }
}

// More iterations than can be counted by twos.
TEST(Misuse, EndlessLoops) {
  links c(4);
  plan p;
  for (strategy s : general) {
    EXPECT_EQ(run(p, c.loop(), std::numeric_limits<index_t>::max(), by(s)),
              status::invalid_argument);
    if (s != strategy::sequential && s != strategy::reserve) {
      options o = by(s);
      o.max_scratch_bytes = 1 << 20;
      EXPECT_EQ(run(p, c.loop(), index_t(1) << 61, o), status::out_of_memory);
    }
  }
}

// Null, negative, beyond the address space, and more bytes than 64 bits count.
TEST(Misuse, ArraysThatCannotBe) {
  std::uint64_t data[17] = {};
  expect_array_refused({nullptr, 17}, "null");
  expect_array_refused({data, -1}, "-1");
  expect_array_refused({data, std::numeric_limits<index_t>::min()}, "-2^63");
  expect_array_refused({data, std::numeric_limits<index_t>::max()}, "2^63 - 1");
  expect_array_refused({data, index_t(1) << 61}, "2^61");
  expect_array_refused(
      {reinterpret_cast<std::uint64_t *>(~std::uintptr_t(15)), 17},
      "beyond the address space");
}

// An array of 2^40 elements where there are 17: what is accessed is there, so
// that only strategies with a table of all locations refuse.
TEST(Misuse, ArraysLargerThanMemory) {
  for (strategy s : general) {
    links c(16);
    link_loop loop = c.loop();
    loop.x.size = index_t(1) << 40;
    options o = by(s);
    o.max_scratch_bytes = 1 << 20;
    plan p;
    const status answer = run(p, loop, 16, o);
    EXPECT_EQ(answer,
              s == strategy::reserve ? status::out_of_memory : status::ok)
        << name_of(s);
    EXPECT_EQ(c.data[16], answer == status::ok ? 16u : 0u) << name_of(s);
  }
}

// Two arrays without numbers, with the same, with exchanged ones, and with ones
// that no array has: the runtime finds them itself.
TEST(Misuse, ArrayNumbers) {
  const int numbers[][2] = {{8, 8}, {0, 0}, {1, 0}, {9, -1}, {1 << 30, 5}};
  for (strategy s : general)
    for (const auto &n : numbers) {
      int a[16], b[16] = {};
      int w[16];
      for (int i = 0; i < 16; ++i) {
        a[i] = 100 * i;
        w[i] = i * 7 % 16;
      }
      two_arrays loop{{a, 16, n[0]}, {b, 16, n[1]}, w};
      plan p;
      ASSERT_EQ(run(p, loop, 16, by(s)), status::ok) << name_of(s);
      ASSERT_EQ(execute(p, loop), status::ok);
      for (int i = 0; i < 16; ++i)
        EXPECT_EQ(b[i], 100 * i + 1) << name_of(s);
      w[3] = 16; // Outside of both.
      if (s != strategy::sequential && s != strategy::reserve) {
        EXPECT_EQ(run(p, loop, 16, by(s)), status::index_out_of_range);
        EXPECT_EQ(p.info().bad_iteration, 3);
      }
    }
}

// The sizes of two arrays without numbers are told apart.
TEST(Misuse, SizesOfArraysWithoutNumbers) {
  int a[8] = {}, b[16] = {};
  const int w[] = {0, 1, 12};
  plan p;
  EXPECT_EQ(run(p, two_arrays{{a, 8}, {b, 16}, w}, 3, by(strategy::renaming)),
            status::index_out_of_range);
  EXPECT_EQ(p.info().bad_iteration, 2);
  EXPECT_EQ(b[0], 0);
}

// Arrays that are no members have the numbers of their places, or are refused.
TEST(Misuse, TemporaryArrays) {
  int a[4] = {1, 2, 3, 4}, b[4] = {};
  const int w[] = {3, 1, 2, 0};
  plan p;
  for (int first : {0, 1, 8})
    for (int second : {0, 1, 8}) {
      const bool is_right = first == 0 && second == 1;
      EXPECT_EQ(run(p, temporary_arrays{a, b, w, 4, first, second}, 4,
                    by(strategy::renaming)),
                is_right ? status::ok : status::invalid_argument);
    }
  EXPECT_EQ(b[3], 5);
}

// An array that arrays() leaves out has no elements.
TEST(Misuse, UnlistedArrays) {
  for (strategy s : {strategy::tickets, strategy::renaming, strategy::owner,
                     strategy::levels_graph, strategy::reserve})
    for (int number : {0, 1, 9}) {
      int a[4] = {}, b[4] = {};
      const int w[] = {3, 1, 2, 0};
      plan p;
      unlisted_array loop{{{a, 4, 0}, {b, 4, number}, w}};
      const status answer = run(p, loop, 4, by(s));
      if (number != 0) // Else it is taken for the first one.
        EXPECT_EQ(answer, status::index_out_of_range) << name_of(s);
    }
}

TEST(Misuse, ArraysListedTwice) {
  links c(8);
  plan p;
  listed_twice loop{c.loop()};
  EXPECT_EQ(run(p, loop, 8, by(strategy::tickets)), status::ok);
  EXPECT_EQ(c.data[8], 8u);
}

TEST(Misuse, MoreArraysThanThereCanBe) {
  links c(8);
  plan p;
  EXPECT_EQ(run(p, nine_arrays{c.loop()}, 8, by(strategy::tickets)),
            status::invalid_argument);
}

// A plan for other arrays: fewer, shorter, elsewhere.
TEST(Misuse, PlansOfOtherArrays) {
  for (strategy s : general) {
    links c(8), other(8), shorter(7);
    plan p;
    ASSERT_EQ(run(p, c.loop(), 8, by(s)), status::ok);
    EXPECT_EQ(execute(p, other.loop()), status::invalid_argument);
    EXPECT_EQ(execute(p, shorter.loop()), status::invalid_argument);
    int a[8] = {}, b[8] = {};
    EXPECT_EQ(execute(p, two_arrays{{a, 8}, {b, 8}, c.to.data()}),
              status::invalid_argument);
    EXPECT_EQ(other.data[1], 0u);
    EXPECT_EQ(execute(p, c.loop()), status::ok);
  }
}

// A plan that was moved from, one that was never made, one after a refusal.
TEST(Misuse, PlansWithoutAState) {
  links c(8);
  plan p;
  EXPECT_EQ(execute(p, c.loop()), status::unsupported);
  EXPECT_EQ(check(p), status::unsupported);
  ASSERT_EQ(run(p, c.loop(), 8, by(strategy::tickets)), status::ok);
  plan taken = std::move(p);
  EXPECT_EQ(execute(p, c.loop()), status::unsupported);
  EXPECT_EQ(execute(taken, c.loop()), status::ok);
  EXPECT_EQ(run(taken, c.loop(), 8, by(strategy(99))),
            status::invalid_argument);
  EXPECT_EQ(check(taken), status::unsupported);
}

// Texts and files that are not there.
TEST(Misuse, NullTextsAndPaths) {
  links c(8);
  plan p;
  explain(p, nullptr, 10);
  char text[1] = {'x'};
  explain(p, text, 0);
  EXPECT_EQ(text[0], 'x');
  explain(p, text, 1);
  EXPECT_EQ(text[0], 0);
  EXPECT_EQ(load(p, static_cast<const char *>(nullptr)), status::unsupported);
  ASSERT_EQ(run(p, c.loop(), 8, by(strategy::tickets)), status::ok);
  EXPECT_EQ(save(p, static_cast<const char *>(nullptr)), status::unsupported);
  EXPECT_EQ(save(p, "/dev/full"), status::unsupported);
}

// Staging out of its order, and of sizes that cannot be.
TEST(Misuse, Staging) {
  int x[4] = {};
  staging none;
  EXPECT_EQ(none.finish(), status::invalid_argument);
  EXPECT_EQ(none.start(), status::ok);
  EXPECT_EQ(none.start(), status::invalid_argument);
  EXPECT_EQ(none.on_device(&x[1]), &x[1]);
  EXPECT_EQ(none.finish(), status::ok);
  for (index_t size :
       {index_t(-1), std::numeric_limits<index_t>::max(), index_t(1) << 62}) {
    staging wrong;
    wrong.declare(x, size, transfer::in_out);
    EXPECT_EQ(wrong.start(), status::invalid_argument);
    EXPECT_EQ(wrong.finish(), status::invalid_argument);
  }
  staging empty;
  empty.declare(static_cast<int *>(nullptr), 7, transfer::in);
  empty.declare(x, 0, transfer::in);
  EXPECT_EQ(empty.start(), status::ok);
}

// run_loop with wrong clauses leaves the loop to the caller.
TEST(Misuse, RunLoopWithWrongClauses) {
  links c(16);
  const loop_options tickets = loop_options().forced(strategy::tickets);
  EXPECT_FALSE(run_loop(c.loop(), 16, {index(c.to.data(), -1)}, tickets));
  EXPECT_FALSE(
      run_loop(c.loop(), 16, {index(c.to.data(), index_t(1) << 62)}, tickets));
  EXPECT_FALSE(run_loop(c.loop(), 16, {out(c.data.data(), 3)}, tickets));
  EXPECT_FALSE(run_loop(c.loop(), 16, {}, loop_options().forced(strategy(55))));
  EXPECT_FALSE(
      run_loop(c.loop(), std::numeric_limits<index_t>::max(), {}, tickets));
  EXPECT_EQ(c.data, std::vector<std::uint64_t>(17));
  EXPECT_TRUE(run_loop(c.loop(), 0, {}, tickets));
  EXPECT_TRUE(run_loop(c.loop(), -4, {}, tickets));
  EXPECT_TRUE(run_loop(c.loop(), 16, {index(c.to.data(), 16)}, tickets));
  EXPECT_EQ(c.data[16], 16u);
}

// An index out of range, no memory: the caller's loop runs, nothing was
// changed.
TEST(Misuse, RunLoopLeavesWhatItRefuses) {
  links c(64);
  loop_options tickets = loop_options().forced(strategy::tickets);
  c.to[60] = 1 << 20;
  EXPECT_FALSE(run_loop(c.loop(), 64, {}, tickets));
  c.to[60] = 61;
  tickets.inspection_options.max_scratch_bytes = 1;
  EXPECT_FALSE(run_loop(c.loop(), 64, {}, tickets));
  EXPECT_EQ(c.data, std::vector<std::uint64_t>(65));
}

// Nonsense in the environment is no request.
TEST(Misuse, Environment) {
  environment_guard force("CUDAOPT_LEVELIZE_FORCE", "tickets; rm");
  environment_guard stall("CUDAOPT_LEVELIZE_STALL_MS", "-99999999999999999999");
  environment_guard where("CUDAOPT_LEVELIZE", "moon");
  links c(8);
  plan p;
  EXPECT_EQ(run(p, c.loop(), 8), status::ok);
  EXPECT_EQ(detail::contents_of(p).wanted.stall_ms, 10'000u);
  EXPECT_EQ(c.data[8], 8u);
}
