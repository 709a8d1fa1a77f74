// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Computes the map from the reuse problem before and after the plan.
//===----------------------------------------------------------------------===//

#include "cudaopt/Passes/Storage/StorageMap.h"

#include "ReuseProblem.h"
#include "StorageTree.h"

using namespace cudaopt;

/// Returns, by VariableId, where the variables of \p I are stored if \p Objects
/// are made.
static std::vector<StoredSpan> findSpans(const ReuseProblem &In,
                                         const ReuseInstance &I,
                                         llvm::ArrayRef<StorageNode> Objects) {
  const std::vector<PlacementItem> Items = In.itemsOf(I);
  std::vector<uint64_t> OfMembers(Items.size());
  std::vector<StoredSpan> Spans(I.Program.Variables.size());
  In.bytesOf(I, Objects,
             [&](VariableId Id, const StorageNode *Object, uint64_t Begin,
                 uint64_t Size) {
               if (Object)
                 placeStorage(*Object, Items, Begin, OfMembers);
               else
                 Spans[Id] = {Begin, Size};
             });
  for (const StorageNode &Object : Objects)
    for (unsigned V : listVariables(Object))
      if (I.Ids[V])
        Spans[*I.Ids[V]] = {OfMembers[V], Items[V].Size};
  return Spans;
}

std::optional<StorageMap> cudaopt::mapStorage(const Kernel &K, const Plan &P) {
  const ReuseProblem Before(K);
  if (Before.instances().empty() ||
      Before.instances().front().Program.Variables.empty())
    return std::nullopt;
  const ReuseDecision None;
  const ReuseDecision &Reuse = P.Reuse ? *P.Reuse : None;
  const ReuseProblem After =
      Before.withLayouts(P.Layouts).with(Reuse).withBarriers(Reuse.NewBarriers);

  const ReuseInstance &I = After.instances().front();
  const std::vector<StoredSpan> Old =
      findSpans(Before, Before.instances().front(), {});
  const std::vector<StoredSpan> New = findSpans(After, I, Reuse.Objects);
  StorageMap Map;
  for (auto [Id, V] : llvm::enumerate(I.Program.Variables)) {
    StorageMap::Variable &Each = Map.Variables.emplace_back();
    Each.Name = V.Name;
    Each.Decl = V.Decl;
    Each.Array = V.Array;
    Each.Before = Old[Id];
    if (!V.Array || !llvm::is_contained(Reuse.Private, *V.Array))
      Each.After = New[Id];
  }
  Map.Intervals = tabulateLiveRanges(I.Ranges, I.Program);
  return Map;
}
