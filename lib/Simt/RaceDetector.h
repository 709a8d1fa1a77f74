// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds accesses to shared memory that no barrier orders. Two accesses to a
/// cell race if they are of different threads, one of them writes, not both are
/// atomic, and neither happens before the other:
///
///   threads of different warps   a barrier of the block lies between
///   threads of one warp          or a __syncwarp that both take part in
///   any threads                  or one arrives at a barrier object, and
///                                the other one waits for that phase
///
/// A cell remembers two writers and two readers, of different warps if there
/// are such. Wherever there is a race, some race is found, with one exception:
/// of three lanes that read a cell, one is forgotten, which may be one that
/// does not take part in a later meeting of the other two.
///
/// A write that leaves a cell as another thread wrote it is not reported, since
/// the order of the two does not matter.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_SIMT_RACEDETECTOR_H
#define CUDAOPT_LIB_SIMT_RACEDETECTOR_H

#include "cudaopt/Machine/Memory.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace cudaopt::simt {

/// How an access takes part in a race. Volatile and atomic accesses do not race
/// with each other (in PTX, volatile is relaxed), and neither do two atomic
/// ones. Two volatile accesses do race with each other: code that relies on
/// lockstep warps is full of them.
enum class AccessStrength : uint8_t { Plain, Volatile, Atomic };

/// An access at a point in time. Time is a counter that advances when threads
/// meet.
struct CellAccess {
  uint64_t Time = 0; ///< 0 means that there was no access.
  uint32_t Site = 0;
  uint16_t Thread = 0;
  AccessStrength Strength = AccessStrength::Plain;

  unsigned warp() const { return Thread / WarpSize; }
  unsigned lane() const { return Thread % WarpSize; }
  bool isAtomic() const { return Strength == AccessStrength::Atomic; }
};

/// The happens-before relation among 32 lanes or 32 warps: vector clocks,
/// compressed to a single number as long as all members meet at once.
class SyncOrder {
public:
  /// Returns true if what \p From did at \p Time happened before what \p To
  /// does now.
  bool isOrdered(uint64_t Time, unsigned From, unsigned To) const {
    return Time <= KnownToAll || (!Known.empty() && Time <= Known[To][From]);
  }
  /// Returns the latest time such that what \p From did until then happened
  /// before what \p To does now.
  uint64_t knownTime(unsigned From, unsigned To) const {
    return Known.empty() ? KnownToAll : std::max(KnownToAll, Known[To][From]);
  }
  /// Returns true if what happened at \p Time happened before what any member
  /// does now.
  bool isKnownToAll(uint64_t Time) const { return Time <= KnownToAll; }
  /// All members meet at \p Now.
  void meet(uint64_t Now) { KnownToAll = Now; }
  /// The members in the bit set \p Members meet at \p Now.
  void meet(uint64_t Now, uint32_t Members);

private:
  using Clock = std::array<uint64_t, WarpSize>;
  uint64_t KnownToAll = 0;
  /// Indexed by member, what it knows of each member; empty before the first
  /// meeting of some members.
  std::vector<Clock> Known;
};

/// The bytes that a write brings and those that it overwrites, with their tags
/// if there are terms.
struct WrittenBytes {
  const Byte *New, *Old;
  const uint64_t *NewTags, *OldTags;

  /// Returns true if the write changes one of \p Count bytes.
  bool differ(uint32_t First, uint32_t Count) const;
};

/// The race detector for the shared memory of a block.
class RaceDetector {
public:
  /// Observes \p Bytes bytes in cells of \p CellSize bytes, a power of two,
  /// which must not exceed the narrowest access.
  RaceDetector(uint32_t Bytes, uint32_t CellSize, unsigned NumWarps);

  /// The lanes \p Lanes of a warp meet at a __syncwarp; \p Live are all lanes
  /// that have not exited.
  void meetWarp(unsigned Warp, uint32_t Lanes, uint32_t Live);
  /// The warps of the block meet at a barrier: all, or those in \p Warps.
  void meetBlock() {
    BlockOrder.meet(Now++);
    Learned.clear();
  }
  void meetBlock(uint32_t Warps);

  /// Indexed by thread: everything that it did up to this time is known. May be
  /// empty.
  using ThreadClock = std::vector<uint64_t>;
  /// Adds to \p Clock what the lanes did and what they know of.
  void release(unsigned Warp, uint32_t Lanes, ThreadClock &Clock);
  /// From now on, the lanes know what is in \p Clock. \p Live are all lanes of
  /// the warp that have not exited.
  void acquire(unsigned Warp, uint32_t Lanes, uint32_t Live,
               const ThreadClock &Clock);

  /// Records an access. Returns an earlier access that it races with,
  /// preferably one of another warp; one with Time 0 if there is none.
  CellAccess read(SharedAddr Address, uint32_t Size, CellAccess By);
  CellAccess write(SharedAddr Address, uint32_t Size, CellAccess By,
                   const WrittenBytes &Content);
  /// The same for the write of an asynchronous copy that starts now. It is not
  /// recorded yet, and must follow all accesses so far.
  CellAccess announceWrite(SharedAddr Address, uint32_t Size, CellAccess By);

  uint64_t now() const { return Now; }
  /// Returns true if \p Earlier happened before what the thread of \p Later
  /// does now.
  bool isOrdered(const CellAccess &Earlier, const CellAccess &Later) const {
    if (BlockOrder.isOrdered(Earlier.Time, Earlier.warp(), Later.warp()))
      return true;
    if (Earlier.warp() == Later.warp() &&
        WarpOrders[Later.warp()].isOrdered(Earlier.Time, Earlier.lane(),
                                           Later.lane()))
      return true;
    return !Learned.empty() && Learned[Later.warp()].has(Earlier, Later.lane());
  }

private:
  using Pair = std::array<CellAccess, 2>;
  struct Cell {
    Pair Writers, Readers;
  };

  static bool areAtomic(AccessStrength A, AccessStrength B) {
    return std::max(A, B) == AccessStrength::Atomic &&
           std::min(A, B) != AccessStrength::Plain;
  }
  /// What the threads of a warp have acquired.
  struct Knowledge {
    ThreadClock OfAll; ///< What all threads of the warp know.
    std::array<ThreadClock, WarpSize> OfLane;

    bool has(const CellAccess &Earlier, unsigned Lane) const {
      return isIn(OfAll, Earlier) || isIn(OfLane[Lane], Earlier);
    }
    static bool isIn(const ThreadClock &Clock, const CellAccess &Access) {
      return !Clock.empty() && Access.Time <= Clock[Access.Thread];
    }
    /// Returns what \p Lanes know together, beyond OfAll.
    ThreadClock joined(uint32_t Lanes) const;
    /// Lets \p Lanes know what is in \p Clock; \p AreAll tells that these are
    /// all lanes.
    void share(uint32_t Lanes, bool AreAll, const ThreadClock &Clock);
  };
  /// The pointwise maximum.
  static void join(ThreadClock &To, const ThreadClock &From);

  bool races(const CellAccess &Earlier, const CellAccess &Later) const {
    return !isOrdered(Earlier, Later) && Earlier.Thread != Later.Thread &&
           !areAtomic(Earlier.Strength, Later.Strength);
  }
  /// Replaces \p Best by an access of \p Earlier that races with \p Later, if
  /// it is better.
  void choose(CellAccess &Best, const Pair &Earlier,
              const CellAccess &Later) const;
  bool isObsolete(const CellAccess &Earlier, const CellAccess &New) const;
  /// Records an access in a cell.
  void note(Pair &Accesses, const CellAccess &New) const;

  uint32_t CellSize;
  unsigned CellShift;
  uint64_t Now = 1;
  SyncOrder BlockOrder;
  std::vector<SyncOrder> WarpOrders;
  /// Indexed by warp; empty before the first acquire.
  std::vector<Knowledge> Learned;
  std::vector<Cell> Cells;
};

} // namespace cudaopt::simt

#endif // CUDAOPT_LIB_SIMT_RACEDETECTOR_H
