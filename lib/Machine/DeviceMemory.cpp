// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Global, constant and local memory as disjoint allocations, sorted by
/// address.
//===----------------------------------------------------------------------===//

#include "cudaopt/Machine/Memory.h"

#include <iterator>
#include <utility>

namespace cudaopt {

/// The alignment of the addresses that allocate() gives, and the least gap
/// between two allocations.
static constexpr uint64_t Granularity = 256;

DeviceMemory::Allocation &
DeviceMemory::allocate(StateSpace Space, uint64_t Size, std::string Name) {
  Allocation &A = ByAddress[Next];
  A.Name = std::move(Name);
  A.Space = Space;
  A.Address = Next;
  A.Size = Size;
  A.Owned = std::make_unique<Byte[]>(Size);
  A.Data = A.Owned.get();
  uint64_t Taken = (Size + Granularity - 1) / Granularity * Granularity;
  Next += Taken + Granularity;
  return A;
}

DeviceMemory::Allocation *DeviceMemory::adopt(StateSpace Space, void *Data,
                                              uint64_t Size, std::string Name) {
  auto Address = static_cast<PhysMemAddr>(reinterpret_cast<uintptr_t>(Data));
  auto Above = ByAddress.lower_bound(Address);
  if (Above != ByAddress.end() &&
      (Above->first == Address || Above->first - Address < Size))
    return nullptr;
  if (Above != ByAddress.begin() && std::prev(Above)->second.contains(Address))
    return nullptr;

  Allocation &A = ByAddress[Address];
  A.Name = std::move(Name);
  A.Space = Space;
  A.Address = Address;
  A.Size = Size;
  A.Data = static_cast<Byte *>(Data);
  return &A;
}

bool DeviceMemory::release(PhysMemAddr Address) {
  Last = nullptr;
  auto Found = ByAddress.find(Address);
  if (Found == ByAddress.end())
    return false;
  ReleasedByAddress.insert_or_assign(
      Address, Released{std::move(Found->second.Name), Found->second.Size});
  ByAddress.erase(Found);
  return true;
}

const std::string *DeviceMemory::findReleased(PhysMemAddr Address,
                                              uint64_t &Offset) const {
  auto Above = ReleasedByAddress.upper_bound(Address);
  if (Above == ReleasedByAddress.begin())
    return nullptr;
  const auto &[Begin, Below] = *std::prev(Above);
  Offset = Address - Begin;
  return Offset < Below.Size ? &Below.Name : nullptr;
}

DeviceMemory DeviceMemory::share() const {
  DeviceMemory Result;
  for (const auto &[Address, A] : ByAddress) {
    Allocation &Same = Result.ByAddress[Address];
    Same.Name = A.Name;
    Same.Space = A.Space;
    Same.IsFixed = A.IsFixed;
    Same.Address = A.Address;
    Same.Size = A.Size;
    Same.Data = A.Data;
  }
  Result.ReleasedByAddress = ReleasedByAddress;
  Result.Next = Next;
  return Result;
}

DeviceMemory::Allocation *DeviceMemory::findAnew(PhysMemAddr Address) {
  auto Above = ByAddress.upper_bound(Address);
  if (Above == ByAddress.begin())
    return nullptr;
  Allocation &Below = std::prev(Above)->second;
  if (!Below.contains(Address))
    return nullptr;
  Last = &Below;
  return Last;
}

DeviceMemory::Allocation *DeviceMemory::findNearest(PhysMemAddr Address) {
  auto Above = ByAddress.upper_bound(Address);
  if (Above == ByAddress.begin())
    return Above == ByAddress.end() ? nullptr : &Above->second;
  Allocation &Below = std::prev(Above)->second;
  if (Above == ByAddress.end() || Below.contains(Address) ||
      Address - (Below.Address + Below.Size) < Above->first - Address)
    return &Below;
  return &Above->second;
}

BottomReason DeviceMemory::whyOutside(const Allocation &Start,
                                      PhysMemAddr Address, uint64_t Size) {
  // Two adopted allocations may adjoin: the access may end in the next one.
  Allocation *End = find(Address + Size - 1);
  return End && End != &Start ? BottomReason::CrossArray
                              : BottomReason::OutOfBounds;
}

OrBottom<std::vector<Byte>> readDevice(DeviceMemory &Memory, StateSpace Space,
                                       PhysMemAddr Address, uint64_t Size,
                                       SourceRef Where) {
  DeviceMemory::Allocation *A;
  if (auto Why = Memory.check(Space, Address, Size, /*IsWrite=*/false, A))
    return Bottom{*Why, 0, Address, Where};
  uint64_t Offset = Address - A->Address;
  A->touch(static_cast<int64_t>(Offset), Size);
  return std::vector<Byte>(A->Data + Offset, A->Data + Offset + Size);
}

OrBottom<bool> writeDevice(DeviceMemory &Memory, StateSpace Space,
                           PhysMemAddr Address, const std::vector<Byte> &Value,
                           SourceRef Where) {
  DeviceMemory::Allocation *A;
  if (auto Why =
          Memory.check(Space, Address, Value.size(), /*IsWrite=*/true, A))
    return Bottom{*Why, 0, Address, Where};
  uint64_t Offset = Address - A->Address;
  A->touch(static_cast<int64_t>(Offset), Value.size());
  std::ranges::copy(Value, A->Data + Offset);
  if (!A->Tags.empty())
    std::fill_n(A->Tags.begin() + static_cast<ptrdiff_t>(Offset), Value.size(),
                0);
  return true;
}

} // namespace cudaopt
