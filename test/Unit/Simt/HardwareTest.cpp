// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What an H100 computes, bit for bit: where it differs from what C, IEEE 754
/// or the host would lead one to expect.
//===----------------------------------------------------------------------===//

#include "KernelRun.h"
#include "LoweredKernel.h"

#include <initializer_list>

namespace cudaopt::simt {
namespace {

/// A type of LLVM IR, and the bits of arguments of that type.
struct Arguments {
  std::string Type;
  std::initializer_list<uint64_t> Values;
};

/// The %d of type \p Result that \p Body, where the arguments are %0, %1, ...,
/// makes in one thread.
uint64_t compute(const std::string &Result, const std::string &Body,
                 const Arguments &In) {
  std::string Parameters = "ptr %out";
  for (size_t I = 0; I < In.Values.size(); ++I)
    Parameters += ", " + In.Type + " %x" + std::to_string(I);
  KernelRun Run("", Parameters,
                Body + "\n  store " + Result + " %d, ptr %out\n  ret void\n");
  Run.addBuffer<uint64_t>(1);
  for (uint64_t Value : In.Values) {
    if (In.Type == "double" || In.Type == "i64")
      Run.addScalar(Value);
    else if (In.Type == "half" || In.Type == "i16")
      Run.addScalar(static_cast<uint16_t>(Value));
    else
      Run.addScalar(static_cast<uint32_t>(Value));
  }
  RunResult R = Run.run();
  EXPECT_EQ(R.Status, RunStatus::Finished) << R.Why;
  return Run.at<uint64_t>(0, 0);
}

/// The same for one instruction of PTX with the constraint \p Constraint for
/// all its registers.
uint64_t ptx(const std::string &Instruction, const std::string &Type,
             char Constraint, std::initializer_list<uint64_t> Values) {
  std::string Text = Instruction + " $0", Constraints, Operands;
  Constraints = std::string("=") + Constraint;
  for (size_t I = 0; I < Values.size(); ++I) {
    Text += ", $" + std::to_string(I + 1);
    Constraints += std::string(",") + Constraint;
    Operands += (I ? ", " : "") + Type + " %x" + std::to_string(I);
  }
  return compute(Type,
                 "  %d = call " + Type + " asm \"" + Text + ";\", \"" +
                     Constraints + "\"(" + Operands + ")",
                 {Type, Values});
}
uint64_t ptx32(const std::string &Instruction,
               std::initializer_list<uint64_t> Values) {
  return ptx(Instruction, "float", 'f', Values);
}
uint64_t ptx64(const std::string &Instruction,
               std::initializer_list<uint64_t> Values) {
  return ptx(Instruction, "double", 'd', Values);
}

TEST(HardwareTest, ReciprocalsAreRoundedAsTold) {
  EXPECT_EQ(ptx32("rcp.rz.f32", {0x3fc00000}), 0x3f2aaaaau);
  EXPECT_EQ(ptx32("rcp.rp.f32", {0xc0200000}), 0xbeccccccu);
  EXPECT_EQ(ptx32("rcp.rp.f32", {0x80000001}), 0xff7fffffu);
  EXPECT_EQ(ptx64("rcp.rz.f64", {0x4004000000000000}), 0x3fd9999999999999u);
  EXPECT_EQ(ptx64("rcp.rp.f64", {0x3ff8000000000000}), 0x3fe5555555555556u);
}

TEST(HardwareTest, IntegersAreSaturatedAsTold) {
  EXPECT_EQ(ptx("add.sat.s32", "i32", 'r', {1, 0x7fffffff}), 0x7fffffffu);
  EXPECT_EQ(ptx("sub.sat.s32", "i32", 'r', {0, 0x80000000}), 0x7fffffffu);
  EXPECT_EQ(ptx("min.s32.relu", "i32", 'r', {0x80000001, 2}), 0u);
  EXPECT_EQ(ptx("max.s32.relu", "i32", 'r', {3, 0xffffffff}), 3u);
}

TEST(HardwareTest, AWiderRegisterIsFilledByTheTypeOfTheResult) {
  EXPECT_EQ(ptx("cvt.u8.u32", "i32", 'r', {0x1ff}), 0xffu);
  EXPECT_EQ(ptx("cvt.s8.u32", "i32", 'r', {0x1ff}), 0xffffffffu);
  EXPECT_EQ(ptx("cvt.u16.s8", "i32", 'r', {0x1ff}), 0xffffu);
  EXPECT_EQ(ptx("cvt.s32.s8", "i32", 'r', {0x80}), 0xffffff80u);
  EXPECT_EQ(ptx("cvt.u32.u16", "i32", 'r', {0x12345}), 0x2345u);
}

TEST(HardwareTest, AnUnknownSaturationIsRefused) {
  for (const char *Text : {"mad.hi.sat.s32", "max.u32.relu", "add.sat.u32"}) {
    Lowered K("i32 %a", std::string("  %d = call i32 asm sideeffect \"") +
                            Text + " $0, $1, $1, $1;\", \"=r,r\"(i32 %a)");
    EXPECT_NE(K.Error.find(Text), std::string::npos) << K.Error;
  }
}

TEST(HardwareTest, TheSignOfNaNIsNotChanged) {
  EXPECT_EQ(compute("float", "%d = fneg float %x0", {"float", {0x7fc00000}}),
            0x7fffffffu);
  EXPECT_EQ(ptx32("abs.f32", {0xffc00000}), 0x7fffffffu);
  EXPECT_EQ(compute("half", "%d = fneg half %x0", {"half", {0xfe00}}), 0x7fffu);
  EXPECT_EQ(ptx64("abs.f64", {0xfff8000000000000}), 0xfff8000000000000u);
  EXPECT_EQ(ptx64("neg.f64", {0x7ff0000000000001}), 0x7ff8000000000001u);
  EXPECT_EQ(ptx("neg.bf16", "i16", 'h', {0x7fc0}), 0x7fffu);
  EXPECT_EQ(ptx("abs.bf16", "i16", 'h', {0xbf80}), 0x3f80u);
}

TEST(HardwareTest, TheNaNOfADoubleIsNegativeOrAnOperand) {
  constexpr uint64_t Infinity = 0x7ff0000000000000, Minus = uint64_t(1) << 63;
  EXPECT_EQ(ptx64("add.rz.f64", {Infinity, Minus | Infinity}),
            0xfff8000000000000u);
  EXPECT_EQ(ptx64("mul.rp.f64", {0, Infinity}), 0xfff8000000000000u);
  // The addend goes before the second factor.
  EXPECT_EQ(ptx64("fma.rn.f64", {0, 0x7ff8000000012345, 0x7ff8000000000000}),
            0x7ff8000000000000u);
  EXPECT_EQ(ptx64("fma.rz.f64", {0, 0x7ff8000000012345, 0x7ff8000000000000}),
            0x7ff8000000000000u);
  EXPECT_EQ(ptx64("min.f64", {0x7ff0000000000001, 0x7ff0000000000001}),
            0x7ff8000000000001u);
}

TEST(HardwareTest, ADoubleKeepsItsNaNWhenItIsNarrowed) {
  auto Narrowed = [](const std::string &To, uint64_t From) {
    return compute(To, "%d = fptrunc double %x0 to " + To, {"double", {From}});
  };
  EXPECT_EQ(Narrowed("float", 0x7ff0000000000001), 0x7fc00000u);
  EXPECT_EQ(Narrowed("float", 0xfff4000000054321), 0xffe00000u);
  EXPECT_EQ(Narrowed("half", 0xfff4000000054321), 0xff00u);
  EXPECT_EQ(compute("i16",
                    "%d = call i16 asm \"cvt.rn.bf16.f64 $0, $1;\", "
                    "\"=h,d\"(double %x0)",
                    {"double", {0xfff4000000054321}}),
            0xffe0u);
}

TEST(HardwareTest, DenormalsAreFlushedAsTold) {
  EXPECT_EQ(ptx32("mul.f32", {0x3f800000, 1}), 1u);
  EXPECT_EQ(ptx32("mul.ftz.f32", {0x3f800000, 0x80000001}), 0x80000000u);
  EXPECT_EQ(ptx32("add.rp.ftz.f32", {0, 0x007fffff}), 0u);
  EXPECT_EQ(ptx32("div.rn.ftz.f32", {0, 1}), 0x7fffffffu);
  EXPECT_EQ(ptx32("sqrt.rn.ftz.f32", {0x80000001}), 0x80000000u);
  EXPECT_EQ(ptx32("neg.ftz.f32", {1}), 0x80000000u);
  EXPECT_EQ(ptx32("min.ftz.f32", {0, 0x80000001}), 0x80000000u);
}

TEST(HardwareTest, WhatIsDenormalBeforeItIsRoundedIsFlushed) {
  EXPECT_EQ(ptx32("mul.f32", {0x00800000, 0x3f7fffff}), 0x00800000u);
  EXPECT_EQ(ptx32("mul.ftz.f32", {0x00800000, 0x3f7fffff}), 0u);
}

TEST(HardwareTest, WhatDoesNotFitAShortIntegerLosesItsUpperBits) {
  auto Cast = [](const std::string &How, const std::string &From,
                 const std::string &To, uint64_t Value) {
    return compute(To, "%d = " + How + " " + From + " %x0 to " + To,
                   {From, {Value}});
  };
  EXPECT_EQ(Cast("fptosi", "float", "i8", 0x7f7fffff), 0xffu);
  EXPECT_EQ(Cast("fptoui", "float", "i8", 0x4b800001), 0x02u);
  EXPECT_EQ(Cast("fptosi", "double", "i16", 0x41e0000000000000), 0xffffu);
  EXPECT_EQ(Cast("fptosi", "float", "i16", 0xc0000000), 0xfffeu);
}

TEST(HardwareTest, BfloatsAreRoundedAsTold) {
  auto Rounded = [](const std::string &Mode, uint64_t From) {
    return compute("i16",
                   "%d = call i16 asm \"cvt." + Mode +
                       ".bf16.f32 $0, $1;\", \"=h,f\"(float %x0)",
                   {"float", {From}});
  };
  EXPECT_EQ(Rounded("rp", 1), 1u);
  EXPECT_EQ(Rounded("rp", 0xff7fffff), 0xff7fu);
  EXPECT_EQ(Rounded("rm", 0x007fffff), 0x007fu);
  EXPECT_EQ(Rounded("rm", 0x80000001), 0x8001u);
  EXPECT_EQ(ptx("cvt.rpi.bf16.bf16", "i16", 'h', {0x3f00}), 0x3f80u);
  EXPECT_EQ(ptx("cvt.rni.bf16.bf16", "i16", 'h', {0x3fc0}), 0x4000u);
  EXPECT_EQ(ptx("cvt.rmi.bf16.bf16", "i16", 'h', {0x3f00}), 0u);
}

/// Runs an atomic operation on a word of global and of shared memory.
std::pair<uint32_t, uint32_t> exchange(uint32_t Old, uint32_t Operand,
                                       const std::string &Atomic) {
  KernelRun Run("@s = internal addrspace(3) global i32 undef\n",
                "ptr addrspace(1) %out, i32 %old, i32 %x", R"(
  %f = bitcast i32 %x to float
  store i32 %old, ptr addrspace(1) %out
  store i32 %old, ptr addrspace(3) @s
)" + Atomic + R"(
  %new = load i32, ptr addrspace(3) @s
  %second = getelementptr i32, ptr addrspace(1) %out, i32 1
  store i32 %new, ptr addrspace(1) %second
  ret void
)");
  Run.addBuffer(2);
  Run.addScalar(Old);
  Run.addScalar(Operand);
  RunResult R = Run.run();
  EXPECT_EQ(R.Status, RunStatus::Finished) << R.Why;
  return {Run.at(0, 0), Run.at(0, 1)};
}

TEST(HardwareTest, AtomicSumsInGlobalMemoryFlushDenormals) {
  auto [Global, Shared] = exchange(4, 1000, R"(
  %a = atomicrmw fadd ptr addrspace(1) %out, float %f monotonic
  %b = atomicrmw fadd ptr addrspace(3) @s, float %f monotonic
)");
  EXPECT_EQ(Global, 0u);
  EXPECT_EQ(Shared, 1004u);
}

TEST(HardwareTest, AtomicSumsOfBfloats) {
  // (0.5, 0) + (5, 3); a half would see other numbers in these bits.
  auto [Global, Unused] = exchange(0x3f000000, 0x40a04040, R"(
  %a = call i32 asm sideeffect
      "{ atom.add.noftz.bf16x2 $0, [$1], $2; }", "=r,l,r,~{memory}"
      (ptr addrspace(1) %out, i32 %x)
)");
  (void)Unused;
  EXPECT_EQ(Global, 0x40b04040u);
}

TEST(HardwareTest, AnglesAreReducedAsAFloat) {
  // Nothing but a multiple of a quarter turn is left of so large an angle.
  EXPECT_EQ(ptx32("sin.approx.f32", {0xcb96dc90}), 0xbf800000u);
  EXPECT_EQ(ptx32("cos.approx.f32", {0x4bed4dca}), 0xbf800000u);
}

TEST(HardwareTest, AnApproximateQuotientByAHugeNumberIsZero) {
  EXPECT_EQ(ptx32("div.approx.f32", {0x3f800000, 0x7f7fffff}), 0u);
  EXPECT_EQ(ptx32("div.full.f32", {0x3f800000, 0x7f7fffff}), 0x00200000u);
}

TEST(HardwareTest, ApproximateDoublesHaveTheirUpperHalf) {
  EXPECT_EQ(ptx64("rcp.approx.ftz.f64", {0x3ff8000000000000}),
            0x3fe5555500000000u);
  EXPECT_EQ(ptx64("rcp.approx.ftz.f64", {1}), 0x7ff0000000000000u);
  EXPECT_EQ(ptx64("rcp.approx.ftz.f64", {0x7ff8000000000000}),
            0x7fffffff00000000u);
  EXPECT_EQ(ptx64("rsqrt.approx.ftz.f64", {0x3fe0000000000000}),
            0x3ff6a09e00000000u);
}

} // namespace
} // namespace cudaopt::simt
