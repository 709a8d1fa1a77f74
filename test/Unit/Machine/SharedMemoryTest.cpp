// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Shared memory: each definition of document 002 under its name, and where the
/// implementation is finer.
//===----------------------------------------------------------------------===//

#include "cudaopt/Machine/Memory.h"

#include "gtest/gtest.h"

using namespace cudaopt;

static constexpr SourceRef Here = {1, 12, 5};

/// Lane l accesses Width bytes at First + Stride * l.
static WarpRequest request(MemoryOp Op, uint32_t Width, SharedAddr First,
                           uint32_t Stride, uint32_t ActiveLanes = ~0u) {
  WarpRequest Request = {Op, Width, ActiveLanes, {}};
  for (uint32_t Lane = 0; Lane < WarpSize; ++Lane)
    Request.Addresses[Lane] = First + Lane * Stride;
  return Request;
}

/// Every byte of lane l is l + Base.
static LaneBytes lanes(Byte Base) {
  LaneBytes Values = {};
  for (unsigned Lane = 0; Lane < WarpSize; ++Lane)
    Values[Lane].fill(static_cast<Byte>(Base + Lane));
  return Values;
}

/// One array `a` of 4096 bytes.
class SharedMemoryTest : public testing::Test {
protected:
  SharedMemory Memory;
  SharedAddr A = Memory.arrays()[Memory.place("a", 4096, 4)].Address;
};

// Document 002: definitions.

TEST(StateSpaceTest, StateSpaceAtomicIsGlobalAndShared) {
  EXPECT_TRUE(isAtomicSpace(StateSpace::Global));
  EXPECT_TRUE(isAtomicSpace(StateSpace::Shared));
  EXPECT_FALSE(isAtomicSpace(StateSpace::Local));
  EXPECT_FALSE(isAtomicSpace(StateSpace::Const));
}

TEST(StateSpaceTest, StateSpaceDeviceIsGlobalConstAndLocal) {
  EXPECT_TRUE(isDeviceSpace(StateSpace::Global));
  EXPECT_TRUE(isDeviceSpace(StateSpace::Const));
  EXPECT_TRUE(isDeviceSpace(StateSpace::Local));
  EXPECT_FALSE(isDeviceSpace(StateSpace::Shared));
}

TEST_F(SharedMemoryTest, SharedAddrIsOneBytePerAddress) {
  for (SharedAddr Offset = 0; Offset < 4; ++Offset)
    *Memory.bytesToWrite(A + Offset, 1) = static_cast<Byte>(10 + Offset);
  const Byte *Bytes = Memory.bytes(A);
  EXPECT_EQ(Bytes[0] | Bytes[1] << 8 | Bytes[2] << 16 | Bytes[3] << 24,
            10 | 11 << 8 | 12 << 16 | 13 << 24);
}

TEST_F(SharedMemoryTest, SharedAddrsAreAsManyAsTheArraysHaveBytes) {
  Memory.place("b", 7, 1);
  unsigned Count = 0;
  for (SharedAddr Address = 0; Address < Memory.size() + 1000; ++Address)
    Count += !Memory.check(Address, 1);
  EXPECT_EQ(Count, 4096u + 7u);
}

TEST(BanksTest, BanksOfSuccessiveWordsAreSuccessive) {
  EXPECT_EQ(banks({}, 0, 4), (std::vector<BankIdx>{0}));
  EXPECT_EQ(banks({}, 124, 4), (std::vector<BankIdx>{31}));
  EXPECT_EQ(banks({}, 128, 4), (std::vector<BankIdx>{0}));
}

TEST(BanksTest, BanksAreInTheOrderOfAddresses) {
  EXPECT_EQ(banks({}, 120, 16), (std::vector<BankIdx>{30, 31, 0, 1}));
}

TEST(BanksTest, BanksOfPartsOfAWord) {
  EXPECT_EQ(banks({}, 7, 1), (std::vector<BankIdx>{1}));
  EXPECT_EQ(banks({}, 3, 2), (std::vector<BankIdx>{0, 1}));
  EXPECT_TRUE(banks({}, 64, 0).empty());
}

TEST(BanksTest, BanksAreNamedOnce) {
  EXPECT_EQ(banks({}, 4, 256).size(), 32u);
  EXPECT_EQ(banks({}, 4, 256).front(), 1);
}

TEST(BanksTest, BanksOfEightBytes) {
  EXPECT_EQ(banks({32, 8}, 8, 8), (std::vector<BankIdx>{1}));
  EXPECT_EQ(banks({32, 8}, 12, 16), (std::vector<BankIdx>{1, 2, 3}));
}

TEST_F(SharedMemoryTest, LocksAreOfBanks) {
  Memory.lock(A + 4, 8);
  EXPECT_FALSE(Memory.isLocked(0));
  EXPECT_TRUE(Memory.isLocked(1));
  EXPECT_TRUE(Memory.isLocked(2));
  EXPECT_FALSE(Memory.isLocked(3));
}

TEST_F(SharedMemoryTest, LocksAreReleasedOneByOne) {
  Memory.lock(A, 8);
  Memory.unlock(A, 4);
  EXPECT_FALSE(Memory.isLocked(0));
  EXPECT_TRUE(Memory.isLocked(1));
}

TEST_F(SharedMemoryTest, AtomicLocksTheBanksItTouches) {
  // lock, read, write, unlock: other addresses of the bank are locked too.
  SharedAddr Other = A + 5 * 128;
  ASSERT_EQ(banks({}, A, 4), banks({}, Other, 4));
  std::memset(Memory.bytesToWrite(A, 4), 7, 4);
  Memory.lock(A, 4);
  EXPECT_TRUE(Memory.isLocked(banks({}, Other, 4)[0]));
  ++*Memory.bytesToWrite(A, 4);
  Memory.unlock(A, 4);
  EXPECT_FALSE(Memory.isLocked(banks({}, Other, 4)[0]));
  EXPECT_EQ(*Memory.bytes(A), 8);
}

TEST_F(SharedMemoryTest, NonAtomicAccessesIgnoreLocks) {
  Memory.lock(A, 128);
  ASSERT_FALSE(
      writeShared(Memory, request(MemoryOp::Store, 4, A, 4), lanes(1), Here)
          .isBottom());
  auto Read = readShared(Memory, request(MemoryOp::Load, 4, A, 4), Here);
  ASSERT_FALSE(Read.isBottom());
  EXPECT_EQ(Read.value()[31][3], 32);
}

TEST_F(SharedMemoryTest, ReadSharedOfNoLanes) {
  auto Read = readShared(Memory, request(MemoryOp::Load, 4, 0, 0, 0), Here);
  EXPECT_FALSE(Read.isBottom());
}

TEST_F(SharedMemoryTest, ReadSharedIgnoresConflicts) {
  // A column of 32 floats: all in one bank.
  WarpRequest Column = request(MemoryOp::Store, 4, A, 128);
  ASSERT_FALSE(writeShared(Memory, Column, lanes(5), Here).isBottom());
  Column.Op = MemoryOp::Load;
  auto Read = readShared(Memory, Column, Here);
  ASSERT_FALSE(Read.isBottom());
  for (unsigned Lane = 0; Lane < WarpSize; ++Lane)
    EXPECT_EQ(Read.value()[Lane][0], 5 + Lane);
}

TEST_F(SharedMemoryTest, ReadSharedOfIdleLanesIsZero) {
  ASSERT_FALSE(
      writeShared(Memory, request(MemoryOp::Store, 4, A, 4), lanes(1), Here)
          .isBottom());
  auto Read = readShared(Memory, request(MemoryOp::Load, 4, A, 4, 1), Here);
  ASSERT_FALSE(Read.isBottom());
  EXPECT_EQ(Read.value()[0][0], 1);
  EXPECT_EQ(Read.value()[1][0], 0);
}

TEST_F(SharedMemoryTest, ReadSharedIsBottomOfTheFirstLaneOutside) {
  std::memset(Memory.bytesToWrite(A, 4096), 0, 4096);
  auto Read = readShared(
      Memory, request(MemoryOp::Load, 4, A + 4096 - 4 * 30, 4), Here);
  ASSERT_TRUE(Read.isBottom());
  EXPECT_EQ(Read.bottom().Reason, BottomReason::OutOfBounds);
  EXPECT_EQ(Read.bottom().Lane, 30u);
  EXPECT_EQ(Read.bottom().Address, A + 4096);
  EXPECT_EQ(Read.bottom().Where, Here);
}

TEST_F(SharedMemoryTest, ReadSharedIgnoresIdleLanesOutside) {
  std::memset(Memory.bytesToWrite(A, 4096), 0, 4096);
  EXPECT_FALSE(readShared(Memory,
                          request(MemoryOp::Load, 4, A + 4096 - 4 * 30, 4,
                                  (1u << 30) - 1),
                          Here)
                   .isBottom());
}

TEST_F(SharedMemoryTest, WriteSharedWritesAllLanesOrNone) {
  std::memset(Memory.bytesToWrite(A + 4092, 4), 9, 4);
  WarpRequest Request = request(MemoryOp::Store, 4, A + 4092, 4, 3);
  auto Written = writeShared(Memory, Request, lanes(1), Here);
  ASSERT_TRUE(Written.isBottom());
  EXPECT_EQ(Written.bottom().Lane, 1u);
  EXPECT_EQ(*Memory.bytes(A + 4092), 9);
}

TEST_F(SharedMemoryTest, WriteSharedToOneAddressTheHighestLaneWins) {
  WarpRequest Same = request(MemoryOp::Store, 4, A, 0);
  ASSERT_FALSE(writeShared(Memory, Same, lanes(0), Here).isBottom());
  EXPECT_EQ(*Memory.bytes(A), 31);
}

TEST_F(SharedMemoryTest, WriteSharedIsReadBackAtEveryWidth) {
  for (uint32_t Width : {1, 2, 4, 8, 16}) {
    WarpRequest Request = request(MemoryOp::Store, Width, A, Width);
    ASSERT_FALSE(writeShared(Memory, Request, lanes(3), Here).isBottom());
    Request.Op = MemoryOp::Load;
    auto Read = readShared(Memory, Request, Here);
    ASSERT_FALSE(Read.isBottom()) << Width;
    EXPECT_EQ(Read.value()[31][Width - 1], 34) << Width;
  }
}

// Finer than document 002.

TEST_F(SharedMemoryTest, ReadingWhatNobodyWroteIsBottom) {
  *Memory.bytesToWrite(A, 1) = 0;
  *Memory.bytesToWrite(A + 1, 1) = 0;
  *Memory.bytesToWrite(A + 3, 1) = 0;
  EXPECT_TRUE(Memory.isInitialised(A, 2));
  EXPECT_FALSE(Memory.isInitialised(A, 4));
  auto Read = readShared(Memory, request(MemoryOp::Load, 4, A, 0, 8), Here);
  ASSERT_TRUE(Read.isBottom());
  EXPECT_EQ(Read.bottom().Reason, BottomReason::Uninitialised);
  EXPECT_EQ(Read.bottom().Lane, 3u);
}

TEST_F(SharedMemoryTest, InitialisationAtEveryWidth) {
  for (uint32_t Width : {1, 2, 4, 8, 16}) {
    Memory.reset();
    Memory.bytesToWrite(A + 16, Width);
    EXPECT_TRUE(Memory.isInitialised(A + 16, Width)) << Width;
    EXPECT_FALSE(Memory.isInitialised(A + 16, Width + 1)) << Width;
    EXPECT_FALSE(Memory.isInitialised(A + 15, Width)) << Width;
  }
}

TEST_F(SharedMemoryTest, AddressesAreMultiplesOfTheSize) {
  std::memset(Memory.bytesToWrite(A, 4096), 0, 4096);
  for (uint32_t Width : {2, 4, 8, 16}) {
    EXPECT_EQ(Memory.check(A + Width / 2, Width), BottomReason::Misaligned);
    EXPECT_EQ(Memory.check(A + Width, Width), std::nullopt);
  }
  EXPECT_EQ(Memory.check(A + 1, 12), std::nullopt) << "a copy, in pieces";
}

TEST_F(SharedMemoryTest, ArraysDoNotTouch) {
  unsigned B = Memory.place("b", 10, 1), C = Memory.place("c", 8, 8);
  SharedAddr BeginB = Memory.arrays()[B].Address;
  SharedAddr BeginC = Memory.arrays()[C].Address;
  EXPECT_GE(A, SharedMemory::RedZone);
  EXPECT_GE(BeginB, A + 4096 + SharedMemory::RedZone);
  EXPECT_GE(BeginC, BeginB + 10 + SharedMemory::RedZone);
  EXPECT_GE(Memory.size(), BeginC + 8 + SharedMemory::RedZone);
}

TEST_F(SharedMemoryTest, ArraysBeginInTheBanksOfPackedMemory) {
  Memory.place("b", 1300, 16);
  Memory.place("c", 5, 1);
  unsigned D = Memory.place("d", 64, 8);
  // 4096 + 1300 + 5, rounded up to 8.
  EXPECT_EQ(Memory.arrays()[D].Address % 128, 5408u % 128);
}

TEST_F(SharedMemoryTest, ArraysAreAligned) {
  Memory.place("b", 1, 1);
  for (uint32_t Alignment : {1, 2, 16, 128, 1024})
    EXPECT_EQ(Memory.arrays()[Memory.place("c", 1, Alignment)].Address %
                  Alignment,
              0u);
}

TEST_F(SharedMemoryTest, ArraysAreFoundByEachOfTheirBytes) {
  unsigned B = Memory.place("b", 513, 1), C = Memory.place("c", 1, 1);
  for (unsigned Index : {0u, B, C}) {
    const SharedMemory::Array &Found = Memory.arrays()[Index];
    EXPECT_EQ(Memory.findArray(Found.Address - 1), std::nullopt);
    EXPECT_EQ(Memory.findArray(Found.Address), Index);
    EXPECT_EQ(Memory.findArray(Found.Address + Found.Size - 1), Index);
    EXPECT_EQ(Memory.findArray(Found.Address + Found.Size), std::nullopt);
  }
  EXPECT_EQ(Memory.findArray(0), std::nullopt);
  EXPECT_EQ(Memory.findArray(~0u), std::nullopt);
}

TEST_F(SharedMemoryTest, AnArrayWithoutBytesContainsNothing) {
  unsigned Empty = Memory.place("dynamic", 0, 16);
  EXPECT_EQ(Memory.findArray(Memory.arrays()[Empty].Address), std::nullopt);
}

TEST_F(SharedMemoryTest, AnAccessMayNotLeaveItsArray) {
  SharedAddr B = Memory.arrays()[Memory.place("b", 4096, 4)].Address;
  EXPECT_EQ(Memory.check(A + 4096 - 4, 8), BottomReason::OutOfBounds);
  EXPECT_EQ(Memory.check(A - 4, 8), BottomReason::OutOfBounds);
  EXPECT_EQ(Memory.check(A, B + 8 - A), BottomReason::CrossArray);
}

TEST_F(SharedMemoryTest, ALaneThatLandsInAnotherArray) {
  unsigned B = Memory.place("b", 4096, 4);
  SharedAddr InB = Memory.arrays()[B].Address + 16;
  EXPECT_EQ(Memory.check(InB, 4), std::nullopt);
  EXPECT_EQ(Memory.check(InB, 4, B), std::nullopt);
  EXPECT_EQ(Memory.check(InB, 4, 0), BottomReason::CrossArray);
}

TEST(SharedMemoryOffByOneTest, TheListingOfDocument000IsBottom) {
  // double AS[2805], BS[2704]; row 51 and k = 51 give AS[53 * 51 + 2 * 51].
  SharedMemory Memory;
  SharedAddr AS = Memory.arrays()[Memory.place("AS", 2805 * 8, 8)].Address;
  Memory.place("BS", 2704 * 8, 8);
  constexpr uint32_t Index = 53 * 51 + 2 * 51;
  static_assert(Index == 2805);
  // The flat memory of document 002 has a byte there: the first of BS.
  static_assert(Index * 8 + 8 <= (2805 + 2704) * 8);
  auto Written = writeShared(
      Memory, request(MemoryOp::Store, 8, AS + Index * 8, 0, 1), {}, Here);
  ASSERT_TRUE(Written.isBottom());
  EXPECT_EQ(Written.bottom().Reason, BottomReason::OutOfBounds);
  EXPECT_EQ(Memory.check(AS + (Index - 1) * 8, 8), std::nullopt);
}

TEST_F(SharedMemoryTest, ResetForgetsBytesAndLocks) {
  *Memory.bytesToWrite(A, 1) = 1;
  Memory.lock(A, 4);
  Memory.reset();
  EXPECT_FALSE(Memory.isInitialised(A, 1));
  EXPECT_FALSE(Memory.isLocked(0));
  EXPECT_EQ(*Memory.bytes(A), SharedMemory::Forgotten);
  EXPECT_EQ(Memory.arrays().size(), 1u);
}

TEST(BottomReasonTest, EveryReasonHasAText) {
  EXPECT_STREQ(textOf(BottomReason::OutOfBounds), "out of bounds");
  EXPECT_STREQ(textOf(BottomReason::WriteConst), "a write to constant memory");
}
