// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Allocates memory and resolves addresses.
//===----------------------------------------------------------------------===//

#include "DeviceHeap.h"

#include <algorithm>
#include <new>
#include <unistd.h>

using namespace cudaopt;
using namespace cudaopt::cudasim;
using namespace llvm;

/// Bytes before and behind host memory that nobody may access, so that an
/// overrun does not hit another allocation unnoticed.
static constexpr uint64_t Margin = 256;
static constexpr std::align_val_t HostAlignment{256};

/// Returns the size of the device's memory: 16 GiB, but at most half of the
/// host's memory, which has to hold it.
static uint64_t chooseTotal() {
  constexpr uint64_t Most = uint64_t(16) << 30;
  uint64_t Pages = sysconf(_SC_PHYS_PAGES);
  return std::min<uint64_t>(Most, Pages * sysconf(_SC_PAGESIZE) / 2);
}

static uint64_t addressOf(const void *Pointer) {
  return reinterpret_cast<uint64_t>(Pointer);
}

void DeviceHeap::FreeHost::operator()(Byte *Base) const {
  ::operator delete(Base, HostAlignment);
}

DeviceHeap::DeviceHeap(DeviceMemory &Memory)
    : Memory(Memory), Total(chooseTotal()) {}

std::string DeviceHeap::nameNext(StringRef Function) {
  return (Function + " #" + Twine(++NumAllocations)).str();
}

void *DeviceHeap::allocateOnDevice(uint64_t Size, StringRef Function) {
  if (Size > available())
    return nullptr;
  try {
    DeviceMemory::Allocation &A =
        Memory.allocate(StateSpace::Global, Size, nameNext(Function));
    Blocks.insert_or_assign(A.Address,
                            Block{MemoryOrigin::Device, Size, nullptr});
    Used += Size;
    return reinterpret_cast<void *>(A.Address);
  } catch (const std::bad_alloc &) {
    return nullptr;
  }
}

/// The memory is zeroed and surrounded by margins.
void *DeviceHeap::allocateOnHost(MemoryOrigin Origin, uint64_t Size,
                                 StringRef Function) {
  if (Size > available())
    return nullptr;
  auto *Base = static_cast<Byte *>(
      ::operator new(Size + 2 * Margin, HostAlignment, std::nothrow));
  if (!Base)
    return nullptr;
  Byte *Data = Base + Margin;
  std::fill_n(Data, Size, 0);
  if (!Memory.adopt(StateSpace::Global, Data, Size, nameNext(Function))) {
    FreeHost()(Base);
    return nullptr;
  }
  Block &B = Blocks[addressOf(Data)];
  B = {Origin, Size, nullptr};
  B.Storage.reset(Base);
  Used += Size;
  return Data;
}

bool DeviceHeap::registerHost(MemoryOrigin Origin, void *Data, uint64_t Size,
                              StringRef Name) {
  if (!Memory.adopt(StateSpace::Global, Data, Size, Name.str()))
    return false;
  Blocks.insert_or_assign(addressOf(Data), Block{Origin, 0, nullptr});
  return true;
}

void DeviceHeap::forget(std::map<uint64_t, Block>::iterator Found) {
  Memory.release(Found->first);
  Used -= Found->second.Size;
  Blocks.erase(Found);
}

bool DeviceHeap::release(MemoryOrigin Origin, void *Pointer) {
  auto Found = Blocks.find(addressOf(Pointer));
  if (Found == Blocks.end() || Found->second.Origin != Origin)
    return false;
  forget(Found);
  return true;
}

void DeviceHeap::releaseAll() {
  for (auto I = Blocks.begin(); I != Blocks.end();) {
    auto Current = I++;
    if (Current->second.Origin != MemoryOrigin::Variable)
      forget(Current);
  }
}

/// An allocation that this heap has not made is a variable of the device.
const MemoryOrigin *DeviceHeap::originOf(const void *Pointer) {
  DeviceMemory::Allocation *A = Memory.find(addressOf(Pointer));
  if (!A)
    return nullptr;
  static constexpr MemoryOrigin Variable = MemoryOrigin::Variable;
  auto Found = Blocks.find(A->Address);
  return Found == Blocks.end() ? &Variable : &Found->second.Origin;
}

/// Addresses from FirstAddress on belong to the device; below that, an address
/// that is in no allocation is ordinary host memory.
Expected<Byte *> DeviceHeap::locate(const void *Pointer, uint64_t Size,
                                    bool MayBeHost) {
  uint64_t Address = addressOf(Pointer);
  DeviceMemory::Allocation *A = Memory.find(Address);
  if (!A) {
    if (!Pointer)
      return createStringError("is null");
    if (Address >= DeviceMemory::FirstAddress)
      return createStringError("is in no allocation of the device");
    if (!MayBeHost)
      return createStringError("is memory of the host");
    return static_cast<Byte *>(const_cast<void *>(Pointer));
  }
  uint64_t Offset = Address - A->Address;
  if (Size > A->Size - Offset)
    return createStringError("has " + Twine(A->Size - Offset) +
                             " bytes up to the end of " + A->Name + ", not " +
                             Twine(Size));
  return A->Data + Offset;
}
