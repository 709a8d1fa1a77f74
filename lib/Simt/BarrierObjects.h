// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Barriers that are objects in shared memory: PTX's mbarrier, of which
/// cuda::barrier of a block is made.
///
/// An object waits in each phase for a number of arrivals, and for bytes that
/// asynchronous copies bring. When the last one has come, the next phase
/// begins. What the copies bring arrives as late as it may: when nothing else
/// is missing and somebody asks. So whoever does not wait for it is found out.
///
/// Threads that arrive release what they did, and what they know of; threads
/// that find a phase completed acquire that.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_SIMT_BARRIEROBJECTS_H
#define CUDAOPT_LIB_SIMT_BARRIEROBJECTS_H

#include "RunState.h"
#include "WarpMemory.h"

#include <map>
#include <vector>

namespace cudaopt::simt {

class BarrierObjects {
public:
  BarrierObjects(RunState &State, WarpMemory &Memory, std::vector<Warp> &Warps)
      : S(State), Memory(Memory), Warps(Warps) {}

  void startBlock() { Objects.clear(); }
  void run(const Operation &Op, Warp &W);
  /// Grows whenever an object does something that others may wait for.
  uint64_t numEvents() const { return NumEvents; }

private:
  /// Copies that an object waits for.
  struct AwaitedCopies {
    unsigned Warp, Lane;
    uint64_t First, Last; ///< Their numbers, Last not included.
    uint32_t Bytes;       ///< Of a bulk copy; 0: an arrival follows them.
  };
  struct Object {
    uint32_t Expected = 0, Pending = 0; ///< Arrivals of a phase.
    int64_t Bytes = 0;                  ///< That the phase still waits for.
    uint32_t Phase = 0;
    std::vector<AwaitedCopies> Copies;
    /// What arriving threads did, and of that, up to the last whole phase.
    RaceDetector::ThreadClock Released, Completed;
    uint32_t NumArrivalsOfCopies = 0;

    /// What is in its bytes, which nobody may read.
    uint64_t bits() const {
      return uint64_t(Phase & 1) << 63 | uint64_t(Expected) << 32 | Pending;
    }
    /// True if the phase ends when the copies have come.
    bool lacksOnlyCopies() const {
      return !Copies.empty() && Pending == NumArrivalsOfCopies;
    }
    /// What an arrival returns.
    uint64_t token() const { return uint64_t(Phase) << 32 | Pending; }
  };
  /// An arrival of some lanes of a warp, one after the other.
  struct Arrival {
    const Operation &Op;
    Warp &W;
    SharedAddr Address;
    uint32_t Lanes = 0; ///< That have arrived but not released.
  };

  void initialise(const Operation &Op, Warp &W, unsigned Lane, SharedAddr At);
  void invalidate(const Operation &Op, Warp &W, unsigned Lane, SharedAddr At);
  void arrive(const Operation &Op, Warp &W);
  void arriveOne(Arrival &A, Object &O, unsigned Lane);
  void release(Arrival &A, Object &O);
  void wait(const Operation &Op, Warp &W);
  bool isOver(const Operation &Op, const Warp &W, unsigned Lane, SharedAddr At,
              const Object &O);
  void expectBytes(const Operation &Op, Warp &W, unsigned Lane, SharedAddr At);
  void awaitCopies(const Operation &Op, Warp &W, unsigned Lane, SharedAddr At);
  void copyBulk(const Operation &Op, Warp &W);
  void bringCopies(const Operation &Op, Warp &W, unsigned Lane, SharedAddr At,
                   Object &O);
  /// Lets the next phase begin if nothing is missing.
  void advance(const Operation &Op, Warp &W, unsigned Lane, SharedAddr At,
               Object &O);
  /// The object, or null after a finding.
  Object *find(const Operation &Op, const Warp &W, unsigned Lane,
               SharedAddr At);
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
