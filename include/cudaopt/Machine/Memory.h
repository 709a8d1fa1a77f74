// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The memory of a CUDA device: state spaces, addresses, banks and their locks,
/// and the undefined result of an access, called bottom. The definitions and
/// their names are those of Habermaier, "The Model of Computation of CUDA"
/// (2011), called "the model" below. Depends on nothing but the standard
/// library.
///
/// This memory is finer than the model in two points: bounds are those of each
/// array instead of all shared memory (red zones lie between the arrays), and
/// reading bytes that were never written is undefined.
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

/// The model's StateSpace: the kinds of memory that have addresses. Registers
/// have none.
enum class StateSpace : uint8_t { Global, Local, Shared, Const };

/// Returns true for the spaces on which atomic operations work: the model's
/// StateSpace_atomic = {.global, .shared}.
constexpr bool isAtomicSpace(StateSpace Space) {
  return Space == StateSpace::Global || Space == StateSpace::Shared;
}
/// Returns true for the spaces that lie in DRAM: the model's StateSpace_device
/// = {.global, .const, .local}.
constexpr bool isDeviceSpace(StateSpace Space) {
  return Space != StateSpace::Shared;
}

using Byte = uint8_t;
using PhysMemAddr = uint64_t; ///< The address of a byte in device memory.
/// The address of a byte in a block's shared memory.
using SharedAddr = uint32_t;
using BankIdx = uint8_t; ///< The model counts banks from 1, this code from 0.
using Lock = bool;

/// Returns true if the hardware refuses an access of \p Size bytes at \p
/// Address, which is no multiple of the size. A size that no instruction has
/// belongs to a copy; the alignment of its pieces is checked instead.
constexpr bool isMisaligned(uint64_t Address, uint64_t Size) {
  bool IsMemOpSize = Size - 1 < 16 && (Size & (Size - 1)) == 0;
  return IsMemOpSize && (Address & (Size - 1)) != 0;
}

/// Why an access is undefined.
enum class BottomReason : uint8_t {
  OutOfBounds, ///< No array or allocation contains the address.
  CrossArray,  ///< The access starts in one array and ends in another, or lands
               ///< in another array than the one it was meant for.
  Misaligned,  ///< The address is no multiple of the size.
  Uninitialised, ///< The access reads a byte that was never written.
  WrongSpace, ///< The address lies in another state space than the instruction
              ///< says.
  WriteConst, ///< A write to .const.
};
/// Returns a text for messages: "out of bounds", "uninitialised", ...
const char *textOf(BottomReason Reason);

/// A position in the source. File is an index into a table that the owner of
/// the position has (Program::Files in the interpreter); line 0 means unknown.
struct SourceRef {
  uint32_t File = 0, Line = 0, Column = 0;
  auto operator<=>(const SourceRef &) const = default;
};

/// The undefined result of a memory operation: the model's bottom, here with
/// the reason, the first lane that is concerned, and the address that it
/// accessed.
struct Bottom {
  BottomReason Reason;
  unsigned Lane = 0;
  uint64_t Address = 0;
  SourceRef Where;
};

/// Either the value of a memory operation or bottom, as std::expected.
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

/// The bytes of one request of a warp, by lane; those of inactive lanes are 0.
using LaneBytes = std::array<std::array<Byte, 16>, WarpSize>;

/// Returns the banks that an access of \p MemOpSize bytes at \p Address
/// touches, in the order of the addresses, each once. The model's banks :
/// SharedAddr x MemOpSize -> BankIdx*.
std::vector<BankIdx> banks(const BankMap &Map, SharedAddr Address,
                           uint32_t MemOpSize);

/// The shared memory of one block: the model's SharedMem = (SharedAddr -> Byte)
/// x (BankIdx -> Lock). Arrays are placed once, for all blocks; reset() forgets
/// the contents when a new block starts.
class SharedMemory {
public:
  /// The least number of bytes that belong to no array before, between and
  /// after the arrays, so that an access a little out of bounds is found. It is
  /// a multiple of all banks together, so that arrays begin in the same banks
  /// as without red zones.
  static constexpr uint32_t RedZone = 256;
  /// The value that reset() leaves in each byte, chosen so that it looks like
  /// no plausible number.
  static constexpr Byte Forgotten = 0xa5;

  explicit SharedMemory(BankMap Map = {}) : Map(Map) {}

  struct Array {
    std::string Name;
    SharedAddr Address = 0;
    uint32_t Size = 0; ///< Bytes; an array without bytes contains no address.
  };

  /// Places an array of \p Size bytes behind the existing ones, at a multiple
  /// of \p Alignment (a power of two). Returns its index.
  unsigned place(std::string Name, uint32_t Size, uint32_t Alignment);
  const std::vector<Array> &arrays() const { return Arrays; }
  /// The number of all bytes, including those of the red zones.
  uint32_t size() const { return static_cast<uint32_t>(Bytes.size()); }

  /// Forgets the contents of all bytes and unlocks all banks.
  void reset();

  /// Returns the index of the array that contains \p Address; std::nullopt if
  /// it lies in a red zone or outside.
  std::optional<unsigned> findArray(SharedAddr Address) const;

  /// Returns why an access of \p Size bytes at \p Address is undefined;
  /// std::nullopt if it is defined. \p Intended is the array of which the
  /// program computed the address, if that is known: an access that lands in
  /// another array is then CrossArray, although it is in bounds there.
  /// Initialisation is not checked.
  std::optional<BottomReason>
  check(SharedAddr Address, uint32_t Size,
        std::optional<unsigned> Intended = {}) const;
  /// Returns true if all \p Size bytes were written since reset().
  bool isInitialised(SharedAddr Address, uint32_t Size) const;

  /// The bytes at \p Address. The caller has checked the bounds. bytesToWrite()
  /// marks \p Size bytes as initialised.
  const Byte *bytes(SharedAddr Address) const { return &Bytes[Address]; }
  Byte *bytesToWrite(SharedAddr Address, uint32_t Size);

  bool isLocked(BankIdx Bank) const { return Locks[Bank]; }
  /// Locks or unlocks all banks of an access. In the model an atomic operation
  /// on shared memory is the sequence lock, read, write, unlock (section
  /// 3.2.1).
  void lock(SharedAddr Address, uint32_t Size);
  void unlock(SharedAddr Address, uint32_t Size);

  const BankMap &bankMap() const { return Map; }

private:
  static constexpr uint16_t NoArray = 0xffff;

  /// The reason for an access that starts in array \p Index and ends behind it.
  BottomReason whyOutside(unsigned Index, uint32_t Offset, uint32_t Size) const;

  BankMap Map;
  std::vector<Array> Arrays; ///< Sorted by address.
  /// A table that makes findArray() constant time: for each piece of RedZone
  /// bytes the index of the array that has bytes in it, or NoArray. A piece
  /// holds at most one array, since RedZone bytes lie between two.
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

/// The model's read_shared: returns the bytes of every active lane, or bottom
/// for the first lane whose access is undefined. Bank conflicts and locks do
/// not change the result.
OrBottom<LaneBytes> readShared(const SharedMemory &Memory,
                               const WarpRequest &Request, SourceRef Where);
/// The model's write_shared. Either all lanes write or, if the access of one is
/// undefined, none does. If several lanes write one address, the highest lane
/// wins. Returns true or bottom.
OrBottom<bool> writeShared(SharedMemory &Memory, const WarpRequest &Request,
                           const LaneBytes &Values, SourceRef Where);

/// The model's GlobalMem, ConstMem and LocalMem: disjoint allocations at device
/// addresses. A local allocation belongs to one thread; the owner of this
/// object knows which.
class DeviceMemory {
public:
  /// The first address that allocate() gives. No address of a host process is
  /// as high, and no address of one of the interpreter's windows
  /// (Simt/Program.h) is as low, so that the three never collide.
  static constexpr PhysMemAddr FirstAddress = PhysMemAddr(1) << 48;

  struct Allocation {
    std::string Name;
    StateSpace Space = StateSpace::Global;
    /// The host cannot write it either: a string literal.
    bool IsFixed = false;
    PhysMemAddr Address = 0;
    uint64_t Size = 0;
    Byte *Data = nullptr; ///< Size bytes.
    /// What the interpreter attaches to each byte (a part of a term, see tagOf
    /// in Simt/Executor.h); empty if no byte has a tag.
    std::vector<uint64_t> Tags;
    /// The range [TouchedBegin, TouchedEnd) of bytes that were accessed,
    /// relative to Address; empty if none was.
    int64_t TouchedBegin = INT64_MAX, TouchedEnd = INT64_MIN;
    /// The greatest alignment, in bytes, that an access needed.
    uint32_t NeededAlignment = 1;
    std::unique_ptr<Byte[]> Owned; ///< Null if Data belongs to somebody else.

    bool contains(PhysMemAddr Where) const { return Where - Address < Size; }
    /// Records that an access needs its address to be a multiple of \p Bytes.
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
  /// Makes \p Size bytes of host memory at \p Data accessible at the device
  /// address that equals the pointer. The caller keeps the ownership of the
  /// bytes. Returns null if they overlap an allocation.
  Allocation *adopt(StateSpace Space, void *Data, uint64_t Size,
                    std::string Name);
  /// Ends the allocation that begins at \p Address; returns false if there is
  /// none. allocate() never gives an address twice, so that a dangling pointer
  /// never points into a later allocation.
  bool release(PhysMemAddr Address);

  /// Returns the allocation that contains \p Address; null if there is none.
  Allocation *find(PhysMemAddr Address) {
    return Last && Last->contains(Address) ? Last : findAnew(Address);
  }
  /// Returns the allocation that begins or ends nearest to \p Address: the one
  /// that an access out of bounds may have meant. Null if there is no
  /// allocation.
  Allocation *findNearest(PhysMemAddr Address);
  /// Returns the name of a released allocation that contained \p Address, and
  /// sets \p Offset to the distance from its start. Null if there was none.
  const std::string *findReleased(PhysMemAddr Address, uint64_t &Offset) const;
  /// Returns why an access is undefined; std::nullopt if it is defined. \p
  /// Found becomes the allocation where it starts, or null. \p Space is the
  /// state space that the instruction names, std::nullopt for a generic
  /// address.
  std::optional<BottomReason> check(std::optional<StateSpace> Space,
                                    PhysMemAddr Address, uint64_t Size,
                                    bool IsWrite, Allocation *&Found);

  /// Returns a second view of the same bytes for another host thread. What
  /// accesses record in an allocation (tags, touched bytes, alignments) is not
  /// shared.
  DeviceMemory share() const;

  std::map<PhysMemAddr, Allocation> &allocations() { return ByAddress; }

private:
  Allocation *findAnew(PhysMemAddr Address);
  /// The reason for an access that starts in \p Start and ends behind it.
  BottomReason whyOutside(const Allocation &Start, PhysMemAddr Address,
                          uint64_t Size);

  /// The memory of a released allocation, for the diagnosis of a use after
  /// free.
  struct Released {
    std::string Name;
    uint64_t Size;
  };

  std::map<PhysMemAddr, Allocation> ByAddress;
  /// The last one at each address.
  std::map<PhysMemAddr, Released> ReleasedByAddress;
  Allocation *Last = nullptr; ///< A cache: the allocation found last is likely
                              ///< to be accessed next.
  PhysMemAddr Next = FirstAddress; ///< The address of the next allocation.
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

/// The model's read_device: returns \p Size bytes, or bottom if some byte of
/// [Address, Address + Size) is not in \p Space.
OrBottom<std::vector<Byte>> readDevice(DeviceMemory &Memory, StateSpace Space,
                                       PhysMemAddr Address, uint64_t Size,
                                       SourceRef Where);
/// The model's write_device: writes \p Value and returns true, or returns
/// bottom; writing .const is always bottom. The bytes written lose their tags.
OrBottom<bool> writeDevice(DeviceMemory &Memory, StateSpace Space,
                           PhysMemAddr Address, const std::vector<Byte> &Value,
                           SourceRef Where);

} // namespace cudaopt

#endif // CUDAOPT_MACHINE_MEMORY_H
