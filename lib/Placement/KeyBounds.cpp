// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Propagates bounds of keys to a fixed point.
//===----------------------------------------------------------------------===//

#include "KeyBounds.h"

#include <algorithm>
#include <limits>

namespace cudaopt {

/// Bounds may approach each other in small steps, so that the fixed point is
/// not always worth waiting for. Bounds are valid after any number of passes.
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

/// Orders each pair of interfering unplaced items if only one of the two orders
/// is possible; returns false if none is.
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

/// In a compacted placement every item rests on offset 0 or on another item. An
/// item that cannot be placed at the least key that the placed items allow (its
/// bound is higher, or the search has passed that key) therefore rests on an
/// unplaced item. Returns false if no unplaced item can lie below it.
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

/// For each start of a window W1 and each end of a window W2: the members whose
/// windows lie between the two must fit there, stacked one on the other.
/// Windows are visited in the order of their ends, so that each start takes one
/// pass.
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
