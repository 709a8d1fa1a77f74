// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The resources of one GPU architecture that decide how many blocks are
/// resident on a multiprocessor (the occupancy), and its banks of shared
/// memory.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_MACHINE_TARGET_H
#define CUDAOPT_MACHINE_TARGET_H

#include "cudaopt/Machine/BankMap.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace cudaopt {

struct Gpu;

/// The registers of a multiprocessor, and the most that a thread can have: the
/// same on all architectures of the table.
inline constexpr unsigned RegistersPerSM = 64 << 10, RegistersPerThread = 255;

/// One row of the table of architectures. Sizes are in bytes.
struct Target {
  std::string_view Name; ///< For example "sm_90".
  BankMap Shared;
  /// The most static shared memory that a block may use.
  uint32_t SharedPerBlock;
  uint32_t SharedPerSM;    ///< The shared memory of one multiprocessor.
  uint32_t SharedReserved; ///< What the system takes for itself in each block.
  uint32_t SharedGranularity; ///< The unit to which a block's shared memory is
                              ///< rounded up.
  uint32_t ThreadsPerSM;      ///< The most resident threads.
  uint32_t BlocksPerSM;       ///< The most resident blocks.
  /// How fast the GPU works for which times are predicted; it must outlive the
  /// target. Null if no time is predicted.
  const Gpu *Speed = nullptr;
};

/// Returns the row of the architecture \p Name, with the speed of the GPU that
/// stands for it (gpuOf); std::nullopt if it is unknown.
/// A suffix "a" or "f" names features of the instruction set and is ignored:
/// "sm_90a" is the row of "sm_90".
std::optional<Target> findTarget(std::string_view Name);

/// Returns the occupancy in blocks: how many blocks of \p Threads threads, with
/// \p Registers registers per thread and \p SharedBytes bytes of shared memory,
/// are resident on one multiprocessor. Returns 0 if not even one fits. \p
/// Registers of 0 means that registers are unknown and set no limit.
unsigned blocksPerSM(const Target &T, uint32_t Threads, uint32_t SharedBytes,
                     uint32_t Registers = 0);

/// Returns the most bytes of shared memory that a block may use so that \p
/// Blocks blocks fit on one multiprocessor; 0 if they cannot fit. The inverse
/// of blocksPerSM for shared memory alone.
uint32_t mostSharedBytes(const Target &T, unsigned Blocks);

/// Returns the bytes that a multiprocessor sets aside as shared memory to hold
/// \p Blocks blocks of \p SharedBytes bytes: the least carve-out of the
/// architecture that suffices. The rest of the unified memory is L1 cache.
uint32_t carveOutFor(const Target &T, unsigned Blocks, uint32_t SharedBytes);

} // namespace cudaopt

#endif // CUDAOPT_MACHINE_TARGET_H
