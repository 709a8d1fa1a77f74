// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Computes the relation by plain graph searches, one from each step.
//===----------------------------------------------------------------------===//

#include "BarrierFlow.h"

#include "llvm/ADT/STLExtras.h"

using namespace cudaopt;

using Bits = llvm::BitVector;

BarrierFlow::BarrierFlow(const SharedProgram &P) : P(P) {
  findStarts();
  findEnds();
  findBehind();
  Returning.resize(P.Steps.size());
  Meeting.resize(P.Steps.size());
  for (StepId S = 0; S < P.Steps.size(); ++S)
    for (const StepId Begin : Starts[S].set_bits()) {
      if (Ends[S].test(SharedProgram::Exit))
        Returning[Begin].push_back(S);
      if (isBarrier(S))
        Meeting[Begin].push_back(S);
    }
}

void BarrierFlow::findStarts() {
  const unsigned NumSteps = P.Steps.size();
  Starts.assign(NumSteps, Bits(NumSteps));
  std::vector<StepId> Begins;
  const auto reach = [&](StepId Begin, StepId First) {
    std::vector<StepId> Stack{First};
    while (!Stack.empty()) {
      const StepId S = Stack.back();
      Stack.pop_back();
      if (Starts[S].test(Begin))
        continue;
      if (isBarrier(S) && !isReached(S))
        Begins.push_back(S);
      Starts[S].set(Begin);
      if (!isBarrier(S))
        llvm::append_range(Stack, P.Steps[S].Successors);
    }
  };
  if (NumSteps)
    reach(SharedProgram::Entry, SharedProgram::Entry);
  while (!Begins.empty()) {
    const StepId Begin = Begins.back();
    Begins.pop_back();
    for (const StepId First : P.Steps[Begin].Successors)
      reach(Begin, First);
  }
}

void BarrierFlow::findEnds() {
  const unsigned NumSteps = P.Steps.size();
  Ends.assign(NumSteps, Bits(NumSteps));
  for (StepId From = 0; From < NumSteps; ++From) {
    std::vector<StepId> Stack{From};
    Bits Seen(NumSteps);
    while (!Stack.empty()) {
      const StepId S = Stack.back();
      Stack.pop_back();
      if (Seen.test(S))
        continue;
      Seen.set(S);
      if (isBarrier(S))
        Ends[From].set(S);
      else if (P.Steps[S].Successors.empty())
        Ends[From].set(SharedProgram::Exit);
      else
        llvm::append_range(Stack, P.Steps[S].Successors);
    }
    // An endless loop without a barrier: the other threads may be anywhere.
    if (Ends[From].none())
      Ends[From].set(SharedProgram::Exit);
  }
}

void BarrierFlow::findBehind() {
  const unsigned NumSteps = P.Steps.size();
  const auto visit = [&](StepId From, bool StopsAtBarriers) {
    Bits Seen(NumSteps);
    std::vector<StepId> Stack{From};
    while (!Stack.empty()) {
      const StepId S = Stack.back();
      Stack.pop_back();
      if (Seen.test(S) || (StopsAtBarriers && S != From && isBarrier(S)))
        continue;
      Seen.set(S);
      llvm::append_range(Stack, P.Steps[S].Successors);
    }
    return Seen;
  };
  Behind.assign(NumSteps, Bits(NumSteps));
  for (StepId S = 0; S < NumSteps; ++S)
    if (llvm::any_of(visit(S, true).set_bits(),
                     [&](StepId Next) { return P.Steps[Next].MayLeave; }))
      for (const StepId Begin : Starts[S].set_bits())
        Behind[S] |= visit(Begin, false);
}

bool BarrierFlow::mayLeaveOthers(StepId S) const {
  const auto &Next = P.Steps[S].Successors;
  if (S == SharedProgram::Exit ||
      !(Next.empty() || llvm::is_contained(Next, SharedProgram::Exit)))
    return false;
  if (isBarrier(S))
    return !Meeting[S].empty();
  return llvm::any_of(Starts[S].set_bits(),
                      [&](StepId Begin) { return !Meeting[Begin].empty(); });
}
