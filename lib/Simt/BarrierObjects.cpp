// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Executes the operations on barriers that are objects in shared memory.
//===----------------------------------------------------------------------===//

#include "BarrierObjects.h"

#include <algorithm>
#include <utility>

namespace cudaopt::simt {

/// The greatest count of arrivals that PTX allows.
static constexpr uint64_t MaxCount = (1 << 20) - 1;

//===----------------------------------------------------------------------===//
// Objects
//===----------------------------------------------------------------------===//

void BarrierObjects::report(const Operation &Op, const Warp &W, unsigned Lane,
                            SharedAddr At, const char *What) {
  Finding F = Memory.sharedFinding(FindingKind::BarrierMisuse, Op, W, Lane, At);
  F.Object += What;
  S.add(std::move(F));
}

BarrierObjects::Object *BarrierObjects::find(const Operation &Op, const Warp &W,
                                             unsigned Lane, SharedAddr At) {
  auto Found = Objects.find(At);
  if (Found == Objects.end()) {
    report(Op, W, Lane, At, " is used before it is initialised");
    return nullptr;
  }
  if (Memory.bitsOfObject(At) != Found->second.bits()) {
    report(Op, W, Lane, At, " was overwritten as plain memory");
    Objects.erase(Found);
    return nullptr;
  }
  return &Found->second;
}

/// The write is atomic, so that it races with plain accesses only.
void BarrierObjects::put(const Operation &Op, const Warp &W, unsigned Lane,
                         SharedAddr At, const Object &O) {
  Memory.writeObject(Op, W, Lane, At, O.bits(), /*IsAtomic=*/true);
}

/// Initialising an object again is a misuse unless it was overwritten or
/// invalidated before. The write is plain, so that it races with threads that
/// use the object without a barrier in between.
void BarrierObjects::initialise(const Operation &Op, Warp &W, unsigned Lane,
                                SharedAddr At) {
  const uint64_t Count = W[Op.B][Lane] & 0xffffffff;
  auto Known = Objects.find(At);
  if (Known != Objects.end() && Memory.bitsOfObject(At) == Known->second.bits())
    report(Op, W, Lane, At, " is initialised while it is in use");
  if (Count == 0 || Count > MaxCount)
    report(Op, W, Lane, At,
           " is initialised with a count that is not 1 to 1048575");
  Object O;
  O.Expected = O.Pending = static_cast<uint32_t>(Count);
  Memory.writeObject(Op, W, Lane, At, O.bits(), /*IsAtomic=*/false);
  Objects[At] = std::move(O);
}

void BarrierObjects::invalidate(const Operation &Op, Warp &W, unsigned Lane,
                                SharedAddr At) {
  if (!find(Op, W, Lane, At))
    return;
  // The write counts as atomic, so that it is no race with threads that used
  // the object before: some programs make sure of that by atomic operations,
  // whose order is not known here. A thread that uses the object later gets a
  // finding.
  Memory.writeObject(Op, W, Lane, At, 0, /*IsAtomic=*/true);
  Objects.erase(At);
}

//===----------------------------------------------------------------------===//
// Arrivals
//===----------------------------------------------------------------------===//

/// What the lanes did happens before the end of the phase.
void BarrierObjects::release(Arrival &A, Object &O) {
  if (A.Lanes && !(A.Op.Variant & MbarrierRelaxed))
    Memory.races().release(A.W.Id, A.Lanes, O.Released);
  A.Lanes = 0;
}

/// Copies complete as late as possible: when a thread asks and nothing else is
/// missing. What they wrote is released like the effects of an arrival.
void BarrierObjects::bringCopies(const Operation &Op, Warp &W, unsigned Lane,
                                 SharedAddr At, Object &O) {
  if (!O.lacksOnlyCopies())
    return;
  for (const AwaitedCopies &C : std::exchange(O.Copies, {})) {
    Memory.performCopies(Warps[C.Warp], C.Lane, C.First, C.Last, C.Bytes != 0);
    Memory.races().release(C.Warp, 1u << C.Lane, O.Released);
    O.Bytes -= C.Bytes;
  }
  O.Pending -= O.NumArrivalsOfCopies;
  O.NumArrivalsOfCopies = 0;
  advance(Op, W, Lane, At, O);
}

/// The object's state has changed: the phase may be complete, or may now lack
/// only copies, which a polling warp can complete. Both are events.
void BarrierObjects::advance(const Operation &Op, Warp &W, unsigned Lane,
                             SharedAddr At, Object &O) {
  if (O.Pending == 0 && O.Bytes == 0) {
    ++O.Phase;
    O.Pending = O.Expected;
    O.Completed = O.Released;
    ++NumEvents;
  } else if (O.lacksOnlyCopies()) {
    ++NumEvents;
  }
  put(Op, W, Lane, At, O);
}

/// The token names the phase before this arrival. The lanes of an arrival are
/// released together when the last of them arrives, or earlier if the phase now
/// lacks nothing but copies.
void BarrierObjects::arriveOne(Arrival &A, Object &O, unsigned Lane) {
  const Operation &Op = A.Op;
  uint64_t Count = 1;
  if (Op.B != NoRegister)
    Count = A.W[Op.B][Lane] & 0xffffffff;
  bringCopies(Op, A.W, Lane, A.Address, O);
  A.W.put(Op.D, Lane, O.token());
  if (Count == 0)
    return;
  if (Count > O.Pending) {
    report(Op, A.W, Lane, A.Address,
           " gets more arrivals than it expects in a phase");
    return;
  }
  if ((Op.Variant & MbarrierNoComplete) && Count == O.Pending)
    report(Op, A.W, Lane, A.Address,
           " completes a phase by an arrival that must not");
  if (Op.Variant & MbarrierExpectsBytes)
    O.Bytes += static_cast<int64_t>(A.W[Op.C][Lane] & 0xffffffff);
  if (Op.Variant & MbarrierDrop)
    O.Expected -= static_cast<uint32_t>(Count);
  O.Pending -= static_cast<uint32_t>(Count);
  A.Lanes |= 1u << Lane;
  if (O.Pending == O.NumArrivalsOfCopies)
    release(A, O);
  advance(Op, A.W, Lane, A.Address, O);
}

void BarrierObjects::arrive(const Operation &Op, Warp &W) {
  std::map<SharedAddr, uint32_t> LanesOf;
  Memory.forEachObject(Op, W, Op.A, [&](unsigned Lane, SharedAddr At) {
    LanesOf[At] |= 1u << Lane;
  });
  for (auto [At, Lanes] : LanesOf) {
    Arrival A = {Op, W, At};
    forEachLane(Lanes, [&, At = At](unsigned Lane) {
      if (Object *O = find(Op, W, Lane, At))
        arriveOne(A, *O, Lane);
      else
        W.put(Op.D, Lane, 0);
    });
    if (auto Found = Objects.find(At); Found != Objects.end())
      release(A, Found->second);
  }
}

//===----------------------------------------------------------------------===//
// Waiting
//===----------------------------------------------------------------------===//

/// A token must be that of the current phase, which is not over, or of the one
/// before it, which is.
bool BarrierObjects::isOver(const Operation &Op, const Warp &W, unsigned Lane,
                            SharedAddr At, const Object &O) {
  if (Op.Variant & MbarrierParity)
    return (W[Op.B][Lane] & 1) != (O.Phase & 1);
  const auto Named = static_cast<uint32_t>(W[Op.B][Lane] >> 32);
  if (Named == O.Phase)
    return false;
  if (Named + 1 != O.Phase)
    report(Op, W, Lane, At,
           " is waited for with a token that is not of this phase or the last");
  return true;
}

/// Lanes that find the phase over acquire what it released. The others are
/// blocked; the program polls, or the warp takes another path.
void BarrierObjects::wait(const Operation &Op, Warp &W) {
  std::map<SharedAddr, uint32_t> Over;
  uint32_t Blocked = 0;
  Memory.forEachObject(Op, W, Op.A, [&](unsigned Lane, SharedAddr At) {
    Object *O = find(Op, W, Lane, At);
    Memory.readObject(Op, W, Lane, At);
    if (O)
      bringCopies(Op, W, Lane, At, *O);
    // After a finding the thread does not wait, since it would wait for ever.
    const bool IsOver = !O || isOver(Op, W, Lane, At, *O);
    W.put(Op.D, Lane, IsOver);
    if (!IsOver)
      Blocked |= 1u << Lane;
    else if (O)
      Over[At] |= 1u << Lane;
  });
  if (!(Op.Variant & MbarrierRelaxed))
    for (auto [At, Lanes] : Over)
      Memory.races().acquire(W.Id, Lanes, W.Live, Objects[At].Completed);
  W.Blocked = (W.Blocked & ~W.Active.Bits) | Blocked;
  if (Blocked)
    W.Barrier = &Op;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

void BarrierObjects::expectBytes(const Operation &Op, Warp &W, unsigned Lane,
                                 SharedAddr At) {
  Object *O = find(Op, W, Lane, At);
  if (!O)
    return;
  auto Bytes = static_cast<int64_t>(W[Op.B][Lane] & 0xffffffff);
  O->Bytes += Op.Variant & MbarrierCompletes ? -Bytes : Bytes;
  advance(Op, W, Lane, At, *O);
}

/// All copies that the thread has started so far end in one arrival. It is
/// pending in addition to the expected ones, unless the count of the object
/// already includes it (.noinc).
void BarrierObjects::awaitCopies(const Operation &Op, Warp &W, unsigned Lane,
                                 SharedAddr At) {
  Object *O = find(Op, W, Lane, At);
  if (!O)
    return;
  if (!(Op.Variant & MbarrierNoIncrement))
    ++O->Pending;
  if (O->NumArrivalsOfCopies == O->Pending) {
    report(Op, W, Lane, At, " gets more arrivals than it expects in a phase");
    return;
  }
  ++O->NumArrivalsOfCopies;
  O->Copies.push_back({W.Id, Lane, 0, Memory.numCopiesStarted(), 0});
  advance(Op, W, Lane, At, *O);
}

/// A bulk copy does not arrive: the phase waits for its bytes, which some
/// thread has to announce (MbarrierExpectsBytes).
void BarrierObjects::copyBulk(const Operation &Op, Warp &W) {
  Memory.forEachObject(
      Op, W, Op.Extra.front().first, [&](unsigned Lane, SharedAddr At) {
        Object *O = find(Op, W, Lane, At);
        if (!O)
          return;
        const auto Bytes = static_cast<uint32_t>(W[Op.C][Lane]);
        const uint64_t First = Memory.numCopiesStarted();
        Memory.startBulkCopy(Op, W, Lane, Bytes);
        O->Copies.push_back(
            {W.Id, Lane, First, Memory.numCopiesStarted(), Bytes});
        advance(Op, W, Lane, At, *O);
      });
}

void BarrierObjects::run(const Operation &Op, Warp &W) {
  if ((W.symbolic(Op.B) | W.symbolic(Op.C)) & W.Active.Bits &&
      Op.Code != Opcode::CopyBulk)
    return S.dependsOnData("a barrier", Op);
  auto ForEach = [&](void (BarrierObjects::*Body)(const Operation &, Warp &,
                                                  unsigned, SharedAddr)) {
    Memory.forEachObject(Op, W, Op.A, [&](unsigned Lane, SharedAddr At) {
      (this->*Body)(Op, W, Lane, At);
    });
  };
  switch (Op.Code) {
  case Opcode::MbarrierInit:
    return ForEach(&BarrierObjects::initialise);
  case Opcode::MbarrierInval:
    return ForEach(&BarrierObjects::invalidate);
  case Opcode::MbarrierBytes:
    return ForEach(&BarrierObjects::expectBytes);
  case Opcode::MbarrierCopies:
    return ForEach(&BarrierObjects::awaitCopies);
  case Opcode::MbarrierArrive:
    return arrive(Op, W);
  case Opcode::MbarrierWait:
    return wait(Op, W);
  default:
    return copyBulk(Op, W);
  }
}

} // namespace cudaopt::simt
