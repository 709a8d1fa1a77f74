// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The sectors of requests to global memory, against what an H200 counted and
/// against their own bound.
//===----------------------------------------------------------------------===//

#include "cudaopt/Machine/Sectors.h"

#include "gtest/gtest.h"

#include <fstream>
#include <sstream>
#include <string>

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
  std::ifstream File(CUDAOPT_TEST_DIR "/Data/sm90-global-sectors.csv");
  std::string Line, Field;
  ASSERT_TRUE(std::getline(File, Line)) << "the header is missing";
  unsigned NumRows = 0;
  while (std::getline(File, Line)) {
    std::istringstream Row(Line);
    auto next = [&] {
      std::getline(Row, Field, ',');
      return Field;
    };
    GlobalRequest Request;
    Request.Width = std::stoul(next());
    const std::string Op = next();
    Request.IsAtomic = Op == "red" || Op == "atom";
    ASSERT_TRUE(Request.IsAtomic || Op == "ld" || Op == "st") << Line;
    Request.ActiveLanes = std::stoul(next(), nullptr, 16);
    next();
    for (uint64_t &Address : Request.Addresses)
      Address = std::stoul(next()) * Request.Width;
    EXPECT_EQ(countSectors(Request), std::stoul(next())) << Line;
    EXPECT_LE(boundSectors(Request), countSectors(Request)) << Line;
    ++NumRows;
  }
  EXPECT_EQ(NumRows, 326u);
}
