// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What a layout is worth: the wavefronts that it saves against the
/// instructions that it adds.
//===----------------------------------------------------------------------===//

#include "LayoutSearch.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

using namespace cudaopt;

/// Returns the instructions that \p C adds to a block.
static double instructionsOf(const Candidate &C, const BlockCost &Before,
                             const BlockCost &After) {
  return C.Price * After.Requests - C.FlatPrice * After.Spelled +
         std::max(0., After.Requests - Before.Requests);
}

/// Wavefronts that could be served while the instructions are executed that
/// \p C adds.
double LayoutSearch::chargeOf(const Candidate &C) {
  double Instructions = 0;
  for (auto [Before, After] :
       llvm::zip_equal(Judge->countBlocks(Layout()), Judge->countBlocks(C.New)))
    Instructions += instructionsOf(C, Before, After);
  return WavefrontsPerInstruction * Instructions;
}

bool LayoutSearch::hasAssumedShapes(const KernelInstance &I) const {
  return llvm::any_of(Instances, [&](const ArrayInstance &Other) {
    return Other.Instance->Block.Origin == ShapeOrigin::Assumed &&
           Other.Instance->Decl == I.Decl;
  });
}

/// One wavefront for each request that cannot be counted. In a block of unknown
/// shape, those of the shapes assumed for it stand for all.
double LayoutSearch::chargeUncounted() const {
  double Charge = 0;
  for (const ArrayInstance &I : Instances) {
    const BlockShape &Block = I.Instance->Block;
    if (Block.IsUnseen || (!Block.isKnown() && hasAssumedShapes(*I.Instance)))
      continue;
    uint32_t Threads = Block.isKnown() ? Block.numThreads() : Block.MaxThreads;
    for (const Access &A : I.Instance->Accesses)
      if (A.Array == Id && (A.isOpaque() || !A.hasWidth()))
        Charge += (Threads + WarpSize - 1) / WarpSize *
                  std::pow(10.0, std::min<size_t>(A.Loops.size(), 4));
  }
  return Charge;
}

/// Returns nothing if \p C adds no instruction.
std::vector<AddedInstructions> LayoutSearch::listAdded(const Candidate &C) {
  std::vector<AddedInstructions> Added;
  double Sum = 0;
  for (auto [I, Before, After] : llvm::zip_equal(
           Instances, Judge->countBlocks(Layout()), Judge->countBlocks(C.New)))
    Sum += Added
               .emplace_back(I.Instance, Before, After,
                             instructionsOf(C, Before, After))
               .Number;
  return Sum > 0 ? Added : std::vector<AddedInstructions>();
}

/// Returns why \p C may cost more than it saves; nothing if it pays.
Blocker LayoutSearch::findDoubt(const Candidate &C) {
  // The search may have looked at the heaviest patterns only.
  const Wavefronts Cost = Judge->countAll(C.New);
  if (Cost.After >= Cost.Before * LayoutThreshold ||
      Cost.Before - Cost.After < chargeOf(C) + chargeUncounted())
    return atDeclaration(Reason::UncertainGain);
  const std::vector<AddedInstructions> Added = listAdded(C);
  // Only one of the shapes that are assumed will be launched: each must pay.
  for (const AddedInstructions &Each : Added)
    if (Each.Instance->Block.Origin == ShapeOrigin::Assumed &&
        Each.Before.Wavefronts - Each.After.Wavefronts <
            WavefrontsPerInstruction * Each.Number)
      return worseFor(Each.Instance->Block);
  return findWaiting(K, Id, Added, T, Needs);
}

/// Returns \p Best, or what adds fewer instructions if these are not worth what
/// they save.
LayoutSearch::Scored
LayoutSearch::findWorthwhile(llvm::ArrayRef<Candidate> Candidates, Scored Best,
                             Filter IsAllowed) {
  while (Best.Layout && findDoubt(*Best.Layout).Why != Reason::None) {
    const unsigned Limit = Best.Layout->Price;
    Best = findBest(Candidates, identity(), [&](const Candidate &C) {
      return IsAllowed(C) && C.Price < Limit;
    });
  }
  return Best;
}
