// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which lanes access which elements together, and how often.
//===----------------------------------------------------------------------===//

#include "cudaopt/Analysis/BankConflicts.h"

#include "../HandMadeKernel.h"
#include "gtest/gtest.h"

using namespace cudaopt;

static double totalWeight(const AccessPatterns &A) {
  double Sum = 0;
  for (const LanePattern &P : A.Patterns)
    Sum += P.Weight;
  return Sum;
}

// Threads are numbered with x fastest; the last warp is not full.
TEST(BankConflictsTest, WarpsRunOverRowsOfTheBlock) {
  HandMadeKernel H({24, 3, 1});
  ArrayId Tile = H.array({3, 24}, 4);
  H.read(Tile, {H.threadY(), H.threadX()});
  AccessPatterns A = collectPatterns(H.instance(), Tile);
  EXPECT_TRUE(A.IsExact);
  EXPECT_EQ(A.NumUncounted, 0u);
  ASSERT_EQ(A.Patterns.size(), 3u);
  EXPECT_EQ(A.Patterns[0].ActiveLanes, 0xffffffffu);
  EXPECT_EQ(A.Patterns[2].ActiveLanes, 0xffu);
  for (uint32_t Warp = 0; Warp < 3; ++Warp)
    for (uint32_t Lane = 0; Lane < (Warp < 2 ? 32 : 8); ++Lane)
      EXPECT_EQ(A.Patterns[Warp].Elements[Lane], 32 * Warp + Lane);
}

// `for (i = x; i < 40; i += 32)`: eight lanes come back for a second iteration.
TEST(BankConflictsTest, LanesLeaveALoopOneByOne) {
  HandMadeKernel H({32, 1, 1});
  ArrayId Line = H.array({40}, 4);
  ValueId I = H.add(H.threadX(), H.mul(H.beginLoop(), 32));
  H.setCondition(H.less(I, H.constant(40)));
  H.write(Line, {I});
  AccessPatterns A = collectPatterns(H.instance(), Line);
  EXPECT_TRUE(A.IsExact);
  ASSERT_EQ(A.Patterns.size(), 2u);
  EXPECT_EQ(A.Patterns[1].ActiveLanes, 0xffu);
  EXPECT_EQ(A.Patterns[1].Elements[7], 39u);
  EXPECT_EQ(A.Patterns[1].Op, MemoryOp::Store);
}

// Executions that access the same elements are one pattern.
TEST(BankConflictsTest, EqualRequestsMerge) {
  HandMadeKernel H({32, 2, 1});
  ArrayId Line = H.array({32}, 4);
  H.beginLoop(7);
  H.write(Line, {H.threadX()});
  AccessPatterns A = collectPatterns(H.instance(), Line);
  ASSERT_EQ(A.Patterns.size(), 1u);
  EXPECT_EQ(A.Patterns[0].Weight, 14);
}

// The inner loop's trip count is the outer iterator: 0 + 1 + 2 + 3.
TEST(BankConflictsTest, TriangularLoops) {
  HandMadeKernel H({32, 1, 1});
  ArrayId Line = H.array({32}, 4);
  ValueId Outer = H.beginLoop(4);
  ValueId Inner = H.beginLoop();
  H.setCondition(H.less(Inner, Outer));
  H.write(Line, {H.threadX()});
  AccessPatterns A = collectPatterns(H.instance(), Line);
  EXPECT_TRUE(A.IsExact);
  EXPECT_EQ(totalWeight(A), 6);
}

// Guards take lanes away, those of outer iterations whole iterations.
TEST(BankConflictsTest, GuardsSelectLanes) {
  HandMadeKernel H({32, 1, 1});
  ArrayId Line = H.array({32}, 4);
  ValueId I = H.beginLoop(8);
  H.beginIf(H.less(H.threadX(), H.constant(4)));
  H.beginIf(H.less(I, H.constant(3)));
  H.read(Line, {H.threadX()});
  AccessPatterns A = collectPatterns(H.instance(), Line);
  EXPECT_TRUE(A.IsExact);
  ASSERT_EQ(A.Patterns.size(), 1u);
  EXPECT_EQ(A.Patterns[0].ActiveLanes, 0xfu);
  EXPECT_EQ(A.Patterns[0].Weight, 3);
}

// A condition on a parameter is taken to hold; a loop that depends on one, or
// has no condition at all, to run ten times.
TEST(BankConflictsTest, ParametersAreAssumed) {
  for (bool HasCondition : {false, true}) {
    HandMadeKernel H({32, 1, 1});
    ArrayId Line = H.array({32}, 4);
    ValueId I = H.beginLoop();
    if (HasCondition)
      H.setCondition(H.less(I, H.parameter()));
    H.beginIf(H.less(H.threadX(), H.parameter()));
    H.read(Line, {H.threadX()});
    AccessPatterns A = collectPatterns(H.instance(), Line);
    EXPECT_FALSE(A.IsExact);
    ASSERT_EQ(A.Patterns.size(), 1u);
    EXPECT_EQ(A.Patterns[0].ActiveLanes, 0xffffffffu);
    EXPECT_EQ(A.Patterns[0].Weight, 10);
  }
}

// `x < 16 && block < n`: the second half has no value, so no grid is needed for
// the first one to select lanes.
TEST(BankConflictsTest, ABlockComparedWithAParameterDoesNotMatter) {
  HandMadeKernel H({32, 1, 1});
  ArrayId Line = H.array({32}, 4);
  H.beginIf(H.binary(ValueKind::LogicalAnd, H.less(H.threadX(), H.constant(16)),
                     H.less(H.blockX(), H.parameter())));
  H.read(Line, {H.threadX()});
  AccessPatterns A = collectPatterns(H.instance(), Line);
  EXPECT_FALSE(A.IsExact);
  ASSERT_EQ(A.Patterns.size(), 1u);
  EXPECT_EQ(A.Patterns[0].ActiveLanes, 0xffffu);
  EXPECT_EQ(A.Patterns[0].Weight, 1);
}

// A guard that one block in four passes counts a quarter; without a grid it is
// taken to hold.
TEST(BankConflictsTest, AveragesOverTheGrid) {
  for (uint32_t GridX : {4, 0}) {
    HandMadeKernel H({32, 1, 1}, {GridX, 0, 0});
    ArrayId Line = H.array({32}, 4);
    H.beginIf(H.less(H.constant(2), H.blockX()));
    H.read(Line, {H.threadX()});
    AccessPatterns A = collectPatterns(H.instance(), Line);
    EXPECT_EQ(A.IsExact, GridX != 0);
    EXPECT_EQ(totalWeight(A), GridX ? 0.25 : 1);
  }
}

// Of a huge grid a spread of blocks stands for all: here, half of them.
TEST(BankConflictsTest, SamplesLargeGrids) {
  HandMadeKernel H({32, 1, 1}, {1 << 20, 1, 1});
  ArrayId Line = H.array({32}, 4);
  H.beginIf(H.less(H.blockX(), H.constant(1 << 19)));
  H.read(Line, {H.threadX()});
  AccessPatterns A = collectPatterns(H.instance(), Line);
  EXPECT_FALSE(A.IsExact);
  EXPECT_NEAR(totalWeight(A), 0.5, 0.01);
}

// What has no element number is not counted, and does not disturb the rest.
TEST(BankConflictsTest, SkipsWhatCannotBeCounted) {
  HandMadeKernel H({32, 1, 1});
  ArrayId Line = H.array({32}, 4);
  H.read(Line, {H.threadX()});
  H.read(Line, {}).WhyOpaque = Reason::DataDependent;
  H.read(Line, {H.parameter()});
  EXPECT_TRUE(collectPatterns(H.instance(), Line).IsExact);
  H.read(Line, {H.add(H.threadX(), H.constant(1))}); // 32 is out of bounds.
  AccessPatterns A = collectPatterns(H.instance(), Line);
  EXPECT_EQ(A.NumUncounted, 3u);
  EXPECT_FALSE(A.IsExact);
  EXPECT_EQ(A.Patterns.size(), 1u);
}

// Without the shape of the block there are no warps.
TEST(BankConflictsTest, UnknownBlock) {
  HandMadeKernel H({0, 0, 0});
  ArrayId Line = H.array({32}, 4);
  H.read(Line, {H.threadX()});
  AccessPatterns A = collectPatterns(H.instance(), Line);
  EXPECT_EQ(A.NumUncounted, 1u);
  EXPECT_TRUE(A.Patterns.empty());
}

// Loops over the budget are cut; the weights tell of all iterations.
TEST(BankConflictsTest, CutsLongLoops) {
  HandMadeKernel H({32, 1, 1});
  ArrayId Line = H.array({64}, 4);
  H.beginLoop(1000);
  ValueId I = H.beginLoop(3000);
  H.read(Line, {H.add(H.threadX(), H.rem(I, 32))});
  AccessPatterns A = collectPatterns(H.instance(), Line);
  EXPECT_FALSE(A.IsExact);
  EXPECT_EQ(A.Patterns.size(), 32u);
  EXPECT_NEAR(totalWeight(A), 3e6, 1);
}

// A loop without an end does not hang the analysis.
TEST(BankConflictsTest, EndlessLoop) {
  HandMadeKernel H({32, 1, 1});
  ArrayId Line = H.array({32}, 4);
  H.beginLoop();
  H.setCondition(H.constant(1));
  H.write(Line, {H.threadX()});
  AccessPatterns A = collectPatterns(H.instance(), Line);
  EXPECT_FALSE(A.IsExact);
  EXPECT_EQ(totalWeight(A), 10);
}
