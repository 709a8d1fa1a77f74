// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The verifier of arrays that are said to share bytes in place: plans that no
/// pass would make.
//===----------------------------------------------------------------------===//

#include "VerifyTest.h"

using namespace cudaopt;

namespace {

class VerifyInPlace : public VerifyTest {
protected:
  /// Puts `from` and `to` into the same bytes of a block of 64 threads; returns
  /// the rule that is violated. \p Layouts is by array.
  std::string verifyBody(const std::string &Body, bool IsSaid = true,
                         std::vector<Layout> Layouts = {}) {
    parse("#include \"cuda.h\"\n"
          "__device__ void other(float *);\n"
          "__global__ void k(float *out, const float *in) {\n"
          "  __shared__ float from[128];\n"
          "  __shared__ float to[128];\n"
          "  unsigned t = threadIdx.x;\n" +
              Body + "}\n",
          {64, 1, 1});
    return verifyTwoInOne({64, 1, 1}, [&](Plan &P) {
      if (IsSaid)
        P.Reuse->InPlace = {{0, 1}};
      for (unsigned Id = 0; Id != Layouts.size(); ++Id)
        P.Layouts[Id].New = Layouts[Id];
    });
  }
  void expectSays(const std::string &Body, llvm::StringRef Words) {
    const std::string Text = verifyBody(Body);
    EXPECT_TRUE(llvm::StringRef(Text).contains(Words)) << Text;
  }
  static std::string phases(const std::string &Middle) {
    return "from[63 - t] = in[t]; from[127 - t] = in[t]; __syncthreads();\n" +
           Middle + " __syncthreads(); out[t] = to[63 - t];\n";
  }
};

} // namespace

TEST_F(VerifyInPlace, EachThreadOverwritesWhatItHasRead) {
  EXPECT_EQ(verifyBody(phases("to[t] = from[t]; to[t + 64] = from[t + 64];")),
            "");
}

TEST_F(VerifyInPlace, ThePlanMustSaySo) {
  EXPECT_NE(verifyBody(phases("to[t] = from[t];"), /*IsSaid=*/false), "");
}

TEST_F(VerifyInPlace, ANeighbourReads) {
  expectSays(phases("to[t] = from[t ^ 1];"), "several threads access byte");
}

TEST_F(VerifyInPlace, AnotherStatementOverwritesBefore) {
  expectSays(phases("to[t] = 1; out[t] = from[t];"),
             "may read what the other has overwritten");
  expectSays(phases("to[t] = from[t]; out[t] = from[t];"),
             "lies between accesses to both");
  expectSays(phases("if (in[t] > 0) { to[t] = 1; out[t] = from[t]; }"),
             "may read what it has overwritten");
}

TEST_F(VerifyInPlace, TheNextIterationReads) {
  expectSays(phases("for (int k = 0; k < 2; ++k) to[t] = from[t] + k;"),
             "as the one again");
}

TEST_F(VerifyInPlace, AnUnknownElement) {
  expectSays(phases("to[t] = from[int(in[t])];"), "not known or not there");
}

TEST_F(VerifyInPlace, AThreadHandsTheArrayOn) {
  expectSays(phases("to[t] = from[t]; other(from);"), "'from'");
}

// What is in place in the elements need not be so in the bytes.
TEST_F(VerifyInPlace, OtherLayouts) {
  Layout Swizzled;
  Swizzled.Kind = Layout::Family::Xor;
  Swizzled.Terms = {{0, 5, 1, false, 1}};
  const std::string Body =
      phases("to[t] = from[t]; to[t + 64] = from[t + 64];");
  EXPECT_NE(verifyBody(Body, true, {Swizzled, Layout()}), "");
}

TEST_F(VerifyInPlace, OneLayoutOfBoth) {
  Layout Swizzled;
  Swizzled.Kind = Layout::Family::Xor;
  Swizzled.Terms = {{0, 5, 1, false, 1}};
  const std::string Body =
      phases("to[t] = from[t]; to[t + 64] = from[t + 64];");
  EXPECT_EQ(verifyBody(Body, true, {Swizzled, Swizzled}), "");
}
