// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Global, constant and local memory: each definition of document 002 under its
/// name.
//===----------------------------------------------------------------------===//

#include "cudaopt/Machine/Memory.h"

#include "gtest/gtest.h"

using namespace cudaopt;

static constexpr SourceRef Here = {1, 12, 5};

/// The reason why a read is bottom, or nothing.
static std::optional<BottomReason> whyNotRead(DeviceMemory &Memory,
                                              StateSpace Space,
                                              PhysMemAddr Address,
                                              uint64_t Size) {
  auto Read = readDevice(Memory, Space, Address, Size, Here);
  if (Read.isBottom())
    return Read.bottom().Reason;
  return std::nullopt;
}

static std::optional<BottomReason> whyNotWritten(DeviceMemory &Memory,
                                                 StateSpace Space,
                                                 PhysMemAddr Address,
                                                 uint64_t Size) {
  auto Written =
      writeDevice(Memory, Space, Address, std::vector<Byte>(Size, 1), Here);
  if (Written.isBottom())
    return Written.bottom().Reason;
  return std::nullopt;
}

/// An allocation of 64 bytes in each space.
class DeviceMemoryTest : public testing::Test {
protected:
  DeviceMemory Memory;
  PhysMemAddr Global = place(StateSpace::Global);
  PhysMemAddr Const = place(StateSpace::Const);
  PhysMemAddr Local = place(StateSpace::Local);

  PhysMemAddr place(StateSpace Space) {
    return Memory.allocate(Space, 64, "a").Address;
  }
};

// Document 002: definitions.

TEST_F(DeviceMemoryTest, DeviceSpacesAreDisjoint) {
  PhysMemAddr First = DeviceMemory::FirstAddress;
  unsigned Bytes[3] = {};
  for (PhysMemAddr Address = First; Address < Local + 1000; ++Address) {
    bool InGlobal = !whyNotRead(Memory, StateSpace::Global, Address, 1);
    bool InConst = !whyNotRead(Memory, StateSpace::Const, Address, 1);
    bool InLocal = !whyNotRead(Memory, StateSpace::Local, Address, 1);
    ASSERT_LE(InGlobal + InConst + InLocal, 1);
    Bytes[0] += InGlobal;
    Bytes[1] += InConst;
    Bytes[2] += InLocal;
  }
  // As many addresses as there are bytes.
  EXPECT_EQ(Bytes[0], 64u);
  EXPECT_EQ(Bytes[1], 64u);
  EXPECT_EQ(Bytes[2], 64u);
}

TEST_F(DeviceMemoryTest, ReadDeviceReadsEachSpace) {
  for (auto [Space, Address] : {std::pair(StateSpace::Global, Global),
                                std::pair(StateSpace::Const, Const),
                                std::pair(StateSpace::Local, Local)}) {
    Memory.find(Address)->Data[8] = 42;
    auto Read = readDevice(Memory, Space, Address + 8, 4, Here);
    ASSERT_FALSE(Read.isBottom());
    EXPECT_EQ(Read.value(), (std::vector<Byte>{42, 0, 0, 0}));
  }
}

TEST_F(DeviceMemoryTest, ReadDeviceOfAnotherSpaceIsBottom) {
  EXPECT_EQ(whyNotRead(Memory, StateSpace::Local, Global, 4),
            BottomReason::WrongSpace);
  EXPECT_EQ(whyNotRead(Memory, StateSpace::Global, Const, 4),
            BottomReason::WrongSpace);
  EXPECT_EQ(whyNotRead(Memory, StateSpace::Const, Local, 4),
            BottomReason::WrongSpace);
}

TEST_F(DeviceMemoryTest, ReadDeviceIsBottomIfOneByteIsOutside) {
  EXPECT_EQ(whyNotRead(Memory, StateSpace::Global, Global + 60, 4),
            std::nullopt);
  EXPECT_EQ(whyNotRead(Memory, StateSpace::Global, Global + 60, 8),
            BottomReason::OutOfBounds);
  EXPECT_EQ(whyNotRead(Memory, StateSpace::Global, Global + 64, 4),
            BottomReason::OutOfBounds);
  EXPECT_EQ(whyNotRead(Memory, StateSpace::Global, Global - 4, 8),
            BottomReason::OutOfBounds);
  EXPECT_EQ(whyNotRead(Memory, StateSpace::Global, 0, 4),
            BottomReason::OutOfBounds);
  EXPECT_EQ(whyNotRead(Memory, StateSpace::Global, Global, ~uint64_t(0)),
            BottomReason::OutOfBounds);
}

TEST_F(DeviceMemoryTest, BottomKnowsAddressAndPlace) {
  auto Read = readDevice(Memory, StateSpace::Global, Global + 64, 4, Here);
  ASSERT_TRUE(Read.isBottom());
  EXPECT_EQ(Read.bottom().Address, Global + 64);
  EXPECT_EQ(Read.bottom().Where, Here);
}

TEST_F(DeviceMemoryTest, WriteDeviceWritesGlobalAndLocal) {
  for (auto [Space, Address] : {std::pair(StateSpace::Global, Global),
                                std::pair(StateSpace::Local, Local)}) {
    auto Written = writeDevice(Memory, Space, Address + 4, {1, 2, 3, 4}, Here);
    ASSERT_FALSE(Written.isBottom());
    auto Read = readDevice(Memory, Space, Address, 8, Here);
    ASSERT_FALSE(Read.isBottom());
    EXPECT_EQ(Read.value(), (std::vector<Byte>{0, 0, 0, 0, 1, 2, 3, 4}));
  }
}

TEST_F(DeviceMemoryTest, WriteDeviceToConstIsBottom) {
  EXPECT_EQ(whyNotWritten(Memory, StateSpace::Const, Const, 4),
            BottomReason::WriteConst);
  EXPECT_EQ(Memory.find(Const)->Data[0], 0);
}

TEST_F(DeviceMemoryTest, WriteDeviceToAnotherSpaceIsBottom) {
  EXPECT_EQ(whyNotWritten(Memory, StateSpace::Global, Local, 4),
            BottomReason::WrongSpace);
  EXPECT_EQ(whyNotWritten(Memory, StateSpace::Local, Global, 4),
            BottomReason::WrongSpace);
}

TEST_F(DeviceMemoryTest, WriteDeviceOutsideChangesNothing) {
  EXPECT_EQ(whyNotWritten(Memory, StateSpace::Global, Global + 60, 8),
            BottomReason::OutOfBounds);
  EXPECT_EQ(Memory.find(Global)->Data[60], 0);
}

TEST_F(DeviceMemoryTest, GenericAddressesNameNoSpace) {
  DeviceMemory::Allocation *Found;
  EXPECT_EQ(Memory.check(std::nullopt, Local, 4, true, Found), std::nullopt);
  EXPECT_EQ(Found->Address, Local);
  EXPECT_EQ(Memory.check(std::nullopt, Const, 4, false, Found), std::nullopt);
  EXPECT_EQ(Memory.check(std::nullopt, Const, 4, true, Found),
            BottomReason::WriteConst);
}

// Finer than document 002.

TEST_F(DeviceMemoryTest, AddressesAreMultiplesOfTheSize) {
  EXPECT_EQ(whyNotRead(Memory, StateSpace::Global, Global + 4, 8),
            BottomReason::Misaligned);
  EXPECT_EQ(whyNotRead(Memory, StateSpace::Global, Global + 8, 8),
            std::nullopt);
}

TEST_F(DeviceMemoryTest, AllocationsAreApartAndAligned) {
  PhysMemAddr End = 0;
  for (uint64_t Size : {1, 256, 257, 0, 4096}) {
    auto &A = Memory.allocate(StateSpace::Global, Size, "a");
    EXPECT_EQ(A.Address % 256, 0u);
    EXPECT_GE(A.Address, DeviceMemory::FirstAddress);
    EXPECT_GE(A.Address, End + 256) << Size;
    End = A.Address + Size;
  }
}

TEST_F(DeviceMemoryTest, AllocationsAreFoundByEachOfTheirBytes) {
  for (PhysMemAddr Begin : {Global, Local, Const}) {
    EXPECT_EQ(Memory.find(Begin - 1), nullptr);
    ASSERT_NE(Memory.find(Begin), nullptr);
    EXPECT_EQ(Memory.find(Begin)->Address, Begin);
    EXPECT_EQ(Memory.find(Begin + 63), Memory.find(Begin));
    EXPECT_EQ(Memory.find(Begin + 64), nullptr);
  }
}

TEST_F(DeviceMemoryTest, ReleasedMemoryIsOutOfBounds) {
  ASSERT_NE(Memory.find(Global), nullptr);
  EXPECT_FALSE(Memory.release(Global + 1));
  EXPECT_TRUE(Memory.release(Global));
  EXPECT_FALSE(Memory.release(Global));
  EXPECT_EQ(whyNotRead(Memory, StateSpace::Global, Global, 4),
            BottomReason::OutOfBounds);
  EXPECT_NE(Memory.allocate(StateSpace::Global, 64, "b").Address, Global);
}

TEST_F(DeviceMemoryTest, AdoptedMemoryKeepsItsAddress) {
  alignas(16) Byte Host[64] = {};
  auto *A = Memory.adopt(StateSpace::Global, Host, sizeof(Host), "host");
  ASSERT_NE(A, nullptr);
  EXPECT_EQ(A->Address, reinterpret_cast<uintptr_t>(Host));
  EXPECT_EQ(whyNotWritten(Memory, StateSpace::Global, A->Address + 8, 8),
            std::nullopt);
  EXPECT_EQ(Host[15], 1);
  EXPECT_EQ(Host[16], 0);
}

TEST_F(DeviceMemoryTest, AdoptedMemoryMayNotOverlap) {
  Byte Host[64] = {};
  auto Adopt = [&](unsigned Begin, unsigned Size) {
    return Memory.adopt(StateSpace::Global, Host + Begin, Size, "host");
  };
  ASSERT_NE(Adopt(16, 16), nullptr);
  EXPECT_EQ(Adopt(16, 16), nullptr);
  EXPECT_EQ(Adopt(0, 17), nullptr);
  EXPECT_EQ(Adopt(31, 1), nullptr);
  EXPECT_EQ(Adopt(16, 0), nullptr);
  EXPECT_NE(Adopt(0, 16), nullptr);
  EXPECT_NE(Adopt(32, 32), nullptr);
}

TEST_F(DeviceMemoryTest, AnAccessMayNotSpanAdjoiningAllocations) {
  alignas(16) Byte Host[64] = {};
  Memory.adopt(StateSpace::Global, Host, 24, "a");
  Memory.adopt(StateSpace::Global, Host + 24, 40, "b");
  auto Address = reinterpret_cast<uintptr_t>(Host);
  EXPECT_EQ(whyNotRead(Memory, StateSpace::Global, Address + 16, 8),
            std::nullopt);
  EXPECT_EQ(whyNotRead(Memory, StateSpace::Global, Address + 16, 16),
            BottomReason::CrossArray);
}

TEST_F(DeviceMemoryTest, TheNearestAllocation) {
  EXPECT_EQ(Memory.findNearest(0)->Address, Global);
  EXPECT_EQ(Memory.findNearest(Global + 70)->Address, Global);
  EXPECT_EQ(Memory.findNearest(Const - 1)->Address, Const);
  EXPECT_EQ(Memory.findNearest(Const + 5)->Address, Const);
  EXPECT_EQ(Memory.findNearest(~uint64_t(0))->Address, Local);
  EXPECT_EQ(DeviceMemory().findNearest(Global), nullptr);
}

TEST_F(DeviceMemoryTest, AccessesAreTouched) {
  DeviceMemory::Allocation *A = Memory.find(Global);
  EXPECT_GT(A->TouchedBegin, A->TouchedEnd);
  whyNotRead(Memory, StateSpace::Global, Global + 32, 4);
  whyNotWritten(Memory, StateSpace::Global, Global + 8, 4);
  whyNotRead(Memory, StateSpace::Global, Global + 64, 4);
  EXPECT_EQ(A->TouchedBegin, 8);
  EXPECT_EQ(A->TouchedEnd, 36);
}

TEST_F(DeviceMemoryTest, BytesWrittenLoseTheirTags) {
  DeviceMemory::Allocation *A = Memory.find(Global);
  A->Tags.assign(64, 7);
  whyNotWritten(Memory, StateSpace::Global, Global + 4, 4);
  EXPECT_EQ(A->Tags[3], 7u);
  EXPECT_EQ(A->Tags[4], 0u);
  EXPECT_EQ(A->Tags[7], 0u);
  EXPECT_EQ(A->Tags[8], 7u);
}
