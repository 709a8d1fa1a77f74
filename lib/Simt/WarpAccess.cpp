// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The part of WarpMemory that finds out where a request goes, and whether its
/// accesses to shared and local memory are defined.
//===----------------------------------------------------------------------===//

#include "WarpMemory.h"

namespace cudaopt::simt {

const LaneValues *WarpMemory::addressesOf(const Operation &Op, const Warp &W,
                                          Register Address,
                                          LaneValues &Resolved) {
  const uint32_t Terms = W.symbolic(Address) & W.Active.Bits;
  if (!Terms)
    return &W[Address];
  Resolved = W[Address];
  bool DependOnData = false;
  forEachLane(Terms, [&](unsigned Lane) {
    std::optional<uint64_t> Number =
        S.numberOf(static_cast<TermId>(W[Address][Lane]));
    Resolved[Lane] = Number.value_or(0);
    DependOnData |= !Number;
  });
  if (!DependOnData)
    return &Resolved;
  S.dependsOnData("an address", Op);
  return nullptr;
}

std::optional<uint32_t> WarpMemory::widthOf(const Operation &Op) {
  uint32_t Width = Op.Count * (Op.Bits / 8u);
  if (Op.Bits % 8 == 0 && std::has_single_bit(Width) && Width <= 16)
    return Width;
  S.giveUp(RunStatus::Unsupported,
           "an access to " + std::to_string(Op.Count * Op.Bits) + " bits", Op);
  return std::nullopt;
}

/// An instruction on a state space checks that the address is in it; a generic
/// one may access different memories in different lanes.
WarpMemory::Located WarpMemory::locate(const Request &R) {
  Located Found;
  uint32_t InShared = 0, InLocal = 0;
  if (R.Space == PointerSpace::Shared)
    InShared = R.Lanes;
  else if (R.Space == PointerSpace::Local)
    InLocal = R.Lanes;
  else
    for (unsigned Lane = 0; Lane < WarpSize; ++Lane) {
      InShared |= static_cast<uint32_t>(isShared(R.Address[Lane])) << Lane;
      InLocal |= static_cast<uint32_t>(isLocal(R.Address[Lane])) << Lane;
    }
  InShared &= R.Lanes;
  InLocal &= R.Lanes;
  uint32_t InDevice = R.Lanes & ~(InShared | InLocal);
  if (R.Space == PointerSpace::Global || R.Space == PointerSpace::Const) {
    forEachLane(InShared | InLocal, [&](unsigned Lane) {
      reportDevice(BottomReason::WrongSpace, R, Lane);
    });
    InShared = InLocal = 0;
  }
  // The windows begin at multiples of their size, so that the low half of a
  // generic address is the offset in its window.
  for (unsigned Lane = 0; Lane < WarpSize; ++Lane)
    Found.Offset[Lane] = static_cast<uint32_t>(R.Address[Lane]);
  if (InShared)
    locateShared(R, InShared, Found);
  if (InLocal)
    locateLocal(R, InLocal, Found);
  if (InDevice)
    locateDevice(R, InDevice, Found);
  if (R.Op.Align > R.Width)
    checkAlignment(R, Found);
  return Found;
}

/// Checks an alignment greater than the width. An access to a part of an
/// aligned vector requires the alignment of the whole: another compiler may
/// access the vector at once.
void WarpMemory::checkAlignment(const Request &R, Located &Found) {
  if (R.Op.Code != Opcode::Load && R.Op.Code != Opcode::Store)
    return;
  const uint32_t LowBits = std::min(R.Op.Align, MaxAlignment) - 1;
  forEachLane(Found.lanes(), [&](unsigned Lane) {
    if ((R.Address[Lane] & LowBits) == 0)
      return;
    if (Found.Shared >> Lane & 1)
      S.add(sharedFinding(FindingKind::Misaligned, R.Op, R.W, Lane,
                          Found.Offset[Lane]));
    else if (Found.Local >> Lane & 1)
      reportLocal(FindingKind::Misaligned, R, Lane);
    else
      reportDevice(BottomReason::Misaligned, R, Lane);
    for (uint32_t *Lanes : {&Found.Shared, &Found.Local, &Found.Device})
      *Lanes &= ~(1u << Lane);
  });
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

/// Returns the array that contains \p Address or is nearest to it; null if
/// there is none.
static const SharedMemory::Array *nearestArray(const SharedMemory &Memory,
                                               SharedAddr Address) {
  const SharedMemory::Array *Nearest = nullptr;
  uint32_t Least = ~0u;
  for (const SharedMemory::Array &A : Memory.arrays()) {
    uint32_t Distance = Address < A.Address ? A.Address - Address
                        : Address - A.Address < A.Size
                            ? 0
                            : Address - A.Address - A.Size + 1;
    if (!Nearest || Distance < Least) {
      Nearest = &A;
      Least = Distance;
    }
  }
  return Nearest;
}

Finding WarpMemory::sharedFinding(FindingKind Kind, const Operation &Op,
                                  const Warp &W, unsigned Lane,
                                  SharedAddr Address,
                                  std::optional<unsigned> Array) const {
  Finding F = S.findingAt(Kind, Op);
  F.Thread = W.thread(Lane);
  F.Object = "shared memory";
  F.Address = Address;
  if (const SharedMemory::Array *A =
          Array ? &Shared.arrays()[*Array] : nearestArray(Shared, Address)) {
    F.Object = A->Name;
    F.Address = Address - A->Address;
  }
  return F;
}

uint32_t WarpMemory::checkShared(const Request &R, uint32_t Lanes,
                                 const Located &Found) {
  // In the common case all lanes access one array: the range of their addresses
  // is checked at once.
  auto First = static_cast<unsigned>(std::countr_zero(Lanes));
  uint32_t Least = Found.Offset[First], Greatest = Least, LowBits = 0;
  uint64_t HighBits = 0;
  for (unsigned Lane = 0; Lane < WarpSize; ++Lane) {
    bool Takes = Lanes >> Lane & 1;
    uint32_t Offset = Takes ? Found.Offset[Lane] : Found.Offset[First];
    Least = std::min(Least, Offset);
    Greatest = std::max(Greatest, Offset);
    LowBits |= Offset;
    HighBits |= Takes ? R.Address[Lane] ^ R.Address[First] : 0;
  }
  bool InWindow = R.Space != PointerSpace::Shared ||
                  ((HighBits | R.Address[First]) >> 32) == 0;
  std::optional<unsigned> Array = Intended.of(R.Pointer, R.Space);
  if (InWindow && !Shared.check(Least, Greatest - Least + R.Width, Array) &&
      (LowBits & (R.Width - 1)) == 0)
    return Lanes;

  uint32_t Good = 0;
  forEachLane(Lanes, [&](unsigned Lane) {
    std::optional<BottomReason> Why;
    if (R.Space == PointerSpace::Shared && R.Address[Lane] >= WindowSize)
      Why = isShared(R.Address[Lane]) || S.Memory.find(R.Address[Lane])
                ? BottomReason::WrongSpace
                : BottomReason::OutOfBounds;
    else
      Why = Shared.check(Found.Offset[Lane], R.Width, Array);
    if (Why)
      S.add(sharedFinding(kindOf(*Why, true), R.Op, R.W, Lane,
                          Found.Offset[Lane], Array));
    else
      Good |= 1u << Lane;
  });
  return Good;
}

/// A merged request is counted once, with its whole width.
void WarpMemory::countBanks(const Request &R, const Located &Found) {
  static constexpr MemoryOp MemoryOps[] = {MemoryOp::Load, MemoryOp::Store,
                                           MemoryOp::Reduce};
  const IssuedRequest &Issued = R.Op.Issued;
  if (Issued.IsElsewhere)
    return;
  auto Kind = static_cast<unsigned>(R.Kind);
  WarpRequest Request = {MemoryOps[Kind], R.Width, Found.Shared, Found.Offset};
  if (Issued.Bytes) {
    Request.Width = Issued.Bytes;
    for (uint32_t &Address : Request.Addresses)
      Address += static_cast<uint32_t>(static_cast<int32_t>(Issued.Begin));
  }
  Banks.count(S.P, R.Op.Site, R.Kind, Request, S.Result.Seen);
}

/// Until a copy completes, its destination belongs to the hardware: a thread
/// that reads or writes it has not waited. The finding names the copy.
void WarpMemory::checkPending(const Request &R, const Located &Found) {
  forEachLane(Found.Shared, [&](unsigned Lane) {
    SharedAddr Begin = Found.Offset[Lane], End = Begin + R.Width;
    if (std::all_of(&NumPending[Begin], &NumPending[End],
                    [](uint8_t Count) { return Count == 0; }))
      return;
    Finding F = sharedFinding(FindingKind::PendingCopy, R.Op, R.W, Lane, Begin);
    for (size_t Other = 0; Other < Async.size(); ++Other)
      for (const AsyncCopy &Copy : Async[Other].Copies)
        if (Copy.To < End && Begin < Copy.To + Copy.Size) {
          F.Other = S.placeOf(*Copy.Op);
          F.OtherThread = static_cast<uint32_t>(Other) * WarpSize + Copy.Lane;
        }
    S.add(std::move(F));
  });
}

void WarpMemory::checkInitialised(const Request &R, const Located &Found) {
  forEachLane(Found.Shared, [&](unsigned Lane) {
    if (!Shared.isInitialised(Found.Offset[Lane], R.Width))
      S.add(sharedFinding(FindingKind::Uninitialised, R.Op, R.W, Lane,
                          Found.Offset[Lane]));
  });
}

CellAccess WarpMemory::accessOf(const Operation &Op, const Warp &W,
                                unsigned Lane, bool IsAtomic) const {
  CellAccess By;
  By.Site = Op.Site;
  By.Thread = static_cast<uint16_t>(W.thread(Lane));
  By.Strength = IsAtomic        ? AccessStrength::Atomic
                : Op.IsVolatile ? AccessStrength::Volatile
                                : AccessStrength::Plain;
  return By;
}

void WarpMemory::reportRace(const CellAccess &Earlier, const Operation &Op,
                            const Warp &W, unsigned Lane, SharedAddr Address) {
  FindingKind Kind =
      Earlier.warp() == W.Id ? FindingKind::WarpRace : FindingKind::Race;
  Finding F = sharedFinding(Kind, Op, W, Lane, Address);
  F.Other = S.P.Sites[Earlier.Site];
  F.OtherThread = Earlier.Thread;
  S.add(std::move(F));
}

void WarpMemory::recordReads(const Request &R, const Located &Found) {
  CellAccess By = accessOf(R.Op, R.W, 0);
  forEachLane(Found.Shared, [&](unsigned Lane) {
    By.Thread = static_cast<uint16_t>(R.W.thread(Lane));
    CellAccess Earlier = Races.read(Found.Offset[Lane], R.Width, By);
    if (Earlier.Time)
      reportRace(Earlier, R.Op, R.W, Lane, Found.Offset[Lane]);
  });
}

void WarpMemory::recordUse(SharedAddr Address, Access Kind) {
  auto Mark = [this](std::vector<bool> &Intervals) {
    if (Intervals.size() <= Interval)
      Intervals.resize(Interval + 1);
    Intervals[Interval] = true;
  };
  ArrayUse &Use = S.Result.Seen.Arrays[UseOf[*Shared.findArray(Address)]];
  if (Kind != Access::Store)
    Mark(Use.Read);
  if (Kind != Access::Load)
    Mark(Use.Written);
}

/// Loads are recorded for the race detector here, stores when their contents
/// are known.
void WarpMemory::locateShared(const Request &R, uint32_t Lanes,
                              Located &Found) {
  Found.Shared = checkShared(R, Lanes, Found);
  if (!Found.Shared)
    return;
  const Byte *Base = Shared.bytes(0);
  forEachLane(Found.Shared, [&](unsigned Lane) {
    Found.Data[Lane] = Base + Found.Offset[Lane];
  });
  const bool IsObject =
      R.Op.Code >= Opcode::MbarrierInit && R.Op.Code <= Opcode::MbarrierCopies;
  if (S.Options.CountBanks && !IsObject)
    countBanks(R, Found);
  if (NumCopies)
    checkPending(R, Found);
  if (S.Options.CheckInitialisation && R.Kind != Access::Store)
    checkInitialised(R, Found);
  if (S.Options.CheckRaces && R.Kind == Access::Load)
    recordReads(R, Found);
  if (S.Options.RecordUse)
    forEachLane(Found.Shared,
                [&](unsigned Lane) { recordUse(Found.Offset[Lane], R.Kind); });
}

//===----------------------------------------------------------------------===//
// Local memory
//===----------------------------------------------------------------------===//

void WarpMemory::reportLocal(FindingKind Kind, const Request &R,
                             unsigned Lane) {
  Finding F = S.findingAt(Kind, R.Op);
  F.Thread = R.W.thread(Lane);
  F.Object = "local memory";
  F.Address = R.Address[Lane];
  if (R.Space != PointerSpace::Local)
    F.Address -= LocalWindow;
  S.add(std::move(F));
}

void WarpMemory::locateLocal(const Request &R, uint32_t Lanes, Located &Found) {
  forEachLane(Lanes, [&](unsigned Lane) {
    uint64_t Offset = R.Address[Lane];
    if (R.Space != PointerSpace::Local)
      Offset -= LocalWindow;
    bool IsInside = Local.contains(Offset, R.Width);
    if (IsInside && Offset % R.Width == 0) {
      Found.Local |= 1u << Lane;
      Found.Data[Lane] = Local.bytes(R.W.thread(Lane), Offset);
      return;
    }
    reportLocal(IsInside ? FindingKind::Misaligned
                         : FindingKind::LocalOutOfBounds,
                R, Lane);
  });
}

} // namespace cudaopt::simt
