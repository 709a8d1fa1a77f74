// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What the passes of shared-reuse (privatize, shrink, overlay, promote) have
/// in common: the variables that earlier passes have left, the search for the
/// best storage of these, and the choice of layouts that suit the storage. Each
/// pass is a function that changes a StorageChoice:
///
/// \verbatim
///   Plan planShrink(const PassInput &In, const Plan &Earlier) {
///     return StorageChoice::decide(In, Earlier, [](StorageChoice &C) {
///       ... C.Decision.Trimmed = ...; C.update(); C.describe({}); ...
///     });
///   }
/// \endverbatim
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_PASSES_STORAGE_STORAGECHOICE_H
#define CUDAOPT_LIB_PASSES_STORAGE_STORAGECHOICE_H

#include "StorageSearch.h"
#include "cudaopt/Passes/Passes.h"
#include "cudaopt/Passes/Residency.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace cudaopt {

/// The working copy of one pass, in which it tries layouts and decisions before
/// it makes a plan of them.
class StorageChoice {
public:
  /// \p In and \p Earlier must outlive the choice.
  StorageChoice(const PassInput &In, const Plan &Earlier);
  StorageChoice(const StorageChoice &) = delete;

  /// Returns \p Earlier with the changes that \p Decide makes to a
  /// StorageChoice. Decide is not called for functions that are no kernels, nor
  /// if no storage may change; in that case the decision says why.
  static Plan decide(const PassInput &In, const Plan &Earlier,
                     llvm::function_ref<void(StorageChoice &)> Decide);

  /// Returns the plan with the layouts and the decision of this choice.
  Plan makePlan() const;

  /// Recomputes Problem and Before. To be called after Decision has changed
  /// which variables are private or trimmed.
  void update();
  /// Returns the best storage of \p In with the current layouts.
  StorageCandidate findBest(const ReuseProblem &In) const;
  /// Returns true if a storage that is worth \p New justifies a change.
  bool isAccepted(const StorageWorth &New) const {
    return New.isWorthMore(Before, Options.Reuse);
  }
  /// Returns the worth of the best storage of \p In, the variables that \p Left
  /// leaves, with the layouts that suit it best. Changes nothing.
  StorageWorth findBestWorth(const ReuseProblem &In, ReuseDecision Left);
  /// Chooses other layouts for the arrays that \p Left leaves, if with them the
  /// best storage of \p In is worth more than \p Best; updates Layouts, Left
  /// and Best in that case. A layout may need bytes, or pay only for a number
  /// of warps, for which the source's storage has no room.
  void chooseLayouts(const ReuseProblem &In, ReuseDecision &Left,
                     StorageCandidate &Best);
  /// Fills in the figures of Decision for the storage \p Chosen.
  void describe(const StorageCandidate &Chosen);
  /// Returns a text which says that \p New bytes instead of \p Old let no more
  /// blocks of \p I fit.
  std::string explainNoStep(const ReuseInstance &I, uint64_t Old,
                            uint64_t New) const;
  /// Updates the reason of layouts that are refused since too few warps fit: it
  /// names the warps that fit with the new storage.
  void explainWaiting();

  const PassInput &In;
  const Kernel &K;
  const Target &T;
  const PassOptions &Options;
  LayoutMap Layouts;
  const ReuseProblem All; ///< The problem with all arrays at their full size.
  StorageSearch Storage;
  ReuseDecision Decision;
  /// The problem of the variables that Decision leaves; set by update().
  std::optional<ReuseProblem> Problem;
  /// The worth of these variables if each has bytes of its own.
  StorageWorth Before;
  /// If the kernel needs dynamic memory: all launches, provided that each can
  /// be edited to ask for it; else empty, and WhyNotDynamic says why not.
  std::vector<DynamicLaunch> Launches;
  std::string WhyNotDynamic;

private:
  BlockNeeds findNeeds(const ReuseProblem &Of,
                       llvm::ArrayRef<StorageNode> Objects) const;
  BlockNeeds findRoom(const ReuseProblem &Of);
  bool isOpen() const;
  void begin();
  void findLaunches();

  const Plan &Earlier;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_PASSES_STORAGE_STORAGECHOICE_H
