// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Bounds of keys, narrowed until nothing changes.
//===----------------------------------------------------------------------===//

#include "KeyBounds.h"

#include <algorithm>
#include <limits>

namespace cudaopt {

/// Bounds may creep towards each other in small steps.
static constexpr unsigned MaxPasses = 16;

KeyBounds::KeyBounds(const InterferenceGraph &Graph, int64_t Capacity)
    : Graph(Graph), Capacity(Capacity),
      Distances(Graph.Items.size() * Graph.Items.size()),
      Least(Graph.Items.size()), Latest(Graph.Items.size()) {
  for (ItemId I = 0; I < Graph.Items.size(); ++I)
    for (const Neighbour &N : Graph.Neighbours[I])
      Distances[I * Graph.Items.size() + N.Item] = N.Distance;
}

bool KeyBounds::raise(ItemId I, int64_t Key) {
  if (Key <= Least[I])
    return true;
  const GraphItem &Item = Graph.Items[I];
  Least[I] = alignUp(Key - Item.Anchor, Item.Alignment) + Item.Anchor;
  HasChanged = true;
  return Least[I] <= Latest[I];
}

bool KeyBounds::lower(ItemId I, int64_t Key) {
  if (Key >= Latest[I])
    return true;
  const GraphItem &Item = Graph.Items[I];
  Latest[I] = ((Key - Item.Anchor) & -Item.Alignment) + Item.Anchor;
  HasChanged = true;
  return Least[I] <= Latest[I];
}

bool KeyBounds::narrow(const PartialPlacement &P) {
  Rest.clear();
  P.Rest.forEach([&](ItemId I) { Rest.push_back(I); });
  for (ItemId I : Rest) {
    const GraphItem &Item = Graph.Items[I];
    Least[I] = P.Keys[I];
    Latest[I] = ((Capacity - Item.Size) & -Item.Alignment) + Item.Anchor;
    if (Least[I] > Latest[I] || !raise(I, P.Level))
      return false;
  }
  HasChanged = true;
  for (unsigned Pass = 0; HasChanged && Pass < MaxPasses; ++Pass) {
    HasChanged = false;
    if (!orderPairs(P) || !support(P))
      return false;
  }
  return std::ranges::all_of(P.Sections,
                             [&](unsigned S) { return fitsSection(P, S); });
}

bool KeyBounds::order(ItemId Lower, ItemId Upper) {
  const int64_t Distance = distance(Lower, Upper);
  return raise(Upper, Least[Lower] + Distance) &&
         lower(Lower, Latest[Upper] - Distance);
}

bool KeyBounds::orderPairs(const PartialPlacement &P) {
  for (ItemId A : Rest)
    for (const Neighbour &N : Graph.Neighbours[A]) {
      const ItemId B = N.Item;
      if (B <= A || !P.Rest.contains(B))
        continue;
      const bool CanAB = canLieBelow(A, B), CanBA = canLieBelow(B, A);
      if (CanAB ? !CanBA && !order(A, B) : !CanBA || !order(B, A))
        return false;
    }
  return true;
}

/// An item that is above its key, or was passed, lies on one that comes later.
bool KeyBounds::support(const PartialPlacement &P) {
  for (ItemId I : Rest) {
    if (Least[I] == P.Keys[I] && !P.isPassed(I))
      continue;
    int64_t Lowest = std::numeric_limits<int64_t>::max();
    for (const Neighbour &N : Graph.Neighbours[I])
      if (P.Rest.contains(N.Item) && canLieBelow(N.Item, I))
        Lowest = std::min(Lowest, Least[N.Item] + distance(N.Item, I));
    if (Lowest == std::numeric_limits<int64_t>::max() || !raise(I, Lowest))
      return false;
  }
  return true;
}

bool KeyBounds::fitsSection(const PartialPlacement &P, unsigned Section) {
  const struct Section &S = Graph.Sections[Section];
  Windows.clear();
  for (size_t M = 0; M < S.Members.size(); ++M) {
    const auto &[Item, Busy] = S.Members[M];
    if (P.Rest.contains(Item))
      Windows.push_back({Least[Item] - Busy.Below, Latest[Item] + Busy.Above,
                         Busy.extent(), size_t(1) << M});
  }
  std::ranges::sort(Windows, {}, &Window::End);
  for (const Window &First : Windows) {
    int64_t End = First.Begin;
    size_t Set = 0;
    for (const Window &W : Windows) {
      if (W.Begin < First.Begin)
        continue;
      Set |= W.Bit;
      End = S.Stacks.isEmpty() ? End + W.Extent
                               : S.Stacks.findEnd(First.Begin, Set);
      if (End > W.End)
        return false;
    }
  }
  return true;
}

} // namespace cudaopt
