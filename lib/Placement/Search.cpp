// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The depth-first search for a placement below a capacity.
//===----------------------------------------------------------------------===//

#include "Search.h"

#include <algorithm>
#include <array>
#include <limits>

namespace cudaopt {

/// The most failed states that are remembered: a limit of memory.
static constexpr size_t MaxFailures = 1 << 20;

static constexpr int64_t Infinite = std::numeric_limits<int64_t>::max();

PlacementSearch::PlacementSearch(const InterferenceGraph &Graph, ItemSet Items,
                                 int64_t Capacity)
    : Graph(Graph), AllItems(std::move(Items)), Capacity(Capacity),
      Keys(Graph.Items.size()), Ranks(Graph.Items.size()),
      Floors(Graph.Sections.size()), Totals(Graph.Sections.size()),
      IsMarked(Graph.Sections.size()) {
  if (Graph.Items.size() <= MaxBoundedItems)
    Bounds.emplace(Graph, Capacity);
}

SearchEnd PlacementSearch::run(const Ranking &NewBy, uint64_t MaxNodes,
                               SearchBudget &NewBudget) {
  Budget = &NewBudget;
  By = NewBy;
  reset(MaxNodes);
  bool TooLarge = false;
  AllItems.forEach(
      [&](ItemId I) { TooLarge |= Graph.Items[I].Size > Capacity; });
  if (TooLarge)
    return SearchEnd::Infeasible;
  if (!Budget->spend(AllItems.size() + Graph.Sections.size()))
    return SearchEnd::OutOfBudget;
  return solveParts(splitComponents(Graph.Adjacent, AllItems));
}

void PlacementSearch::reset(uint64_t MaxNodes) {
  Nodes = 0;
  NodeLimit = MaxNodes;
  Changes.clear();
  // A failed state depends on the order of equal keys, hence on the ranking.
  Failures.clear();
  std::ranges::fill(Floors, 0);
  std::ranges::fill(Totals, 0);
  AllItems.forEach([&](ItemId I) {
    Keys[I] = Graph.Items[I].Anchor;
    const SectionUses &Uses = Graph.Uses[I];
    for (size_t U = 0; U < Uses.Sections.size(); ++U)
      Totals[Uses.Sections[U]] += Uses.Busy[U].extent();
  });
}

PlacementSearch::Component PlacementSearch::makeComponent(ItemSet Items) const {
  Component C{std::move(Items), {}};
  std::vector<bool> IsIn(Graph.Sections.size());
  C.Items.forEach([&](ItemId I) {
    for (unsigned S : Graph.Uses[I].Sections)
      IsIn[S] = true;
  });
  for (unsigned S = 0; S < IsIn.size(); ++S)
    if (IsIn[S])
      C.Sections.push_back(S);
  return C;
}

/// Returns \p Weight times a factor in proportion to 136..376: a variation by
/// about a half, by a hash of \p Seed and \p Item. Only the order of weights
/// matters, so that a common factor does not.
static double falsify(double Weight, uint64_t Seed, ItemId Item) {
  uint64_t Mix = (Seed * 0x9e3779b97f4a7c15 + Item) * 0xbf58476d1ce4e5b9;
  Mix = (Mix ^ Mix >> 29) * 0x94d049bb133111eb;
  return Weight * (136 + (Mix >> 32) % 241);
}

/// Returns the weight of an item that a letter of Ranking::Weights names.
double PlacementSearch::weigh(ItemId Item, char Weight) const {
  const GraphItem &I = Graph.Items[Item];
  switch (Weight) {
  case 'A':
    return double(I.Size) * I.Width;
  case 'B':
    return double(I.Size * I.Count);
  case 'C':
    return double(I.Count);
  case 'W':
    return I.Width;
  default: {
    int64_t Fullest = 0;
    for (unsigned S : Graph.Uses[Item].Sections)
      Fullest = std::max(Fullest, Totals[S]);
    return double(Fullest);
  }
  }
}

/// Numbers \p Items by decreasing weight.
void PlacementSearch::rank(const ItemSet &Items) {
  struct Ranked {
    std::array<double, 4> Weights;
    ItemId Item;
  };
  std::vector<Ranked> Order;
  Items.forEach([&](ItemId I) {
    Ranked R{{}, I};
    for (size_t W = 0; W < By.Weights.size(); ++W) {
      R.Weights[W] = weigh(I, By.Weights[W]);
      if (By.Seed)
        R.Weights[W] = falsify(R.Weights[W], By.Seed, I);
    }
    Order.push_back(R);
  });
  std::ranges::sort(Order, [](const Ranked &A, const Ranked &B) {
    return A.Weights != B.Weights ? A.Weights > B.Weights : A.Item < B.Item;
  });
  for (unsigned R = 0; R < Order.size(); ++R)
    Ranks[Order[R].Item] = R;
}

/// Solves parts that do not interfere with each other, each from level 0 on:
/// the order of keys matters only within a part. Undoes all parts if one fails.
SearchEnd PlacementSearch::solveParts(const std::vector<ItemSet> &Parts) {
  const size_t Begin = Changes.size();
  const std::vector<unsigned> OldRanks = Ranks;
  for (const ItemSet &Part : Parts) {
    rank(Part);
    const SearchEnd End = search(makeComponent(Part), 0, 0);
    if (End == SearchEnd::Found)
      continue;
    undo(Begin);
    Ranks = OldRanks;
    return End;
  }
  return SearchEnd::Found;
}

/// A node of the search: places the items of \p C at (\p Level, \p LevelRank)
/// or above. A small problem looks the state up among those that are known to
/// fail.
SearchEnd PlacementSearch::search(const Component &C, int64_t Level,
                                  unsigned LevelRank) {
  if (C.Items.empty())
    return SearchEnd::Found;
  if (Nodes++ == NodeLimit)
    return SearchEnd::OutOfNodes;
  // Computing the bounds of keys looks at everything once more.
  const uint64_t Looks = Bounds ? 2 : 1;
  if (!Budget->spend(Looks * (C.Items.size() + C.Sections.size())))
    return SearchEnd::OutOfBudget;
  if (Graph.Items.size() > MaxBoundedItems)
    return branch(C, Level, LevelRank);
  const Failure Left = {hash(C.Items, Level, LevelRank, 1),
                        hash(C.Items, Level, LevelRank, 2)};
  if (Failures.contains(Left))
    return SearchEnd::Infeasible;
  const SearchEnd End = branch(C, Level, LevelRank);
  if (End == SearchEnd::Infeasible && Failures.size() < MaxFailures)
    Failures.insert(Left);
  return End;
}

/// Hashes the state of a node: which items are unplaced, their least keys, and
/// whether the search has passed them. The placed items matter only through the
/// least keys that they allow.
uint64_t PlacementSearch::hash(const ItemSet &Items, int64_t Level,
                               unsigned LevelRank, uint64_t Seed) const {
  uint64_t Hash = Seed * 0x9e3779b97f4a7c15;
  Items.forEach([&](ItemId I) {
    const bool IsBelow =
        std::pair(Keys[I], Ranks[I]) < std::pair(Level, LevelRank);
    Hash = (Hash ^ (uint64_t(Keys[I]) << 9 | I << 1 | IsBelow)) *
           0xbf58476d1ce4e5b9;
    Hash ^= Hash >> 31;
  });
  return Hash;
}

/// Tries all candidates as the next item.
SearchEnd PlacementSearch::branch(const Component &C, int64_t Level,
                                  unsigned LevelRank) {
  if (Bounds &&
      !Bounds->narrow({C.Items, C.Sections, Keys, Ranks, Level, LevelRank}))
    return SearchEnd::Infeasible;
  for (const Candidate &Next : findCandidates(C, Level, LevelRank)) {
    ItemSet Rest = C.Items;
    Rest.erase(Next.Item);
    const size_t Begin = Changes.size();
    SearchEnd End = SearchEnd::Infeasible;
    if (place(C, Next.Item, Rest))
      End = descend(C, Next, Rest);
    if (End != SearchEnd::Infeasible)
      return End;
    undo(Begin);
    // If no unplaced item interferes with the one that was tried, its offset is
    // not the reason of the failure: the rest fails wherever it lies.
    ItemSet Above = Graph.Adjacent[Next.Item];
    Above &= Rest;
    if (Above.empty())
      break;
  }
  return SearchEnd::Infeasible;
}

std::vector<PlacementSearch::Candidate>
PlacementSearch::findCandidates(const Component &C, int64_t Level,
                                unsigned LevelRank) const {
  // If the next item, and so all later ones, had a key of Ceiling or more, the
  // item that attains the minimum would fit at its least key whatever follows.
  // So it is enough to try candidates below Ceiling.
  int64_t Ceiling = Infinite;
  C.Items.forEach([&](ItemId I) {
    Ceiling =
        std::min(Ceiling, Keys[I] + std::max<int64_t>(Graph.Items[I].Reach, 1));
  });
  std::vector<Candidate> Candidates;
  C.Items.forEach([&](ItemId I) {
    if (Keys[I] < Ceiling && (!Bounds || Bounds->least(I) == Keys[I]) &&
        (Keys[I] > Level || (Keys[I] == Level && Ranks[I] >= LevelRank)))
      Candidates.push_back({Keys[I], Ranks[I], I});
  });
  std::ranges::sort(Candidates);
  return Candidates;
}

/// Goes on with \p Rest after \p Next was placed, component by component if \p
/// Next has connected them.
SearchEnd PlacementSearch::descend(const Component &C, const Candidate &Next,
                                   const ItemSet &Rest) {
  std::vector<ItemSet> Parts = splitAfter(Next.Item, Rest);
  if (Parts.size() > 1)
    return solveParts(Parts);
  Component Remaining{Rest, {}};
  for (unsigned S : C.Sections)
    if (Totals[S] > 0)
      Remaining.Sections.push_back(S);
  return search(Remaining, Next.Key, Next.Rank);
}

/// Returns the components of \p Rest, which is connected together with
/// \p Placed. They are more than one only if some neighbours of \p Placed do
/// not reach each other, which a breadth-first search from one of them tells
/// without visiting everything. Returns no component if \p Placed has no
/// neighbours left.
std::vector<ItemSet> PlacementSearch::splitAfter(ItemId Placed,
                                                 const ItemSet &Rest) const {
  ItemSet Ends = Graph.Adjacent[Placed];
  Ends &= Rest;
  if (Ends.empty())
    return {};
  ItemSet Seen(Graph.Items.size()), Frontier(Graph.Items.size());
  Frontier.insert(Ends.first());
  while (!Frontier.empty()) {
    const ItemId I = Frontier.first();
    Seen.insert(I);
    Frontier |= Graph.Adjacent[I];
    Frontier &= Rest;
    Frontier -= Seen;
    ItemSet Reached = Seen;
    Reached |= Frontier;
    if (Ends.isSubsetOf(Reached))
      return {Rest};
  }
  return splitComponents(Graph.Adjacent, Rest);
}

/// Places \p Item at its least key. Returns false if what remains certainly
/// does not fit; the cheapest checks come first. The caller undoes the changes.
bool PlacementSearch::place(const Component &C, ItemId Item,
                            const ItemSet &Rest) {
  if (!raiseNeighbours(Item, Rest) || !stack(Item) || !fitsAbove(C, Keys[Item]))
    return false;
  markSections({Item, Keys[Item]});
  for (const Raised &R : RaisedItems)
    markSections(R);
  const bool Fits = raiseFloors(Rest);
  for (unsigned S : Marked)
    IsMarked[S] = false;
  Marked.clear();
  return Fits;
}

/// Raises the least keys of the unplaced neighbours above \p Item; returns
/// false if one no longer fits below the capacity.
bool PlacementSearch::raiseNeighbours(ItemId Item, const ItemSet &Rest) {
  RaisedItems.clear();
  for (const Neighbour &N : Graph.Neighbours[Item]) {
    const int64_t Least = Keys[Item] + N.Distance;
    if (Keys[N.Item] >= Least || !Rest.contains(N.Item))
      continue;
    const GraphItem &Other = Graph.Items[N.Item];
    const int64_t Offset =
        alignUp(std::max<int64_t>(Least - Other.Anchor, 0), Other.Alignment);
    if (Offset + Other.Size > Capacity)
      return false;
    RaisedItems.push_back({N.Item, Keys[N.Item]});
    change(Keys[N.Item], Offset + Other.Anchor);
  }
  return true;
}

/// Takes \p Item from the unplaced members of its sections and raises their
/// floors to its top. Returns false if a section no longer fits.
bool PlacementSearch::stack(ItemId Item) {
  const SectionUses &Uses = Graph.Uses[Item];
  for (size_t U = 0; U < Uses.Sections.size(); ++U) {
    const unsigned S = Uses.Sections[U];
    change(Totals[S], Totals[S] - Uses.Busy[U].extent());
    change(Floors[S], std::max(Floors[S], Keys[Item] + Uses.Busy[U].Above));
    if (!fits(S, Floors[S]))
      return false;
  }
  return true;
}

/// Returns true if each section still has room, given that no key will be below
/// \p Level any more.
bool PlacementSearch::fitsAbove(const Component &C, int64_t Level) const {
  return std::ranges::all_of(C.Sections, [&](unsigned S) {
    return fits(S, std::max(Floors[S], Level - Graph.Sections[S].MaxBelow));
  });
}

/// Returns true if the unplaced members of \p Section fit between \p Floor and
/// the capacity.
bool PlacementSearch::fits(unsigned Section, int64_t Floor) const {
  return Totals[Section] == 0 ||
         Floor + Totals[Section] <= Capacity + Graph.Sections[Section].Rounding;
}

/// Marks the sections whose floor may have been due to the item, since it could
/// have begun there before it was raised.
void PlacementSearch::markSections(const Raised &R) {
  const SectionUses &Uses = Graph.Uses[R.Item];
  const int64_t OldLow = R.OldKey - Uses.MaxBelow;
  for (unsigned S : Uses.Sections)
    if (OldLow <= Floors[S] && !IsMarked[S]) {
      IsMarked[S] = true;
      Marked.push_back(S);
    }
}

/// Raises the floors of the marked sections to the lowest byte that an unplaced
/// member can still reach; returns false if a section no longer fits.
bool PlacementSearch::raiseFloors(const ItemSet &Rest) {
  for (unsigned S : Marked) {
    int64_t Lowest = Infinite;
    for (const SectionMember &M : Graph.Sections[S].Members)
      if (Rest.contains(M.Item)) {
        Lowest = std::min(Lowest, Keys[M.Item] - M.Busy.Below);
        if (Lowest <= Floors[S])
          break;
      }
    if (Lowest == Infinite || Lowest <= Floors[S])
      continue;
    change(Floors[S], Lowest);
    if (!fits(S, Lowest))
      return false;
  }
  return true;
}

void PlacementSearch::change(int64_t &Where, int64_t New) {
  if (Where == New)
    return;
  Changes.push_back({&Where, Where});
  Where = New;
}

void PlacementSearch::undo(size_t To) {
  while (Changes.size() > To) {
    *Changes.back().Where = Changes.back().Old;
    Changes.pop_back();
  }
}

} // namespace cudaopt
