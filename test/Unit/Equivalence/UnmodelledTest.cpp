// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Kernels with operations that the interpreter runs in one way of several are
/// never proved equal, nor free of defects for all data.
//===----------------------------------------------------------------------===//

#include "KernelPair.h"

using namespace cudaopt;

namespace {

constexpr char Declarations[] =
    "declare void @llvm.nvvm.membar.cta()\n"
    "declare void @llvm.nvvm.membar.gl()\n"
    "declare i32 @llvm.nvvm.read.ptx.sreg.smid()\n"
    "declare i32 @llvm.nvvm.read.ptx.sreg.nsmid()\n"
    "declare i32 @llvm.nvvm.read.ptx.sreg.warpid()\n"
    "declare i32 @llvm.nvvm.read.ptx.sreg.gridid()\n"
    "declare i32 @llvm.nvvm.activemask()\n"
    "declare i64 @llvm.nvvm.read.ptx.sreg.globaltimer()\n"
    "declare i32 @llvm.nvvm.atomic.add.gen.i.cta.i32.p0(ptr, i32)\n";

std::string doing(const std::string &Body) {
  return kernel("", Body, Declarations);
}
std::string reading(const char *Register) {
  return doing("%v = call i32 @llvm.nvvm." + std::string(Register) +
               "()\nstore i32 %v, ptr %p\n");
}

const std::string Unproved[] = {
    doing("store i32 1, ptr %p\nfence syncscope(\"device\") seq_cst\n"),
    doing("store i32 1, ptr %p\ncall void @llvm.nvvm.membar.cta()\n"),
    doing("store i32 1, ptr %p\ncall void @llvm.nvvm.membar.gl()\n"),
    doing("store volatile i32 1, ptr %p\n"),
    doing("%v = load volatile i32, ptr %p\nstore i32 %v, ptr %p\n"),
    doing("store atomic i32 1, ptr %p monotonic, align 4\n"),
    doing("%v = atomicrmw add ptr %p, i32 1 syncscope(\"block\") seq_cst\n"),
    doing("%v = call i32 @llvm.nvvm.atomic.add.gen.i.cta.i32.p0(ptr %p, "
          "i32 1)\n"),
    doing("call void asm sideeffect \"red.relaxed.cta.global.add.u32 [$0], "
          "1;\", \"l\"(ptr %p)\n"),
    doing("call void asm sideeffect \"membar.cta;\", \"\"()\n"
          "store i32 1, ptr %p\n"),
    reading("read.ptx.sreg.smid"),
    reading("read.ptx.sreg.nsmid"),
    reading("read.ptx.sreg.warpid"),
    reading("activemask"),
};

TEST(UnmodelledTest, EqualityIsThatOfTheOrdersTried) {
  for (const std::string &Text : Unproved) {
    Verdict V = compare(Text, Text);
    EXPECT_VERDICT(EqualOn, V) << Text;
    EXPECT_TRUE(tells(V.Detail, "equal in the 2 orders of warps tried (others "
                                "may differ, because of "));
    EXPECT_FALSE(tells(V.Detail, "all data"));
  }
}

TEST(UnmodelledTest, TheRewriteAloneMayHaveThem) {
  const std::string Plain = doing("store i32 1, ptr %p\n");
  EXPECT_VERDICT(EqualOn, compare(Plain, Unproved[1]));
  EXPECT_VERDICT(EqualOn, compare(Unproved[1], Plain));
  // Numbers of the machine's own choice, which are those of no other.
  EXPECT_VERDICT(EqualOn, compare(doing("store i32 0, ptr %p\n"),
                                  reading("read.ptx.sreg.smid")));
}

TEST(UnmodelledTest, AClockDecidesNothing) {
  const std::string Plain = doing("store i64 0, ptr %out\n");
  const std::string Clock =
      doing("%v = call i64 @llvm.nvvm.read.ptx.sreg.globaltimer()\n"
            "%w = and i64 %v, 0\nstore i64 %w, ptr %out\n");
  EXPECT_VERDICT(Unsupported, compare(Plain, Clock));
  EXPECT_VERDICT(Unsupported, compare(Clock, Plain));
}

TEST(UnmodelledTest, PlainAtomicsAreProved) {
  const std::string Text =
      doing("%v = atomicrmw add ptr %out, i32 1 seq_cst\n");
  EXPECT_VERDICT(ProvedEqual, compare(Text, Text));
}

TEST(UnmodelledTest, NoDefectIsSeenInTheOrdersTried) {
  for (const std::string &Text : Unproved) {
    Loaded L(Text);
    KernelCheck C = checkKernel(*L.Image, L.Memory, "k",
                                LaunchShape{{1, 1, 1}, {64, 1, 1}});
    EXPECT_EQ(C.Kind, VerdictKind::EqualOn) << Text << C.Detail;
    EXPECT_FALSE(C.Unmodelled.empty());
  }
}

TEST(UnmodelledTest, ASampleOfTheBlocksIsNoProof) {
  Loaded L(kernel("", "%b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
                      "%i = mul i32 %b, 64\n"
                      "%q = getelementptr float, ptr %p, i32 %i\n"
                      "store float 1.0, ptr %q\n"));
  EquivalenceOptions Options;
  Options.MaxWarpInstructions = 10'000;
  KernelCheck C = checkKernel(*L.Image, L.Memory, "k",
                              LaunchShape{{1000, 1, 1}, {32, 1, 1}}, Options);
  EXPECT_EQ(C.Kind, VerdictKind::EqualOn) << C.Detail;
}

//===----------------------------------------------------------------------===//
// Alignment of arguments
//===----------------------------------------------------------------------===//

std::string copying(const char *Type, unsigned Count) {
  std::string Body;
  for (unsigned I = 0; I != Count; ++I) {
    const std::string N = std::to_string(I),
                      At = std::to_string(I * 16 / Count);
    Body += "%q" + N + " = getelementptr i8, ptr %q, i32 " + At + "\n%r" + N +
            " = getelementptr i8, ptr %r, i32 " + At + "\n%v" + N + " = load " +
            Type + ", ptr %q" + N + "\nstore " + Type + " %v" + N + ", ptr %r" +
            N + "\n";
  }
  return kernel(", ptr %in", "%o = mul i32 %t, 16\n"
                             "%q = getelementptr i8, ptr %in, i32 %o\n"
                             "%r = getelementptr i8, ptr %out, i32 %o\n" +
                                 Body);
}

TEST(UnmodelledTest, AWiderAccessNeedsAnAlignedArgument) {
  Verdict V = compare(copying("float", 4), copying("<4 x float>", 1));
  EXPECT_VERDICT(EqualOn, V);
  EXPECT_TRUE(tells(V.Detail, "equal where the address of 'out' is a multiple "
                              "of 16, of which the original needs 4"));
  EXPECT_VERDICT(ProvedEqual,
                 compare(copying("<4 x float>", 1), copying("float", 4)));
  EXPECT_VERDICT(ProvedEqual, compare(copying("<4 x float>", 1),
                                      copying("<2 x double>", 1)));
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

TEST(UnmodelledTest, WhatIsAssumedOfALaunchIsTold) {
  const std::string Text = doing("store i32 1, ptr %p\n");
  LaunchShape Shape = {{1, 1, 1}, {64, 1, 1}};
  EXPECT_FALSE(tells(compare(Text, Text, Shape).Detail, "assumed"));
  Shape.Grid = {};
  EXPECT_TRUE(tells(compare(Text, Text, Shape).Detail, "(assumed grid)"));
  Shape.assumeBlock(64);
  Shape.IsDynamicAssumed = true;
  EXPECT_TRUE(tells(compare(Text, Text, Shape).Detail,
                    "(assumed grid, block, dynamic memory)"));
}

} // namespace
