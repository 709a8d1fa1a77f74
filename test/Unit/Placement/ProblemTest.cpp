// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The check of placements finds each kind of error.
//===----------------------------------------------------------------------===//

#include "cudaopt/Placement/Problem.h"

#include "gtest/gtest.h"

using namespace cudaopt;

/// Two items at once, then a third beside the second.
static PlacementProblem chain() {
  return {{{8, 4}, {8, 4}, {4, 1}},
          {{{0, 0, 8}, {1, 0, 8}}, {{1, 0, 8}, {2, 0, 4}}}};
}

TEST(ProblemTest, RightPlacementHasNoError) {
  EXPECT_EQ(findPlacementError(chain(), {{0, 8, 0}, 16}), "");
}

TEST(ProblemTest, OverlapIsAnError) {
  EXPECT_EQ(findPlacementError(chain(), {{0, 4, 0}, 12}),
            "item 0 and item 1 share bytes in interval 0");
}

TEST(ProblemTest, OverlapOfOneByteIsAnError) {
  EXPECT_EQ(findPlacementError(chain(), {{0, 8, 5}, 16}),
            "item 1 and item 2 share bytes in interval 1");
}

TEST(ProblemTest, WrongAlignmentIsAnError) {
  EXPECT_EQ(findPlacementError(chain(), {{0, 10, 0}, 18}),
            "item 1 at 10 is not aligned to 4");
}

TEST(ProblemTest, WrongHeightIsAnError) {
  EXPECT_EQ(findPlacementError(chain(), {{0, 8, 0}, 12}),
            "the items end at 16, the height says 12");
}

TEST(ProblemTest, MissingOffsetIsAnError) {
  EXPECT_EQ(findPlacementError(chain(), {{0, 8}, 16}), "2 offsets for 3 items");
}

// Only the bytes in use matter, and no byte is in use in an empty stretch.
TEST(ProblemTest, UnusedBytesMayBeShared) {
  const PlacementProblem Halves = {{{8, 1}, {8, 1}, {8, 1}},
                                   {{{0, 0, 4}, {1, 4, 8}, {2, 3, 3}}}};
  EXPECT_EQ(findPlacementError(Halves, {{0, 0, 0}, 8}), "");
  EXPECT_NE(findPlacementError(Halves, {{1, 0, 0}, 9}), "");
}
