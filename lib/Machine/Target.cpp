// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The table of architectures: the CUDA C++ Programming Guide, "Technical
/// Specifications per Compute Capability", and the toolkit's cuda_occupancy.h.
//===----------------------------------------------------------------------===//

#include "cudaopt/Machine/Target.h"

#include "cudaopt/Machine/Gpu.h"

#include <algorithm>

namespace cudaopt {

static constexpr uint32_t K = 1024;
static constexpr BankMap Banks4 = {32, 4};
static constexpr BankMap Banks8 = {32, 8};

// Kepler (sm_35) is listed in its 8-byte mode, as it is used in "Experimental
// evaluation of memory optimizations on an embedded GPU platform".
static constexpr Target Targets[] = {
    // Name, banks, per block, per SM, reserved, granularity, threads, blocks
    {"sm_35", Banks8, 48 * K, 48 * K, 0, 256, 2048, 16},
    {"sm_75", Banks4, 48 * K, 64 * K, 0, 256, 1024, 16},
    {"sm_80", Banks4, 48 * K, 164 * K, K, 128, 2048, 32},
    {"sm_86", Banks4, 48 * K, 100 * K, K, 128, 1536, 16},
    {"sm_87", Banks4, 48 * K, 164 * K, K, 128, 1536, 16},
    {"sm_88", Banks4, 48 * K, 100 * K, K, 128, 1536, 16},
    {"sm_89", Banks4, 48 * K, 100 * K, K, 128, 1536, 24},
    {"sm_90", Banks4, 48 * K, 228 * K, K, 128, 2048, 32},
    {"sm_100", Banks4, 48 * K, 228 * K, K, 128, 2048, 32},
    {"sm_103", Banks4, 48 * K, 228 * K, K, 128, 2048, 32},
    {"sm_110", Banks4, 48 * K, 228 * K, K, 128, 1536, 24},
    {"sm_120", Banks4, 48 * K, 100 * K, K, 128, 1536, 24},
    {"sm_121", Banks4, 48 * K, 100 * K, K, 128, 1536, 24},
};

std::optional<Target> findTarget(std::string_view Name) {
  // sm_90a and sm_120f name features of the instruction set; the memory is the
  // same.
  if (Name.ends_with('a') || Name.ends_with('f'))
    Name.remove_suffix(1);
  const Target *Found = std::ranges::find(Targets, Name, &Target::Name);
  if (Found == std::end(Targets))
    return std::nullopt;
  Target Result = *Found;
  Result.Speed = &gpuOf(Found->Name);
  return Result;
}

/// Returns the shared memory that a resident block occupies: what it asks for
/// and what the system adds, rounded up to whole allocation units.
static uint32_t takenByBlock(const Target &T, uint32_t SharedBytes) {
  return (SharedBytes + T.SharedReserved + T.SharedGranularity - 1) /
         T.SharedGranularity * T.SharedGranularity;
}

unsigned blocksPerSM(const Target &T, uint32_t Threads, uint32_t SharedBytes,
                     uint32_t Registers) {
  constexpr uint32_t MaxThreadsPerBlock = 1024;
  // These are equal on all architectures of the table: each of the four
  // register files of a multiprocessor serves its own warps, and a warp takes
  // its registers in units of 256.
  constexpr uint32_t RegisterUnit = 256, Files = 4;
  constexpr uint32_t RegistersPerFile = RegistersPerSM / Files;
  if (Threads == 0 || Threads > MaxThreadsPerBlock)
    return 0;

  // A block takes whole warps.
  uint32_t BlockThreads = (Threads + WarpSize - 1) / WarpSize * WarpSize;
  uint32_t Bytes = takenByBlock(T, SharedBytes);
  uint32_t Blocks = std::min(T.BlocksPerSM, T.ThreadsPerSM / BlockThreads);
  if (Registers) {
    uint32_t PerWarp =
        (Registers * WarpSize + RegisterUnit - 1) / RegisterUnit * RegisterUnit;
    uint32_t Warps = RegistersPerFile / PerWarp * Files;
    Blocks = std::min(Blocks, Warps / (BlockThreads / WarpSize));
  }
  if (Bytes == 0)
    return Blocks;
  return std::min(Blocks, T.SharedPerSM / Bytes);
}

uint32_t mostSharedBytes(const Target &T, unsigned Blocks) {
  if (Blocks == 0 || Blocks > T.BlocksPerSM)
    return 0;
  uint32_t Each =
      T.SharedPerSM / Blocks / T.SharedGranularity * T.SharedGranularity;
  return Each > T.SharedReserved ? Each - T.SharedReserved : 0;
}

uint32_t carveOutFor(const Target &T, unsigned Blocks, uint32_t SharedBytes) {
  // The carve-outs in kilobytes, from cuda_occupancy.h
  // (cudaOccSMemPreferenceOrder and its callers); those above the size of the
  // multiprocessor's memory do not exist.
  static constexpr uint32_t Sizes[] = {0, 8, 16, 32, 64, 100, 132, 164, 196};
  const bool HasTwo = T.SharedPerSM == 64 * K; // sm_75: 32 or 64
  const uint64_t Needed = uint64_t(Blocks) * takenByBlock(T, SharedBytes);
  for (uint32_t Size : Sizes)
    if (Size * K >= Needed && Size * K < T.SharedPerSM &&
        !(HasTwo && Size < 32))
      return Size * K;
  return T.SharedPerSM;
}

} // namespace cudaopt
