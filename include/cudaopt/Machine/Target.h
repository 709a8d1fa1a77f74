// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What the passes need to know of one GPU architecture.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_MACHINE_TARGET_H
#define CUDAOPT_MACHINE_TARGET_H

#include "cudaopt/Machine/BankMap.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace cudaopt {

/// One row of the table of architectures. Sizes are in bytes.
struct Target {
  std::string_view Name; ///< "sm_90".
  BankMap Shared;
  uint32_t SharedPerBlock;    ///< Static shared memory that a block may use.
  uint32_t SharedPerSM;       ///< Shared memory of a multiprocessor.
  uint32_t SharedReserved;    ///< Bytes of each block that the system takes.
  uint32_t SharedGranularity; ///< A block's bytes are rounded up to this.
  uint32_t ThreadsPerSM;
  uint32_t BlocksPerSM;
};

/// Returns the row named \p Name ("sm_90", "sm_90a" is the same machine), or
/// nothing.
std::optional<Target> findTarget(std::string_view Name);

/// Returns how many blocks of \p Threads threads, of \p Registers registers
/// each, and \p SharedBytes bytes fit on one multiprocessor; 0 if not even one
/// does. Registers of 0 are left aside.
unsigned blocksPerSM(const Target &T, uint32_t Threads, uint32_t SharedBytes,
                     uint32_t Registers = 0);

/// Returns the most bytes of shared memory that a block may have if \p Blocks
/// are to fit on one multiprocessor; 0 if they cannot.
uint32_t mostSharedBytes(const Target &T, unsigned Blocks);

/// Returns the bytes that a multiprocessor sets aside as shared memory to hold
/// \p Blocks blocks of \p SharedBytes bytes: the least of its carve-outs that
/// serves. What it does not set aside is L1 cache.
uint32_t carveOutFor(const Target &T, unsigned Blocks, uint32_t SharedBytes);

} // namespace cudaopt

#endif // CUDAOPT_MACHINE_TARGET_H
