// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The memory that a program allocates through the CUDA runtime.
//===----------------------------------------------------------------------===//

#ifndef CUDASIM_DEVICEHEAP_H
#define CUDASIM_DEVICEHEAP_H

#include "cudaopt/Machine/Memory.h"

#include "llvm/Support/Error.h"
#include <cstdint>
#include <map>
#include <memory>

namespace cudaopt::cudasim {

/// The function that made an allocation; only its counterpart frees it.
enum class MemoryOrigin { Device, Managed, Pinned, Registered, Variable };

/// Keeps track of the allocations in a DeviceMemory.
class DeviceHeap {
public:
  explicit DeviceHeap(DeviceMemory &Memory);

  /// Returns the number of bytes that all allocations may have together.
  uint64_t total() const { return Total; }
  uint64_t available() const { return Total - Used; }

  /// Both return null if there is not enough memory. Memory of the host has the
  /// same address on both sides.
  void *allocateOnDevice(uint64_t Size, llvm::StringRef Function);
  void *allocateOnHost(MemoryOrigin Origin, uint64_t Size,
                       llvm::StringRef Function);
  /// Makes memory of the program itself accessible to kernels. Returns false if
  /// a part of it already is.
  bool registerHost(MemoryOrigin Origin, void *Data, uint64_t Size,
                    llvm::StringRef Name);
  /// Frees an allocation. Returns false if no allocation of \p Origin begins at
  /// \p Pointer.
  bool release(MemoryOrigin Origin, void *Pointer);
  /// Frees everything that the program allocated, as cudaDeviceReset does.
  void releaseAll();

  /// Returns the origin of the allocation that contains \p Pointer; null if
  /// there is none.
  const MemoryOrigin *originOf(const void *Pointer);

  /// Returns the host address of \p Size bytes at \p Pointer. They may be
  /// ordinary host memory if \p MayBeHost. An error says what is wrong with
  /// them.
  llvm::Expected<Byte *> locate(const void *Pointer, uint64_t Size,
                                bool MayBeHost);

private:
  struct FreeHost {
    void operator()(Byte *Base) const;
  };
  struct Block {
    MemoryOrigin Origin;
    uint64_t Size;
    /// Owned host memory; null if the memory is elsewhere.
    std::unique_ptr<Byte, FreeHost> Storage;
  };

  std::string nameNext(llvm::StringRef Function);
  void forget(std::map<uint64_t, Block>::iterator Found);

  DeviceMemory &Memory;
  std::map<uint64_t, Block> Blocks; ///< The allocations, by address.
  uint64_t Total, Used = 0;
  unsigned NumAllocations = 0;
};

} // namespace cudaopt::cudasim

#endif // CUDASIM_DEVICEHEAP_H
