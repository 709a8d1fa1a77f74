// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The shared memory of a block: placing arrays, locking banks, and performing
/// the requests of a warp.
//===----------------------------------------------------------------------===//

#include "cudaopt/Machine/Memory.h"

#include <bit>
#include <cassert>
#include <utility>

namespace cudaopt {

const char *textOf(BottomReason Reason) {
  switch (Reason) {
  case BottomReason::OutOfBounds:
    return "out of bounds";
  case BottomReason::CrossArray:
    return "in another array";
  case BottomReason::Misaligned:
    return "misaligned";
  case BottomReason::Uninitialised:
    return "uninitialised";
  case BottomReason::WrongSpace:
    return "in another state space";
  case BottomReason::WriteConst:
    return "a write to constant memory";
  }
  return nullptr;
}

std::vector<BankIdx> banks(const BankMap &Map, SharedAddr Address,
                           uint32_t MemOpSize) {
  std::vector<BankIdx> Result;
  if (MemOpSize == 0)
    return Result;
  uint32_t First = Map.wordOf(Address);
  uint32_t Count = Map.wordOf(Address + MemOpSize - 1) - First + 1;
  for (uint32_t I = 0; I < std::min(Count, Map.Banks); ++I)
    Result.push_back(static_cast<BankIdx>((First + I) % Map.Banks));
  return Result;
}

unsigned SharedMemory::place(std::string Name, uint32_t Size,
                             uint32_t Alignment) {
  assert(std::has_single_bit(Alignment) && "alignment is no power of two");
  assert(Arrays.size() < NoArray && "too many arrays");
  uint32_t Free = Bytes.empty() ? RedZone : size();
  uint32_t Address = (Free + Alignment - 1) & ~(Alignment - 1);
  auto Index = static_cast<unsigned>(Arrays.size());
  Arrays.push_back({std::move(Name), Address, Size});

  uint32_t End = Address + Size;
  Bytes.resize(End + RedZone, Forgotten);
  Written.resize(End + RedZone, 0);
  ArrayOfPiece.resize((Bytes.size() + RedZone - 1) / RedZone, NoArray);
  for (uint32_t Piece = Address / RedZone; Piece * RedZone < End; ++Piece)
    ArrayOfPiece[Piece] = static_cast<uint16_t>(Index);
  return Index;
}

void SharedMemory::reset() {
  std::ranges::fill(Bytes, Forgotten);
  std::ranges::fill(Written, 0);
  Locks = {};
}

BottomReason SharedMemory::whyOutside(unsigned Index, uint32_t Offset,
                                      uint32_t Size) const {
  // The access of one instruction is shorter than a red zone and ends there;
  // only a copy may reach the next array.
  uint64_t Last = uint64_t(Arrays[Index].Address) + Offset + Size - 1;
  bool EndsInArray = Last < size() && findArray(static_cast<SharedAddr>(Last));
  return EndsInArray ? BottomReason::CrossArray : BottomReason::OutOfBounds;
}

void SharedMemory::lock(SharedAddr Address, uint32_t Size) {
  for (BankIdx Bank : banks(Map, Address, Size))
    Locks[Bank] = true;
}

void SharedMemory::unlock(SharedAddr Address, uint32_t Size) {
  for (BankIdx Bank : banks(Map, Address, Size))
    Locks[Bank] = false;
}

/// Returns bottom for the first active lane whose access is undefined;
/// std::nullopt if all are defined.
static std::optional<Bottom> findBottom(const SharedMemory &Memory,
                                        const WarpRequest &Request, bool IsRead,
                                        SourceRef Where) {
  assert(Request.Width <= sizeof(LaneBytes::value_type) && "no MemOpSize");
  for (unsigned Lane = 0; Lane < WarpSize; ++Lane) {
    if (!Request.isActive(Lane))
      continue;
    SharedAddr Address = Request.Addresses[Lane];
    std::optional<BottomReason> Why = Memory.check(Address, Request.Width);
    if (!Why && IsRead && !Memory.isInitialised(Address, Request.Width))
      Why = BottomReason::Uninitialised;
    if (Why)
      return Bottom{*Why, Lane, Address, Where};
  }
  return std::nullopt;
}

OrBottom<LaneBytes> readShared(const SharedMemory &Memory,
                               const WarpRequest &Request, SourceRef Where) {
  if (std::optional<Bottom> B = findBottom(Memory, Request, true, Where))
    return *B;
  LaneBytes Values = {};
  for (unsigned Lane = 0; Lane < WarpSize; ++Lane)
    if (Request.isActive(Lane))
      std::memcpy(Values[Lane].data(), Memory.bytes(Request.Addresses[Lane]),
                  Request.Width);
  return Values;
}

OrBottom<bool> writeShared(SharedMemory &Memory, const WarpRequest &Request,
                           const LaneBytes &Values, SourceRef Where) {
  if (std::optional<Bottom> B = findBottom(Memory, Request, false, Where))
    return *B;
  for (unsigned Lane = 0; Lane < WarpSize; ++Lane)
    if (Request.isActive(Lane))
      std::memcpy(Memory.bytesToWrite(Request.Addresses[Lane], Request.Width),
                  Values[Lane].data(), Request.Width);
  return true;
}

} // namespace cudaopt
