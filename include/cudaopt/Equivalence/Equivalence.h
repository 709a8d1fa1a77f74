// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Translation validation: compares an original kernel with its rewritten form
/// on the interpreter (Simt/Executor.h). First both run on terms, that is with
/// symbols as data: equal terms prove equality for all data of that launch. If
/// data decide the control flow or an address, both run on numbers instead,
/// which tests equality only. The comparison shares no code with the passes
/// that it checks.
///
/// Example: `s[i] * 2` becomes `2 * t[i ^ 1]` with the stores to t permuted
/// alike. Both sides leave the term mul(in0[...], 2) in the same bytes:
/// ProvedEqual. If one store is forgotten, a byte of the result differs:
/// Different, with the byte and both values.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_EQUIVALENCE_EQUIVALENCE_H
#define CUDAOPT_EQUIVALENCE_EQUIVALENCE_H

#include "cudaopt/Simt/Executor.h"
#include "cudaopt/Simt/Lower.h"

#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace cudaopt {

/// A launch of which only the shape is known. The arguments are made up: each
/// pointer gets a buffer of its own, as large as a dry run of the original
/// touches; integers get values at the edges of warps, blocks and the grid;
/// floating-point numbers are symbols.
struct LaunchShape {
  /// The threads of a block and the bytes of dynamic shared memory that are
  /// assumed where no launch tells them.
  static constexpr uint32_t LikelyThreads = 256, LikelyDynamicBytes = 48 * 1024;

  /// The extents of the grid in blocks, and of a block in threads; 0 in Grid
  /// means unknown.
  std::array<uint32_t, 3> Grid = {}, Block = {};
  uint32_t DynamicShared = 0;
  /// The block is a guess, since no launch tells it.
  bool IsAssumed = false;
  /// The same for the grid and for the dynamic shared memory.
  bool IsGridAssumed = false, IsDynamicAssumed = false;

  /// Guesses a block of LikelyThreads threads, or of \p MaxThreads if that is
  /// less.
  void assumeBlock(uint32_t MaxThreads) {
    IsAssumed = true;
    Block = {std::min(MaxThreads, LikelyThreads), 1, 1};
  }
};

/// The outcome of a comparison, from good to bad: of several launches the
/// greatest kind counts.
enum class VerdictKind {
  /// Equal for all data, at the launches tried. Never the verdict for a kernel
  /// with operations of whose several behaviours the interpreter models one:
  /// fences, scopes, volatile, %smid and the like (Unmodelled.h).
  ProvedEqual,
  /// Equal for the inputs and the orders of warps tried.
  EqualOn,
  /// The interpreter does not model the kernel.
  Unsupported,
  /// The original has defects, so that nothing can be compared.
  OriginalIsBroken,
  /// The rewritten kernel is wrong.
  Different,
};
/// Returns the name of the enumerator: "ProvedEqual", ...
llvm::StringRef nameOf(VerdictKind Kind);

struct Verdict {
  VerdictKind Kind = VerdictKind::Unsupported;
  /// One line for the user. Depending on Kind: the launches of a proof, the
  /// number of inputs, the first difference with both values, the first
  /// finding, or what is not modelled.
  std::string Detail;
  /// The number of launches compared: shapes times arguments.
  unsigned NumLaunches = 0;
  /// The cost of shared memory on both sides, at the first launch.
  simt::AccessCost Before, After;
};

struct EquivalenceOptions {
  /// The limit of one run in warp instructions. A launch with more blocks than
  /// fit runs a sample of them: the first, the last, and some between.
  uint64_t MaxWarpInstructions = 20'000'000;
  /// The number of random inputs, where terms do not decide.
  unsigned NumInputs = 3;
  /// The number of orders of warps for each input.
  unsigned NumSchedules = 2;
  bool CheckRaces = true;
  /// For checkKernel(); a comparison does not need it.
  bool CheckGlobalRaces = false;
};

/// Compares kernel \p Name of two images, each with its own memory, at every
/// shape, with several arguments each. Returns the verdict of the worst launch.
/// What the runs write to the variables of the modules is undone at the end.
Verdict compareKernels(simt::DeviceImage &Original,
                       DeviceMemory &OriginalMemory,
                       simt::DeviceImage &Rewritten,
                       DeviceMemory &RewrittenMemory, llvm::StringRef Name,
                       llvm::ArrayRef<LaunchShape> Shapes,
                       const EquivalenceOptions &Options = {});

/// What running a kernel alone, without a counterpart, shows.
struct KernelCheck {
  /// ProvedEqual: the kernel has no defect, for all data, at the launches
  /// tried. EqualOn: it has none for the inputs tried. OriginalIsBroken: it has
  /// defects. Unsupported: it could not be run. Never Different.
  VerdictKind Kind = VerdictKind::Unsupported;
  /// The launches; if the kernel is Unsupported, the reason.
  std::string Detail;
  simt::Observations Seen; ///< The findings of all launches, each once.
  /// Why Kind is EqualOn although no data decide: an operation of whose several
  /// behaviours the interpreter models one, with its position. Empty if there
  /// is none.
  std::string Unmodelled;
  /// A finding that may not count, since it appeared only with integers that
  /// perhaps no caller passes, and these integers: the first such. Empty if
  /// there is none.
  std::string Doubt;
};

/// Runs kernel \p Name at every shape with made-up arguments, and reports the
/// defects that the runs show.
KernelCheck checkKernel(simt::DeviceImage &Image, DeviceMemory &Memory,
                        llvm::StringRef Name,
                        llvm::ArrayRef<LaunchShape> Shapes,
                        const EquivalenceOptions &Options = {});

} // namespace cudaopt

#endif // CUDAOPT_EQUIVALENCE_EQUIVALENCE_H
