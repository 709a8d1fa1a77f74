// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The choice of the layout of one array: its candidates in the order of their
/// price, what each saves, and whether that is worth the instructions that it
/// adds.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_TRANSFORMS_LAYOUTSEARCH_H
#define CUDAOPT_LIB_TRANSFORMS_LAYOUTSEARCH_H

#include "LayoutCandidates.h"
#include "LayoutCost.h"
#include "LayoutVariants.h"
#include "Residency.h"
#include "cudaopt/Transforms/Passes.h"
#include "cudaopt/Transforms/PlanRules.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>
#include <string>
#include <vector>

namespace cudaopt {

/// A layout must be better by more than rounding errors.
inline constexpr double LayoutThreshold = 1 - 1e-9;

class LayoutSearch {
public:
  /// \p Earlier are the decisions for other arrays.
  LayoutSearch(const PassInput &In, ArrayId Id, const LayoutMap &Earlier,
               const BlockNeeds &Needs = BlockNeeds());

  /// The best layout that the rules allow.
  LayoutDecision choose();
  /// What the array may get where \p Decided does not count.
  std::vector<LayoutDecision> listVariants(const LayoutDecision &Decided);

private:
  /// A candidate that was counted, or none: the array as it is.
  struct Scored {
    std::optional<Candidate> Layout;
    LayoutScore Score;
  };
  using Filter = llvm::function_ref<bool(const Candidate &)>;

  bool isExternKnown() const;
  Blocker findRefusal() const;
  Blocker explainNoRequest() const;
  LayoutDecision run(Filter IsAllowed);
  LayoutDecision countAsItIs();
  void search(LayoutDecision &Decision, Filter IsAllowed);
  void searchFreely(LayoutDecision &Decision, Filter IsAllowed);
  void searchAsAsked(LayoutDecision &Decision, Filter IsAllowed);
  std::vector<Candidate> listAsked();
  void take(const Candidate &C, LayoutDecision &Decision);
  Blocker explainNoLayout(llvm::ArrayRef<Candidate> Candidates);
  Blocker worseFor(const BlockShape &Block) const;
  Scored identity() const { return {std::nullopt, Judge->identity()}; }
  bool isAtBound(const LayoutScore &Score) const;
  bool isFinal(const LayoutScore &Score) const;
  bool savesWavefronts(const LayoutScore &Score) const;
  Scored findBest(llvm::ArrayRef<Candidate> Candidates, Scored Best,
                  Filter IsAllowed, bool MayBeWorseForSome = false);
  Scored findWorthwhile(llvm::ArrayRef<Candidate> Candidates, Scored Best,
                        Filter IsAllowed);
  double chargeOf(const Candidate &C);
  double chargeUncounted() const;
  Blocker findDoubt(const Candidate &C);
  std::vector<AddedInstructions> listAdded(const Candidate &C);
  bool hasAssumedShapes(const KernelInstance &I) const;

  Blocker atDeclaration(Reason Why, std::string Detail = "") const {
    return {Why, std::move(Detail), Array.Decl->getLocation()};
  }

  const Kernel &K;
  const ArrayId Id;
  const SharedArray &Array;
  const Target &T;
  const PlanRules &Rules;
  const LayoutMap &Earlier;
  const BlockNeeds Needs;
  LayoutChoice Choice;
  std::vector<ArrayInstance> Instances;
  std::optional<LayoutJudge> Judge;
  std::optional<LayoutCandidates> Lists; ///< Of Judge.
  /// False once something was left out.
  bool IsExhaustive = true;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_TRANSFORMS_LAYOUTSEARCH_H
