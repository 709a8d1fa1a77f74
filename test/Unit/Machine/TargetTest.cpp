// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The table of architectures and the occupancy that follows from it.
//===----------------------------------------------------------------------===//

#include "cudaopt/Machine/Target.h"

#include "gtest/gtest.h"

using namespace cudaopt;

TEST(TargetTest, SuffixNamesTheSameMachine) {
  ASSERT_TRUE(findTarget("sm_90a"));
  EXPECT_EQ(findTarget("sm_90a")->Name, "sm_90");
  EXPECT_EQ(findTarget("sm_120f")->Name, "sm_120");
}

TEST(TargetTest, UnknownNamesAreNotFound) {
  for (const char *Name :
       {"", "a", "sm_", "sm_1", "sm_9", "sm_90aa", "SM_90", "compute_90"})
    EXPECT_FALSE(findTarget(Name)) << Name;
}

TEST(TargetTest, KeplerHasBanksOfEightBytes) {
  EXPECT_EQ(findTarget("sm_35")->Shared.Width, 8u);
  EXPECT_EQ(findTarget("sm_90")->Shared.Width, 4u);
}

// Without shared memory, threads and the number of blocks are the limits.
TEST(TargetTest, ThreadsLimitTheBlocks) {
  EXPECT_EQ(blocksPerSM(*findTarget("sm_90"), 1024, 0), 2u);
  EXPECT_EQ(blocksPerSM(*findTarget("sm_90"), 32, 0), 32u);
  EXPECT_EQ(blocksPerSM(*findTarget("sm_86"), 1024, 0), 1u);
  EXPECT_EQ(blocksPerSM(*findTarget("sm_75"), 64, 0), 16u);
}

// A block of 33 threads takes two warps.
TEST(TargetTest, BlocksTakeWholeWarps) {
  EXPECT_EQ(blocksPerSM(*findTarget("sm_75"), 96, 0), 10u);
  EXPECT_EQ(blocksPerSM(*findTarget("sm_75"), 65, 0), 10u);
}

// 228 KiB hold 19 blocks of 11 KiB and the 1 KiB that the system takes.
TEST(TargetTest, SharedMemoryLimitsTheBlocks) {
  EXPECT_EQ(blocksPerSM(*findTarget("sm_90"), 32, 11 * 1024), 19u);
  EXPECT_EQ(blocksPerSM(*findTarget("sm_75"), 32, 16 * 1024), 4u);
}

// A byte more takes another unit: 128 bytes from sm_80 on, 256 before.
TEST(TargetTest, SharedMemoryIsTakenInUnits) {
  EXPECT_EQ(blocksPerSM(*findTarget("sm_75"), 32, 4096), 16u);
  EXPECT_EQ(blocksPerSM(*findTarget("sm_75"), 32, 4097), 15u);
  EXPECT_EQ(blocksPerSM(*findTarget("sm_90"), 32, 11 * 1024 + 1), 18u);
}

TEST(TargetTest, ABlockThatDoesNotFitIsNoBlock) {
  EXPECT_EQ(blocksPerSM(*findTarget("sm_75"), 32, 64 * 1024 + 1), 0u);
  EXPECT_EQ(blocksPerSM(*findTarget("sm_75"), 1025, 0), 0u);
}
