// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The verifier: when parts of an `extern` array are arrays of their own.
//===----------------------------------------------------------------------===//

#include "VerifyTest.h"

using namespace cudaopt;

/// A kernel whose `line` is what is left of an extern array behind 128 bytes of
/// which its `tile` begins.
static void divide(Kernel &K) {
  K.Arrays[0].IsExtern = K.Arrays[1].IsExtern = true;
  K.Arrays[0].Whole = 1;
  K.Instances[0]->Shapes[0].Begin = 128;
  K.Instances[0]->Block.DynamicBytes = 128 + 4096;
}
static const char *const Divided = "__shared__ float line[32];\n"
                                   "tile[x][0] = 1;\n"
                                   "line[x] = 1;\n";

TEST_F(VerifyTest, PartsOfAnExternArrayMustNotOverlap) {
  parse(kernel(Divided), {32, 1, 1});
  divide(K);
  expectWavefronts(swizzle(0, 5, 0), 32, 1);
  K.Instances[0]->Shapes[0].Begin = 124;
  EXPECT_EQ(verify(swizzle(0, 5, 0), {32, 1}),
            "the parts 'tile' and 'line' overlap");
}

TEST_F(VerifyTest, APartMustEndInsideTheMemoryOfTheLaunch) {
  parse(kernel(Divided), {32, 1, 1});
  divide(K);
  K.Instances[0]->Block.DynamicBytes = 128 + 4092;
  EXPECT_EQ(verify(swizzle(0, 5, 0), {32, 1}),
            "the part 'tile' ends behind the bytes that the launch gives");
}

// The layout of the other part does not change, but who leaves it may come
// here.
TEST_F(VerifyTest, ThreadsMustStayInsideTheParts) {
  parse(kernel(Divided), {32, 1, 1});
  divide(K);
  K.Instances[0]->Shapes[1].Extents = {31};
  EXPECT_EQ(verify(swizzle(0, 5, 0), {32, 1}),
            "thread 31 leaves a part of the dynamic shared memory");
}
