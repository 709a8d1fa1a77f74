// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What each construct of LLVM IR becomes, and what is refused with which
/// words. Operations are compared as the program prints them, with constants in
/// place of the registers that hold them.
//===----------------------------------------------------------------------===//

#include "LoweredKernel.h"

#include "cudaopt/Simt/Optimizer.h"

#include "gtest/gtest.h"

using namespace cudaopt;
using namespace cudaopt::simt;

namespace {

/// One line of IR on %a, %b : i32, %f, %g : float, %d : double, %l : i64,
/// %h : half, %p : ptr, %c : i1; and what it becomes.
struct Row {
  const char *IR, *Operation;
  const char *Globals = "";
};
std::ostream &operator<<(std::ostream &OS, const Row &R) { return OS << R.IR; }

constexpr const char *Parameters =
    "i32 %a, i32 %b, float %f, float %g, double %d, i64 %l, half %h, ptr %p, "
    "i1 %c";

class LowerRow : public testing::TestWithParam<Row> {};

} // namespace

TEST_P(LowerRow, Becomes) {
  Lowered L(Parameters, GetParam().IR, GetParam().Globals);
  EXPECT_TRUE(L.has(GetParam().Operation)) << L.text();
}

// Values nobody uses are dropped, so each is stored.
#define STORED(TYPE, VALUE) "%x = " VALUE "\nstore " TYPE " %x, ptr %p"

static const Row Instructions[] = {
    {STORED("i32", "add i32 %a, 5"), "%9 = add.32 %0, #5\n"},
    {STORED("i32", "sdiv i32 %a, %b"), "%9 = div.s.32 %0, %1\n"},
    {STORED("i32", "lshr i32 %a, 33"), "shr.u.32 %0, #33\n"},
    {STORED("i8", "trunc i32 %a to i8"), "%9 = trunc.8.32 %0\n"},
    {STORED("i64", "sext i32 %a to i64"), "sext.64.32 %0\n"},
    {STORED("i64", "zext i1 %c to i64"), "zext.64.1 %8\n"},
    {STORED("float", "fmul float %f, %g"), "fmul.32 %2, %3\n"},
    {STORED("half", "fadd half %h, 0xH3C00"), "fadd.16 %6, #15360\n"},
    {"%m = fmul contract float %f, %g\n" STORED("float",
                                                "fadd contract float %m, 1.0"),
     "fma.32 %2, %3, #1065353216\n"},
    {"%m = fmul contract float %f, %g\n" STORED("float",
                                                "fsub contract float 1.0, %m"),
     "fneg.32 %2\n"},
    {"%m = fmul float %f, %g\n" STORED("float", "fadd contract float %m, 1.0"),
     "fmul.32 %2, %3\n"},
    {STORED("i32", "fptosi float %f to i32"), "f2s.rz.32.32 %2\n"},
    {STORED("double", "fpext float %f to double"), "fext.64.32 %2\n"},
    {STORED("i1", "icmp slt i32 %a, %b"), "icmp.slt.32 %0, %1\n"},
    {STORED("i1", "fcmp ueq double %d, 1.0"),
     "fcmp.ueq.64 %4, #4607182418800017408\n"},
    {STORED("i32", "select i1 %c, i32 %a, i32 %b"), "select.32 %8, %0, %1\n"},
    {STORED("i32", "freeze i32 %a"), "st.32 %7, %0"},
    {STORED("i64", "ptrtoint ptr %p to i64"), "st.64 %7, %7"},
    {STORED("i32", "ptrtoint ptr %p to i32"), "trunc.32.64 %7\n"},
    {STORED("float", "bitcast i32 %a to float"), "st.f32 %7, %0"},
    {STORED("<2 x i32>", "bitcast i64 %l to <2 x i32>"),
     "%9 = split.32.64 %5, #0\n%10 = split.32.64 %5, #1\n"},
    {"%v = load <4 x i8>, ptr %p\n%x = bitcast <4 x i8> %v to i32\n"
     "store i32 %x, ptr %p",
     "join.32.8 %9 at 0 %10 at 8 %11 at 16 %12 at 24\n"},
    {"%v = load <2 x i32>, ptr %p\n"
     "%x = extractelement <2 x i32> %v, i32 %a\nstore i32 %x, ptr %p",
     "%12 = icmp.eq.32 %0, #1\n%13 = select.32 %12, %10, %9\n"},
    {"%v = load <2 x i32>, ptr %p\n"
     "%x = insertelement <2 x i32> %v, i32 %b, i64 1\n"
     "store <2 x i32> %x, ptr %p",
     "%11 = mov.32 %9\n%12 = mov.32 %1\n"},
    {"%v = load <2 x i32>, ptr %p\n"
     "%x = shufflevector <2 x i32> %v, <2 x i32> poison, <2 x i32> <i32 1, "
     "i32 0>\nstore <2 x i32> %x, ptr %p",
     "%11 = mov.32 %10\n%12 = mov.32 %9\n"},
    {"%s = call {i32, i1} @llvm.uadd.with.overflow.i32(i32 %a, i32 %b)\n"
     "%x = extractvalue {i32, i1} %s, 1\nstore i1 %x, ptr %p",
     "%9 = addo.u.32 %0, %1\n%11 = zext.8.1 %10\n"},
    {"%s = cmpxchg ptr %p, i32 1, i32 %b seq_cst seq_cst\n"
     "%x = extractvalue {i32, i1} %s, 0\nstore i32 %x, ptr %p",
     "%9 = cas.volatile.32 %7, #1, %1, align 4\n"},
    {"%i = insertvalue {i32, {i8, i64}} poison, i64 %l, 1, 1\n"
     "store {i32, {i8, i64}} %i, ptr %p",
     "st.64 %16, %11, align 8\n"},
    {STORED("float", "atomicrmw fadd ptr %p, float %f seq_cst"),
     "atom.fadd.volatile.f32 %7, %2, align 4\n"},
    {"fence seq_cst", "fence\n"},
    {STORED("ptr", "alloca [5 x i32], align 16"), "alloca #20, align 16\n"},
    {STORED("i32", "add i32 %a, undef"), " = undefined.32\n"},
};
INSTANTIATE_TEST_SUITE_P(Instructions, LowerRow,
                         testing::ValuesIn(Instructions));

static const Row Memory[] = {
    {"%x = getelementptr [3 x i64], ptr %p, i32 %a, i64 2\n"
     "store i32 1, ptr %x",
     "sext.64.32 %0\n%10 = gep %7 + 16 + %9 * 24\n"},
    {"%x = getelementptr i32, ptr %p, i64 %l\nstore i32 1, ptr %x",
     "gep %7 + %5 * 4\n"},
    {"%x = load volatile i32, ptr addrspace(1) null\nstore i32 %x, ptr %p",
     "ld.volatile.global.32 #0, align 4"},
    // A vector is one request of at most 16 bytes, as its alignment allows.
    {"%x = load <4 x float>, ptr %p, align 16\n"
     "store <4 x float> %x, ptr %p, align 8",
     "%9 = ld.f32.v4 %7, align 16\nst.f32.v2 %7, %9, align 8\n"},
    {"%x = load <3 x i32>, ptr %p, align 16\nstore <3 x i32> %x, ptr %p",
     "%9 = ld.32.v2 %7, align 16\n"},
    {"%x = load i32, ptr %p, align 2\nstore i32 %x, ptr %p",
     "ld.16 %7, align 2\n%12 = gep %7 + 2\n"},
    {"%x = load {i8, i32}, ptr %p\n%y = extractvalue {i8, i32} %x, 1\n"
     "store i32 %y, ptr %p",
     "%9 = ld.8 %7, align 4\n%11 = gep %7 + 4\n%10 = ld.32 %11, align 4\n"},
    {"call void @llvm.memcpy.p0.p0.i64(ptr align 8 %p, ptr align 16 %p, i64 "
     "24, i1 false)",
     "copy %7, %7, #24, align 8\n"},
    {"call void @llvm.memset.p0.i64(ptr align 16 %p, i8 0, i64 12, i1 false)",
     "fill %7, #0, #12, align 4\n"},
    // All of the source is read before the destination is written.
    {"call void @llvm.memmove.p0.p0.i64(ptr align 4 %p, ptr align 4 %p, i64 "
     "8, i1 false)",
     "%11 = gep %7 + 4\n%10 = ld.32 %11, align 4\nst.32 %7, %9, align 4\n"},
    {"%x = addrspacecast ptr %p to ptr addrspace(3)\n"
     "store i32 1, ptr addrspace(3) %x",
     "cvta.to.shared %7\nst.shared.32 %9, #1"},
    {"store i32 1, ptr addrspacecast (ptr addrspace(3) @s to ptr)",
     "st.32 #1152921504606847232, #1", "@s = addrspace(3) global i32 undef"},
    {"store i32 1, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @s, "
     "i64 4)",
     "st.shared.32 #260, #1", "@s = addrspace(3) global [2 x i32] undef"},
};
INSTANTIATE_TEST_SUITE_P(Memory, LowerRow, testing::ValuesIn(Memory));

static const Row Intrinsics[] = {
    {STORED("i32", "call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()"),
     "sreg.ctaid.y\n"},
    {STORED("i32", "call i32 @llvm.smax.i32(i32 %a, i32 %b)"), "max.s.32"},
    {STORED("i32", "call i32 @llvm.ctlz.i32(i32 %a, i1 true)"), "clz.32 %0\n"},
    {STORED("i32", "call i32 @llvm.fshl.i32(i32 %a, i32 %b, i32 3)"),
     "fshl.32 %0, %1, #3\n"},
    {STORED("float", "call float @llvm.fmuladd.f32(float %f, float %g, float "
                     "%f)"),
     "fma.32 %2, %3, %2\n"},
    {STORED("float", "call float @llvm.floor.f32(float %f)"),
     "fround.rd.32 %2\n"},
    {STORED("float", "call float @llvm.nvvm.round.f(float %f)"),
     "fround.rn.32 %2\n"},
    {STORED("float", "call float @llvm.nvvm.ex2.approx.ftz.f32(float %f)"),
     "fexp2.32 %2\n"},
    {STORED("float", "call float @llvm.nvvm.fmin.nan.f(float %f, float %g)"),
     "fmin.nan.32 %2, %3\n"},
    {STORED("float", "call float @llvm.nvvm.fma.rn.sat.f(float %f, float %g, "
                     "float %f)"),
     "%9 = fma.32 %2, %3, %2\n%10 = fsat.32 %9\n"},
    {STORED("i32", "call i32 @llvm.nvvm.f2i.rm(float %f)"), "f2s.rd.32.32 %2"},
    {STORED("i64", "call i64 @llvm.nvvm.d2ull.rz(double %d)"),
     "f2u.rz.64.64 %4\n"},
    {STORED("i32", "call i32 @llvm.nvvm.d2i.hi(double %d)"),
     "split.32.64 %4, #1\n"},
    {STORED("double", "call double @llvm.nvvm.lohi.i2d(i32 %a, i32 %b)"),
     "join.64.32 %0 at 0 %1 at 32\n"},
    {STORED("i1", "call i1 @llvm.is.fpclass.f32(float %f, i32 3)"),
     "fclass.32 %2, #3\n"},
    {STORED("i32", "call i32 @llvm.scmp.i32.i32(i32 %a, i32 %b)"),
     "icmp.sgt.32 %0, %1\n"},
    {"call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)", "bar.sync\n"},
    {"call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 64)",
     "bar.sync #1, #64\n"},
    {STORED("i1", "call i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32 0, "
                  "i1 %c)"),
     "bar.red.or _, _, %8\n"},
    {"call void @llvm.nvvm.bar.warp.sync(i32 %a)", "bar.warp %0\n"},
    {STORED("float", "call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float "
                     "%f, i32 1, i32 31)"),
     "shfl.bfly.32 %2, #1, #31, #4294967295\n"},
    {"%s = call {i32, i1} @llvm.nvvm.shfl.sync.up.i32p(i32 -1, i32 %a, i32 1, "
     "i32 0)\n%x = extractvalue {i32, i1} %s, 1\nstore i1 %x, ptr %p",
     "shfl.up.32.v2 %0, #1, #0, #4294967295\n"},
    {STORED("i32", "call i32 @llvm.nvvm.vote.ballot.sync(i32 %a, i1 %c)"),
     "vote.ballot %0, %8\n"},
    {STORED("i32", "call i32 @llvm.nvvm.match.any.sync.i64(i32 %a, i64 %l)"),
     "match.any.64 %0, %5\n"},
    {STORED("i32", "call i32 @llvm.nvvm.redux.sync.umin(i32 %a, i32 -1)"),
     "redux.min.u.32 %0, #4294967295\n"},
    {STORED("i32", "call i32 @llvm.nvvm.activemask()"), "activemask\n"},
    {"call void @llvm.nvvm.cp.async.ca.shared.global.8(ptr addrspace(3) null, "
     "ptr addrspace(1) null)",
     "cp.async #0, #0, #8, align 8\n"},
    {"call void @llvm.nvvm.cp.async.wait.group(i32 2)", "cp.async.wait #2\n"},
    {STORED("i1", "call i1 @llvm.nvvm.isspacep.shared(ptr %p)"),
     "isspacep.shared %7\n"},
    {"call void @llvm.nvvm.membar.gl()", "fence\n"},
    {"call void @llvm.nvvm.exit()\nstore i32 0, ptr %p", "bb0:\nret\n"},
    {"call void @llvm.trap()\nstore i32 0, ptr %p", "bb0:\ntrap\n"},
    {STORED("i32", "call i32 @vprintf(ptr %p, ptr null)"), "vprintf %7, #0\n",
     "declare i32 @vprintf(ptr, ptr)"},
    {"call void @__assertfail(ptr %p, ptr null, i32 3, ptr null, i64 1)",
     "assertfail %7, #0, #3\n",
     "declare void @__assertfail(ptr, ptr, i32, ptr, i64)"},
};
INSTANTIATE_TEST_SUITE_P(Intrinsics, LowerRow, testing::ValuesIn(Intrinsics));

#define ASM_I32(TEXT, IN, CONSTRAINTS)                                         \
  STORED("i32", "call i32 asm \"" TEXT "\", \"=r" CONSTRAINTS "\"(" IN ")")

static const Row Assembly[] = {
    {ASM_I32("mov.u32 $0, %lanemask_lt;", "", ""), "sreg.lanemask.lt\n"},
    {ASM_I32("{add.u32 $0, $1, 0x10U;}", "i32 %a", ",r"), "add.32 %0, #16\n"},
    {STORED("i16", "call i16 asm \"{fma.rn.f16 $0,$1,$2,$1;}\", "
                   "\"=h,h,h\"(half %h, half 0xH3C00)"),
     "fma.16 %6, #15360, %6\n"},
    {ASM_I32("{add.f16x2 $0,$1,$1;}", "i32 %a", ",r"),
     "fadd.16 %10, %11\n%13 = split.16.32 %0, #1\n"},
    {STORED("i64", "call i64 asm \"mov.b64 $0, {$1,$2};\", "
                   "\"=l,r,r\"(i32 %a, i32 %b)"),
     "join.64.32 %0 at 0 %1 at 32\n"},
    {ASM_I32("cvt.rzi.s32.f32 $0, $1;", "float %f", ",f"), "f2s.rz.32.32 %2"},
    {ASM_I32("ld.global.nc.s8 $0, [$1+4];", "ptr %p", ",l"),
     "gep %7 + 4\n%11 = ld.global.8 %10\n%12 = sext.32.8 %11\n"},
    {"call void asm sideeffect \"st.shared.v2.f32 [$0], {$1,$2};\", "
     "\"r,f,f\"(i32 %a, float %f, float %g)",
     "st.shared.f32.v2 "},
    {"call void asm sideeffect \"cp.async.cg.shared.global [$0], [$1], $2, "
     "$3;\", \"r,l,n,r\"(i32 %a, ptr %p, i32 16, i32 %b)",
     "cp.async %10, %7, %1, #16, align 16\n"},
    // A policy of the cache is no number of bytes.
    {"call void asm sideeffect \"cp.async.cg.shared.global.L2::cache_hint "
     "[$0], [$1], $2, $3;\", \"r,l,n,l\"(i32 %a, ptr %p, i32 16, i64 9)",
     "cp.async %11, %7, #16, align 16\n"},
    {STORED("float", "call float asm \"cvt.f32.bf16 $0, $1;\", \"=f,h\"(half "
                     "%h)"),
     "join.32.16 #0 at 0 %6 at 16\n"},
    // A guard selects; a scope ends with its brace.
    {ASM_I32("{ .reg .pred p; setp.lt.s32 p, $1, 3; @!p add.s32 $0, $1, 1; }",
             "i32 %a, i32 %b", ",r,0"),
     "icmp.slt.32 %0, #3\n%13 = xor.1 %11, #1\n%14 = add.32 %0, #1\n"
     "%15 = select.32 %13, %14, %1\n"},
    {ASM_I32("{ .reg .u32 t; add.cc.u32 t, $1, $2; addc.u32 $0, $1, 0; }",
             "i32 %a, i32 %b", ",r,r"),
     "addo.u.32 %0, %1\n"},
    {ASM_I32("shfl.sync.idx.b32 $0, $1, 0, 31, -1;", "i32 %a", ",r"),
     "shfl.idx.32 %0, "},
    // Under a guard some threads leave, and the block goes on.
    {"call void asm sideeffect \"{ .reg .pred p; setp.ne.s32 p, $0, 0; "
     "@!p exit; }\", \"r\"(i32 %a)\nstore i32 0, ptr %p",
     "icmp.ne.32 %0, #0\n%12 = xor.1 %10, #1\nexit.if %12\nst.32 "},
    {"call void asm sideeffect \"\", \"~{memory}\"()", "bb0:\nret\n"},
    // Nobody uses what it gives.
    {"%x = call i64 asm \"mov.u64 $0, %envreg1;\", \"=l\"()\n"
     "%s = insertvalue {i32, i64} poison, i64 %x, 1\n"
     "%t = insertvalue {i32, i64} %s, i32 %a, 0\n"
     "%y = extractvalue {i32, i64} %t, 0\nstore i32 %y, ptr %p",
     "bb0:\nst.32 %7, %0, align 4\nret\n"},
};
INSTANTIATE_TEST_SUITE_P(Assembly, LowerRow, testing::ValuesIn(Assembly));

static const Row Refusals[] = {
    {"call void @f(i32 1), !dbg !7",
     "error: a.cu:7:3: recursion through 'f' is not modelled",
     "define void @f(i32 %i) { %j = sub i32 %i, 1 call void @f(i32 %j) ret "
     "void }"},
    {"call void %p(), !dbg !7",
     "error: a.cu:7:3: a call through a pointer is not modelled"},
    {"call void @g(), !dbg !7",
     "error: a.cu:7:3: function 'g' has no body here", "declare void @g()"},
    {"%x = call i32 asm sideeffect \"mov.u32 $0, %envreg1;\", \"=r\"(), "
     "!dbg !7",
     "error: a.cu:7:3: inline assembly 'mov.u32 $0, %envreg1;' is not "
     "modelled"},
    {"call void asm sideeffect \"L: bra L;\", \"\"(), !dbg !7",
     "error: a.cu:7:3: inline assembly 'L: bra L;' is not modelled"},
    // A word that changes the instruction is not passed over.
    {"%x = call i32 asm sideeffect \"add.wrong.u32 $0, 1, 1;\", \"=r\"()",
     "inline assembly 'add.wrong.u32 $0, 1, 1;' is not modelled"},
    {"call void asm sideeffect \"{ .reg .pred p; setp.ne.s32 p, $0, 0; "
     "@p trap; }\", \"r\"(i32 %a)",
     "is not modelled"},
    {"%x = call i32 asm sideeffect \"@$1 ld.u32 $0, [$2];\", \"=r,r,l\"(i32 "
     "%a, ptr %p)",
     "is not modelled"},
    {STORED("double", "call double @llvm.pow.f64(double %d, double %d), "
                      "!dbg !7"),
     "error: a.cu:7:3: intrinsic 'llvm.pow.f64' is not modelled"},
    {"call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %p, i64 %l, i1 false), "
     "!dbg !7",
     "error: a.cu:7:3: a copy of variable length is not modelled"},
    {STORED("i128", "zext i32 %a to i128"),
     "error: kernel 'k': a value of type 'i128' is not modelled"},
    {STORED("ptr", "alloca i32, i32 %a"),
     "local memory of variable size is not modelled"},
    {STORED("bfloat", "fadd bfloat 0xR3F80, 0xR3F80"),
     "arithmetic in bfloat16 is not modelled"},
    {"store i32 1, ptr addrspace(7) null", "memory of address space 7"},
    {"store ptr @f, ptr %p", "the address of function 'f' is not modelled",
     "declare void @f()"},
    {"store ptr @v, ptr %p", "in the value of 'v': the address of function",
     "@v = global ptr @f declare void @f()"},
    {"store i32 1, ptr @v", "variable 'v' is defined elsewhere",
     "@v = external global i32"},
    {"%x = va_arg ptr %p, i32", "the instruction 'va_arg' is not modelled"},
};
INSTANTIATE_TEST_SUITE_P(Refusals, LowerRow, testing::ValuesIn(Refusals));

TEST(LowerTest, PlaceIsThatOfTheUserInTheInlineStack) {
  LowerOptions Options;
  Options.IsSystemFile = [](llvm::StringRef File) {
    return File.starts_with("/sys/");
  };
  const char *Body = "store i32 1, ptr %p, !dbg !8";
  Lowered User("ptr %p", Body, "", Options), Header("ptr %p", Body);
  auto PlaceIn = [](const Lowered &L) {
    return L.P->textOf(L.P->Sites[L.find(Opcode::Store)->Site]);
  };
  EXPECT_EQ(PlaceIn(User), "a.cu:7:3");
  EXPECT_EQ(PlaceIn(Header), "/sys/h.h:3:1");
}

TEST(LowerTest, SharedVariablesOfTheKernelDynamicOnesLast) {
  Lowered L("ptr %p",
            "store i32 1, ptr addrspacecast (ptr addrspace(3) @d to ptr)\n"
            "store i32 1, ptr addrspace(3) @e\n"
            "store i32 1, ptr addrspace(3) @_ZZ1kPiE1s",
            "@d = external addrspace(3) global [0 x i32], align 4\n"
            "@other = internal addrspace(3) global i32 undef\n"
            "@e = external addrspace(3) global [0 x i8]\n"
            "@_ZZ1kPiE1s = internal addrspace(3) global [3 x i32] undef\n");
  ASSERT_EQ(L.P->Shared.size(), 2u) << L.text();
  EXPECT_EQ(L.P->Shared[0].Name, "s");
  EXPECT_EQ(L.P->Shared[0].Size, 12u);
  EXPECT_TRUE(L.P->Shared[1].IsDynamic);
  uint64_t Dynamic = L.P->Shared[1].Address;
  EXPECT_TRUE(L.has("st.shared.32 #" + std::to_string(Dynamic)));
  EXPECT_TRUE(L.has("st.32 #" + std::to_string(SharedWindow + Dynamic)));
}

TEST(LowerTest, VariablesHaveTheirInitialValuesAndPointToEachOther) {
  Lowered L("ptr %p", "",
            "@g = addrspace(1) constant i32 1\n@t = constant i32 1\n"
            "@c = addrspace(4) externally_initialized constant [2 x float] "
            "[float 1.0, float 2.0]\n"
            "@s = addrspace(1) externally_initialized global {i8, ptr, [2 x "
            "i16]} {i8 7, ptr addrspacecast (ptr addrspace(4) getelementptr "
            "(i8, ptr addrspace(4) @c, i64 4) to ptr), [2 x i16] [i16 1, i16 "
            "-1]}\n");
  EXPECT_EQ(L.Image->variable("c")->Space, StateSpace::Const);
  EXPECT_EQ(L.Image->variable("s")->Space, StateSpace::Global);
  EXPECT_EQ(L.Image->variable("g")->Space, StateSpace::Global);
  EXPECT_EQ(L.Image->variable("t")->Space, StateSpace::Const);
  EXPECT_EQ(L.bytesOf<float>("c", 4), 2.0f);
  EXPECT_EQ(L.bytesOf<uint8_t>("s"), 7);
  EXPECT_EQ(L.bytesOf<uint64_t>("s", 8), L.Image->variable("c")->Address + 4);
  EXPECT_EQ(L.bytesOf<uint16_t>("s", 18), 0xffff);
  EXPECT_EQ(L.Image->variable("none"), nullptr);
}

TEST(LowerTest, ParametersHaveTheirSizesAndFields) {
  Lowered L("ptr byval({i32, [2 x float], ptr}) %s, i1 %b, double %d", "");
  ASSERT_EQ(L.P->Parameters.size(), 3u);
  const Parameter &S = L.P->Parameters[0];
  EXPECT_TRUE(S.IsByValue);
  EXPECT_EQ(S.Size, 24u);
  ASSERT_EQ(S.Fields.size(), 4u);
  EXPECT_TRUE(S.Fields[2].IsFloat && S.Fields[2].Offset == 8);
  EXPECT_TRUE(S.Fields[3].IsPointer && S.Fields[3].Offset == 16);
  EXPECT_EQ(L.P->Parameters[1].Bits, 1);
  EXPECT_EQ(L.P->Parameters[1].Size, 1u);
  EXPECT_TRUE(L.P->Parameters[2].IsFloat);
}

TEST(LowerTest, PhisOfALoopSwapOnItsEdge) {
  Lowered L("i32 %n, i32 %m, ptr %p",
            "br label %loop\nloop:\n%x = phi i32 [%n, %0], [%y, %loop]\n"
            "%y = phi i32 [%m, %0], [%x, %loop]\n"
            "%c = icmp eq i32 %x, 3\nstore i32 %y, ptr %p\n"
            "br i1 %c, label %end, label %loop\nend:");
  EXPECT_TRUE(L.has("bb1 (%3 = %4, %4 = %3)")) << L.text();
}

TEST(LowerTest, SwitchNamesEdgesByValue) {
  Lowered L("i32 %n, ptr %p",
            "switch i32 %n, label %end [i32 -1, label %a\n i32 5, label %b]\n"
            "a:\nstore i32 1, ptr %p\nbr label %end\n"
            "b:\nstore i32 2, ptr %p\nbr label %end\nend:");
  EXPECT_TRUE(L.has("switch %0 default bb3, 4294967295: bb1, 5: bb2\n"))
      << L.text();
}

/// For each block that branches: what is stored where its lanes meet, or -1.
static std::vector<int64_t> meetingPoints(const Lowered &L) {
  std::vector<int64_t> Points;
  for (const Block &B : L.P->Blocks)
    if (B.Edges.size() > 1)
      Points.push_back(
          B.Reconvergence < 0 ? -1 : L.storedIn(L.P->Blocks[B.Reconvergence]));
  return Points;
}

TEST(LowerTest, LanesMeetBehindATrapAndAnEarlyReturn) {
  const char *Start = "br i1 %c, label %in, label %end\n"
                      "in:\nstore i32 1, ptr %p\nbr i1 %d, label %bad, label "
                      "%good\nbad:\nstore i32 2, ptr %p\n";
  const char *Rest = "good:\nstore i32 3, ptr %p\nbr label %end\n"
                     "end:\nstore i32 4, ptr %p";
  for (const char *Leave : {"unreachable\n", "ret void\n",
                            "call void @llvm.nvvm.exit()\nunreachable\n"}) {
    Lowered L("i1 %c, i1 %d, ptr %p", std::string(Start) + Leave + Rest);
    EXPECT_EQ(meetingPoints(L), std::vector<int64_t>({4, 3})) << L.text();
  }
}

TEST(LowerTest, NothingMeetsBehindAnEndlessLoop) {
  Lowered L("i1 %c, ptr %p", "br i1 %c, label %a, label %b\n"
                             "a:\nstore volatile i32 1, ptr %p\nbr label %a\n"
                             "b:\nstore volatile i32 2, ptr %p\nbr label %b\n"
                             "never:");
  EXPECT_EQ(meetingPoints(L), std::vector<int64_t>({-1})) << L.text();
}

TEST(LowerTest, LanesThatReturnFromALoopDoNotWaitBehindIt) {
  Lowered L("i1 %c, i1 %d, ptr %p",
            "br label %loop\nloop:\nstore volatile i32 1, ptr %p\n"
            "br i1 %c, label %behind, label %more\n"
            "more:\nstore volatile i32 2, ptr %p\n"
            "br i1 %d, label %behind, label %loop\n"
            "behind:\n%why = phi i32 [0, %loop], [1, %more]\n"
            "switch i32 %why, label %end [i32 0, label %go]\n"
            "go:\nstore i32 3, ptr %p\nbr label %end\nend:");
  EXPECT_EQ(meetingPoints(L), std::vector<int64_t>({3, 1})) << L.text();
}

TEST(LowerTest, ALoadStaysUnderItsCondition) {
  const char *Body = "br i1 %c, label %in, label %end\n"
                     "in:\n%v = load i32, ptr addrspace(3) @s\nbr label %end\n"
                     "end:\n%x = phi i32 [%v, %in], [0, %0]\n"
                     "store i32 %x, ptr %p";
  Lowered L("i1 %c, ptr %p", Body, "@s = addrspace(3) global i32 undef");
  EXPECT_TRUE(L.has("bb1:\n%4 = ld.shared.32 #256, align 4\n")) << L.text();
}

TEST(LowerTest, CompilerIsToldTheArchitecture) {
  Lowered L("ptr %p",
            "%x = call i32 @__nvvm_reflect(ptr addrspacecast (ptr "
            "addrspace(1) @a to ptr))\nstore i32 %x, ptr %p\n"
            "%y = call i32 @__nvvm_reflect(ptr @z)\n%c = icmp ne i32 %y, 0\n"
            "br i1 %c, label %in, label %end\n"
            "in:\nstore i32 5, ptr %p\nbr label %end\nend:",
            "@a = addrspace(1) constant [12 x i8] c\"__CUDA_ARCH\\00\"\n"
            "@z = constant [11 x i8] c\"__CUDA_FTZ\\00\"\n"
            "declare i32 @__nvvm_reflect(ptr)");
  EXPECT_EQ(L.text(), "bb0:\nst.32 %0, #900, align 4\nret\n");
}

TEST(LowerTest, OptimizationMergesWhatTheCheckKeeps) {
  const char *Body = "%x = load i32, ptr %p\n%y = load i32, ptr %p\n"
                     "%z = add i32 %x, %y\nstore i32 %z, ptr %p";
  LowerOptions Optimize;
  Optimize.Optimize = optimize;
  Lowered Kept("ptr %p", Body), Merged("ptr %p", Body, "", Optimize);
  EXPECT_TRUE(Kept.has("%2 = ld.32 %0, align 4\n")) << Kept.text();
  EXPECT_EQ(llvm::StringRef(Merged.text()).count("ld."), 1u);
}

TEST(LowerTest, ImageKnowsItsKernelsAndTheirBounds) {
  Lowered L("", "",
            "define ptx_kernel void @j() \"nvvm.maxntid\"=\"16,4\" "
            "{ ret void }\ndefine void @f() { ret void }");
  EXPECT_EQ(L.Image->kernels(), std::vector<std::string>({"j", "k"}));
  EXPECT_EQ(L.Image->maxThreads("j"), 64u);
  EXPECT_EQ(L.Image->maxThreads("k"), 0u);
  auto None = L.Image->kernel("f");
  ASSERT_FALSE(static_cast<bool>(None));
  EXPECT_EQ(toString(None.takeError()), "there is no kernel 'f'");
}

TEST(LowerTest, HostCodeIsRefused) {
  llvm::LLVMContext Context;
  DeviceMemory Memory;
  auto M = std::make_unique<llvm::Module>("m", Context);
  M->setTargetTriple(llvm::Triple("x86_64-linux-gnu"));
  auto Image = DeviceImage::load(std::move(M), Memory);
  ASSERT_FALSE(static_cast<bool>(Image));
  EXPECT_EQ(toString(Image.takeError()),
            "the module is no 64-bit CUDA device code but 'x86_64-linux-gnu'");
}
