// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which accesses the compiler is taken to merge; each as nvcc 13.0 compiles
/// it.
//===----------------------------------------------------------------------===//

#include "cudaopt/Analysis/BankConflicts.h"

#include "../HandMadeKernel.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace cudaopt;
using testing::ElementsAre;
using testing::Pair;

/// The bytes a lane of the instructions for \p Array under rows of \p Pitch
/// elements (0: as declared), and how many of them there are.
static std::map<unsigned, double> countWidths(HandMadeKernel &H, ArrayId Array,
                                              uint64_t Pitch = 0) {
  const ArrayShape &Shape = H.instance().Shapes[Array];
  const uint64_t Columns = Shape.Extents.back();
  const auto Address = [&](uint32_t Element, unsigned Offset) {
    const uint64_t Place =
        Element / Columns * (Pitch ? Pitch : Columns) + Element % Columns;
    return Place * Shape.ElementSize + Offset;
  };
  std::map<unsigned, double> Widths;
  for (const LanePattern &P : collectPatterns(H.instance(), Array).Patterns)
    for (unsigned First = 0; First < P.Count;) {
      const unsigned Merged = findMerged(P, Address, First);
      Widths[P.Width * Merged] += P.Weight;
      First += Merged;
    }
  return Widths;
}

// s[x][k] in an unrolled loop: the pitch decides.
TEST(MergedAccessesTest, RowsInAnUnrolledLoop) {
  HandMadeKernel H({32, 1, 1});
  ArrayId Tile = H.array({32, 32}, 4);
  ValueId K = H.beginLoop(32);
  H.read(Tile, {H.threadX(), K});
  EXPECT_THAT(countWidths(H, Tile), ElementsAre(Pair(16, 8)));
  EXPECT_THAT(countWidths(H, Tile, 33), ElementsAre(Pair(4, 32)));
  EXPECT_THAT(countWidths(H, Tile, 34), ElementsAre(Pair(8, 16)));
  EXPECT_THAT(countWidths(H, Tile, 36), ElementsAre(Pair(16, 8)));
}

// A warp that reads one row only, and that row at an aligned place, does not
// merge if other warps cannot; a row that is the same for all does.
TEST(MergedAccessesTest, AllWarpsOrNone) {
  for (bool IsOneRow : {false, true}) {
    HandMadeKernel H({32, 4, 1});
    ArrayId Tile = H.array({4, 32}, 4);
    ValueId K = H.beginLoop(32);
    H.read(Tile, {IsOneRow ? H.constant(0) : H.threadY(), K});
    const std::map<unsigned, double> Widths = countWidths(H, Tile, 33);
    if (IsOneRow)
      EXPECT_THAT(Widths, ElementsAre(Pair(16, 32)));
    else
      EXPECT_THAT(Widths, ElementsAre(Pair(4, 128)));
  }
}

// 10 elements: two times four, then two. 52 doubles: 26 times two. Elements of
// 2 bytes: four at most.
TEST(MergedAccessesTest, TripCountsAndWidths) {
  HandMadeKernel H({32, 1, 1});
  ArrayId Floats = H.array({32, 20}, 4), Doubles = H.array({32, 52}, 8),
          Shorts = H.array({32, 16}, 2);
  ValueId K = H.beginLoop(10);
  H.read(Floats, {H.threadX(), K});
  H.endLoop();
  ValueId L = H.beginLoop(52);
  H.read(Doubles, {H.threadX(), L});
  H.endLoop();
  H.read(Shorts, {H.threadX(), H.beginLoop(16)});
  EXPECT_THAT(countWidths(H, Floats), ElementsAre(Pair(8, 1), Pair(16, 2)));
  EXPECT_THAT(countWidths(H, Doubles), ElementsAre(Pair(16, 26)));
  EXPECT_THAT(countWidths(H, Shorts), ElementsAre(Pair(8, 4)));
}

// A loop of unknown trip count is unrolled by four, and half of that is known
// to be aligned.
TEST(MergedAccessesTest, UnknownTripCount) {
  HandMadeKernel H({32, 1, 1});
  ArrayId Tile = H.array({32, 32}, 4);
  ValueId K = H.beginLoop();
  H.setCondition(H.less(K, H.parameter()));
  H.read(Tile, {H.threadX(), K});
  EXPECT_THAT(countWidths(H, Tile), ElementsAre(Pair(8, 5)));
}

// The same, if the block's shape is what the loop runs to.
TEST(MergedAccessesTest, TripCountOfTheBlock) {
  HandMadeKernel H({32, 1, 1});
  ArrayId Tile = H.array({32, 32}, 4);
  ValueId K = H.beginLoop(32);
  H.instance().Loops.back().HasConstantBounds = false;
  H.read(Tile, {H.threadX(), K});
  EXPECT_THAT(countWidths(H, Tile), ElementsAre(Pair(8, 16)));
}

// #pragma unroll N.
TEST(MergedAccessesTest, WantedUnroll) {
  for (auto [Wanted, Width] : {std::pair(2u, 8u), {3, 4}, {4, 8}, {8, 16}}) {
    HandMadeKernel H({32, 1, 1});
    ArrayId Tile = H.array({32, 64}, 4);
    ValueId K = H.beginLoop(64);
    H.instance().Loops.back().WantedUnroll = Wanted;
    H.read(Tile, {H.threadX(), K});
    EXPECT_THAT(countWidths(H, Tile),
                ElementsAre(Pair(Width, 64.0 * 4 / Width)))
        << Wanted;
  }
}

// A nest of 512 accesses is unrolled as a whole if a pragma asks for that.
TEST(MergedAccessesTest, NestThatIsUnrolledWholly) {
  for (bool HasPragma : {false, true}) {
    HandMadeKernel H({32, 1, 1});
    ArrayId Tile = H.array({64, 8, 8}, 4);
    ValueId Column = H.beginLoop(8), Row = H.beginLoop(8),
            Plane = H.beginLoop(8);
    for (Loop &L : H.instance().Loops)
      if (HasPragma)
        L.WantedUnroll = UINT64_MAX;
    H.read(Tile, {H.add(H.threadX(), Plane), Row, Column});
    if (HasPragma)
      EXPECT_THAT(countWidths(H, Tile), ElementsAre(Pair(16, 128)));
    else
      EXPECT_THAT(countWidths(H, Tile), ElementsAre(Pair(4, 512)));
  }
}

// Two loads of one element are one request, two stores are two.
TEST(MergedAccessesTest, SameElementAgain) {
  HandMadeKernel H({32, 1, 1});
  ArrayId Read = H.array({32}, 4), Written = H.array({32}, 4);
  for (int I = 0; I < 2; ++I) {
    H.read(Read, {H.threadX()});
    H.write(Written, {H.threadX()});
  }
  EXPECT_THAT(countWidths(H, Written), ElementsAre(Pair(4, 2)));
  // A store to another array is between the loads.
  EXPECT_THAT(countWidths(H, Read), ElementsAre(Pair(4, 2)));
  H.read(Read, {H.threadX()});
  H.read(Read, {H.threadX()});
  EXPECT_THAT(countWidths(H, Read), ElementsAre(Pair(4, 3)));
}

// What keeps iterations apart: #pragma unroll 1 and the like, a store in the
// loop, a guard on the thread. A guard on the iteration does not.
TEST(MergedAccessesTest, IterationsApart) {
  for (int Case = 0; Case < 4; ++Case) {
    HandMadeKernel H({32, 1, 1});
    ArrayId Tile = H.array({32, 16}, 4), Other = H.array({32}, 4);
    ValueId K = H.beginLoop(16);
    H.instance().Loops.back().MayUnroll = Case != 0;
    if (Case >= 2)
      H.beginIf(H.less(Case == 2 ? H.threadX() : K, H.constant(8)));
    H.read(Tile, {H.threadX(), K});
    if (Case == 1)
      H.write(Other, {H.threadX()});
    const std::map<unsigned, double> Widths = countWidths(H, Tile);
    if (Case == 3)
      EXPECT_THAT(Widths, ElementsAre(Pair(16, 2)));
    else
      EXPECT_THAT(Widths, ElementsAre(Pair(4, 16))) << Case;
  }
}

// s[4 * x], s[4 * x + 1], ...; a store in between parts them.
TEST(MergedAccessesTest, Statements) {
  for (bool HasStore : {false, true}) {
    HandMadeKernel H({32, 1, 1});
    ArrayId Line = H.array({128}, 4), Other = H.array({32}, 4);
    for (int I = 0; I < 4; ++I) {
      H.read(Line, {H.add(H.mul(H.threadX(), 4), H.constant(I))});
      if (HasStore && I == 1)
        H.write(Other, {H.threadX()});
    }
    if (HasStore)
      EXPECT_THAT(countWidths(H, Line), ElementsAre(Pair(8, 2)));
    else
      EXPECT_THAT(countWidths(H, Line), ElementsAre(Pair(16, 1)));
  }
}

// s[x], s[x + 1]: aligned in half of the lanes.
TEST(MergedAccessesTest, UnknownLowBits) {
  HandMadeKernel H({32, 1, 1});
  ArrayId Line = H.array({64}, 4);
  H.read(Line, {H.threadX()});
  H.read(Line, {H.add(H.threadX(), H.constant(1))});
  EXPECT_THAT(countWidths(H, Line), ElementsAre(Pair(4, 2)));
}

// The same in a row that all share: what one warp reads is aligned, what the
// next one reads is not.
TEST(MergedAccessesTest, UnknownColumn) {
  HandMadeKernel H({32, 4, 1});
  ArrayId Tile = H.array({2, 64}, 4);
  ValueId K = H.beginLoop(32);
  H.read(Tile, {H.constant(0), H.add(H.threadY(), K)});
  EXPECT_THAT(countWidths(H, Tile), ElementsAre(Pair(4, 128)));
}

// (k + 4 * x) % 32 is contiguous, but no compiler sees that.
TEST(MergedAccessesTest, OnlyConstantDifferences) {
  HandMadeKernel H({32, 1, 1});
  ArrayId Tile = H.array({32, 32}, 4);
  ValueId K = H.beginLoop(32);
  H.read(Tile, {H.threadX(), H.rem(H.add(K, H.mul(H.threadX(), 4)), 32)});
  EXPECT_THAT(countWidths(H, Tile), ElementsAre(Pair(4, 32)));
}

// The inner loop runs down, the outer one over the columns: all of them meet.
TEST(MergedAccessesTest, NestedLoops) {
  HandMadeKernel H({8, 1, 1});
  ArrayId Cube = H.array({8, 8, 8}, 4);
  ValueId Column = H.sub(H.constant(7), H.beginLoop(8)), Row = H.beginLoop(8);
  H.read(Cube, {H.threadX(), Row, Column});
  EXPECT_THAT(countWidths(H, Cube), ElementsAre(Pair(16, 16)));
}

// s[x].x, s[x].y, ...: pieces of one element, and of nothing if the struct is
// torn apart.
TEST(MergedAccessesTest, Members) {
  HandMadeKernel H({32, 1, 1});
  ArrayId Points = H.array({32}, 16);
  for (unsigned I = 0; I < 4; ++I) {
    Access &A = H.read(Points, {H.threadX()});
    A.Width = 4;
    A.Offset = 4 * I;
  }
  EXPECT_THAT(countWidths(H, Points), ElementsAre(Pair(16, 1)));
  const std::vector<LanePattern> Patterns =
      collectPatterns(H.instance(), Points).Patterns;
  ASSERT_EQ(Patterns.size(), 1u);
  const PatternCost Apart =
      countPattern(BankMap(), Patterns[0], [](uint32_t E, unsigned Offset) {
        return uint64_t(Offset / 4 * 32 + E) * 4;
      });
  EXPECT_EQ(Apart.Requests, 4u);
  EXPECT_EQ(Apart.Wavefronts, 4u);
}

// An array that begins behind an odd one is not aligned.
TEST(MergedAccessesTest, BaseAlignment) {
  HandMadeKernel H({32, 1, 1});
  ArrayId Tile = H.array({32, 32}, 4);
  H.instance().Shapes[Tile].BaseAlignment = 4;
  H.read(Tile, {H.threadX(), H.beginLoop(32)});
  EXPECT_THAT(countWidths(H, Tile), ElementsAre(Pair(4, 32)));
}

// Stores merge like loads, atomics never.
TEST(MergedAccessesTest, StoresAndAtomics) {
  HandMadeKernel H({32, 1, 1});
  ArrayId Tile = H.array({32, 16}, 4), Sums = H.array({32, 16}, 4);
  ValueId K = H.beginLoop(16);
  H.write(Tile, {H.threadX(), K});
  H.endLoop();
  H.access(AccessKind::Atomic, Sums, {H.threadX(), H.beginLoop(16)});
  EXPECT_THAT(countWidths(H, Tile), ElementsAre(Pair(16, 4)));
  EXPECT_THAT(countWidths(H, Sums), ElementsAre(Pair(4, 16)));
}
