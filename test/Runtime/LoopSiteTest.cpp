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

TEST(LoopSiteTest, OneOf1024Asks) {
  std::vector<int> x(100);
  EXPECT_FALSE(is_run<2>(x, 10));
  int asked = 0;
  for (int call = 0; call < 4096; ++call)
    asked += !is_small<increment<2>>(10, x.data());
  EXPECT_EQ(asked, 4);
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
