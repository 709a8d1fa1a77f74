// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Lower and upper bounds of the keys of all unplaced items, given that the
/// placed items stay where they are. Bounds are propagated to a fixed point; if
/// those of an item cross, the node of the search has no solution. Three rules
/// apply:
///  - of two items that interfere one must be below the other, and often only
///  one way round is possible;
///  - an item that does not go where the placed items alone would let it go
///  must rest on an unplaced item;
///  - the members of a section must fit between the least start and the latest
///  end that any of them have (the energetic reasoning of scheduling).
/// This costs more than a node of the search, and pays in problems that are
/// searched to the end.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_PLACEMENT_KEYBOUNDS_H
#define CUDAOPT_LIB_PLACEMENT_KEYBOUNDS_H

#include "InterferenceGraph.h"

namespace cudaopt {

/// A node of the search.
struct PartialPlacement {
  const ItemSet &Rest; ///< The unplaced items.
  /// The sections that have an unplaced member.
  const std::vector<unsigned> &Sections;
  /// Indexed by item: the least key that the placed items allow.
  const std::vector<int64_t> &Keys;
  /// Indexed by item: the order among equal keys.
  const std::vector<unsigned> &Ranks;
  /// Items are placed in ascending order of (key, rank): no item will be placed
  /// below (Level, LevelRank) any more.
  int64_t Level;
  unsigned LevelRank;
  /// Returns true if \p I can no longer be placed at its least key, since the
  /// search has passed it.
  bool isPassed(ItemId I) const {
    return std::pair(Keys[I], Ranks[I]) < std::pair(Level, LevelRank);
  }
};

class KeyBounds {
public:
  KeyBounds(const InterferenceGraph &Graph, int64_t Capacity);

  /// Computes the bounds for \p P. Returns false if the unplaced items cannot
  /// all be placed below the capacity. The bounds hold until the next call.
  bool narrow(const PartialPlacement &P);

  /// The least key of \p I that is still possible, as of the last narrow().
  int64_t least(ItemId I) const { return Least[I]; }

private:
  /// Raises the lower bound of a key, or lowers the upper bound, to the next
  /// aligned value. They return false if the bounds cross.
  bool raise(ItemId I, int64_t Key);
  bool lower(ItemId I, int64_t Key);
  bool canLieBelow(ItemId Lower, ItemId Upper) const {
    return Least[Lower] + distance(Lower, Upper) <= Latest[Upper];
  }
  int64_t distance(ItemId Lower, ItemId Upper) const {
    return Distances[Lower * Graph.Items.size() + Upper];
  }
  /// Makes \p Lower lie below \p Upper.
  bool order(ItemId Lower, ItemId Upper);
  bool orderPairs(const PartialPlacement &P);
  bool support(const PartialPlacement &P);
  bool fitsSection(const PartialPlacement &P, unsigned Section);

  /// The bytes between the least start and the latest end of an unplaced member
  /// of a section.
  struct Window {
    int64_t Begin, End, Extent;
    size_t Bit; ///< The member's bit in subsets of the section.
  };

  const InterferenceGraph &Graph;
  const int64_t Capacity;
  /// Indexed by (lower item, upper item): the least difference of their keys.
  std::vector<int64_t> Distances;
  std::vector<int64_t> Least, Latest;
  std::vector<ItemId> Rest;
  std::vector<Window> Windows;
  bool HasChanged = false;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_PLACEMENT_KEYBOUNDS_H
