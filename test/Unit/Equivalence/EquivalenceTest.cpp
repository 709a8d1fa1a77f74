// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Verdicts on pairs of kernels, among them rewrites that are wrong in the ways
/// in which a rewriter may be wrong.
//===----------------------------------------------------------------------===//

#include "KernelPair.h"

using namespace cudaopt;
using namespace llvm;

namespace {

//===----------------------------------------------------------------------===//
// Right rewrites
//===----------------------------------------------------------------------===//

TEST(EquivalenceTest, OtherPlacesAreProvedEqual) {
  Verdict V = compare(Reverse{}, Reverse{67, 3, 66});
  EXPECT_VERDICT(ProvedEqual, V);
  EXPECT_EQ(V.Detail, "proved equal for all data at <<<(1,1,1),(64,1,1)>>>");
  EXPECT_EQ(V.NumLaunches, 1u);
}

TEST(EquivalenceTest, CostsAreThoseOfBothSides) {
  auto Column = [](unsigned Pitch) {
    return kernel("",
                  "%i = mul i32 %t, " + std::to_string(Pitch) +
                      "\n%q = getelementptr float, ptr addrspace(3) @s, "
                      "i32 %i\n"
                      "store float 1.0, ptr addrspace(3) %q\n",
                  "@s = internal addrspace(3) global [2112 x float] undef\n");
  };
  Verdict V = compare(Column(32), Column(33));
  EXPECT_VERDICT(ProvedEqual, V);
  EXPECT_EQ(V.Before.Units, 64u);
  EXPECT_EQ(V.After.Units, 2u);
}

TEST(EquivalenceTest, HowBytesAreMovedDoesNotMatter) {
  std::string Whole =
      kernel(", ptr %in", "%f = getelementptr double, ptr %in, i32 %t\n"
                          "%g = getelementptr double, ptr %out, i32 %t\n"
                          "%v = load double, ptr %f\n"
                          "store double %v, ptr %g\n");
  std::string Halves =
      kernel(", ptr %in", "%f = getelementptr double, ptr %in, i32 %t\n"
                          "%g = getelementptr double, ptr %out, i32 %t\n"
                          "%f2 = getelementptr i32, ptr %f, i32 1\n"
                          "%g2 = getelementptr i32, ptr %g, i32 1\n"
                          "%v = load i32, ptr %f\n"
                          "store i32 %v, ptr %g\n"
                          "%v2 = load i32, ptr %f2\n"
                          "store i32 %v2, ptr %g2\n");
  EXPECT_VERDICT(ProvedEqual, compare(Whole, Halves));
  // The host may pass an address that is aligned for halves only.
  EXPECT_VERDICT(EqualOn, compare(Halves, Whole));
}

TEST(EquivalenceTest, AnUnknownGridHasTwoBlocksWhereTheKernelAsks) {
  std::string Text =
      kernel("", "%b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
                 "%q = getelementptr float, ptr %p, i32 %b\n"
                 "store float 1.0, ptr %q\n");
  EXPECT_TRUE(tells(compare(Text, Text, {{}, {32, 1, 1}}).Detail,
                    "<<<(2,1,1),(32,1,1)>>>"));
}

TEST(EquivalenceTest, ManyBlocksAreSampled) {
  std::string Text =
      kernel("", "%b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
                 "%q = getelementptr float, ptr %p, i32 %b\n"
                 "store float 1.0, ptr %q\n");
  EquivalenceOptions Options;
  Options.MaxWarpInstructions = 10'000;
  EXPECT_TRUE(
      tells(compare(Text, Text, {{1000, 1, 1}, {32, 1, 1}}, Options).Detail,
            " of 1000 blocks)"));
}

TEST(EquivalenceTest, BlocksThatLieFarApartGiveWayToNeighbours) {
  // The last block is 64 MiB away from the first.
  std::string Text =
      kernel("", "%b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
                 "%o = mul i32 %b, 65536\n"
                 "%q = getelementptr float, ptr %p, i32 %o\n"
                 "store float 1.0, ptr %q\n");
  Verdict V = compare(Text, Text, {{256, 1, 1}, {32, 1, 1}});
  EXPECT_VERDICT(EqualOn, V);
  EXPECT_TRUE(tells(V.Detail, "(4 of 256 blocks)"));
}

TEST(EquivalenceTest, IntegersTakeSeveralValues) {
  std::string Text = kernel(", i32 %n", "%c = icmp slt i32 %t, %n\n"
                                        "br i1 %c, label %yes, label %no\n"
                                        "yes:\nstore float 1.0, ptr %p\n"
                                        "br label %no\nno:\n");
  Verdict V = compare(Text, Text, {{2, 1, 1}, {64, 1, 1}});
  EXPECT_VERDICT(ProvedEqual, V);
  // All threads at work come first.
  EXPECT_TRUE(tells(V.Detail, "with n = 128 and 10 more launches"));
  EXPECT_EQ(V.NumLaunches, 11u);
}

TEST(EquivalenceTest, TheLaunchThatWorksMostComesFirst) {
  std::string Text =
      kernel(", i32 %n", "br label %again\nagain:\n"
                         "%i = phi i32 [ 0, %0 ], [ %j, %again ]\n"
                         "store i32 %i, ptr %p\n%j = add i32 %i, 1\n"
                         "%c = icmp slt i32 %j, %n\n"
                         "br i1 %c, label %again, label %done\ndone:\n");
  Verdict V = compare(Text, Text, {{1, 1, 1}, {2, 1, 1}});
  EXPECT_VERDICT(ProvedEqual, V);
  EXPECT_TRUE(tells(V.Detail, "with n = 33 and"));
}

TEST(EquivalenceTest, IntegersThatLeadOutOfBoundsAreLeftOut) {
  std::string Text =
      kernel(", i32 %n",
             "%q = getelementptr [40 x float], ptr addrspace(3) "
             "@s, i32 0, i32 %n\n"
             "store float 1.0, ptr addrspace(3) %q\n"
             "store float 1.0, ptr %p\n",
             "@s = internal addrspace(3) global [40 x float] undef\n");
  Verdict V = compare(Text, Text, {{1, 1, 1}, {1, 1, 1}});
  EXPECT_VERDICT(ProvedEqual, V);
  EXPECT_EQ(V.NumLaunches, 6u); // 1, 2, 0, 33, 32, 31
}

TEST(EquivalenceTest, IntegersThatBreakTheOriginalAreLeftOut) {
  // Fewer than all threads write, and all read.
  std::string Text =
      kernel(", i32 %n",
             "%q = getelementptr float, ptr addrspace(3) @s, i32 %t\n"
             "%c = icmp slt i32 %t, %n\n"
             "br i1 %c, label %yes, label %no\n"
             "yes:\nstore float 1.0, ptr addrspace(3) %q\nbr label %no\n"
             "no:\n%v = load float, ptr addrspace(3) %q\n"
             "store float %v, ptr %p\n",
             "@s = internal addrspace(3) global [64 x float] undef\n");
  Verdict V = compare(Text, Text);
  EXPECT_VERDICT(ProvedEqual, V);
  EXPECT_EQ(V.NumLaunches, 2u); // 64, 65
}

TEST(EquivalenceTest, AStructHoldsArguments) {
  std::string Text =
      kernel(", ptr byval({ i32, ptr }) align 8 %s",
             "%a = getelementptr { i32, ptr }, ptr %s, i32 0, i32 1\n"
             "%q = load ptr, ptr %a\n"
             "%f = getelementptr float, ptr %q, i32 %t\n"
             "%v = load float, ptr %f\n"
             "store float %v, ptr %p\n");
  EXPECT_VERDICT(ProvedEqual, compare(Text, Text));
}

//===----------------------------------------------------------------------===//
// Wrong rewrites
//===----------------------------------------------------------------------===//

TEST(EquivalenceTest, AnotherElementIsDifferent) {
  std::string Same =
      kernel(", ptr %in", "%f = getelementptr float, ptr %in, i32 %t\n"
                          "%v = load float, ptr %f\n"
                          "store float %v, ptr %p\n");
  std::string First = kernel(", ptr %in", "%v = load float, ptr %in\n"
                                          "store float %v, ptr %p\n");
  Verdict V = compare(Same, First);
  EXPECT_VERDICT(Different, V);
  EXPECT_TRUE(tells(V.Detail, "byte 4 of 'out' becomes"));
  EXPECT_TRUE(tells(V.Detail, "at <<<(1,1,1),(64,1,1)>>>"));
}

TEST(EquivalenceTest, AReferenceThatWasNotRewrittenIsDifferent) {
  EXPECT_VERDICT(Different, compare(Reverse{}, Reverse{67, 3, 63}));
}

TEST(EquivalenceTest, AnArrayThatIsTooSmallIsDifferent) {
  Verdict V = compare(Reverse{}, Reverse{63});
  EXPECT_VERDICT(Different, V);
  EXPECT_TRUE(tells(V.Detail, "shared-out-of-bounds"));
}

TEST(EquivalenceTest, ADroppedBarrierIsDifferent) {
  Verdict V = compare(Reverse{}, Reverse{64, 0, 63, ""});
  EXPECT_VERDICT(Different, V);
  EXPECT_TRUE(tells(V.Detail, "[race]"));
}

TEST(EquivalenceTest, ADroppedBarrierOfASingleWarpIsDifferent) {
  LaunchShape OneWarp = {{1, 1, 1}, {32, 1, 1}};
  Reverse Right{32, 0, 31}, Wrong{32, 0, 31, ""};
  Verdict V = compare(Right, Wrong, OneWarp);
  EXPECT_VERDICT(Different, V);
  EXPECT_TRUE(tells(V.Detail, "[warp-race]"));
  EXPECT_VERDICT(ProvedEqual, compare(Wrong, Wrong, OneWarp));
}

TEST(EquivalenceTest, AnElementThatNobodyWroteIsDifferent) {
  Verdict V = compare(Reverse{}, Reverse{65, 0, 64});
  EXPECT_VERDICT(Different, V);
  EXPECT_TRUE(tells(V.Detail, "[uninitialised]"));
}

TEST(EquivalenceTest, AWriteThatTheOriginalDoesNotDoIsDifferent) {
  EXPECT_VERDICT(Different, compare(kernel("", "store float 1.0, ptr %p\n"),
                                    kernel("", "store float 1.0, ptr %p\n"
                                               "store float 2.0, ptr %out\n")));
}

TEST(EquivalenceTest, AZeroedConstantStandsForAllData) {
  auto Text = [](int Index) {
    return kernel("",
                  "%v = load float, ptr addrspace(4) getelementptr (float, "
                  "ptr addrspace(4) @c, i32 " +
                      std::to_string(Index) + ")\nstore float %v, ptr %p\n",
                  "@c = addrspace(4) externally_initialized global "
                  "[4 x float] zeroinitializer, align 4\n");
  };
  EXPECT_VERDICT(ProvedEqual, compare(Text(1), Text(1)));
  EXPECT_VERDICT(Different, compare(Text(1), Text(2)));
}

TEST(EquivalenceTest, WhatAVariableHoldsInTheEndCounts) {
  auto Text = [](const char *Value) {
    return kernel("",
                  std::string("store i32 ") + Value + ", ptr addrspace(1) @g\n",
                  "@g = addrspace(1) externally_initialized global i32 0\n");
  };
  LaunchShape OneThread = {{1, 1, 1}, {1, 1, 1}};
  EXPECT_VERDICT(ProvedEqual, compare(Text("1"), Text("1"), OneThread));
  EXPECT_VERDICT(Different, compare(Text("1"), Text("2"), OneThread));
}

TEST(EquivalenceTest, NoRunSeesWhatAnotherLeftInAVariable) {
  std::string Text =
      kernel("",
             "%v = load i32, ptr addrspace(1) @g\n"
             "%w = add i32 %v, 1\nstore i32 %w, ptr addrspace(1) @g\n",
             "@g = addrspace(1) externally_initialized global i32 5\n");
  EXPECT_VERDICT(ProvedEqual, compare(Text, Text, {{1, 1, 1}, {1, 1, 1}}));
}

TEST(EquivalenceTest, WhatIsPrintedCounts) {
  auto Text = [](int Format) {
    return kernel("",
                  "%n = call i32 @vprintf(ptr getelementptr (i8, ptr "
                  "addrspacecast (ptr addrspace(1) @f to ptr), i32 " +
                      std::to_string(Format) + "), ptr null)\n",
                  "@f = addrspace(1) constant [4 x i8] c\"a\\00b\\00\"\n");
  };
  EXPECT_VERDICT(ProvedEqual, compare(Text(0), Text(0)));
  Verdict V = compare(Text(0), Text(2));
  EXPECT_VERDICT(Different, V);
  EXPECT_TRUE(tells(V.Detail, "prints"));
}

//===----------------------------------------------------------------------===//
// Data that decide
//===----------------------------------------------------------------------===//

TEST(EquivalenceTest, DataThatDecideAreTriedAsNumbers) {
  Verdict V = compare(positive("1.0"), positive("1.0"));
  EXPECT_VERDICT(EqualOn, V);
  EXPECT_TRUE(tells(V.Detail, "equal on 4 inputs in 2 orders of warps"));
  EXPECT_VERDICT(Different, compare(positive("1.0"), positive("2.0")));
}

TEST(EquivalenceTest, DataMayBeIndices) {
  EquivalenceOptions Options;
  Options.NumInputs = 1; // The first is small integers.
  for (std::string Type : {"i32", "i64", "i8"}) {
    std::string Text = kernel(
        ", ptr %in", "%f = getelementptr " + Type +
                         ", ptr %in, i32 %t\n%v = load " + Type +
                         ", ptr %f\n%q = getelementptr i32, ptr %out, " + Type +
                         " %v\n"
                         "%o = atomicrmw add ptr %q, i32 1 monotonic\n");
    EXPECT_VERDICT(EqualOn,
                   compare(Text, Text, {{1, 1, 1}, {64, 1, 1}}, Options));
  }
}

TEST(EquivalenceTest, DataMayLeadBeforeWhatZerosTouch) {
  // Zeros lead to the elements from 64 on only.
  std::string Text =
      kernel(", ptr %in", "%f = getelementptr i32, ptr %in, i32 %t\n"
                          "%v = load i32, ptr %f\n%c = icmp sgt i32 %v, 0\n"
                          "br i1 %c, label %yes, label %no\n"
                          "yes:\nstore float 1.0, ptr %p\nbr label %no\n"
                          "no:\n%q = getelementptr float, ptr %p, i32 64\n"
                          "store float 2.0, ptr %q\n");
  EXPECT_VERDICT(EqualOn, compare(Text, Text));
}

TEST(EquivalenceTest, AFloatingPointArgumentStandsForAll) {
  std::string Sum = kernel(", float %a", "%v = fadd float %a, %a\n"
                                         "store float %v, ptr %p\n");
  EXPECT_VERDICT(ProvedEqual, compare(Sum, Sum));
  std::string Branch = kernel(", float %a", "%c = fcmp ogt float %a, 0.0\n"
                                            "br i1 %c, label %yes, label %no\n"
                                            "yes:\nstore float 1.0, ptr %p\n"
                                            "br label %no\nno:\n");
  EXPECT_VERDICT(EqualOn, compare(Branch, Branch));
}

//===----------------------------------------------------------------------===//
// Nothing to compare
//===----------------------------------------------------------------------===//

TEST(EquivalenceTest, AnOriginalWithARaceIsBroken) {
  Verdict V = compare(Reverse{64, 0, 63, ""}, Reverse{});
  EXPECT_VERDICT(OriginalIsBroken, V);
  EXPECT_TRUE(tells(V.Detail, "[race]"));
}

TEST(EquivalenceTest, AnOriginalThatLeavesItsArrayIsBroken) {
  Verdict V = compare(Reverse{63}, Reverse{});
  EXPECT_VERDICT(OriginalIsBroken, V);
  EXPECT_TRUE(tells(V.Detail, "shared-out-of-bounds"));
}

TEST(EquivalenceTest, WhatNobodyWroteIsBrokenIfAResultShowsIt) {
  EXPECT_VERDICT(OriginalIsBroken,
                 compare(Reverse{65, 0, 64}, Reverse{65, 0, 64}));
  std::string Dropped =
      kernel("",
             "%v = load float, ptr addrspace(3) @s\n"
             "store float 1.0, ptr %p\n",
             "@s = internal addrspace(3) global [4 x float] undef\n");
  EXPECT_VERDICT(ProvedEqual, compare(Dropped, Dropped));
}

/// Element 0 of the output receives a value of each thread, that of the second
/// warp first; then \p Rest. In one store, or the warps in turn.
std::string overwrite(bool InTurn, std::string Rest = "") {
  std::string Value = "%f = getelementptr float, ptr %in, i32 %t\n"
                      "%v = load float, ptr %f\n";
  if (!InTurn)
    return kernel(", ptr %in", Value + "store float %v, ptr %out\n" + Rest);
  return kernel(", ptr %in", Value +
                                 "%c = icmp uge i32 %t, 32\n"
                                 "br i1 %c, label %second, label %meet\n"
                                 "second:\nstore float %v, ptr %out\n"
                                 "br label %meet\nmeet:\n" +
                                 Barrier +
                                 "br i1 %c, label %end, label %first\n"
                                 "first:\nstore float %v, ptr %out\n"
                                 "br label %end\nend:\n" +
                                 Rest);
}

TEST(EquivalenceTest, WhatTheLastOfManyThreadsWritesTellsNothing) {
  Verdict V = compare(overwrite(false), overwrite(true));
  EXPECT_VERDICT(OriginalIsBroken, V);
  EXPECT_TRUE(tells(V.Detail, "race on out"));
}

TEST(EquivalenceTest, BesideARaceADifferenceStillTells) {
  auto Rest = [](const char *Factor) {
    return std::string("%w = fmul float %v, ") + Factor +
           "\n%u = add i32 %t, 1\n%q = getelementptr float, ptr %out, i32 %u\n"
           "store float %w, ptr %q\n";
  };
  EXPECT_VERDICT(Different, compare(overwrite(false, Rest("2.0")),
                                    overwrite(true, Rest("3.0"))));
}

TEST(EquivalenceTest, WhatNobodyWroteMayShowInOneOrderOfWarpsOnly) {
  auto Text = [](const char *Index) {
    return kernel("",
                  std::string("%c = icmp ult i32 %t, 32\n"
                              "%i = select i1 %c, i32 ") +
                      Index +
                      ", i32 0\n"
                      "store float 1.0, ptr addrspace(3) @s\n" +
                      Barrier +
                      "%q = getelementptr float, ptr addrspace(3) @s, "
                      "i32 %i\n"
                      "%v = load float, ptr addrspace(3) %q\n"
                      "store float %v, ptr %out\n",
                  "@s = internal addrspace(3) global [4 x float] undef\n");
  };
  // The second warp is the last one, then the first.
  Verdict V = compare(Text("1"), Text("2"));
  EXPECT_VERDICT(OriginalIsBroken, V);
  EXPECT_TRUE(tells(V.Detail, "[uninitialised]"));
}

TEST(EquivalenceTest, WhatIsNotModelledIsNamed) {
  std::string Text =
      kernel("", "%v = call i32 asm \"mov.u32 $0, %nonsense;\", \"=r\"()\n"
                 "store i32 %v, ptr %p\n");
  Verdict V = compare(Text, Text);
  EXPECT_VERDICT(Unsupported, V);
  EXPECT_TRUE(tells(V.Detail, "nonsense"));
  EXPECT_VERDICT(Unsupported,
                 compare(kernel("", "store i32 1, ptr %p\n"), Text));
}

// Both read the same, but what they read differs from run to run.
TEST(EquivalenceTest, AKernelThatReadsTheClockIsUnsupported) {
  std::string Text = kernel("",
                            "%c = call i32 @llvm.nvvm.read.ptx.sreg.clock()\n"
                            "store i32 %c, ptr %p\n",
                            "declare i32 @llvm.nvvm.read.ptx.sreg.clock()\n");
  Verdict V = compare(Text, Text);
  EXPECT_VERDICT(Unsupported, V);
  EXPECT_TRUE(tells(V.Detail, "clock"));
}
TEST(EquivalenceTest, AKernelThatDoesNotEndIsUnsupported) {
  std::string Text = kernel("", "br label %again\nagain:\n"
                                "%c = icmp eq i32 %t, -1\n"
                                "br i1 %c, label %done, label %again\n"
                                "done:\n");
  EquivalenceOptions Options;
  Options.MaxWarpInstructions = 10'000;
  Verdict V = compare(Text, Text, {{1, 1, 1}, {64, 1, 1}}, Options);
  EXPECT_VERDICT(Unsupported, V);
  EXPECT_TRUE(tells(V.Detail, "[no-progress]"));
}

TEST(EquivalenceTest, ARewriteThatDoesNotEndIsDifferent) {
  std::string Forever = kernel("", "br label %again\nagain:\n"
                                   "%c = icmp eq i32 %t, -1\n"
                                   "br i1 %c, label %done, label %again\n"
                                   "done:\nstore i32 1, ptr %p\n");
  EXPECT_VERDICT(Different,
                 compare(kernel("", "store i32 1, ptr %p\n"), Forever));
}

TEST(EquivalenceTest, TheWorstLaunchCounts) {
  // Different in blocks of more than 32 threads.
  std::string Before = kernel("", "store i32 1, ptr %p\n");
  std::string After = kernel("", "%c = icmp ult i32 %t, 32\n"
                                 "%v = select i1 %c, i32 1, i32 2\n"
                                 "store i32 %v, ptr %p\n");
  LaunchShape Small = {{1, 1, 1}, {32, 1, 1}}, Large = {{1, 1, 1}, {64, 1, 1}};
  EXPECT_VERDICT(ProvedEqual, compare(Before, After, Small));
  Loaded Original(Before), Rewritten(After);
  EXPECT_VERDICT(Different, compareKernels(*Original.Image, Original.Memory,
                                           *Rewritten.Image, Rewritten.Memory,
                                           "k", {Small, Large, Small}));
}

TEST(EquivalenceTest, ABlockThatIsAGuessTellsNothingIfItBreaksTheOriginal) {
  // With 32 threads, half of the array is read but not written.
  LaunchShape Guess = {{1, 1, 1}, {32, 1, 1}, 0, /*IsAssumed=*/true},
              Known = {{1, 1, 1}, {64, 1, 1}};
  auto Judge = [](ArrayRef<LaunchShape> Shapes) {
    Loaded Original(Reverse{}), Rewritten(Reverse{67, 3, 66});
    return compareKernels(*Original.Image, Original.Memory, *Rewritten.Image,
                          Rewritten.Memory, "k", Shapes);
  };
  EXPECT_VERDICT(ProvedEqual, Judge({Guess, Known}));
  EXPECT_VERDICT(OriginalIsBroken, Judge({Guess}));
  Guess.IsAssumed = false;
  EXPECT_VERDICT(OriginalIsBroken, Judge({Guess, Known}));
}

} // namespace
