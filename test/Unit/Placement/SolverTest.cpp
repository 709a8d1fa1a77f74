// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Bounds, rules of thumb and the exact search, on problems small enough to be
/// solved by hand or by brute force.
//===----------------------------------------------------------------------===//

#include "cudaopt/Placement/Solver.h"

#include "DrawnProblem.h"

#include "gtest/gtest.h"

using namespace cudaopt;

static BusyBytes whole(const PlacementProblem &Problem, ItemId Item) {
  return {Item, 0, Problem.Items[Item].Size};
}

/// Items that are in use whole; \p Intervals names those of each interval.
static PlacementProblem
makeProblem(std::vector<PlacementItem> Items,
            const std::vector<std::vector<ItemId>> &Intervals) {
  PlacementProblem Problem{std::move(Items), {}};
  for (const std::vector<ItemId> &Interval : Intervals) {
    std::vector<BusyBytes> &Busy = Problem.Intervals.emplace_back();
    for (ItemId I : Interval)
      Busy.push_back(whole(Problem, I));
  }
  return Problem;
}

/// Two arrays live together, then a large one.
static PlacementProblem twoThenOne() {
  return makeProblem({{14336, 16}, {13312, 16}, {27648, 16}}, {{0, 1}, {2}});
}

static void expectOptimal(const PlacementProblem &Problem, uint64_t Height) {
  const SolvedPlacement S = placeExactly(Problem);
  EXPECT_EQ(findPlacementError(Problem, S.Best), "");
  EXPECT_EQ(S.Best.Height, Height);
  EXPECT_EQ(S.LowerBound, Height);
  EXPECT_TRUE(S.IsOptimal);
}

TEST(SolverTest, NothingTakesNothing) {
  expectOptimal({}, 0);
  EXPECT_EQ(placeByColouring({}).Height, 0u);
}

TEST(SolverTest, ItemsThatAreNeverInUseLieAtTheBeginning) {
  expectOptimal(makeProblem({{8, 1}, {12, 4}}, {}), 12);
}

// Partitions with one live array each take 40960 bytes.
TEST(SolverTest, TwoArraysLieInsideADeadOne) {
  const PlacementProblem Problem = twoThenOne();
  expectOptimal(Problem, 27648);
  EXPECT_EQ(placeByColouring(Problem).Height, 40960u);
}

// Each pair is busy in an interval of its own, so no interval has all three.
TEST(SolverTest, CliqueBoundIsAboveThatOfIntervals) {
  const PlacementProblem Problem =
      makeProblem({{4, 1}, {5, 1}, {6, 1}}, {{0, 1}, {1, 2}, {0, 2}});
  EXPECT_EQ(findLowerBound(Problem), 15u);
  expectOptimal(Problem, 15);
}

// The heaviest clique has 4 bytes; an odd cycle needs a third layer.
TEST(SolverTest, OddCycleIsProvedToExceedItsCliques) {
  const PlacementProblem Problem =
      makeProblem({{2, 1}, {2, 1}, {2, 1}, {2, 1}, {2, 1}},
                  {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}});
  EXPECT_EQ(findLowerBound(Problem), 4u);
  expectOptimal(Problem, 6);
}

TEST(SolverTest, AlignmentMakesGapsAndCountsInTheBound) {
  const PlacementProblem Problem =
      makeProblem({{5, 4}, {6, 4}, {2, 4}}, {{0, 1, 2}});
  EXPECT_EQ(findLowerBound(Problem), 17u);
  expectOptimal(Problem, 17);
}

TEST(SolverTest, LessAlignedItemsFillTheGap) {
  expectOptimal(makeProblem({{5, 4}, {3, 1}, {8, 8}}, {{0, 1, 2}}), 16);
}

// The lower of the two coarsely aligned items leaves a gap that the third fills
// in part; the alignment that all have does not tell so.
TEST(SolverTest, BoundCountsGapsOfMixedAlignments) {
  const PlacementProblem Problem =
      makeProblem({{100, 64}, {104, 64}, {4, 4}}, {{0, 1, 2}});
  EXPECT_EQ(findLowerBound(Problem), 228u);
  expectOptimal(Problem, 228);
}

// Durations change the order of the search, not what is right or least.
TEST(SolverTest, DurationsChangeNoHeight) {
  std::mt19937 Random(6);
  for (int Draw = 0; Draw < 300; ++Draw) {
    PlacementProblem Problem = drawWindows(Random, 2 + Draw % 6, true);
    const uint64_t Height = placeExactly(Problem).Best.Height;
    for (size_t I = 0; I < Problem.Intervals.size(); ++I)
      Problem.Durations.push_back(Random());
    const SolvedPlacement S = placeExactly(Problem);
    EXPECT_EQ(findPlacementError(Problem, S.Best), "") << Draw;
    EXPECT_EQ(S.Best.Height, Height) << Draw;
  }
}

// One array shrinks from its front row by row, another grows from its front.
TEST(SolverTest, SkewedRowsShareAllButOneRow) {
  constexpr uint64_t Rows = 8, Row = 256;
  PlacementProblem Problem{{{Rows * Row, 16}, {Rows * Row, 16}}, {}};
  for (uint64_t R = 0; R < Rows; ++R)
    Problem.Intervals.push_back(
        {{0, R * Row, Rows * Row}, {1, 0, (R + 1) * Row}});
  expectOptimal(Problem, (Rows + 1) * Row);
}

TEST(SolverTest, RulesGiveRightPlacements) {
  std::mt19937 Random(1);
  for (int Draw = 0; Draw < 300; ++Draw) {
    const PlacementProblem Problem =
        Draw % 2 ? drawGraph(Random, 1 + Draw % 12, true)
                 : drawWindows(Random, 1 + Draw % 7, false);
    for (const Placement &P : {placeByColouring(Problem), placeBySize(Problem),
                               placeByLinearScan(Problem)}) {
      EXPECT_EQ(findPlacementError(Problem, P), "") << Draw;
      EXPECT_GE(P.Height, findLowerBound(Problem)) << Draw;
    }
  }
}

// Size order wastes nothing here; the order of use leaves a hole.
TEST(SolverTest, OrdersDiffer) {
  const PlacementProblem Problem =
      makeProblem({{2, 1}, {3, 1}, {4, 1}}, {{0, 1}, {1, 2}});
  EXPECT_EQ(placeBySize(Problem).Offsets, (std::vector<uint64_t>{0, 4, 0}));
  EXPECT_EQ(placeByLinearScan(Problem).Offsets,
            (std::vector<uint64_t>{0, 2, 5}));
}

static void expectLikeBruteForce(const PlacementProblem &Problem, int Draw) {
  const SolvedPlacement S = placeExactly(Problem);
  ASSERT_EQ(findPlacementError(Problem, S.Best), "") << Draw;
  EXPECT_TRUE(S.IsOptimal) << Draw;
  const uint64_t Start = placeBySize(Problem).Height;
  EXPECT_EQ(S.Best.Height, BruteForce(Problem, Start).leastHeight()) << Draw;
}

TEST(SolverTest, ExactIsLikeBruteForceOnAnyGraph) {
  std::mt19937 Random(2);
  for (int Draw = 0; Draw < 1000; ++Draw)
    expectLikeBruteForce(drawGraph(Random, 2 + Draw % 5, false), Draw);
}

TEST(SolverTest, ExactIsLikeBruteForceWithAlignment) {
  std::mt19937 Random(3);
  for (int Draw = 0; Draw < 1000; ++Draw)
    expectLikeBruteForce(drawGraph(Random, 2 + Draw % 5, true), Draw);
}

TEST(SolverTest, ExactIsLikeBruteForceWithWindows) {
  std::mt19937 Random(4);
  for (int Draw = 0; Draw < 1000; ++Draw)
    expectLikeBruteForce(drawWindows(Random, 2 + Draw % 4, true), Draw);
}

// Parts without a common byte: right, and never called optimal when it is not.
TEST(SolverTest, ProofsHoldForPartsWithoutACommonByte) {
  std::mt19937 Random(5);
  unsigned Proved = 0;
  for (int Draw = 0; Draw < 500; ++Draw) {
    const PlacementProblem Problem = drawWindows(Random, 2 + Draw % 4, false);
    const SolvedPlacement S = placeExactly(Problem);
    ASSERT_EQ(findPlacementError(Problem, S.Best), "") << Draw;
    const uint64_t Least =
        BruteForce(Problem, placeBySize(Problem).Height).leastHeight();
    EXPECT_LE(S.LowerBound, Least) << Draw;
    EXPECT_EQ(S.IsOptimal, S.Best.Height == S.LowerBound) << Draw;
    Proved += S.IsOptimal;
  }
  EXPECT_GT(Proved, 200u);
}

TEST(SolverTest, GoodEnoughEndsTheSearch) {
  const PlacementProblem Problem = twoThenOne();
  SolverLimits Limits;
  Limits.GoodEnough = 60000;
  const SolvedPlacement S = placeExactly(Problem, Limits);
  EXPECT_LE(S.Best.Height, 60000u);
  EXPECT_EQ(S.LowerBound, 27648u);
}

TEST(SolverTest, CapacityIsKeptOrRefused) {
  const PlacementProblem Problem =
      makeProblem({{2, 1}, {2, 1}, {2, 1}, {2, 1}, {2, 1}},
                  {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}});
  const std::optional<Placement> P = placeWithin(Problem, 6);
  ASSERT_TRUE(P);
  EXPECT_EQ(findPlacementError(Problem, *P), "");
  EXPECT_LE(P->Height, 6u);
  EXPECT_FALSE(placeWithin(Problem, 5));
}

// What ends a search is counted: few steps and many give placements that are
// right, and the same steps the same one.
TEST(SolverTest, StepsBoundTheSearchAndNothingElseDoes) {
  std::mt19937 Random(6);
  for (int Draw = 0; Draw < 50; ++Draw) {
    const PlacementProblem Problem = drawGraph(Random, 14, true);
    uint64_t Before = UINT64_MAX;
    for (uint64_t Steps : {uint64_t(0), uint64_t(100), uint64_t(100'000)}) {
      SolverLimits Limits;
      Limits.Steps = Steps;
      const SolvedPlacement S = placeExactly(Problem, Limits);
      const SolvedPlacement P = placeInPartitions(Problem, Limits);
      ASSERT_EQ(findPlacementError(Problem, S.Best), "") << Draw;
      ASSERT_EQ(findPlacementError(Problem, P.Best), "") << Draw;
      EXPECT_LE(S.Best.Height, Before) << Draw;
      EXPECT_EQ(placeExactly(Problem, Limits).Best.Offsets, S.Best.Offsets);
      Before = S.Best.Height;
    }
  }
}
