// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The verifier of what a plan stores where: places that no pass would choose.
//===----------------------------------------------------------------------===//

#include "VerifyTest.h"

using namespace cudaopt;

namespace {

class VerifyStorage : public VerifyTest {
protected:
  /// Puts `first` and `second`, which are declared with \p Size elements, into
  /// the same bytes, in front of `wide`; returns the rule that is violated.
  std::string verifyBehind(unsigned Size, const std::string &Access) {
    const std::string Elements = "[" + std::to_string(Size) + "];\n";
    parse("#include \"cuda.h\"\n"
          "__global__ void k(float *out, const float *in) {\n"
          "  __shared__ float first" +
              Elements + "  __shared__ float second" + Elements +
              "  __shared__ float wide[256];\n"
              "  unsigned t = threadIdx.x;\n"
              "  first[t] = in[t]; " +
              Access +
              " __syncthreads(); float v = first[63 - t];\n"
              "  __syncthreads(); second[t] = v; __syncthreads();\n"
              "  out[t] = second[63 - t] + wide[255 - t];\n}\n",
          {64, 1, 1});
    return verifyTwoInOne({64, 1, 1});
  }
};

const char *const Wide = "*(float4 *)&wide[4 * t] = *(const float4 *)in;";

} // namespace

// Two arrays of 264 bytes stand in front of it, then one.
TEST_F(VerifyStorage, WideAccessesKeepTheAlignmentOfTheSource) {
  EXPECT_EQ(verifyBehind(66, Wide),
            "'wide' is accessed 16 bytes at a time, and lies at byte 264");
}

TEST_F(VerifyStorage, ElementsNeedNoneOfIt) {
  EXPECT_EQ(verifyBehind(66, "wide[t] = in[t];"), "");
}

TEST_F(VerifyStorage, WideAccessesThatStayAligned) {
  EXPECT_EQ(verifyBehind(68, Wide), "");
}
