// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The text of every layout. Each result is parsed again with warnings as
/// errors, and its subscripts are evaluated: they must name the place that the
/// layout says.
//===----------------------------------------------------------------------===//

#include "RewrittenKernel.h"

using namespace cudaopt;
using Family = Layout::Family;
using llvm::StringRef;

static bool isError(StringRef Text, StringRef Message) {
  return Text.starts_with(("error: 's': " + Message).str());
}

TEST(RewriteKernelTest, PaddingChangesTheDeclaration) {
  EXPECT_EQ(forms("[32][32]", "[y][x]", pad(1)), "[32][32 + 1] [y][x]");
  EXPECT_EQ(forms("[WIDTH][WIDTH]", "[y][x]", pad(1)),
            "[WIDTH][WIDTH + 1] [y][x]");
  EXPECT_EQ(forms("[2][4][8 * 4]", "[1][y][x]", pad(3)),
            "[2][4][8 * 4 + 3] [1][y][x]");
  EXPECT_EQ(forms("[4][8 /* columns */]", "[y][x]", pad(1)),
            "[4][8 + 1 /* columns */] [y][x]");
  // Operators that bind less than +.
  EXPECT_EQ(forms("[4][1 << 4]", "[y][x]", pad(1)), "[4][(1 << 4) + 1] [y][x]");
  EXPECT_EQ(forms("[4][true ? 8 : 4]", "[y][x]", pad(1)),
            "[4][(true ? 8 : 4) + 1] [y][x]");
  expectPlaces("[32][WIDTH]", "[y][x]", pad(5), 32, 32);
}

TEST(RewriteKernelTest, PaddingOfPlanes) {
  EXPECT_EQ(forms("[2][4][8]", "[z][y][x]", pad(3, 0, 1)),
            "[2][4 + 1][8 + 3] [z][y][x]");
  EXPECT_EQ(forms("[2][4][8]", "[z][y][x]", pad(0, 0, 2)),
            "[2][4 + 2][8] [z][y][x]");
  expectPlaces("[2][4][8]", "[z][y][x]", pad(3, 0, 1), 4, 8, 0, 2);
}

// The text of such an access is elsewhere.
TEST(RewriteKernelTest, RowPointersAllowPaddingOnly) {
  std::string Code = kernel("[32][32]", "[y][x]");
  ParsedKernel P(Code);
  P.K.Instances[0]->Accesses[0].IsThroughRowPointer = true;
  EXPECT_NE(rewrite(P, Code, pad(1)).find("s[32][32 + 1]"), std::string::npos);
  for (const Layout &New : {swizzle(0, 5), rotate(1), permute({1, 0}, 1)})
    EXPECT_TRUE(isError(rewrite(P, Code, New), "a pointer to a row"));
}

// A macro may hold any operator: what counts is the expression, not its text.
TEST(RewriteKernelTest, ExtentOfMacroIsParenthesised) {
  EXPECT_EQ(rewrite("#define W 1 << 4\n__global__ void kernel(int x) {\n"
                    "  __shared__ int s[4][W];\n  s[x][x] = 0;\n}\n",
                    pad(1)),
            "#define W 1 << 4\n__global__ void kernel(int x) {\n"
            "  __shared__ int s[4][(W) + 1];\n  s[x][x] = 0;\n}\n");
}

TEST(RewriteKernelTest, FlatPaddingEditsTheFactor) {
  EXPECT_EQ(forms("[256]", "[y * 32 + x]", pad(1, 32), 32),
            "[256 + 7] [y * (32 + 1) + x]");
  EXPECT_EQ(forms("[256]", "[x + y * WIDTH]", pad(2, 32), 32),
            "[256 + 14] [x + y * (WIDTH + 2)]");
  EXPECT_EQ(forms("[256]", "[(y * 32) + (x)]", pad(1, 32), 32),
            "[256 + 7] [(y * (32 + 1)) + (x)]");
  expectPlaces("[256]", "[x + y * WIDTH]", pad(2, 32), 8, 32, 32);
}

TEST(RewriteKernelTest, FlatPaddingDividesOtherSubscripts) {
  EXPECT_EQ(forms("[256]", "[x]", pad(1, 32)), "[256 + 7] [x + (x >> 5)]");
  EXPECT_EQ(forms("[256]", "[y * 32 + x]", pad(2, 32)),
            "[256 + 14] [y * 32 + x + ((y * 32 + x) >> 5) * 2]");
  EXPECT_EQ(forms("[256]", "[y << 5 | x]", pad(1, 32)),
            "[256 + 7] [(y << 5 | x) + ((y << 5 | x) >> 5)]");
  EXPECT_EQ(forms("[256]", "[AT(y, x)]", pad(1, 32)),
            "[256 + 7] [AT(y, x) + (AT(y, x) >> 5)]");
  expectPlaces("[256]", "[y * 32 + x]", pad(2, 32), 8, 32);
  expectPlaces("[256]", "[y << 5 | x]", pad(3, 32), 8, 32);
  expectPlaces("[256]", "[AT(y, x)]", pad(1, 32), 8, 32);
}

// The author's rows are not those of the layout.
TEST(RewriteKernelTest, OtherPitchIsDivided) {
  EXPECT_EQ(forms("[256]", "[y * 32 + x]", pad(1, 16), 32),
            "[256 + 15] [y * 32 + x + ((y * 32 + x) >> 4)]");
}

// An argument of AT stands at two places after expansion, or may.
TEST(RewriteKernelTest, MacroArgumentsStay) {
  std::string Code =
      "#define AT(r, c, w) ((r) * (w) + (c))\n"
      "__global__ void kernel(int y, int x) {\n  __shared__ int s[256];\n"
      "  s[AT(y, x, 32)] = 0;\n}\n";
  std::string After = rewrite(Code, pad(1, 32), 32);
  EXPECT_NE(After.find("s[AT(y, x, 32) + (AT(y, x, 32) >> 5)] = 0"),
            std::string::npos)
      << After;
}

TEST(RewriteKernelTest, XorUsesTheRow) {
  EXPECT_EQ(forms("[32][32]", "[y][x]", swizzle(0, 5)), "[32][32] [y][x ^ y]");
  EXPECT_EQ(forms("[32][32]", "[y][x + 1]", swizzle(0, 5)),
            "[32][32] [y][(x + 1) ^ y]");
  EXPECT_EQ(forms("[32][32]", "[y][x]", swizzle(0, 2)),
            "[32][32] [y][x ^ (y & 3)]");
  EXPECT_EQ(forms("[32][32]", "[y + 1][x]", swizzle(0, 5)),
            "[32][32] [y + 1][x ^ (y + 1)]");
  EXPECT_EQ(forms("[32][32]", "[y][x]", swizzle(2, 2)),
            "[32][32] [y][x ^ (y >> 2 & 3)]");
  EXPECT_EQ(forms("[32][32]", "[y + 1][x]", swizzle(3, 2)),
            "[32][32] [y + 1][x ^ ((y + 1) >> 3)]");
  EXPECT_EQ(forms("[32][32]", "[y][x]", swizzle(0, 3, 2)),
            "[32][32] [y][x ^ ((y & 7) << 2)]");
  EXPECT_EQ(forms("[8][32]", "[y][x]", swizzle(0, 3, 2)),
            "[8][32] [y][x ^ (y << 2)]");
  expectPlaces("[32][32]", "[y][x]", swizzle(0, 5), 32, 32);
  expectPlaces("[32][32]", "[y][x]", swizzle(2, 2), 32, 32);
  expectPlaces("[32][32]", "[y][x]", swizzle(0, 3, 2), 32, 32);
  expectPlaces("[8][32]", "[y][x]", swizzle(1, 2, 1), 8, 32);
}

TEST(RewriteKernelTest, XorOfBoxUsesAnyCoordinate) {
  EXPECT_EQ(forms("[2][32][32]", "[0][y][x]", swizzle(0, 5)),
            "[2][32][32] [0][y][x ^ y]");
  EXPECT_EQ(forms("[2][4][32]", "[z][y][x]", swizzle(0, 3)),
            "[2][4][32] [z][y][x ^ y]");
  Layout Planes = linear({{2, 0, 1, false, 16}, {1, 1, 1, false, 2}});
  EXPECT_EQ(forms("[4][4][32]", "[z][y][x]", Planes),
            "[4][4][32] [z][y][x ^ ((z & 1) << 4) ^ ((y >> 1) << 1)]");
  expectPlaces("[4][4][32]", "[z][y][x]", Planes, 4, 32, 0, 4);
  EXPECT_TRUE(isError(forms("[4][4][32]", "[z++][y][x]", Planes),
                      "a subscript cannot be repeated"));
  EXPECT_EQ(forms("[4][24]", "[y][x]", swizzle(0, 4)).find("error: 's': "), 0u);
}

TEST(RewriteKernelTest, XorTermsAreJoined) {
  Layout Column = linear({{1, 0, 2, false, 1}, {0, 3, 1, false, 4}});
  EXPECT_EQ(forms("[8][32]", "[y][x]", Column),
            "[8][32] [y][x ^ (y & 3) ^ ((x >> 3 & 1) << 2)]");
  EXPECT_EQ(forms("[8][32]", "[y][x + 0]", Column),
            "[8][32] [y][(x + 0) ^ (y & 3) ^ (((x + 0) >> 3 & 1) << 2)]");
  expectPlaces("[8][32]", "[y][x]", Column, 8, 32);
  // One bit that is spread over five.
  Layout Spread = linear(BitTerm{1, 2, 1, false, 31});
  EXPECT_EQ(forms("[8][32]", "[y][x]", Spread),
            "[8][32] [y][x ^ (y >> 2) * 31]");
  EXPECT_EQ(forms("[16][32]", "[y][x]", Spread),
            "[16][32] [y][x ^ (y >> 2 & 1) * 31]");
  expectPlaces("[16][32]", "[y][x]", Spread, 16, 32);
  EXPECT_TRUE(isError(forms("[8][32]", "[y][x++]", Column),
                      "a subscript cannot be repeated"));
}

TEST(RewriteKernelTest, XorOfReversedBits) {
  Layout Reversed = linear(BitTerm{1, 0, 5, true, 1});
  EXPECT_EQ(forms("[64][32]", "[y][x]", Reversed),
            "[64][32] [y][x ^ (__brev(y) >> 27)]");
  Layout Shifted = linear(BitTerm{1, 1, 3, true, 4});
  EXPECT_EQ(forms("[64][32]", "[y][x]", Shifted),
            "[64][32] [y][x ^ ((__brev(y >> 1) >> 29) << 2)]");
  expectPlaces("[64][32]", "[y][x]", Reversed, 64, 32);
  expectPlaces("[64][32]", "[y][x]", Shifted, 64, 32);
  expectPlaces("[2048]", "[y * 32 + x]", linear(BitTerm{1, 1, 3, true, 4}, 32),
               64, 32);
}

TEST(RewriteKernelTest, FlatXorEditsTheColumn) {
  Layout New = swizzle(0, 2, 0, 32);
  EXPECT_EQ(forms("[256]", "[y * 32 + x]", New, 32),
            "[256] [y * 32 + (x ^ (y & 3))]");
  EXPECT_EQ(forms("[256]", "[x % 32 + (y + 0) * 32]", swizzle(0, 3, 0, 32), 32),
            "[256] [(x % 32 ^ (y + 0)) + (y + 0) * 32]");
  EXPECT_EQ(forms("[256]", "[(y * 32) + (x)]", New, 32),
            "[256] [(y * 32) + ((x) ^ (y & 3))]");
  expectPlaces("[256]", "[y * 32 + x]", New, 8, 32, 32);
  expectPlaces("[256]", "[x % 32 + (y + 0) * 32]", swizzle(1, 2, 1, 32), 8, 32,
               32);
}

TEST(RewriteKernelTest, FlatXorDividesOtherSubscripts) {
  EXPECT_EQ(forms("[256]", "[x]", swizzle(0, 2, 0, 32)),
            "[256] [x ^ (x >> 5 & 3)]");
  EXPECT_EQ(forms("[256]", "[x]", swizzle(1, 2, 1, 32)),
            "[256] [x ^ ((x >> 6) << 1)]");
  EXPECT_EQ(forms("[256]", "[y * 32 + x]", swizzle(0, 3, 0, 32)),
            "[256] [(y * 32 + x) ^ ((y * 32 + x) >> 5)]");
  expectPlaces("[256]", "[y * 32 + x]", swizzle(0, 3, 0, 32), 8, 32);
  expectPlaces("[256]", "[AT(y, x)]", swizzle(1, 2, 1, 32), 8, 32);
}

// An array of one row: its number is the column.
TEST(RewriteKernelTest, FlatXorOfOneRow) {
  Layout New = linear({{0, 5, 5, false, 1}, {0, 6, 1, false, 31}});
  EXPECT_EQ(forms("[1024]", "[x]", New),
            "[1024] [x ^ (x >> 5) ^ (x >> 6 & 1) * 31]");
  expectPlaces("[1024]", "[x]", New, 1, 1024);
  expectPlaces("[1024]", "[x]", linear(BitTerm{0, 5, 5, true, 1}), 1, 1024);
}

TEST(RewriteKernelTest, FlatXorOfOddRows) {
  Layout New = linear({{1, 2, 2, false, 1}, {0, 2, 1, false, 2}}, 52);
  EXPECT_EQ(forms("[2704]", "[x]", New),
            "[2704] [x ^ (x / 208 & 3) ^ (((x % 52) >> 2 & 1) << 1)]");
  EXPECT_EQ(forms("[2704]", "[y * 52 + x]", New, 52),
            "[2704] [y * 52 + (x ^ (y >> 2 & 3) ^ ((x >> 2 & 1) << 1))]");
  expectPlaces("[2704]", "[y * 52 + x]", New, 52, 52);
  expectPlaces("[2704]", "[y * 52 + x]", New, 52, 52, 52);
  // The column's bits are those of the index.
  Layout Even = linear(BitTerm{0, 3, 2, false, 1}, 32);
  EXPECT_EQ(forms("[256]", "[x]", Even), "[256] [x ^ (x >> 3 & 3)]");
  expectPlaces("[256]", "[y * 32 + x]", Even, 8, 32);
  expectPlaces("[256]", "[y * 32 + x]", Even, 8, 32, 32);
}

// Text over two lines is repeated on one: no line moves.
TEST(RewriteKernelTest, LinesStay) {
  std::string After =
      rewrite(kernel("[256]", "[y * 32 +\r\n    x]"), pad(1, 32));
  EXPECT_NE(After.find("s[y * 32 +\r\n    x + ((y * 32 + x) >> 5)] ="),
            std::string::npos)
      << After;
  EXPECT_TRUE(
      StringRef(rewrite(kernel("[256]", "[y * 32 + // row\n x]"), pad(1, 32)))
          .starts_with("error: 's': a subscript cannot be edited"));
}

TEST(RewriteKernelTest, RepeatedSubscriptsHaveNoEffect) {
  for (const char *Subscripts : {"[x++]", "[x = 3]", "[*(volatile int *)&x]"})
    EXPECT_TRUE(StringRef(forms("[256]", Subscripts, pad(1, 32)))
                    .starts_with("error: 's': a subscript cannot be repeated"))
        << Subscripts;
  EXPECT_TRUE(StringRef(forms("[32][32]", "[y][x++]", swizzle(0, 5)))
                  .starts_with("error: 's': a subscript cannot be repeated"));
  EXPECT_EQ(forms("[32][32]", "[y++][x++]", pad(1)), "[32][32 + 1] [y++][x++]");
}

// The copy of a subscript would miss the edits inside it.
TEST(RewriteKernelTest, SubscriptsInSubscripts) {
  EXPECT_TRUE(StringRef(forms("[256]", "[s[x]]", pad(1, 32)))
                  .starts_with("error: 's': a subscript cannot be repeated"));
  EXPECT_TRUE(StringRef(forms("[32][32]", "[s[y][x]][x]", swizzle(0, 5)))
                  .starts_with("error: 's': a subscript cannot be repeated"));
  EXPECT_EQ(forms("[32][32]", "[y][s[y][x]]", swizzle(0, 5)),
            "[32][32] [y][s[y][x ^ y] ^ y]");
}

// `s[i] += v` reads and writes with one text.
TEST(RewriteKernelTest, CompoundAccessIsEditedOnce) {
  ParsedKernel P(kernel("[32][32]", "[y][x]"));
  auto &Accesses = P.K.Instances[0]->Accesses;
  Accesses.push_back(Accesses[0]);
  const Layout New = swizzle(0, 5);
  ArrayRewrite Wanted{P.K, 0, New};
  Edits E = rewriteArrays(Wanted, P.context());
  EXPECT_EQ(Wanted.WhyNot, "");
  EXPECT_EQ(E.byFile().begin()->second.size(), 1u);
}

TEST(RewriteKernelTest, TextOfSeveralArraysStays) {
  std::string Code = kernel("[32][32], t[32][32]", "[y][x]");
  ParsedKernel P(Code);
  P.K.Instances[0]->Accesses.push_back(P.K.Instances[0]->Accesses[0]);
  P.K.Instances[0]->Accesses[1].Array = 1;
  EXPECT_TRUE(isError(rewrite(P, Code, swizzle(0, 5)),
                      "a subscript of several arrays"));
}

static const char *Template =
    "template <int N> __global__ void kernel(int y, int x) {\n"
    "  __shared__ int s[N][32];\n  s[y][x] = 0;\n}\n"
    "template __global__ void kernel<8>(int, int);\n"
    "template __global__ void kernel<32>(int, int);\n";

// One text serves all instances: a mask that one of them needs is written.
TEST(RewriteKernelTest, TemplatesAgree) {
  std::string After = rewrite(Template, swizzle(0, 3));
  EXPECT_NE(After.find("s[y][x ^ (y & 7)] = 0"), std::string::npos) << After;
}

// What an array grows by depends on the instance, unless rows are transposed.
TEST(RewriteKernelTest, InstancesOfDifferentSizes) {
  std::string Code = Template;
  Code.replace(Code.find("[N][32]"), 7, "[N * 32]");
  Code.replace(Code.find("[y][x]"), 6, "[x + y]");
  std::string After = rewrite(Code, pad(2, 32));
  EXPECT_NE(After.find("s[N * 32 + (N * 32 - 1) / 32 * 2];"), std::string::npos)
      << After;
  EXPECT_TRUE(isError(rewrite(Code, permute({}, 1, 16)),
                      "instances have rows of different lengths"));
}

// A macro that prints its argument would print other text.
TEST(RewriteKernelTest, ArgumentsOfMacros) {
  auto Rewrite = [](StringRef Body) {
    return rewrite(("#define USE(e) (e)\n#define SHOW(e) ((e), #e)\n"
                    "__global__ void kernel(int y, int x) {\n"
                    "  __shared__ int s[32][32];\n  " +
                    Body + ";\n}\n")
                       .str(),
                   swizzle(0, 5));
  };
  EXPECT_NE(Rewrite("x = USE(s[y][x])").find("USE(s[y][x ^ y])"),
            std::string::npos);
  EXPECT_EQ(Rewrite("SHOW(s[y][x])").find("error:"), 0u);
}

TEST(RewriteKernelTest, DimensionsAreExchanged) {
  EXPECT_EQ(forms("[8][WIDTH]", "[y][x + 0]", permute({1, 0}, 1)),
            "[WIDTH][8 + 1] [x + 0][y]");
  EXPECT_EQ(forms("[32][32]", "[y][x]", permute({1, 0}, 1)),
            "[32][32 + 1] [x][y]");
  EXPECT_EQ(forms("[2][4][8]", "[z][y][x]", permute({0, 2, 1})),
            "[2][8][4] [z][x][y]");
  EXPECT_EQ(forms("[2][4][8]", "[z][y][x]", permute({2, 0, 1}, 3)),
            "[8][2][4 + 3] [x][z][y]");
  expectPlaces("[8][32]", "[y][x]", permute({1, 0}, 1), 8, 32);
  expectPlaces("[2][4][8]", "[z][y][x]", permute({2, 0, 1}, 3), 4, 8, 0, 2);
  expectPlaces("[2][4][8]", "[z][y][x]", permute({1, 0, 2}), 4, 8, 0, 2);
  EXPECT_TRUE(isError(forms("[8][32]", "[y][x++]", permute({1, 0})),
                      "a subscript cannot be repeated"));
  EXPECT_TRUE(isError(forms("[8][32]", "[s[y][x]][x]", permute({1, 0})),
                      "a subscript cannot be repeated"));
}

TEST(RewriteKernelTest, FlatRowsAndColumnsAreExchanged) {
  Layout New = permute({}, 1, 32);
  EXPECT_EQ(forms("[256]", "[y * 32 + x]", New, 32), "[256 + 32] [y + x * 9]");
  EXPECT_EQ(forms("[256]", "[x + 0 + WIDTH * y]", New, 32),
            "[256 + 32] [(x + 0) * 9 + y]");
  EXPECT_EQ(forms("[256]", "[x]", New), "[256 + 32] [(x >> 5) + (x & 31) * 9]");
  expectPlaces("[256]", "[x + 0 + WIDTH * y]", New, 8, 32, 32);
  expectPlaces("[256]", "[y * 32 + x]", New, 8, 32);
  expectPlaces("[2704]", "[y * 52 + x]", permute({}, 0, 52), 52, 52);
}

TEST(RewriteKernelTest, RotationIsModuloTheRow) {
  EXPECT_EQ(forms("[8][32]", "[y][x]", rotate(4)),
            "[8][32] [y][(x + 4 * y) & 31]");
  EXPECT_EQ(forms("[4][160]", "[y + 0][x + 1]", rotate(16)),
            "[4][160] [y + 0][(x + 1 + 16 * (y + 0)) % 160]");
  EXPECT_EQ(forms("[17][17]", "[y][x]", rotate(1)),
            "[17][17] [y][(x + y) % 17]");
  EXPECT_EQ(forms("[2720]", "[y * 160 + x]", rotate(3, 160), 160),
            "[2720] [y * 160 + (x + 3 * y) % 160]");
  EXPECT_EQ(forms("[256]", "[y * 32 + x]", rotate(3, 32), 32),
            "[256] [y * 32 + ((x + 3 * y) & 31)]");
  EXPECT_EQ(forms("[2720]", "[x]", rotate(3, 160)),
            "[2720] [x / 160 * 160 + (x + 3 * (x / 160)) % 160]");
  EXPECT_EQ(forms("[256]", "[x]", rotate(3, 32)),
            "[256] [(x & ~31) + ((x + 3 * (x >> 5)) & 31)]");
  expectPlaces("[8][32]", "[y][x]", rotate(4), 8, 32);
  expectPlaces("[4][160]", "[y + 0][x]", rotate(16), 4, 160);
  expectPlaces("[256]", "[y * 32 + x]", rotate(3, 32), 8, 32);
  expectPlaces("[256]", "[y * 32 + x]", rotate(3, 32), 8, 32, 32);
  expectPlaces("[640]", "[y * 160 + x]", rotate(3, 160), 4, 160);
}

TEST(RewriteKernelTest, TransformIsLinear) {
  EXPECT_EQ(forms("[2704]", "[y * 52 + x]", transform(52), 52),
            "[2704 + 102] [y * 53 + x * 2]");
  EXPECT_EQ(
      forms("[2704]", "[52 * (y + 0)]", transform(52)),
      "[2704 + 102] [(52 * (y + 0)) / 52 * 53 + (52 * (y + 0)) % 52 * 2]");
  EXPECT_EQ(forms("[2704]", "[x]", transform(52)),
            "[2704 + 102] [x / 52 * 53 + x % 52 * 2]");
  EXPECT_EQ(forms("[52][52]", "[y + 0][x]", transform()),
            "[52 * 52 + 102] [(y + 0) * 53 + x * 2]");
  expectPlaces("[2704]", "[y * 52 + x]", transform(52), 52, 52, 52);
  expectPlaces("[2704]", "[y * 52 + x]", transform(52), 52, 52);
  expectPlaces("[52][52]", "[y + 0][x]", transform(), 52, 52);
}

// Its type changes, so that other uses of it would not compile.
TEST(RewriteKernelTest, FlattenedArraysAreOnlySubscripted) {
  std::string Code = kernel("[52][52]", "[sizeof(s[0]) ? y : x][x]");
  EXPECT_TRUE(isError(rewrite(Code, transform()),
                      "the array is named without subscripts"));
  Code = "template <int N> __global__ void kernel(int y, int x) {\n"
         "  __shared__ int s[N][N];\n  s[y][x] = 0;\n"
         "  if constexpr (N == 8)\n    s[x][y] = 0;\n}\n"
         "template __global__ void kernel<52>(int, int);\n";
  EXPECT_TRUE(isError(rewrite(Code, transform()),
                      "the array is named without subscripts"));
}

// Text that moves takes no comment along, and loses none.
TEST(RewriteKernelTest, CommentsAreNotLost) {
  EXPECT_EQ(
      rewrite(kernel("[2704]", "[y * 52 /* rows */ + x]"), transform(52), 52),
      "error: a comment would be lost");
  EXPECT_EQ(forms("[8][8 /* columns */]", "[y][x /* column */]", rotate(1)),
            "[8][8 /* columns */] [y][(x + y) & 7 /* column */]");
}

/// A kernel of an array of structs, as a struct of arrays.
static std::string structOfArrays(StringRef Declaration, StringRef Body) {
  std::string Code =
      ("typedef float real;\nstruct body { real x, y; int n; };\n"
       "__global__ void kernel(int y, int x) {\n"
       "  __shared__ " +
       Declaration + ";\n  " + Body + ";\n}\n")
          .str();
  std::string After = rewrite(Code, layout(Family::Fields, 0));
  StringRef Text = After;
  if (!Text.consume_front(StringRef(Code).split("  __shared__ ").first))
    return After;
  Text.consume_front("  __shared__ ");
  Text.consume_back(";\n}\n");
  return Text.str();
}

TEST(RewriteKernelTest, StructsOfArrays) {
  EXPECT_EQ(structOfArrays("float4 s[64]", "s[x].y = s[y + 1].x"),
            "struct { float x[64], y[64], z[64], w[64]; } s;\n"
            "  s.y[x] = s.x[y + 1]");
  EXPECT_EQ(structOfArrays("struct body s[8][4 * 2]", "s[s[x][1].n][y].y += 1"),
            "struct { real x[8][4 * 2], y[8][4 * 2]; int n[8][4 * 2]; } s;\n"
            "  s.y[s.n[x][1]][y] += 1");
  EXPECT_EQ(structOfArrays("volatile body s[8]", "(s[x]).n = (s)[y] . n"),
            "volatile struct { real x[8], y[8]; int n[8]; } s;\n"
            "  (s.n[x]) = (s).n[y] ");
  EXPECT_EQ(structOfArrays("body s[8]",
                           "atomicAdd(&s[x].n, y + (int)sizeof(s[0].n))"),
            "struct { real x[8], y[8]; int n[8]; } s;\n"
            "  atomicAdd(&s.n[x], y + (int)sizeof(s.n[0]))");
}

TEST(RewriteKernelTest, StructsOfArraysInTemplates) {
  std::string Code = "template <int N> __global__ void kernel(int x) {\n"
                     "  __shared__ float4 s[N];\n  s[x].w = 0;\n}\n"
                     "template __global__ void kernel<8>(int);\n"
                     "template __global__ void kernel<32>(int);\n";
  std::string After = rewrite(Code, layout(Family::Fields, 0));
  EXPECT_NE(After.find("struct { float x[N], y[N], z[N], w[N]; } s;\n"
                       "  s.w[x] = 0;"),
            std::string::npos)
      << After;
}
