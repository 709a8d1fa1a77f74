// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds the barrier intervals of a graph of steps: one search from the entry
/// and from each barrier, which stops at the next barriers.
//===----------------------------------------------------------------------===//

#include "IntervalGraph.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace cudaopt;

IntervalGraph::IntervalGraph(const SharedProgram &P) : P(P) {
  if (P.Steps.empty())
    return;
  addRegion(SharedProgram::Entry);
  for (unsigned R = 0; R < Regions.size(); ++R) // addRegion() appends.
    for (const StepId End : std::vector<StepId>(Regions[R].Ends))
      if (!RegionOf.contains(End))
        addRegion(End);
  for (unsigned R = 0; R < Regions.size(); ++R)
    addEdges(R);
  for (unsigned E = 0; E < Edges.size(); ++E)
    for (unsigned Next = 0; Next < Edges.size(); ++Next)
      if (Edges[E].To == Edges[Next].From)
        Intervals[E].Successors.push_back(Next);
}

// A depth-first search with an explicit stack. It does not go beyond barriers,
// except from Begin itself. Begin may be reached again, as one of its own Ends
// (a barrier in a loop).
void IntervalGraph::addRegion(StepId Begin) {
  RegionOf[Begin] = Regions.size();
  Region &R = Regions.emplace_back();
  R.Begin = Begin;
  llvm::BitVector Seen(P.Steps.size());
  struct Frame {
    StepId Step;
    unsigned Next = 0;
  };
  std::vector<Frame> Stack{{Begin}};
  if (!isBarrier(Begin))
    Seen.set(Begin);
  while (!Stack.empty()) {
    Frame &Top = Stack.back();
    const auto &Successors = P.Steps[Top.Step].Successors;
    if (Top.Next == Successors.size()) {
      if (!isBarrier(Top.Step))
        R.Steps.push_back(Top.Step);
      Stack.pop_back();
      continue;
    }
    const StepId Next = Successors[Top.Next++];
    if (Seen.test(Next))
      continue;
    Seen.set(Next);
    if (isBarrier(Next))
      R.Ends.push_back(Next);
    else
      Stack.push_back({Next});
  }
  std::reverse(R.Steps.begin(), R.Steps.end());
  llvm::sort(R.Ends);
}

llvm::BitVector IntervalGraph::findWays(const Region &R, llvm::BitVector Seeds,
                                        std::optional<StepId> End) const {
  llvm::DenseMap<StepId, unsigned> IndexOf;
  for (const auto &[I, S] : llvm::enumerate(R.Steps))
    IndexOf[S] = I;
  llvm::BitVector &Ways = Seeds;
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (unsigned I = R.Steps.size(); I-- > 0;) {
      if (Ways.test(I) ||
          llvm::none_of(P.Steps[R.Steps[I]].Successors, [&](StepId Next) {
            const auto It = IndexOf.find(Next);
            return Next == End ||
                   (It != IndexOf.end() && Ways.test(It->second));
          }))
        continue;
      Ways.set(I);
      Changed = true;
    }
  }
  return Ways;
}

void IntervalGraph::addEdges(unsigned From) {
  Region &R = Regions[From];
  const unsigned NumSteps = R.Steps.size();
  llvm::BitVector Stays(NumSteps, true), Stops(NumSteps), Leaves(NumSteps);
  std::vector<llvm::BitVector> Ways;
  for (const StepId End : R.Ends) {
    Ways.push_back(findWays(R, llvm::BitVector(NumSteps), End));
    Stays.reset(Ways.back());
  }
  for (unsigned I = 0; I < NumSteps; ++I) {
    if (P.Steps[R.Steps[I]].Successors.empty())
      Stops.set(I);
    if (P.Steps[R.Steps[I]].MayLeave)
      Leaves.set(I);
  }
  // Steps from which no barrier is reachable count as ways out, too: a thread
  // in an endless loop without a barrier never meets the others again.
  Stops |= Stays;
  R.MayReturn = findWays(R, std::move(Stops), std::nullopt);
  R.MayLeave = findWays(R, std::move(Leaves), std::nullopt);

  const auto add = [&](std::optional<StepId> End, const llvm::BitVector &Way) {
    LiveInterval &New = Intervals.emplace_back();
    Edge &E = Edges.emplace_back();
    E.From = From;
    New.Begin = R.Begin;
    New.End = End.value_or(SharedProgram::Exit);
    for (const unsigned I : Way.set_bits())
      if (P.Steps[R.Steps[I]].What == Step::Kind::Work)
        New.Steps.push_back(R.Steps[I]);
    llvm::BitVector All = Way;
    All |= R.MayReturn;
    for (const unsigned I : All.set_bits())
      E.Steps.push_back(R.Steps[I]);
    if (End) {
      E.To = RegionOf[*End];
      E.Steps.push_back(*End);
    }
  };
  for (unsigned I = 0; I < R.Ends.size(); ++I)
    add(R.Ends[I], Ways[I]);
  if (R.MayReturn.any())
    add(std::nullopt, R.MayReturn);
}
