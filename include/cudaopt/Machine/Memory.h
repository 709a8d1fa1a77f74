// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The memory of a CUDA device: document 002 as code, under its names. State
/// spaces, addresses, banks and their locks, and what is undefined (bottom).
/// Depends on nothing but the standard library.
///
/// Where this is finer than document 002: bounds are those of each array, not
/// of all shared memory (red zones lie between arrays), and reads of bytes that
/// nobody wrote are undefined.
///
/// \verbatim
///   shared memory  | red | array 0 | red | array 1 | red | dynamic | red |
/// \endverbatim
///
/// What runs for each lane of each access is inline.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_MACHINE_MEMORY_H
#define CUDAOPT_MACHINE_MEMORY_H

#include "cudaopt/Machine/BankMap.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace cudaopt {

/// StateSpace: the addressable kinds of memory. Registers have no address.
enum class StateSpace : uint8_t { Global, Local, Shared, Const };

/// ss_a in StateSpace_atomic = {.global, .shared}.
constexpr bool isAtomicSpace(StateSpace Space) {
  return Space == StateSpace::Global || Space == StateSpace::Shared;
}
/// ss_d in StateSpace_device = {.global, .const, .local}: those in DRAM.
constexpr bool isDeviceSpace(StateSpace Space) {
  return Space != StateSpace::Shared;
}

using Byte = uint8_t;
using PhysMemAddr = uint64_t; ///< A byte of device memory.
using SharedAddr = uint32_t;  ///< A byte of a block's shared memory.
using BankIdx = uint8_t;      ///< Document 002 counts from 1, this from 0.
using Lock = bool;

/// True if an access of \p Size bytes at \p Address is one that the hardware
/// does not do. Sizes that no instruction has are copies: their pieces count.
constexpr bool isMisaligned(uint64_t Address, uint64_t Size) {
  bool IsMemOpSize = Size - 1 < 16 && (Size & (Size - 1)) == 0;
  return IsMemOpSize && (Address & (Size - 1)) != 0;
}

/// Why an access is undefined.
enum class BottomReason : uint8_t {
  OutOfBounds,   ///< No array, no allocation is there.
  CrossArray,    ///< It starts in one array and ends in, or lands in, another.
  Misaligned,    ///< The address is no multiple of the size.
  Uninitialised, ///< Nobody wrote a byte that is read.
  WrongSpace,    ///< The address lies in another state space.
  WriteConst,    ///< A write to .const.
};
/// "out of bounds", "uninitialised", ...
const char *textOf(BottomReason Reason);

/// A place in the source. File is an index into a table of its owner.
struct SourceRef {
  uint32_t File = 0, Line = 0, Column = 0;
  auto operator<=>(const SourceRef &) const = default;
};

/// The undefined result of a memory operation: document 002's bottom, with the
/// reason.
struct Bottom {
  BottomReason Reason;
  unsigned Lane = 0;
  uint64_t Address = 0;
  SourceRef Where;
};

/// A value or bottom.
template <class T> class OrBottom {
public:
  OrBottom(T Value) : Content(std::move(Value)) {}
  OrBottom(Bottom B) : Content(B) {}
  bool isBottom() const { return std::holds_alternative<Bottom>(Content); }
  const T &value() const { return std::get<T>(Content); }
  const Bottom &bottom() const { return std::get<Bottom>(Content); }

private:
  std::variant<T, Bottom> Content;
};

/// The bytes of one request of a warp, by lane; those of idle lanes are 0.
using LaneBytes = std::array<std::array<Byte, 16>, WarpSize>;

/// banks : SharedAddr x MemOpSize -> BankIdx*, in the order of the addresses,
/// each once.
std::vector<BankIdx> banks(const BankMap &Map, SharedAddr Address,
                           uint32_t MemOpSize);

/// SharedMem = (SharedAddr -> Byte) x (BankIdx -> Lock): the shared memory of
/// one block. Arrays are placed once; reset() starts a new block.
class SharedMemory {
public:
  /// Bytes before, between, after arrays, at least. A multiple of all banks:
  /// arrays begin in the banks that they begin in without red zones.
  static constexpr uint32_t RedZone = 256;
  /// What reset() leaves in each byte: no plausible number.
  static constexpr Byte Forgotten = 0xa5;

  explicit SharedMemory(BankMap Map = {}) : Map(Map) {}

  struct Array {
    std::string Name;
    SharedAddr Address = 0;
    uint32_t Size = 0; ///< Bytes; an array without bytes contains no address.
  };

  /// Places an array of \p Size bytes behind those there are, at a multiple of
  /// \p Alignment (a power of two), and returns its index.
  unsigned place(std::string Name, uint32_t Size, uint32_t Alignment);
  const std::vector<Array> &arrays() const { return Arrays; }
  /// All bytes, red zones included.
  uint32_t size() const { return static_cast<uint32_t>(Bytes.size()); }

  /// Forgets all bytes and locks.
  void reset();

  /// Returns the index of the array that contains \p Address, or nothing.
  std::optional<unsigned> findArray(SharedAddr Address) const;

  /// Returns why an access of \p Size bytes is undefined, or nothing. A lane
  /// that means to access array \p Intended but lands in another is CrossArray;
  /// without an intention only the bytes count. Initialisation is not checked.
  std::optional<BottomReason>
  check(SharedAddr Address, uint32_t Size,
        std::optional<unsigned> Intended = {}) const;
  /// True if all bytes were written since reset().
  bool isInitialised(SharedAddr Address, uint32_t Size) const;

  /// The bytes at \p Address, for a caller that has checked. Writing through
  /// the second form marks them as initialised.
  const Byte *bytes(SharedAddr Address) const { return &Bytes[Address]; }
  Byte *bytesToWrite(SharedAddr Address, uint32_t Size);

  bool isLocked(BankIdx Bank) const { return Locks[Bank]; }
  /// Locks or unlocks all banks of an access. An atomic operation on shared
  /// memory is lock, read, write, unlock (document 002, 3.2.1).
  void lock(SharedAddr Address, uint32_t Size);
  void unlock(SharedAddr Address, uint32_t Size);

  const BankMap &bankMap() const { return Map; }

private:
  static constexpr uint16_t NoArray = 0xffff;

  BottomReason whyOutside(unsigned Index, uint32_t Offset, uint32_t Size) const;

  BankMap Map;
  std::vector<Array> Arrays; ///< By address.
  /// The array of which a byte lies in a piece of RedZone bytes. There is one
  /// at most, as RedZone bytes lie between two.
  std::vector<uint16_t> ArrayOfPiece;
  std::vector<Byte> Bytes;
  std::vector<uint8_t> Written; ///< 1 for each byte that was written, else 0.
  std::array<Lock, 32> Locks = {};
};

inline std::optional<unsigned>
SharedMemory::findArray(SharedAddr Address) const {
  uint32_t Piece = Address / RedZone;
  if (Piece >= ArrayOfPiece.size() || ArrayOfPiece[Piece] == NoArray)
    return std::nullopt;
  const Array &A = Arrays[ArrayOfPiece[Piece]];
  if (Address - A.Address >= A.Size)
    return std::nullopt;
  return ArrayOfPiece[Piece];
}

inline std::optional<BottomReason>
SharedMemory::check(SharedAddr Address, uint32_t Size,
                    std::optional<unsigned> Intended) const {
  std::optional<unsigned> Index = findArray(Address);
  if (!Index)
    return BottomReason::OutOfBounds;
  if (Intended && *Intended != *Index)
    return BottomReason::CrossArray;
  const Array &A = Arrays[*Index];
  uint32_t Offset = Address - A.Address;
  if (Size > A.Size - Offset)
    return whyOutside(*Index, Offset, Size);
  if (isMisaligned(Address, Size))
    return BottomReason::Misaligned;
  return std::nullopt;
}

inline bool SharedMemory::isInitialised(SharedAddr Address,
                                        uint32_t Size) const {
  const uint8_t *First = &Written[Address];
  if (Size == 4) {
    uint32_t Four;
    std::memcpy(&Four, First, 4);
    return Four == 0x01010101;
  }
  return std::memchr(First, 0, Size) == nullptr;
}

inline Byte *SharedMemory::bytesToWrite(SharedAddr Address, uint32_t Size) {
  uint8_t *First = &Written[Address];
  if (Size == 4)
    std::memset(First, 1, 4);
  else
    std::memset(First, 1, Size);
  return &Bytes[Address];
}

/// read_shared: the bytes of every active lane, or bottom of the first lane
/// that has none. Conflicts and locks do not matter to it.
OrBottom<LaneBytes> readShared(const SharedMemory &Memory,
                               const WarpRequest &Request, SourceRef Where);
/// write_shared: all lanes or none; of lanes that write one address the highest
/// wins. Returns true or bottom.
OrBottom<bool> writeShared(SharedMemory &Memory, const WarpRequest &Request,
                           const LaneBytes &Values, SourceRef Where);

/// GlobalMem, ConstMem and LocalMem: allocations at device addresses, pairwise
/// disjoint. A local allocation belongs to one thread, whom the owner of this
/// object knows.
class DeviceMemory {
public:
  /// No address of a process of the host is as high, none of a window of the
  /// interpreter (Simt/Program.h) as low.
  static constexpr PhysMemAddr FirstAddress = PhysMemAddr(1) << 48;

  struct Allocation {
    std::string Name;
    StateSpace Space = StateSpace::Global;
    bool IsFixed = false; ///< The host cannot write it either: a string.
    PhysMemAddr Address = 0;
    uint64_t Size = 0;
    Byte *Data = nullptr; ///< Size bytes.
    /// What the interpreter attaches to each byte (a term); empty if nothing
    /// is attached to any.
    std::vector<uint64_t> Tags;
    /// Bytes [Begin, End) that were accessed, relative to Address; empty if
    /// none was.
    int64_t TouchedBegin = INT64_MAX, TouchedEnd = INT64_MIN;
    uint32_t NeededAlignment =
        1; ///< Of an address that was accessed, the most.
    std::unique_ptr<Byte[]> Owned; ///< Null if the bytes are another's.

    bool contains(PhysMemAddr Where) const { return Where - Address < Size; }
    void noteAlignment(uint32_t Bytes) {
      NeededAlignment = std::max(NeededAlignment, Bytes);
    }
    /// Records an access to \p Count bytes at \p Offset.
    void touch(int64_t Offset, uint64_t Count) {
      TouchedBegin = std::min(TouchedBegin, Offset);
      TouchedEnd = std::max(TouchedEnd, Offset + static_cast<int64_t>(Count));
    }
  };

  /// Allocates \p Size zeroed bytes at an address of its own, a multiple of
  /// 256, with at least 256 unallocated bytes on both sides.
  Allocation &allocate(StateSpace Space, uint64_t Size, std::string Name);
  /// Makes \p Size bytes at \p Data accessible, at the address that equals the
  /// pointer. Returns null if they overlap an allocation.
  Allocation *adopt(StateSpace Space, void *Data, uint64_t Size,
                    std::string Name);
  /// Returns false if no allocation begins at \p Address. allocate() never
  /// gives an address again: what still points there points nowhere.
  bool release(PhysMemAddr Address);

  /// Returns the allocation that contains \p Address, or null.
  Allocation *find(PhysMemAddr Address) {
    return Last && Last->contains(Address) ? Last : findAnew(Address);
  }
  /// Returns the allocation that begins or ends nearest to \p Address, or null
  /// if there is none: what an access out of bounds may have meant.
  Allocation *findNearest(PhysMemAddr Address);
  /// Returns the name of the allocation that was at \p Address before it was
  /// released, or null; \p Offset is how far from its start.
  const std::string *findReleased(PhysMemAddr Address, uint64_t &Offset) const;
  /// Returns why an access is undefined, or nothing; \p Found is the allocation
  /// where it starts, or null. A generic address names no space.
  std::optional<BottomReason> check(std::optional<StateSpace> Space,
                                    PhysMemAddr Address, uint64_t Size,
                                    bool IsWrite, Allocation *&Found);

  /// Returns the same memory for another thread: it has the bytes, but not what
  /// was or is noted of accesses and tags.
  DeviceMemory share() const;

  std::map<PhysMemAddr, Allocation> &allocations() { return ByAddress; }

private:
  Allocation *findAnew(PhysMemAddr Address);
  BottomReason whyOutside(const Allocation &Start, PhysMemAddr Address,
                          uint64_t Size);

  /// What is left of an allocation that was released.
  struct Released {
    std::string Name;
    uint64_t Size;
  };

  std::map<PhysMemAddr, Allocation> ByAddress;
  std::map<PhysMemAddr, Released> ReleasedByAddress; ///< The last one at each.
  Allocation *Last = nullptr; ///< Found last: the next is likely there too.
  PhysMemAddr Next = FirstAddress; ///< Where the next allocation may go.
};

inline std::optional<BottomReason>
DeviceMemory::check(std::optional<StateSpace> Space, PhysMemAddr Address,
                    uint64_t Size, bool IsWrite, Allocation *&Found) {
  Found = find(Address);
  if (!Found)
    return BottomReason::OutOfBounds;
  if (Space && *Space != Found->Space)
    return BottomReason::WrongSpace;
  if (Size > Found->Size - (Address - Found->Address))
    return whyOutside(*Found, Address, Size);
  if (IsWrite && Found->Space == StateSpace::Const)
    return BottomReason::WriteConst;
  if (isMisaligned(Address, Size))
    return BottomReason::Misaligned;
  return std::nullopt;
}

/// read_device: the bytes, or bottom if {Address .. Address + Size - 1} is not
/// in \p Space.
OrBottom<std::vector<Byte>> readDevice(DeviceMemory &Memory, StateSpace Space,
                                       PhysMemAddr Address, uint64_t Size,
                                       SourceRef Where);
/// write_device: true, or bottom; a kernel never writes .const. The bytes
/// written lose their tags.
OrBottom<bool> writeDevice(DeviceMemory &Memory, StateSpace Space,
                           PhysMemAddr Address, const std::vector<Byte> &Value,
                           SourceRef Where);

} // namespace cudaopt

#endif // CUDAOPT_MACHINE_MEMORY_H
