// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Solves the analysis by iteration to the fixed point. Levels of phis, results
/// and branches start at Uniform and only rise, so that the iteration ends.
/// Other values are not stored: of() joins what they are computed from.
//===----------------------------------------------------------------------===//

#include "cudaopt/IR/Uniformity.h"

#include "llvm/ADT/STLExtras.h"

using namespace cudaopt;
using ir::Block;
using ir::BlockId;
using ir::Operation;
using ir::Value;
using ir::ValueId;

/// Raises \p Known to \p To if that is greater; returns true if it changed.
bool BlockUniformity::raise(Uniformity &Known, Uniformity To) {
  if (To <= Known)
    return false;
  Known = To;
  return HasChanged = true;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Returns the level of a special register in a block of the shape \p Threads.
static Uniformity classify(ir::SpecialRegister R,
                           const std::array<uint32_t, 3> &Threads) {
  if (R <= ir::SpecialRegister::ThreadIdxZ)
    return Threads[static_cast<unsigned>(R)] == 1 ? Uniformity::Uniform
                                                  : Uniformity::Divergent;
  return R >= ir::SpecialRegister::LaneId &&
                 R <= ir::SpecialRegister::LaneMaskGt
             ? Uniformity::Divergent
             : Uniformity::Uniform;
}

/// Returns what value \p Id adds to the level of an expression beside its
/// operands. Phis and results of operations have the level stored for them.
Uniformity BlockUniformity::ofLeaf(ValueId Id, const Block &Use) const {
  const Value &V = F.value(Id);
  switch (V.What) {
  case Value::Special:
    return classify(V.Register, Threads);
  case Value::Phi:
  case Value::Result: {
    Uniformity Level = Definitions.lookup(Id);
    // Temporal divergence: threads that have left a loop in different
    // iterations have each kept the value of their own last iteration.
    for (unsigned L : LoopsOf[V.Block])
      if (!llvm::is_contained(LoopsOf[Use.Id], L))
        Level = std::max(Level, LoopExits[L]);
    return Level;
  }
  case Value::Undefined:
    return Uniformity::Unknown;
  default:
    return Uniformity::Uniform;
  }
}

// The level of an expression is the join over its leaves; phis and results are
// leaves with a level of their own.
Uniformity BlockUniformity::of(ValueId V, const Block &Use) const {
  Uniformity Level = Uniformity::Uniform;
  llvm::DenseMap<ValueId, bool> Seen;
  std::vector<ValueId> Ahead = {V};
  while (!Ahead.empty() && Level != Uniformity::Divergent) {
    const ValueId Id = Ahead.back();
    Ahead.pop_back();
    if (!Id || !Seen.try_emplace(Id, true).second)
      continue;
    Level = std::max(Level, ofLeaf(Id, Use));
    if (F.value(Id).What != Value::Phi)
      llvm::append_range(Ahead, F.value(Id).Operands);
  }
  return Level;
}

/// A load is uniform only if all threads load from the same address in memory
/// that nothing writes: constant memory, or the memory of a parameter to which
/// this function does not write.
Uniformity BlockUniformity::ofLoad(const Operation &O, const Block &B) const {
  if (O.IsVolatile)
    return Uniformity::Unknown;
  for (ir::ObjectId Root : F.rootsOf(O.Address)) {
    const ir::Object::Kind Kind = F.object(Root).What;
    const bool IsSame = Kind == ir::Object::Constant ||
                        (Kind == ir::Object::Parameter && !IsWritten[Root]);
    if (!Root || !IsSame)
      return Uniformity::Unknown;
  }
  return of(O.Address, B);
}

Uniformity BlockUniformity::ofResult(const Operation &O, const Block &B) const {
  switch (O.What) {
  case Operation::Load:
    return ofLoad(O, B);
  case Operation::Barrier: // The vote of a __syncthreads_count() or the like.
    return O.Extent >= ir::Scope::Block ? Uniformity::Uniform
                                        : Uniformity::Unknown;
  default:
    return Uniformity::Unknown;
  }
}

/// Sets IsWritten for the objects that an operation of the function may write.
void BlockUniformity::findWritten() {
  IsWritten.assign(F.numObjects(), false);
  for (const std::unique_ptr<Block> &B : F.blocks())
    for (const Operation &O : B->Operations) {
      if (O.Address && O.What != Operation::Load)
        for (ir::ObjectId Root : F.rootsOf(O.Address))
          IsWritten[Root] = true;
      for (ir::ObjectId Root : O.Mentions)
        IsWritten[Root] = true;
      for (const ir::Touch &T : O.Touches)
        for (ir::ObjectId Root : F.rootsOf(T.Address))
          IsWritten[Root] = IsWritten[Root] || T.Writes;
      // An address that is stored may be loaded again and written through.
      if (O.Stored && O.What != Operation::Copy &&
          F.value(O.Stored).Ty == ir::Type::pointer())
        for (ir::ObjectId Root : F.rootsOf(O.Stored))
          IsWritten[Root] = true;
    }
}

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

/// Propagates control dependence from the branch at the end of \p From: raises
/// Joins of the blocks where two paths from different sides of the branch meet,
/// so that phis there choose by the path a thread has taken.
///
/// Each reachable block gets a label: the successor of From through which all
/// paths to it lead, or the last block in front of it where such paths have
/// met. A block to which different labels flow is such a meeting point, and
/// starts a label of its own. (LLVM's SyncDependenceAnalysis propagates labels
/// in a similar way.)
void BlockUniformity::spread(const Block &From, Uniformity Level) {
  std::vector<std::optional<BlockId>> Labels(F.blocks().size());
  for (bool Changes = true; Changes;) {
    Changes = false;
    for (const std::unique_ptr<Block> &B : F.blocks()) {
      std::optional<BlockId> Label;
      unsigned Incoming = 0;
      const auto add = [&](BlockId Each) {
        Incoming += !Label || *Label != Each;
        Label = Each;
      };
      unsigned FromFrom = 0; // Edges that come directly from the branch.
      for (const Block *Before : B->Predecessors) {
        if (Before == &From) {
          add(B->Id);
          ++FromFrom;
        } else if (Labels[Before->Id]) {
          add(*Labels[Before->Id]);
        }
      }
      if (!Label || B.get() == &From)
        continue;
      if (Incoming > 1)
        Label = B->Id;
      if (Incoming > 1 || FromFrom > 1)
        raise(Joins[B->Id], Level);
      if (Labels[B->Id] == Label)
        continue;
      // A block that has become a join stays one, so that labels do not
      // oscillate.
      if (Labels[B->Id] == B->Id)
        continue;
      Labels[B->Id] = Label;
      Changes = true;
    }
  }
  spreadToLoops(From, Labels, Level);
}

/// Raises LoopExits of the loops around \p From if the branch may send some
/// threads out of the loop while others begin the next iteration: the label at
/// an exit edge differs from the label at a back edge.
void BlockUniformity::spreadToLoops(
    const Block &From, llvm::ArrayRef<std::optional<BlockId>> Labels,
    Uniformity Level) {
  for (unsigned L : LoopsOf[From.Id]) {
    const ir::Loop &Around = F.loops()[L];
    llvm::SmallVector<BlockId, 4> Staying;
    for (const Block *Before : Around.Header->Predecessors) {
      if (!llvm::is_contained(Around.Blocks, Before))
        continue;
      if (Before == &From)
        Staying.push_back(Around.Header->Id);
      else if (Labels[Before->Id])
        Staying.push_back(*Labels[Before->Id]);
    }
    for (const Block *Inside : Around.Blocks)
      for (const Block *Next : Inside->Successors) {
        if (llvm::is_contained(Around.Blocks, Next))
          continue;
        const std::optional<BlockId> Leaving =
            Inside == &From ? Next->Id : Labels[Inside->Id];
        if (Leaving && llvm::any_of(Staying, [&](BlockId Each) {
              return Each != *Leaving;
            }))
          raise(LoopExits[L], Level);
      }
  }
}

/// Recomputes the levels of \p B's phis, results and branch. Returns true if
/// some level anywhere has changed.
bool BlockUniformity::update(const Block &B) {
  HasChanged = false;
  for (ValueId Phi : B.Phis) {
    Uniformity Level = Joins[B.Id];
    for (auto [Before, Incoming] :
         llvm::zip_equal(B.Predecessors, F.value(Phi).Operands))
      Level = std::max(Level, of(Incoming, *Before));
    raise(Definitions[Phi], Level);
  }
  for (const Operation &O : B.Operations)
    if (O.Result)
      raise(Definitions[O.Result], ofResult(O, B));
  const bool HasWays =
      B.Terminator == Block::Branch || B.Terminator == Block::Switch;
  if (HasWays && raise(Branches[B.Id], of(B.Condition, B)))
    spread(B, Branches[B.Id]);
  return HasChanged;
}

BlockUniformity::BlockUniformity(const ir::Function &F,
                                 const std::array<uint32_t, 3> &Threads)
    : F(F), Threads(Threads), Branches(F.blocks().size()),
      Joins(F.blocks().size()), LoopExits(F.loops().size()),
      LoopsOf(F.blocks().size()) {
  for (auto [Id, L] : llvm::enumerate(F.loops()))
    for (const Block *B : L.Blocks)
      LoopsOf[B->Id].push_back(Id);
  findWritten();
  for (bool Changes = true; Changes;) {
    Changes = false;
    for (const std::unique_ptr<Block> &B : F.blocks())
      Changes |= update(*B);
  }
}
