// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Order by clocks: who releases, and who acquires.
//===----------------------------------------------------------------------===//

#include "../../../lib/Simt/RaceDetector.h"

#include <gtest/gtest.h>

using namespace cudaopt;
using namespace cudaopt::simt;

namespace {

constexpr uint32_t Everybody = ~0u;

/// Three warps; lane 1 of warp 0 writes the cell at byte 0.
class ReleaseTest : public testing::Test {
protected:
  void SetUp() override {
    Races.meetBlock();
    write(1);
  }
  static CellAccess by(unsigned Thread) {
    CellAccess Access;
    Access.Site = 1;
    Access.Thread = static_cast<uint16_t>(Thread);
    return Access;
  }
  void write(unsigned Thread) {
    const Byte New[4] = {1}, Old[4] = {};
    Races.write(0, 4, by(Thread), {New, Old, nullptr, nullptr});
  }
  bool racesWith(unsigned Thread) {
    return Races.read(0, 4, by(Thread)).Time != 0;
  }

  RaceDetector Races{64, 4, 3};
  RaceDetector::ThreadClock Clock;
};

} // namespace

TEST_F(ReleaseTest, OrdersWhatTheLaneDid) {
  Races.release(0, 0b10, Clock);
  Races.acquire(1, Everybody, Everybody, Clock);
  EXPECT_FALSE(racesWith(40));
  EXPECT_TRUE(racesWith(70));
}

TEST_F(ReleaseTest, DoesNotSpeakForOtherLanes) {
  Races.release(0, 0b01, Clock);
  Races.acquire(1, Everybody, Everybody, Clock);
  EXPECT_TRUE(racesWith(40));
}

TEST_F(ReleaseTest, SpeaksForLanesThatHaveMet) {
  Races.meetWarp(0, 0b11, Everybody);
  Races.release(0, 0b01, Clock);
  Races.acquire(1, Everybody, Everybody, Clock);
  EXPECT_FALSE(racesWith(40));
}

TEST_F(ReleaseTest, DoesNotOrderWhatComesLater) {
  Races.release(0, 0b10, Clock);
  write(1);
  Races.acquire(1, Everybody, Everybody, Clock);
  EXPECT_TRUE(racesWith(40));
}

TEST_F(ReleaseTest, IsAcquiredByLanes) {
  Races.release(0, 0b10, Clock);
  Races.acquire(1, 0b100, Everybody, Clock);
  EXPECT_FALSE(racesWith(34));
  EXPECT_TRUE(racesWith(35));
}

TEST_F(ReleaseTest, IsPassedOnByTheWarp) {
  Races.release(0, 0b10, Clock);
  Races.acquire(1, 0b100, Everybody, Clock);
  Races.meetWarp(1, Everybody, Everybody);
  EXPECT_FALSE(racesWith(35));
}

TEST_F(ReleaseTest, IsPassedOnByTheNextRelease) {
  Races.release(0, 0b10, Clock);
  Races.acquire(1, 0b100, Everybody, Clock);
  RaceDetector::ThreadClock Second;
  Races.release(1, 0b100, Second);
  Races.acquire(2, Everybody, Everybody, Second);
  EXPECT_FALSE(racesWith(70));
}
