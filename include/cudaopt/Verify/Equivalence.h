// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Compares two programs on the interpreter: first on terms, which proves
/// equality for all data of a launch, then, if data decide the control flow or
/// an address, on numbers. Shares nothing with the passes.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_VERIFY_EQUIVALENCE_H
#define CUDAOPT_VERIFY_EQUIVALENCE_H

#include "cudaopt/Simt/Executor.h"
#include "cudaopt/Simt/Lower.h"

#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace cudaopt {

/// A launch of which only the shape is known. The arguments are made up:
/// pointers get buffers of their own, as large as a dry run of the original
/// touches, integers values at the edges of warps, blocks and the grid,
/// floating-point numbers symbols.
struct LaunchShape {
  /// Threads of a block, and dynamic shared memory, where nothing tells them.
  static constexpr uint32_t LikelyThreads = 256, LikelyDynamicBytes = 48 * 1024;

  std::array<uint32_t, 3> Grid = {}, Block = {}; ///< Grid 0: not known.
  uint32_t DynamicShared = 0;
  bool IsAssumed = false; ///< The block is a guess: no launch tells it.
  bool IsGridAssumed = false, IsDynamicAssumed = false; ///< Likewise.

  /// Guesses a block of at most \p MaxThreads threads.
  void assumeBlock(uint32_t MaxThreads) {
    IsAssumed = true;
    Block = {std::min(MaxThreads, LikelyThreads), 1, 1};
  }
};

/// From good to bad.
enum class VerdictKind {
  ProvedEqual, ///< For all data, at the launches tried. Never of a kernel
               ///< with operations that are modelled in one way of several:
               ///< fences, scopes, volatile, %smid and its like.
  EqualOn,     ///< For the inputs and orders tried.
  Unsupported, ///< The interpreter does not model the kernel.
  OriginalIsBroken, ///< The original has defects: nothing can be compared.
  Different,        ///< The rewritten kernel is wrong.
};
llvm::StringRef nameOf(VerdictKind Kind); ///< "ProvedEqual", ...

struct Verdict {
  VerdictKind Kind = VerdictKind::Unsupported;
  /// One line for the user: the launches of a proof, the number of inputs, the
  /// first difference with both values, the first finding, what is not
  /// modelled.
  std::string Detail;
  unsigned NumLaunches = 0; ///< Shapes times arguments.
  /// Of the first launch: shared memory's cost on both sides.
  simt::AccessCost Before, After;
};

struct EquivalenceOptions {
  /// Limit of one run. A launch of more blocks than fit runs a sample: the
  /// first, the last, and some between.
  uint64_t MaxWarpInstructions = 20'000'000;
  unsigned NumInputs = 3;    ///< Of numbers, where terms do not decide.
  unsigned NumSchedules = 2; ///< Orders of warps for each of them.
  bool CheckRaces = true;
  bool CheckGlobalRaces = false; ///< Of no use to a comparison.
};

/// Compares kernel \p Name of two images, each with its memory, at every shape.
/// The verdict is that of the worst launch.
Verdict compareKernels(simt::DeviceImage &Original,
                       DeviceMemory &OriginalMemory,
                       simt::DeviceImage &Rewritten,
                       DeviceMemory &RewrittenMemory, llvm::StringRef Name,
                       llvm::ArrayRef<LaunchShape> Shapes,
                       const EquivalenceOptions &Options = {});

/// What runs of a kernel by itself show.
struct KernelCheck {
  /// ProvedEqual: it has no defect, for all data, at the launches tried;
  /// EqualOn: nor for the inputs tried; OriginalIsBroken; Unsupported.
  VerdictKind Kind = VerdictKind::Unsupported;
  /// The launches; of an Unsupported kernel why.
  std::string Detail;
  simt::Observations Seen; ///< The findings, each once.
  /// Why it is EqualOn although no data decide: an operation that is modelled
  /// in one way of several, and its place; or empty.
  std::string Unmodelled;
  /// The first finding with integers that perhaps nobody passes, and these.
  std::string Doubt;
};

/// Runs kernel \p Name at every shape with arguments of our making.
KernelCheck checkKernel(simt::DeviceImage &Image, DeviceMemory &Memory,
                        llvm::StringRef Name,
                        llvm::ArrayRef<LaunchShape> Shapes,
                        const EquivalenceOptions &Options = {});

} // namespace cudaopt

#endif // CUDAOPT_VERIFY_EQUIVALENCE_H
