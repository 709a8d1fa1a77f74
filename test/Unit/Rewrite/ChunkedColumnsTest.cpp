// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The text of an xor where compilers merge neighbouring columns: it keeps
/// chunks of them visibly together.
//===----------------------------------------------------------------------===//

#include "RewrittenKernel.h"
#include "cudaopt/Model/ArrayViews.h"

using namespace cudaopt;
// Compilers merge loads of neighbours where they see that an xor keeps them
// together.
TEST(ChunkedColumnsTest, ChunksStayTogetherVisibly) {
  std::string Code = kernel("[32][32]", "[y][x]");
  auto Rewrite = [&](const Layout &New, bool MayUnroll = true) {
    ParsedKernel P(Code);
    P.addLoop(MayUnroll);
    return bracketsOf(rewrite(P, Code, New), 5);
  };
  EXPECT_EQ(Rewrite(swizzle(0, 2, 1)),
            "[y][((x & ~1) ^ ((y & 3) << 1)) + (x & 1)]");
  // No load takes more than 16 bytes.
  EXPECT_EQ(Rewrite(swizzle(0, 2, 3)),
            "[y][((x & ~3) ^ ((y & 3) << 3)) + (x & 3)]");
  EXPECT_EQ(Rewrite(swizzle(0, 2)), "[y][x ^ (y & 3)]");
  EXPECT_EQ(Rewrite(swizzle(0, 2, 1), false), "[y][x ^ ((y & 3) << 1)]");

  Code = kernel("[2704]", "[y * 52 + x]");
  ParsedKernel Flat(Code);
  Flat.splitSubscripts(52);
  Flat.addLoop();
  std::string After = rewrite(Flat, Code, swizzle(2, 1, 1, 52));
  EXPECT_EQ(bracketsOf(After, 5),
            "[y * 52 + ((x & ~1) ^ ((y >> 2 & 1) << 1)) + (x & 1)]");
}

// A cast names the first column of a chunk; no other neighbours can be merged.
TEST(ChunkedColumnsTest, OtherAccessesAreWrittenPlainly) {
  std::string Code = kernel("[32][32]", "[y][x]");
  for (auto Change :
       {+[](Access &A, ValueGraph &) { A.Chunk = 4; },
        +[](Access &A, ValueGraph &) { A.Kind = AccessKind::Atomic; },
        +[](Access &A, ValueGraph &) { A.Index.clear(); },
        // Begins at any column.
        +[](Access &A, ValueGraph &Values) {
          A.Terms.push_back({A.Subscripts[1], Values.threadIdx(0)});
          A.Index[1] = Values.operation(ValueKind::Add, {},
                                        {A.Index[1], Values.threadIdx(0)});
        }}) {
    ParsedKernel P(Code);
    P.addLoop();
    Change(P.K.Instances[0]->Accesses[0], P.K.Instances[0]->Values);
    EXPECT_EQ(bracketsOf(rewrite(P, Code, swizzle(0, 2, 2)), 5),
              "[y][x ^ ((y & 3) << 2)]");
  }
}

// What each thread adds to the number stays apart from it, as far as it is a
// multiple of the chunk; a number below the chunk needs no mask.
TEST(ChunkedColumnsTest, ChunksAreAsLargeAsAligned) {
  const std::string Code = kernel("[32][32]", "[y][x + 2 * y]");
  auto Rewrite = [&](int64_t Trips) {
    ParsedKernel P(Code);
    P.addLoop(true, Trips);
    Access &A = P.K.Instances[0]->Accesses[0];
    ValueGraph &Values = P.K.Instances[0]->Values;
    const auto Terms = flattenSum(A.Subscripts[1], P.context());
    const ValueId Even = Values.operation(
        ValueKind::Mul, {}, {Values.threadIdx(0), Values.constant(2)});
    A.Terms = {{Terms[0], A.Index[1]}, {Terms[1], Even}};
    A.Index[1] = Values.operation(ValueKind::Add, {}, {A.Index[1], Even});
    return bracketsOf(rewrite(P, Code, swizzle(0, 2, 2)), 5);
  };
  EXPECT_EQ(Rewrite(8), "[y][((2 * y + (x & ~1)) ^ ((y & 3) << 2)) + (x & 1)]");
  EXPECT_EQ(Rewrite(2), "[y][(2 * y ^ ((y & 3) << 2)) + x]");
}

// Columns 2 * t and 2 * t + 1: neighbours that the author wrote down.
TEST(ChunkedColumnsTest, NeighboursOfTheAuthor) {
  const std::string Code = kernel("[32][32]", "[y][x + 1]");
  ParsedKernel P(Code);
  KernelInstance &Instance = *P.K.Instances[0];
  ValueGraph &Values = Instance.Values;
  const ValueId Even = Values.operation(
      ValueKind::Mul, {}, {Values.threadIdx(0), Values.constant(2)});
  const ValueId Odd =
      Values.operation(ValueKind::Add, {}, {Even, Values.constant(1)});
  Access &A = Instance.Accesses[0];
  const auto Terms = flattenSum(A.Subscripts[1], P.context());
  A.Index = {Even, Odd};
  A.Terms = {{Terms[0], Even}, {Terms[1], Values.constant(1)}};
  Instance.Accesses.push_back(A);
  Instance.Accesses[1].Index = {Even, Even};
  EXPECT_EQ(bracketsOf(rewrite(P, Code, swizzle(0, 2, 2)), 5),
            "[y][(x ^ ((y & 3) << 2)) + 1]");
}
