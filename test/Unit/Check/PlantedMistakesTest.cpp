// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Mistakes that are planted in what a plan relies on, as a wrong model would
/// make them: an access is dropped, a width, a shape, an exit or an escape is
/// wrong. The check of the code must find every one of them, and there are at
/// least twelve of each kind. Only claims are changed, or code is added that
/// right claims would mention; the check is what it is.
//===----------------------------------------------------------------------===//

#include "AssemblyCode.h"
#include "cudaopt/Check/HostCheck.h"

using namespace cudaopt::check;
using llvm::StringRef;

namespace {

constexpr StringRef Globals = R"(
target datalayout = "e-p3:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"
@a = internal addrspace(3) global [64 x float] undef
@b = internal addrspace(3) global [64 x <4 x float>] undef
@sink = external global i64
declare i32 @tid()
declare void @unknown(ptr)
declare void @unknown_number(i64)
declare i32 @shuffle(i32)
declare void @fail() noreturn
declare void @llvm.trap()
declare void @barrier()
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
)";

/// Six accesses to each of two arrays, of 4 and of 16 bytes, and one place for
/// more.
std::string makeKernel(StringRef More = "", StringRef Functions = "") {
  return (Globals + Functions + R"(
define ptx_kernel void @k(ptr %out, i32 %n) !dbg !4 {
entry:
  %local = alloca ptr
  %bits = alloca i64
  %t = call i32 @tid() ; 3:1
  %i = sext i32 %t to i64
  %pa = getelementptr [64 x float], ptr addrspacecast (ptr addrspace(3) @a to ptr), i64 0, i64 %i
  %pb = getelementptr [64 x <4 x float>], ptr addrspacecast (ptr addrspace(3) @b to ptr), i64 0, i64 %i
  store float 1.0, ptr %pa ; 4:10
  store <4 x float> zeroinitializer, ptr %pb ; 5:10
  call void @barrier() ; 6:3
  %a1 = load float, ptr %pa ; 7:10
  %a2 = load float, ptr %pa ; 7:20
  %b1 = load <4 x float>, ptr %pb ; 8:10
  %b2 = load <4 x float>, ptr %pb ; 8:20
  store float %a1, ptr %pa ; 9:10
  store <4 x float> %b1, ptr %pb ; 10:10
  %old = atomicrmw fadd ptr %pa, float %a2 monotonic ; 11:5
)" + More +
          R"(
  %a3 = load float, ptr %pa ; 40:10
  %b3 = load <4 x float>, ptr %pb ; 41:10
  store <4 x float> %b3, ptr %pb ; 41:20
  ret void ; 50:1
}
)")
      .str();
}

KernelClaims makeClaims() {
  KernelClaims C;
  C.Symbol = "k";
  C.Variables = {{"a", at(1, 20), true, false}, {"b", at(2, 20), true, false}};
  auto add = [&](unsigned Variable, UseKind Kind, unsigned Line,
                 unsigned Column) {
    AccessClaim A;
    A.Variable = Variable;
    A.Kind = Kind;
    A.Width = Variable ? 16 : 4;
    A.Points = {at(Line, Column), at(Line, 3)};
    C.Accesses.push_back(A);
  };
  add(0, UseKind::Write, 4, 10);
  add(1, UseKind::Write, 5, 10);
  add(0, UseKind::Read, 7, 10);
  add(0, UseKind::Read, 7, 20);
  add(1, UseKind::Read, 8, 10);
  add(1, UseKind::Read, 8, 20);
  add(0, UseKind::Write, 9, 10);
  add(1, UseKind::Write, 10, 10);
  add(0, UseKind::Atomic, 11, 5);
  add(0, UseKind::Read, 40, 10);
  add(1, UseKind::Read, 41, 10);
  add(1, UseKind::Write, 41, 20);
  C.ReliesOnLeaves = true;
  C.End = at(50, 1);
  return C;
}

TEST(PlantedMistakesTest, RightClaimsPass) {
  auto Found = compare(makeKernel(), makeClaims());
  EXPECT_FALSE(Found) << Found->Text;
}

// Each access is dropped once.
TEST(PlantedMistakesTest, DroppedAccess) {
  const KernelClaims Right = makeClaims();
  ASSERT_GE(Right.Accesses.size(), LeastOfAKind);
  for (size_t I = 0; I != Right.Accesses.size(); ++I) {
    KernelClaims Wrong = Right;
    Wrong.Accesses.erase(Wrong.Accesses.begin() + I);
    auto Found = compare(makeKernel(), Wrong);
    ASSERT_TRUE(Found) << "access " << I;
    EXPECT_EQ(Found->What, Disagreement::Kind::Access) << "access " << I;
  }
}

// A read is taken for a write, and the other way round.
TEST(PlantedMistakesTest, WrongKind) {
  const KernelClaims Right = makeClaims();
  ASSERT_GE(Right.Accesses.size(), LeastOfAKind);
  for (size_t I = 0; I != Right.Accesses.size(); ++I) {
    KernelClaims Wrong = Right;
    UseKind &Kind = Wrong.Accesses[I].Kind;
    Kind = Kind == UseKind::Read ? UseKind::Write : UseKind::Read;
    EXPECT_TRUE(compare(makeKernel(), Wrong)) << "access " << I;
  }
}

// Half of the bytes, twice as many.
TEST(PlantedMistakesTest, WrongWidth) {
  const KernelClaims Right = makeClaims();
  ASSERT_GE(Right.Accesses.size(), LeastOfAKind);
  for (size_t I = 0; I != Right.Accesses.size(); ++I)
    for (bool IsTwice : {false, true}) {
      KernelClaims Wrong = Right;
      uint64_t &Width = Wrong.Accesses[I].Width;
      Width = IsTwice ? Width * 2 : Width / 2;
      auto Found = compare(makeKernel(), Wrong);
      ASSERT_TRUE(Found) << "access " << I;
      EXPECT_EQ(Found->What, Disagreement::Kind::Width) << "access " << I;
    }
}

// Ways in which an address leaves, none of which the claims mention.
TEST(PlantedMistakesTest, MissedEscape) {
  const StringRef Ways[] = {
      "  store ptr %pa, ptr %out ; 20:3",
      "  call void @unknown(ptr %pa) ; 20:3",
      "  %u = ptrtoint ptr %pa to i64\n  store i64 %u, ptr @sink ; 20:3",
      "  %u = ptrtoint ptr %pa to i64\n  call void @unknown_number(i64 %u) ; "
      "20:3",
      "  %u = ptrtoint ptr %pa to i64\n  %l = trunc i64 %u to i32\n  %s = call "
      "i32 @shuffle(i32 %l) ; 20:3",
      "  store ptr %pa, ptr %local\n  %u = load i64, ptr %local\n  store i64 "
      "%u, ptr @sink ; 20:3",
      "  store ptr %pa, ptr %local\n  call void "
      "@llvm.memcpy.p0.p0.i64(ptr %bits, ptr %local, i64 8, i1 false)\n  %u = "
      "load i64, ptr %bits\n  store i64 %u, ptr %out ; 20:3",
      "  store ptr %pa, ptr %local\n  %h = getelementptr i8, ptr %local, i64 "
      "4\n  %u = load i32, ptr %h\n  store i32 %u, ptr %out ; 20:3",
      "  store ptr %pa, ptr %local\n  call void @unknown(ptr %local) ; 20:3",
      "  call void asm sideeffect \"st.global.b64 [$1], $0;\", \"l,l\"(ptr "
      "%pa, "
      "ptr %out) ; 20:3",
      "  %u = ptrtoint ptr %pa to i64\n  %d = bitcast i64 %u to double\n  "
      "store "
      "double %d, ptr %out ; 20:3",
      "  %c = icmp eq i32 %n, 0\n  %s = select i1 %c, ptr %pa, ptr %out\n  "
      "store ptr %s, ptr @sink ; 20:3",
      "  %u = ptrtoint ptr %pa to i64\n  %x = xor i64 %u, 64\n  %f = sitofp "
      "i64 "
      "%x to double ; 20:3",
      "  %u = ptrtoint ptr %pa to i64\n  %c = icmp ult i64 %u, 4096 ; 20:3",
      "  call void @keep(ptr %pa, ptr %out) ; 20:3",
      "  store volatile ptr %pa, ptr %pb ; 20:3",
  };
  static_assert(std::size(Ways) >= LeastOfAKind);
  const StringRef Keep = R"(
define internal void @keep(ptr %what, ptr %where) {
  store ptr %what, ptr %where ; 30:3
  ret void
}
)";
  for (const auto &[I, Way] : llvm::enumerate(Ways)) {
    auto Found = compare(makeKernel(Way, Keep), makeClaims());
    ASSERT_TRUE(Found) << "way " << I;
    EXPECT_EQ(Found->What, Disagreement::Kind::Escape) << "way " << I;
  }
}

/// A branch under which a thread runs \p Exit.
std::string under(StringRef Exit) {
  return ("  %c = icmp slt i32 %t, %n\n  br i1 %c, label %on, label "
          "%off\noff:\n" +
          Exit + "\non:\n")
      .str();
}

// Ways in which a thread leaves, none of which the claims mention.
TEST(PlantedMistakesTest, MissedExit) {
  auto assembly = [](StringRef Text) {
    return ("  call void asm sideeffect \"" + Text + "\", \"\"() ; 21:3").str();
  };
  const std::string Ways[] = {
      under("  ret void ; 21:3"),
      under("  call void @llvm.trap() ; 21:3\n  unreachable"),
      under("  call void @fail() ; 21:3\n  unreachable"),
      under(assembly("exit;") + "\n  br label %on"),
      under(assembly("trap;") + "\n  unreachable"),
      under(assembly("ret;") + "\n  unreachable"),
      assembly("{ .reg .pred %p; setp.ne.s32 %p, 0, 1; @%p exit; }"),
      assembly("@!p exit;"),
      "  call void @leaves() ; 21:3",
      "  call void @calls_leaves() ; 21:3",
      "  call void @traps(i32 %t) ; 21:3",
      under("  call void @leaves() ; 21:3\n  br label %on"),
      assembly("brx.idx r, table;"),
      under("  call void @never() ; 21:3\n  unreachable"),
  };
  static_assert(std::size(Ways) >= LeastOfAKind);
  const std::string Functions =
      "define internal void @leaves() {\n" + assembly("exit;") + R"(
  ret void
}
define internal void @calls_leaves() {
  call void @leaves() ; 30:3
  ret void
}
define internal void @traps(i32 %x) {
  %c = icmp eq i32 %x, 0
  br i1 %c, label %yes, label %no
yes:
  call void @llvm.trap() ; 31:3
  unreachable
no:
  ret void
}
define internal void @never() noreturn {
  call void @fail() ; 32:3
  unreachable
}
)";
  for (const auto &[I, Way] : llvm::enumerate(Ways)) {
    auto Found = compare(makeKernel(Way, Functions), makeClaims());
    ASSERT_TRUE(Found) << "way " << I;
    EXPECT_EQ(Found->What, Disagreement::Kind::Leave) << "way " << I;
    KernelClaims Knows = makeClaims();
    Knows.Leaves.push_back({at(21, 1), at(22, 1)});
    Found = compare(makeKernel(Way, Functions), Knows);
    EXPECT_FALSE(Found) << "way " << I << ": " << Found->Text;
  }
}

/// A launch of `k` in blocks of what \p Compute leaves in %x, by 2 by 1.
std::string makeLaunch(StringRef Compute) {
  return (R"(
%dim3 = type { i32, i32, i32 }
declare i32 @__cudaPushCallConfiguration(ptr byval(%dim3), ptr byval(%dim3), i64, ptr)
declare void @_Z16__device_stub__kv()
declare i32 @read_input()
@constant = internal constant i32 96
define void @run() !dbg !4 {
entry:
  %grid = alloca %dim3
  %block = alloca %dim3
  store %dim3 { i32 4, i32 1, i32 1 }, ptr %grid
)" + Compute +
          R"(
  store i32 %x, ptr %block
  %y = getelementptr i32, ptr %block, i64 1
  store i32 2, ptr %y
  %z = getelementptr i32, ptr %block, i64 2
  store i32 1, ptr %z
  %push = call i32 @__cudaPushCallConfiguration(ptr byval(%dim3) %grid, ptr byval(%dim3) %block, i64 0, ptr null) ; 60:3
  %fails = icmp ne i32 %push, 0
  br i1 %fails, label %end, label %go
go:
  call void @_Z16__device_stub__kv() ; 60:3
  br label %end
end:
  ret void
}
)")
      .str();
}

std::optional<Disagreement> compareShape(StringRef Text, uint32_t X,
                                         uint32_t Y = 2) {
  Code C(Text);
  if (!C.M)
    return std::nullopt;
  KernelClaims Claims;
  Claims.Stub = "_Z16__device_stub__kv";
  Claims.Shapes = {{{X, Y, 1}, {4, 1, 1}}};
  return HostCheck(*C.M).compare(Claims);
}

// Blocks that a wrong evaluation of the host's numbers gives.
TEST(PlantedMistakesTest, WrongShape) {
  struct Case {
    StringRef Compute;
    uint32_t Right, Wrong;
  };
  const Case Cases[] = {
      {"  %x = add i32 0, 128", 128, 64},
      // (unsigned char)300
      {"  %c = trunc i32 300 to i8\n  %x = zext i8 %c to i32", 44, 300},
      // (signed char)200 + 256
      {"  %c = trunc i32 200 to i8\n  %s = sext i8 %c to i32\n  %x = add i32 "
       "%s, 256",
       200, 456},
      // (int)(256 / 255.0f * 300)
      {"  %f = fdiv float 256.0, 255.0\n  %g = fmul float %f, 300.0\n  %x = "
       "fptosi float %g to i32",
       301, 300},
      // bool q = 3; q * 32
      {"  %q = icmp ne i32 3, 0\n  %b = zext i1 %q to i32\n  %x = mul i32 %b, "
       "32",
       32, 96},
      {"  %x = load i32, ptr @constant", 96, 128},
      // 32-bit product that wraps
      {"  %m = mul i32 65536, 65537\n  %x = lshr i32 %m, 10", 64, 4194368},
      // unsigned division
      {"  %d = udiv i32 -1, 33554432\n  %x = add i32 %d, 1", 128, 1},
      // a ternary
      {"  %c = icmp slt i32 -1, 0\n  %x = select i1 %c, i32 32, i32 256", 32,
       256},
      // an enumerator of 8 bits
      {"  %e = trunc i32 257 to i8\n  %w = zext i8 %e to i32\n  %x = shl i32 "
       "%w, 6",
       64, 16448},
      // through a local variable
      {"  %v = alloca i32\n  store i32 7, ptr %v\n  %l = load i32, ptr %v\n  "
       "%x = shl i32 %l, 5",
       224, 7},
      // shift of a negative number
      {"  %s = ashr i32 -256, 2\n  %x = sub i32 0, %s", 64, 192},
      // remainder with a sign
      {"  %r = srem i32 -100, 64\n  %x = sub i32 0, %r", 36, 28},
      // a call
      {"  %x = call i32 @twice(i32 48)", 96, 48},
  };
  static_assert(std::size(Cases) >= LeastOfAKind);
  const std::string Twice = R"(
define internal i32 @twice(i32 %n) {
  %r = mul i32 %n, 2
  ret i32 %r
}
)";
  for (const auto &[I, C] : llvm::enumerate(Cases)) {
    const std::string Text = Twice + makeLaunch(C.Compute);
    auto Found = compareShape(Text, C.Right);
    EXPECT_FALSE(Found) << "case " << I << ": " << Found->Text;
    Found = compareShape(Text, C.Wrong);
    ASSERT_TRUE(Found) << "case " << I;
    EXPECT_EQ(Found->What, Disagreement::Kind::Shape) << "case " << I;
    EXPECT_TRUE(compareShape(Text, C.Right, 1)) << "case " << I;
  }
}

// What depends on input has no value, and is not compared; the rest is.
TEST(PlantedMistakesTest, InputHasNoValue) {
  const std::string Text = makeLaunch("  %x = call i32 @read_input()");
  EXPECT_FALSE(compareShape(Text, 128));
  EXPECT_TRUE(compareShape(Text, 128, 1));
}

} // namespace
