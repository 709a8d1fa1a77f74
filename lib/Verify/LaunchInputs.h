// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Makes up arguments for a launch of which only the shape is known: integers
/// at the edges of the launch, buffers as large as dry runs touch.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_VERIFY_LAUNCHINPUTS_H
#define CUDAOPT_LIB_VERIFY_LAUNCHINPUTS_H

#include "cudaopt/Verify/Equivalence.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cudaopt {

/// A scalar that a launch passes: a parameter, or a field of one.
struct ScalarSlot {
  unsigned Parameter = 0;
  uint32_t Offset = 0, Size = 0; ///< Bytes, in the parameter.
  bool IsPointer = false, IsFloat = false;
  bool IsField = false; ///< Of a struct: terms cannot stand for it.
  std::string Name;
  /// Of a pointer: the narrowest element that the program accesses through it,
  /// and whether it is a floating-point number; nothing if that cannot be told.
  uint32_t ElementSize = 4;
  std::optional<bool> PointsToFloat;
};

/// The slots of \p P, in order.
std::vector<ScalarSlot> findScalars(const simt::Program &P);

/// A launch with its arguments.
struct LaunchInput {
  LaunchShape Shape; ///< The grid is known.
  /// Linear numbers of the blocks that run; empty if all do.
  std::vector<uint64_t> Blocks;
  std::vector<uint64_t> Values; ///< By slot; that of a pointer means nothing.
  /// By slot: what the kernel touches, in bytes from the pointer.
  struct Range {
    int64_t Begin = 0, End = 0;
  };
  std::vector<Range> Ranges;
  uint64_t WarpInstructions = 0;

  /// True if not all blocks run.
  bool isSample() const;
  /// "<<<(2,1,1),(32,8,1)>>> with n = 64".
  std::string text(const std::vector<ScalarSlot> &Slots) const;
};

/// The launches to compare, the one that works most first; or why there is
/// none: OriginalIsBroken or Unsupported.
struct FoundInputs {
  std::vector<LaunchInput> Inputs;
  std::optional<Verdict> Failure;
  /// Of a launch that does not run well, if there is no better one.
  std::optional<LaunchInput> Broken;
};

/// True for a defect that other arguments hardly mend; the rest may be the
/// fault of ours.
bool isDefect(simt::FindingKind Kind);

/// Runs \p P on \p Memory with all kinds of integers. \p Restore undoes what a
/// run did to the variables of the module.
FoundInputs findLaunchInputs(const simt::Program &P, DeviceMemory &Memory,
                             const std::vector<ScalarSlot> &Slots,
                             const LaunchShape &Shape,
                             const EquivalenceOptions &Options,
                             const std::function<void()> &Restore);

/// The arguments of \p Input, pointers being \p Addresses by slot.
simt::Launch makeLaunch(const simt::Program &P,
                        const std::vector<ScalarSlot> &Slots,
                        const LaunchInput &Input,
                        const std::vector<PhysMemAddr> &Addresses);

} // namespace cudaopt

#endif // CUDAOPT_LIB_VERIFY_LAUNCHINPUTS_H
