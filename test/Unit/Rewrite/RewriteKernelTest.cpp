// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The text of every layout. Each result is parsed again with warnings as
/// errors, and its subscripts are evaluated: they must name the place that the
/// layout says.
//===----------------------------------------------------------------------===//

#include "cudaopt/Rewrite/RewriteKernel.h"

#include "ParsedKernel.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Frontend/TextDiagnosticBuffer.h"
#include "clang/Lex/Lexer.h"
#include "gtest/gtest.h"

using namespace cudaopt;
using Family = Layout::Family;
using llvm::StringRef;

static Layout pad(unsigned Padding, uint64_t Pitch = 0) {
  return {.Kind = Family::Pad, .Pitch = Pitch, .Padding = Padding};
}

static Layout swizzle(unsigned RowShift, unsigned Bits, unsigned Unit = 0,
                      uint64_t Pitch = 0) {
  return {.Kind = Family::Xor,
          .Pitch = Pitch,
          .RowShift = RowShift,
          .Bits = Bits,
          .Unit = Unit};
}

/// The warnings and errors of \p Code.
static std::string diagnose(const std::string &Code) {
  clang::TextDiagnosticBuffer Messages;
  parseCuda(Code, {"-Wall", "-Wextra", "-Wno-unused"}, &Messages);
  std::string Text;
  for (auto I = Messages.err_begin(); I != Messages.err_end(); ++I)
    Text += I->second + "\n";
  for (auto I = Messages.warn_begin(); I != Messages.warn_end(); ++I)
    Text += I->second + "\n";
  return Text;
}

/// Gives array \p Array of \p Code the layout \p New. Returns the new text, or
/// the error. \p SplitPitch says that one-dimensional subscripts are sums.
static std::string rewrite(const std::string &Code, const Layout &New,
                           uint64_t SplitPitch = 0, ArrayId Array = 0) {
  ParsedKernel P(Code);
  if (SplitPitch)
    P.splitSubscripts(SplitPitch);
  Edits E(P.sources(), P.context().getLangOpts());
  if (llvm::Error Failed = rewriteArray(P.K, Array, New, P.context(), E)) {
    EXPECT_TRUE(E.empty());
    return "error: " + llvm::toString(std::move(Failed));
  }
  std::string After =
      E.empty() ? Code : applyEdits(Code, E.byFile().begin()->second);
  EXPECT_EQ(diagnose(After), "") << After;
  return After;
}

/// A kernel with the array `s` of \p Extents, two indices and one store.
static std::string kernel(StringRef Extents, StringRef Subscripts) {
  return ("#define WIDTH 32\n#define AT(r, c) ((r)*32 + (c))\n"
          "__global__ void kernel(int y, int x) {\n  __shared__ int s" +
          Extents + ";\n  s" + Subscripts + " = x + y;\n}\n")
      .str();
}

/// The brackets after the name of `s` in line \p Line of \p Code.
static std::string bracketsOf(StringRef Code, unsigned Line) {
  llvm::SmallVector<StringRef, 8> Lines;
  Code.split(Lines, '\n');
  return Lines[Line].split(" s").second.split(" = ").first.rtrim(';').str();
}

/// "[32][x] -> ..." of the declaration and of the store, rewritten.
static std::string forms(StringRef Extents, StringRef Subscripts,
                         const Layout &New, uint64_t SplitPitch = 0) {
  std::string After = rewrite(kernel(Extents, Subscripts), New, SplitPitch);
  if (StringRef(After).starts_with("error"))
    return After;
  return bracketsOf(After, 3) + " " + bracketsOf(After, 4);
}

/// Evaluates the rewritten subscript for every row and column: `s` has \p Rows
/// rows of \p Pitch elements.
static void expectPlaces(StringRef Extents, StringRef Subscripts,
                         const Layout &New, unsigned Rows, unsigned Pitch,
                         uint64_t SplitPitch = 0) {
  std::string After = rewrite(kernel(Extents, Subscripts), New, SplitPitch);
  ASSERT_FALSE(StringRef(After).starts_with("error")) << After;
  std::string Test = "#define WIDTH 32\n#define AT(r, c) ((r)*32 + (c))\n"
                     "constexpr int places[] = {";
  for (unsigned I = 0; I != Rows * Pitch; ++I)
    Test += std::to_string(New.apply(I, Pitch)) + ", ";
  // Subscripts of a struct give the place in the array.
  std::string Declared = bracketsOf(After, 3);
  bool IsFlat = StringRef(Declared).count('[') == 1;
  Test += "};\nstruct row { int start; constexpr int operator[](int i) const "
          "{ return start + i; } };\n"
          "struct array { int pitch; constexpr row operator[](int i) const "
          "{ return {i * pitch}; } };\n"
          "constexpr bool check() {\n  " +
          std::string(IsFlat ? "row s{0};\n"
                             : "int d" + Declared +
                                   " = {};\n  array s{int(sizeof(d[0]) / "
                                   "sizeof(int))};\n") +
          "  for (int y = 0; y < " + std::to_string(Rows) +
          "; ++y)\n    for (int x = 0; x < " + std::to_string(Pitch) +
          "; ++x)\n      if (s" + bracketsOf(After, 4) + " != places[y * " +
          std::to_string(Pitch) +
          " + x])\n        return false;\n  return true;\n}\n"
          "static_assert(check());\n";
  EXPECT_EQ(diagnose(Test), "") << Test;
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
  EXPECT_EQ(forms("[256]", "[x]", pad(1, 32)), "[256 + 7] [x + x / 32]");
  EXPECT_EQ(forms("[256]", "[y * 32 + x]", pad(2, 32)),
            "[256 + 14] [y * 32 + x + (y * 32 + x) / 32 * 2]");
  EXPECT_EQ(forms("[256]", "[y << 5 | x]", pad(1, 32)),
            "[256 + 7] [(y << 5 | x) + (y << 5 | x) / 32]");
  EXPECT_EQ(forms("[256]", "[AT(y, x)]", pad(1, 32)),
            "[256 + 7] [AT(y, x) + AT(y, x) / 32]");
  expectPlaces("[256]", "[y * 32 + x]", pad(2, 32), 8, 32);
  expectPlaces("[256]", "[y << 5 | x]", pad(3, 32), 8, 32);
  expectPlaces("[256]", "[AT(y, x)]", pad(1, 32), 8, 32);
}

// The author's rows are not those of the layout.
TEST(RewriteKernelTest, OtherPitchIsDivided) {
  EXPECT_EQ(forms("[256]", "[y * 32 + x]", pad(1, 16), 32),
            "[256 + 15] [y * 32 + x + (y * 32 + x) / 16]");
}

// An argument of AT stands at two places after expansion, or may.
TEST(RewriteKernelTest, MacroArgumentsStay) {
  std::string Code =
      "#define AT(r, c, w) ((r) * (w) + (c))\n"
      "__global__ void kernel(int y, int x) {\n  __shared__ int s[256];\n"
      "  s[AT(y, x, 32)] = 0;\n}\n";
  std::string After = rewrite(Code, pad(1, 32), 32);
  EXPECT_NE(After.find("s[AT(y, x, 32) + AT(y, x, 32) / 32] = 0"),
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
            "[32][32] [y][x ^ ((y >> 2) & 3)]");
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

// Rows of a box are numbered through: their high bits are in outer subscripts.
TEST(RewriteKernelTest, XorOfBoxNeedsWholePeriods) {
  EXPECT_EQ(forms("[2][32][32]", "[0][y][x]", swizzle(0, 5)),
            "[2][32][32] [0][y][x ^ y]");
  EXPECT_EQ(forms("[2][32][32]", "[0][y][x]", swizzle(0, 3)),
            "[2][32][32] [0][y][x ^ (y & 7)]");
  EXPECT_TRUE(StringRef(forms("[2][4][32]", "[0][y][x]", swizzle(0, 3)))
                  .starts_with("error: 's': an xor that needs the outer"));
  EXPECT_TRUE(StringRef(forms("[4][24]", "[y][x]", swizzle(0, 4)))
                  .starts_with("error: 's': an xor that leaves the row"));
}

TEST(RewriteKernelTest, FlatXorEditsTheColumn) {
  Layout New = swizzle(0, 2, 0, 32);
  EXPECT_EQ(forms("[256]", "[y * 32 + x]", New, 32),
            "[256] [y * 32 + (x ^ (y & 3))]");
  EXPECT_EQ(forms("[256]", "[x % 32 + (y + 0) * 32]", swizzle(0, 3, 0, 32), 32),
            "[256] [((x % 32) ^ (y + 0)) + (y + 0) * 32]");
  EXPECT_EQ(forms("[256]", "[(y * 32) + (x)]", New, 32),
            "[256] [(y * 32) + ((x) ^ (y & 3))]");
  expectPlaces("[256]", "[y * 32 + x]", New, 8, 32, 32);
  expectPlaces("[256]", "[x % 32 + (y + 0) * 32]", swizzle(1, 2, 1, 32), 8, 32,
               32);
}

TEST(RewriteKernelTest, FlatXorDividesOtherSubscripts) {
  EXPECT_EQ(forms("[256]", "[x]", swizzle(0, 2, 0, 32)),
            "[256] [x ^ ((x / 32) & 3)]");
  EXPECT_EQ(forms("[256]", "[x]", swizzle(1, 2, 1, 32)),
            "[256] [x ^ ((x / 64) << 1)]");
  EXPECT_EQ(forms("[256]", "[y * 32 + x]", swizzle(0, 3, 0, 32)),
            "[256] [(y * 32 + x) ^ ((y * 32 + x) / 32)]");
  expectPlaces("[256]", "[y * 32 + x]", swizzle(0, 3, 0, 32), 8, 32);
  expectPlaces("[256]", "[AT(y, x)]", swizzle(1, 2, 1, 32), 8, 32);
}

// Text over two lines is repeated on one: no line moves.
TEST(RewriteKernelTest, LinesStay) {
  std::string After =
      rewrite(kernel("[256]", "[y * 32 +\r\n    x]"), pad(1, 32));
  EXPECT_NE(After.find("s[y * 32 +\r\n    x + (y * 32 + x) / 32] ="),
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
  Edits E(P.sources(), P.context().getLangOpts());
  EXPECT_FALSE(rewriteArray(P.K, 0, swizzle(0, 5), P.context(), E));
  EXPECT_EQ(E.byFile().begin()->second.size(), 1u);
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

TEST(RewriteKernelTest, InstancesThatDisagreeAreRefused) {
  std::string Code = Template;
  Code.replace(Code.find("[N][32]"), 7, "[N * 32]");
  Code.replace(Code.find("[y][x]"), 6, "[x]");
  std::string After = rewrite(Code, pad(1, 32));
  EXPECT_EQ(After.find("error: 's': instances need different sizes"), 0u)
      << After;
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
