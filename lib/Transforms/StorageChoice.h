// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What the passes of shared-reuse (privatize, shrink, overlay, promote) have
/// in common: the variables that earlier passes left, the search for their
/// storage, and the layouts that suit it.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_TRANSFORMS_STORAGECHOICE_H
#define CUDAOPT_LIB_TRANSFORMS_STORAGECHOICE_H

#include "Residency.h"
#include "StorageSearch.h"
#include "cudaopt/Transforms/Passes.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace cudaopt {

/// The working copy of one pass: it tries layouts and decisions here, and then
/// makes a plan of them.
class StorageChoice {
public:
  StorageChoice(const PassInput &In, const Plan &Earlier);
  StorageChoice(const StorageChoice &) = delete;

  /// Returns \p Earlier with what \p Decide makes of it; that is not asked for
  /// functions that are no kernels, and where no storage may change: then the
  /// decision says why.
  static Plan decide(const PassInput &In, const Plan &Earlier,
                     llvm::function_ref<void(StorageChoice &)> Decide);

  /// The plan with the layouts and the decision of this choice.
  Plan makePlan() const;

  /// Notes that the decision leaves other variables than before.
  void update();
  StorageCandidate findBest(const ReuseProblem &In) const;
  bool isAccepted(const StorageWorth &New) const {
    return New.isWorthMore(Before, Options.Reuse);
  }
  /// What the variables of \p In, those that \p Left leaves, are worth where
  /// they are stored best.
  StorageWorth findBestWorth(const ReuseProblem &In, ReuseDecision Left);
  /// Gives the arrays that \p Left leaves other layouts, if they are worth more
  /// together with how \p In can then be stored than \p Best is. They may have
  /// the bytes, and count on the warps, that the source has no room for.
  void chooseLayouts(const ReuseProblem &In, ReuseDecision &Left,
                     StorageCandidate &Best);
  /// Fills in the figures of the decision where \p Chosen is made.
  void describe(const StorageCandidate &Chosen);
  std::string explainNoStep(const ReuseInstance &I, uint64_t Old,
                            uint64_t New) const;
  /// Tells how many warps fit in the end, where they are too few for a layout.
  void explainWaiting();

  const PassInput &In;
  const Kernel &K;
  const Target &T;
  const PassOptions &Options;
  LayoutMap Layouts;
  const ReuseProblem All; ///< With all arrays as large as they are.
  StorageSearch Storage;
  ReuseDecision Decision;
  std::optional<ReuseProblem> Problem; ///< Of what is left.
  StorageWorth Before;                 ///< Of what is left.
  /// All launches, if each can ask for dynamic memory that the kernel needs,
  /// else why not.
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

#endif // CUDAOPT_LIB_TRANSFORMS_STORAGECHOICE_H
