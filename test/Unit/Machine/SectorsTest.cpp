// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The sectors of requests to global memory, against what an H200 counted and
/// against their own bound.
//===----------------------------------------------------------------------===//

#include "cudaopt/Machine/Sectors.h"

#include "MeasuredRequests.h"

#include <algorithm>

using namespace cudaopt;

static GlobalRequest strided(uint32_t Width, uint32_t Stride) {
  GlobalRequest Request = {false, Width, ~0u, {}};
  for (uint32_t Lane = 0; Lane < WarpSize; ++Lane)
    Request.Addresses[Lane] = uint64_t(Lane) * Stride * Width;
  return Request;
}

TEST(SectorsTest, NeighboursShareSectors) {
  EXPECT_EQ(countSectors(strided(4, 1)), 4u);
  EXPECT_EQ(countSectors(strided(16, 1)), 16u);
  EXPECT_EQ(countSectors(strided(4, 8)), 32u);
  EXPECT_EQ(boundSectors(strided(4, 8)), 4u);
  EXPECT_EQ(countSectors(strided(4, 0)), 1u);
}

TEST(SectorsTest, ARequestWithoutLanesTakesNone) {
  GlobalRequest Request = strided(4, 1);
  Request.ActiveLanes = 0;
  EXPECT_EQ(countSectors(Request), 0u);
  EXPECT_EQ(boundSectors(Request), 0u);
}

// Far apart, and at both ends of the address space.
TEST(SectorsTest, AddressesHave64Bits) {
  GlobalRequest Request = {false, 4, 0b111, {}};
  Request.Addresses = {0, uint64_t(1) << 32, ~uint64_t(3)};
  EXPECT_EQ(countSectors(Request), 3u);
}

// Every pattern measured on an H200 takes what the rule says.
TEST(SectorsTest, EqualsTheMeasuredSectors) {
  const auto Rows = readMeasured("sm90-global-sectors.csv");
  for (const MeasuredRequest &Row : Rows) {
    const bool IsAtomic = Row.Op == "red" || Row.Op == "atom";
    ASSERT_TRUE(IsAtomic || Row.Op == "ld" || Row.Op == "st") << Row.Line;
    GlobalRequest Request = {IsAtomic, Row.Width, Row.ActiveLanes, {}};
    std::ranges::copy(Row.Addresses, Request.Addresses.begin());
    EXPECT_EQ(countSectors(Request), Row.Cost) << Row.Line;
    EXPECT_LE(boundSectors(Request), countSectors(Request)) << Row.Line;
  }
  EXPECT_EQ(Rows.size(), 326u);
}

/// Loads of 4 bytes at multiples of \p Bytes.
static GlobalRequest makeStrided(int64_t Bytes, uint32_t Lanes = ~0u) {
  GlobalRequest Request;
  Request.ActiveLanes = Lanes;
  for (unsigned Lane = 0; Lane != WarpSize; ++Lane)
    Request.Addresses[Lane] = (1 << 20) + Bytes * int64_t(Lane);
  return Request;
}

TEST(SectorsTest, NeighbouringLanesLieAtADistance) {
  const auto orderAt = [](int64_t Bytes) {
    return findDistance(makeStrided(Bytes)).Order;
  };
  EXPECT_EQ(orderAt(0), LaneOrder::Same);
  EXPECT_EQ(orderAt(4), LaneOrder::Adjacent);
  EXPECT_EQ(orderAt(-4), LaneOrder::Adjacent);
  EXPECT_EQ(orderAt(12), LaneOrder::Gaps);
  EXPECT_EQ(orderAt(124), LaneOrder::Gaps);
  EXPECT_EQ(orderAt(128), LaneOrder::Far);
  EXPECT_EQ(orderAt(-4096), LaneOrder::Far);
  EXPECT_EQ(findDistance(makeStrided(-12)).Bytes, -12);
  // One lane has no neighbour.
  EXPECT_EQ(findDistance(makeStrided(12, 1)).Order, LaneOrder::Same);
}

// A warp of two rows of a block has one pair of lanes that lie otherwise.
TEST(SectorsTest, MostNeighboursDecideTheDistance) {
  GlobalRequest Rows = makeStrided(4);
  for (unsigned Lane = 16; Lane != WarpSize; ++Lane)
    Rows.Addresses[Lane] += 4096;
  EXPECT_EQ(findDistance(Rows).Order, LaneOrder::Rows);
  GlobalRequest Random = makeStrided(0);
  for (unsigned Lane = 0; Lane != WarpSize; ++Lane)
    Random.Addresses[Lane] += 4 * (Lane * Lane * 37 % 1024);
  EXPECT_EQ(findDistance(Random).Order, LaneOrder::Scattered);
}

TEST(SectorsTest, LanesThatTakeNoPartAreNoMisalignment) {
  EXPECT_EQ(findDistance(makeStrided(4, 0xffff)).Order, LaneOrder::Partial);
  EXPECT_EQ(findDistance(makeStrided(4, 0xaaaaaaaa)).Order, LaneOrder::Partial);
  EXPECT_EQ(findDistance(makeStrided(0, 0xaaaaaaaa)).Order, LaneOrder::Same);
}

TEST(SectorsTest, GroupsOfLanesMayHaveOneElement) {
  GlobalRequest Groups = makeStrided(0);
  for (unsigned Lane = 0; Lane != WarpSize; ++Lane)
    Groups.Addresses[Lane] += 256 * (Lane / 8);
  EXPECT_EQ(findDistance(Groups).Order, LaneOrder::Groups);
}
