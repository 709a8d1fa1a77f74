// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The verifier: which arrays may become private, and where they may be cut.
//===----------------------------------------------------------------------===//

#include "VerifyTest.h"

using namespace cudaopt;

namespace {

class VerifyElements : public VerifyTest {
protected:
  std::string verifyOwners() {
    return llvm::toString(verifyPrivate(
        K, *K.Instances[0], 0, /*IsDuplicated=*/false, AST->getASTContext()));
  }
  /// In blocks of other launches, if only dimensions \p Observed tell threads
  /// apart.
  std::string verifyDuplicates(std::optional<ThreadDimensions> Observed) {
    KernelInstance &Instance = *K.Instances[0];
    Instance.Block.IsUnseen = true;
    Instance.Observed = Observed;
    return llvm::toString(verifyPrivate(K, Instance, 0, /*IsDuplicated=*/true,
                                        AST->getASTContext()));
  }
  std::string verifyCut(uint64_t NumElements) {
    return llvm::toString(verifyTrimmed(K, *K.Instances[0], 0, NumElements,
                                        AST->getASTContext()));
  }
};

} // namespace

TEST_F(VerifyElements, OneElementOfEachThread) {
  parse(kernel("tile[y][x] = in[x];\n"
               "for (int k = 0; k < n; ++k) tile[y][x] += tile[y][x];\n"
               "if (x > n) out[x] = tile[y][31 - (31 - x)];\n"),
        {32, 8, 1});
  EXPECT_EQ(verifyOwners(), "");
}

TEST_F(VerifyElements, AnElementOfTwoThreads) {
  parse(kernel("tile[y][x] = in[x];\n"
               "out[x] = tile[7 - y][x];\n"),
        {32, 8, 1});
  EXPECT_EQ(verifyOwners(), "thread 0 accesses elements 0 and 224 of 'tile'");
}

// Threads of another z have the same element.
TEST_F(VerifyElements, ADimensionThatIsNotInTheSubscript) {
  parse(kernel("tile[y][x] = in[x];\n"), {4, 4, 2});
  EXPECT_EQ(verifyOwners(), "threads 0 and 16 access element 0 of 'tile'");
}

TEST_F(VerifyElements, AnElementThatIsNotThere) {
  parse(kernel("tile[y][x] = in[x];\n"), {33, 1, 1});
  EXPECT_EQ(verifyOwners(), "thread 32 accesses an element of 'tile' that is "
                            "not known or not there");
  EXPECT_EQ(verifyCut(1024), "thread 32 accesses an element of 'tile' that is "
                             "not known or not there");
}

TEST_F(VerifyElements, AnElementThatIsNotKnown) {
  parse(kernel("tile[y][n] = in[x];\n"), {32, 1, 1});
  EXPECT_EQ(verifyOwners(), "thread 0 accesses an element of 'tile' that is "
                            "not known or not there");
}

// Blocks may differ.
TEST_F(VerifyElements, AnElementOfTheBlock) {
  parse(kernel("tile[blockIdx.x == 0 ? x : 0][0] = in[x];\n"), {32, 1, 1},
        {8, 1, 1});
  EXPECT_EQ(verifyOwners(), "threads 0 and 1 access element 0 of 'tile'");
}

TEST_F(VerifyElements, CutBehindTheLastElement) {
  parse(kernel("for (int r = y; r < 12; r += 8) tile[r][x] = in[x];\n"),
        {32, 8, 1});
  EXPECT_EQ(verifyCut(12 * 32), "");
  EXPECT_EQ(verifyCut(11 * 32),
            "thread 96 accesses element 352 of 'tile', which has 352");
}

TEST_F(VerifyElements, AnElementOfDuplicates) {
  parse(kernel("if (x < n) tile[y][x] = in[x];\n"
               "if (y > 3) out[x] = tile[y][x];\n"),
        {});
  EXPECT_EQ(verifyDuplicates(ThreadDimensions{true, true, false}), "");
  EXPECT_EQ(verifyDuplicates(std::nullopt),
            "the threads that access 'tile' are not known");
}

// The kernel tells more threads apart than have elements.
TEST_F(VerifyElements, AnElementOfThreadsThatAreNoDuplicates) {
  parse(kernel("tile[0][x] = in[x];\n"
               "if (y > 3) out[x] = tile[0][x];\n"),
        {});
  EXPECT_EQ(verifyDuplicates(ThreadDimensions{true, true, false}),
            "element of 'tile' that thread 22 accesses is not its own");
}

// Or it does not say so.
TEST_F(VerifyElements, DuplicatesThatDiffer) {
  parse(kernel("if (threadIdx.z == 0) tile[y][x] = in[x];\n"
               "out[x] = tile[y][x];\n"),
        {});
  EXPECT_EQ(verifyDuplicates(ThreadDimensions{true, true, false}),
            "thread 484 does not access 'tile' as those do that are said to be "
            "its duplicates");
}

TEST_F(VerifyElements, TwoElementsOfDuplicates) {
  parse(kernel("tile[y][x] = in[x];\n"
               "out[x] = tile[y][31 - x];\n"),
        {});
  EXPECT_EQ(verifyDuplicates(ThreadDimensions{true, true, false}),
            "element of 'tile' that thread 0 accesses is not its own");
}
