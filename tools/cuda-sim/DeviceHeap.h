// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Memory that a program asks the CUDA runtime for.
//===----------------------------------------------------------------------===//

#ifndef CUDASIM_DEVICEHEAP_H
#define CUDASIM_DEVICEHEAP_H

#include "cudaopt/Machine/Memory.h"

#include "llvm/Support/Error.h"
#include <cstdint>
#include <map>
#include <memory>

namespace cudaopt::cudasim {

/// Where an allocation comes from: only its own function frees it.
enum class MemoryOrigin { Device, Managed, Pinned, Registered, Variable };

class DeviceHeap {
public:
  explicit DeviceHeap(DeviceMemory &Memory);

  /// Bytes that all allocations on the device may have together.
  uint64_t total() const { return Total; }
  uint64_t available() const { return Total - Used; }

  /// Both return null if there is not that much memory. Memory of the host has
  /// one address for both sides.
  void *allocateOnDevice(uint64_t Size, llvm::StringRef Function);
  void *allocateOnHost(MemoryOrigin Origin, uint64_t Size,
                       llvm::StringRef Function);
  /// Makes the host's own memory accessible. Returns false if some of it is.
  bool registerHost(MemoryOrigin Origin, void *Data, uint64_t Size,
                    llvm::StringRef Name);
  /// Returns false if no allocation of \p Origin begins at \p Pointer.
  bool release(MemoryOrigin Origin, void *Pointer);
  /// Frees what the program allocated on the device and manages.
  void releaseAll();

  /// Where the allocation of \p Pointer comes from; null if the device has no
  /// allocation there.
  const MemoryOrigin *originOf(const void *Pointer);

  /// Returns where \p Size bytes at \p Pointer are, which may be the host's if
  /// \p MayBeHost. An error says what is wrong with them.
  llvm::Expected<Byte *> locate(const void *Pointer, uint64_t Size,
                                bool MayBeHost);

private:
  struct FreeHost {
    void operator()(Byte *Base) const;
  };
  struct Block {
    MemoryOrigin Origin;
    uint64_t Size;
    std::unique_ptr<Byte, FreeHost>
        Storage; ///< Of the host; null if elsewhere.
  };

  std::string nameNext(llvm::StringRef Function);
  void forget(std::map<uint64_t, Block>::iterator Found);

  DeviceMemory &Memory;
  std::map<uint64_t, Block> Blocks; ///< By address.
  uint64_t Total, Used = 0;
  unsigned NumAllocations = 0;
};

} // namespace cudaopt::cudasim

#endif // CUDASIM_DEVICEHEAP_H
