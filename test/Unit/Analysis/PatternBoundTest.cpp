// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The least wavefronts of a pattern, at the best width.
//===----------------------------------------------------------------------===//

#include "cudaopt/Analysis/BankConflicts.h"
#include "cudaopt/Plan/Layout.h"

#include "gtest/gtest.h"

#include <random>
#include <vector>

using namespace cudaopt;

static LanePattern pattern(unsigned Width, unsigned Count, uint32_t Stride) {
  LanePattern P = {};
  P.Width = Width;
  P.Count = Count;
  P.Weight = 1;
  P.ActiveLanes = ~0u;
  for (unsigned Lane = 0; Lane != WarpSize; ++Lane)
    P.Elements[Lane] = Lane * Stride;
  return P;
}

TEST(PatternBoundTest, TheBoundIsThatOfTheBestWidth) {
  const BankMap Map;
  EXPECT_EQ(boundPattern(Map, pattern(4, 1, 32), 4), 1u);
  EXPECT_EQ(boundPattern(Map, pattern(4, 4, 32), 4), 4u);
  // 32 lanes with 4 bytes each: one wavefront a byte, or one for all four.
  EXPECT_EQ(boundPattern(Map, pattern(1, 1, 32), 1), 1u);
  EXPECT_EQ(boundPattern(Map, pattern(1, 4, 32), 1), 1u);
  EXPECT_EQ(boundPattern(Map, pattern(1, 16, 32), 1), 4u);
  // 16 doubles cannot be merged into one access of each lane, but two can.
  EXPECT_EQ(boundPattern(Map, pattern(8, 16, 16), 8), 32u);
}

// All lanes read the same: four requests, or two phases of one.
TEST(PatternBoundTest, TheBoundKnowsWhichLanesAgree) {
  LanePattern P = pattern(4, 4, 0);
  EXPECT_EQ(boundPattern({}, P, 4), 2u);
  P.Op = MemoryOp::Store;
  EXPECT_EQ(boundPattern({}, P, 4), 4u);
}

/// Layouts of some 16-bit array of rows of 32, good and bad.
static std::vector<Layout> makeLayouts() {
  std::vector<Layout> Layouts(1);
  for (unsigned Padding : {1, 2, 8}) {
    Layouts.emplace_back().Kind = Layout::Family::Pad;
    Layouts.back().Padding = Padding;
  }
  for (BitTerm Term :
       {BitTerm{1, 0, 5, false, 1}, BitTerm{1, 0, 2, false, 8}}) {
    Layouts.emplace_back().Kind = Layout::Family::Xor;
    Layouts.back().Terms = {Term};
  }
  Layouts.emplace_back().Kind = Layout::Family::Permute;
  Layouts.back().Order = {1, 0};
  Layouts.emplace_back().Kind = Layout::Family::Rotate;
  Layouts.back().Step = 8;
  return Layouts;
}

TEST(PatternBoundTest, NoLayoutPassesTheBound) {
  std::mt19937 Random(3);
  ArrayShape Shape;
  Shape.Extents = {32, 32};
  Shape.ElementSize = 2;
  const std::vector<Layout> Layouts = makeLayouts();
  for (int Round = 0; Round != 400; ++Round) {
    LanePattern P = pattern(2, 1u << Random() % 4, 0);
    P.Op = Random() % 2 ? MemoryOp::Load : MemoryOp::Store;
    if (Random() % 2)
      P.ActiveLanes = Random();
    const unsigned A = Random() % 33, B = Random() % 17, C = Random() % 5;
    for (unsigned Lane = 0; Lane != WarpSize; ++Lane)
      P.Elements[Lane] =
          (Lane * A + Lane / (1 + C) * B) % 1024 / P.Count * P.Count;
    const unsigned Bound = boundPattern({}, P, 2);
    for (const Layout &L : Layouts) {
      auto Address = [&](uint32_t Element, unsigned Offset) {
        return L.address(Element, Offset, Shape);
      };
      EXPECT_GE(countPattern({}, P, Address).Wavefronts, Bound);
      EXPECT_GE(countSourcePattern({}, P, Address).Wavefronts, Bound);
    }
  }
}
