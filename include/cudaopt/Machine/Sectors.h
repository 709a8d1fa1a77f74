// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The cost of one warp request to global memory, in sectors: aligned pieces of
/// 32 bytes, which the caches and the memory deliver as a whole. The rule was
/// measured on an H200 (sm_90; l1tex__t_sectors_pipe_lsu_mem_global_op_*):
/// loads and stores of 1 to 16 bytes a lane take the different sectors that the
/// active lanes touch, in all of 310 single-warp patterns; test/Unit/Machine
/// replays them.
///
/// \verbatim
///   32 lanes load a[lane], 4 bytes each        4 sectors: all bytes are used
///   32 lanes load a[8 * lane]                 32: one sector for each lane
///   32 lanes load a[0]                         1
///   32 lanes add to a[0]                      32: equal addresses take turns
/// \endverbatim
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_MACHINE_SECTORS_H
#define CUDAOPT_MACHINE_SECTORS_H

#include "cudaopt/Machine/BankMap.h"

#include <string_view>

namespace cudaopt {

inline constexpr unsigned SectorSize = 32; ///< In bytes.

/// One instruction of one warp: where each active lane accesses global memory.
/// The addresses of inactive lanes are ignored.
struct GlobalRequest {
  bool IsAtomic = false;
  uint32_t Width = 4;       ///< Bytes per lane: 1, 2, 4, 8 or 16.
  uint32_t ActiveLanes = 0; ///< Bit l is set if lane l is active.
  /// In bytes; multiples of Width.
  std::array<uint64_t, WarpSize> Addresses = {};
};

/// Returns the sectors that \p Request takes; 0 if no lane is active. Atomic
/// operations take each sector as often as the address in it that most lanes
/// have. (That was measured for addresses that are all equal, or all
/// different.)
unsigned countSectors(const GlobalRequest &Request);

/// Returns a lower bound of that for any places of the same different bytes: as
/// many sectors as these fill.
unsigned boundSectors(const GlobalRequest &Request);

/// How the addresses of neighbouring lanes lie.
enum class LaneOrder {
  Same,     ///< All lanes have one address.
  Groups,   ///< Most lanes have the address of the one before.
  Adjacent, ///< Without gaps, all lanes of the warp.
  Rows,     ///< Without gaps but for some: several short rows.
  Partial,  ///< Without gaps, but not all lanes take part.
  Gaps,     ///< At equal distances, less than 128 bytes: members of structs.
  Far,      ///< At equal distances, 128 bytes or more: rows.
  Scattered ///< At no distance that most of them share.
};

/// Returns "same", "groups", "adjacent", "rows", "partial", "gaps", "far" or
/// "scattered".
std::string_view nameOf(LaneOrder Order);

/// The order of the lanes of a request, and the distance of neighbouring lanes
/// in bytes; 0 for Same and Scattered.
struct LaneDistance {
  LaneOrder Order = LaneOrder::Same;
  int64_t Bytes = 0;
};

/// Returns the distance, a lane, of at least three in four pairs of active
/// lanes that follow each other.
LaneDistance findDistance(const GlobalRequest &Request);

} // namespace cudaopt

#endif // CUDAOPT_MACHINE_SECTORS_H
