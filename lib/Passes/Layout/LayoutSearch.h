// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The choice of the layout of one array: whether it may have another one at
/// all, which candidate saves most wavefronts, and whether that is worth the
/// instructions that it adds.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_PASSES_LAYOUT_LAYOUTSEARCH_H
#define CUDAOPT_LIB_PASSES_LAYOUT_LAYOUTSEARCH_H

#include "LayoutCandidates.h"
#include "LayoutCost.h"
#include "LayoutVariants.h"
#include "cudaopt/Passes/Passes.h"
#include "cudaopt/Passes/PredictedTime.h"
#include "cudaopt/Passes/Residency.h"
#include "cudaopt/Plan/PlanRules.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>
#include <string>
#include <vector>

namespace cudaopt {

/// The factor by which a layout must be better to count as better: more than
/// rounding errors.
inline constexpr double LayoutThreshold = 1 - 1e-9;

/// The search for one array.
class LayoutSearch {
public:
  /// \p Earlier holds the decisions on other arrays, and must outlive the
  /// search. \p Needs says what a block needs if its storage changes, too.
  LayoutSearch(const PassInput &In, ArrayId Id, const LayoutMap &Earlier,
               const BlockNeeds &Needs = BlockNeeds());

  /// Returns the best layout that the rules allow, or why there is none.
  LayoutDecision choose();
  /// Returns the decisions among which the choice of the storage may select:
  /// \p Decided, the best layout that needs no more bytes, the best one
  /// whatever it needs, and the declared one; without duplicates.
  std::vector<LayoutDecision> listVariants(const LayoutDecision &Decided);

private:
  /// A candidate and its score; without a candidate, the declared array.
  struct Scored {
    std::optional<Candidate> Layout;
    LayoutScore Score;
  };
  using Filter = llvm::function_ref<bool(const Candidate &)>;

  // Before the search: may the array have another layout at all?
  bool isExternKnown() const;
  std::optional<Refusal> findRefusal() const;
  Refusal explainNoRequest() const;
  // The search (BankLayout.cpp).
  LayoutDecision run(Filter IsAllowed);
  LayoutDecision countAsItIs();
  void search(LayoutDecision &Decision, Filter IsAllowed);
  void searchFreely(LayoutDecision &Decision, Filter IsAllowed);
  void searchAsAsked(LayoutDecision &Decision, Filter IsAllowed);
  std::vector<Candidate> listAsked();
  void take(const Candidate &C, LayoutDecision &Decision);
  Refusal explainNoLayout(llvm::ArrayRef<Candidate> Candidates);
  Refusal worseFor(const BlockShape &Block) const;
  Scored identity() const { return {std::nullopt, Judge->identity()}; }
  bool isAtBound(const LayoutScore &Score) const;
  bool isFinal(const LayoutScore &Score) const;
  bool savesWavefronts(const LayoutScore &Score) const;
  Scored findBest(llvm::ArrayRef<Candidate> Candidates, Scored Best,
                  Filter IsAllowed, bool MayBeWorseForSome = false);
  // What a layout is worth (LayoutWorth.cpp).
  Scored findWorthwhile(llvm::ArrayRef<Candidate> Candidates, Scored Best,
                        Filter IsAllowed);
  std::optional<BlocksLost> findLost(const Candidate &C);
  Scored weighBlocks(llvm::ArrayRef<Candidate> Candidates, Scored Best,
                     Filter IsAllowed, std::optional<BlocksLost> &Lost);
  NeedsChange findNeedsChange(const Candidate &C) const;
  double chargeOf(const Candidate &C);
  double chargeUncounted() const;
  std::optional<Refusal> findDoubt(const Candidate &C);
  std::vector<LayoutEffect> listEffects(const Candidate &C);
  bool hasAssumedShapes(const KernelInstance &I) const;

  Refusal atDeclaration(Reason Why, std::string Detail = "") const {
    return {Why, std::move(Detail), Array.Decl->getLocation()};
  }

  const Kernel &K;
  const ArrayId Id;
  const SharedArray &Array;
  const Target &T;
  const PlanRules &Rules;
  const LayoutMap &Earlier;
  const BlockNeeds Needs;
  KernelAnalyses &Analyses;
  const bool ChecksResources; ///< PassOptions::ChecksResources.
  LayoutChoice Choice;
  std::vector<ArrayInstance> Instances;
  std::optional<LayoutJudge> Judge;
  std::optional<LayoutCandidates> Lists; ///< The candidates, scored by Judge.
  /// True as long as no candidate that might be better was left out.
  bool IsExhaustive = true;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_PASSES_LAYOUT_LAYOUTSEARCH_H
