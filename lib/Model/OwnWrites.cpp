// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// A forward data-flow analysis: a write is available at a place if every path
/// from the last barrier to there makes it. It starts from "all writes are
/// available" and intersects over the predecessors until a fixed point is
/// reached.
//===----------------------------------------------------------------------===//

#include "OwnWrites.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"

using namespace cudaopt;
using ir::Block;
using ir::Operation;
using ir::Value;
using ir::ValueId;

/// Splits \p Address into a base value and a constant number of bytes.
std::pair<ValueId, int64_t> OwnWrites::split(ValueId Address) const {
  const Value &V = F.value(Address);
  if (V.What != Value::Offset)
    return {Address, 0};
  const Value &Bytes = F.value(V.Operands[1]);
  if (Bytes.What != Value::Literal || !Bytes.Integer.isRepresentableByInt64())
    return {Address, 0};
  return {V.Operands[0], Bytes.Integer.getExtValue()};
}

/// Returns true if \p Id is the same whenever it is computed from the same phis
/// and results: no undefined value is part of it.
static bool isDefined(const ir::Function &F, ValueId Id) {
  llvm::SmallSet<ValueId, 16> Seen;
  std::vector<ValueId> Ahead = {Id};
  while (!Ahead.empty()) {
    const ValueId Each = Ahead.back();
    Ahead.pop_back();
    if (!Seen.insert(Each).second)
      continue;
    const Value &V = F.value(Each);
    if (V.What == Value::Undefined)
      return false;
    if (V.What != Value::Phi)
      llvm::append_range(Ahead, V.Operands);
  }
  return true;
}

/// Collects the writes of \p B whose address is known to be in one shared
/// variable. An address that depends on an undefined value may differ each time
/// it is computed, and is left out.
void OwnWrites::addWrites(const Block &B) {
  for (auto [Index, O] : llvm::enumerate(B.Operations)) {
    const bool IsWrite =
        (O.What == Operation::Store || O.What == Operation::Copy) && O.Width;
    if (!IsWrite || !isDefined(F, O.Address))
      continue;
    const auto Roots = F.rootsOf(O.Address);
    if (Roots.size() != 1 || F.object(Roots[0]).What != ir::Object::Shared)
      continue;
    const auto [Base, Offset] = split(O.Address);
    Writes.push_back({&B, Index, Base, Offset, O.Width});
  }
}

/// Solves the data-flow equations: what is available at the end of a block is
/// what is available at its start and what it writes, or nothing if the block
/// ends with a barrier, behind which others may have overwritten it.
void OwnWrites::solve() {
  const size_t Size = Writes.size(), NumBlocks = F.blocks().size();
  AtStart.assign(NumBlocks, llvm::BitVector(Size, true)); // Optimistic.
  AtStart[F.entry()->Id].reset();
  std::vector<llvm::BitVector> Own(NumBlocks, llvm::BitVector(Size));
  for (auto [Id, W] : llvm::enumerate(Writes))
    Own[W.In->Id].set(Id);
  for (bool Changes = true; Changes;) {
    Changes = false;
    for (const std::unique_ptr<Block> &B : F.blocks()) {
      llvm::BitVector Behind = AtStart[B->Id];
      Behind |= Own[B->Id];
      if (!B->Operations.empty() && Overlay.isBarrier(B->Operations.back()))
        Behind.reset();
      for (const Block *Next : B->Successors) {
        if (!AtStart[Next->Id].test(Behind))
          continue; // It is a subset of Behind already.
        AtStart[Next->Id] &= Behind;
        Changes = true;
      }
    }
  }
}

/// A write in the same block counts if it comes first. It must also be
/// sequenced before the read in the source: what the IR orders, but C++ does
/// not, another compiler may execute the other way round.
bool OwnWrites::covers(const Block &B, size_t Index, ValueId Address,
                       uint64_t Width) const {
  const auto [Base, Offset] = split(Address);
  return Width && llvm::any_of(llvm::enumerate(Writes), [&](auto Each) {
           const Write &W = Each.value();
           const bool IsBefore = AtStart[B.Id].test(Each.index()) ||
                                 (W.In == &B && W.Index < Index);
           return IsBefore && W.Base == Base && W.Offset <= Offset &&
                  Offset + int64_t(Width) <= W.Offset + int64_t(W.Width) &&
                  Overlay.areSequenced(W.In->Operations[W.Index].Where,
                                       B.Operations[Index].Where);
         });
}

OwnWrites::OwnWrites(const ir::Function &F, const StatementOverlay &Overlay)
    : F(F), Overlay(Overlay) {
  for (const std::unique_ptr<Block> &B : F.blocks())
    addWrites(*B);
  if (!Writes.empty())
    solve();
  else
    AtStart.assign(F.blocks().size(), llvm::BitVector());
}
