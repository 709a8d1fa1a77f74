// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What clang is shown of texts that nvcc accepts.
//===----------------------------------------------------------------------===//

#include "../../../lib/Driver/Parse/NvccSpelling.h"

#include "gtest/gtest.h"

using namespace cudaopt;
using llvm::StringRef;

namespace {

std::string spell(StringRef Text) {
  std::optional<std::string> Spelt = spellForClang(Text);
  EXPECT_TRUE(!Spelt || Spelt->size() == Text.size());
  return Spelt.value_or("");
}

TEST(NvccSpellingTest, LaunchesWithBlanks) {
  EXPECT_EQ(spell("k << <1, 32>> >(p);"), "k <<< 1, 32>>> (p);");
  EXPECT_EQ(spell("k<< <g(1), b[2]>> > (p);"), "k<<< g(1), b[2]>>>  (p);");
  EXPECT_EQ(spell("k<< \n<1, 2>>\t>(p);"), "k<<<\n 1, 2>>>\t(p);");
  EXPECT_EQ(spell("k<<<1, 32>> >(p);"), "k<<<1, 32>>> (p);");
  EXPECT_EQ(spell("k<< <1, 32>>>(p);"), "k<<< 1, 32>>>(p);");
  EXPECT_EQ(spell("if (a) k<< <1, f(2 >> 1)>> >(p);"),
            "if (a) k<<< 1, f(2 >> 1)>>> (p);");
}

// Two that close templates are not the end of a launch.
TEST(NvccSpellingTest, TemplatesInLaunches) {
  EXPECT_EQ(spell("k<<<f<g<int>> >(1), 32>>>(p);"), "");
  EXPECT_EQ(spell("k<< <(f<g<int>> >(1)), 32>> >(p);"),
            "k<<< (f<g<int>> >(1)), 32>>> (p);");
  EXPECT_EQ(spell("k<<<f<g<int>> >(1), 32>> >(p);"), "");
  EXPECT_EQ(spell("vector<vector<vector<int>> > v(3);"), "");
}

TEST(NvccSpellingTest, OperatorsAreNoLaunches) {
  EXPECT_EQ(spell("friend S &operator<< <>(S &, int);"), "");
  EXPECT_EQ(spell("a << b << c; // k << <1>> >()"), "");
  EXPECT_EQ(spell("f(\"<< <\", R\"(k<< <1, 2>> >(p))\");"), "");
}

TEST(NvccSpellingTest, OperandsWithoutComma) {
  EXPECT_EQ(spell("asm volatile(\"\" ::\"r\"(v) \"l\"(p) : \"memory\");"),
            "asm volatile(\"\" ::\"r\"(v),\"l\"(p) : \"memory\");");
  EXPECT_EQ(
      spell("__asm__(\"\" : \"=r\"(a)\n  \"=r\"(b) : \"r\"(f(c)) \"n\"(1));"),
      "__asm__(\"\" : \"=r\"(a),  \"=r\"(b) : \"r\"(f(c)),\"n\"(1));");
}

TEST(NvccSpellingTest, OtherTextsBehindParentheses) {
  EXPECT_EQ(spell("asm(\"a\" F(x) \"b\" : \"=r\"(a), \"=r\"(b));"), "");
  EXPECT_EQ(spell("printf(F(x) \"b\", (a) \"c\");"), "");
  EXPECT_EQ(spell("asm(\"\" :: \"r\"(v)\"l\"(p));"), ""); // No room.
}

} // namespace
