// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Text that cannot be edited is found before a layout is chosen.
//===----------------------------------------------------------------------===//

#include "cudaopt/Model/TextBlockers.h"

#include "ParsedKernel.h"
#include "gtest/gtest.h"

using namespace cudaopt;
using llvm::StringRef;

/// "declaration subscript", by the names of the reasons; "-" is none.
static std::string blockers(const std::string &Code) {
  ParsedKernel P(Code);
  EXPECT_FALSE(P.K.Arrays.empty()) << Code;
  findTextBlockers(P.K, P.context(), {});
  auto Name = [](const std::optional<Blocker> &B) {
    return B ? getReasonId(B->Why).str() +
                   (B->Detail.empty() ? "" : "(" + B->Detail + ")")
             : "-";
  };
  return Name(P.K.Arrays[0].DeclarationBlocker) + " " +
         Name(P.K.Arrays[0].SubscriptBlocker);
}

static std::string blockersOf(StringRef Declaration, StringRef Body) {
  return blockers(
      ("#define N 32\n#define TILE s[32][32]\n#define ELEMENT s[y][x]\n"
       "#define ID(e) e\n#define SHOW(e) e; #e\n#define OPEN [\n"
       "typedef int row[32];\nint *f(int);\n"
       "__device__ int g(int);\n__device__ constexpr int h(int i) "
       "{ return i; }\nstruct index { int i; __device__ "
       "constexpr operator int() const { return i; } };\n"
       "__global__ void kernel(int y, int x) {\n  __shared__ " +
       Declaration + ";\n  " + Body + ";\n}\n")
          .str());
}

TEST(TextBlockersTest, PlainTextHasNone) {
  EXPECT_EQ(blockersOf("int s[32][32]", "s[y][x] = 0"), "- -");
  EXPECT_EQ(blockersOf("int s[N][N], other[4]", "s[y][x + N] = 0"), "- -");
  EXPECT_EQ(blockersOf("volatile int s[N][N]", "(s)[y][h(x)] += 1"), "- -");
  EXPECT_EQ(blockersOf("int s[32][32]", "ID(s[y][x]) = 0"), "- -");
  EXPECT_EQ(blockersOf("int (s)[32][32]", "s[threadIdx.y][threadIdx.x] = 0"),
            "- -");
}

TEST(TextBlockersTest, MacrosThatWriteTheText) {
  EXPECT_EQ(blockersOf("int TILE", "s[y][x] = 0"), "in-macro(TILE) -");
  EXPECT_EQ(blockersOf("int s[32][32]", "ELEMENT = 0"), "- in-macro(ELEMENT)");
  // The macro writes a bracket beside the text.
  EXPECT_EQ(blockersOf("int s OPEN 32][32]", "s[y]OPEN x] = 0"),
            "shared-declarator unusual-subscript");
  EXPECT_EQ(blockersOf("int s[32][32]", "SHOW(s[y][x])"), "- in-macro(SHOW)");
}

TEST(TextBlockersTest, TypedefsHaveNoBracket) {
  EXPECT_EQ(blockersOf("row s[32]", "s[y][x] = 0"), "shared-declarator -");
}

TEST(TextBlockersTest, SubscriptsThatCannotBeRepeated) {
  EXPECT_EQ(blockersOf("int s[32][32]", "s[y][x++] = 0"), "- side-effect(x++)");
  EXPECT_EQ(blockersOf("int s[32][32]", "s[y][g(x)] = 0"),
            "- side-effect(g(x))");
  EXPECT_EQ(blockersOf("int s[32][32]", "s[index{y}][x] = 0"),
            "- side-effect(index{y})");
  EXPECT_EQ(blockersOf("int s[32]", "s[s[x]] = 0"), "- data-dependent(s[x])");
  // Only the last two subscripts are combined.
  EXPECT_EQ(blockersOf("int s[2][32][32]", "s[g(0)][y][x] = 0"), "- -");
}

TEST(TextBlockersTest, SubscriptsThatAreNoBrackets) {
  EXPECT_EQ(blockersOf("int s[32]", "x[s] = 0"), "- unusual-subscript");
  EXPECT_EQ(blockersOf("int s[32]", "s<:x:> = 0"), "- unusual-subscript");
  EXPECT_EQ(blockersOf("int s[32]", "s[y +\n#if 1\nx\n#endif\n] = 0"),
            "- unusual-subscript");
}

TEST(TextBlockersTest, KernelsInMacros) {
  EXPECT_EQ(blockers("#define KERNEL(body) __global__ void kernel(int x) { "
                     "body }\nKERNEL(__shared__ int s[32]; s[x] = 0;)\n"),
            "in-macro(KERNEL) in-macro(KERNEL)");
}

TEST(TextBlockersTest, SystemHeaders) {
  EXPECT_EQ(blockers("# 1 \"system.h\" 3\n__global__ void kernel(int x) {\n"
                     "  __shared__ int s[32];\n  s[x] = 0;\n}\n"),
            "system-header system-header");
}

// One text, two kernels: an edit for one would break the other.
TEST(TextBlockersTest, FilesIncludedTwice) {
  EXPECT_EQ(blockers("#ifndef NAME\n#define NAME first\n#include __FILE__\n"
                     "#undef NAME\n#define NAME second\n#endif\n"
                     "__global__ void NAME(int x) {\n"
                     "  __shared__ int s[32];\n  s[x] = 0;\n}\n"),
            "included-twice included-twice");
}

TEST(TextBlockersTest, ExternArraysAreNotDeclaredAnew) {
  EXPECT_EQ(blockers("__global__ void kernel(int x) {\n"
                     "  extern __shared__ int s[];\n  s[x] = 0;\n}\n"),
            "- -");
}

// Text that #if switched off is compiled by others: it must not mention the
// array.
TEST(TextBlockersTest, InactiveRegions) {
  std::string Code = "__global__ void kernel(int x) {\n"
                     "  __shared__ int s[32], t[32];\n  s[x] = t[x];\n"
                     "#if 0\n  s[0] = 0; // t\n#endif\n}\n"
                     "#if 0\nint t;\n#endif\n";
  ParsedKernel P(Code);
  clang::SourceLocation Start =
      P.sources().getLocForStartOfFile(P.sources().getMainFileID());
  auto Region = [&](size_t From) {
    return clang::SourceRange(
        Start.getLocWithOffset(Code.find("#if", From)),
        Start.getLocWithOffset(Code.find("#endif", From)));
  };
  findTextBlockers(P.K, P.context(), {Region(0), Region(Code.find("\n}"))});
  ASSERT_EQ(P.K.Arrays.size(), 2u);
  ASSERT_EQ(P.K.Arrays[0].Blockers.size(), 1u);
  EXPECT_EQ(P.K.Arrays[0].Blockers[0].Why, Reason::InactiveRegion);
  EXPECT_EQ(P.sources().getSpellingLineNumber(P.K.Arrays[0].Blockers[0].Loc),
            4u);
  EXPECT_TRUE(P.K.Arrays[1].Blockers.empty());
}

/// What keeps `s` of type \p Type from becoming a struct of arrays.
static std::string fieldsBlocker(StringRef Declaration, StringRef Body,
                                 StringRef Head = "") {
  ParsedKernel P(("typedef float4 four[8];\nstruct pair { float a[2]; };\n"
                  "struct body { float x, y; };\n#define X(i) s[i].x\n"
                  "#define ID(e) e\n" +
                  Head +
                  "__global__ void kernel(int y, int x) {\n  __shared__ " +
                  Declaration + ";\n  " + Body + ";\n}\n")
                     .str());
  EXPECT_FALSE(P.K.Arrays.empty());
  findTextBlockers(P.K, P.context(), {});
  const std::optional<Blocker> &B = P.K.Arrays[0].FieldsBlocker;
  return B ? getReasonId(B->Why).str() : "-";
}

TEST(TextBlockersTest, MembersCanBecomeArrays) {
  EXPECT_EQ(fieldsBlocker("float4 s[8]", "s[x].y = s[y].w"), "-");
  EXPECT_EQ(fieldsBlocker("struct body s[8]", "ID(s[x].y) = (s[y]).x"), "-");
  // An array of numbers has none to begin with.
  EXPECT_EQ(fieldsBlocker("float s[8]", "s[x] = 0"), "-");
}

TEST(TextBlockersTest, WholeElements) {
  for (const char *Body :
       {"s[x] = s[y]", "float4 v = s[x]", "x = sizeof(s[0])", "x = sizeof(s)",
        "float4 *p = &s[x]", "float *p = &s->x", "x = (s + 1)->x"})
    EXPECT_EQ(fieldsBlocker("float4 s[8]", Body), "whole-element") << Body;
}

TEST(TextBlockersTest, StructsThatCannotBeWrittenAnew) {
  EXPECT_EQ(fieldsBlocker("float4 s[8], t[8]", "s[x].y = 0"),
            "shared-declarator");
  EXPECT_EQ(fieldsBlocker("four s", "s[x].y = 0"), "shared-declarator");
  EXPECT_EQ(fieldsBlocker("pair s[8]", "s[x].a[y] = 0"), "shared-declarator");
  EXPECT_EQ(fieldsBlocker("struct { float x, y; } s[8]", "s[x].y = 0"),
            "shared-declarator");
  EXPECT_EQ(fieldsBlocker("box<int> s[8]", "s[x].x = 0",
                          "template <class> struct box { float x; };\n"),
            "shared-declarator");
  EXPECT_EQ(fieldsBlocker("float4 s[8]", "X(x) = 0"), "in-macro");
}

// A branch that the only instance discards must still parse.
TEST(TextBlockersTest, DiscardedBranches) {
  ParsedKernel P("template <int N> __global__ void kernel(int x) {\n"
                 "  __shared__ float4 s[N];\n  s[x].w = 0;\n"
                 "  if constexpr (N == 8)\n    s[x].x = 0;\n}\n"
                 "template __global__ void kernel<32>(int);\n");
  findTextBlockers(P.K, P.context(), {});
  ASSERT_TRUE(P.K.Arrays[0].FieldsBlocker);
  EXPECT_EQ(P.K.Arrays[0].FieldsBlocker->Why, Reason::WholeElement);
}

// What the walk of the kernel found is kept.
TEST(TextBlockersTest, EarlierBlockersStay) {
  ParsedKernel P("__global__ void kernel(int x) {\n  __shared__ float4 s[32];\n"
                 "  s[x].x = 0;\n}\n");
  SharedArray &A = P.K.Arrays[0];
  A.DeclarationBlocker = A.FieldsBlocker =
      Blocker{Reason::PassedToFunction, "", {}};
  findTextBlockers(P.K, P.context(), {});
  EXPECT_EQ(A.DeclarationBlocker->Why, Reason::PassedToFunction);
  EXPECT_EQ(A.FieldsBlocker->Why, Reason::PassedToFunction);
}
