// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What a warp does to memory: each request is located, checked, counted, and
/// then performed lane by lane. What is undefined is a finding; a load then
/// gives bytes of 0xa5, a store has no effect.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_SIMT_WARPMEMORY_H
#define CUDAOPT_LIB_SIMT_WARPMEMORY_H

#include "BankCounter.h"
#include "GlobalRaces.h"
#include "IntendedArrays.h"
#include "LocalMemory.h"
#include "RaceDetector.h"
#include "RunState.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include <algorithm>
#include <optional>

namespace cudaopt::simt {

/// True if some byte is part of a term.
inline bool hasTag(const uint64_t *Tags, uint32_t Size) {
  return std::any_of(Tags, Tags + Size, [](uint64_t Tag) { return Tag != 0; });
}

/// Of any access.
inline constexpr uint32_t MaxAlignment = 16;

/// The finding that an access is which is undefined for this reason.
FindingKind kindOf(BottomReason Reason, bool IsShared);

/// Bytes of the narrowest access to memory that may be in \p Space.
uint32_t cellSizeOf(const Program &P, PointerSpace Space);

class WarpMemory {
public:
  explicit WarpMemory(RunState &State);

  void startBlock();
  void startWarp(const Warp &W);
  /// All threads of the block have met.
  void endInterval();
  RaceDetector &races() { return Races; }
  void fence() {
    if (RacesOnGlobal)
      RacesOnGlobal->fence();
  }
  /// The value of the register of a parameter that is a struct.
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
  /// Calls \p Body for the lanes for which \p Address is that of an object.
  void forEachObject(const Operation &Op, const Warp &W, Register Address,
                     llvm::function_ref<void(unsigned Lane, SharedAddr)> Body);
  uint64_t bitsOfObject(SharedAddr At) const;
  void writeObject(const Operation &Op, const Warp &W, unsigned Lane,
                   SharedAddr At, uint64_t Bits, bool IsAtomic);
  void readObject(const Operation &Op, const Warp &W, unsigned Lane,
                  SharedAddr At);
  uint64_t numCopiesStarted() const { return NumStarted; }
  void startBulkCopy(const Operation &Op, Warp &W, unsigned Lane,
                     uint32_t Bytes);
  /// The copies of a thread arrive whose numbers are in the range.
  void performCopies(const Warp &W, unsigned Lane, uint64_t First,
                     uint64_t Last, bool AreBulk);
  Finding sharedFinding(FindingKind Kind, const Operation &Op, const Warp &W,
                        unsigned Lane, SharedAddr Address,
                        std::optional<unsigned> Array = {}) const;
  void allocate(const Operation &Op, Warp &W);
  void isInSpace(const Operation &Op, Warp &W);

  /// What a thread finds in memory, without any check but for bounds; nothing
  /// if it is not there or a term. Of an address that is a term, also what it
  /// is the address of.
  std::optional<uint64_t> peek(const Warp &W, unsigned Lane, uint64_t Address,
                               unsigned Size,
                               std::string *NameOfAddress = nullptr);
  /// The string at an address, without its zero.
  std::optional<std::string> peekString(const Warp &W, unsigned Lane,
                                        uint64_t Address);

private:
  enum class Access : uint8_t { Load, Store, Atomic };
  /// What lanes of a warp want.
  struct Request {
    const Operation &Op;
    const Warp &W;
    uint32_t Lanes;
    Access Kind;
    PointerSpace Space;
    uint32_t Width;   ///< Bytes: 1, 2, 4, 8 or 16.
    Register Pointer; ///< Of which the address is made.
    const LaneValues &Address;
  };
  /// Where it is. Lanes whose access is undefined are in no set.
  struct Located {
    uint32_t Shared = 0, Local = 0, Device = 0;
    std::array<uint32_t, WarpSize> Offset; ///< In shared or local memory.
    std::array<const Byte *, WarpSize> Data;
    std::array<DeviceMemory::Allocation *, WarpSize> Owner; ///< Of Device.

    uint32_t lanes() const { return Shared | Local | Device; }
  };
  /// The bytes of a lane, with their tags.
  struct Content {
    std::array<Byte, 16> Bytes;
    std::array<uint64_t, 16> Tags;
    bool HasTags = false;
  };
  struct AsyncCopy {
    const Operation *Op;
    unsigned Lane;
    uint64_t Group; ///< How many groups the thread had committed before.
    SharedAddr To;
    PhysMemAddr From;
    uint32_t Size, SizeRead;
    uint64_t Number; ///< In the order in which copies start.
  };
  /// No group of a thread: only objects wait for bulk copies.
  static constexpr uint64_t BulkGroup = uint64_t(1) << 62;
  /// Asynchronous copies of the threads of a warp.
  struct AsyncState {
    std::vector<AsyncCopy> Copies;
    std::array<uint64_t, WarpSize> NumCommitted = {};
  };

  // Where requests are, and what is wrong with them (Locate.h).
  /// The addresses in a register: that register, or \p Resolved if some are
  /// terms. Null, and the run ends, if data decide an address.
  const LaneValues *addressesOf(const Operation &Op, const Warp &W,
                                Register Address, LaneValues &Resolved);
  std::optional<uint32_t> widthOf(const Operation &Op);
  Located locate(const Request &R);
  void locateShared(const Request &R, uint32_t Lanes, Located &Found);
  void locateLocal(const Request &R, uint32_t Lanes, Located &Found);
  void locateDevice(const Request &R, uint32_t Lanes, Located &Found);
  void checkAlignment(const Request &R, Located &Found);
  void reportLocal(FindingKind Kind, const Request &R, unsigned Lane);
  uint32_t checkShared(const Request &R, uint32_t Lanes, const Located &Found);
  uint32_t checkDevice(const Request &R, uint32_t Lanes, Located &Found);
  void countBanks(const Request &R, const Located &Found);
  void checkPending(const Request &R, const Located &Found);
  void checkInitialised(const Request &R, const Located &Found);
  void recordReads(const Request &R, const Located &Found);
  void recordUse(SharedAddr Address, Access Kind);
  void reportRace(const CellAccess &Earlier, const Operation &Op, const Warp &W,
                  unsigned Lane, SharedAddr Address);
  CellAccess deviceAccessOf(const Request &R, unsigned Lane) const;
  void recordDeviceRead(const Request &R, unsigned Lane,
                        const DeviceMemory::Allocation &A, uint64_t Offset);
  void recordDeviceWrite(const Request &R, unsigned Lane,
                         const DeviceMemory::Allocation &A, uint64_t Offset,
                         const Content &New);
  void reportDeviceRace(const CellAccess &Earlier, const Request &R,
                        unsigned Lane, const DeviceMemory::Allocation &A,
                        uint64_t Offset);
  void enterPart(const Request &R, Located &Found);
  void reportDevice(BottomReason Reason, const Request &R, unsigned Lane);

  const uint64_t *tagsOf(const Warp &W, const Located &Found, unsigned Lane);
  void loadRegister(const Located &Found, Warp &W, Register D, uint32_t First,
                    uint32_t Size);
  Content contentOf(const Warp &W, const Located &Found, unsigned Lane,
                    uint32_t Size);
  void append(Content &To, uint32_t At, const Warp &W, Register R,
              unsigned Lane, uint32_t Size);
  void write(const Request &R, Located &Found, unsigned Lane,
             const Content &New);
  void writeShared(const Operation &Op, const Warp &W, unsigned Lane,
                   SharedAddr To, uint32_t Size, const Content &New,
                   bool IsAtomic);
  CellAccess accessOf(const Operation &Op, const Warp &W, unsigned Lane,
                      bool IsAtomic = false) const;
  Content modified(const Operation &Op, Warp &W, const Content &Old,
                   unsigned Lane, bool IsShared);
  std::optional<bool> areEqual(TermId X, TermId Y, unsigned Bits);
  void exchange(const Request &R, Located &Found, unsigned Lane,
                const Content &New);
  /// Locates an atomic operation and hands \p ExchangeLane each lane's content.
  template <class Function>
  void atomic(const Operation &Op, Warp &W, Function ExchangeLane);
  void putUndefined(const Operation &Op, Warp &W, uint32_t Lanes);
  void perform(const AsyncCopy &Copy, const Warp &W);
  void setPending(const AsyncCopy &Copy, int By);
  void startCopy(const Request &To, AsyncCopy Copy);
  template <class Function> void performIf(const Warp &W, Function IsDone);

  RunState &S;
  SharedMemory Shared;
  std::vector<uint64_t> SharedTags; ///< Empty without terms.
  IntendedArrays Intended;
  RaceDetector Races;
  std::optional<GlobalRaces> RacesOnGlobal; ///< If they are checked.
  BankCounter Banks;
  uint64_t Undefined; ///< The tag of a byte that nobody wrote.
  LocalMemory Local;
  std::vector<size_t> UseOf;       ///< By array: the index in Program::Shared.
  std::vector<uint8_t> NumPending; ///< By byte: asynchronous copies to it.
  size_t NumCopies = 0;            ///< Of all warps, that are pending.
  uint64_t NumStarted = 0;         ///< Copies, pending or not.
  std::vector<AsyncState> Async;   ///< By warp.
  std::vector<Content> Scratch;    ///< Of a copy, by piece and lane.
  unsigned Interval = 0;           ///< Barriers that the block has passed.
};

} // namespace cudaopt::simt

#endif // CUDAOPT_LIB_SIMT_WARPMEMORY_H
