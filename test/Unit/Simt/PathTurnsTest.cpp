// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which path of a diverged warp goes on.
//===----------------------------------------------------------------------===//

#include "../../../lib/Simt/PathTurns.h"

#include <gtest/gtest.h>

using namespace cudaopt;
using namespace cudaopt::simt;

namespace {

/// Lanes 0xf0 took block 1, of the others 0x0c block 2 and 0x03 block 3.
Warp diverged() {
  Warp W(0, 1);
  W.Live = 0xff;
  W.Paths = {
      {9, -1, 0xff}, {1, 9, 0xf0}, {8, 9, 0x0f}, {2, 8, 0x0c}, {3, 8, 0x03}};
  W.Active.set(0x03);
  return W;
}

std::vector<uint32_t> lanesOf(const Warp &W) {
  std::vector<uint32_t> Result;
  for (const Path &P : W.Paths)
    Result.push_back(P.Lanes);
  return Result;
}

} // namespace

TEST(PathTurnsTest, TheTopmostPathStaysIfItIsNotBlocked) {
  Warp W = diverged();
  EXPECT_TRUE(PathTurns(W).takeOther());
  EXPECT_EQ(W.Active.Bits, 0x03u);
}

TEST(PathTurnsTest, ASiblingGoesFirst) {
  Warp W = diverged();
  W.Blocked = 0x03;
  EXPECT_TRUE(PathTurns(W).takeOther());
  EXPECT_EQ(W.Active.Bits, 0x0cu);
  EXPECT_EQ(lanesOf(W), (std::vector<uint32_t>{0xff, 0xf0, 0x0f, 0x03, 0x0c}));
}

TEST(PathTurnsTest, AParentMovesWithItsChildren) {
  Warp W = diverged();
  W.Blocked = 0x0f;
  EXPECT_TRUE(PathTurns(W).takeOther());
  EXPECT_EQ(W.Active.Bits, 0xf0u);
  EXPECT_EQ(lanesOf(W), (std::vector<uint32_t>{0xff, 0x0f, 0x0c, 0x03, 0xf0}));
}

TEST(PathTurnsTest, NobodyGoesOnIfAllAreBlocked) {
  Warp W = diverged();
  W.Blocked = 0xff;
  EXPECT_FALSE(PathTurns(W).takeOther());
  EXPECT_EQ(W.Active.Bits, 0x03u);
}

TEST(PathTurnsTest, LanesThatArrivedGoOnAlone) {
  Warp W = diverged();
  W.Paths.pop_back(); // Lanes 0x03 are where 0x0c will come.
  W.Blocked = 0xfc;
  EXPECT_TRUE(PathTurns(W).separate());
  EXPECT_EQ(W.Active.Bits, 0x03u);
  EXPECT_EQ(W.Paths.back().Block, 8);
  EXPECT_EQ(lanesOf(W), (std::vector<uint32_t>{0xff, 0xf0, 0x0c, 0x0c, 0x03}));
}

TEST(PathTurnsTest, PathsThatEndedHaveArrived) {
  Warp W = diverged();
  W.Paths = {{9, -1, 0xff}, {9, 9, 0xf0}, {2, 9, 0x0f}};
  EXPECT_TRUE(PathTurns(W).separate());
  EXPECT_EQ(W.Active.Bits, 0xf0u);
  EXPECT_EQ(lanesOf(W), (std::vector<uint32_t>{0x0f, 0x0f, 0xf0}));
}

TEST(PathTurnsTest, NobodyIsSeparatedWhereNobodyArrived) {
  Warp W = diverged();
  EXPECT_FALSE(PathTurns(W).separate());
}
