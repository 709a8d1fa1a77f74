// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Looks for grid groups, and for loops that see what other blocks write.
//===----------------------------------------------------------------------===//

#include "cudaopt/Analysis/GridBarriers.h"
#include "cudaopt/IR/Function.h"

#include "llvm/ADT/STLExtras.h"

using namespace cudaopt;

std::string cudaopt::findGridBarrier(const ir::Function &F) {
  for (const std::unique_ptr<ir::Block> &B : F.blocks()) {
    const bool IsInLoop = llvm::any_of(F.loops(), [&](const ir::Loop &L) {
      return llvm::is_contained(L.Blocks, B.get());
    });
    for (const ir::Operation &O : B->Operations) {
      if (O.What == ir::Operation::Opaque &&
          (O.Why == "this_grid" || O.Why == "this_multi_grid"))
        return O.Why;
      if (O.What == ir::Operation::Barrier && O.Extent >= ir::Scope::Device)
        return "a barrier of the grid";
      if (IsInLoop && O.IsVolatile)
        return "a volatile access";
      if (IsInLoop && O.What == ir::Operation::Atomic)
        return "an atomic operation";
    }
  }
  return "";
}
