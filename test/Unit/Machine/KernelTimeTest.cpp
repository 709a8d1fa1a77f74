// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The time model: which resource limits a kernel, and that no time shrinks
/// when work is added.
//===----------------------------------------------------------------------===//

#include "cudaopt/Machine/KernelTime.h"

#include "gtest/gtest.h"

using namespace cudaopt;

static constexpr Occupancy Full = {8, 8}; // 64 warps

/// A block that keeps every resource busy for 100 cycles.
static KernelWork makeBalanced() {
  KernelWork Work;
  Work.Instructions = {.Issued = 400, .Float = 400};
  Work.SharedWavefronts = 100;
  Work.BlockSectors = 100;
  return Work;
}

TEST(KernelTimeTest, TheBusiestResourceLimits) {
  const auto limiterWith = [](auto Change) {
    KernelWork Work = makeBalanced();
    Change(Work);
    return predictTime(Work, Full, gpuOf("sm_90")).limiter();
  };
  EXPECT_EQ(limiterWith([](KernelWork &W) { W.Instructions.Issued = 4000; }),
            Resource::Issue);
  EXPECT_EQ(limiterWith([](KernelWork &W) { W.SharedWavefronts = 1000; }),
            Resource::Shared);
  EXPECT_EQ(limiterWith([](KernelWork &W) { W.GlobalLines = 1000; }),
            Resource::Shared);
  EXPECT_EQ(limiterWith([](KernelWork &W) { W.Instructions.Double = 4000; }),
            Resource::Math);
  EXPECT_EQ(limiterWith([](KernelWork &W) { W.Instructions.Special = 4000; }),
            Resource::Math);
  EXPECT_EQ(limiterWith([](KernelWork &W) { W.OwnSectors = 1000; }),
            Resource::Memory);
}

// One warp on a multiprocessor leaves its resources idle for most of the time.
TEST(KernelTimeTest, FewWarpsWait) {
  const KernelTime Alone = predictTime(makeBalanced(), {1, 1}, gpuOf("sm_90"));
  EXPECT_EQ(Alone.limiter(), Resource::Latency);
  EXPECT_GT(Alone.Cycles,
            5 * predictTime(makeBalanced(), Full, gpuOf("sm_90")).Cycles);
}

TEST(KernelTimeTest, ConflictsCountIfBanksLimit) {
  KernelWork Banks, Memory;
  Banks.SharedWavefronts = Memory.SharedWavefronts = 1000;
  Memory.OwnSectors = 5000; // 9697 cycles of the device's memory.
  const auto ratioWithout = [](KernelWork Work) {
    const double Before = predictTime(Work, Full, gpuOf("sm_90")).Cycles;
    Work.SharedWavefronts = 100;
    return predictTime(Work, Full, gpuOf("sm_90")).Cycles / Before;
  };
  EXPECT_NEAR(ratioWithout(Banks), 0.1, 1e-9);
  EXPECT_GT(ratioWithout(Memory), 0.999);
}

TEST(KernelTimeTest, MoreWorkNeverTakesLess) {
  const double Before =
      predictTime(makeBalanced(), Full, gpuOf("sm_90")).Cycles;
  for (double KernelWork::*Member :
       {&KernelWork::SharedWavefronts, &KernelWork::GlobalLines,
        &KernelWork::BlockSectors, &KernelWork::OwnSectors}) {
    KernelWork Work = makeBalanced();
    Work.*Member += 1000;
    EXPECT_GT(predictTime(Work, Full, gpuOf("sm_90")).Cycles, Before);
  }
}

TEST(KernelTimeTest, NoWorkTakesNoTime) {
  const KernelTime Time = predictTime({}, Full, gpuOf("sm_90"));
  EXPECT_EQ(Time.Cycles, 0);
  EXPECT_EQ(Time.share(Resource::Issue), 0);
}
