// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Whether all items go below a capacity: the search of MiniMalloc (Moffitt,
/// "MiniMalloc: A Lightweight Memory Allocator for Hardware-Accelerated Machine
/// Learning", ASPLOS 2023), for sections that have no order in time.
///
/// Items are placed in the order of their keys, each as low as those before it
/// let it; ties are broken by rank. A branch is left when
///  - a section's lowest free byte and the bytes it still needs exceed the
///  capacity;
///  - an item would leave a gap below it that an unplaced item fills whole;
///  - in a small problem, the bounds of keys cross (KeyBounds.h);
///  - the item that failed has no unplaced neighbour: its place does not
///  matter.
/// Unplaced items that fall apart into components are solved one by one.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_PLACEMENT_SEARCH_H
#define CUDAOPT_LIB_PLACEMENT_SEARCH_H

#include "KeyBounds.h"
#include "SearchBudget.h"

#include <optional>
#include <string_view>
#include <unordered_set>

namespace cudaopt {

enum class SearchEnd {
  Found,
  Infeasible, ///< Proved.
  OutOfNodes,
  OutOfBudget,
};

/// What is placed first among equals: what has more of the first weight, of the
/// second among equals, and so on. A: area (bytes x duration); B: bytes x
/// intervals; C: intervals; T: bytes of its fullest section; W: duration.
struct Ranking {
  std::string_view Weights;
  uint64_t Seed = 0; ///< Unless 0, weights are falsified by up to a half.
};

class PlacementSearch {
public:
  /// Searches \p Items of \p Graph; the others do not exist.
  PlacementSearch(const InterferenceGraph &Graph, ItemSet Items,
                  int64_t Capacity);

  /// A run, and each of its nodes, costs \p Budget as many steps as there are
  /// items to place and sections to look at.
  SearchEnd run(const Ranking &By, uint64_t MaxNodes, SearchBudget &Budget);

  /// After Found: of \p Item.
  uint64_t offset(ItemId Item) const {
    return Keys[Item] - Graph.Items[Item].Anchor;
  }

  uint64_t nodes() const { return Nodes; }

private:
  struct Candidate {
    int64_t Key;
    unsigned Rank;
    ItemId Item;
    auto operator<=>(const Candidate &) const = default;
  };
  struct Change {
    int64_t *Where;
    int64_t Old;
  };
  struct Raised {
    ItemId Item;
    int64_t OldKey;
  };
  /// Unplaced items that interfere with no other unplaced ones.
  struct Component {
    ItemSet Items;
    std::vector<unsigned> Sections; ///< That have one of them.
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
  std::vector<int64_t> Keys; ///< Of unplaced items: the least that is possible.
  std::vector<unsigned> Ranks;
  std::vector<int64_t> Floors; ///< By section: the lowest byte that is free.
  std::vector<int64_t> Totals; ///< By section: bytes of unplaced members.
  std::vector<Change> Changes;
  /// What is left to place, and from where on, where that was found to fail:
  /// two hashes, as one alone may well coincide.
  using Failure = std::pair<uint64_t, uint64_t>;
  struct FailureHash {
    size_t operator()(const Failure &F) const { return F.first; }
  };
  std::unordered_set<Failure, FailureHash> Failures;
  std::vector<Raised> RaisedItems; ///< By the item that is placed.
  std::vector<unsigned> Marked;    ///< Sections whose floors may have risen.
  std::vector<char> IsMarked;
  std::optional<KeyBounds> Bounds; ///< Of small problems.
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_PLACEMENT_SEARCH_H
