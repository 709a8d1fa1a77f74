// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What a block of a kernel executes, by the resource of a multiprocessor that
/// serves it. Numbers are per block and of whole warps: an instruction counts
/// once, however many of the 32 lanes are active.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_MACHINE_KERNELWORK_H
#define CUDAOPT_MACHINE_KERNELWORK_H

#include <string>
#include <vector>

#include "cudaopt/Machine/Sectors.h"

namespace cudaopt {

/// The instructions that a warp executes, by pipe.
struct InstructionMix {
  double Issued = 0;  ///< All of them: issue slots.
  double Float = 0;   ///< 32-bit floating point, and products of integers.
  double Integer = 0; ///< Other arithmetic on integers, and comparisons.
  double Double = 0;  ///< 64-bit floating point.
  double Special = 0; ///< Reciprocals, roots, transcendentals, conversions.

  void add(const InstructionMix &Other, double Times) {
    Issued += Other.Issued * Times;
    Float += Other.Float * Times;
    Integer += Other.Integer * Times;
    Double += Other.Double * Times;
    Special += Other.Special * Times;
  }
};

/// The requests of a block to global memory that one place in the source makes.
struct GlobalAccess {
  enum Kind { Load, Store, Atomic } What = Load;
  std::string File;              ///< The last component of the file's name.
  unsigned Line = 0, Column = 0; ///< Counted from 1.
  double Requests = 0;
  double Sectors = 0; ///< Of 32 bytes, summed over the requests.
  double Least = 0;   ///< What their different bytes fill.
  /// How the lanes of the request lie that has most sectors beyond its least,
  /// and how many these are.
  LaneDistance Lanes;
  double Excess = 0;
};

/// The work of a block.
struct KernelWork {
  InstructionMix Instructions;
  double SharedRequests = 0, SharedWavefronts = 0;
  double GlobalRequests = 0;
  /// The lines of 128 bytes that the requests touch, each request for itself.
  double GlobalLines = 0;
  /// The sectors of 32 bytes that they touch, each request for itself.
  double RequestedSectors = 0;
  /// The different sectors that the block touches; other blocks share some.
  double BlockSectors = 0;
  /// Those of BlockSectors that no neighbouring block touches.
  double OwnSectors = 0;
  double Barriers = 0;
  /// By place; without requests whose addresses are not known.
  std::vector<GlobalAccess> GlobalAccesses;
  /// False if loops or addresses depend on what is not known, so that numbers
  /// are a guess: arguments of a launch, the contents of memory.
  bool IsExact = true;
};

} // namespace cudaopt

#endif // CUDAOPT_MACHINE_KERNELWORK_H
