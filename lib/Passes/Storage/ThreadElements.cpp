// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ThreadElements.h"

#include "cudaopt/Model/ValueLeaves.h"

#include "llvm/ADT/STLExtras.h"

using namespace cudaopt;

/// Returns true if the value depends on nothing but the thread.
static bool dependsOnThreadOnly(const ValueGraph &Values, ValueId Id) {
  const Leaves Found = findLeaves(Values, Id);
  return !Found.HasParameter && Found.Loops.empty() && !Found.Blocks[0] &&
         !Found.Blocks[1] && !Found.Blocks[2];
}

bool ThreadElements::visit(const Access &A,
                           llvm::function_ref<bool(unsigned, uint64_t)> Visit) {
  const ArrayShape &Shape = Instance.Shapes[A.Array];
  auto isKnown = [this](ValueId Id) {
    return dependsOnThreadOnly(Instance.Values, Id);
  };
  if (A.isOpaque() || A.Index.size() != Shape.Extents.size() ||
      !llvm::all_of(A.Index, isKnown))
    return false;
  llvm::SmallVector<ValueId, 8> Guards;
  llvm::copy_if(A.Guards, std::back_inserter(Guards), isKnown);
  const auto &Threads = Instance.Block.Threads;
  for (unsigned Thread = 0; Thread != Instance.Block.numThreads(); ++Thread) {
    Values.moveTo({{Thread % Threads[0], Thread / Threads[0] % Threads[1],
                    Thread / Threads[0] / Threads[1]},
                   {},
                   {}});
    if (llvm::any_of(Guards, [this](ValueId Guard) {
          return Values.evaluate(Guard) == 0;
        }))
      continue;
    uint64_t Element = 0;
    for (auto [Index, Extent] : llvm::zip(A.Index, Shape.Extents)) {
      const std::optional<int64_t> Number = Values.evaluate(Index);
      if (!Number || *Number < 0 || uint64_t(*Number) >= Extent)
        return false;
      Element = Element * Extent + *Number;
    }
    if (!Visit(Thread, Element))
      return false;
  }
  return true;
}
