// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Whether a layout is worth its price: the wavefronts that it saves against
/// the instructions that it adds. Both are converted to wavefronts
/// (WavefrontsPerInstruction); where it is known how many warps share a
/// multiprocessor, the latencies are considered, too (Residency.h).
//===----------------------------------------------------------------------===//

#include "LayoutSearch.h"
#include "cudaopt/Analysis/GridBarriers.h"
#include "cudaopt/Model/KernelCode.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>

using namespace cudaopt;

/// The part of the time that a layout may take at most that lets fewer blocks
/// run on a multiprocessor: of the time with the declared array, and of that
/// with the best layout that costs no block. The time of such layouts is
/// predicted within some 10% (docs/Time.md).
static constexpr double MostWithFewerBlocks = 0.85, MostOfOther = 0.9;

/// Returns the number of instructions that \p C adds to a block: its price for
/// each request, and the requests that are no longer merged.
static double instructionsOf(const Candidate &C, const BlockCost &Before,
                             const BlockCost &After) {
  return C.Price * After.Requests - C.FlatPrice * After.Spelled +
         std::max(0., After.Requests - Before.Requests);
}

/// Returns the number of wavefronts that could be served while the instructions
/// are executed that \p C adds.
double LayoutSearch::chargeOf(const Candidate &C) {
  double Instructions = 0;
  for (auto [Before, After] :
       llvm::zip_equal(Judge->countBlocks(Layout()), Judge->countBlocks(C.New)))
    Instructions += instructionsOf(C, Before, After);
  return WavefrontsPerInstruction * Instructions;
}

/// Returns true if there are instances with assumed shapes of the block beside
/// \p I, for the same template arguments.
bool LayoutSearch::hasAssumedShapes(const KernelInstance &I) const {
  return llvm::any_of(Instances, [&](const ArrayInstance &Other) {
    return Other.Instance->Block.Origin == ShapeOrigin::Assumed &&
           Other.Instance->Decl == I.Decl;
  });
}

/// Returns a safety margin for the requests that cannot be counted: one
/// wavefront for each, with ten iterations assumed for each of up to four loops
/// around it. An instance of unknown shape is skipped if assumed shapes stand
/// for it.
double LayoutSearch::chargeUncounted() const {
  double Charge = 0;
  for (const ArrayInstance &I : Instances) {
    const BlockShape &Block = I.Instance->Block;
    if (Block.IsUnseen || (!Block.isKnown() && hasAssumedShapes(*I.Instance)))
      continue;
    uint32_t Threads = Block.isKnown() ? Block.numThreads() : Block.MaxThreads;
    for (const Access &A : I.Instance->Accesses)
      if (A.Array == Id && (A.isOpaque() || !A.hasWidth()))
        Charge += double(llvm::divideCeil(Threads, WarpSize)) *
                  std::pow(10.0, std::min<size_t>(A.Loops.size(), 4));
  }
  return Charge;
}

/// Returns what \p C changes, by instance.
std::vector<LayoutEffect> LayoutSearch::listEffects(const Candidate &C) {
  std::vector<LayoutEffect> Effects;
  for (auto [I, Before, After] : llvm::zip_equal(
           Instances, Judge->countBlocks(Layout()), Judge->countBlocks(C.New)))
    Effects.push_back(
        {I.Instance, Before, After, instructionsOf(C, Before, After)});
  return Effects;
}

/// Returns why \p C may cost more than it saves; std::nullopt if it pays.
std::optional<Refusal> LayoutSearch::findDoubt(const Candidate &C) {
  // Count all patterns again: the search may have scored the heaviest only.
  const Wavefronts Cost = Judge->countAll(C.New);
  if (Cost.After >= Cost.Before * LayoutThreshold ||
      Cost.Before - Cost.After < chargeOf(C) + chargeUncounted())
    return atDeclaration(Reason::UncertainGain);
  const std::vector<LayoutEffect> Effects = listEffects(C);
  // Only one of the assumed shapes will be launched; since it is not known
  // which, C must pay in each of them.
  for (const LayoutEffect &Each : Effects)
    if (Each.Instance->Block.Origin == ShapeOrigin::Assumed &&
        Each.Before.Wavefronts - Each.After.Wavefronts <
            WavefrontsPerInstruction * Each.Instructions)
      return worseFor(Each.Instance->Block);
  if (addsInstructions(Effects) && !ChecksResources)
    if (std::optional<Refusal> Pressure = findRegisterPressure(K, Id))
      return Pressure;
  if (std::optional<Refusal> Waiting = findWaiting(K, Id, Effects, T, Needs))
    return Waiting;
  return findNoSpeedup(K, Id, Effects, T, Needs, Analyses);
}

/// Returns \p Best if it pays; else the best candidate that pays among those of
/// a lower price.
LayoutSearch::Scored
LayoutSearch::findWorthwhile(llvm::ArrayRef<Candidate> Candidates, Scored Best,
                             Filter IsAllowed) {
  while (Best.Layout && findDoubt(*Best.Layout)) {
    const unsigned Limit = Best.Layout->Price;
    Best = findBest(Candidates, identity(), [&](const Candidate &C) {
      return IsAllowed(C) && C.Price < Limit;
    });
  }
  return Best;
}

/// Returns what a block needs without \p C and with it.
NeedsChange LayoutSearch::findNeedsChange(const Candidate &C) const {
  LayoutMap Layouts = Earlier;
  NeedsChange Change;
  Change.Before = findNeeds(K, Layouts);
  Layouts[Id].New = C.New;
  Change.After = findNeeds(K, Layouts);
  return Change;
}

/// Returns the blocks that \p C costs, of the instance where most are lost, and
/// the time that is predicted; std::nullopt if the time is not known for each
/// launch, or if all blocks of the grid may have to be resident.
std::optional<BlocksLost> LayoutSearch::findLost(const Candidate &C) {
  const std::vector<LayoutEffect> Effects = listEffects(C);
  const NeedsChange OfBlock = findNeedsChange(C);
  const PredictedChange Change =
      predictShare(K, Effects, T, OfBlock, Analyses, 1);
  if (Change.NumInstances !=
      llvm::count_if(chooseInstances(Effects), [](const KernelInstance *I) {
        return !I->Block.IsUnseen;
      }))
    return std::nullopt;
  for (const LayoutEffect &Each : Effects)
    if (const ir::Function *F =
            Each.Instance->Code ? Each.Instance->Code->live() : nullptr;
        F && !findGridBarrier(*F).empty())
      return std::nullopt;
  BlocksLost Lost;
  Lost.Time = Change.ratio();
  for (const LayoutEffect &Each : Effects) {
    const auto Old = findResidency(K, *Each.Instance, T, OfBlock.Before);
    const auto New = findResidency(K, *Each.Instance, T, OfBlock.After);
    if (Old && New && Old->Blocks > New->Blocks &&
        Old->Blocks - New->Blocks > Lost.Before - Lost.After)
      Lost.Before = Old->Blocks, Lost.After = New->Blocks;
  }
  // Else it is the margin for what other functions declare that is not there.
  return Lost.Before ? std::optional(Lost) : std::nullopt;
}

/// Returns the best layout that lets fewer blocks run on a multiprocessor if it
/// nevertheless promises much less time than \p Best, and what it costs in
/// \p Lost; else Best.
LayoutSearch::Scored
LayoutSearch::weighBlocks(llvm::ArrayRef<Candidate> Candidates, Scored Best,
                          Filter IsAllowed, std::optional<BlocksLost> &Lost) {
  const Scored Larger =
      findBest(Candidates, identity(), [&](const Candidate &C) {
        if (C.Obstacle != Reason::LosesOccupancy)
          return IsAllowed(C);
        Candidate Free = C;
        Free.Obstacle.reset();
        return IsAllowed(Free);
      });
  if (!Larger.Layout || Larger.Layout->isAllowed() || findDoubt(*Larger.Layout))
    return Best;
  const std::optional<BlocksLost> Found = findLost(*Larger.Layout);
  if (!Found || Found->Time > MostWithFewerBlocks)
    return Best;
  const double Other =
      Best.Layout ? predictShare(K, listEffects(*Best.Layout), T,
                                 findNeedsChange(*Best.Layout), Analyses, 0)
                        .ratio()
                  : 1;
  if (Found->Time > MostOfOther * Other)
    return Best;
  Lost = Found;
  return Larger;
}
