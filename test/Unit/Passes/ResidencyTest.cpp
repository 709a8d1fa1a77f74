// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// When the instructions of a layout pay: as measured on an H200.
//===----------------------------------------------------------------------===//

#include "cudaopt/Passes/Residency.h"

#include "gtest/gtest.h"

using namespace cudaopt;

namespace {

/// One iteration of a warp in a block of its own; \p Instructions are added.
bool isLonger(unsigned Warps, BlockCost Old, BlockCost New,
              double Instructions) {
  ResidentTime Time;
  Time.add({1, Warps}, Old, New, Instructions);
  return Time.isLonger();
}

// The loop of document 000's product: three instructions for six wavefronts. On
// an H200 they pay from 8 warps on.
TEST(ResidencyTest, ProductNeedsWarps) {
  const BlockCost Old{8, 1, 0}, New{2, 1, 0};
  for (unsigned Warps : {1, 2, 4, 5})
    EXPECT_TRUE(isLonger(Warps, Old, New, 3)) << Warps;
  for (unsigned Warps : {8, 13, 16, 32})
    EXPECT_FALSE(isLonger(Warps, Old, New, 3)) << Warps;
}

// A rotation costs more: it pays from 13 warps on.
TEST(ResidencyTest, RotationNeedsMoreWarps) {
  const BlockCost Old{8, 1, 0}, New{2, 1, 0};
  EXPECT_TRUE(isLonger(8, Old, New, 7));
  EXPECT_FALSE(isLonger(13, Old, New, 7));
}

// The steps of a scan save so much that it pays for one warp.
TEST(ResidencyTest, ManyConflictsNeedNoWarps) {
  for (unsigned Warps : {1, 5, 32})
    EXPECT_FALSE(isLonger(Warps, {188, 15, 0}, {15, 15, 0}, 45)) << Warps;
}

TEST(ResidencyTest, NoInstructionIsFree) {
  EXPECT_FALSE(isLonger(1, {2, 1, 0}, {1, 1, 0}, 0));
}

// Warps of one block share its accesses.
TEST(ResidencyTest, BlocksOfManyWarps) {
  ResidentTime Few, Many;
  Few.add({1, 1}, {80, 10, 0}, {20, 10, 0}, 30);
  Many.add({10, 1}, {80, 10, 0}, {20, 10, 0}, 30);
  EXPECT_TRUE(Few.isLonger());
  EXPECT_FALSE(Many.isLonger());
}

TEST(ResidencyTest, TellsTheNumbers) {
  ResidentTime Time;
  Time.add({1, 5}, {585, 137, 0}, {273, 137, 0}, 666);
  EXPECT_EQ("only 5 warps fit on a multiprocessor (585 wavefronts of a block "
            "before, 273 after)",
            Time.text());
}

} // namespace
