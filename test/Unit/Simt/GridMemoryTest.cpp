// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Parts of a grid in each other's way, and their writes taken back.
//===----------------------------------------------------------------------===//

#include "../../../lib/Simt/GridMemory.h"

#include <gtest/gtest.h>

using namespace cudaopt;
using namespace cudaopt::simt;

namespace {

class GridMemoryTest : public testing::Test {
protected:
  DeviceMemory Memory;
  DeviceMemory::Allocation &A =
      Memory.allocate(StateSpace::Global, 64, "cudaMalloc #1");
  DeviceMemory::Allocation &Table =
      Memory.allocate(StateSpace::Const, 64, "table");
  GridMemory Grid = {Memory, 4};
  GridPart First = {Grid, 0}, Second = {Grid, 1};
};

} // namespace

TEST_F(GridMemoryTest, AllMayReadTheSame) {
  EXPECT_TRUE(First.read(A, 0, 4));
  EXPECT_TRUE(Second.read(A, 0, 4));
  EXPECT_TRUE(First.read(A, 0, 4));
  EXPECT_FALSE(Grid.isBroken());
}

TEST_F(GridMemoryTest, OneMayReadAndWriteItsOwn) {
  EXPECT_TRUE(First.read(A, 0, 8));
  EXPECT_TRUE(First.write(A, 0, 8));
  EXPECT_TRUE(First.read(A, 4, 4));
  EXPECT_TRUE(Second.write(A, 8, 4));
  EXPECT_FALSE(Grid.isBroken());
}

TEST_F(GridMemoryTest, WhatOneWroteNoOtherReads) {
  EXPECT_TRUE(First.write(A, 4, 4));
  EXPECT_FALSE(Second.read(A, 0, 16));
  EXPECT_TRUE(Grid.isBroken());
}

TEST_F(GridMemoryTest, WhatOneWroteNoOtherWrites) {
  EXPECT_TRUE(First.write(A, 4, 4));
  EXPECT_FALSE(Second.write(A, 4, 4));
}

TEST_F(GridMemoryTest, WhatOneReadNoOtherWrites) {
  EXPECT_TRUE(First.read(A, 4, 4));
  EXPECT_FALSE(Second.write(A, 4, 4));
}

TEST_F(GridMemoryTest, WhatManyReadNoneOfThemWrites) {
  EXPECT_TRUE(First.read(A, 4, 4));
  EXPECT_TRUE(Second.read(A, 4, 4));
  EXPECT_FALSE(First.write(A, 4, 4));
}

TEST_F(GridMemoryTest, ConstantMemoryIsAnybodys) {
  EXPECT_TRUE(First.read(Table, 0, 4));
  EXPECT_TRUE(Second.read(Table, 0, 4));
}

TEST_F(GridMemoryTest, WritesAreTakenBackToWhatWasFirst) {
  A.Data[5] = 1;
  ASSERT_TRUE(First.write(A, 4, 4));
  A.Data[5] = 2;
  ASSERT_TRUE(First.write(A, 4, 4));
  A.Data[5] = 3;
  ASSERT_TRUE(Second.write(A, 8, 4));
  A.Data[8] = 4;
  First.undo();
  EXPECT_EQ(A.Data[5], 1);
  EXPECT_EQ(A.Data[8], 4);
}
