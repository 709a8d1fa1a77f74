// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The part of WarpMemory that performs loads, stores and memory copies, and
/// the state of a block's memory.
//===----------------------------------------------------------------------===//

#include "WarpMemory.h"
#include "Arithmetic.h"

#include <algorithm>
#include <cstring>

namespace cudaopt::simt {

/// Returns the width of the next piece of a copy: the greatest power of two
/// that is at most \p Limit and as aligned as \p Op says.
static uint32_t pieceOf(const Operation &Op, uint64_t Limit) {
  uint64_t Widest = std::min<uint64_t>({Op.Align, Limit, 16});
  return static_cast<uint32_t>(std::bit_floor(std::max<uint64_t>(Widest, 1)));
}

uint32_t cellSizeOf(const Program &P, PointerSpace Space) {
  uint32_t Size = 16;
  for (const Block &B : P.Blocks)
    for (const Operation &Op : B.Operations)
      switch (Op.Code) {
      case Opcode::Load:
      case Opcode::Store:
      case Opcode::AtomicRmw:
      case Opcode::AtomicCas:
        if (Op.Space == Space || Op.Space == PointerSpace::Generic)
          Size = std::min(Size, std::max(1u, Op.Count * Op.Bits / 8u));
        break;
      case Opcode::Copy:
      case Opcode::Fill: // The last piece may be as short as a byte.
        Size = std::min(Size, pieceOf(Op, Op.Immediate & -Op.Immediate));
        break;
      case Opcode::CopyAsync:
        Size = std::min(Size, static_cast<uint32_t>(Op.Immediate));
        break;
      case Opcode::MbarrierInit:
      case Opcode::MbarrierArrive:
      case Opcode::MbarrierWait:
        Size = std::min(Size, 8u);
        break;
      default:
        break;
      }
  return std::bit_floor(Size);
}

static unsigned numWarps(const RunState &S) {
  return (S.numThreads() + WarpSize - 1) / WarpSize;
}

WarpMemory::WarpMemory(RunState &State)
    : S(State), Shared(S.P.makeSharedMemory(S.L.DynamicShared)),
      Intended(S.P, Shared),
      Races(S.Options.CheckRaces ? Shared.size() : 0,
            cellSizeOf(S.P, PointerSpace::Shared), numWarps(S)),
      Banks(S.Options.Banks, S.P.Sites.size()),
      Undefined(S.tracksUndefined() ? tagOf(S.Terms->undefined(), 0) : 0),
      Local(S.P, S.L, numWarps(S), S.Terms, Undefined),
      NumPending(Shared.size() + 1), Async(numWarps(S)) {
  if (S.Terms)
    SharedTags.resize(Shared.size());
  if (S.Options.CheckGlobalRaces)
    RacesOnGlobal.emplace(Races, cellSizeOf(S.P, PointerSpace::Global));
  if (!S.Options.RecordUse)
    return;
  S.Result.Seen.Arrays.resize(S.P.Shared.size());
  for (const SharedMemory::Array &A : Shared.arrays()) {
    auto Use =
        std::ranges::find(S.P.Shared, A.Address, &SharedVariable::Address);
    UseOf.push_back(static_cast<size_t>(Use - S.P.Shared.begin()));
  }
}

void WarpMemory::startBlock() {
  Shared.reset();
  if (S.Terms)
    std::ranges::fill(SharedTags, Undefined);
  Races.meetBlock();
  if (RacesOnGlobal)
    RacesOnGlobal->startBlock(S.Block);
  Interval = 0;
  if (NumCopies)
    std::ranges::fill(NumPending, 0);
  NumCopies = 0;
}

void WarpMemory::startWarp(const Warp &W) {
  Local.startWarp(W.Id);
  Async[W.Id].Copies.clear();
}

void WarpMemory::endInterval() {
  Races.meetBlock();
  ++Interval;
}

//===----------------------------------------------------------------------===//
// Bytes and registers
//===----------------------------------------------------------------------===//

/// Shared and local memory have tags for all bytes or none, an allocation has
/// them once a term was written to it.
const uint64_t *WarpMemory::tagsOf(const Warp &W, const Located &Found,
                                   unsigned Lane) {
  if (Found.Shared >> Lane & 1)
    return SharedTags.empty() ? nullptr : &SharedTags[Found.Offset[Lane]];
  if (Found.Local >> Lane & 1)
    return Local.tags(W.thread(Lane), Found.Offset[Lane]);
  const DeviceMemory::Allocation &A = *Found.Owner[Lane];
  return A.Tags.empty()
             ? nullptr
             : &A.Tags[static_cast<size_t>(Found.Data[Lane] - A.Data)];
}

/// Loads a value of type \p T for each lane.
template <class T>
static void gather(LaneValues &D, uint32_t Lanes,
                   const std::array<const Byte *, WarpSize> &Data,
                   uint32_t First) {
  forEachLane(Lanes, [&](unsigned Lane) {
    T Value;
    std::memcpy(&Value, Data[Lane] + First, sizeof(T));
    D[Lane] = Value;
  });
}

/// Sets a register to the \p Size bytes that begin \p First bytes behind the
/// address.
void WarpMemory::loadRegister(const Located &Found, Warp &W, Register D,
                              uint32_t First, uint32_t Size) {
  const uint32_t Lanes = Found.lanes();
  LaneValues &Values = W.result(D);
  switch (Size) {
  case 1:
    gather<uint8_t>(Values, Lanes, Found.Data, First);
    break;
  case 2:
    gather<uint16_t>(Values, Lanes, Found.Data, First);
    break;
  case 4:
    gather<uint32_t>(Values, Lanes, Found.Data, First);
    break;
  default:
    gather<uint64_t>(Values, Lanes, Found.Data, First);
  }
  if (!S.Terms)
    return;
  W.setConcrete(D, Lanes);
  forEachLane(Lanes, [&](unsigned Lane) {
    const uint64_t *Tags = tagsOf(W, Found, Lane);
    if (Tags && hasTag(Tags + First, Size))
      S.put(W, D, Lane,
            S.Terms->fromTags(Tags + First, Found.Data[Lane] + First, Size));
  });
}

WarpMemory::Content WarpMemory::contentOf(const Warp &W, const Located &Found,
                                          unsigned Lane, uint32_t Size) {
  Content Result;
  std::memcpy(Result.Bytes.data(), Found.Data[Lane], Size);
  const uint64_t *Tags = S.Terms ? tagsOf(W, Found, Lane) : nullptr;
  if (Tags) {
    Result.HasTags = hasTag(Tags, Size);
    std::copy_n(Tags, Size, Result.Tags.begin());
  }
  return Result;
}

/// Sets \p Size bytes of \p To, from byte \p At on, to the low bytes of a
/// register.
void WarpMemory::append(Content &To, uint32_t At, const Warp &W, Register R,
                        unsigned Lane, uint32_t Size) {
  uint64_t Value = W[R][Lane];
  bool IsTerm = W.symbolic(R) >> Lane & 1;
  if (S.Terms) {
    for (uint32_t I = 0; I < Size; ++I)
      To.Tags[At + I] = IsTerm ? tagOf(static_cast<TermId>(Value), I) : 0;
    To.HasTags |= IsTerm;
  }
  std::memcpy(&To.Bytes[At], &Value, Size);
}

/// Every write to shared memory ends here, so that the race detector sees it
/// with the bytes that it changes.
void WarpMemory::writeShared(const Operation &Op, const Warp &W, unsigned Lane,
                             SharedAddr To, uint32_t Size, const Content &New,
                             bool IsAtomic) {
  if (S.Options.CheckRaces) {
    WrittenBytes Written = {New.Bytes.data(), Shared.bytes(To), nullptr,
                            nullptr};
    if (S.Terms) {
      Written.NewTags = New.HasTags ? New.Tags.data() : nullptr;
      Written.OldTags = &SharedTags[To];
    }
    CellAccess Earlier =
        Races.write(To, Size, accessOf(Op, W, Lane, IsAtomic), Written);
    if (Earlier.Time)
      reportRace(Earlier, Op, W, Lane, To);
  }
  std::memcpy(Shared.bytesToWrite(To, Size), New.Bytes.data(), Size);
  if (New.HasTags)
    std::copy_n(New.Tags.begin(), Size, &SharedTags[To]);
  else if (S.Terms)
    std::fill_n(&SharedTags[To], Size, 0);
}

void WarpMemory::write(const Request &R, Located &Found, unsigned Lane,
                       const Content &New) {
  if (Found.Shared >> Lane & 1)
    return writeShared(R.Op, R.W, Lane, Found.Offset[Lane], R.Width, New,
                       R.Kind == Access::Atomic);
  uint64_t *Tags = nullptr;
  if (Found.Local >> Lane & 1) {
    unsigned Thread = R.W.thread(Lane);
    std::memcpy(Local.bytes(Thread, Found.Offset[Lane]), New.Bytes.data(),
                R.Width);
    Tags = Local.tags(Thread, Found.Offset[Lane]);
  } else {
    DeviceMemory::Allocation &A = *Found.Owner[Lane];
    auto Offset = static_cast<size_t>(Found.Data[Lane] - A.Data);
    if (RacesOnGlobal)
      recordDeviceWrite(R, Lane, A, Offset, New);
    std::memcpy(A.Data + Offset, New.Bytes.data(), R.Width);
    if (New.HasTags && A.Tags.empty())
      A.Tags.resize(A.Size);
    Tags = A.Tags.empty() ? nullptr : &A.Tags[Offset];
  }
  if (New.HasTags)
    std::copy_n(New.Tags.begin(), R.Width, Tags);
  else if (Tags)
    std::fill_n(Tags, R.Width, 0);
}

void WarpMemory::putUndefined(const Operation &Op, Warp &W, uint32_t Lanes) {
  forEachLane(Lanes, [&](unsigned Lane) {
    for (Register I = 0; I < Op.Count; ++I)
      W.put(Op.D + I, Lane, UndefinedBytes & maskOf(Op.Bits));
  });
}

//===----------------------------------------------------------------------===//
// Loads, stores, copies
//===----------------------------------------------------------------------===//

/// A load. The lanes of all memories are located first, then the registers are
/// filled one by one.
void WarpMemory::load(const Operation &Op, Warp &W) {
  std::optional<uint32_t> Width = widthOf(Op);
  LaneValues Resolved;
  const LaneValues *Address = addressesOf(Op, W, Op.A, Resolved);
  if (!Width || !Address)
    return;
  Located Found = locate(
      {Op, W, W.Active.Bits, Access::Load, Op.Space, *Width, Op.A, *Address});
  const uint32_t Size = Op.Bits / 8u;
  // Computed first, since the address may be in the register of the first
  // result.
  uint32_t Undefined = W.Active.Bits & ~Found.lanes();
  for (uint32_t I = 0; I < Op.Count; ++I)
    loadRegister(Found, W, Op.D + static_cast<Register>(I), I * Size, Size);
  if (Undefined)
    putUndefined(Op, W, Undefined);
}

void WarpMemory::store(const Operation &Op, Warp &W) {
  std::optional<uint32_t> Width = widthOf(Op);
  LaneValues Resolved;
  const LaneValues *Address = addressesOf(Op, W, Op.A, Resolved);
  if (!Width || !Address)
    return;
  Request R = {Op,       W,      W.Active.Bits, Access::Store,
               Op.Space, *Width, Op.A,          *Address};
  Located Found = locate(R);
  const uint32_t Size = Op.Bits / 8u;
  Content New;
  forEachLane(Found.lanes(), [&](unsigned Lane) {
    New.HasTags = false;
    for (uint32_t I = 0; I < Op.Count; ++I)
      append(New, I * Size, W, Op.B + static_cast<Register>(I), Lane, Size);
    write(R, Found, Lane, New);
  });
}

/// Calls \p Body(offset, width) for each piece of a copy or fill.
template <class Function>
static void forEachPiece(const Operation &Op, Function Body) {
  auto Size = static_cast<uint64_t>(Op.Immediate);
  for (uint64_t At = 0; At < Size;) {
    uint32_t Width = pieceOf(Op, Size - At);
    Body(At, Width);
    At += Width;
  }
}

static LaneValues shifted(const LaneValues &Address, uint64_t By) {
  LaneValues Result = Address;
  for (unsigned Lane = 0; Lane < WarpSize; ++Lane)
    Result[Lane] += By;
  return Result;
}

void WarpMemory::copy(const Operation &Op, Warp &W) {
  LaneValues ResolvedTo, ResolvedFrom;
  const LaneValues *To = addressesOf(Op, W, Op.A, ResolvedTo);
  const LaneValues *From = addressesOf(Op, W, Op.B, ResolvedFrom);
  if (!To || !From)
    return;
  // All pieces are read before one is written, since the memories may overlap.
  Scratch.clear();
  forEachPiece(Op, [&](uint64_t At, uint32_t Width) {
    Located Found = locate({Op, W, W.Active.Bits, Access::Load, Op.Space, Width,
                            Op.B, shifted(*From, At)});
    for (unsigned Lane = 0; Lane < WarpSize; ++Lane) {
      Content &Piece = Scratch.emplace_back();
      if (Found.lanes() >> Lane & 1)
        Piece = contentOf(W, Found, Lane, Width);
      else
        Piece.Bytes.fill(SharedMemory::Forgotten);
    }
  });
  auto Piece = Scratch.begin();
  forEachPiece(Op, [&](uint64_t At, uint32_t Width) {
    LaneValues Address = shifted(*To, At);
    Request R = {Op,       W,     W.Active.Bits, Access::Store,
                 Op.Space, Width, Op.A,          Address};
    Located Found = locate(R);
    forEachLane(Found.lanes(),
                [&](unsigned Lane) { write(R, Found, Lane, Piece[Lane]); });
    Piece += WarpSize;
  });
}

void WarpMemory::fill(const Operation &Op, Warp &W) {
  LaneValues Resolved;
  const LaneValues *To = addressesOf(Op, W, Op.A, Resolved);
  if (!To)
    return;
  forEachPiece(Op, [&](uint64_t At, uint32_t Width) {
    LaneValues Address = shifted(*To, At);
    Request R = {Op,       W,     W.Active.Bits, Access::Store,
                 Op.Space, Width, Op.A,          Address};
    Located Found = locate(R);
    forEachLane(Found.lanes(), [&](unsigned Lane) {
      Content New;
      for (uint32_t I = 0; I < Width; ++I)
        append(New, I, W, Op.B, Lane, 1);
      write(R, Found, Lane, New);
    });
  });
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

void WarpMemory::allocate(const Operation &Op, Warp &W) {
  uint64_t Address = Local.offsetOf(Op.D);
  if (Op.Space != PointerSpace::Local)
    Address += LocalWindow;
  forEachLane(W.Active.Bits,
              [&](unsigned Lane) { W.put(Op.D, Lane, Address); });
}

/// isspacep. Device memory that is no allocation counts as global.
void WarpMemory::isInSpace(const Operation &Op, Warp &W) {
  LaneValues Resolved;
  const LaneValues *Addresses = addressesOf(Op, W, Op.A, Resolved);
  if (!Addresses)
    return;
  forEachLane(W.Active.Bits, [&](unsigned Lane) {
    uint64_t Address = (*Addresses)[Lane];
    StateSpace Space = isShared(Address)  ? StateSpace::Shared
                       : isLocal(Address) ? StateSpace::Local
                                          : StateSpace::Global;
    DeviceMemory::Allocation *A = S.Memory.find(Address);
    if (A)
      Space = A->Space;
    W.put(Op.D, Lane, Space == static_cast<StateSpace>(Op.Variant));
  });
}

std::optional<uint64_t> WarpMemory::peek(const Warp &W, unsigned Lane,
                                         uint64_t Address, unsigned Size,
                                         std::string *NameOfAddress) {
  const Byte *Data = nullptr;
  const uint64_t *Tags = nullptr;
  if (isLocal(Address)) {
    uint64_t Offset = Address - LocalWindow;
    if (!Local.contains(Offset, Size))
      return std::nullopt;
    Data = Local.bytes(W.thread(Lane), Offset);
    Tags = Local.tags(W.thread(Lane), Offset);
  } else if (isShared(Address)) {
    auto Offset = static_cast<SharedAddr>(Address - SharedWindow);
    if (Shared.check(Offset, Size))
      return std::nullopt;
    Data = Shared.bytes(Offset);
    Tags = SharedTags.empty() ? nullptr : &SharedTags[Offset];
  } else {
    DeviceMemory::Allocation *A;
    if (S.Memory.check(std::nullopt, Address, Size, false, A))
      return std::nullopt;
    if (S.Options.Part && !S.Options.Part->read(*A, Address - A->Address, Size))
      return std::nullopt;
    Data = A->Data + (Address - A->Address);
    Tags = A->Tags.empty() ? nullptr : &A->Tags[Address - A->Address];
  }
  if (Tags && hasTag(Tags, Size)) {
    if (!S.Terms)
      return std::nullopt;
    const TermId Term = S.Terms->fromTags(Tags, Data, Size);
    if (NameOfAddress && S.Terms->asAddress(Term))
      *NameOfAddress = S.Terms->text(Term);
    return S.numberOf(Term);
  }
  uint64_t Value = 0;
  std::memcpy(&Value, Data, Size);
  return Value;
}

std::optional<std::string> WarpMemory::peekString(const Warp &W, unsigned Lane,
                                                  uint64_t Address) {
  std::string Text;
  for (;; ++Address) {
    std::optional<uint64_t> Character = peek(W, Lane, Address, 1);
    if (!Character)
      return std::nullopt;
    if (*Character == 0)
      return Text;
    Text += static_cast<char>(*Character);
  }
}

} // namespace cudaopt::simt
