// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What a warp does to memory. Each request is located (which memory, which
/// allocation), checked, counted, and then performed lane by lane. An undefined
/// access is a finding; a load then gives bytes of 0xa5, a store has no effect.
/// The member functions are in WarpMemory.cpp (loads, stores, copies),
/// WarpAccess.cpp and WarpDeviceAccess.cpp (location and checks) and
/// WarpExchange.cpp (atomics, asynchronous copies, barrier objects).
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_SIMT_WARPMEMORY_H
#define CUDAOPT_LIB_SIMT_WARPMEMORY_H

#include "BankCounter.h"
#include "GlobalRaces.h"
#include "IntendedArrays.h"
#include "LocalMemory.h"
#include "RaceDetector.h"
#include "RunState.h"
#include "cudaopt/Machine/Sectors.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include <algorithm>
#include <optional>

namespace cudaopt::simt {

/// Returns true if one of \p Size bytes is part of a term.
inline bool hasTag(const uint64_t *Tags, uint32_t Size) {
  return std::any_of(Tags, Tags + Size, [](uint64_t Tag) { return Tag != 0; });
}

/// The greatest alignment that an access needs.
inline constexpr uint32_t MaxAlignment = 16;

/// Returns the kind of finding for an access that is undefined for this reason.
FindingKind kindOf(BottomReason Reason, bool IsShared);

/// Returns the width in bytes of the narrowest access that may go to \p Space:
/// the size of the cells in which accesses can be observed.
uint32_t cellSizeOf(const Program &P, PointerSpace Space);

/// The memory of the block that runs, and of its threads.
class WarpMemory {
public:
  explicit WarpMemory(RunState &State);

  void startBlock();
  void startWarp(const Warp &W);
  /// All threads of the block have met: a barrier interval ends.
  void endInterval();
  RaceDetector &races() { return Races; }
  void fence() {
    if (RacesOnGlobal)
      RacesOnGlobal->fence();
  }
  /// Returns the value of the register of a parameter that is a struct: its
  /// generic address.
  uint64_t addressOf(const Parameter &Formal) const {
    return LocalWindow + Local.offsetOf(Formal.Value);
  }

  void load(const Operation &Op, Warp &W);
  void store(const Operation &Op, Warp &W);
  void copy(const Operation &Op, Warp &W);
  void fill(const Operation &Op, Warp &W);
  void atomicRmw(const Operation &Op, Warp &W);
  void atomicCas(const Operation &Op, Warp &W);
  void copyAsync(const Operation &Op, Warp &W);
  void commitAsync(const Warp &W);
  void waitAsync(const Operation &Op, Warp &W);
  // Barriers that are objects in shared memory.

  /// Calls \p Body for the active lanes in which \p Address is a defined
  /// address of an object.
  void forEachObject(const Operation &Op, const Warp &W, Register Address,
                     llvm::function_ref<void(unsigned Lane, SharedAddr)> Body);
  /// Returns the eight bytes of an object.
  uint64_t bitsOfObject(SharedAddr At) const;
  void writeObject(const Operation &Op, const Warp &W, unsigned Lane,
                   SharedAddr At, uint64_t Bits, bool IsAtomic);
  /// Records that a lane reads an object, for the race detector.
  void readObject(const Operation &Op, const Warp &W, unsigned Lane,
                  SharedAddr At);
  /// Returns the number that the next asynchronous copy gets.
  uint64_t numCopiesStarted() const { return NumStarted; }
  /// Starts the bulk copy of \p Bytes bytes that \p Lane executes.
  void startBulkCopy(const Operation &Op, Warp &W, unsigned Lane,
                     uint32_t Bytes);
  /// Performs the pending copies of a thread whose numbers are in [First,
  /// Last), either bulk copies or others.
  void performCopies(const Warp &W, unsigned Lane, uint64_t First,
                     uint64_t Last, bool AreBulk);
  /// Returns a finding at an address of shared memory, relative to \p Array or
  /// else to the nearest array.
  Finding sharedFinding(FindingKind Kind, const Operation &Op, const Warp &W,
                        unsigned Lane, SharedAddr Address,
                        std::optional<unsigned> Array = {}) const;
  /// Sets the result of an Alloca, and that of IsSpace.
  void allocate(const Operation &Op, Warp &W);
  void isInSpace(const Operation &Op, Warp &W);

  /// Returns the value of \p Size bytes that a thread finds in memory, checked
  /// for bounds only; std::nullopt if it is not there, or a term. For an
  /// address that is a term, also sets \p NameOfAddress.
  std::optional<uint64_t> peek(const Warp &W, unsigned Lane, uint64_t Address,
                               unsigned Size,
                               std::string *NameOfAddress = nullptr);
  /// Returns the string at an address, without its terminating zero;
  /// std::nullopt if it cannot be read.
  std::optional<std::string> peekString(const Warp &W, unsigned Lane,
                                        uint64_t Address);

private:
  using Access = AccessOp;
  /// An access by lanes of a warp.
  struct Request {
    const Operation &Op;
    const Warp &W;
    uint32_t Lanes;
    Access Kind;
    PointerSpace Space;
    uint32_t Width; ///< Bytes: 1, 2, 4, 8 or 16.
    /// The register from which the address was computed.
    Register Pointer;
    const LaneValues &Address;
  };
  /// Where the bytes of a request are. Lanes whose access is undefined are in
  /// none of the three sets.
  struct Located {
    uint32_t Shared = 0, Local = 0, Device = 0;
    std::array<uint32_t, WarpSize> Offset; ///< For shared and local memory.
    std::array<const Byte *, WarpSize> Data;
    std::array<DeviceMemory::Allocation *, WarpSize> Owner; ///< For Device.

    uint32_t lanes() const { return Shared | Local | Device; }
  };
  /// The bytes that a lane reads or writes, with their tags.
  struct Content {
    std::array<Byte, 16> Bytes;
    std::array<uint64_t, 16> Tags;
    bool HasTags = false;
  };
  /// An asynchronous copy that has started but is not complete.
  struct AsyncCopy {
    const Operation *Op;
    unsigned Lane;
    /// The number of groups that the thread had committed before, or BulkGroup.
    uint64_t Group;
    SharedAddr To;
    PhysMemAddr From;
    uint32_t Size, SizeRead;
    /// The position in the order in which copies start.
    uint64_t Number;
  };
  /// The group of bulk copies, which no thread waits for: only objects do.
  static constexpr uint64_t BulkGroup = uint64_t(1) << 62;
  /// The pending copies of the threads of a warp.
  struct AsyncState {
    std::vector<AsyncCopy> Copies;
    std::array<uint64_t, WarpSize> NumCommitted = {};
  };

  // Location and checks (WarpAccess.cpp, WarpDeviceAccess.cpp).

  /// Returns the addresses in a register: the register itself, or \p Resolved
  /// if some are terms that name a shared variable. Ends the run and returns
  /// null if data decide an address.
  const LaneValues *addressesOf(const Operation &Op, const Warp &W,
                                Register Address, LaneValues &Resolved);
  /// Returns the bytes per lane of a load, store or atomic operation; ends the
  /// run if that is no width of the hardware.
  std::optional<uint32_t> widthOf(const Operation &Op);
  Located locate(const Request &R);
  void locateShared(const Request &R, uint32_t Lanes, Located &Found);
  void locateLocal(const Request &R, uint32_t Lanes, Located &Found);
  void locateDevice(const Request &R, uint32_t Lanes, Located &Found);
  void checkAlignment(const Request &R, Located &Found);
  void reportLocal(FindingKind Kind, const Request &R, unsigned Lane);
  /// The check functions return the lanes whose access is defined, and report
  /// the others.
  uint32_t checkShared(const Request &R, uint32_t Lanes, const Located &Found);
  uint32_t checkDevice(const Request &R, uint32_t Lanes, Located &Found);
  /// Adds the wavefronts of a request to the costs.
  void countBanks(const Request &R, const Located &Found);
  /// Adds its sectors.
  void countSectors(const Request &R, const Located &Found);
  /// Reports accesses to bytes that a pending copy will write.
  void checkPending(const Request &R, const Located &Found);
  void checkInitialised(const Request &R, const Located &Found);
  void recordReads(const Request &R, const Located &Found);
  /// Records the barrier interval in which an array is used.
  void recordUse(SharedAddr Address, Access Kind);
  void reportRace(const CellAccess &Earlier, const Operation &Op, const Warp &W,
                  unsigned Lane, SharedAddr Address);
  /// Returns the description of an access for the race detector.
  CellAccess deviceAccessOf(const Request &R, unsigned Lane) const;
  void recordDeviceRead(const Request &R, unsigned Lane,
                        const DeviceMemory::Allocation &A, uint64_t Offset);
  void recordDeviceWrite(const Request &R, unsigned Lane,
                         const DeviceMemory::Allocation &A, uint64_t Offset,
                         const Content &New);
  void reportDeviceRace(const CellAccess &Earlier, const Request &R,
                        unsigned Lane, const DeviceMemory::Allocation &A,
                        uint64_t Offset);
  /// Registers an access with the other parts of the grid.
  void enterPart(const Request &R, Located &Found);
  void reportDevice(BottomReason Reason, const Request &R, unsigned Lane);

  /// Returns the tags of the bytes of a lane; null if they are all numbers.
  const uint64_t *tagsOf(const Warp &W, const Located &Found, unsigned Lane);
  void loadRegister(const Located &Found, Warp &W, Register D, uint32_t First,
                    uint32_t Size);
  /// Returns the bytes that a lane finds.
  Content contentOf(const Warp &W, const Located &Found, unsigned Lane,
                    uint32_t Size);
  void append(Content &To, uint32_t At, const Warp &W, Register R,
              unsigned Lane, uint32_t Size);
  /// Writes the bytes of a lane.
  void write(const Request &R, Located &Found, unsigned Lane,
             const Content &New);
  void writeShared(const Operation &Op, const Warp &W, unsigned Lane,
                   SharedAddr To, uint32_t Size, const Content &New,
                   bool IsAtomic);
  CellAccess accessOf(const Operation &Op, const Warp &W, unsigned Lane,
                      bool IsAtomic = false) const;
  /// Returns what an atomic operation makes of \p Old, and sets its result.
  Content modified(const Operation &Op, Warp &W, const Content &Old,
                   unsigned Lane, bool IsShared);
  /// Returns whether two terms are equal; std::nullopt if that depends on data.
  std::optional<bool> areEqual(TermId X, TermId Y, unsigned Bits);
  void exchange(const Request &R, Located &Found, unsigned Lane,
                const Content &New);
  /// Locates an atomic operation and calls \p ExchangeLane for each lane, in
  /// ascending order, with the bytes that it finds.
  template <class Function>
  void atomic(const Operation &Op, Warp &W, Function ExchangeLane);
  /// Sets the results of lanes whose access is undefined.
  void putUndefined(const Operation &Op, Warp &W, uint32_t Lanes);
  /// Completes a copy.
  void perform(const AsyncCopy &Copy, const Warp &W);
  /// Counts a copy as pending (\p By is 1) or complete (-1).
  void setPending(const AsyncCopy &Copy, int By);
  void startCopy(const Request &To, AsyncCopy Copy);
  /// Completes the pending copies of a warp for which \p IsDone holds.
  template <class Function> void performIf(const Warp &W, Function IsDone);

  RunState &S;
  SharedMemory Shared;
  /// Indexed by byte of shared memory; empty without terms.
  std::vector<uint64_t> SharedTags;
  IntendedArrays Intended;
  RaceDetector Races;
  /// Set if races on global memory are checked.
  std::optional<GlobalRaces> RacesOnGlobal;
  BankCounter Banks;
  /// The tag of a byte that was never written.
  uint64_t Undefined;
  LocalMemory Local;
  /// Indexed by array of shared memory: the index in Program::Shared.
  std::vector<size_t> UseOf;
  /// Indexed by byte of shared memory: the number of pending copies to it.
  std::vector<uint8_t> NumPending;
  /// The number of pending copies of all warps.
  size_t NumCopies = 0;
  /// The number of copies that were started.
  uint64_t NumStarted = 0;
  std::vector<AsyncState> Async; ///< Indexed by warp.
  /// The bytes of a memory copy, by piece and lane.
  std::vector<Content> Scratch;
  /// The number of barriers that the block has passed.
  unsigned Interval = 0;
};

} // namespace cudaopt::simt

#endif // CUDAOPT_LIB_SIMT_WARPMEMORY_H
