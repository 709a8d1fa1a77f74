// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What a plan says of the threads of a block, and the code denies: that
/// threads do the same, and that nothing but barriers orders them.
//===----------------------------------------------------------------------===//

#include "AssemblyCode.h"

using namespace cudaopt::check;
using llvm::StringRef;

namespace {

/// A kernel that observes the first dimension only, and one place for more.
std::string makeCode(StringRef Way) {
  return (R"(
@word = external addrspace(1) global i32
@weak = weak global ptr null
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare i32 @llvm.nvvm.read.ptx.sreg.warpid()
declare i32 @llvm.nvvm.read.ptx.sreg.clock()
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare void @llvm.nvvm.bar.warp.sync(i32)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare i32 @unknown()
declare i32 @_ZN26__cuda_builtin_threadIdx_t17__fetch_builtin_zEv()
declare i32 @_ZN25__cuda_builtin_blockDim_t17__fetch_builtin_yEv()
declare i32 @_ZN24__cuda_builtin_gridDim_t17__fetch_builtin_yEv()
declare void @_ZN18cooperative_groups4__v112thread_block4syncEv()
declare void @_ZN18cooperative_groups4__v14syncINS0_12thread_blockEEEvRKT_()
declare void @_ZN18cooperative_groups4__v14syncINS0_17thread_block_tileILj32EvEEEEvRKT_()
declare void @_ZN18cooperative_groups4__v14syncINS0_17thread_block_tileILj32ENS0_12thread_blockEEEEEvRKT_()
declare float @llvm.sqrt.f32(float)
declare float @_ZL5sqrtff(float)
declare i32 @_Z3maxii(i32, i32)
declare void @_ZplRK6__halfS1_(ptr, ptr)
declare float @_ZNK6__halfcvfEv(ptr)
declare i32 @_Z9atomicAddPii(ptr, i32)
declare float @_Z11__shfl_syncjfi(i32, float, i32)
declare i32 @_Z10__any_syncji(i32, i32)
declare void @_Z13__threadfencev()
declare float @_ZN4lock4takeEf(float)
define internal i32 @reads() {
  %z = call i32 @llvm.nvvm.read.ptx.sreg.tid.z() ; 20:3
  ret i32 %z
}
define weak i32 @replaced() {
  ret i32 0
}
define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) !dbg !4 {
  %local = alloca i32
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %g = call i32 @_ZN24__cuda_builtin_gridDim_t17__fetch_builtin_yEv()
  %i = sext i32 %t to i64
  %p = getelementptr i32, ptr %in, i64 %i
  %v = load i32, ptr %p
  store i32 %v, ptr %local
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void @_ZN18cooperative_groups4__v112thread_block4syncEv()
  call void @_ZN18cooperative_groups4__v14syncINS0_12thread_blockEEEvRKT_()
  %c = icmp eq ptr %p, null
)" + Way + R"(
  store i32 %v, ptr %out
  ret void
}
)")
      .str();
}

// Ways in which threads may differ that the claims take for duplicates.
TEST(ThreadSightTest, MissedSight) {
  KernelClaims Claims;
  Claims.Symbol = "k";
  Claims.Observed = {true, false, false};
  auto Right = compare(makeCode(""), Claims);
  ASSERT_FALSE(Right) << Right->Text << Right->At.Line;
  const StringRef Ways[] = {
      "  %w = call i32 @llvm.nvvm.read.ptx.sreg.tid.y() ; 20:3",
      "  %w = call i32 @llvm.nvvm.read.ptx.sreg.tid.z() ; 20:3",
      "  %w = call i32 @llvm.nvvm.read.ptx.sreg.ntid.z() ; 20:3",
      "  %w = call i32 @_ZN26__cuda_builtin_threadIdx_t17__fetch_builtin_zEv() "
      "; 20:3",
      "  %w = call i32 @_ZN25__cuda_builtin_blockDim_t17__fetch_builtin_yEv() "
      "; 20:3",
      "  %w = call i32 @llvm.nvvm.read.ptx.sreg.laneid() ; 20:3",
      "  %w = call i32 @llvm.nvvm.read.ptx.sreg.warpid() ; 20:3",
      "  %w = call i32 @llvm.nvvm.read.ptx.sreg.clock() ; 20:3",
      "  %w = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %v, i32 0, i32 "
      "31) ; 20:3",
      "  %w = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %c) ; 20:3",
      "  call void @llvm.nvvm.bar.warp.sync(i32 -1) ; 20:3",
      "  call void @_ZN18cooperative_groups4__v14syncINS0_17thread_block_"
      "tileILj32EvEEEEvRKT_() ; 20:3",
      "  call void @_ZN18cooperative_groups4__v14syncINS0_17thread_block_"
      "tileILj32ENS0_12thread_blockEEEEEvRKT_() ; 20:3",
      "  %w = atomicrmw add ptr %in, i32 1 monotonic ; 20:3",
      "  %w = cmpxchg ptr %in, i32 0, i32 1 monotonic monotonic ; 20:3",
      "  %w = load volatile i32, ptr %in ; 20:3",
      "  %w = load atomic i32, ptr %in monotonic, align 4 ; 20:3",
      "  store volatile i32 0, ptr %in ; 20:3",
      "  call void @llvm.memcpy.p0.p0.i64(ptr %local, ptr %in, i64 4, i1 true) "
      "; 20:3",
      "  fence seq_cst ; 20:3",
      "  %w = call i32 asm \"mov.u32 $0, %laneid;\", \"=r\"() ; 20:3",
      "  %w = call i32 @unknown() ; 20:3",
      "  %w = call i32 @reads() ; 20:3",
      "  %w = call i32 @replaced() ; 20:3",
      "  %f = load ptr, ptr @weak\n  %w = call i32 %f() ; 20:3",
      "  %w = ptrtoint ptr %local to i64 ; 20:3",
      "  %w = icmp ult ptr %local, %in ; 20:3",
  };
  static_assert(std::size(Ways) >= LeastOfAKind);
  for (const auto &[I, Way] : llvm::enumerate(Ways)) {
    auto Found = compare(makeCode(Way), Claims);
    ASSERT_TRUE(Found) << "way " << I;
    EXPECT_EQ(Found->What, Disagreement::Kind::Thread) << "way " << I;
    EXPECT_EQ(Found->At.Line, 20u) << "way " << I;
    KernelClaims Without = Claims;
    Without.Observed = std::nullopt;
    EXPECT_FALSE(compare(makeCode(Way), Without)) << "way " << I;
  }
}

// Ways in which threads may wait for others where no barrier is.
TEST(ThreadSightTest, MissedOrder) {
  KernelClaims Claims;
  Claims.Symbol = "k";
  Claims.OrderedByBarriers = true;
  const StringRef Ways[] = {
      "  %w = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %v, i32 0, i32 "
      "31) ; 20:3",
      "  %w = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %c) ; 20:3",
      "  call void @llvm.nvvm.bar.warp.sync(i32 -1) ; 20:3",
      "  call void @_ZN18cooperative_groups4__v14syncINS0_17thread_block_"
      "tileILj32EvEEEEvRKT_() ; 20:3",
      "  %w = atomicrmw add ptr %in, i32 1 monotonic ; 20:3",
      "  %w = cmpxchg ptr %in, i32 0, i32 1 monotonic monotonic ; 20:3",
      "  %w = load volatile i32, ptr %in ; 20:3",
      "  %w = load atomic i32, ptr %in monotonic, align 4 ; 20:3",
      "  store volatile i32 0, ptr %in ; 20:3",
      "  call void @llvm.memcpy.p0.p0.i64(ptr %local, ptr %in, i64 4, i1 true) "
      "; 20:3",
      "  fence seq_cst ; 20:3",
      "  call void asm \"barrier.sync 1;\", \"\"() ; 20:3",
      "  %w = call i32 @unknown() ; 20:3",
      "  %w = call i32 @replaced() ; 20:3",
      "  %f = load ptr, ptr @weak\n  %w = call i32 %f() ; 20:3",
      "  %w = call i32 @_Z9atomicAddPii(ptr %in, i32 1) ; 20:3",
      "  %w = call float @_Z11__shfl_syncjfi(i32 1, float 0.0, i32 1) ; 20:3",
      "  %w = call i32 @_Z10__any_syncji(i32 1, i32 1) ; 20:3",
      "  call void @_Z13__threadfencev() ; 20:3",
      "  %w = call float @_ZN4lock4takeEf(float 0.0) ; 20:3",
  };
  static_assert(std::size(Ways) >= LeastOfAKind);
  for (const auto &[I, Way] : llvm::enumerate(Ways)) {
    auto Found = compare(makeCode(Way), Claims);
    ASSERT_TRUE(Found) << "way " << I;
    EXPECT_EQ(Found->What, Disagreement::Kind::Thread) << "way " << I;
    EXPECT_EQ(Found->At.Line, 20u) << "way " << I;
  }
}

// What tells threads apart need not order them.
TEST(ThreadSightTest, NoOrder) {
  KernelClaims Claims;
  Claims.Symbol = "k";
  Claims.OrderedByBarriers = true;
  const StringRef Ways[] = {
      "",
      "  %w = call i32 @llvm.nvvm.read.ptx.sreg.laneid() ; 20:3",
      "  %w = call i32 @reads() ; 20:3",
      "  %w = ptrtoint ptr %local to i64 ; 20:3",
      "  %w = call float @llvm.sqrt.f32(float 2.0) ; 20:3",
      "  %w = call float @_ZL5sqrtff(float 2.0) ; 20:3",
      "  %w = call i32 @_Z3maxii(i32 2, i32 3) ; 20:3",
      "  call void @_ZplRK6__halfS1_(ptr %local, ptr %local) ; 20:3",
      "  %w = call float @_ZNK6__halfcvfEv(ptr %local) ; 20:3",
  };
  for (StringRef Way : Ways) {
    auto Found = compare(makeCode(Way), Claims);
    EXPECT_FALSE(Found) << Way.str() << ": " << Found->Text;
  }
}

} // namespace
