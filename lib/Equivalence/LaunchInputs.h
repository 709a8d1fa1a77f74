// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Makes up arguments for a launch of which only the shape is known: integers
/// at the edges of the launch, and buffers as large as dry runs touch.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_EQUIVALENCE_LAUNCHINPUTS_H
#define CUDAOPT_LIB_EQUIVALENCE_LAUNCHINPUTS_H

#include "cudaopt/Equivalence/Equivalence.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cudaopt {

/// A scalar that a launch passes: a parameter, or a field of a struct
/// parameter.
struct ScalarSlot {
  unsigned Parameter = 0;
  /// In bytes; Offset counts from the start of the parameter.
  uint32_t Offset = 0, Size = 0;
  bool IsPointer = false, IsFloat = false;
  /// It is a field of a struct, which is passed in memory: bytes of that
  /// memory, not a register, hold its term.
  bool IsField = false;
  std::string Name;
  /// For a pointer: the size of the narrowest element that the program accesses
  /// through it. PointsToFloat tells whether elements are floating-point
  /// numbers; std::nullopt if no access was found.
  uint32_t ElementSize = 4;
  std::optional<bool> PointsToFloat;
};

/// Returns the slots of \p P, in the order of the parameters.
std::vector<ScalarSlot> findScalars(const simt::Program &P);

/// A launch with its arguments.
struct LaunchInput {
  LaunchShape Shape; ///< The grid is known.
  /// The linear numbers of the blocks that run; empty if all do.
  std::vector<uint64_t> Blocks;
  /// The arguments by slot; the value for a pointer means nothing.
  std::vector<uint64_t> Values;
  /// The bytes that the kernel touches through a pointer, counted from the
  /// pointer.
  struct Range {
    int64_t Begin = 0, End = 0;
  };
  std::vector<Range> Ranges;     ///< Indexed by slot.
  uint64_t WarpInstructions = 0; ///< The length of the dry run.

  /// Returns true if not all blocks run.
  bool isSample() const;
  /// Describes the launch: "<<<(2,1,1),(32,8,1)>>> with n = 64".
  std::string text(const std::vector<ScalarSlot> &Slots) const;
};

/// The launches of one shape to compare, the one with the most work first; or,
/// if that one has a defect or none runs, a Failure of kind OriginalIsBroken or
/// Unsupported.
struct FoundInputs {
  std::vector<LaunchInput> Inputs;
  std::optional<Verdict> Failure;
  /// The launch behind Failure, for a caller that wants to run it again; not
  /// set if it is not modelled or touches too much memory.
  std::optional<LaunchInput> Broken;
};

/// Returns true for a finding that other arguments would hardly avoid, such as
/// a race. Other findings, such as accesses out of bounds, may be due to
/// made-up arguments.
bool isDefect(simt::FindingKind Kind);

/// Runs \p P on \p Memory with many combinations of integers and selects
/// launches. \p Restore undoes what a run did to the variables of the module.
FoundInputs findLaunchInputs(const simt::Program &P, DeviceMemory &Memory,
                             const std::vector<ScalarSlot> &Slots,
                             const LaunchShape &Shape,
                             const EquivalenceOptions &Options,
                             const std::function<void()> &Restore);

/// Returns the launch of \p Input, where the pointer of slot I is Addresses[I].
simt::Launch makeLaunch(const simt::Program &P,
                        const std::vector<ScalarSlot> &Slots,
                        const LaunchInput &Input,
                        const std::vector<PhysMemAddr> &Addresses);

} // namespace cudaopt

#endif // CUDAOPT_LIB_EQUIVALENCE_LAUNCHINPUTS_H
