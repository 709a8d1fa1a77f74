// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Builds the interference graph of a placement problem: anchors, distances of
/// neighbours, and sections.
//===----------------------------------------------------------------------===//

#include "InterferenceGraph.h"

#include "Cliques.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace cudaopt {

/// The most cliques that become sections: more cost the search more than they
/// prune.
static constexpr size_t MaxCliques = 256;

/// The bytes that are in use in all of an item's intervals.
struct Core {
  int64_t Low = 0;
  int64_t High = std::numeric_limits<int64_t>::max();
};

static std::vector<Core> findCores(const PlacementProblem &Problem) {
  std::vector<Core> Cores(Problem.Items.size());
  for (const std::vector<BusyBytes> &Interval : Problem.Intervals)
    for (const BusyBytes &Busy : Interval) {
      Core &C = Cores[Busy.Item];
      C.Low = std::max(C.Low, int64_t(Busy.Low));
      C.High = std::min(C.High, int64_t(Busy.High));
    }
  return Cores;
}

/// Returns the byte of \p Item such that widening all of its uses to contain
/// that byte adds the fewest bytes. The least cost is reached at an end of some
/// use.
static uint64_t findCheapestByte(const PlacementProblem &Problem, ItemId Item) {
  std::vector<BusyBytes> Uses;
  for (const std::vector<BusyBytes> &Interval : Problem.Intervals)
    std::ranges::copy_if(Interval, std::back_inserter(Uses),
                         [&](const BusyBytes &B) { return B.Item == Item; });
  uint64_t Best = 0, LeastCost = std::numeric_limits<uint64_t>::max();
  for (const BusyBytes &Candidate : Uses)
    for (uint64_t Byte : {Candidate.Low, Candidate.High - 1}) {
      uint64_t Cost = 0;
      for (const BusyBytes &B : Uses)
        Cost += Byte < B.Low ? B.Low - Byte
                             : (Byte >= B.High ? Byte + 1 - B.High : 0);
      if (Cost < LeastCost) {
        LeastCost = Cost;
        Best = Byte;
      }
    }
  return Best;
}

/// Removes empty uses, and widens the uses of each item that has no byte in all
/// of them, so that it gets an anchor. Sets \p IsWidened if there is such an
/// item.
static PlacementProblem widen(PlacementProblem Problem, bool &IsWidened) {
  for (std::vector<BusyBytes> &Interval : Problem.Intervals)
    std::erase_if(Interval, [](const BusyBytes &B) { return B.Low >= B.High; });
  const std::vector<Core> Cores = findCores(Problem);
  for (ItemId I = 0; I < Cores.size(); ++I) {
    if (Cores[I].Low < Cores[I].High)
      continue;
    IsWidened = true;
    const uint64_t Byte = findCheapestByte(Problem, I);
    for (std::vector<BusyBytes> &Interval : Problem.Intervals)
      for (BusyBytes &B : Interval)
        if (B.Item == I) {
          B.Low = std::min(B.Low, Byte);
          B.High = std::max(B.High, Byte + 1);
        }
  }
  return Problem;
}

/// Returns a common divisor of all offsets in compacted placements: these are
/// sums of sizes and of bounds of the bytes in use, rounded up to alignments.
static int64_t findStep(const PlacementProblem &Problem) {
  uint64_t Step = 0;
  for (const PlacementItem &Item : Problem.Items)
    Step = std::gcd(Step, Item.Size);
  for (const std::vector<BusyBytes> &Interval : Problem.Intervals)
    for (const BusyBytes &B : Interval)
      Step = std::gcd(std::gcd(Step, B.Low), B.High);
  for (const PlacementItem &Item : Problem.Items)
    if (Step % Item.Alignment != 0)
      Step = std::gcd(Step, Item.Alignment);
  return Step ? Step : 1;
}

static Section makeSection(const std::vector<BusyBytes> &Interval,
                           const std::vector<GraphItem> &Items) {
  Section S;
  for (const BusyBytes &B : Interval) {
    const int64_t Anchor = Items[B.Item].Anchor;
    S.Members.push_back(
        {B.Item, {Anchor - int64_t(B.Low), int64_t(B.High) - Anchor}});
  }
  for (const SectionMember &M : S.Members)
    S.MaxBelow = std::max(S.MaxBelow, M.Busy.Below);
  std::ranges::sort(S.Members, {}, &SectionMember::Item);
  return S;
}

/// Rounds the extents of a section up to the alignment that all members have in
/// common. If no member has bytes in use before its anchor, every member begins
/// at a multiple of that alignment, so that the bytes up to it are lost.
static void roundExtents(Section &S, const std::vector<GraphItem> &Items) {
  int64_t Alignment = std::numeric_limits<int64_t>::max();
  for (const SectionMember &M : S.Members) {
    Alignment = std::min(Alignment, Items[M.Item].Alignment);
    if (Items[M.Item].Anchor != 0)
      Alignment = 1;
  }
  for (SectionMember &M : S.Members) {
    const int64_t Rounded = alignUp(M.Busy.Above, Alignment);
    S.Rounding = std::max(S.Rounding, Rounded - M.Busy.Above);
    M.Busy.Above = Rounded;
  }
}

static std::vector<StackedBytes>
stackMembers(const Section &S, const std::vector<GraphItem> &Items) {
  std::vector<StackedBytes> Bytes;
  for (const SectionMember &M : S.Members)
    Bytes.push_back({M.Busy.extent(), Items[M.Item].Alignment,
                     Items[M.Item].Anchor - M.Busy.Below});
  return Bytes;
}

/// Returns true if the section \p Small is redundant: all its members are
/// members of \p Large with at least the same bytes in use.
static bool isCovered(const Section &Small, const Section &Large) {
  auto L = Large.Members.begin();
  for (const SectionMember &M : Small.Members) {
    L = std::lower_bound(
        L, Large.Members.end(), M.Item,
        [](const SectionMember &A, ItemId I) { return A.Item < I; });
    if (L == Large.Members.end() || L->Item != M.Item ||
        L->Busy.Below < M.Busy.Below || L->Busy.Above < M.Busy.Above)
      return false;
  }
  return true;
}

static void addSection(std::vector<Section> &Sections, Section New) {
  if (New.Members.empty())
    return;
  for (const Section &Old : Sections)
    if (isCovered(New, Old))
      return;
  std::erase_if(Sections,
                [&](const Section &Old) { return isCovered(Old, New); });
  Sections.push_back(std::move(New));
}

/// Returns the sections of all intervals and of maximal cliques, without
/// redundant ones. In a clique, items are in use pairwise but perhaps never all
/// at once, so that only the bytes count that an item uses in all of its
/// intervals.
static std::vector<Section> findSections(const PlacementProblem &Problem,
                                         const InterferenceGraph &G) {
  std::vector<Section> Sections;
  for (const std::vector<BusyBytes> &Interval : Problem.Intervals)
    addSection(Sections, makeSection(Interval, G.Items));
  const std::vector<Core> Cores = findCores(Problem);
  for (const ItemSet &Clique : listMaximalCliques(G.Adjacent, MaxCliques)) {
    if (Clique.size() < 2)
      continue;
    std::vector<BusyBytes> Busy;
    Clique.forEach([&](ItemId I) {
      Busy.push_back({I, uint64_t(Cores[I].Low), uint64_t(Cores[I].High)});
    });
    addSection(Sections, makeSection(Busy, G.Items));
  }
  for (Section &S : Sections) {
    if (G.Items.size() <= MaxBoundedItems)
      S.Stacks = LeastStacks(stackMembers(S, G.Items), G.Step);
    if (S.Stacks.isEmpty())
      roundExtents(S, G.Items);
  }
  return Sections;
}

/// Sets the neighbours of each item. The distance of A below B is the maximum,
/// over the intervals that they share, of what keeps the bytes in use of A
/// below those of B.
static void findDistances(const PlacementProblem &Problem,
                          InterferenceGraph &G) {
  const size_t Count = G.Items.size();
  std::vector<int64_t> Distances(Count * Count);
  for (const std::vector<BusyBytes> &Interval : Problem.Intervals)
    for (const BusyBytes &A : Interval)
      for (const BusyBytes &B : Interval) {
        int64_t &Distance = Distances[A.Item * Count + B.Item];
        if (A.Item != B.Item)
          Distance = std::max(Distance, int64_t(A.High) - int64_t(B.Low) +
                                            G.Items[B.Item].Anchor -
                                            G.Items[A.Item].Anchor);
      }
  G.Neighbours.resize(Count);
  for (ItemId A = 0; A < Count; ++A)
    G.Adjacent[A].forEach([&](ItemId B) {
      const int64_t Distance = Distances[A * Count + B];
      G.Neighbours[A].push_back({B, Distance});
      G.Items[A].Reach = std::max(G.Items[A].Reach, Distance);
    });
}

std::vector<ItemSet> findAdjacency(const PlacementProblem &Problem) {
  const size_t Count = Problem.Items.size();
  std::vector<ItemSet> Adjacent(Count, ItemSet(Count));
  for (const std::vector<BusyBytes> &Interval : Problem.Intervals) {
    ItemSet Members(Count);
    for (const BusyBytes &B : Interval)
      if (B.Low < B.High)
        Members.insert(B.Item);
    Members.forEach([&](ItemId I) { Adjacent[I] |= Members; });
  }
  for (ItemId I = 0; I < Count; ++I)
    Adjacent[I].erase(I);
  return Adjacent;
}

InterferenceGraph buildInterferenceGraph(const PlacementProblem &Problem) {
  InterferenceGraph G;
  const PlacementProblem Widened = widen(Problem, G.IsWidened);
  const std::vector<Core> Cores = findCores(Widened);
  for (ItemId I = 0; I < Problem.Items.size(); ++I)
    G.Items.push_back({int64_t(Problem.Items[I].Size),
                       int64_t(Problem.Items[I].Alignment), Cores[I].Low});
  for (size_t I = 0; I < Widened.Intervals.size(); ++I)
    for (const BusyBytes &B : Widened.Intervals[I]) {
      G.Items[B.Item].Width +=
          Problem.Durations.empty() ? 1 : double(Problem.Durations[I]);
      ++G.Items[B.Item].Count;
    }
  G.Adjacent = findAdjacency(Widened);
  G.Step = findStep(Widened);
  G.Sections = findSections(Widened, G);
  findDistances(Widened, G);
  G.Uses.resize(G.Items.size());
  for (unsigned S = 0; S < G.Sections.size(); ++S)
    for (const SectionMember &M : G.Sections[S].Members) {
      SectionUses &Uses = G.Uses[M.Item];
      Uses.Sections.push_back(S);
      Uses.Busy.push_back(M.Busy);
      Uses.MaxBelow = std::max(Uses.MaxBelow, M.Busy.Below);
    }
  return G;
}

std::vector<ItemSet> splitComponents(const std::vector<ItemSet> &Adjacent,
                                     ItemSet Items) {
  std::vector<ItemSet> Components;
  while (!Items.empty()) {
    ItemSet Component(Adjacent.size()), Frontier(Adjacent.size());
    Frontier.insert(Items.first());
    while (!Frontier.empty()) {
      const ItemId I = Frontier.first();
      Component.insert(I);
      Items.erase(I);
      Frontier |= Adjacent[I];
      Frontier &= Items;
    }
    Components.push_back(std::move(Component));
  }
  return Components;
}

} // namespace cudaopt
