// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The verifier: when parts of an `extern` array are arrays of their own.
//===----------------------------------------------------------------------===//

#include "VerifyTest.h"

using namespace cudaopt;

namespace {

/// A kernel with an extern array of 128 bytes in front of a part that gets a
/// new layout.
class VerifyParts : public VerifyTest {
protected:
  enum : ArrayId { Line, Tile };

  void SetUp() override {
    parse("#include \"cuda.h\"\n"
          "__global__ void k() {\n"
          "  extern __shared__ float line[];\n"
          "  float *tile = line + 32;\n"
          "  unsigned x = threadIdx.x;\n"
          "  tile[32 * x] = 1;\n"
          "  line[x] = 1;\n"
          "}\n",
          {32, 1, 1});
    K.Arrays[Line].IsExtern = K.Arrays[Tile].IsExtern = true;
    K.Arrays[Tile].Whole = Line;
    Instance().Shapes[Line].Extents = {32};
    Instance().Shapes[Tile].Extents = {1024};
    Instance().Shapes[Tile].Begin = 128;
    Instance().Block.DynamicBytes = 128 + 4096;
  }
  KernelInstance &Instance() { return *K.Instances.front(); }
  std::string verifyTile(double Before = 32, double After = 1) {
    Plan P;
    P.Layouts[Tile].New = swizzle(0, 5, 0);
    P.Layouts[Tile].New.Pitch = 32;
    P.Layouts[Tile].Cost = P.Layouts[Tile].SourceCost = {Before, After};
    return verify(P);
  }
};

} // namespace

TEST_F(VerifyParts, MayChangeAlone) {
  EXPECT_EQ(verifyTile(), "");
  EXPECT_EQ(verifyTile(33), "wavefronts of 'tile' recounted: before 32 (plan "
                            "says 33)");
}

TEST_F(VerifyParts, MustNotOverlap) {
  Instance().Shapes[Tile].Begin = 124;
  EXPECT_EQ(verifyTile(), "the parts 'tile' and 'line' overlap");
}

TEST_F(VerifyParts, MustEndInsideTheMemoryOfTheLaunch) {
  Instance().Block.DynamicBytes = 128 + 4092;
  EXPECT_EQ(verifyTile(),
            "the part 'tile' ends behind the bytes that the launch gives");
}

// The layout of the other part does not change, but who leaves it may come
// here.
TEST_F(VerifyParts, ThreadsMustStayInside) {
  Instance().Shapes[Line].Extents = {31};
  EXPECT_EQ(verifyTile(),
            "thread 31 leaves a part of the dynamic shared memory");
}
