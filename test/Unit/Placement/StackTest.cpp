// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// How closely aligned items are stacked, from the bottom and from anywhere.
//===----------------------------------------------------------------------===//

#include "../../../lib/Placement/Stack.h"

#include "gtest/gtest.h"

using namespace cudaopt;

// The order decides: 5 then 8 aligned to 8 leaves a gap, 8 then 5 none.
TEST(StackTest, BestOrderIsFound) {
  EXPECT_EQ(findLeastEnds({{5, 1, 0}, {8, 8, 0}}, 0),
            (std::vector<int64_t>{0, 5, 8, 13}));
}

// What must begin at 3 modulo 8 does so even alone.
TEST(StackTest, PhaseIsKept) {
  EXPECT_EQ(findLeastEnds({{2, 8, 3}}, 10).back(), 13);
}

TEST(StackTest, GapsDependOnTheBegin) {
  const LeastStacks Stacks({{4, 4, 0}, {8, 8, 0}}, 4);
  ASSERT_FALSE(Stacks.isEmpty());
  EXPECT_EQ(Stacks.findEnd(0, 3), 12);  // 8 then 4
  EXPECT_EQ(Stacks.findEnd(20, 3), 32); // 4 then 8
  EXPECT_EQ(Stacks.findEnd(20, 2), 32); // A gap, then 8.
}

TEST(StackTest, StacksWithoutGapsNeedNoTable) {
  EXPECT_TRUE(LeastStacks({{4, 4, 0}, {8, 4, 0}}, 4).isEmpty());
}
