// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Between which bytes the key of each unplaced item must lie, if what is
/// placed stays where it is:
///  - of two items that interfere, one must be below the other, and often only
///  one way round is possible;
///  - what does not go where the placed items would let it lies on an unplaced
///  one;
///  - members of a section must fit between the least start and the latest end
///  that any of them have.
/// It costs more than a node of the search, and pays where the search is to
/// come to its end.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_PLACEMENT_KEYBOUNDS_H
#define CUDAOPT_LIB_PLACEMENT_KEYBOUNDS_H

#include "InterferenceGraph.h"

namespace cudaopt {

/// Where the search stands.
struct PartialPlacement {
  const ItemSet &Rest;                   ///< Unplaced items.
  const std::vector<unsigned> &Sections; ///< That have one of them.
  const std::vector<int64_t> &Keys;      ///< As the placed items let them.
  const std::vector<unsigned> &Ranks;
  int64_t Level;      ///< Nothing is placed below it any more,
  unsigned LevelRank; ///< nor at it with a lower rank.
  bool isPassed(ItemId I) const {
    return std::pair(Keys[I], Ranks[I]) < std::pair(Level, LevelRank);
  }
};

class KeyBounds {
public:
  KeyBounds(const InterferenceGraph &Graph, int64_t Capacity);

  /// False if the unplaced items do not all fit.
  bool narrow(const PartialPlacement &P);

  /// After narrow(): the least key that is possible.
  int64_t least(ItemId I) const { return Least[I]; }

private:
  bool raise(ItemId I, int64_t Key);
  bool lower(ItemId I, int64_t Key);
  bool canLieBelow(ItemId Lower, ItemId Upper) const {
    return Least[Lower] + distance(Lower, Upper) <= Latest[Upper];
  }
  int64_t distance(ItemId Lower, ItemId Upper) const {
    return Distances[Lower * Graph.Items.size() + Upper];
  }
  bool order(ItemId Lower, ItemId Upper);
  bool orderPairs(const PartialPlacement &P);
  bool support(const PartialPlacement &P);
  bool fitsSection(const PartialPlacement &P, unsigned Section);

  struct Window {
    int64_t Begin, End, Extent;
    size_t Bit; ///< In subsets of the section's members.
  };

  const InterferenceGraph &Graph;
  const int64_t Capacity;
  std::vector<int64_t> Distances; ///< By lower and upper item.
  std::vector<int64_t> Least, Latest;
  std::vector<ItemId> Rest;
  std::vector<Window> Windows;
  bool HasChanged = false;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_PLACEMENT_KEYBOUNDS_H
