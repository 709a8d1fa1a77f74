// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The bank rule, against what an H200 counted and against its own bound.
//===----------------------------------------------------------------------===//

#include "MeasuredRequests.h"

#include <optional>
#include <random>

using namespace cudaopt;

static constexpr BankMap Banks4;
static constexpr BankMap Banks8 = {32, 8};

/// Lane l accesses element Stride * l.
static constexpr WarpRequest strided(MemoryOp Op, uint32_t Width,
                                     uint32_t Stride) {
  WarpRequest Request = {Op, Width, ~0u, {}};
  for (uint32_t Lane = 0; Lane < WarpSize; ++Lane)
    Request.Addresses[Lane] = Lane * Stride * Width;
  return Request;
}

/// Lanes l and l ^ Distance access the same of the elements 0, 1, 2, ...
static constexpr WarpRequest paired(MemoryOp Op, uint32_t Width,
                                    uint32_t Distance) {
  WarpRequest Request = {Op, Width, ~0u, {}};
  for (uint32_t Lane = 0; Lane < WarpSize; ++Lane)
    Request.Addresses[Lane] =
        (Lane / (2 * Distance) * Distance + Lane % Distance) * Width;
  return Request;
}

// A compiler may ask the oracle.
static_assert(countWavefronts(Banks4, strided(MemoryOp::Load, 4, 1)) == 1);

TEST(BankMapTest, ColumnOf32ConflictsInEveryLane) {
  EXPECT_EQ(countWavefronts(Banks4, strided(MemoryOp::Load, 4, 32)), 32u);
  EXPECT_EQ(countWavefronts(Banks4, strided(MemoryOp::Load, 4, 33)), 1u);
}

TEST(BankMapTest, LanesInOneWordDoNotConflict) {
  EXPECT_EQ(countWavefronts(Banks4, strided(MemoryOp::Load, 4, 0)), 1u);
  EXPECT_EQ(countWavefronts(Banks4, strided(MemoryOp::Store, 1, 1)), 1u);
}

TEST(BankMapTest, ReductionsOnOneAddressSerialise) {
  WarpRequest SameWord = strided(MemoryOp::Reduce, 4, 0);
  EXPECT_EQ(countWavefronts(Banks4, SameWord), 32u);
  EXPECT_EQ(boundWavefronts(Banks4, SameWord), 32u);
  // Here they meet in a bank, at different addresses: a layout can help.
  WarpRequest Column = strided(MemoryOp::Reduce, 4, 32);
  EXPECT_EQ(countWavefronts(Banks4, Column), 32u);
  EXPECT_EQ(boundWavefronts(Banks4, Column), 1u);
}

TEST(BankMapTest, NoActiveLaneCostsNothing) {
  WarpRequest Idle = strided(MemoryOp::Load, 16, 1);
  Idle.ActiveLanes = 0;
  EXPECT_EQ(countWavefronts(Banks4, Idle), 0u);
  EXPECT_EQ(boundWavefronts(Banks4, Idle), 0u);
}

TEST(BankMapTest, IdleHalfWarpCostsNothing) {
  WarpRequest Half = strided(MemoryOp::Store, 8, 1);
  EXPECT_EQ(countWavefronts(Banks4, Half), 2u);
  Half.ActiveLanes = 0xffff0000;
  EXPECT_EQ(countWavefronts(Banks4, Half), 1u);
}

TEST(BankMapTest, LoadsOfPairsMergeAndStoresDoNot) {
  for (uint32_t Distance : {1, 2}) {
    EXPECT_EQ(countWavefronts(Banks4, paired(MemoryOp::Load, 16, Distance)),
              2u);
    EXPECT_EQ(countWavefronts(Banks4, paired(MemoryOp::Store, 16, Distance)),
              4u);
  }
  EXPECT_EQ(countWavefronts(Banks4, paired(MemoryOp::Load, 16, 4)), 4u);
}

// Document 000, section III: the column of a 52 x 52 matrix of doubles is a
// 4-way conflict in 8-byte mode.
TEST(BankMapTest, KeplerServesDoublesOfAWarpAtOnce) {
  EXPECT_EQ(countWavefronts(Banks8, strided(MemoryOp::Load, 8, 1)), 1u);
  EXPECT_EQ(countWavefronts(Banks8, strided(MemoryOp::Load, 8, 52)), 4u);
  EXPECT_EQ(countWavefronts(Banks4, strided(MemoryOp::Load, 8, 52)), 8u);
  EXPECT_EQ(countWavefronts(Banks8, strided(MemoryOp::Load, 16, 1)), 2u);
  EXPECT_EQ(countWavefronts(Banks8, strided(MemoryOp::Load, 4, 32)), 16u);
}

static std::optional<MemoryOp> readOp(const std::string &Name) {
  if (Name == "ld")
    return MemoryOp::Load;
  if (Name == "st")
    return MemoryOp::Store;
  if (Name == "red")
    return MemoryOp::Reduce;
  return std::nullopt;
}

// Every pattern measured on an H200 costs what the rule says.
TEST(BankMapTest, EqualsTheMeasuredWavefronts) {
  const auto Rows = readMeasured("sm90-shared-wavefronts.csv");
  for (const MeasuredRequest &Row : Rows) {
    std::optional<MemoryOp> Op = readOp(Row.Op);
    ASSERT_TRUE(Op) << Row.Line;
    const WarpRequest Request = {*Op, Row.Width, Row.ActiveLanes,
                                 Row.Addresses};
    EXPECT_EQ(countWavefronts(Banks4, Request), Row.Cost) << Row.Line;
    EXPECT_LE(boundWavefronts(Banks4, Request),
              countWavefronts(Banks4, Request))
        << Row.Line;
  }
  EXPECT_EQ(Rows.size(), 904u);
}

// Addresses from small and from large ranges, with and without idle lanes.
static WarpRequest randomRequest(std::mt19937 &Random) {
  WarpRequest Request;
  Request.Op = static_cast<MemoryOp>(Random() % 3);
  Request.Width = Request.Op == MemoryOp::Reduce ? 4 : 1u << Random() % 5;
  Request.ActiveLanes = Random() % 2 ? ~0u : Random();
  uint32_t Range = 1u << Random() % 10;
  for (uint32_t &Address : Request.Addresses)
    Address = Random() % Range * Request.Width;
  return Request;
}

TEST(BankMapTest, TheBoundIsNeverAboveTheCount) {
  std::mt19937 Random(1);
  for (unsigned Trial = 0; Trial < 20000; ++Trial) {
    WarpRequest Request = randomRequest(Random);
    for (const BankMap &Map : {Banks4, Banks8})
      ASSERT_LE(boundWavefronts(Map, Request), countWavefronts(Map, Request));
  }
}

// A layout is a renumbering of the elements.
TEST(BankMapTest, TheBoundIsTheSameForEveryLayout) {
  std::mt19937 Random(2);
  for (unsigned Trial = 0; Trial < 20000; ++Trial) {
    WarpRequest Request = randomRequest(Random), Moved = Request;
    uint32_t Odd = Random() | 1, Base = Random() % 1024;
    for (uint32_t &Address : Moved.Addresses)
      Address = (Address / Request.Width * Odd + Base) % 4096 * Request.Width;
    for (const BankMap &Map : {Banks4, Banks8})
      ASSERT_EQ(boundWavefronts(Map, Request), boundWavefronts(Map, Moved));
  }
}
