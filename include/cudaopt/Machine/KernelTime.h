// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// A model of the time of a kernel: from the work of a block and the blocks on
/// a multiprocessor to cycles, and to what limits them. The resources of a
/// multiprocessor work at the same time, so that the busiest one decides, but
/// not quite alone; few warps leave all of them idle for a part of the time:
///
///   cycles = (issue^3 + shared^3 + math^3 + memory^3)^(1/3)
///            * (1 + 2 / warps of a scheduler)
///
/// The idea is that of Hong and Kim ("An analytical model for a GPU
/// architecture with memory-level and thread-level parallelism awareness",
/// 2009); the two constants were fitted to 73 pairs of kernels on an H200.
///
/// \verbatim
///   KernelTime Time = predictTime(Work, {/*WarpsOfBlock=*/8, 4}, *T.Speed);
///   Time.Cycles                       // of a block, on average
///   nameOf(Time.limiter())            // "shared memory"
/// \endverbatim
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_MACHINE_KERNELTIME_H
#define CUDAOPT_MACHINE_KERNELTIME_H

#include "cudaopt/Machine/Gpu.h"
#include "cudaopt/Machine/KernelWork.h"

#include <array>
#include <string>
#include <string_view>

namespace cudaopt {

/// The resources of a multiprocessor that a kernel may wait for.
enum class Resource {
  Issue,  ///< The schedulers: four instructions a cycle.
  Shared, ///< The pipe of loads and stores: one wavefront a cycle.
  Math,   ///< The pipes of arithmetic.
  Memory, ///< The share of the device's memory, or of its cache.
  Latency ///< None of them: too few warps to hide what each waits for.
};
inline constexpr unsigned NumResources = 5;

/// Returns what reports call the resource: "issue slots", "shared memory", ...
std::string_view nameOf(Resource R);

/// The occupancy of a multiprocessor.
struct Occupancy {
  unsigned WarpsOfBlock; ///< The warps of a block.
  /// The blocks on a multiprocessor. If registers are not known, as many as the
  /// other resources allow.
  unsigned Blocks;

  unsigned warps() const { return WarpsOfBlock * Blocks; }
};

/// The predicted time of a block: the cycles of a multiprocessor, divided by
/// the blocks that it works on at a time.
struct KernelTime {
  double Cycles = 0;
  /// The cycles for which each resource is busy; for Latency those for which
  /// none is.
  std::array<double, NumResources> Busy = {};

  /// Returns the resource that decides.
  Resource limiter() const;
  /// Returns the part of the time for which \p R is busy: 0 to 1.
  double share(Resource R) const {
    return Cycles > 0 ? Busy[unsigned(R)] / Cycles : 0;
  }
};

/// Returns both as texts for tests and developers.
std::string text(const KernelWork &Work);
std::string text(const KernelTime &Time);

/// Predicts the time of blocks with the work \p Work on \p Speed.
KernelTime predictTime(const KernelWork &Work, const Occupancy &Resident,
                       const Gpu &Speed);

} // namespace cudaopt

#endif // CUDAOPT_MACHINE_KERNELTIME_H
