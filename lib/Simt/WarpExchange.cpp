// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The part of WarpMemory that reads and writes in one operation: atomic
/// operations, asynchronous copies, and the memory of barrier objects.
//===----------------------------------------------------------------------===//

#include "Arithmetic.h"
#include "Float.h"
#include "WarpMemory.h"

#include "llvm/ADT/FloatingPointMode.h"
#include <algorithm>
#include <cstring>

namespace cudaopt::simt {

using llvm::AtomicRMWInst;

//===----------------------------------------------------------------------===//
// Atomic operations
//===----------------------------------------------------------------------===//

/// Writes what an atomic operation leaves in memory. In shared memory it locks
/// the banks meanwhile, as the model of Memory.h does.
void WarpMemory::exchange(const Request &R, Located &Found, unsigned Lane,
                          const Content &New) {
  bool IsShared = Found.Shared >> Lane & 1;
  if (IsShared)
    Shared.lock(Found.Offset[Lane], R.Width);
  write(R, Found, Lane, New);
  if (IsShared)
    Shared.unlock(Found.Offset[Lane], R.Width);
}

/// Returns true if an atomic operation flushes denormals. Atomic additions of
/// floats to global memory are performed in the caches, which flush them; those
/// to shared memory do not.
static bool flushesDenormals(const Operation &Op, bool IsShared) {
  auto Operator = static_cast<AtomicRMWInst::BinOp>(Op.Variant);
  return Operator == AtomicRMWInst::FAdd && Op.Bits == 32 && !IsShared;
}

static uint64_t combine(const Operation &Op, bool IsShared, uint64_t Old,
                        uint64_t Operand) {
  auto Operator = static_cast<AtomicRMWInst::BinOp>(Op.Variant);
  // bfloat16 is the upper half of a float, whose precision is so much greater
  // that rounding twice does no harm.
  if (Op.SourceBits == 32)
    return upperHalfOfFloat(combine(Operator, 32, Old << 16, Operand << 16));
  if (!flushesDenormals(Op, IsShared))
    return combine(Operator, Op.Bits, Old, Operand);
  return flushed<Single>(
      combine(Operator, 32, flushed<Single>(Old), flushed<Single>(Operand)));
}

/// Sets the result registers to the old values and returns the new contents. An
/// operation on a term, or with one, builds a term.
WarpMemory::Content WarpMemory::modified(const Operation &Op, Warp &W,
                                         const Content &Old, unsigned Lane,
                                         bool IsShared) {
  auto Operator = static_cast<AtomicRMWInst::BinOp>(Op.Variant);
  const uint32_t Size = Op.Bits / 8u;
  Content New;
  for (Register I = 0; I < Op.Count; ++I) {
    const uint32_t At = static_cast<uint32_t>(I) * Size;
    Register D = Op.D == NoRegister ? NoRegister : Op.D + I, B = Op.B + I;
    bool IsTerm = Old.HasTags && hasTag(&Old.Tags[At], Size);
    uint64_t Before = 0;
    std::memcpy(&Before, &Old.Bytes[At], Size);
    bool Combines = Operator != AtomicRMWInst::Xchg;
    if (!IsTerm && !(Combines && W.symbolic(B) >> Lane & 1)) {
      uint64_t Operand = W[B][Lane];
      append(New, At, W, B, Lane, Size);
      W.put(D, Lane, Before);
      if (Combines) {
        uint64_t After = combine(Op, IsShared, Before, Operand);
        std::memcpy(&New.Bytes[At], &After, Size);
      }
      continue;
    }
    TermId Term = IsTerm
                      ? S.Terms->fromTags(&Old.Tags[At], &Old.Bytes[At], Size)
                      : S.Terms->constant(Before, Op.Bits);
    std::optional<Opcode> Code = opcodeOf(Operator);
    if (Combines && !Code)
      S.dependsOnData("an atomic operation", Op);
    if (!Combines || !Code) {
      append(New, At, W, B, Lane, Size);
    } else {
      bool Rounds = *Code == Opcode::FAdd || *Code == Opcode::FSub;
      auto Mode =
          Rounds ? llvm::RoundingMode::NearestTiesToEven : llvm::RoundingMode();
      unsigned Variant = static_cast<unsigned>(Mode);
      if (flushesDenormals(Op, IsShared))
        Variant |= FlushDenormals;
      TermId After = S.Terms->apply(*Code, Variant, Op.Bits, Op.SourceBits,
                                    Term, S.termOf(W, B, Lane, Op.Bits));
      for (uint32_t Byte = 0; Byte < Size; ++Byte)
        New.Tags[At + Byte] = tagOf(After, Byte);
      New.HasTags = true;
    }
    S.put(W, D, Lane, Term);
  }
  return New;
}

template <class Function>
void WarpMemory::atomic(const Operation &Op, Warp &W, Function ExchangeLane) {
  std::optional<uint32_t> Width = widthOf(Op);
  LaneValues Resolved;
  const LaneValues *Addresses = addressesOf(Op, W, Op.A, Resolved);
  if (!Width || !Addresses)
    return;
  const LaneValues Address = *Addresses;
  Request R = {Op,       W,      W.Active.Bits, Access::Atomic,
               Op.Space, *Width, Op.A,          Address};
  Located Found = locate(R);
  forEachLane(Found.lanes(), [&](unsigned Lane) {
    ExchangeLane(R, Found, Lane, contentOf(W, Found, Lane, *Width));
  });
  if (Op.D != NoRegister)
    putUndefined(Op, W, W.Active.Bits & ~Found.lanes());
}

void WarpMemory::atomicRmw(const Operation &Op, Warp &W) {
  atomic(Op, W,
         [&](const Request &R, Located &Found, unsigned Lane, Content Old) {
           bool IsShared = Found.Shared >> Lane & 1;
           exchange(R, Found, Lane, modified(Op, W, Old, Lane, IsShared));
         });
}

std::optional<bool> WarpMemory::areEqual(TermId X, TermId Y, unsigned Bits) {
  if (!S.Terms->hasAddress(X) && !S.Terms->hasAddress(Y))
    return std::nullopt;
  const TermTable::Term &Result = (*S.Terms)[S.Terms->apply(
      Opcode::Compare, llvm::CmpInst::ICMP_EQ, Bits, 0, X, Y)];
  if (Result.Operator.What != TermOperator::Kind::Constant)
    return std::nullopt;
  return Result.A != 0;
}

/// A comparison of terms that depends on data ends the run.
void WarpMemory::atomicCas(const Operation &Op, Warp &W) {
  atomic(
      Op, W, [&](const Request &R, Located &Found, unsigned Lane, Content New) {
        uint64_t Before = 0;
        std::memcpy(&Before, New.Bytes.data(), R.Width);
        TermId Old = 0;
        if (New.HasTags)
          Old = S.Terms->fromTags(New.Tags.data(), New.Bytes.data(), R.Width);
        std::optional<bool> Succeeds = Before == W[Op.B][Lane];
        if (Old || W.symbolic(Op.B) >> Lane & 1)
          Succeeds = areEqual(Old ? Old : S.Terms->constant(Before, Op.Bits),
                              S.termOf(W, Op.B, Lane, Op.Bits), Op.Bits);
        if (!Succeeds)
          return S.dependsOnData("an atomic comparison", Op);
        if (*Succeeds) {
          New.HasTags = false;
          append(New, 0, W, Op.C, Lane, R.Width);
        }
        exchange(R, Found, Lane, New);
        if (Op.D == NoRegister)
          return;
        if (Old)
          S.put(W, Op.D, Lane, Old);
        else
          W.put(Op.D, Lane, Before);
        W.put(Op.D + 1, Lane, *Succeeds);
      });
}

//===----------------------------------------------------------------------===//
// Asynchronous copies
//===----------------------------------------------------------------------===//

void WarpMemory::setPending(const AsyncCopy &Copy, int By) {
  for (uint32_t I = 0; I < Copy.Size; ++I)
    NumPending[Copy.To + I] =
        static_cast<uint8_t>(NumPending[Copy.To + I] + By);
  NumCopies += static_cast<size_t>(By);
}

/// Checks the source of a copy and starts it. Its destination is checked
/// already.
void WarpMemory::startCopy(const Request &To, AsyncCopy Copy) {
  const Operation &Op = To.Op;
  const Warp &W = To.W;
  Request From = To;
  From.Kind = Access::Load;
  From.Space = PointerSpace::Global;
  From.Pointer = Op.B;
  DeviceMemory::Allocation *A;
  if (Copy.SizeRead) {
    if (auto Why =
            S.Memory.check(std::nullopt, Copy.From, Copy.SizeRead, false, A))
      return reportDevice(*Why, From, Copy.Lane);
    // The bytes are read when the copy completes: until then, no other part of
    // the grid may write them.
    if (S.Options.Part &&
        !S.Options.Part->read(*A, Copy.From - A->Address, Copy.SizeRead))
      return;
    A->touch(static_cast<int64_t>(Copy.From - A->Address), Copy.SizeRead);
    A->noteAlignment(std::min(Op.Align, 16u));
    if (RacesOnGlobal)
      recordDeviceRead(From, Copy.Lane, *A, Copy.From - A->Address);
  }
  if (S.Options.CheckRaces) {
    CellAccess Earlier =
        Races.announceWrite(Copy.To, Copy.Size, accessOf(Op, W, Copy.Lane));
    if (Earlier.Time)
      reportRace(Earlier, Op, W, Copy.Lane, Copy.To);
  }
  Copy.Number = NumStarted++;
  Async[W.Id].Copies.push_back(Copy);
  setPending(Copy, 1);
}

void WarpMemory::copyAsync(const Operation &Op, Warp &W) {
  LaneValues ResolvedTo, ResolvedFrom;
  const LaneValues *ToAddresses = addressesOf(Op, W, Op.A, ResolvedTo);
  const LaneValues *FromAddresses = addressesOf(Op, W, Op.B, ResolvedFrom);
  if (!ToAddresses || !FromAddresses)
    return;
  if (W.symbolic(Op.C) & W.Active.Bits)
    return S.dependsOnData("the size of a copy", Op);
  auto Size = static_cast<uint32_t>(Op.Immediate);
  Request To = {Op,   W,    W.Active.Bits, Access::Store, PointerSpace::Shared,
                Size, Op.A, *ToAddresses};
  Located Found = locate(To);
  forEachLane(Found.Shared, [&](unsigned Lane) {
    uint32_t SizeRead = Size;
    if (Op.C != NoRegister)
      SizeRead = static_cast<uint32_t>(std::min<uint64_t>(W[Op.C][Lane], Size));
    startCopy(To,
              {&Op, Lane, Async[W.Id].NumCommitted[Lane], Found.Offset[Lane],
               (*FromAddresses)[Lane], Size, SizeRead, 0});
  });
}

/// Starts a bulk copy as copies of 16 bytes, of which it has a whole number.
void WarpMemory::startBulkCopy(const Operation &Op, Warp &W, unsigned Lane,
                               uint32_t Bytes) {
  constexpr uint32_t PieceBytes = 16;
  LaneValues ResolvedTo, ResolvedFrom;
  const LaneValues *ToAddresses = addressesOf(Op, W, Op.A, ResolvedTo);
  const LaneValues *FromAddresses = addressesOf(Op, W, Op.B, ResolvedFrom);
  if (!ToAddresses || !FromAddresses)
    return;
  LaneValues Address = *ToAddresses;
  const Request To = {Op,       W,          1u << Lane, Access::Store,
                      Op.Space, PieceBytes, Op.A,       Address};
  uint64_t From = (*FromAddresses)[Lane];
  if (Bytes % PieceBytes != 0)
    S.report(FindingKind::Misaligned, Op, W, 1u << Lane);
  for (uint32_t At = 0; At + PieceBytes <= Bytes; At += PieceBytes) {
    Located Found = locate(To);
    if (!Found.Shared || S.isStopped())
      return; // One finding suffices; all further pieces are wrong, too.
    startCopy(To, {&Op, Lane, BulkGroup, Found.Offset[Lane], From, PieceBytes,
                   PieceBytes, 0});
    Address[Lane] += PieceBytes;
    From += PieceBytes;
  }
}

void WarpMemory::commitAsync(const Warp &W) {
  forEachLane(W.Active.Bits,
              [&](unsigned Lane) { ++Async[W.Id].NumCommitted[Lane]; });
}

template <class Function>
void WarpMemory::performIf(const Warp &W, Function IsDone) {
  AsyncState &State = Async[W.Id];
  for (const AsyncCopy &Copy : State.Copies)
    if (IsDone(Copy))
      perform(Copy, W);
  std::erase_if(State.Copies, IsDone);
}

/// Completes the groups that are followed by at least Immediate younger ones,
/// so that at most Immediate groups stay pending.
void WarpMemory::waitAsync(const Operation &Op, Warp &W) {
  performIf(W, [&](const AsyncCopy &Copy) {
    bool Waits = W.Active.Bits >> Copy.Lane & 1;
    return Waits && Copy.Group + static_cast<uint64_t>(Op.Immediate) <
                        Async[W.Id].NumCommitted[Copy.Lane];
  });
}

void WarpMemory::performCopies(const Warp &W, unsigned Lane, uint64_t First,
                               uint64_t Last, bool AreBulk) {
  performIf(W, [&](const AsyncCopy &Copy) {
    return Copy.Lane == Lane && Copy.Number >= First && Copy.Number < Last &&
           (Copy.Group == BulkGroup) == AreBulk;
  });
}

/// Completes a copy. The write counts as one of the thread that waited for it.
void WarpMemory::perform(const AsyncCopy &Copy, const Warp &W) {
  setPending(Copy, -1);
  if (S.Options.RecordUse)
    recordUse(Copy.To, Access::Store);
  Content New;
  New.Bytes.fill(0);
  New.Tags.fill(0);
  DeviceMemory::Allocation *A = S.Memory.find(Copy.From);
  if (Copy.SizeRead) {
    uint64_t Offset = Copy.From - A->Address;
    std::copy_n(A->Data + Offset, Copy.SizeRead, New.Bytes.begin());
    if (!A->Tags.empty()) {
      std::copy_n(&A->Tags[Offset], Copy.SizeRead, New.Tags.begin());
      New.HasTags = hasTag(New.Tags.data(), Copy.SizeRead);
    }
  }
  writeShared(*Copy.Op, W, Copy.Lane, Copy.To, Copy.Size, New, false);
}

//===----------------------------------------------------------------------===//
// Barriers that are objects
//===----------------------------------------------------------------------===//

static constexpr uint32_t ObjectBytes = 8;

void WarpMemory::forEachObject(
    const Operation &Op, const Warp &W, Register Address,
    llvm::function_ref<void(unsigned, SharedAddr)> Body) {
  LaneValues Resolved;
  const LaneValues *Addresses = addressesOf(Op, W, Address, Resolved);
  if (!Addresses)
    return;
  const Request R = {Op,       W,           W.Active.Bits, Access::Store,
                     Op.Space, ObjectBytes, Address,       *Addresses};
  const Located Found = locate(R);
  forEachLane(Found.Local | Found.Device, [&](unsigned Lane) {
    reportDevice(BottomReason::WrongSpace, R, Lane);
  });
  forEachLane(Found.Shared,
              [&](unsigned Lane) { Body(Lane, Found.Offset[Lane]); });
}

uint64_t WarpMemory::bitsOfObject(SharedAddr At) const {
  uint64_t Bits;
  std::memcpy(&Bits, Shared.bytes(At), ObjectBytes);
  return Bits;
}

void WarpMemory::writeObject(const Operation &Op, const Warp &W, unsigned Lane,
                             SharedAddr At, uint64_t Bits, bool IsAtomic) {
  Content New;
  std::memcpy(New.Bytes.data(), &Bits, ObjectBytes);
  writeShared(Op, W, Lane, At, ObjectBytes, New, IsAtomic);
}

void WarpMemory::readObject(const Operation &Op, const Warp &W, unsigned Lane,
                            SharedAddr At) {
  if (!S.Options.CheckRaces)
    return;
  const CellAccess By = accessOf(Op, W, Lane, /*IsAtomic=*/true);
  const CellAccess Earlier = Races.read(At, ObjectBytes, By);
  if (Earlier.Time)
    reportRace(Earlier, Op, W, Lane, At);
}

} // namespace cudaopt::simt
