// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Dead code elimination for runs. Most of what a kernel computes is data, on
/// which no address and no branch depends; its operations are removed.
//===----------------------------------------------------------------------===//

#include "WarpCode.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace cudaopt::check;

/// Returns true if \p Op does nothing but compute its result.
static bool isPure(const LaneOperation &Op) {
  switch (Op.What) {
  case LaneOperation::Call:
  case LaneOperation::Barrier:
  case LaneOperation::MayLeave:
  case LaneOperation::Opaque:
    return false;
  default:
    return Op.Accesses.empty();
  }
}

/// Marks the slots that \p Op reads.
static void use(const LaneOperation &Op, BitVector &Used) {
  for (LaneSlot Slot : {Op.A, Op.B, Op.C})
    Used.set(Slot);
  for (auto [Slot, _] : Op.Terms)
    Used.set(Slot);
  for (auto [Slot, _] : Op.Extents)
    Used.set(Slot);
  for (LaneSlot Slot : Op.Arguments)
    Used.set(Slot);
  for (auto [_, Slot] : Op.Accesses)
    Used.set(Slot);
}

/// Returns the slots whose value matters: those that conditions and operations
/// with effects read, and, until a fixed point is reached, those that
/// operations with a result that matters read.
static BitVector findUsed(const WarpCode &Code) {
  BitVector Used(Code.NumSlots);
  unsigned Before;
  do {
    Before = Used.count();
    for (const LaneBlock &Block : Code.Blocks) {
      Used.set(Block.Condition);
      for (const LaneOperation &Op : Block.Operations)
        if (!isPure(Op) || Used[Op.D])
          use(Op, Used);
      for (const LaneEdge &Edge : Block.Edges)
        for (auto [To, From] : Edge.Copies)
          if (Used[To])
            Used.set(From);
    }
    for (const LaneLoop &Loop : Code.Loops) {
      for (auto [Phi, Next] : Loop.Phis)
        if (Used[Phi])
          Used.set(Next);
      for (auto [From, To] : Loop.Results)
        if (Used[To])
          Used.set(From);
    }
    Used.reset(NoSlot);
  } while (Used.count() != Before);
  return Used;
}

void cudaopt::check::dropUnused(WarpCode &Code) {
  const BitVector Used = findUsed(Code);
  const auto isUnusedCopy = [&](const auto &Copy) { return !Used[Copy.first]; };
  for (LaneBlock &Block : Code.Blocks) {
    erase_if(Block.Operations, [&](const LaneOperation &Op) {
      return isPure(Op) && !Used[Op.D];
    });
    for (LaneOperation &Op : Block.Operations)
      if (!Used[Op.D])
        Op.D = NoSlot;
    for (LaneEdge &Edge : Block.Edges)
      erase_if(Edge.Copies, isUnusedCopy);
  }
  for (LaneLoop &Loop : Code.Loops) {
    erase_if(Loop.Phis, isUnusedCopy);
    erase_if(Loop.Results,
             [&](const auto &Result) { return !Used[Result.second]; });
  }
}
