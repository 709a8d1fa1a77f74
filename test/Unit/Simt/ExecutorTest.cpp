// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What a run computes: the control flow of warps, what lanes and warps do
/// together, and what it counts.
//===----------------------------------------------------------------------===//

#include "KernelRun.h"
#include "Transposition.h"

namespace cudaopt::simt {
namespace {

//===----------------------------------------------------------------------===//
// Warps
//===----------------------------------------------------------------------===//

/// Runs a body that computes %v of %tid, and stores it into the buffer.
struct PerThread {
  KernelRun K;
  RunResult R;

  PerThread(const std::string &Body, uint32_t NumThreads = 32,
            const std::string &Globals = "")
      : K(Globals, "ptr %buffer", R"(
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %place = getelementptr i32, ptr %buffer, i32 %tid
)" + Body + R"(
  store i32 %v, ptr %place, align 4
  ret void
)") {
    K.addBuffer(NumThreads);
    K.L.Block = {NumThreads, 1, 1};
    R = K.run();
    EXPECT_EQ(R.Status, RunStatus::Finished) << R.Why;
    for (const Finding &F : R.Seen.Findings)
      ADD_FAILURE() << format(F, *K.P);
  }
  uint32_t operator[](size_t Thread) const { return K.at(0, Thread); }
};

TEST(WarpTest, LanesLeaveALoopAtTheirOwnTime) {
  PerThread T(R"(
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %sum = phi i32 [ 0, %0 ], [ %more, %loop ]
  %next = add i32 %i, 1
  %more = add i32 %sum, %next
  %on = icmp ult i32 %next, %tid
  br i1 %on, label %loop, label %done
done:
  %v = add i32 %more, 0
)",
              40);
  EXPECT_EQ(T[0], 1u);
  for (uint32_t I = 1; I < 40; ++I)
    EXPECT_EQ(T[I], I * (I + 1) / 2);
}

TEST(WarpTest, DivergedLanesMeetAgain) {
  // After the branches one ballot sees all lanes.
  PerThread T(R"(
  %odd = and i32 %tid, 1
  %is = icmp ne i32 %odd, 0
  br i1 %is, label %a, label %b
a:
  store volatile i32 1, ptr %place, align 4
  br label %c
b:
  store volatile i32 2, ptr %place, align 4
  br label %c
c:
  %v = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %is)
)");
  EXPECT_EQ(T[0], 0xaaaaaaaau);
}

TEST(WarpTest, ValuesOfPhisAreCopiedAtOnce) {
  PerThread T(R"(
  br label %loop
loop:
  %a = phi i32 [ 1, %0 ], [ %b, %loop ]
  %b = phi i32 [ 2, %0 ], [ %a, %loop ]
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %next = add i32 %i, 1
  %on = icmp ult i32 %i, %tid
  br i1 %on, label %loop, label %done
done:
  %ten = mul i32 %a, 10
  %v = add i32 %ten, %b
)");
  EXPECT_EQ(T[0], 12u);
  EXPECT_EQ(T[1], 21u);
  EXPECT_EQ(T[2], 12u);
}

TEST(WarpTest, CasesOfASwitchWithOneTargetStayTogether) {
  PerThread T(R"(
  %k = and i32 %tid, 3
  switch i32 %k, label %other [ i32 1, label %one
                                i32 2, label %one ]
one:
  %b = call i32 @llvm.nvvm.vote.ballot.sync(i32 1717986918, i1 true)
  br label %end
other:
  br label %end
end:
  %v = phi i32 [ %b, %one ], [ 7, %other ]
)");
  EXPECT_EQ(T[0], 7u);
  EXPECT_EQ(T[1], 0x66666666u);
  EXPECT_EQ(T[2], 0x66666666u);
}

TEST(WarpTest, ShuffleDownStaysInItsSegment) {
  // Width 8: the clamp is 31 | 24 << 8.
  PerThread T(R"(
  %v = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %tid, i32 2, i32 6175)
)");
  EXPECT_EQ(T[0], 2u);
  EXPECT_EQ(T[5], 7u);
  EXPECT_EQ(T[6], 6u);
  EXPECT_EQ(T[8], 10u);
}

TEST(WarpTest, TilesNameTheirOwnMask) {
  PerThread T(R"(
  %high = icmp ugt i32 %tid, 15
  %mask = select i1 %high, i32 4294901760, i32 65535
  %v = call i32 @llvm.nvvm.redux.sync.add(i32 %tid, i32 %mask)
)");
  EXPECT_EQ(T[3], 120u);
  EXPECT_EQ(T[30], 376u);
}

TEST(WarpTest, MatchFindsEqualValues) {
  PerThread T(R"(
  %k = urem i32 %tid, 3
  %v = call i32 @llvm.nvvm.match.any.sync.i32(i32 -1, i32 %k)
)");
  EXPECT_EQ(T[0], 0x49249249u);
  EXPECT_EQ(T[4], 0x92492492u);
}

TEST(WarpTest, AtomicsTakeLanesInOrder) {
  PerThread T(R"(
  store i32 0, ptr addrspace(3) @s, align 4
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %v = atomicrmw uinc_wrap ptr addrspace(3) @s, i32 9 monotonic
)",
              32, "@s = internal addrspace(3) global i32 undef\n");
  for (uint32_t I = 0; I < 32; ++I)
    EXPECT_EQ(T[I], I % 10);
}

TEST(WarpTest, OneCompareAndSwapWins) {
  PerThread T(R"(
  store i32 100, ptr addrspace(3) @s, align 4
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %r = cmpxchg ptr addrspace(3) @s, i32 100, i32 %tid monotonic monotonic
  %old = extractvalue { i32, i1 } %r, 0
  %won = extractvalue { i32, i1 } %r, 1
  %v = select i1 %won, i32 1000, i32 %old
)",
              32, "@s = internal addrspace(3) global i32 undef\n");
  EXPECT_EQ(T[0], 1000u);
  EXPECT_EQ(T[31], 0u);
}

TEST(WarpTest, LocalMemoryIsOfTheThread) {
  PerThread T(R"(
  %a = alloca [4 x i32], align 4
  %i = and i32 %tid, 3
  %p = getelementptr i32, ptr %a, i32 %i
  store volatile i32 %tid, ptr %p, align 4
  %v = load volatile i32, ptr %p, align 4
)",
              64);
  for (uint32_t I = 0; I < 64; ++I)
    EXPECT_EQ(T[I], I);
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

const char *const Exchange = R"(
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr addrspace(3) @s, i32 %tid
  %from = getelementptr i32, ptr %in, i32 %tid
  %x = load i32, ptr %from, align 4
  store i32 %x, ptr addrspace(3) %p, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %other = sub i32 63, %tid
  %q = getelementptr i32, ptr addrspace(3) @s, i32 %other
  %v = load i32, ptr addrspace(3) %q, align 4
  %to = getelementptr i32, ptr %out, i32 %tid
  store i32 %v, ptr %to, align 4
  ret void
)";
const char *const SharedWords =
    "@s = internal addrspace(3) global [64 x i32] undef\n";

TEST(BlockTest, WarpsExchangeThroughSharedMemoryInAnyOrder) {
  for (uint64_t Seed : {0, 1, 2, 3}) {
    KernelRun K(SharedWords, "ptr %in, ptr %out", Exchange);
    K.addBuffer(64);
    K.addBuffer(64);
    K.L.Block = {64, 1, 1};
    K.Options.ScheduleSeed = Seed;
    K.Options.RecordUse = true;
    RunResult R = K.run();
    EXPECT_TRUE(R.Seen.Findings.empty());
    EXPECT_EQ(R.Seen.Barriers, 1u);
    EXPECT_EQ(K.at(1, 0), 63u);
    EXPECT_EQ(K.at(1, 63), 0u);
    ASSERT_EQ(R.Seen.Arrays.size(), 1u);
    EXPECT_EQ(R.Seen.Arrays[0].Written, std::vector<bool>({true}));
    EXPECT_EQ(R.Seen.Arrays[0].Read, std::vector<bool>({false, true}));
  }
}

TEST(BlockTest, ExitedThreadsAreNotWaitedFor) {
  KernelRun K("", "ptr %out", R"(
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %in = icmp ult i32 %tid, 40
  br i1 %in, label %go, label %end
go:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %to = getelementptr i32, ptr %out, i32 %tid
  store i32 5, ptr %to, align 4
  ret void
end:
  ret void
)");
  K.addBuffer(96);
  K.L.Block = {96, 1, 1};
  RunResult R = K.run();
  EXPECT_EQ(R.Status, RunStatus::Finished);
  EXPECT_TRUE(R.Seen.Findings.empty());
  EXPECT_EQ(K.at(0, 39), 5u);
  EXPECT_EQ(K.at(0, 40), 40u);
}

TEST(BlockTest, LanesLeaveUnderAGuardOfAssembly) {
  // Lanes of the first warp leave on one side of a branch, all of the third.
  KernelRun K("", "ptr %out", R"(
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %to = getelementptr i32, ptr %out, i32 %tid
  %low = icmp ult i32 %tid, 16
  br i1 %low, label %some, label %join
some:
  call void asm sideeffect "{ .reg .pred p; setp.gt.u32 p, $0, 3; @p exit; }", "r"(i32 %tid)
  store i32 7, ptr %to, align 4
  br label %join
join:
  call void asm sideeffect "{ .reg .pred p; setp.gt.u32 p, $0, 63; @p exit; }", "r"(i32 %tid)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %active = call i32 @llvm.nvvm.activemask()
  store i32 %active, ptr %to, align 4
  ret void
)");
  K.addBuffer(96);
  K.L.Block = {96, 1, 1};
  RunResult R = K.run();
  EXPECT_EQ(R.Status, RunStatus::Finished) << R.Why;
  EXPECT_TRUE(R.Seen.Findings.empty());
  EXPECT_EQ(K.at(0, 3), 0xffff000fu);
  EXPECT_EQ(K.at(0, 4), 4u);
  EXPECT_EQ(K.at(0, 15), 15u);
  EXPECT_EQ(K.at(0, 16), 0xffff000fu);
  EXPECT_EQ(K.at(0, 63), 0xffffffffu);
  EXPECT_EQ(K.at(0, 64), 64u);
}

TEST(BlockTest, AWarpThatSpinsLetsOthersRun) {
  KernelRun K("@flag = internal addrspace(3) global i32 undef\n", "ptr %out",
              R"(
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store volatile i32 0, ptr addrspace(3) @flag, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %second = icmp ugt i32 %tid, 31
  br i1 %second, label %set, label %spin
set:
  %old = atomicrmw xchg ptr addrspace(3) @flag, i32 1 monotonic
  br label %end
spin:
  %seen = atomicrmw or ptr addrspace(3) @flag, i32 0 monotonic
  %go = icmp eq i32 %seen, 1
  br i1 %go, label %end, label %spin
end:
  %to = getelementptr i32, ptr %out, i32 %tid
  store i32 9, ptr %to, align 4
  ret void
)");
  K.addBuffer(64);
  K.L.Block = {64, 1, 1};
  EXPECT_EQ(K.run().Status, RunStatus::Finished);
  EXPECT_EQ(K.at(0, 0), 9u);
}

TEST(BlockTest, AsynchronousCopiesArriveAtTheWait) {
  KernelRun K(SharedWords, "ptr %in, ptr %out", R"(
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr addrspace(3) @s, i32 %tid
  %from = getelementptr i32, ptr %in, i32 %tid
  %g = addrspacecast ptr %from to ptr addrspace(1)
  call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) %p, ptr addrspace(1) %g) ; 3
  call void @llvm.nvvm.cp.async.commit.group()
  call void @llvm.nvvm.cp.async.wait.group(i32 0)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %other = sub i32 63, %tid
  %q = getelementptr i32, ptr addrspace(3) @s, i32 %other
  %v = load i32, ptr addrspace(3) %q, align 4 ; 5
  %to = getelementptr i32, ptr %out, i32 %tid
  store i32 %v, ptr %to, align 4
  ret void
)");
  K.addBuffer(64);
  K.addBuffer(64);
  K.L.Block = {64, 1, 1};
  EXPECT_TRUE(K.run().Seen.Findings.empty());
  EXPECT_EQ(K.at(1, 10), 53u);
}

TEST(BlockTest, PrintfFormatsItsBuffer) {
  KernelRun K("@f = constant [27 x i8] "
              "c\"%d|%5.2f|%c|%s|%lld%%\\0A\\00\\00\\00\\00\\00\"\n"
              "@t = constant [3 x i8] c\"hi\\00\"\n",
              "", R"(
  %a = alloca [5 x i64], align 8
  store i32 -5, ptr %a, align 4
  %b = getelementptr i8, ptr %a, i64 8
  store double 2.5, ptr %b, align 8
  %c = getelementptr i8, ptr %a, i64 16
  store i32 120, ptr %c, align 4
  %d = getelementptr i8, ptr %a, i64 24
  store ptr @t, ptr %d, align 8
  %e = getelementptr i8, ptr %a, i64 32
  store i64 8589934592, ptr %e, align 8
  %n = call i32 @vprintf(ptr @f, ptr %a)
  ret void
)");
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  K.Options.Output = &OS;
  RunResult R = K.run();
  EXPECT_EQ(R.Status, RunStatus::Finished) << R.Why;
  EXPECT_EQ(Text, "-5| 2.50|x|hi|8589934592%\n");
}

TEST(BlockTest, ALaunchThatCannotBeIsRefused) {
  KernelRun K(SharedWords, "ptr %in, ptr %out", Exchange);
  K.addBuffer(64);
  RunResult R = K.run();
  EXPECT_EQ(R.Status, RunStatus::Unsupported);
  EXPECT_EQ(R.Why, "a launch of k with 1 arguments instead of 2");
  K.addBuffer(64);
  K.L.Block = {1025, 1, 1};
  EXPECT_EQ(K.run().Why, "a block of 1025 threads");
  K.L.Block = {64, 1, 1};
  K.addScalar(uint32_t(1));
  std::swap(K.L.Arguments[1], K.L.Arguments[2]);
  K.L.Arguments.pop_back();
  EXPECT_EQ(K.run().Why, "an argument of 4 bytes for parameter 'out' of 8");
}

TEST(BlockTest, OnlyTheBlocksAskedForRun) {
  KernelRun K("", "ptr %out", R"(
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %to = getelementptr i32, ptr %out, i32 %b
  store i32 77, ptr %to, align 4
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
define void @unused() {
  ret void
)");
  K.addBuffer(4);
  K.L.Grid = {4, 1, 1};
  K.L.Blocks = {1, 3};
  K.run();
  EXPECT_EQ(K.at(0, 0), 0u);
  EXPECT_EQ(K.at(0, 1), 77u);
  EXPECT_EQ(K.at(0, 2), 2u);
  EXPECT_EQ(K.at(0, 3), 77u);
  K.L.Blocks = {4};
  EXPECT_EQ(K.run().Why, "block 4, which is not in the grid");
}

TEST(BankCountTest, RequestsAndWavefrontsOfEachPlace) {
  KernelRun K(Tile, "ptr %in, ptr %out", transposition(32));
  K.addBuffer(1024);
  K.addBuffer(1024);
  K.L.Block = {32, 1, 1};
  RunResult R = K.run();
  EXPECT_EQ(K.at(1, 33), 34u);
  EXPECT_EQ(K.at(1, 32), 2u);
  AccessCost Store = totalOf(R.Seen.Shared, AccessOp::Store);
  AccessCost Load = totalOf(R.Seen.Shared, AccessOp::Load);
  EXPECT_EQ(Store.Requests, 32u);
  EXPECT_EQ(Store.Units, 32u);
  EXPECT_EQ(Load.Requests, 32u);
  EXPECT_EQ(Load.Units, 1024u);
  EXPECT_EQ(Load.Bound, 32u);
  KernelRun Padded(Tile, "ptr %in, ptr %out", transposition(33));
  Padded.addBuffer(1024);
  Padded.addBuffer(1024);
  Padded.L.Block = {32, 1, 1};
  EXPECT_EQ(totalOf(Padded.run().Seen.Shared, AccessOp::Load).Units, 32u);
}

TEST(BankCountTest, APlaceMayHaveManyPatterns) {
  // Words 0, k, 2k, ... of k = 1, 2, 3: 1, 2 and 1 wavefronts.
  KernelRun K(Tile, "", R"(
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %k = phi i32 [ 1, %0 ], [ %next, %loop ]
  %i = mul i32 %tid, %k
  %p = getelementptr i32, ptr addrspace(3) @s, i32 %i
  store i32 0, ptr addrspace(3) %p, align 4 ; 3
  %next = add i32 %k, 1
  %more = icmp ult i32 %next, 4
  br i1 %more, label %loop, label %end
end:
  ret void
)");
  K.L.Block = {32, 1, 1};
  AccessCost Cost = totalOf(K.run().Seen.Shared);
  EXPECT_EQ(Cost.Requests, 3u);
  EXPECT_EQ(Cost.Units, 4u);
}

} // namespace
} // namespace cudaopt::simt
