// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds accesses to shared memory that no barrier orders. Two accesses to a
/// cell race if they are of different threads, one of them writes, not both are
/// atomic, and neither happens before the other:
///
///   threads of different warps   a barrier of the block lies between
///   threads of one warp          or a __syncwarp that both take part in
///   any threads                  or one arrives at a barrier that is an
///   object,
///                                the other one waits for that phase
///
/// A cell remembers two writers and two readers, of different warps if there
/// are such. That finds some race wherever there is one, except that of three
/// lanes that read a cell, of which two meet later without the third, one is
/// forgotten.
///
/// A write that leaves a cell as another thread wrote it is no finding: the
/// order does not matter.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_SIMT_RACEDETECTOR_H
#define CUDAOPT_LIB_SIMT_RACEDETECTOR_H

#include "cudaopt/Machine/Memory.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace cudaopt::simt {

/// How an access takes part in a race. Volatile accesses and atomic ones do not
/// race with each other (PTX: volatile is relaxed), volatile ones among
/// themselves do: code that relies on lockstep warps is full of them.
enum class AccessStrength : uint8_t { Plain, Volatile, Atomic };

/// An access, at a point in time: time passes when threads meet.
struct CellAccess {
  uint64_t Time = 0; ///< 0: there was none.
  uint32_t Site = 0;
  uint16_t Thread = 0;
  AccessStrength Strength = AccessStrength::Plain;

  unsigned warp() const { return Thread / WarpSize; }
  unsigned lane() const { return Thread % WarpSize; }
  bool isAtomic() const { return Strength == AccessStrength::Atomic; }
};

/// What happened before what, among 32 lanes or 32 warps: vector clocks, but a
/// single number as long as all meet at once.
class SyncOrder {
public:
  /// True if what \p From did at \p Time happened before what \p To does now.
  bool isOrdered(uint64_t Time, unsigned From, unsigned To) const {
    return Time <= KnownToAll || (!Known.empty() && Time <= Known[To][From]);
  }
  /// The last time of what \p From did that happened before what \p To does.
  uint64_t knownTime(unsigned From, unsigned To) const {
    return Known.empty() ? KnownToAll : std::max(KnownToAll, Known[To][From]);
  }
  /// True if that holds for all.
  bool isKnownToAll(uint64_t Time) const { return Time <= KnownToAll; }
  /// All meet at \p Now.
  void meet(uint64_t Now) { KnownToAll = Now; }
  /// \p Members meet at \p Now.
  void meet(uint64_t Now, uint32_t Members);

private:
  using Clock = std::array<uint64_t, WarpSize>;
  uint64_t KnownToAll = 0;
  std::vector<Clock> Known; ///< By member; empty before the first such meeting.
};

/// The bytes that a write brings and finds, and their tags if there are terms.
struct WrittenBytes {
  const Byte *New, *Old;
  const uint64_t *NewTags, *OldTags;

  bool differ(uint32_t First, uint32_t Count) const;
};

class RaceDetector {
public:
  /// \p CellSize bytes, a power of two, are never accessed in part.
  RaceDetector(uint32_t Bytes, uint32_t CellSize, unsigned NumWarps);

  /// Lanes of a warp meet; \p Live are those that it has.
  void meetWarp(unsigned Warp, uint32_t Lanes, uint32_t Live);
  /// Warps of the block meet, \p Warps or all.
  void meetBlock() {
    BlockOrder.meet(Now++);
    Learned.clear();
  }
  void meetBlock(uint32_t Warps);

  /// By thread: up to which time somebody knows what it did. May be empty.
  using ThreadClock = std::vector<uint64_t>;
  /// Adds to \p Clock what lanes did, and what they know of.
  void release(unsigned Warp, uint32_t Lanes, ThreadClock &Clock);
  /// From now on, lanes know of what is in \p Clock; \p Live are those that the
  /// warp has.
  void acquire(unsigned Warp, uint32_t Lanes, uint32_t Live,
               const ThreadClock &Clock);

  /// Records an access; returns an earlier one that it races with, or one
  /// without time. One of another warp comes first.
  CellAccess read(SharedAddr Address, uint32_t Size, CellAccess By);
  CellAccess write(SharedAddr Address, uint32_t Size, CellAccess By,
                   const WrittenBytes &Content);
  /// The same for a write that is still to come and is not recorded: it must
  /// follow all reads.
  CellAccess announceWrite(SharedAddr Address, uint32_t Size, CellAccess By);

  uint64_t now() const { return Now; }
  /// True if \p Earlier happened before what the thread of \p Later does now.
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
  /// What the threads of a warp learned from clocks.
  struct Knowledge {
    ThreadClock OfAll; ///< What all of them know.
    std::array<ThreadClock, WarpSize> OfLane;

    bool has(const CellAccess &Earlier, unsigned Lane) const {
      return isIn(OfAll, Earlier) || isIn(OfLane[Lane], Earlier);
    }
    static bool isIn(const ThreadClock &Clock, const CellAccess &Access) {
      return !Clock.empty() && Access.Time <= Clock[Access.Thread];
    }
    /// What \p Lanes know, together.
    ThreadClock joined(uint32_t Lanes) const;
    void share(uint32_t Lanes, bool AreAll, const ThreadClock &Clock);
  };
  static void join(ThreadClock &To, const ThreadClock &From);

  bool races(const CellAccess &Earlier, const CellAccess &Later) const {
    return !isOrdered(Earlier, Later) && Earlier.Thread != Later.Thread &&
           !areAtomic(Earlier.Strength, Later.Strength);
  }
  void choose(CellAccess &Best, const Pair &Earlier,
              const CellAccess &Later) const;
  bool isObsolete(const CellAccess &Earlier, const CellAccess &New) const;
  void note(Pair &Accesses, const CellAccess &New) const;

  uint32_t CellSize;
  unsigned CellShift;
  uint64_t Now = 1;
  SyncOrder BlockOrder;
  std::vector<SyncOrder> WarpOrders;
  std::vector<Knowledge> Learned; ///< By warp; empty before the first one.
  std::vector<Cell> Cells;
};

} // namespace cudaopt::simt

#endif // CUDAOPT_LIB_SIMT_RACEDETECTOR_H
