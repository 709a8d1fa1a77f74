// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What the search knows of a problem: which items keep which distance, and the
/// sections whose members all keep apart.
///
/// An item's *anchor* is a byte that is in use in all of its intervals; its
/// *key* is where this byte lies: offset + anchor. Of two items that interfere,
/// the one with the lower key lies below the other in each interval that they
/// share. So a placement is an order of keys, as it is for items that are
/// always in use whole, whose anchors are 0.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_PLACEMENT_INTERFERENCEGRAPH_H
#define CUDAOPT_LIB_PLACEMENT_INTERFERENCEGRAPH_H

#include "ItemSet.h"
#include "Stack.h"

namespace cudaopt {

/// A multiple of \p Alignment, a power of two.
constexpr int64_t alignUp(int64_t Value, int64_t Alignment) {
  return (Value + Alignment - 1) & -Alignment;
}

struct GraphItem {
  int64_t Size = 0;
  int64_t Alignment = 1;
  int64_t Anchor = 0;
  int64_t Reach = 0; ///< The largest Distance to a neighbour.
  double Width = 0;  ///< How long it is in use.
  int64_t Count = 0; ///< In how many intervals it is in use.
};

struct Neighbour {
  ItemId Item;
  int64_t
      Distance; ///< Of the keys, at least, if the neighbour is the upper one.
};

/// A stretch of an item, seen from its anchor.
struct Stretch {
  int64_t Below, Above; ///< Bytes before the anchor, and from it to the end.
  int64_t extent() const { return Below + Above; }
};

struct SectionMember {
  ItemId Item;
  Stretch Busy;
};

/// Items that keep apart pairwise: those of an interval, or of a clique.
struct Section {
  std::vector<SectionMember> Members;
  int64_t MaxBelow = 0;
  /// The end of the topmost member may stand out of what is counted by this
  /// much: extents are rounded up to the alignment that all members have.
  int64_t Rounding = 0;
  /// Of subsets of Members; empty if not known to need more than the sum of
  /// their extents.
  LeastStacks Stacks;
};

/// The sections of an item.
struct SectionUses {
  std::vector<unsigned> Sections;
  std::vector<Stretch> Busy; ///< By index in Sections.
  int64_t MaxBelow = 0;
};

/// A problem of so many items is searched to the end, so that it pays to know
/// more of it.
constexpr size_t MaxBoundedItems = 64;

struct InterferenceGraph {
  std::vector<GraphItem> Items;
  std::vector<std::vector<Neighbour>> Neighbours;
  std::vector<ItemSet> Adjacent; ///< The same as bits.
  std::vector<Section> Sections;
  std::vector<SectionUses> Uses; ///< By item.
  /// All heights of interest are multiples of it.
  int64_t Step = 1;
  /// True if some item has no byte that all of its intervals use: it is taken
  /// to use more than it does, and not finding a placement proves nothing.
  bool IsWidened = false;
};

InterferenceGraph buildInterferenceGraph(const PlacementProblem &Problem);

/// True if both are in use in some interval.
std::vector<ItemSet> findAdjacency(const PlacementProblem &Problem);

/// \p Items split such that no two parts interfere.
std::vector<ItemSet> splitComponents(const std::vector<ItemSet> &Adjacent,
                                     ItemSet Items);

} // namespace cudaopt

#endif // CUDAOPT_LIB_PLACEMENT_INTERFERENCEGRAPH_H
