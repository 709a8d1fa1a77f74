// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Rewrites that are wrong for some data, some arguments or some orders only.
///
//===----------------------------------------------------------------------===//

#include "KernelPair.h"

namespace cudaopt {

/// A kernel that stores a float that \p Body leaves in %v.
static std::string storing(const std::string &Parameters,
                           const std::string &Body,
                           const std::string &Globals = "") {
  return kernel(Parameters, Body + "store float %v, ptr %p\n", Globals);
}
static std::string storingNumber(const std::string &Number,
                                 const std::string &Parameters = "",
                                 const std::string &Globals = "") {
  return kernel(Parameters, "store float " + Number + ", ptr %p\n", Globals);
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

inline constexpr char LoadTwo[] = "%v = load float, ptr addrspace(1) @two\n";

TEST(SubtleDifferenceTest, TheHostMayWriteAVariableThatIsInitialised) {
  std::string Two =
      "@two = addrspace(1) externally_initialized global float 2.0\n";
  EXPECT_VERDICT(Different, compare(storing("", LoadTwo, Two),
                                    storingNumber("2.0", "", Two)));
}

TEST(SubtleDifferenceTest, NobodyWritesAConstant) {
  std::string Two = "@two = internal addrspace(1) constant float 2.0\n";
  EXPECT_VERDICT(ProvedEqual, compare(storing("", LoadTwo, Two),
                                      storingNumber("2.0", "", Two)));
}

TEST(SubtleDifferenceTest, AnInitialisedVariableThatDecidesIsNoProof) {
  std::string Text =
      kernel("",
             "%n = load i32, ptr addrspace(1) @limit\n"
             "%c = icmp slt i32 %t, %n\n"
             "br i1 %c, label %yes, label %no\n"
             "yes:\nstore float 1.0, ptr %p\nbr label %no\nno:\n",
             "@limit = addrspace(1) externally_initialized global i32 4\n");
  Verdict V = compare(Text, Text);
  EXPECT_VERDICT(EqualOn, V);
  EXPECT_TRUE(tells(V.Detail, "variable 'limit'"));
}

TEST(SubtleDifferenceTest, AVariableTooLargeForSymbolsIsNoProof) {
  std::string Large =
      "@two = addrspace(1) global [300000 x float] zeroinitializer\n";
  Verdict V =
      compare(storing("", LoadTwo, Large), storingNumber("0.0", "", Large));
  EXPECT_VERDICT(EqualOn, V);
  EXPECT_TRUE(tells(V.Detail, "variable 'two'"));
}

TEST(SubtleDifferenceTest, ANewVariableTakesNoOthersPlace) {
  std::string B = "@b = addrspace(1) global float 0.0\n";
  std::string A = "@a = addrspace(1) global float 0.0\n";
  EXPECT_VERDICT(
      Different,
      compare(storing("", "%v = load float, ptr addrspace(1) @b\n", B),
              storing("", "%v = load float, ptr addrspace(1) @a\n", A + B)));
}

TEST(SubtleDifferenceTest, StaticVariablesOfOneNameAreToldApart) {
  std::string Both = "@_ZZ1fvE3cnt = addrspace(1) global i32 0\n"
                     "@_ZZ1gvE3cnt = addrspace(1) global i32 0\n";
  std::string Stores = "store i32 5, ptr addrspace(1) @_ZZ1fvE3cnt\n";
  EXPECT_VERDICT(Different,
                 compare(kernel("", Stores, Both), kernel("", "", Both)));
}

TEST(SubtleDifferenceTest, AVariableThatIsGoneIsDifferent) {
  Verdict V = compare(kernel("", "store i32 5, ptr addrspace(1) @b\n",
                             "@b = addrspace(1) global i32 0\n"),
                      kernel("", ""));
  EXPECT_VERDICT(Different, V);
  EXPECT_TRUE(tells(V.Detail, "variable 'b' is no longer there"));
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

TEST(SubtleDifferenceTest, FloatsInStructsAreSymbols) {
  std::string Struct = ", ptr byval({ float, i32 }) align 4 %s";
  EXPECT_VERDICT(Different,
                 compare(storing(Struct, "%f = load float, ptr %s\n"
                                         "%c = fcmp ogt float %f, -5.0\n"
                                         "%v = select i1 %c, float 1.0, "
                                         "float 2.0\n"),
                         storingNumber("1.0", Struct)));
}

TEST(SubtleDifferenceTest, IntegersAreToldApart) {
  std::string Three = ", i32 %a, i32 %b, i32 %c";
  EXPECT_VERDICT(Different, compare(kernel(Three, "store i32 %a, ptr %p\n"),
                                    kernel(Three, "store i32 %c, ptr %p\n")));
}

TEST(SubtleDifferenceTest, IntegersAreZeroAndNegative) {
  auto Where = [](const std::string &Condition) {
    return storing(", i32 %n", "%c = icmp " + Condition +
                                   "\n%v = select i1 %c, float 1.0, "
                                   "float 2.0\n");
  };
  std::string Never = storingNumber("2.0", ", i32 %n");
  EXPECT_VERDICT(Different, compare(Never, Where("eq i32 %n, 0")));
  EXPECT_VERDICT(Different, compare(Never, Where("slt i32 %n, 0")));
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

TEST(SubtleDifferenceTest, AnUndefinedValueIsNotZero) {
  EXPECT_VERDICT(Different,
                 compare(storingNumber("0.0"), storingNumber("undef")));
  EXPECT_VERDICT(Different,
                 compare(storingNumber("0.0"), storingNumber("poison")));
}

TEST(SubtleDifferenceTest, AVariableOfALoopForgetsWhatAnIterationLeft) {
  // What the first one of two iterations stores, the second one reads.
  auto Looping = [](const std::string &Begin) {
    return kernel(", ptr %in",
                  "%x = alloca float\nbr label %loop\n"
                  "loop:\n%i = phi i32 [ 0, %0 ], [ 1, %next ]\n" +
                      Begin +
                      "%c = icmp eq i32 %i, 0\n"
                      "br i1 %c, label %first, label %next\n"
                      "first:\n%q = getelementptr float, ptr %in, i32 %i\n"
                      "%w = load float, ptr %q\n"
                      "store float %w, ptr %x\nbr label %next\n"
                      "next:\n%v = load float, ptr %x\n"
                      "store float %v, ptr %p\n"
                      "br i1 %c, label %loop, label %end\nend:\n",
                  "declare void @llvm.lifetime.start.p0(ptr)\n");
  };
  const std::string Around = Looping(""),
                    Inside =
                        Looping("call void @llvm.lifetime.start.p0(ptr %x)\n");
  EXPECT_VERDICT(EqualOn, compare(Around, Around));
  EXPECT_VERDICT(Different, compare(Around, Inside));
}

TEST(SubtleDifferenceTest, AnArrayLiesBehindTheOneInFront) {
  // As it is declared, only its place aligns the second one.
  auto Behind = [](const std::string &Count) {
    return kernel("",
                  "%a = getelementptr float, ptr addrspace(3) @a, i32 %t\n"
                  "store float 1.0, ptr addrspace(3) %a\n"
                  "%b = getelementptr <4 x float>, ptr addrspace(3) @b, "
                  "i32 %t\n"
                  "store <4 x float> zeroinitializer, ptr addrspace(3) %b, "
                  "align 16\n",
                  "@a = internal addrspace(3) global [" + Count +
                      " x float] undef, align 16\n"
                      "@b = internal addrspace(3) global [256 x float] undef, "
                      "align 4\n");
  };
  EXPECT_VERDICT(ProvedEqual, compare(Behind("64"), Behind("68")));
  Verdict V = compare(Behind("64"), Behind("66"));
  EXPECT_VERDICT(Different, V);
  EXPECT_TRUE(tells(V.Detail, "[misaligned]")) << V.Detail;
}

TEST(SubtleDifferenceTest, AStructPutTogetherFromNothingDecides) {
  // What the compiler makes of the bytes of an int that are written singly.
  std::string Text = kernel("", "%l = and i32 undef, -65536\n"
                                "%b = or i32 %l, 3\n"
                                "%h = and i32 %b, 65535\n"
                                "%c = icmp ult i32 %t, %h\n"
                                "br i1 %c, label %yes, label %no\n"
                                "yes:\nstore float 1.0, ptr %p\n"
                                "br label %no\nno:\n");
  EXPECT_VERDICT(ProvedEqual, compare(Text, Text));
}

/// Loads %x and %y and computes %v.
static std::string computing(const std::string &Body,
                             const std::string &Globals = "") {
  return storing(", ptr %in",
                 "%q = getelementptr float, ptr %in, i32 %t\n"
                 "%x = load float, ptr %q\n%y = load float, ptr %in\n" +
                     Body,
                 Globals);
}

TEST(SubtleDifferenceTest, AnApproximationIsNotTheExactOperation) {
  EXPECT_VERDICT(
      Different,
      compare(computing("%v = fdiv float %x, %y\n"),
              computing("%v = call float @llvm.nvvm.div.approx.f("
                        "float %x, float %y)\n",
                        "declare float @llvm.nvvm.div.approx.f(float, "
                        "float)\n")));
}

TEST(SubtleDifferenceTest, FlushingDenormalsIsAnotherOperation) {
  auto Asm = [](const std::string &Text) {
    return computing("%v = call float asm \"" + Text +
                     "\", \"=f,f,f\"(float %x, float %y)\n");
  };
  EXPECT_VERDICT(Different, compare(Asm("add.f32 $0, $1, $2;"),
                                    Asm("add.ftz.f32 $0, $1, $2;")));
  EXPECT_VERDICT(Different, compare(Asm("set.lt.f32.f32 $0, $1, $2;"),
                                    Asm("set.lt.ftz.f32.f32 $0, $1, $2;")));
  EXPECT_VERDICT(Different, compare(Asm("cvt.rni.f32.f32 $0, $1;"),
                                    Asm("cvt.rni.ftz.f32.f32 $0, $1;")));
}

/// Stores 1.0 where %x is as \p Predicate says against 0.
static std::string deciding(const std::string &Predicate) {
  return kernel(", ptr %in",
                "%q = getelementptr float, ptr %in, i32 %t\n"
                "%x = load float, ptr %q\n"
                "%c = fcmp " +
                    Predicate +
                    " float %x, 0.0\n"
                    "br i1 %c, label %yes, label %no\n"
                    "yes:\nstore float 1.0, ptr %p\nbr label %no\nno:\n");
}

TEST(SubtleDifferenceTest, NumbersAreZeroAndNaN) {
  EXPECT_VERDICT(Different, compare(deciding("ogt"), deciding("oge")));
  EXPECT_VERDICT(Different, compare(deciding("ogt"), deciding("ugt")));
}

TEST(SubtleDifferenceTest, WhatIsPrintedOfDataIsTriedOnNumbers) {
  auto Printing = [](const std::string &Index) {
    return kernel(", ptr %in",
                  "%b = alloca double, align 8\n"
                  "%q = getelementptr float, ptr %in, i32 " +
                      Index +
                      "\n%x = load float, ptr %q\n"
                      "%d = fpext float %x to double\n"
                      "store double %d, ptr %b\n"
                      "%n = call i32 @vprintf(ptr @f, ptr %b)\n"
                      "store i32 1, ptr %p\n",
                  "@f = private constant [4 x i8] c\"%f \\00\"\n");
  };
  EXPECT_VERDICT(EqualOn, compare(Printing("1"), Printing("1")));
  EXPECT_VERDICT(Different, compare(Printing("1"), Printing("0")));
}

//===----------------------------------------------------------------------===//
// Orders
//===----------------------------------------------------------------------===//

/// Each thread leaves a float in global memory for the next one.
static std::string passing(const std::string &Between) {
  return storing(", ptr %in, ptr %g",
                 "%q = getelementptr float, ptr %in, i32 %t\n"
                 "%x = load float, ptr %q\n"
                 "%mine = getelementptr float, ptr %g, i32 %t\n"
                 "store float %x, ptr %mine\n" +
                     Between +
                     "%n = add i32 %t, 63\n%m = urem i32 %n, 64\n"
                     "%theirs = getelementptr float, ptr %g, i32 %m\n"
                     "%v = load float, ptr %theirs\n");
}

TEST(SubtleDifferenceTest, WarpsTalkThroughGlobalMemoryWithoutABarrier) {
  std::string Barrier =
      "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n";
  EXPECT_VERDICT(ProvedEqual, compare(passing(Barrier), passing(Barrier)));
  EXPECT_VERDICT(Different, compare(passing(Barrier), passing("")));
}

TEST(SubtleDifferenceTest, BlocksTalkThroughGlobalMemory) {
  auto Second = [](const std::string &Source) {
    return storing(", ptr %in, ptr %g",
                   "%x = load float, ptr %in\n"
                   "%b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
                   "%c = icmp eq i32 %b, 0\n"
                   "br i1 %c, label %first, label %second\n"
                   "first:\nstore float %x, ptr %g\nret void\n"
                   "second:\n%v = load float, ptr " +
                       Source + "\n");
  };
  EXPECT_VERDICT(Different,
                 compare(Second("%in"), Second("%g"), {{2, 1, 1}, {1, 1, 1}}));
}

} // namespace cudaopt
