// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Lists partitions, merges the items of a placement problem by groups, and
/// expands trees of groups to trees of variables: a group becomes a union.
//===----------------------------------------------------------------------===//

#include "VariableGroups.h"

#include "ReuseProblem.h"

#include "llvm/ADT/STLExtras.h"

using namespace cudaopt;

/// The number of pairs up to which every subset is tried.
static constexpr size_t MaxPairs = 4;

VariableGroups::VariableGroups(unsigned NumVariables)
    : Groups(NumVariables), GroupOf(NumVariables) {
  for (unsigned V = 0; V != NumVariables; ++V) {
    Groups[V] = {V};
    GroupOf[V] = V;
  }
}

bool VariableGroups::join(InPlacePair Pair, const ReuseProblem &In) {
  const unsigned To = GroupOf[Pair.A], From = GroupOf[Pair.B];
  if (To == From)
    return true;
  for (unsigned A : Groups[To])
    for (unsigned B : Groups[From])
      if (In.interfere(A, B) && !In.mayShareInPlace(A, B))
        return false;
  Groups[To].append(Groups[From]);
  llvm::sort(Groups[To]);
  Groups.erase(Groups.begin() + From);
  for (auto [G, Members] : llvm::enumerate(Groups))
    for (unsigned V : Members)
      GroupOf[V] = G;
  return true;
}

std::vector<VariableGroups> VariableGroups::listAll(const ReuseProblem &In,
                                                    const ReuseInstance &I) {
  const std::vector<PlacementItem> Items = In.itemsOf(I);
  const unsigned NumVariables = Items.size();
  std::vector<InPlacePair> Pairs;
  for (unsigned B = 0; B != NumVariables; ++B)
    for (unsigned A = 0; A != B; ++A)
      if (In.interfere(A, B) && In.mayShareInPlace(A, B))
        Pairs.push_back({A, B});
  auto saves = [&](const InPlacePair &Pair) {
    return std::min(Items[Pair.A].Size, Items[Pair.B].Size);
  };
  llvm::sort(Pairs, [&](const InPlacePair &A, const InPlacePair &B) {
    return std::tuple(saves(B), A.A, A.B) < std::tuple(saves(A), B.A, B.B);
  });
  std::vector<VariableGroups> All;
  if (Pairs.size() > MaxPairs) {
    VariableGroups Grown(NumVariables);
    for (const InPlacePair &Pair : Pairs)
      if (Grown.join(Pair, In))
        All.push_back(Grown);
    return All;
  }
  for (unsigned Chosen = 1; Chosen < 1u << Pairs.size(); ++Chosen) {
    VariableGroups Joined(NumVariables);
    bool IsValid = true;
    for (auto [Bit, Pair] : llvm::enumerate(Pairs))
      IsValid &= !(Chosen >> Bit & 1) || Joined.join(Pair, In);
    if (IsValid)
      All.push_back(std::move(Joined));
  }
  return All;
}

PlacementProblem
VariableGroups::mergeItems(const PlacementProblem &Problem) const {
  PlacementProblem Merged;
  Merged.Items.resize(Groups.size());
  for (auto [Item, G] : llvm::zip_equal(Problem.Items, GroupOf)) {
    PlacementItem &Whole = Merged.Items[G];
    Whole.Size = std::max(Whole.Size, Item.Size);
    Whole.Alignment = std::max(Whole.Alignment, Item.Alignment);
  }
  for (const std::vector<BusyBytes> &Interval : Problem.Intervals) {
    std::vector<BusyBytes> Busy;
    for (const BusyBytes &Each : Interval) {
      const unsigned G = GroupOf[Each.Item];
      if (llvm::none_of(Busy, [G](const BusyBytes &B) { return B.Item == G; }))
        Busy.push_back({G, 0, Merged.Items[G].Size});
    }
    Merged.Intervals.push_back(std::move(Busy));
  }
  return Merged;
}

/// Returns \p Tree, a tree of groups, as a tree of variables. A union directly
/// within a union is merged into it.
StorageNode VariableGroups::expand(const StorageNode &Tree) const {
  StorageNode Result = Tree;
  if (Tree.What == StorageNode::Kind::Variable) {
    const Group &Members = Groups[Tree.Variable];
    if (Members.size() == 1) {
      Result.Variable = Members.front();
      return Result;
    }
    Result.What = StorageNode::Kind::Alternatives;
    for (unsigned V : Members)
      Result.Members.emplace_back().Variable = V;
    return Result;
  }
  Result.Members.clear();
  for (const StorageNode &Member : Tree.Members) {
    StorageNode Each = expand(Member);
    if (Each.What == Tree.What && Tree.What == StorageNode::Kind::Alternatives)
      llvm::append_range(Result.Members, Each.Members);
    else
      Result.Members.push_back(std::move(Each));
  }
  return Result;
}

std::optional<std::vector<StorageNode>>
VariableGroups::makeTrees(const Placement &Places,
                          const PlacementProblem &Merged,
                          const ReuseProblem &In) const {
  auto Trees = makeStorageTrees(
      Places, Merged.Items,
      [&](unsigned A, unsigned B) {
        return llvm::any_of(Groups[A], [&](unsigned V) {
          return llvm::any_of(Groups[B],
                              [&](unsigned U) { return In.interfere(V, U); });
        });
      },
      /*MayUseGaps=*/false);
  if (!Trees)
    return std::nullopt;
  llvm::SmallVector<bool, 16> IsPlaced(Groups.size(), false);
  std::vector<StorageNode> Result;
  for (const StorageNode &Tree : *Trees) {
    for (unsigned G : listVariables(Tree))
      IsPlaced[G] = true;
    Result.push_back(expand(Tree));
  }
  for (unsigned G = 0; G != Groups.size(); ++G)
    if (!IsPlaced[G] && Groups[G].size() > 1) {
      StorageNode Alone;
      Alone.Variable = G;
      Result.push_back(expand(Alone));
    }
  return Result;
}

std::vector<InPlacePair>
VariableGroups::listPairs(const ReuseProblem &In) const {
  std::vector<InPlacePair> Pairs;
  for (const Group &Each : Groups)
    for (unsigned A : Each)
      for (unsigned B : Each)
        if (A < B && In.interfere(A, B))
          Pairs.push_back({A, B});
  return Pairs;
}
