// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Looks for grid groups, and for loops that see what other blocks write.
//===----------------------------------------------------------------------===//

#include "cudaopt/Analysis/GridBarriers.h"
#include "cudaopt/IR/Function.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace cudaopt;

/// Returns true if \p V depends on a load of \p Loop from an address that does
/// not change in it: such a loop may wait for what other threads write.
static bool readsAnew(const ir::Function &F, const ir::Loop &Loop,
                      ir::ValueId V, llvm::DenseSet<ir::ValueId> &Seen) {
  if (!Seen.insert(V).second)
    return false;
  const ir::Value &It = F.value(V);
  const auto isInLoop = [&](ir::BlockId B) {
    return llvm::is_contained(Loop.Blocks, F.blocks()[B].get());
  };
  if (It.What == ir::Value::Result && isInLoop(It.Block))
    for (const ir::Operation &O : F.blocks()[It.Block]->Operations)
      if (O.Result == V && O.What == ir::Operation::Load) {
        const ir::Value &Address = F.value(O.Address);
        return Address.What != ir::Value::Phi || !isInLoop(Address.Block);
      }
  return llvm::any_of(It.Operands, [&](ir::ValueId Each) {
    return readsAnew(F, Loop, Each, Seen);
  });
}

/// Returns true if \p Loop is left on a condition that it reads from memory.
static bool mayWait(const ir::Function &F, const ir::Loop &Loop) {
  return llvm::any_of(Loop.Blocks, [&](const ir::Block *B) {
    const bool IsExit = llvm::any_of(B->Successors, [&](const ir::Block *Next) {
      return !llvm::is_contained(Loop.Blocks, Next);
    });
    llvm::DenseSet<ir::ValueId> Seen;
    return IsExit && B->Condition && readsAnew(F, Loop, B->Condition, Seen);
  });
}

std::string cudaopt::findGridBarrier(const ir::Function &F) {
  bool OrdersMemory = false;
  for (const std::unique_ptr<ir::Block> &B : F.blocks()) {
    const bool IsInLoop = llvm::any_of(F.loops(), [&](const ir::Loop &L) {
      return llvm::is_contained(L.Blocks, B.get());
    });
    for (const ir::Operation &O : B->Operations) {
      if (O.What == ir::Operation::Opaque)
        return O.Why;
      if (O.What == ir::Operation::Barrier && O.Extent >= ir::Scope::Device)
        return "a barrier of the grid";
      OrdersMemory |= O.IsVolatile || O.What == ir::Operation::Atomic ||
                      O.What == ir::Operation::Fence;
      if (IsInLoop && O.IsVolatile)
        return "a volatile access";
      if (IsInLoop && O.What == ir::Operation::Atomic)
        return "an atomic operation";
      if (IsInLoop && O.What == ir::Operation::Fence)
        return "a fence";
    }
  }
  const bool Waits =
      llvm::any_of(F.loops(), [&](const ir::Loop &L) { return mayWait(F, L); });
  return OrdersMemory && Waits ? "a loop that reads its end from memory" : "";
}
