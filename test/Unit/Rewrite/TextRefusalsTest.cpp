// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Text that cannot be edited is found before a layout is chosen; other text
/// reads well afterwards.
//===----------------------------------------------------------------------===//

#include "cudaopt/Model/TextRefusals.h"

#include "RewrittenKernel.h"

using namespace cudaopt;
using llvm::StringRef;

/// "declaration subscript", by the names of the reasons; "-" is none.
static std::string refusals(const std::string &Code) {
  ParsedKernel P(Code);
  EXPECT_FALSE(P.K.Arrays.empty()) << Code;
  findTextRefusals(P.K, P.context(), {});
  auto Name = [](const std::optional<Refusal> &B) {
    return B ? getReasonId(B->Why).str() +
                   (B->Detail.empty() ? "" : "(" + B->Detail + ")")
             : "-";
  };
  return Name(P.K.Arrays[0].DeclarationRefusal) + " " +
         Name(P.K.Arrays[0].SubscriptRefusal);
}

static std::string refusalsOf(StringRef Declaration, StringRef Body) {
  return refusals(
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

TEST(TextRefusalsTest, PlainTextHasNone) {
  EXPECT_EQ(refusalsOf("int s[32][32]", "s[y][x] = 0"), "- -");
  EXPECT_EQ(refusalsOf("int s[N][N], other[4]", "s[y][x + N] = 0"), "- -");
  EXPECT_EQ(refusalsOf("volatile int s[N][N]", "(s)[y][h(x)] += 1"), "- -");
  EXPECT_EQ(refusalsOf("int s[32][32]", "ID(s[y][x]) = 0"), "- -");
  EXPECT_EQ(refusalsOf("int (s)[32][32]", "s[threadIdx.y][threadIdx.x] = 0"),
            "- -");
}

TEST(TextRefusalsTest, MacrosThatWriteTheText) {
  EXPECT_EQ(refusalsOf("int TILE", "s[y][x] = 0"), "in-macro(TILE) -");
  EXPECT_EQ(refusalsOf("int s[32][32]", "ELEMENT = 0"), "- in-macro(ELEMENT)");
  // The macro writes a bracket beside the text.
  EXPECT_EQ(refusalsOf("int s OPEN 32][32]", "s[y]OPEN x] = 0"),
            "shared-declarator unusual-subscript");
  EXPECT_EQ(refusalsOf("int s[32][32]", "SHOW(s[y][x])"), "- in-macro(SHOW)");
}

TEST(TextRefusalsTest, TypedefsHaveNoBracket) {
  EXPECT_EQ(refusalsOf("row s[32]", "s[y][x] = 0"), "shared-declarator -");
}

TEST(TextRefusalsTest, SubscriptsThatCannotBeRepeated) {
  EXPECT_EQ(refusalsOf("int s[32][32]", "s[y][x++] = 0"), "- side-effect(x++)");
  EXPECT_EQ(refusalsOf("int s[32][32]", "s[y][g(x)] = 0"),
            "- side-effect(g(x))");
  EXPECT_EQ(refusalsOf("int s[32][32]", "s[index{y}][x] = 0"),
            "- side-effect(index{y})");
  EXPECT_EQ(refusalsOf("int s[32]", "s[s[x]] = 0"), "- data-dependent(s[x])");
  // Only the last two subscripts are combined.
  EXPECT_EQ(refusalsOf("int s[2][32][32]", "s[g(0)][y][x] = 0"), "- -");
}

TEST(TextRefusalsTest, SubscriptsThatAreNoBrackets) {
  EXPECT_EQ(refusalsOf("int s[32]", "x[s] = 0"), "- unusual-subscript");
  EXPECT_EQ(refusalsOf("int s[32]", "s<:x:> = 0"), "- unusual-subscript");
  EXPECT_EQ(refusalsOf("int s[32]", "s[y +\n#if 1\nx\n#endif\n] = 0"),
            "- unusual-subscript");
}

TEST(TextRefusalsTest, KernelsInMacros) {
  EXPECT_EQ(refusals("#define KERNEL(body) __global__ void kernel(int x) { "
                     "body }\nKERNEL(__shared__ int s[32]; s[x] = 0;)\n"),
            "in-macro(KERNEL) in-macro(KERNEL)");
}

TEST(TextRefusalsTest, SystemHeaders) {
  EXPECT_EQ(refusals("# 1 \"system.h\" 3\n__global__ void kernel(int x) {\n"
                     "  __shared__ int s[32];\n  s[x] = 0;\n}\n"),
            "system-header system-header");
}

// One text, two kernels: an edit for one would break the other.
TEST(TextRefusalsTest, FilesIncludedTwice) {
  EXPECT_EQ(refusals("#ifndef NAME\n#define NAME first\n#include __FILE__\n"
                     "#undef NAME\n#define NAME second\n#endif\n"
                     "__global__ void NAME(int x) {\n"
                     "  __shared__ int s[32];\n  s[x] = 0;\n}\n"),
            "included-twice included-twice");
}

TEST(TextRefusalsTest, ExternArraysAreNotDeclaredAnew) {
  EXPECT_EQ(refusals("__global__ void kernel(int x) {\n"
                     "  extern __shared__ int s[];\n  s[x] = 0;\n}\n"),
            "- -");
}

// Text that #if switched off is compiled by others: it must not mention the
// array.
TEST(TextRefusalsTest, InactiveRegions) {
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
  findTextRefusals(P.K, P.context(), {Region(0), Region(Code.find("\n}"))});
  ASSERT_EQ(P.K.Arrays.size(), 2u);
  ASSERT_EQ(P.K.Arrays[0].Refusals.size(), 1u);
  EXPECT_EQ(P.K.Arrays[0].Refusals[0].Why, Reason::InactiveRegion);
  EXPECT_EQ(P.sources().getSpellingLineNumber(P.K.Arrays[0].Refusals[0].Loc),
            4u);
  EXPECT_TRUE(P.K.Arrays[1].Refusals.empty());
}

/// What keeps `s` of type \p Type from becoming a struct of arrays.
static std::string fieldsRefusal(StringRef Declaration, StringRef Body,
                                 StringRef Head = "") {
  ParsedKernel P(("typedef float4 four[8];\nstruct pair { float a[2]; };\n"
                  "struct body { float x, y; };\n#define X(i) s[i].x\n"
                  "#define ID(e) e\n" +
                  Head +
                  "__global__ void kernel(int y, int x) {\n  __shared__ " +
                  Declaration + ";\n  " + Body + ";\n}\n")
                     .str());
  EXPECT_FALSE(P.K.Arrays.empty());
  findTextRefusals(P.K, P.context(), {});
  const std::optional<Refusal> &B = P.K.Arrays[0].FieldsRefusal;
  return B ? getReasonId(B->Why).str() : "-";
}

TEST(TextRefusalsTest, MembersCanBecomeArrays) {
  EXPECT_EQ(fieldsRefusal("float4 s[8]", "s[x].y = s[y].w"), "-");
  EXPECT_EQ(fieldsRefusal("struct body s[8]", "ID(s[x].y) = (s[y]).x"), "-");
  // An array of numbers has none to begin with.
  EXPECT_EQ(fieldsRefusal("float s[8]", "s[x] = 0"), "-");
}

TEST(TextRefusalsTest, WholeElements) {
  for (const char *Body :
       {"s[x] = s[y]", "float4 v = s[x]", "x = sizeof(s[0])", "x = sizeof(s)",
        "float4 *p = &s[x]", "float *p = &s->x", "x = (s + 1)->x"})
    EXPECT_EQ(fieldsRefusal("float4 s[8]", Body), "whole-element") << Body;
}

TEST(TextRefusalsTest, StructsThatCannotBeWrittenAnew) {
  EXPECT_EQ(fieldsRefusal("float4 s[8], t[8]", "s[x].y = 0"),
            "shared-declarator");
  EXPECT_EQ(fieldsRefusal("four s", "s[x].y = 0"), "shared-declarator");
  EXPECT_EQ(fieldsRefusal("pair s[8]", "s[x].a[y] = 0"), "shared-declarator");
  EXPECT_EQ(fieldsRefusal("struct { float x, y; } s[8]", "s[x].y = 0"),
            "shared-declarator");
  EXPECT_EQ(fieldsRefusal("box<int> s[8]", "s[x].x = 0",
                          "template <class> struct box { float x; };\n"),
            "shared-declarator");
  EXPECT_EQ(fieldsRefusal("float4 s[8]", "X(x) = 0"), "in-macro");
}

// A branch that the only instance discards must still parse.
TEST(TextRefusalsTest, DiscardedBranches) {
  ParsedKernel P("template <int N> __global__ void kernel(int x) {\n"
                 "  __shared__ float4 s[N];\n  s[x].w = 0;\n"
                 "  if constexpr (N == 8)\n    s[x].x = 0;\n}\n"
                 "template __global__ void kernel<32>(int);\n");
  findTextRefusals(P.K, P.context(), {});
  ASSERT_TRUE(P.K.Arrays[0].FieldsRefusal);
  EXPECT_EQ(P.K.Arrays[0].FieldsRefusal->Why, Reason::WholeElement);
}

// What the walk of the kernel found is kept.
TEST(TextRefusalsTest, EarlierRefusalsStay) {
  ParsedKernel P("__global__ void kernel(int x) {\n  __shared__ float4 s[32];\n"
                 "  s[x].x = 0;\n}\n");
  SharedArray &A = P.K.Arrays[0];
  A.DeclarationRefusal = A.FieldsRefusal =
      Refusal{Reason::PassedToFunction, "", {}};
  findTextRefusals(P.K, P.context(), {});
  EXPECT_EQ(A.DeclarationRefusal->Why, Reason::PassedToFunction);
  EXPECT_EQ(A.FieldsRefusal->Why, Reason::PassedToFunction);
}

//===----------------------------------------------------------------------===//
// Text that is edited
//===----------------------------------------------------------------------===//

static Layout longer(Layout New, unsigned Padding, unsigned RowPadding = 0) {
  New.Padding = Padding;
  New.RowPadding = RowPadding;
  return New;
}

TEST(ReadableTextTest, XorInLongerRows) {
  Layout Planes = longer(linear(BitTerm{2, 2, 1, false, 4}), 3, 1);
  EXPECT_EQ(forms("[8][8][8]", "[z][y][x]", Planes),
            "[8][8 + 1][8 + 3] [z][y][x ^ ((z >> 2) << 2)]");
  expectPlaces("[8][8][8]", "[z][y][x]", Planes, 8, 8, 0, 8);
  Layout Flat = longer(swizzle(0, 1, 0, 32), 2);
  EXPECT_EQ(forms("[256]", "[y * 32 + x]", Flat, 32),
            "[256 + 14] [y * (32 + 2) + (x ^ (y & 1))]");
  EXPECT_EQ(forms("[256]", "[x + WIDTH * y]", Flat, 32),
            "[256 + 14] [(x ^ (y & 1)) + (WIDTH + 2) * y]");
  EXPECT_EQ(forms("[256]", "[AT(y, x)]", Flat, 0),
            "[256 + 14] [(AT(y, x) ^ (AT(y, x) >> 5 & 1)) + "
            "(AT(y, x) >> 5) * 2]");
  expectPlaces("[256]", "[x + WIDTH * y]", Flat, 8, 32, 32);
  expectPlaces("[256]", "[AT(y, x)]", Flat, 8, 32);
}

// Instances of different sizes: the declaration computes what it grows by.
TEST(ReadableTextTest, XorInLongerRowsOfInstances) {
  std::string After =
      rewrite("template <int N> __global__ void kernel(int y, int x) {\n"
              "  __shared__ int s[N * 32];\n  s[y + x] = 0;\n}\n"
              "template __global__ void kernel<8>(int, int);\n"
              "template __global__ void kernel<32>(int, int);\n",
              longer(swizzle(0, 1, 0, 32), 2));
  EXPECT_NE(After.find("s[N * 32 + (N * 32 - 1) / 32 * 2];"), std::string::npos)
      << After;
}

// Longer rows that tear chunks apart need not show that an xor keeps them.
TEST(ReadableTextTest, TornChunksAreNotShown) {
  std::string Code = kernel("[32][32]", "[y][x]");
  ParsedKernel P(Code);
  P.addLoop();
  EXPECT_EQ(bracketsOf(rewrite(P, Code, longer(swizzle(0, 2, 1), 1)), 5),
            "[y][x ^ ((y & 3) << 1)]");
}

TEST(ReadableTextTest, NumbersBecomeTheirPlaces) {
  Layout New = swizzle(0, 2);
  EXPECT_EQ(forms("[8][32]", "[3][5]", New), "[8][32] [3][6]");
  EXPECT_EQ(forms("[8][32]", "[1 + 2][5 * 1]", New), "[8][32] [1 + 2][6]");
  EXPECT_EQ(forms("[8][32]", "[3][x]", New), "[8][32] [3][x ^ 3]");
  EXPECT_EQ(forms("[8][32]", "[y][0]", New), "[8][32] [y][y & 3]");
  EXPECT_EQ(forms("[8][32]", "[y][4]", New), "[8][32] [y][4 ^ (y & 3)]");
  EXPECT_EQ(forms("[256]", "[70]", swizzle(0, 2, 0, 32)), "[256] [68]");
  EXPECT_EQ(forms("[256]", "[70]", pad(1, 32)), "[256 + 7] [72]");
  EXPECT_EQ(forms("[256]", "[70]", permute({}, 1, 32)), "[256 + 32] [56]");
  EXPECT_EQ(forms("[8][32]", "[3][30]", rotate(4)), "[8][32] [3][10]");
  Layout Both = linear({{1, 0, 2, false, 1}, {2, 0, 1, false, 4}});
  EXPECT_EQ(forms("[2][8][32]", "[1][y][5]", Both),
            "[2][8][32] [1][y][1 ^ (y & 3)]");
  expectPlaces("[2][8][32]", "[1 * z][y][x]", Both, 8, 32, 0, 2);
}

TEST(ReadableTextTest, NumbersThatStayAreNotTouched) {
  EXPECT_EQ(forms("[8][32]", "[0][5]", swizzle(0, 2)), "[8][32] [0][5]");
  EXPECT_EQ(forms("[8][32]", "[0][x]", swizzle(0, 2)), "[8][32] [0][x]");
  EXPECT_EQ(forms("[8][32]", "[4][x + 1]", swizzle(0, 2)),
            "[8][32] [4][x + 1]");
  EXPECT_EQ(forms("[256]", "[0]", swizzle(0, 2, 0, 32)), "[256] [0]");
  EXPECT_EQ(forms("[256]", "[31 /* last */]", pad(1, 32)),
            "[256 + 7] [31 /* last */]");
  EXPECT_EQ(forms("[8][32]", "[0][x]", rotate(4)), "[8][32] [0][x]");
}

// Its number may be another one when the source is compiled again.
TEST(ReadableTextTest, NamesStay) {
  EXPECT_EQ(forms("[8][64]", "[y][WIDTH]", swizzle(0, 2)),
            "[8][64] [y][WIDTH ^ (y & 3)]");
  EXPECT_EQ(forms("[64][64]", "[WIDTH][5]", swizzle(0, 2)),
            "[64][64] [WIDTH][5 ^ (WIDTH & 3)]");
  EXPECT_EQ(forms("[256]", "[WIDTH]", pad(1, 32)),
            "[256 + 7] [WIDTH + (WIDTH >> 5)]");
}

// The diagonal of a square.
TEST(ReadableTextTest, EqualTextsCancel) {
  EXPECT_EQ(forms("[32][32]", "[y][y]", swizzle(0, 5)), "[32][32] [y][0]");
  EXPECT_EQ(forms("[32][32]", "[y + 1][y + 1]", swizzle(0, 5)),
            "[32][32] [y + 1][0]");
  EXPECT_EQ(forms("[64][32]", "[y][y]", swizzle(0, 5)),
            "[64][32] [y][y ^ (y & 31)]");
  Layout Both = linear({{1, 0, 5, false, 1}, {2, 0, 2, false, 2}});
  EXPECT_EQ(forms("[4][32][32]", "[z][y][y]", Both),
            "[4][32][32] [z][y][z << 1]");
  EXPECT_EQ(forms("[4][32][32]", "[y][y][x]",
                  linear({{1, 0, 5, false, 1}, {2, 0, 5, false, 1}})),
            "[4][32][32] [y][y][x]");
}

TEST(ReadableTextTest, ProductsNeedParenthesesOnlyBesideShifts) {
  EXPECT_EQ(forms("[1024]", "[x * 8]", linear(BitTerm{0, 5, 5, false, 1})),
            "[1024] [x * 8 ^ ((x * 8) >> 5)]");
  expectPlaces("[1024]", "[x * 1]", linear(BitTerm{0, 5, 5, false, 1}), 1,
               1024);
  EXPECT_EQ(forms("[1024]", "[x & 31]", linear(BitTerm{0, 5, 5, false, 1})),
            "[1024] [(x & 31) ^ ((x & 31) >> 5)]");
}
