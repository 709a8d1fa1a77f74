// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The race detector for shared memory. Time is a counter, Now, which advances
/// at each meeting of threads. The order of events is kept on three levels:
/// between warps (BlockOrder), between the lanes of a warp (WarpOrders), and
/// between single threads by barrier objects (Learned). One number suffices on
/// a level as long as all its members meet together, which is the common case.
//===----------------------------------------------------------------------===//

#include "RaceDetector.h"
#include "Warp.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

namespace cudaopt::simt {

/// The members learn the maximum of what any of them knows, and all that they
/// themselves did until now.
void SyncOrder::meet(uint64_t Now, uint32_t Members) {
  if (Known.empty())
    Known.resize(WarpSize);
  Clock Joined = {};
  forEachLane(Members, [&](unsigned Member) {
    for (unsigned I = 0; I < WarpSize; ++I)
      Joined[I] = std::max(Joined[I], Known[Member][I]);
  });
  forEachLane(Members, [&](unsigned Member) { Joined[Member] = Now; });
  forEachLane(Members, [&](unsigned Member) { Known[Member] = Joined; });
}

bool WrittenBytes::differ(uint32_t First, uint32_t Count) const {
  for (uint32_t I = First; I < First + Count; ++I) {
    uint64_t NewTag = NewTags ? NewTags[I] : 0,
             OldTag = OldTags ? OldTags[I] : 0;
    // A byte that is part of a term is identified by its tag.
    if (NewTag != OldTag || (NewTag == 0 && New[I] != Old[I]))
      return true;
  }
  return false;
}

RaceDetector::RaceDetector(uint32_t Bytes, uint32_t CellSize, unsigned NumWarps)
    : CellSize(CellSize),
      CellShift(static_cast<unsigned>(std::countr_zero(CellSize))),
      WarpOrders(NumWarps), Cells((Bytes >> CellShift) + 1) {
  assert(std::has_single_bit(CellSize) && "cells are powers of two");
}

void RaceDetector::join(ThreadClock &To, const ThreadClock &From) {
  To.resize(std::max(To.size(), From.size()));
  for (size_t I = 0; I < From.size(); ++I)
    To[I] = std::max(To[I], From[I]);
}

RaceDetector::ThreadClock
RaceDetector::Knowledge::joined(uint32_t Lanes) const {
  ThreadClock Result;
  forEachLane(Lanes, [&](unsigned Lane) { join(Result, OfLane[Lane]); });
  return Result;
}

void RaceDetector::Knowledge::share(uint32_t Lanes, bool AreAll,
                                    const ThreadClock &Clock) {
  if (AreAll)
    return join(OfAll, Clock);
  forEachLane(Lanes, [&](unsigned Lane) { join(OfLane[Lane], Clock); });
}

void RaceDetector::meetWarp(unsigned Warp, uint32_t Lanes, uint32_t Live) {
  const bool AreAll = (Live & ~Lanes) == 0;
  if (AreAll)
    WarpOrders[Warp].meet(Now);
  else
    WarpOrders[Warp].meet(Now, Lanes);
  if (!Learned.empty()) {
    const ThreadClock Together = Learned[Warp].joined(Lanes);
    if (!Together.empty())
      Learned[Warp].share(Lanes, AreAll, Together);
  }
  ++Now;
}

/// A barrier of some warps orders all their lanes, and spreads what they have
/// acquired from barrier objects.
void RaceDetector::meetBlock(uint32_t Warps) {
  BlockOrder.meet(Now, Warps);
  forEachLane(Warps, [&](unsigned Warp) { WarpOrders[Warp].meet(Now); });
  if (!Learned.empty()) {
    ThreadClock Together;
    forEachLane(Warps, [&](unsigned Warp) {
      join(Together, Learned[Warp].joined(AllLanes));
      join(Together, Learned[Warp].OfAll);
    });
    forEachLane(Warps,
                [&](unsigned Warp) { join(Learned[Warp].OfAll, Together); });
  }
  ++Now;
}

/// A clock has an entry for each thread of the block: what the barriers made
/// known to the warp, what the lanes of the warp know of each other, and what
/// was acquired before. A releasing lane adds itself.
void RaceDetector::release(unsigned Warp, uint32_t Lanes, ThreadClock &Clock) {
  Clock.resize(WarpOrders.size() * WarpSize);
  for (unsigned From = 0; From < WarpOrders.size(); ++From) {
    const uint64_t Time = BlockOrder.knownTime(From, Warp);
    for (unsigned Lane = 0; Lane < WarpSize; ++Lane) {
      uint64_t &Known = Clock[From * WarpSize + Lane];
      Known = std::max(Known, Time);
    }
  }
  forEachLane(Lanes, [&](unsigned Lane) {
    for (unsigned From = 0; From < WarpSize; ++From) {
      uint64_t &Known = Clock[Warp * WarpSize + From];
      Known = std::max(
          Known, From == Lane ? Now : WarpOrders[Warp].knownTime(From, Lane));
    }
  });
  if (!Learned.empty()) {
    join(Clock, Learned[Warp].OfAll);
    join(Clock, Learned[Warp].joined(Lanes));
  }
  ++Now;
}

void RaceDetector::acquire(unsigned Warp, uint32_t Lanes, uint32_t Live,
                           const ThreadClock &Clock) {
  if (Clock.empty())
    return;
  Learned.resize(WarpOrders.size());
  Learned[Warp].share(Lanes, (Live & ~Lanes) == 0, Clock);
}

void RaceDetector::choose(CellAccess &Best, const Pair &Earlier,
                          const CellAccess &Later) const {
  for (const CellAccess &Access : Earlier)
    if (races(Access, Later) &&
        (Best.Time == 0 ||
         (Best.warp() == Later.warp() && Access.warp() != Later.warp())))
      Best = Access;
}

/// Returns true if \p New can replace \p Earlier in a cell: whatever races with
/// \p Earlier from now on races with \p New, too.
bool RaceDetector::isObsolete(const CellAccess &Earlier,
                              const CellAccess &New) const {
  // The weaker an access, the more accesses race with it: a stronger one does
  // not stand for it, unless no later access can race with it any more.
  if (New.Strength > Earlier.Strength)
    return BlockOrder.isKnownToAll(Earlier.Time);
  return Earlier.Thread == New.Thread || isOrdered(Earlier, New);
}

/// The second place prefers another warp than that of the first one: races
/// between warps are the more serious ones.
void RaceDetector::note(Pair &Accesses, const CellAccess &New) const {
  auto &[First, Second] = Accesses;
  if (isObsolete(First, New))
    First = New;
  else if (isObsolete(Second, New) ||
           (First.warp() == Second.warp() && New.warp() != First.warp()))
    Second = New;
}

CellAccess RaceDetector::read(SharedAddr Address, uint32_t Size,
                              CellAccess By) {
  CellAccess Found;
  By.Time = Now;
  for (uint32_t At = Address; At < Address + Size; At += CellSize) {
    Cell &C = Cells[At >> CellShift];
    choose(Found, C.Writers, By);
    note(C.Readers, By);
  }
  return Found;
}

/// Two writes of the same value are no finding, but a write is still recorded.
CellAccess RaceDetector::write(SharedAddr Address, uint32_t Size, CellAccess By,
                               const WrittenBytes &Content) {
  CellAccess Found;
  By.Time = Now;
  for (uint32_t At = 0; At < Size; At += CellSize) {
    Cell &C = Cells[(Address + At) >> CellShift];
    choose(Found, C.Readers, By);
    CellAccess Writer;
    choose(Writer, C.Writers, By);
    if (Writer.Time && Content.differ(At, CellSize))
      choose(Found, {Writer}, By);
    note(C.Writers, By);
  }
  return Found;
}

CellAccess RaceDetector::announceWrite(SharedAddr Address, uint32_t Size,
                                       CellAccess By) {
  CellAccess Found;
  By.Time = Now;
  for (uint32_t At = Address; At < Address + Size; At += CellSize) {
    const Cell &C = Cells[At >> CellShift];
    choose(Found, C.Readers, By);
    choose(Found, C.Writers, By);
  }
  return Found;
}

} // namespace cudaopt::simt
