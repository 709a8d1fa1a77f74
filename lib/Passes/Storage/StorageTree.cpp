// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Builds trees by splitting sets of placed variables recursively. If there is
/// an address that no variable of the set spans, the set becomes a struct of
/// what lies below and above it. Otherwise its connected components in the
/// interference graph become the alternatives of a union. A set that neither
/// step can split has no tree.
//===----------------------------------------------------------------------===//

#include "StorageTree.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace cudaopt;

using Variables = llvm::SmallVector<unsigned, 8>;

StorageExtent cudaopt::layOutStorage(const StorageNode &Tree,
                                     llvm::ArrayRef<PlacementItem> Items) {
  if (Tree.What == StorageNode::Kind::Variable)
    return {Items[Tree.Variable].Size, Items[Tree.Variable].Alignment};
  if (Tree.What == StorageNode::Kind::Gap)
    return {Tree.Bytes, 1};
  StorageExtent Whole;
  for (const StorageNode &Member : Tree.Members) {
    const StorageExtent Each = layOutStorage(Member, Items);
    uint64_t Offset = 0;
    if (Tree.What == StorageNode::Kind::Sequence)
      Offset = llvm::alignTo(Whole.Size, Each.Alignment);
    Whole.Size = std::max(Whole.Size, Offset + Each.Size);
    Whole.Alignment = std::max(Whole.Alignment, Each.Alignment);
  }
  Whole.Size = llvm::alignTo(Whole.Size, Whole.Alignment);
  return Whole;
}

void cudaopt::placeStorage(const StorageNode &Tree,
                           llvm::ArrayRef<PlacementItem> Items, uint64_t Base,
                           llvm::MutableArrayRef<uint64_t> Offsets) {
  if (Tree.What == StorageNode::Kind::Variable)
    Offsets[Tree.Variable] = Base;
  uint64_t End = 0;
  for (const StorageNode &Member : Tree.Members) {
    const StorageExtent Each = layOutStorage(Member, Items);
    uint64_t Offset = 0;
    if (Tree.What == StorageNode::Kind::Sequence)
      Offset = llvm::alignTo(End, Each.Alignment);
    placeStorage(Member, Items, Base + Offset, Offsets);
    End = Offset + Each.Size;
  }
}

namespace {

/// Splits sets of placed variables until each set is one variable.
class TreeMaker {
public:
  TreeMaker(const Placement &Places, llvm::ArrayRef<PlacementItem> Items,
            llvm::function_ref<bool(unsigned, unsigned)> Interfere,
            bool MayUseGaps)
      : Places(Places), Items(Items), Interfere(Interfere),
        MayUseGaps(MayUseGaps) {}

  /// Returns the groups of \p All between which no bytes are shared, in
  /// ascending order of addresses.
  std::vector<Variables> splitByAddress(const Variables &All) const;
  /// Returns the tree of \p Set; std::nullopt if there is none.
  std::optional<StorageNode> make(const Variables &Set) const;

private:
  Variables sortByAddress(Variables All) const;
  std::vector<Variables> splitByInterference(const Variables &Set) const;
  StorageNode makeLayers(const Variables &Set) const;

  const Placement &Places;
  llvm::ArrayRef<PlacementItem> Items;
  llvm::function_ref<bool(unsigned, unsigned)> Interfere;
  const bool MayUseGaps;
};

} // namespace

Variables TreeMaker::sortByAddress(Variables All) const {
  llvm::sort(All, [&](unsigned A, unsigned B) {
    return std::pair(Places.Offsets[A], A) < std::pair(Places.Offsets[B], B);
  });
  return All;
}

std::vector<Variables> TreeMaker::splitByAddress(const Variables &All) const {
  std::vector<Variables> Groups;
  uint64_t End = 0;
  for (unsigned V : sortByAddress(All)) {
    if (Groups.empty() || Places.Offsets[V] >= End)
      Groups.emplace_back();
    Groups.back().push_back(V);
    End = std::max(End, Places.Offsets[V] + Items[V].Size);
  }
  return Groups;
}

/// Returns the connected components of the interference graph of \p Set, in the
/// order of the source.
std::vector<Variables>
TreeMaker::splitByInterference(const Variables &Set) const {
  std::vector<Variables> Components;
  for (unsigned V : Set) {
    Variables Joined = {V};
    for (Variables &Other : Components)
      if (llvm::any_of(Other, [&](unsigned U) { return Interfere(U, V); })) {
        Joined.append(Other);
        Other.clear();
      }
    llvm::erase_if(Components, [](const Variables &C) { return C.empty(); });
    llvm::sort(Joined);
    Components.push_back(std::move(Joined));
  }
  llvm::sort(Components); // In the order of the declarations.
  return Components;
}

static StorageNode makeVariable(unsigned V) {
  StorageNode Node;
  Node.Variable = V;
  return Node;
}

static StorageNode makeGap(uint64_t Bytes) {
  StorageNode Node;
  Node.What = StorageNode::Kind::Gap;
  Node.Bytes = Bytes;
  return Node;
}

/// Returns a union of structs in which gaps put each variable of \p Set exactly
/// where the placement has it, relative to the others. Any placement can be
/// expressed like that: variables are distributed greedily over layers, in
/// ascending order of addresses, so that those of a layer do not overlap.
StorageNode TreeMaker::makeLayers(const Variables &Set) const {
  const Variables Rising = sortByAddress(Set);
  uint64_t Alignment = 1;
  for (unsigned V : Set)
    Alignment = std::max(Alignment, Items[V].Alignment);
  const uint64_t Base =
      llvm::alignDown(Places.Offsets[Rising.front()], Alignment);
  StorageNode Tree;
  Tree.What = StorageNode::Kind::Alternatives;
  llvm::SmallVector<uint64_t, 8> Ends; // The end of each layer so far.
  for (unsigned V : Rising) {
    const uint64_t Begin = Places.Offsets[V] - Base;
    auto Free = llvm::find_if(Ends, [&](uint64_t End) { return End <= Begin; });
    const size_t Layer = Free - Ends.begin();
    if (Free == Ends.end()) {
      Ends.push_back(0);
      Tree.Members.emplace_back().What = StorageNode::Kind::Sequence;
    }
    std::vector<StorageNode> &Members = Tree.Members[Layer].Members;
    if (llvm::alignTo(Ends[Layer], Items[V].Alignment) != Begin)
      Members.push_back(makeGap(Begin - Ends[Layer]));
    Members.push_back(makeVariable(V));
    Ends[Layer] = Begin + Items[V].Size;
  }
  for (StorageNode &Layer : Tree.Members)
    if (Layer.Members.size() == 1)
      Layer = makeVariable(Layer.Members.front().Variable);
  return Tree;
}

std::optional<StorageNode> TreeMaker::make(const Variables &Set) const {
  if (Set.size() == 1)
    return makeVariable(Set.front());
  StorageNode Tree;
  Tree.What = StorageNode::Kind::Sequence;
  std::vector<Variables> Parts = splitByAddress(Set);
  if (Parts.size() == 1) {
    Tree.What = StorageNode::Kind::Alternatives;
    Parts = splitByInterference(Set);
  }
  if (Parts.size() == 1) {
    if (MayUseGaps)
      return makeLayers(Set);
    return std::nullopt;
  }
  for (const Variables &Part : Parts) {
    std::optional<StorageNode> Member = make(Part);
    if (!Member)
      return std::nullopt;
    Tree.Members.push_back(std::move(*Member));
  }
  return Tree;
}

std::optional<std::vector<StorageNode>> cudaopt::makeStorageTrees(
    const Placement &Places, llvm::ArrayRef<PlacementItem> Items,
    llvm::function_ref<bool(unsigned, unsigned)> Interfere, bool MayUseGaps) {
  TreeMaker Maker(Places, Items, Interfere, MayUseGaps);
  std::vector<StorageNode> Trees;
  Variables All;
  for (unsigned V = 0; V != Items.size(); ++V)
    All.push_back(V);
  for (const Variables &Group : Maker.splitByAddress(All)) {
    if (Group.size() == 1)
      continue;
    std::optional<StorageNode> Tree = Maker.make(Group);
    if (!Tree)
      return std::nullopt;
    Trees.push_back(std::move(*Tree));
  }
  return Trees;
}
