// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Barriers that are objects in shared memory: PTX's mbarrier, on which
/// cuda::barrier of a block is built.
///
/// An object waits in each phase for a number of arrivals, and for bytes that
/// asynchronous copies bring. When the last one has come, the next phase
/// begins. Copies complete as late as possible: when nothing else is missing
/// and a thread asks. So a thread that reads the data without waiting for the
/// object is always found out.
///
/// Threads that arrive release what they did and what they know of (see
/// RaceDetector); threads that find a phase completed acquire it.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_SIMT_BARRIEROBJECTS_H
#define CUDAOPT_LIB_SIMT_BARRIEROBJECTS_H

#include "RunState.h"
#include "WarpMemory.h"

#include <map>
#include <vector>

namespace cudaopt::simt {

/// The objects of the block that runs, keyed by address.
class BarrierObjects {
public:
  BarrierObjects(RunState &State, WarpMemory &Memory, std::vector<Warp> &Warps)
      : S(State), Memory(Memory), Warps(Warps) {}

  void startBlock() { Objects.clear(); }
  /// Executes an operation on objects for the active lanes.
  void run(const Operation &Op, Warp &W);
  /// Returns a number that grows whenever an object changes in a way that a
  /// waiting thread may be waiting for.
  uint64_t numEvents() const { return NumEvents; }

private:
  /// Copies of one thread that an object waits for.
  struct AwaitedCopies {
    unsigned Warp, Lane;
    uint64_t First, Last; ///< The range of their numbers, Last excluded.
    /// The bytes of a bulk copy; 0 for other copies, which an arrival follows.
    uint32_t Bytes;
  };
  /// An mbarrier. Its state is kept here; its bytes in memory hold bits(), so
  /// that an overwritten object is noticed.
  struct Object {
    /// The arrivals that a phase expects, and those that are still missing.
    uint32_t Expected = 0, Pending = 0;
    /// The bytes that the phase still waits for; negative if copies were faster
    /// than the thread that expects them.
    int64_t Bytes = 0;
    uint32_t Phase = 0;
    std::vector<AwaitedCopies> Copies;
    /// What the threads that arrived did, and the same as of the last completed
    /// phase.
    RaceDetector::ThreadClock Released, Completed;
    /// The pending arrivals that take place when copies complete.
    uint32_t NumArrivalsOfCopies = 0;

    /// The contents of the object's bytes, which a program must not read.
    uint64_t bits() const {
      return uint64_t(Phase & 1) << 63 | uint64_t(Expected) << 32 | Pending;
    }
    /// Returns true if only copies are missing for the phase to end.
    bool lacksOnlyCopies() const {
      return !Copies.empty() && Pending == NumArrivalsOfCopies;
    }
    /// The state that an arrival returns: it names the phase.
    uint64_t token() const { return uint64_t(Phase) << 32 | Pending; }
  };
  /// An arrival of lanes of a warp at one object, one lane after the other.
  struct Arrival {
    const Operation &Op;
    Warp &W;
    SharedAddr Address;
    /// The lanes that have arrived, but whose effects were not released yet.
    uint32_t Lanes = 0;
  };

  void initialise(const Operation &Op, Warp &W, unsigned Lane, SharedAddr At);
  void invalidate(const Operation &Op, Warp &W, unsigned Lane, SharedAddr At);
  void arrive(const Operation &Op, Warp &W);
  /// Performs the arrival of one lane.
  void arriveOne(Arrival &A, Object &O, unsigned Lane);
  /// Makes what the lanes of \p A did part of what the phase releases.
  void release(Arrival &A, Object &O);
  void wait(const Operation &Op, Warp &W);
  /// Returns true if the phase that a lane names, by token or parity, is
  /// completed.
  bool isOver(const Operation &Op, const Warp &W, unsigned Lane, SharedAddr At,
              const Object &O);
  /// Changes the number of bytes that the phase waits for.
  void expectBytes(const Operation &Op, Warp &W, unsigned Lane, SharedAddr At);
  /// Lets the object wait for the copies that the thread has started.
  void awaitCopies(const Operation &Op, Warp &W, unsigned Lane, SharedAddr At);
  void copyBulk(const Operation &Op, Warp &W);
  /// Performs the copies that the object waits for if nothing else is missing.
  void bringCopies(const Operation &Op, Warp &W, unsigned Lane, SharedAddr At,
                   Object &O);
  /// Begins the next phase if nothing is missing.
  void advance(const Operation &Op, Warp &W, unsigned Lane, SharedAddr At,
               Object &O);
  /// Returns the object at \p At. Reports a finding and returns null if there
  /// is none, or if it was overwritten.
  Object *find(const Operation &Op, const Warp &W, unsigned Lane,
               SharedAddr At);
  /// Writes the object's bits to its bytes in memory.
  void put(const Operation &Op, const Warp &W, unsigned Lane, SharedAddr At,
           const Object &O);
  void report(const Operation &Op, const Warp &W, unsigned Lane, SharedAddr At,
              const char *What);

  RunState &S;
  WarpMemory &Memory;
  std::vector<Warp> &Warps;
  std::map<SharedAddr, Object> Objects;
  uint64_t NumEvents = 0;
};

} // namespace cudaopt::simt

#endif // CUDAOPT_LIB_SIMT_BARRIEROBJECTS_H
