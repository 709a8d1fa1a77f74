// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Each kind of finding is found at its place; the same kernel without the
/// defect has no finding. The defect is there if the last argument is not 0.
//===----------------------------------------------------------------------===//

#include "KernelRun.h"

namespace cudaopt::simt {
namespace {

struct Defect {
  std::string Globals, Body;
  uint32_t NumThreads = 32;
  std::string Output = {};

  RunResult run(uint32_t IsThere) {
    KernelRun K(Globals, "ptr %buffer, i32 %bug", Body);
    K.addBuffer(64);
    K.addScalar(IsThere);
    K.L.Block = {NumThreads, 1, 1};
    K.Options.MaxWarpInstructions = 10'000;
    llvm::raw_string_ostream OS(Output);
    K.Options.Output = &OS;
    return K.run();
  }
  /// The finding of the run with the defect, after the checks that all tests
  /// have in common.
  Finding expectOne(FindingKind Kind, uint32_t Line) {
    RunResult Clean = run(0);
    EXPECT_EQ(Clean.Status, RunStatus::Finished) << Clean.Why;
    EXPECT_TRUE(Clean.Seen.Findings.empty());
    RunResult Broken = run(1);
    if (Broken.Seen.Findings.empty()) {
      ADD_FAILURE() << "nothing found: " << Broken.Why;
      return {};
    }
    const Finding &F = Broken.Seen.Findings.front();
    EXPECT_EQ(F.Kind, Kind);
    EXPECT_EQ(F.Where.Line, Line);
    return F;
  }
};

const char *const Shared =
    "@s = internal addrspace(3) global [32 x i32] undef\n"
    "@t = internal addrspace(3) global [32 x i32] undef\n";

TEST(FindingsTest, SharedOutOfBounds) {
  Defect D = {Shared, R"(
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = add i32 %tid, %bug
  %p = getelementptr i32, ptr addrspace(3) @s, i32 %i
  store i32 1, ptr addrspace(3) %p, align 4 ; 3
  ret void
)"};
  Finding F = D.expectOne(FindingKind::SharedOutOfBounds, 3);
  EXPECT_EQ(F.Thread, 31u);
  EXPECT_EQ(F.Object, "s");
  EXPECT_EQ(F.Address, 128u);
  EXPECT_EQ(F.Count, 1u);
}

TEST(FindingsTest, AnUnsignedIndexBelowZeroIsOutOfItsSharedArray) {
  Defect D = {Shared, R"(
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = sub i32 %tid, %bug
  %far = zext i32 %i to i64
  %p = getelementptr i32, ptr addrspacecast (ptr addrspace(3) @s to ptr), i64 %far
  store i32 1, ptr %p, align 4 ; 3
  ret void
)"};
  Finding F = D.expectOne(FindingKind::SharedOutOfBounds, 3);
  EXPECT_EQ(F.Object, "s");
  EXPECT_EQ(F.Address, uint64_t(0xffffffff) * 4);
  EXPECT_NE(format(F, {}).find("at byte 17179869180,"), std::string::npos);
}

TEST(FindingsTest, CrossArrayIsMeantToBeTheOther) {
  Defect D = {Shared, R"(
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %far = mul i32 %bug, 96
  %i = add i32 %tid, %far
  %p = getelementptr i32, ptr addrspacecast (ptr addrspace(3) @s to ptr), i32 %i
  store i32 1, ptr %p, align 4 ; 3
  %q = getelementptr i32, ptr addrspace(3) @t, i32 %tid
  store i32 1, ptr addrspace(3) %q, align 4 ; 4
  ret void
)"};
  Finding F = D.expectOne(FindingKind::CrossArray, 3);
  EXPECT_EQ(F.Object, "s");
  EXPECT_EQ(F.Count, 32u);
}

TEST(FindingsTest, GlobalOutOfBounds) {
  Defect D = {"", R"(
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %far = mul i32 %bug, 33
  %i = add i32 %tid, %far
  %p = getelementptr i32, ptr %buffer, i32 %i
  %v = load volatile i32, ptr %p, align 4 ; 3
  ret void
)"};
  Finding F = D.expectOne(FindingKind::GlobalOutOfBounds, 3);
  EXPECT_EQ(F.Thread, 31u);
  EXPECT_EQ(F.Object, "buffer 0");
}

TEST(FindingsTest, LocalOutOfBounds) {
  Defect D = {"", R"(
  %a = alloca [4 x i32], align 4
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %low = and i32 %tid, 3
  %i = add i32 %low, %bug
  %p = getelementptr i32, ptr %a, i32 %i
  store volatile i32 1, ptr %p, align 4 ; 3
  ret void
)"};
  EXPECT_EQ(D.expectOne(FindingKind::LocalOutOfBounds, 3).Thread, 3u);
}

TEST(FindingsTest, Misaligned) {
  Defect D = {Shared, R"(
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %half = lshr i32 %tid, 1
  %word = mul i32 %half, 4
  %odd = mul i32 %bug, 2
  %i = add i32 %word, %odd
  %p = getelementptr i8, ptr addrspace(3) @s, i32 %i
  store i32 1, ptr addrspace(3) %p, align 4 ; 3
  ret void
)"};
  EXPECT_EQ(D.expectOne(FindingKind::Misaligned, 3).Count, 32u);
}

TEST(FindingsTest, UninitialisedNamesTheFirstLaneThatReads) {
  Defect D = {Shared, R"(
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr addrspace(3) @s, i32 %tid
  %nine = mul i32 %bug, 9
  %all = icmp uge i32 %tid, %nine
  br i1 %all, label %write, label %read
write:
  store i32 1, ptr addrspace(3) %p, align 4 ; 3
  br label %read
read:
  %v = load i32, ptr addrspace(3) %p, align 4 ; 4
  %q = getelementptr i32, ptr %buffer, i32 %tid
  store i32 %v, ptr %q, align 4 ; 5
  ret void
)"};
  Finding F = D.expectOne(FindingKind::Uninitialised, 4);
  EXPECT_EQ(F.Thread, 0u);
  EXPECT_EQ(F.Count, 9u);
}

TEST(FindingsTest, WrongSpace) {
  Defect D = {Shared, R"(
  %is = icmp ne i32 %bug, 0
  %p = select i1 %is, ptr addrspacecast (ptr addrspace(3) @s to ptr), ptr %buffer
  %g = addrspacecast ptr %p to ptr addrspace(1)
  store volatile i32 1, ptr addrspace(1) %g, align 4 ; 3
  ret void
)"};
  EXPECT_EQ(D.expectOne(FindingKind::WrongSpace, 3).Count, 32u);
}

TEST(FindingsTest, WriteConst) {
  Defect D = {"@c = addrspace(4) global [4 x i32] zeroinitializer\n", R"(
  %is = icmp ne i32 %bug, 0
  %p = select i1 %is, ptr addrspacecast (ptr addrspace(4) @c to ptr), ptr %buffer
  store volatile i32 1, ptr %p, align 4 ; 3
  ret void
)"};
  EXPECT_EQ(D.expectOne(FindingKind::WriteConst, 3).Object, "c");
}

/// Threads write s and read what another wrote, \p Distance further; before,
/// all of s was written.
Defect exchange(const std::string &Distance, const std::string &Between) {
  return {"@s = internal addrspace(3) global [64 x i32] undef\n", R"(
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr addrspace(3) @s, i32 %tid
  store i32 0, ptr addrspace(3) %p, align 4 ; 2
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0) ; 2
  store i32 %tid, ptr addrspace(3) %p, align 4 ; 3
)" + Between + R"(
  %moved = mul i32 %bug, )" + Distance + R"(
  %other = xor i32 %tid, %moved
  %q = getelementptr i32, ptr addrspace(3) @s, i32 %other
  %v = load i32, ptr addrspace(3) %q, align 4 ; 5
  %r = getelementptr i32, ptr %buffer, i32 %tid
  store i32 %v, ptr %r, align 4 ; 6
  ret void
)",
          64};
}

TEST(FindingsTest, RaceNamesBothPlaces) {
  Finding F = exchange("33", "").expectOne(FindingKind::Race, 3);
  EXPECT_EQ(F.Other.Line, 5u);
  EXPECT_EQ(F.Thread, 32u);
  EXPECT_EQ(F.OtherThread, 1u);
  EXPECT_EQ(F.Object, "s");
}

TEST(FindingsTest, ABarrierOrdersWarps) {
  Defect D = exchange(
      "33", "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0) ; 4");
  EXPECT_TRUE(D.run(1).Seen.Findings.empty());
}

TEST(FindingsTest, AWarpBarrierDoesNotOrderWarps) {
  Defect D = exchange("33", "  call void @llvm.nvvm.bar.warp.sync(i32 -1) ; 4");
  D.expectOne(FindingKind::Race, 3);
}

TEST(FindingsTest, WarpRaceIsAWarning) {
  Defect D = exchange("1", "");
  EXPECT_EQ(D.expectOne(FindingKind::WarpRace, 5).Other.Line, 3u);
  EXPECT_FALSE(D.run(1).Seen.hasErrors());
}

TEST(FindingsTest, AWarpBarrierOrdersLanes) {
  Defect D = exchange("1", "  call void @llvm.nvvm.bar.warp.sync(i32 -1) ; 4");
  EXPECT_TRUE(D.run(1).Seen.Findings.empty());
}

TEST(FindingsTest, ATileOrdersItsLanesOnly) {
  const std::string Tiles = R"(
  %high = icmp ugt i32 %tid, 15
  %low = icmp ult i32 %tid, 32
  %mask = select i1 %high, i32 4294901760, i32 65535
  %first = and i1 %high, %low
  %lane = and i32 %tid, 16
  %upper = icmp ne i32 %lane, 0
  %tile = select i1 %upper, i32 4294901760, i32 65535
  call void @llvm.nvvm.bar.warp.sync(i32 %tile) ; 4
)";
  EXPECT_TRUE(exchange("1", Tiles).run(1).Seen.Findings.empty());
  exchange("16", Tiles).expectOne(FindingKind::WarpRace, 5);
}

/// All threads write one word: their number, or a constant.
TEST(FindingsTest, WritesRaceOnlyIfTheyDiffer) {
  Defect D = {Shared, R"(
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v = mul i32 %tid, %bug
  store i32 %v, ptr addrspace(3) @s, align 4 ; 3
  ret void
)",
              64};
  Finding F = D.expectOne(FindingKind::WarpRace, 3);
  EXPECT_EQ(F.Other.Line, 3u);
  RunResult R = D.run(1);
  ASSERT_EQ(R.Seen.Findings.size(), 2u);
  EXPECT_EQ(R.Seen.Findings[1].Kind, FindingKind::Race);
}

TEST(FindingsTest, AtomicsDoNotRaceWithEachOther) {
  Defect D = {Shared, R"(
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %zero = icmp eq i32 %tid, 0
  br i1 %zero, label %init, label %go
init:
  store i32 0, ptr addrspace(3) @s, align 4 ; 3
  br label %go
go:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %old = atomicrmw add ptr addrspace(3) @s, i32 1 monotonic ; 4
  %reads = icmp ne i32 %bug, 0
  br i1 %reads, label %read, label %end
read:
  %v = load i32, ptr addrspace(3) @s, align 4 ; 5
  store i32 %v, ptr %buffer, align 4
  br label %end
end:
  ret void
)",
              64};
  EXPECT_EQ(D.expectOne(FindingKind::WarpRace, 5).Other.Line, 4u);
}

// A loop around a comparison-and-swap begins with a volatile read.
TEST(FindingsTest, VolatileAccessesRaceWithEachOtherNotWithAtomics) {
  Defect D = {Shared, R"(
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 0, ptr addrspace(3) @s, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %old = atomicrmw add ptr addrspace(3) @s, i32 1 monotonic ; 4
  %lane = and i32 %tid, 31
  %first = icmp eq i32 %lane, 0
  br i1 %first, label %read, label %end
read:
  %v = load volatile i32, ptr addrspace(3) @s, align 4 ; 5
  %bad = icmp ne i32 %bug, 0
  br i1 %bad, label %store, label %end
store:
  store volatile i32 %tid, ptr addrspace(3) @s, align 4 ; 6
  br label %end
end:
  ret void
)",
              64};
  EXPECT_EQ(D.expectOne(FindingKind::Race, 5).Other.Line, 6u);
}

TEST(FindingsTest, PendingCopy) {
  Defect D = {Shared, R"(
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr addrspace(3) @s, i32 %tid
  %q = getelementptr i32, ptr %buffer, i32 %tid
  %g = addrspacecast ptr %q to ptr addrspace(1)
  call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) %p, ptr addrspace(1) %g) ; 3
  call void @llvm.nvvm.cp.async.commit.group()
  %early = icmp ne i32 %bug, 0
  br i1 %early, label %one, label %none
one:
  call void @llvm.nvvm.cp.async.wait.group(i32 1)
  br label %use
none:
  call void @llvm.nvvm.cp.async.wait.group(i32 0)
  br label %use
use:
  %v = load i32, ptr addrspace(3) %p, align 4 ; 4
  store i32 %v, ptr %q, align 4
  ret void
)"};
  Finding F = D.expectOne(FindingKind::PendingCopy, 4);
  EXPECT_EQ(F.Other.Line, 3u);
}

TEST(FindingsTest, DivergentBarrierNamesAThreadThatIsMissing) {
  Defect D = {"", R"(
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %eight = mul i32 %bug, 8
  %in = icmp uge i32 %tid, %eight
  br i1 %in, label %wait, label %end
wait:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0) ; 3
  br label %end
end:
  store volatile i32 0, ptr %buffer, align 4
  ret void
)"};
  Finding F = D.expectOne(FindingKind::DivergentBarrier, 3);
  EXPECT_EQ(F.Thread, 0u);
  EXPECT_EQ(F.Count, 8u);
}

TEST(FindingsTest, BarrierMismatch) {
  Defect D = {"", R"(
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %warp = lshr i32 %tid, 5
  %side = mul i32 %warp, %bug
  %first = icmp eq i32 %side, 0
  br i1 %first, label %one, label %two
one:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0) ; 3
  br label %end
two:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0) ; 4
  br label %end
end:
  store volatile i32 0, ptr %buffer, align 4
  ret void
)",
              64};
  EXPECT_EQ(D.expectOne(FindingKind::BarrierMismatch, 4).Other.Line, 3u);
}

TEST(FindingsTest, BarrierDeadlock) {
  Defect D = {"", R"(
  %more = mul i32 %bug, 32
  %count = add i32 %more, 32
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 %count) ; 3
  ret void
)"};
  D.expectOne(FindingKind::BarrierDeadlock, 3);
  EXPECT_EQ(D.run(1).Status, RunStatus::Stopped);
}

TEST(FindingsTest, InactiveLane) {
  Defect D = {"", R"(
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %i = mul i32 %bug, 5
  %in = icmp uge i32 %lane, %i
  br i1 %in, label %use, label %end
use:
  %least = sub i32 0, %bug
  %low = and i32 %least, 31
  %mask = shl i32 -1, %i
  %v = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 %mask, i32 %lane, i32 4, i32 31) ; 3
  %q = getelementptr i32, ptr %buffer, i32 %lane
  store i32 %v, ptr %q, align 4
  br label %end
end:
  ret void
)"};
  Finding F = D.expectOne(FindingKind::InactiveLane, 3);
  EXPECT_EQ(F.Thread, 5u);
  EXPECT_EQ(F.Count, 27u);
}

TEST(FindingsTest, WarpMaskNamesALaneThatDoesNotCome) {
  Defect D = {"", R"(
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %in = icmp uge i32 %lane, %bug
  br i1 %in, label %use, label %end
use:
  call void @llvm.nvvm.bar.warp.sync(i32 -1) ; 3
  br label %end
end:
  store volatile i32 0, ptr %buffer, align 4
  ret void
)"};
  Finding F = D.expectOne(FindingKind::WarpMask, 3);
  EXPECT_EQ(F.Thread, 0u);
  EXPECT_EQ(F.Count, 1u);
}

TEST(FindingsTest, WarpMaskMayNameLanesThatHaveExited) {
  Defect D = {"", R"(
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %in = icmp uge i32 %lane, %bug
  br i1 %in, label %use, label %end
use:
  call void @llvm.nvvm.bar.warp.sync(i32 -1) ; 3
  br label %end
end:
  ret void
)",
              20};
  EXPECT_TRUE(D.run(0).Seen.Findings.empty());
}

TEST(FindingsTest, DivisionByZeroGivesAllOnes) {
  Defect D = {"", R"(
  %by = sub i32 1, %bug
  %v = udiv i32 7, %by ; 3
  store i32 %v, ptr %buffer, align 4
  ret void
)"};
  EXPECT_EQ(D.expectOne(FindingKind::DivisionByZero, 3).Count, 32u);
}

TEST(FindingsTest, AssertFailed) {
  Defect D = {"@m = constant [6 x i8] c\"x > 0\\00\"\n"
              "@f = constant [5 x i8] c\"a.cu\\00\"\n",
              R"(
  %is = icmp ne i32 %bug, 0
  br i1 %is, label %fail, label %end
fail:
  call void @__assertfail(ptr @m, ptr @f, i32 12, ptr @f, i64 1) ; 3
  br label %end
end:
  ret void
)"};
  EXPECT_EQ(D.expectOne(FindingKind::AssertFailed, 3).Object, "x > 0");
  EXPECT_EQ(D.Output, "a.cu:12: assertion `x > 0' failed\n");
}

TEST(FindingsTest, Trapped) {
  Defect D = {"", R"(
  %is = icmp ne i32 %bug, 0
  br i1 %is, label %fail, label %end
fail:
  call void @llvm.trap() ; 3
  unreachable
end:
  ret void
)"};
  D.expectOne(FindingKind::Trapped, 3);
}

TEST(FindingsTest, NoProgress) {
  Defect D = {"", R"(
  br label %again
again:
  %v = load volatile i32, ptr %buffer, align 4 ; 3
  %goes = icmp ne i32 %bug, %v
  br i1 %goes, label %again, label %end ; 4
end:
  ret void
)"};
  RunResult R = D.run(1);
  ASSERT_EQ(R.Seen.Findings.size(), 1u);
  EXPECT_EQ(R.Seen.Findings[0].Kind, FindingKind::NoProgress);
  EXPECT_EQ(R.Status, RunStatus::Stopped);
  EXPECT_TRUE(D.run(0).Seen.Findings.empty());
}

} // namespace
} // namespace cudaopt::simt
