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
  std::string verifyElements(llvm::function_ref<void(ReuseDecision &)> Say) {
    Plan P;
    Say(P.Reuse.emplace());
    const auto Found = check::compareElements(*Code, claim(P).front());
    return Found ? Found->Text : "";
  }
  std::string verifyOwners() {
    return verifyElements([](ReuseDecision &Reuse) { Reuse.Private = {0}; });
  }
  /// In blocks of other launches, if only dimensions \p Observed tell threads
  /// apart.
  std::string verifyDuplicates(std::optional<ThreadDimensions> Observed) {
    KernelInstance &Instance = *K.Instances[0];
    Instance.Block.IsUnseen = true;
    Instance.Observed = Observed;
    return verifyElements([](ReuseDecision &Reuse) {
      Reuse.Private = {0};
      Reuse.Duplicated = {0};
    });
  }
  std::string verifyCut(uint64_t NumRows) {
    return verifyElements(
        [&](ReuseDecision &Reuse) { Reuse.Trimmed = {{0, NumRows}}; });
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
  EXPECT_EQ(verifyCut(32), "thread 32 accesses an element of 'tile' that is "
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
  EXPECT_EQ(verifyCut(12), "");
  EXPECT_EQ(verifyCut(11),
            "thread 96 accesses element 352 of 'tile', which has 352");
}

TEST_F(VerifyElements, AnElementOfDuplicates) {
  parse(kernel("if (x < n) tile[y][x] = in[x];\n"
               "if (y > 3) out[x] = tile[y][x];\n"),
        {});
  EXPECT_EQ(verifyDuplicates(ThreadDimensions{true, true, false}), "");
  EXPECT_EQ(verifyDuplicates(std::nullopt),
            "thread 1 does not access 'tile' as those do that are said to be "
            "its duplicates");
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

//===----------------------------------------------------------------------===//
// What runs do not see passes nothing
//===----------------------------------------------------------------------===//

// Iterations of a loop whose end is not known are taken together.
TEST_F(VerifyElements, AnElementOfALateIteration) {
  parse(kernel("for (int k = 0; k < n; ++k)\n"
               "  tile[y][k < 1000 ? x : 31 - x] = in[x];\n"),
        {32, 8, 1});
  EXPECT_EQ(verifyOwners(), "thread 0 accesses an element of 'tile' that is "
                            "not known or not there");
  K = Kernel();
  parse(kernel("for (int k = 0; k < n; ++k) tile[y][x] += k;\n"), {32, 8, 1});
  EXPECT_EQ(verifyOwners(), "");
}

TEST_F(VerifyElements, ALoopBeyondTheBudget) {
  parse(kernel("for (long k = 0; k < 100000000; ++k)\n"
               "  tile[y][k < 99999999 ? x : 0] = in[k];\n"),
        {32, 8, 1});
  EXPECT_EQ(verifyOwners(),
            "the threads that access 'tile' do too much to be run");
}

TEST_F(VerifyElements, AFunctionThatCallsItself) {
  parse("__attribute__((device)) int f(int n) { return n ? f(n - 1) : 0; }\n" +
            kernel("tile[y][x] = f(n);\n"),
        {32, 8, 1});
  EXPECT_EQ(verifyOwners(), "the threads that access 'tile' cannot be run");
}

// No subscript of the array's, so that the tree would not show it.
TEST_F(VerifyElements, AnElementThroughAPointer) {
  parse(kernel("tile[y][x] = in[x];\n"
               "float *row = tile[y];\n"
               "out[x] = row[31 - x];\n"),
        {32, 8, 1});
  EXPECT_EQ(verifyOwners(), "thread 0 accesses elements 0 and 31 of 'tile'");
}

TEST_F(VerifyElements, AWideAccessToTwoElements) {
  parse(kernel("*(double *)&tile[y][2 * x] = in[x];\n"), {16, 8, 1});
  EXPECT_EQ(verifyOwners(), "thread 0 accesses an element of 'tile' that is "
                            "not known or not there");
}

// A thread that may be gone accesses all the same.
TEST_F(VerifyElements, AnElementBehindAnExit) {
  parse(kernel("tile[y][x] = in[x];\n"
               "asm volatile(\"@%0 exit;\" :: \"r\"(n));\n"
               "out[x] = tile[y][31 - x];\n"),
        {32, 8, 1});
  EXPECT_EQ(verifyOwners(), "thread 0 accesses elements 0 and 31 of 'tile'");
}
