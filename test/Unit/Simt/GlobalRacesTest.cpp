// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Races on global memory are found if asked for, between blocks and within.
//===----------------------------------------------------------------------===//

#include "KernelRun.h"

namespace cudaopt::simt {
namespace {

/// Two blocks of a warp run \p Body, which knows %tid, and %cta, the block.
RunResult runBlocks(const std::string &Body, bool Checks = true) {
  KernelRun K("declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
              "declare void @llvm.nvvm.membar.gl()\n",
              "ptr %buffer",
              "  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
              "  %cta = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
              "  %p = getelementptr i32, ptr %buffer, i32 %tid\n" +
                  Body + "  ret void\n");
  K.addBuffer(64);
  K.L.Grid = {2, 1, 1};
  K.L.Block = {32, 1, 1};
  K.Options.CheckGlobalRaces = Checks;
  RunResult R = K.run();
  EXPECT_EQ(R.Status, RunStatus::Finished) << R.Why;
  return R;
}

TEST(GlobalRacesTest, BlocksRaceOnGlobalMemory) {
  const char *Body = "  store i32 %cta, ptr %p, align 4 ; 3\n";
  EXPECT_TRUE(runBlocks(Body, false).Seen.Findings.empty());
  RunResult R = runBlocks(Body);
  ASSERT_EQ(R.Seen.Findings.size(), 1u);
  const Finding &F = R.Seen.Findings.front();
  EXPECT_EQ(F.Kind, FindingKind::Race);
  EXPECT_EQ(F.Where.Line, 3u);
  EXPECT_EQ(F.Other.Line, 3u);
  EXPECT_EQ(F.Object, "buffer 0");
  EXPECT_EQ(F.Block[0], 1u);
  ASSERT_TRUE(F.OtherBlock);
  EXPECT_EQ((*F.OtherBlock)[0], 0u);
  EXPECT_EQ(F.Count, 32u);
}

TEST(GlobalRacesTest, BlocksMayReadTheSameGlobalMemory) {
  EXPECT_TRUE(
      runBlocks("  %v = load i32, ptr %p, align 4\n").Seen.Findings.empty());
}

TEST(GlobalRacesTest, ABarrierOrdersGlobalMemoryOfABlockOnly) {
  auto Body = [](const char *Between) {
    return std::string("  %far = mul i32 %cta, 128\n"
                       "  %mine = getelementptr i8, ptr %buffer, i32 %far\n"
                       "  %q = getelementptr i32, ptr %mine, i32 %tid\n"
                       "  store i32 %tid, ptr %q, align 4 ; 3\n") +
           Between +
           "  %i = sub i32 31, %tid\n"
           "  %r = getelementptr i32, ptr %mine, i32 %i\n"
           "  %v = load i32, ptr %r, align 4 ; 5\n";
  };
  const char *Barrier =
      "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n";
  EXPECT_TRUE(runBlocks(Body(Barrier)).Seen.Findings.empty());
  RunResult R = runBlocks(Body(""));
  ASSERT_EQ(R.Seen.Findings.size(), 1u);
  EXPECT_EQ(R.Seen.Findings[0].Kind, FindingKind::WarpRace);
}

TEST(GlobalRacesTest, AnAtomicRacesWithAStoreOfAnotherBlock) {
  RunResult R =
      runBlocks("  %first = icmp eq i32 %cta, 0\n"
                "  br i1 %first, label %set, label %go\n"
                "set:\n  store i32 0, ptr %buffer, align 4 ; 3\n"
                "  br label %go\ngo:\n"
                "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n"
                "  %old = atomicrmw add ptr %buffer, i32 1 monotonic ; 4\n");
  ASSERT_EQ(R.Seen.Findings.size(), 1u);
  EXPECT_EQ(R.Seen.Findings[0].Kind, FindingKind::Race);
  EXPECT_EQ(R.Seen.Findings[0].Where.Line, 4u);
  EXPECT_EQ(R.Seen.Findings[0].Other.Line, 3u);
}

/// The second block reads what the first wrote, after both counted themselves.
TEST(GlobalRacesTest, AFenceBeforeAnAtomicOrdersBlocks) {
  auto Body = [](const char *Fence) {
    return std::string("  %c = getelementptr i32, ptr %buffer, i32 63\n"
                       "  %first = icmp eq i32 %cta, 0\n"
                       "  br i1 %first, label %write, label %count\n"
                       "write:\n  store i32 100, ptr %p, align 4 ; 3\n") +
           Fence +
           "  br label %count\ncount:\n"
           "  %old = atomicrmw add ptr %c, i32 1 monotonic ; 4\n"
           "  br i1 %first, label %end, label %read\n"
           "read:\n  %v = load i32, ptr %p, align 4 ; 5\n"
           "  br label %end\nend:\n";
  };
  EXPECT_TRUE(runBlocks(Body("  call void @llvm.nvvm.membar.gl()\n"))
                  .Seen.Findings.empty());
  RunResult R = runBlocks(Body(""));
  ASSERT_EQ(R.Seen.Findings.size(), 1u);
  EXPECT_EQ(R.Seen.Findings[0].Where.Line, 5u);
  EXPECT_EQ(R.Seen.Findings[0].Other.Line, 3u);
}

} // namespace
} // namespace cudaopt::simt
