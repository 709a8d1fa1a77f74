// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Moves the largest objects first, until the rest fits into static memory.
//===----------------------------------------------------------------------===//

#include "DynamicStorage.h"

#include "StorageTree.h"

#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace cudaopt;

/// The alignment, in bytes, that dynamic memory is sure to have.
static constexpr uint64_t MostAligned = 16;

/// Returns the greatest size and alignment of \p Node in any instance.
static StorageExtent findExtent(const ReuseProblem &In,
                                const StorageNode &Node) {
  StorageExtent Most;
  for (const ReuseInstance &I : In.instances()) {
    const StorageExtent Each = layOutStorage(Node, In.itemsOf(I));
    Most.Size = std::max(Most.Size, Each.Size);
    Most.Alignment = std::max(Most.Alignment, Each.Alignment);
  }
  return Most;
}

/// Returns true if moving \p Node may cost a wide access its alignment: what
/// lies behind it, in static or in dynamic memory, moves by its size.
static bool misaligns(const ReuseProblem &In, const StorageNode &Node) {
  const unsigned Alignment = findWidest(In.instances()).Alignment;
  return Alignment > MostAligned ||
         llvm::any_of(In.instances(), [&](const ReuseInstance &I) {
           return layOutStorage(Node, In.itemsOf(I)).Size % Alignment != 0;
         });
}

/// Lists the \p Objects and the variables that are in none, the largest first,
/// without those that must stay static: over-aligned ones, and those that
/// another function than the kernel declares.
static std::vector<StorageNode>
listMovable(const ReuseProblem &In, llvm::ArrayRef<StorageNode> Objects) {
  std::vector<StorageNode> Nodes = Objects.vec();
  for (unsigned V = 0; V != In.variables().size(); ++V)
    if (llvm::none_of(Objects, [&](const StorageNode &Object) {
          return llvm::is_contained(listVariables(Object), V);
        }))
      Nodes.push_back({StorageNode::Kind::Variable, V, {}, 0});
  llvm::erase_if(Nodes, [&](const StorageNode &Node) {
    return findExtent(In, Node).Alignment > MostAligned ||
           misaligns(In, Node) ||
           !llvm::all_of(listVariables(Node), [&](unsigned V) {
             return In.variables()[V].owner()->hasAttr<clang::CUDAGlobalAttr>();
           });
  });
  auto rank = [&](const StorageNode &Node) {
    return std::pair(~findExtent(In, Node).Size, listVariables(Node).front());
  };
  llvm::sort(Nodes, [&](const StorageNode &A, const StorageNode &B) {
    return rank(A) < rank(B);
  });
  return Nodes;
}

std::optional<std::vector<StorageNode>>
cudaopt::splitDynamic(const ReuseProblem &In,
                      llvm::ArrayRef<StorageNode> Objects,
                      uint64_t MostStatic) {
  StorageNode Dynamic = {StorageNode::Kind::Sequence, 0, {}, 0};
  auto isTooLarge = [&](const ReuseInstance &I) {
    uint64_t Moved = 0;
    for (const StorageNode &Member : Dynamic.Members)
      Moved += layOutStorage(Member, In.itemsOf(I)).Size;
    return In.bytesOf(I, Objects) - Moved > MostStatic;
  };
  for (StorageNode &Next : listMovable(In, Objects)) {
    if (llvm::none_of(In.instances(), isTooLarge))
      break;
    Dynamic.Members.push_back(std::move(Next));
  }
  if (llvm::any_of(In.instances(), isTooLarge))
    return std::nullopt;
  std::vector<StorageNode> Result;
  for (const StorageNode &Object : Objects)
    if (!llvm::is_contained(Dynamic.Members, Object))
      Result.push_back(Object);
  Result.push_back(std::move(Dynamic));
  return Result;
}

bool cudaopt::fitsStatic(const ReuseProblem &In,
                         llvm::ArrayRef<StorageNode> Objects,
                         uint64_t MostStatic) {
  return llvm::all_of(In.instances(), [&](const ReuseInstance &I) {
    return In.bytesOf(I, Objects) <= MostStatic;
  });
}

bool cudaopt::setBytes(const ReuseProblem &In, const StorageNode &Dynamic,
                       llvm::MutableArrayRef<DynamicLaunch> Launches) {
  for (DynamicLaunch &Each : Launches) {
    Each.Bytes = 0;
    for (const ReuseInstance &I : In.instances())
      if (I.Program.Instance->Decl->getCanonicalDecl() ==
          Each.Call->getDirectCallee()->getCanonicalDecl())
        Each.Bytes =
            std::max(Each.Bytes, layOutStorage(Dynamic, In.itemsOf(I)).Size);
    if (Each.Bytes == 0)
      return false;
  }
  return true;
}
