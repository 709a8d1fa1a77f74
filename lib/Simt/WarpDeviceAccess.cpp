// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The part of WarpMemory that checks requests to global and constant memory,
/// and reports what is wrong with them.
//===----------------------------------------------------------------------===//

#include "WarpMemory.h"

namespace cudaopt::simt {

FindingKind kindOf(BottomReason Reason, bool IsShared) {
  switch (Reason) {
  case BottomReason::OutOfBounds:
    return IsShared ? FindingKind::SharedOutOfBounds
                    : FindingKind::GlobalOutOfBounds;
  case BottomReason::CrossArray:
    return IsShared ? FindingKind::CrossArray : FindingKind::GlobalOutOfBounds;
  case BottomReason::Misaligned:
    return FindingKind::Misaligned;
  case BottomReason::Uninitialised:
    return FindingKind::Uninitialised;
  case BottomReason::WrongSpace:
    return FindingKind::WrongSpace;
  case BottomReason::WriteConst:
    return FindingKind::WriteConst;
  }
  llvm_unreachable("all reasons are listed");
}

static std::optional<StateSpace> stateSpaceOf(PointerSpace Space) {
  if (Space == PointerSpace::Global)
    return StateSpace::Global;
  if (Space == PointerSpace::Const)
    return StateSpace::Const;
  return std::nullopt;
}

/// Refines a finding about an address outside of all allocations: a null
/// pointer, a use after free, or a pointer to memory of the host.
static void findKindOfOutside(const DeviceMemory &Memory, Finding &F) {
  // The addresses that a null pointer with a small index reaches, where nothing
  // is ever allocated.
  constexpr PhysMemAddr EndOfNull = 1 << 16;
  uint64_t Offset = 0;
  if (F.Address < EndOfNull) {
    F.Kind = FindingKind::NullPointer;
    F.Offset.reset();
  } else if (const std::string *Name = Memory.findReleased(F.Address, Offset)) {
    F.Kind = FindingKind::UseAfterFree;
    F.Object = *Name;
    F.Offset = static_cast<int64_t>(Offset);
  } else if (F.Address < DeviceMemory::FirstAddress && !F.Offset) {
    F.Kind = FindingKind::HostPointer;
  }
}

void WarpMemory::reportDevice(BottomReason Reason, const Request &R,
                              unsigned Lane) {
  std::optional<unsigned> Array = Intended.of(R.Pointer, R.Space);
  if (Array && Reason == BottomReason::OutOfBounds) {
    // A negative index that is taken as unsigned leaves even the window of
    // shared memory.
    Finding F = sharedFinding(FindingKind::SharedOutOfBounds, R.Op, R.W, Lane,
                              0, Array);
    F.Address =
        R.Address[Lane] - SharedWindow - Shared.arrays()[*Array].Address;
    return S.add(std::move(F));
  }
  Finding F = S.findingAt(kindOf(Reason, false), R.Op);
  F.Thread = R.W.thread(Lane);
  F.Address = R.Address[Lane];
  F.Object = "memory";
  if (DeviceMemory::Allocation *A = S.Memory.findNearest(F.Address)) {
    F.Object = A->Name;
    // Touching the nearest allocation tells a dry run how large it should be.
    constexpr int64_t LargestOffset = int64_t(1) << 40;
    auto Offset = static_cast<int64_t>(F.Address - A->Address);
    if (std::abs(Offset) < LargestOffset)
      F.Offset = Offset;
    if (F.Kind == FindingKind::GlobalOutOfBounds && F.Offset)
      A->touch(Offset, R.Width);
  }
  if (Reason == BottomReason::OutOfBounds)
    findKindOfOutside(S.Memory, F);
  S.add(std::move(F));
}

/// Describes an access for the race detector. Volatile accesses count as
/// atomic: blocks that signal each other with them race on purpose.
CellAccess WarpMemory::deviceAccessOf(const Request &R, unsigned Lane) const {
  return accessOf(R.Op, R.W, Lane, R.Kind == Access::Atomic || R.Op.IsVolatile);
}

void WarpMemory::reportDeviceRace(const CellAccess &Earlier, const Request &R,
                                  unsigned Lane,
                                  const DeviceMemory::Allocation &A,
                                  uint64_t Offset) {
  bool IsOfBlock = RacesOnGlobal->isOfThisBlock(Earlier);
  Finding F =
      S.findingAt(IsOfBlock && Earlier.warp() == R.W.Id ? FindingKind::WarpRace
                                                        : FindingKind::Race,
                  R.Op);
  F.Thread = R.W.thread(Lane);
  F.Object = A.Name;
  F.Address = Offset;
  F.Other = S.P.Sites[Earlier.Site];
  F.OtherThread = Earlier.Thread;
  if (!IsOfBlock)
    F.OtherBlock = RacesOnGlobal->blockOf(Earlier);
  S.add(std::move(F));
}

void WarpMemory::recordDeviceRead(const Request &R, unsigned Lane,
                                  const DeviceMemory::Allocation &A,
                                  uint64_t Offset) {
  if (A.Space == StateSpace::Const)
    return;
  CellAccess Earlier =
      RacesOnGlobal->read(A.Address + Offset, R.Width, deviceAccessOf(R, Lane));
  if (!Earlier.Time)
    return;
  reportDeviceRace(Earlier, R, Lane, A, Offset);
  if (S.Options.Unordered)
    S.Options.Unordered->push_back({A.Address + Offset, R.Width, true});
}

void WarpMemory::recordDeviceWrite(const Request &R, unsigned Lane,
                                   const DeviceMemory::Allocation &A,
                                   uint64_t Offset, const Content &New) {
  WrittenBytes Written = {New.Bytes.data(), A.Data + Offset,
                          New.HasTags ? New.Tags.data() : nullptr,
                          A.Tags.empty() ? nullptr : &A.Tags[Offset]};
  const CellAccess By = deviceAccessOf(R, Lane);
  const PhysMemAddr Address = A.Address + Offset;
  const bool IsRead = S.Options.Unordered &&
                      RacesOnGlobal->isReadUnordered(Address, R.Width, By);
  CellAccess Earlier = RacesOnGlobal->write(Address, R.Width, By, Written);
  if (!Earlier.Time)
    return;
  reportDeviceRace(Earlier, R, Lane, A, Offset);
  if (S.Options.Unordered)
    S.Options.Unordered->push_back({Address, R.Width, IsRead});
}

/// Returns the lanes whose access is defined, and sets their allocations in
/// \p Found.
uint32_t WarpMemory::checkDevice(const Request &R, uint32_t Lanes,
                                 Located &Found) {
  std::optional<StateSpace> Space = stateSpaceOf(R.Space);
  const bool IsWrite = R.Kind != Access::Load;
  auto First = static_cast<unsigned>(std::countr_zero(Lanes));
  DeviceMemory::Allocation *A;
  // In the common case all lanes access one allocation: the range of their
  // addresses is checked at once.
  if (!S.Memory.check(Space, R.Address[First], R.Width, IsWrite, A)) {
    uint64_t Least = R.Address[First], Greatest = Least, LowBits = 0;
    for (unsigned Lane = 0; Lane < WarpSize; ++Lane) {
      uint64_t Address = R.Address[Lanes >> Lane & 1 ? Lane : First];
      Least = std::min(Least, Address);
      Greatest = std::max(Greatest, Address);
      LowBits |= Address;
    }
    if (Least >= A->Address && Greatest - A->Address <= A->Size - R.Width &&
        (LowBits & (R.Width - 1)) == 0) {
      A->touch(static_cast<int64_t>(Least - A->Address),
               Greatest - Least + R.Width);
      A->noteAlignment(std::max(R.Width, std::min(R.Op.Align, MaxAlignment)));
      Found.Owner.fill(A);
      return Lanes;
    }
  }
  uint32_t Good = 0;
  forEachLane(Lanes, [&](unsigned Lane) {
    if (auto Why = S.Memory.check(Space, R.Address[Lane], R.Width, IsWrite, A))
      return reportDevice(*Why, R, Lane);
    A->touch(static_cast<int64_t>(R.Address[Lane] - A->Address), R.Width);
    A->noteAlignment(std::max(R.Width, std::min(R.Op.Align, MaxAlignment)));
    Found.Owner[Lane] = A;
    Good |= 1u << Lane;
  });
  return Good;
}

/// Registers the access of this part of the grid. If it conflicts with another
/// part, nothing is accessed, and the run ends.
void WarpMemory::enterPart(const Request &R, Located &Found) {
  forEachLane(Found.Device, [&](unsigned Lane) {
    const DeviceMemory::Allocation &A = *Found.Owner[Lane];
    const uint64_t Offset = R.Address[Lane] - A.Address;
    if (R.Kind == Access::Atomic)
      S.Options.Part->setBroken();
    else if (R.Kind == Access::Load)
      S.Options.Part->read(A, Offset, R.Width);
    else
      S.Options.Part->write(A, Offset, R.Width);
  });
  if (S.isStopped())
    Found.Device = 0;
}

/// Constant memory has a cache of its own.
void WarpMemory::countSectors(const Request &R, const Located &Found) {
  GlobalRequest Request = {R.Kind == Access::Atomic, R.Width, 0, {}};
  forEachLane(Found.Device, [&](unsigned Lane) {
    Request.Addresses[Lane] = R.Address[Lane];
    if (Found.Owner[Lane]->Space == StateSpace::Global)
      Request.ActiveLanes |= 1u << Lane;
  });
  if (!Request.ActiveLanes)
    return;
  AccessCost &Sum = S.Result.Seen.Global[{S.P.Sites[R.Op.Site], R.Kind,
                                          static_cast<uint8_t>(R.Width)}];
  Sum += {1, cudaopt::countSectors(Request), boundSectors(Request)};
}

void WarpMemory::locateDevice(const Request &R, uint32_t Lanes,
                              Located &Found) {
  Found.Device = checkDevice(R, Lanes, Found);
  if (S.Options.CountSectors)
    countSectors(R, Found);
  if (S.Options.Part)
    enterPart(R, Found);
  forEachLane(Found.Device, [&](unsigned Lane) {
    const DeviceMemory::Allocation &A = *Found.Owner[Lane];
    Found.Data[Lane] = A.Data + (R.Address[Lane] - A.Address);
  });
  if (RacesOnGlobal && R.Kind == Access::Load)
    forEachLane(Found.Device, [&](unsigned Lane) {
      const DeviceMemory::Allocation &A = *Found.Owner[Lane];
      recordDeviceRead(R, Lane, A, R.Address[Lane] - A.Address);
    });
}

} // namespace cudaopt::simt
