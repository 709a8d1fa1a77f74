// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The form in which the search sees a problem: the interference graph with the
/// distance that each pair of items must keep, and sections: sets of items that
/// all keep apart.
///
/// An item's *anchor* is a byte that is in use in all of its intervals; its
/// *key* is where this byte lies: offset + anchor. If two items interfere, the
/// one with the lower key lies below the other in each interval that they
/// share, since both anchors are in use there. So a placement is determined by
/// an order of keys, just as for items that are always in use as a whole, whose
/// anchors are 0.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_PLACEMENT_INTERFERENCEGRAPH_H
#define CUDAOPT_LIB_PLACEMENT_INTERFERENCEGRAPH_H

#include "ItemSet.h"
#include "Stack.h"

namespace cudaopt {

/// Returns the least multiple of \p Alignment, a power of two, that is not less
/// than \p Value.
constexpr int64_t alignUp(int64_t Value, int64_t Alignment) {
  return (Value + Alignment - 1) & -Alignment;
}

struct GraphItem {
  int64_t Size = 0;
  int64_t Alignment = 1;
  int64_t Anchor = 0;
  /// The largest Distance to a neighbour.
  int64_t Reach = 0;
  /// The sum of the durations of its intervals.
  double Width = 0;
  /// The number of intervals in which it is in use.
  int64_t Count = 0;
};

/// An edge of the interference graph, from the item that owns it to Item.
struct Neighbour {
  ItemId Item;
  /// The least difference of the keys if the neighbour lies above.
  int64_t Distance;
};

/// The bytes of an item that are in use, seen from its anchor.
struct Stretch {
  /// The number of bytes in use before the anchor, and from the anchor on.
  int64_t Below, Above;
  int64_t extent() const { return Below + Above; }
};

struct SectionMember {
  ItemId Item;
  Stretch Busy;
};

/// Items that keep apart pairwise: those in use in one interval, or those of a
/// clique. The sum of their extents must fit below the capacity.
struct Section {
  std::vector<SectionMember> Members;
  /// The greatest Stretch::Below of the members.
  int64_t MaxBelow = 0;
  /// Extents are rounded up to the alignment that all members have in common,
  /// since each member but the topmost one takes that much. The topmost one
  /// need not, so that the sum of extents may exceed the capacity by this.
  int64_t Rounding = 0;
  /// Heights of the stacks of subsets of Members; empty if they are not known
  /// to be higher than the sum of the extents.
  LeastStacks Stacks;
};

/// The sections that an item is a member of.
struct SectionUses {
  std::vector<unsigned> Sections;
  std::vector<Stretch> Busy; ///< Parallel to Sections.
  /// The greatest Stretch::Below of Busy.
  int64_t MaxBelow = 0;
};

/// Problems of at most this many items are usually searched to the end, so that
/// costlier bounds (LeastStacks, KeyBounds) and a memory of failed states pay.
constexpr size_t MaxBoundedItems = 64;

struct InterferenceGraph {
  std::vector<GraphItem> Items;
  std::vector<std::vector<Neighbour>> Neighbours;
  std::vector<ItemSet> Adjacent; ///< The edges as bits.
  std::vector<Section> Sections;
  std::vector<SectionUses> Uses; ///< Indexed by item.
  /// A common divisor of all offsets that matter, so that all heights of
  /// interest are multiples of it.
  int64_t Step = 1;
  /// True if some item has no byte that all of its intervals use. Such an item
  /// is treated as if it used more bytes than it does, so that it has an
  /// anchor. A placement of the widened items is correct for the items, but the
  /// failure to find one proves nothing about them.
  bool IsWidened = false;
};

InterferenceGraph buildInterferenceGraph(const PlacementProblem &Problem);

/// Returns the interference graph as one set of neighbours per item: two items
/// interfere if both are in use in some interval.
std::vector<ItemSet> findAdjacency(const PlacementProblem &Problem);

/// Splits \p Items into the connected components of the subgraph that they
/// induce.
std::vector<ItemSet> splitComponents(const std::vector<ItemSet> &Adjacent,
                                     ItemSet Items);

} // namespace cudaopt

#endif // CUDAOPT_LIB_PLACEMENT_INTERFERENCEGRAPH_H
