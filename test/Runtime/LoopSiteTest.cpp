// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which loops a program runs itself, without asking the runtime.
//===----------------------------------------------------------------------===//

#include "environment_guard.hpp"

#include "cudaopt/host_loop.hpp"

#include <gtest/gtest.h>

#include <vector>

using namespace cudaopt;

namespace {

/// x[i] += 1; Id makes loops of their own.
template <int Id> struct increment {
  array<int> x;

  extents arrays() const { return extents_of(x); }
  template <class Visit> void each_pointer(Visit &&visit) { visit(x.data); }
  template <class Touch> void slice(index_t i, Touch &touch) const {
    touch.update(x, i, plus{});
  }
  template <class Memory> void body(index_t i, Memory &memory) const {
    memory.update(x, i, plus{}, 1);
  }
};

template <int Id> bool is_run(std::vector<int> &x, index_t n) {
  return run_loop(increment<Id>{{x.data(), index_t(x.size())}}, n, {});
}

TEST(LoopSiteTest, AsManyIterationsAsWereLeft) {
  std::vector<int> x(100);
  EXPECT_FALSE(is_small<increment<0>>(1, x.data()));
  EXPECT_FALSE(is_run<0>(x, 10));
  EXPECT_TRUE(is_small<increment<0>>(10, x.data()));
  EXPECT_TRUE(is_small<increment<0>>(0, x.data()));
  EXPECT_FALSE(is_small<increment<0>>(11, x.data()));
  EXPECT_FALSE(is_small<increment<1>>(10, x.data())); // Another loop.
}

/// Calls over \p x before the one that asks.
template <int Id> int count_answers(std::vector<int> &x) {
  int calls = 0;
  while (is_small<increment<Id>>(10, x.data()))
    ++calls;
  return calls;
}

TEST(LoopSiteTest, AsksAgain) {
  std::vector<int> x(100);
  EXPECT_FALSE(is_run<2>(x, 10));
  EXPECT_EQ(count_answers<2>(x), 1023);
  EXPECT_EQ(count_answers<2>(x), 1023);
}

// A period is twice as long as the one before if the answers were right.
TEST(LoopSiteTest, AsksLessOften) {
  std::vector<int> x(100);
  EXPECT_FALSE(is_run<5>(x, 10));
  int calls = 0;
  for (int question = 0; question < 20; ++question) {
    calls = count_answers<5>(x);
    EXPECT_FALSE(is_run<5>(x, 10));
  }
  EXPECT_EQ(calls, 65535);
  {
    const test::environment_guard forced("CUDAOPT_LEVELIZE_FORCE", "tickets");
    EXPECT_TRUE(is_run<5>(x, 10)); // The answers were wrong.
  }
  EXPECT_FALSE(is_run<5>(x, 10));
  (void)count_answers<5>(x);
  EXPECT_EQ(count_answers<5>(x), 1023);
}

TEST(LoopSiteTest, WhatRanInParallelIsNotSmall) {
  std::vector<int> x(100);
  EXPECT_FALSE(is_run<3>(x, 20));
  const test::environment_guard forced("CUDAOPT_LEVELIZE_FORCE", "tickets");
  EXPECT_TRUE(is_run<3>(x, 10));
  EXPECT_EQ(x[9], 1);
  EXPECT_FALSE(is_small<increment<3>>(10, x.data()));
  EXPECT_TRUE(is_small<increment<3>>(9, x.data()));
}

// Arrays that overlap here may lie apart the next time.
TEST(LoopSiteTest, OverlapsSayNothing) {
  std::vector<int> x(100);
  EXPECT_FALSE(run_loop(increment<4>{{x.data(), 100}}, 10,
                        {in(x.data(), index_t(x.size()))}));
  EXPECT_FALSE(is_small<increment<4>>(1, x.data()));
}

} // namespace
