// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Computes the live ranges that the header defines. IntervalGraph splits the
/// graph of steps into barrier intervals, once for all variables;
/// VariableRanges then solves the data-flow equations for one variable at a
/// time, each by iteration to the fixed point. Element sets are bit vectors;
/// all equations are monotone, and most problems have a few intervals only, so
/// that round-robin iteration is fast enough.
//===----------------------------------------------------------------------===//

#include "cudaopt/Analysis/LiveRanges.h"
#include "IntervalGraph.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace cudaopt;

namespace {
/// Solves the data-flow equations for one variable.
class VariableRanges {
public:
  VariableRanges(const IntervalGraph &G, VariableId V);

  /// Fills in the sets of the variable in \p Result's intervals, and the
  /// elements that may be read uninitialised.
  void compute(LiveRanges &Result);

private:
  /// What happens in an interval: ACC, W, UE and K of the header.
  struct Effects {
    ElementSet Accessed, Written, Exposed, Killed;
  };
  /// What a step does, as the union over its uses of the variable: the elements
  /// that may be accessed, may be written, may be read although the thread has
  /// not written them, are surely written by the block, and belong to
  /// asynchronous accesses that begin here. A use without a set of the right
  /// size stands for the whole variable.
  struct StepSets {
    ElementSet May, Written, Exposed, Must, Issued;
  };

  void collectSteps();
  void addUse(StepSets &Sets, const SharedUse &Use) const;
  void collectEffects();
  void collectKills(unsigned From);
  void solvePending();
  void solveLeft();
  void solveWritten();
  void solveLive();
  /// Returns the sets of step \p S; null if it does not use the variable.
  const StepSets *find(StepId S) const {
    const auto It = Sets.find(S);
    return It == Sets.end() ? nullptr : &It->second;
  }

  const IntervalGraph &G;
  const VariableId V;
  const unsigned Size;                   ///< The size of all sets.
  llvm::DenseMap<StepId, StepSets> Sets; ///< The sets of the steps that use V.
  std::vector<Effects> ByEdge;           ///< Parallel to the graph's edges.
  /// By region, the solutions behind its barrier: live_b, mw_b, the elements of
  /// pending asynchronous accesses, and left_b.
  std::vector<ElementSet> Live, Written, Pending, Left;
  /// Elements of asynchronous accesses for which nothing waits.
  ElementSet Forever;
};
} // namespace

/// Returns the number of elements that sets for \p V speak of. A variable
/// smaller than an element counts as one element.
static unsigned countElements(const SharedVariable &V) {
  return std::max(1u, V.numElements());
}

VariableRanges::VariableRanges(const IntervalGraph &G, VariableId V)
    : G(G), V(V), Size(countElements(G.P.Variables[V])), Forever(Size) {}

/// Returns \p Set, or the set of all elements if \p Set has not the size \p
/// Size: it is unknown then.
static ElementSet getOrAll(const ElementSet &Set, unsigned Size) {
  return Set.size() == Size ? Set : ElementSet(Size, true);
}

void VariableRanges::addUse(StepSets &To, const SharedUse &Use) const {
  const ElementSet May = getOrAll(Use.May, Size);
  To.May |= May;
  if (Use.IsPending)
    To.Issued |= May;
  if (Use.Reads)
    To.Exposed |= getOrAll(Use.Exposed, Size);
  if (!Use.Writes)
    return;
  To.Written |= May;
  if (Use.Must.size() == Size)
    To.Must |= Use.Must;
}

void VariableRanges::collectSteps() {
  const ElementSet None(Size);
  for (const auto &[S, What] : llvm::enumerate(G.P.Steps))
    for (const SharedUse &Use : What.Uses)
      if (Use.Variable == V)
        addUse(Sets.try_emplace(S, StepSets{None, None, None, None, None})
                   .first->second,
               Use);
}

void VariableRanges::collectEffects() {
  const ElementSet None(Size);
  ByEdge.assign(G.Edges.size(), {None, None, None, None});
  for (const auto &[E, To] : llvm::zip_equal(G.Edges, ByEdge))
    for (const StepId S : E.Steps)
      if (const StepSets *From = find(S)) {
        To.Accessed |= From->May;
        To.Accessed |= From->Exposed;
        To.Accessed |= From->Must;
        To.Written |= From->Written;
        To.Written |= From->Must;
        To.Exposed |= From->Exposed;
      }
  for (unsigned R = 0; R < G.Regions.size(); ++R)
    collectKills(R);
}

// K is a must-analysis: a forward problem in which sets are intersected where
// paths join, from the beginning of the region to each of its ends.
void VariableRanges::collectKills(unsigned From) {
  const Region &R = G.Regions[From];
  const auto writesSurely = [&](StepId S) {
    const StepSets *Step = find(S);
    return Step && Step->Must.any();
  };
  if (llvm::none_of(R.Steps, writesSurely) &&
      llvm::none_of(R.Ends, writesSurely))
    return;
  // The elements that the block has surely written in front of each step. A
  // step without an entry has not been reached yet and stands for the top of
  // the lattice, all elements.
  llvm::DenseMap<StepId, ElementSet> Front;
  // Intersects the set of Next with Behind; returns true if it changed.
  const auto meet = [&](StepId Next, const ElementSet &Behind) {
    const auto [It, IsNew] = Front.try_emplace(Next, Behind);
    if (IsNew || !It->second.test(Behind))
      return IsNew;
    It->second &= Behind;
    return true;
  };
  if (G.P.Steps[R.Begin].What == Step::Kind::Barrier)
    for (const StepId Next : G.P.Steps[R.Begin].Successors)
      meet(Next, ElementSet(Size));
  else
    meet(R.Begin, ElementSet(Size));
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const StepId S : R.Steps) {
      const auto It = Front.find(S);
      if (It == Front.end())
        continue;
      ElementSet Behind = It->second;
      if (const StepSets *Step = find(S))
        Behind |= Step->Must;
      for (const StepId Next : G.P.Steps[S].Successors)
        Changed |= meet(Next, Behind);
    }
  }
  for (const auto &[E, To] : llvm::zip_equal(G.Edges, ByEdge))
    if (E.From == From && E.To) {
      const StepId End = G.Regions[*E.To].Begin;
      To.Killed = Front.find(End)->second;
      if (const StepSets *Step = find(End))
        To.Killed |= Step->Must;
    }
}

// Unlike the other problems, this one runs over steps instead of intervals,
// since a step that waits for the asynchronous accesses of its thread may stand
// anywhere. The set behind a barrier then holds for the whole interval: what
// one thread has waited for is certain for others only behind the next barrier.
void VariableRanges::solvePending() {
  Pending.assign(G.Regions.size(), ElementSet(Size));
  if (llvm::none_of(Sets, [](const auto &S) { return S.second.Issued.any(); }))
    return;
  std::vector<ElementSet> Front(G.P.Steps.size(), ElementSet(Size));
  const auto getBehind = [&](StepId S) {
    ElementSet Behind(Size);
    if (G.P.Steps[S].WaitsForPending)
      return Behind;
    Behind |= Front[S];
    if (const StepSets *Step = find(S))
      Behind |= Step->Issued;
    return Behind;
  };
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (StepId S = 0; S < G.P.Steps.size(); ++S) {
      const ElementSet Behind = getBehind(S);
      for (const StepId Next : G.P.Steps[S].Successors)
        if (Behind.test(Front[Next])) {
          Front[Next] |= Behind;
          Changed = true;
        }
    }
  }
  // A thread that returns does not wait any more, while its accesses go on.
  const auto mayStop = [&](StepId S) {
    const auto &Next = G.P.Steps[S].Successors;
    return Next.empty() ? S != SharedProgram::Exit
                        : llvm::is_contained(Next, SharedProgram::Exit);
  };
  for (const auto &[R, At] : llvm::zip_equal(G.Regions, Pending)) {
    if (G.P.Steps[R.Begin].What == Step::Kind::Barrier)
      At = getBehind(R.Begin);
    if (R.Ends.empty())
      continue;
    if (mayStop(R.Begin))
      Forever |= At;
    for (const StepId S : R.Steps)
      if (mayStop(S))
        Forever |= getBehind(S);
  }
}

// A thread that leaves early may execute the rest of its path at any time
// later, so that its accesses are added to all later intervals, without a kill.
void VariableRanges::solveLeft() {
  Left.assign(G.Regions.size(), ElementSet(Size));
  // By region: the elements that are accessed on the paths of leaving threads.
  std::vector<ElementSet> Leaving = Left;
  for (const auto &[R, Out] : llvm::zip_equal(G.Regions, Leaving))
    for (const unsigned I : R.MayLeave.set_bits())
      if (const StepSets *Step = find(R.Steps[I])) {
        Out |= Step->May;
        Out |= Step->Exposed;
        Out |= Step->Must;
      }
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const Edge &E : G.Edges) {
      if (!E.To)
        continue;
      ElementSet Behind = Left[E.From];
      Behind |= Leaving[E.From];
      if (!Behind.test(Left[*E.To]))
        continue;
      Left[*E.To] |= Behind;
      Changed = true;
    }
  }
}

// The forward may-problem mw_c.
void VariableRanges::solveWritten() {
  Written.assign(G.Regions.size(), ElementSet(Size));
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const auto &[E, What] : llvm::zip_equal(G.Edges, ByEdge)) {
      if (!E.To)
        continue;
      ElementSet Behind = Written[E.From];
      Behind |= What.Written;
      if (!Behind.test(Written[*E.To]))
        continue;
      Written[*E.To] |= Behind;
      Changed = true;
    }
  }
}

// The backward may-problem live_b; edges in reverse order, as most values flow
// forward.
void VariableRanges::solveLive() {
  Live.assign(G.Regions.size(), ElementSet(Size));
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (unsigned I = G.Edges.size(); I-- > 0;) {
      const Edge &E = G.Edges[I];
      ElementSet Front(Size);
      if (E.To)
        Front = Live[*E.To];
      Front.reset(ByEdge[I].Killed);
      Front |= ByEdge[I].Exposed;
      if (!Front.test(Live[E.From]))
        continue;
      Live[E.From] |= Front;
      Changed = true;
    }
  }
}

void VariableRanges::compute(LiveRanges &Result) {
  collectSteps();
  collectEffects();
  solvePending();
  solveLeft();
  solveWritten();
  solveLive();
  ElementSet &Uninitialised = Result.Uninitialised[V];
  Uninitialised.resize(Size);
  for (unsigned I = 0; I < G.Edges.size(); ++I) {
    const Edge &E = G.Edges[I];
    ElementSet Busy(Size);
    if (E.To)
      Busy = Live[*E.To];
    Busy &= Written[E.From];
    Busy |= ByEdge[I].Accessed;
    Busy |= Pending[E.From];
    Busy |= Forever;
    Busy |= Left[E.From];
    Result.Intervals[I].Busy[V] = std::move(Busy);
    ElementSet Needed = Live[E.From], Kept(Size);
    Needed &= Written[E.From];
    Needed |= Left[E.From];
    Result.Intervals[I].Needed[V] = std::move(Needed);
    if (E.To) {
      Kept = Live[*E.To];
      Kept |= Left[*E.To];
    }
    Result.Intervals[I].Kept[V] = std::move(Kept);
    ElementSet Unknown = ByEdge[I].Exposed;
    Unknown.reset(Written[E.From]);
    Unknown.reset(ByEdge[I].Written);
    Uninitialised |= Unknown;
  }
}

LiveRanges cudaopt::computeLiveRanges(const SharedProgram &P) {
  IntervalGraph G(P);
  const unsigned NumVariables = P.Variables.size();
  LiveRanges Result;
  Result.Intervals = std::move(G.Intervals);
  for (LiveInterval &I : Result.Intervals)
    for (auto *Sets : {&I.Busy, &I.Needed, &I.Kept})
      Sets->resize(NumVariables);
  Result.Uninitialised.resize(NumVariables);
  Result.Pinned.resize(NumVariables, P.Refused.has_value());
  for (VariableId V = 0; V < NumVariables; ++V) {
    VariableRanges(G, V).compute(Result);
    if (P.Variables[V].Pinned)
      Result.Pinned.set(V);
    if (Result.Pinned.test(V))
      for (LiveInterval &I : Result.Intervals)
        I.Busy[V].set();
  }
  return Result;
}

bool LiveRanges::interfere(VariableId A, VariableId B) const {
  return Pinned.test(A) || Pinned.test(B) ||
         llvm::any_of(Intervals, [&](const LiveInterval &I) {
           return I.Busy[A].any() && I.Busy[B].any();
         });
}

std::optional<std::pair<uint64_t, uint64_t>>
cudaopt::findHull(const ElementSet &Set, const SharedVariable &V) {
  const int First = Set.find_first(), Last = Set.find_last();
  if (First < 0)
    return std::nullopt;
  // The bytes behind the last whole element belong to that element.
  const bool IsEnd = unsigned(Last) + 1 >= countElements(V);
  return {{uint64_t(First) * V.ElementSize,
           IsEnd ? V.Size : (uint64_t(Last) + 1) * V.ElementSize}};
}
