// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Decides whether all items fit below a capacity: the search of MiniMalloc
/// (Moffitt, "MiniMalloc: A Lightweight Memory Allocator for
/// Hardware-Accelerated Machine Learning", ASPLOS 2023), for sections that have
/// no order in time.
///
/// Items are placed in ascending order of their keys, each as low as those
/// before it allow; ties are broken by rank. This loses no solution: every
/// placement can be compacted downwards into one of this form. A branch is
/// abandoned when
///  - the lowest free byte of a section plus the bytes it still needs exceed
///  the capacity;
///  - an item would leave a gap below it that an unplaced item could fill:
///  placing that item first is at least as good;
///  - in a small problem, the bounds of the keys cross (KeyBounds.h);
///  - the item that failed has no unplaced neighbour: its offset cannot be the
///  reason, so that the other branches fail, too.
/// When the unplaced items fall apart into connected components, each component
/// is solved by itself.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_PLACEMENT_SEARCH_H
#define CUDAOPT_LIB_PLACEMENT_SEARCH_H

#include "KeyBounds.h"
#include "SearchBudget.h"

#include <optional>
#include <string_view>
#include <unordered_set>

namespace cudaopt {

/// The outcome of a search.
enum class SearchEnd {
  Found,
  Infeasible, ///< It is proved that no placement exists.
  OutOfNodes,
  OutOfBudget,
};

/// The order in which items with equal keys are placed: by decreasing weight,
/// where the letters of Weights name the first weight, the second one for ties,
/// and so on. A: area (bytes x duration); B: bytes x intervals; C: number of
/// intervals; T: bytes of its fullest section; W: duration.
struct Ranking {
  std::string_view Weights;
  /// If not 0, each weight is multiplied by a pseudo-random factor between a
  /// half and one and a half, so that different seeds give different orders.
  uint64_t Seed = 0;
};

class PlacementSearch {
public:
  /// Searches placements of \p Items of \p Graph below \p Capacity; all other
  /// items are ignored.
  PlacementSearch(const InterferenceGraph &Graph, ItemSet Items,
                  int64_t Capacity);

  /// Searches with ranking \p By, at most \p MaxNodes nodes. The start and each
  /// node cost \p Budget as many steps as there are items to place and sections
  /// to look at.
  SearchEnd run(const Ranking &By, uint64_t MaxNodes, SearchBudget &Budget);

  /// After Found: the offset of \p Item.
  uint64_t offset(ItemId Item) const {
    return Keys[Item] - Graph.Items[Item].Anchor;
  }

  /// The number of nodes of the last run.
  uint64_t nodes() const { return Nodes; }

private:
  /// An unplaced item that a node may place next.
  struct Candidate {
    int64_t Key;
    unsigned Rank;
    ItemId Item;
    auto operator<=>(const Candidate &) const = default;
  };
  /// An entry of the undo log: a variable and the value that it had.
  struct Change {
    int64_t *Where;
    int64_t Old;
  };
  /// An unplaced item whose least key was raised by the item placed last.
  struct Raised {
    ItemId Item;
    int64_t OldKey;
  };
  /// A set of unplaced items that interfere with no other unplaced items.
  struct Component {
    ItemSet Items;
    /// The sections that have a member among Items.
    std::vector<unsigned> Sections;
  };

  void reset(uint64_t MaxNodes);
  double weigh(ItemId Item, char Weight) const;
  Component makeComponent(ItemSet Items) const;
  void rank(const ItemSet &Items);
  SearchEnd solveParts(const std::vector<ItemSet> &Parts);
  SearchEnd search(const Component &C, int64_t Level, unsigned LevelRank);
  std::vector<Candidate> findCandidates(const Component &C, int64_t Level,
                                        unsigned LevelRank) const;
  SearchEnd descend(const Component &C, const Candidate &Next,
                    const ItemSet &Rest);
  std::vector<ItemSet> splitAfter(ItemId Placed, const ItemSet &Rest) const;
  bool place(const Component &C, ItemId Item, const ItemSet &Rest);
  bool raiseNeighbours(ItemId Item, const ItemSet &Rest);
  bool stack(ItemId Item);
  bool fitsAbove(const Component &C, int64_t Level) const;
  bool fits(unsigned Section, int64_t Floor) const;
  void markSections(const Raised &R);
  bool raiseFloors(const ItemSet &Rest);
  uint64_t hash(const ItemSet &Items, int64_t Level, unsigned LevelRank,
                uint64_t Seed) const;
  SearchEnd branch(const Component &C, int64_t Level, unsigned LevelRank);
  void change(int64_t &Where, int64_t New);
  void undo(size_t To);

  const InterferenceGraph &Graph;
  const ItemSet AllItems;
  const int64_t Capacity;

  Ranking By;
  SearchBudget *Budget = nullptr;
  uint64_t Nodes = 0, NodeLimit = 0;
  /// Indexed by item: of a placed item its key, of an unplaced one the least
  /// key that the placed items allow.
  std::vector<int64_t> Keys;
  std::vector<unsigned> Ranks;
  /// Indexed by section: the lowest byte that may still be free.
  std::vector<int64_t> Floors;
  /// Indexed by section: the sum of the extents of its unplaced members.
  std::vector<int64_t> Totals;
  std::vector<Change> Changes; ///< The undo log.
  /// Identifies a state from which no placement was found (see hash()). Two
  /// hashes of 64 bits, since one alone may well coincide by accident, which
  /// would make a feasible problem appear infeasible.
  using Failure = std::pair<uint64_t, uint64_t>;
  struct FailureHash {
    size_t operator()(const Failure &F) const { return F.first; }
  };
  std::unordered_set<Failure, FailureHash> Failures;
  /// The items that the item being placed has raised.
  std::vector<Raised> RaisedItems;
  /// The sections whose floors may have risen.
  std::vector<unsigned> Marked;
  std::vector<char> IsMarked;
  std::optional<KeyBounds> Bounds; ///< Set for small problems only.
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_PLACEMENT_SEARCH_H
