// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The verifier: which layouts and which promises of a plan it lets pass, and
/// what runs of the code of a kernel show.
//===----------------------------------------------------------------------===//

#include "VerifyTest.h"

using namespace cudaopt;

//===----------------------------------------------------------------------===//
// Layouts and costs
//===----------------------------------------------------------------------===//

static const char *const Columns = "tile[y][x] = 1;\n"
                                   "out[0] = tile[x][y];\n";

// Eight warps write a row each and read a column each.
TEST_F(VerifyTest, AConflictFreePlanPasses) {
  parse(kernel(Columns), {32, 8, 1});
  expectWavefronts(pad(1), 8 + 8 * 32, 8 + 8);
  expectWavefronts(swizzle(0, 5, 0), 8 + 8 * 32, 8 + 8);
}

TEST_F(VerifyTest, AWrongPaddingIsFound) {
  parse(kernel(Columns), {32, 8, 1});
  EXPECT_EQ(verify(pad(2), {264, 16}),
            "wavefronts of 'tile' recounted: after 24 (plan says 16)");
}

// Even if the plan says so itself.
TEST_F(VerifyTest, AWorseLayoutIsRejected) {
  parse(kernel("tile[x][x] = 0;"), {32, 1, 1});
  EXPECT_EQ(verify(pad(31), {1, 32}),
            "wavefronts of 'tile' recounted: 1 before, 32 after");
}

// Diagonals are free as written; with 31 elements of padding they conflict.
TEST_F(VerifyTest, AWorseLayoutIsRejectedThoughTheCostIsNotExact) {
  parse(kernel("if (n > 3) out[0] = tile[x][x];"), {32, 1, 1});
  expectInexact(swizzle(31, 1, 0));
  EXPECT_EQ(verify(pad(31), {1, 1}, /*IsExact=*/false),
            "wavefronts of 'tile' recounted: 1 before, 32 after");
}

TEST_F(VerifyTest, AnArrayOfOneDimensionNeedsAPitch) {
  parse("#include \"cuda.h\"\n"
        "__global__ void k() { __shared__ float s[1024];\n"
        "  s[threadIdx.x * 32] = 1; }",
        {32, 1, 1});
  EXPECT_NE(verify(pad(1), {32, 1}), "");
  expectWavefronts(pad(1, 32), 32, 1);
}

// 96 rows of 128 floats take all 48 KiB.
TEST_F(VerifyTest, MoreThanABlockMayHaveIsRejected) {
  parse("#include \"cuda.h\"\n"
        "__global__ void k() { __shared__ float s[96][128];\n"
        "  s[threadIdx.x][0] = 1; }",
        {32, 1, 1});
  EXPECT_NE(verify(pad(1), {32, 1}).find("shared memory"), std::string::npos);
  expectWavefronts(swizzle(0, 5, 0), 32, 1);
}

// 32 blocks of 4096 bytes, or 25 of 8064.
TEST_F(VerifyTest, StorageThatLeavesRoomForFewerBlocksIsRejected) {
  parse(kernel("tile[x][x] = 0;"), {32, 1, 1});
  Plan P;
  P.Reuse.emplace().ChoosesLayouts = true;
  P.Layouts[0].SourceCost = {1, 1};
  P.Layouts[0].New = pad(31);
  EXPECT_EQ(verify(P), "25 blocks fit on a multiprocessor instead of 32");
  P.Layouts[0].New = pad(2);
  EXPECT_EQ(verify(P), "");
}

// Its size is the third argument of the launch.
TEST_F(VerifyTest, AnExternArrayMustNotGrow) {
  parse(kernel(Columns), {32, 8, 1});
  K.Arrays[0].IsExtern = true;
  EXPECT_EQ(verify(pad(1), {264, 16}),
            "'tile' needs 4224 bytes, and the launch gives 4096");
  expectWavefronts(swizzle(0, 5, 0), 264, 16);
}

// What the plan expects of merged accesses is not counted here, but what it
// says of the source must be right.
TEST_F(VerifyTest, ALayoutMadeForMergingMayLoseWithout) {
  parse(kernel("tile[x][x] = 0;"), {32, 1, 1});
  Plan P;
  P.Layouts[0].New = pad(31);
  P.Layouts[0].Cost = {2, 1};
  P.Layouts[0].SourceCost = {1, 32};
  EXPECT_EQ(verify(P), "");
  P.Layouts[0].SourceCost = {32, 1};
  EXPECT_NE(verify(P), "");
  P.Layouts[0].SourceCost = {1, 32};
  P.Layouts[0].IsExact = false;
  EXPECT_NE(verify(P), "");
}

// The subscript is not the array's: it does not say which element it is.
TEST_F(VerifyTest, AnAccessThroughAPointerIsNotCounted) {
  parse(kernel("tile[x][x] = 0;"), {32, 1, 1});
  K.Instances[0]->Accesses[0].Subscripts.pop_back();
  EXPECT_EQ(verify(pad(31), {5, 7}), "");
}

TEST_F(VerifyTest, AnAssumedShapeProvesNothing) {
  parse(kernel("tile[x][x] = 0;"), {32, 1, 1});
  K.Instances[0]->Block.Origin = ShapeOrigin::Assumed;
  expectInexact(pad(32));
  EXPECT_NE(verify(pad(31), {-1, -1}), "");
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

TEST_F(VerifyTest, AnAccessCountsOnceForEachIteration) {
  parse(kernel("for (int j = 0; j < 32; j += 8)\n"
               "  for (int k = 3; k--;)\n"
               "    tile[x][y + j] += k;\n"),
        {32, 8, 1});
  // Reads and writes, 8 warps, 4 * 3 iterations.
  expectWavefronts(pad(1), 2 * 8 * 12 * 32, 2 * 8 * 12);
}

// Threads run the loop 2 or 3 times: the last iteration has 8 lanes of 32.
TEST_F(VerifyTest, LanesLeaveALoopOneByOne) {
  parse(kernel("for (unsigned i = x; i < 72; i += 32)\n"
               "  tile[i % 32][i / 32] = in[i];\n"),
        {32, 1, 1});
  expectWavefronts(pad(1), 32 + 32 + 8, 3);
}

TEST_F(VerifyTest, WhileDoBreakAndContinueAreFollowed) {
  parse(kernel("int i = 0;\n"
               "while (true) {\n"
               "  if (++i == 3) continue;\n"
               "  if (i > 5) break;\n"
               "  tile[x][i] = 0;\n" // i = 1, 2, 4, 5
               "}\n"
               "do { tile[x][i] = 0; i -= 2; } while (i > 0);\n"), // 6, 4, 2
        {32, 1, 1});
  expectWavefronts(pad(1), 7 * 32, 7);
}

TEST_F(VerifyTest, ThreadsThatReturnAccessNothing) {
  parse(kernel("if (x >= 16 || y == 1) return;\n"
               "tile[x][y] = 0;\n"),
        {32, 2, 1});
  expectWavefronts(pad(1), 16, 1);
}

// 17u - 18 and x - 32 are large, so no thread takes the first branches.
TEST_F(VerifyTest, ArithmeticIsThatOfC) {
  parse(kernel("unsigned u = x % 2 + 16u;\n"
               "size_t size = x;\n"
               "if (u - 18 < 100 || size - 32 < 100) tile[0][1] = 0;\n"
               "else if (-x / 2 == -(x / 2) && -2L * x >> 1 == -x &&\n"
               "         (x ^ 1) != x && (unsigned char)(x + 256) == x)\n"
               "  tile[x][0] = 0;\n"),
        {32, 1, 1});
  expectWavefronts(pad(1), 32, 1);
}

TEST_F(VerifyTest, FunctionsOfOneReturnAreCalled) {
  parse("__attribute__((device)) constexpr int twice(int a) { return 2 * a; }\n"
        "enum { Last = 15 };\n" +
            kernel("constexpr int Limit = Last;\n"
                   "tile[min(twice(x), Limit + 16)][sizeof(int)] = 0;\n"),
        {32, 1, 1});
  // Rows 0, 2, ..., 30 and 16 times row 31: 17 words in bank 4.
  expectWavefronts(pad(1), 17, 1);
}

TEST_F(VerifyTest, AtomicsOnOneAddressSerialise) {
  parse("#include \"cuda.h\"\n"
        "__global__ void k() { __shared__ int bins[8][32];\n"
        "  atomicAdd(&bins[threadIdx.x / 4][0], 1); }",
        {32, 1, 1});
  expectWavefronts(pad(1), 32, 4);
}

// As clang's own CUDA headers declare them, if their bodies are not parsed.
TEST_F(VerifyTest, ThreadIdxNeedsNoBody) {
  parse("struct __cuda_builtin_threadIdx_t {\n"
        "  __declspec(property(get = __fetch_builtin_x)) unsigned x;\n"
        "  static __attribute__((device)) unsigned __fetch_builtin_x();\n"
        "};\n"
        "extern const __attribute__((device)) __cuda_builtin_threadIdx_t "
        "threadIdx;\n"
        "__attribute__((global)) void k() {\n"
        "  __attribute__((shared)) float tile[32][32];\n"
        "  tile[threadIdx.x][0] = 1;\n"
        "}\n",
        {32, 1, 1});
  expectWavefronts(pad(1), 32, 1);
}

TEST_F(VerifyTest, TemplateArgumentsAreKnown) {
  parse("#include \"cuda.h\"\n"
        "template <int N> __global__ void k() {\n"
        "  __shared__ float tile[N][N];\n"
        "  if constexpr (N > 16) tile[threadIdx.x % N][N / 2] = 1;\n"
        "}\n"
        "template __global__ void k<32>();\n",
        {32, 1, 1});
  expectWavefronts(pad(1), 32, 1);
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

// Block 0 reads columns, the three others rows.
TEST_F(VerifyTest, BlocksAreAveraged) {
  parse(kernel("if (blockIdx.x == 0) out[0] = tile[x][0];\n"
               "else out[0] = tile[0][x];\n"),
        {32, 1, 1}, {4, 1000, 1000});
  expectWavefronts(pad(1), (32 + 3) / 4., 1);
}

TEST_F(VerifyTest, AnUnknownGridMattersOnlyIfTheBlockIsUsed) {
  parse(kernel("tile[x][0] = in[blockIdx.x];"), {32, 1, 1});
  expectWavefronts(pad(1), 32, 1);
}

TEST_F(VerifyTest, AnUnknownGridMakesTheCountInexact) {
  parse(kernel("tile[x][blockIdx.x % 32] = 0;"), {32, 1, 1});
  expectInexact(pad(1));
}

TEST_F(VerifyTest, ALargeGridMakesTheCountInexact) {
  parse(kernel("tile[x][blockIdx.x % 32] = 0;"), {32, 1, 1}, {5000, 1, 1});
  expectInexact(pad(1));
}

// Nothing is known of the condition, in whichever block: one stands for all.
TEST_F(VerifyTest, ABlockInAnUnknownConditionDoesNotMatter) {
  for (const char *Unknown : {"blockIdx.x < n", "blockIdx.x * n + x < 7 && n",
                              "(n ? blockIdx.x : n) == 0"}) {
    K = Kernel();
    parse(kernel("int c = 0; if (" + std::string(Unknown) +
                 ") c = 1; tile[x][0] = 0;"),
          {32, 1, 1}, {1000, 1000, 1000});
    expectWavefronts(pad(1), 32, 1);
  }
}

// Whether a quotient is known depends on the block, and so does the rest.
TEST_F(VerifyTest, ABlockMattersIfItTellsWhatIsKnown) {
  parse(kernel("int q = 4 / int(blockIdx.x);\n"
               "if (q == 4) out[0] = tile[x][0];\n"),
        {32, 1, 1}, {4, 1, 1});
  expectInexact(pad(1));
  K = Kernel();
  parse(kernel("int q = 4 / int(blockIdx.x + 1);\n"
               "if (q == 4) out[0] = tile[x][0];\n"),
        {32, 1, 1}, {4, 1, 1});
  expectWavefronts(pad(1), 32 / 4., 1 / 4.);
}

// More blocks than the budget allows: an even spread of them is run.
TEST_F(VerifyTest, BlocksBeyondTheBudgetAreSampled) {
  parse(kernel("for (int i = 0; i < 100; ++i)\n"
               "  tile[x][(i + blockIdx.x) % 32] = 0;"),
        {32, 32, 1}, {4000, 1, 1});
  expectInexact(pad(1));
}

//===----------------------------------------------------------------------===//
// What is not known
//===----------------------------------------------------------------------===//

TEST_F(VerifyTest, AnArgumentIsUnknown) {
  parse(kernel("tile[x][n] = 0;"), {32, 1, 1});
  expectInexact(pad(1));
}

TEST_F(VerifyTest, AnUnknownConditionMakesWhatItGuardsInexact) {
  parse(kernel("if (n) tile[x][0] = 0;"), {32, 1, 1});
  expectInexact(pad(1));
}

TEST_F(VerifyTest, AnUnknownReturnMakesTheRestInexact) {
  parse(kernel("if (n) return; tile[x][0] = 0;"), {32, 1, 1});
  expectInexact(pad(1));
}

TEST_F(VerifyTest, ALocalIsUnknownWhereBranchesDisagree) {
  parse(kernel("int c = 0; if (n) c = 1; tile[x][c] = 0;"), {32, 1, 1});
  expectInexact(pad(1));
}

TEST_F(VerifyTest, ALocalIsKnownWhereBranchesAgree) {
  parse(kernel("int c = 0; if (n) c = 2 - 2; tile[x][c] = 0;"), {32, 1, 1});
  expectWavefronts(pad(1), 32, 1);
}

TEST_F(VerifyTest, ALocalThatHasAnotherNameIsUnknown) {
  for (const char *Alias :
       {"int &other = c; other = 1;", "int *p = &c; *p = 1;",
        "auto f = [&] { c = 1; }; f();", "int &other = (c = 2); other = 1;",
        "asm(\"mov %0, 1;\" : \"=r\"(c));"}) {
    K = Kernel();
    parse(kernel("int c = 0; " + std::string(Alias) + " tile[x][c] = 0;"),
          {32, 1, 1});
    expectInexact(pad(1));
  }
}

TEST_F(VerifyTest, ALoopOfUnknownLengthForgetsWhatItAssigns) {
  parse(kernel("int c = 0; while (in[c]) c = 1 - c; tile[x][c] = 0;"),
        {32, 1, 1});
  expectInexact(pad(1));
}

// In another layout it would be another element.
TEST_F(VerifyTest, ASubscriptOutsideItsDimensionIsFound) {
  for (const char *Outside : {"tile[x][x + 1] = 0;", "tile[x - 1][3] = 0;",
                              "if (x == 3) tile[x][32] = 0;"}) {
    K = Kernel();
    parse(kernel(Outside), {32, 1, 1});
    EXPECT_EQ(verify(pad(1), {-1, -1}), "a thread leaves a row of 'tile'")
        << Outside;
  }
}

TEST_F(VerifyTest, ASubscriptThatMayBeOutsideIsNotCounted) {
  parse(kernel("if (n) tile[x - 1][3] = 0;"), {32, 1, 1});
  expectInexact(pad(1));
}

TEST_F(VerifyTest, AnAssignedAssignmentIsKnown) {
  parse(kernel("int c = 0; (c = 2) = 1; tile[x][c] = 0;"), {32, 1, 1});
  expectWavefronts(pad(1), 32, 1);
}

TEST_F(VerifyTest, ASwitchIsFollowed) {
  parse(kernel("switch (x) { case 0: return; case 2: x = 3; }\n"
               "tile[x][0] = 0;"),
        {32, 1, 1});
  expectWavefronts(pad(1), 30, 1);
}

TEST_F(VerifyTest, ASwitchOfUnknownValueMakesWhatItGuardsInexact) {
  parse(kernel("switch (n) { case 0: tile[x][0] = 0; }"), {32, 1, 1});
  expectInexact(pad(1));
}

// Short circuits bring threads to one statement on two ways, at once.
TEST_F(VerifyTest, ThreadsMeetWhereTheyCan) {
  parse(kernel("if (x % 4 == 0 || x % 4 == 1) tile[x][0] = 0;"), {32, 1, 1});
  expectWavefronts(pad(1), 16, 1);
}

TEST_F(VerifyTest, FunctionsAreFollowed) {
  parse("#include \"cuda.h\"\n"
        "__device__ void put(float *p, int n, bool b) {\n"
        "  if (b) return;\n"
        "  for (int i = 0; i < n; ++i) p[i] = 0;\n"
        "}\n"
        "__global__ void k() { __shared__ float tile[32][32];\n"
        "  tile[threadIdx.x][4] = 1;\n"
        "  put(tile[threadIdx.x], 3, threadIdx.x > 15); }\n",
        {32, 1, 1});
  expectWavefronts(pad(1), 32 + 3 * 16, 1 + 3);
}

// The values behind a loop of unknown length are those of any iteration.
TEST_F(VerifyTest, WhatALoopOfUnknownLengthLeavesIsUnknown) {
  parse(kernel("int c = 0; for (int i = 0; i < n; ++i) c = i & 1;\n"
               "tile[x][c] = 0;\n"),
        {32, 1, 1});
  expectInexact(pad(1));
}

TEST_F(VerifyTest, WhatALoopOfUnknownLengthKeepsIsKnown) {
  parse(kernel("int c = 0; for (int i = 0; i < n; ++i) { c = 1; c = 0; }\n"
               "tile[x][c] = 0;\n"),
        {32, 1, 1});
  expectWavefronts(pad(1), 32, 1);
}

// Neither may hang: the loop has no end, or one beyond the budget.
TEST_F(VerifyTest, TheBudgetEndsEveryLoop) {
  for (const char *Loop :
       {"for (;;)", "for (long i = 0; i < 1000000000; ++i)"}) {
    K = Kernel();
    parse(kernel(std::string(Loop) + " tile[x][0] = 0;"), {32, 1, 1});
    expectInexact(pad(1));
  }
}
