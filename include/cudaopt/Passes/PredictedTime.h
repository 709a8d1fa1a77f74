// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What new layouts are worth to a kernel: its predicted time before and after.
/// A kernel that waits for the device's memory gains nothing from fewer
/// wavefronts of shared memory, and one that issues instructions all the time
/// loses by the instructions that a layout adds.
///
/// How many instructions are added is not known before the new text is
/// compiled: where loops are unrolled, many fold. So there are two predictions,
/// with none of them and with all. Where these disagree, the rewritten text is
/// counted, too.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_PASSES_PREDICTEDTIME_H
#define CUDAOPT_PASSES_PREDICTEDTIME_H

#include "cudaopt/Machine/KernelTime.h"
#include "cudaopt/Passes/KernelAnalyses.h"
#include "cudaopt/Passes/Residency.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace cudaopt {

/// The predicted time of all instances of a kernel whose work and occupancy are
/// known, each counted alike.
struct PredictedChange {
  /// The sum of the ratios of the time after the change to the time before.
  double Sum = 0;
  unsigned NumInstances = 0;
  /// The time of the slowest instance before, which tells what limits it.
  KernelTime Before;

  /// Returns the time after the change as a part of that before; 1 if nothing
  /// is known.
  double ratio() const { return NumInstances ? Sum / NumInstances : 1; }
  /// Returns true if a layout that adds instructions is expected to pay.
  bool isFaster() const;
  /// Returns "1.02 of the time is predicted; ...", for the author.
  std::string text() const;
};

/// Returns true if one of \p Effects adds instructions.
bool addsInstructions(llvm::ArrayRef<LayoutEffect> Effects);

/// Returns the instances for which times are predicted: those of \p Effects, or
/// some of them that stand for all.
std::vector<const KernelInstance *>
chooseInstances(llvm::ArrayRef<LayoutEffect> Effects);

/// Returns the instructions of a block of an instance with the new layouts,
/// from what they are before; std::nullopt if they are not known.
using NewInstructions = llvm::function_ref<std::optional<InstructionMix>(
    const KernelInstance &, const InstructionMix &)>;

/// The memory of a block without the layouts that are predicted, and with them.
struct NeedsChange {
  BlockNeeds Before, After;
};

/// Predicts the time of \p K with layouts that have the \p Effects.
PredictedChange predictChange(const Kernel &K,
                              llvm::ArrayRef<LayoutEffect> Effects,
                              const Target &T, const NeedsChange &Needs,
                              KernelAnalyses &Analyses,
                              NewInstructions Instructions);

/// The same if \p Share of the instructions that the layouts add is executed.
PredictedChange predictShare(const Kernel &K,
                             llvm::ArrayRef<LayoutEffect> Effects,
                             const Target &T, const NeedsChange &Needs,
                             KernelAnalyses &Analyses, double Share);

/// Returns why a layout of \p Array with the \p Effects does not make \p K
/// faster, even if none of its instructions is executed; std::nullopt if it
/// may, if it adds none, or if nothing is known.
std::optional<Refusal> findNoSpeedup(const Kernel &K, ArrayId Array,
                                     llvm::ArrayRef<LayoutEffect> Effects,
                                     const Target &T, const BlockNeeds &Needs,
                                     KernelAnalyses &Analyses);

/// Returns true if a layout with the \p Effects pays or not depending on how
/// many of its instructions are executed.
bool dependsOnInstructions(const Kernel &K,
                           llvm::ArrayRef<LayoutEffect> Effects,
                           const Target &T, const NeedsChange &Needs,
                           KernelAnalyses &Analyses);

} // namespace cudaopt

#endif // CUDAOPT_PASSES_PREDICTEDTIME_H
