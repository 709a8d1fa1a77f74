// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds divergent branches in front of barriers. Two graphs are used: All has
/// every edge; in Meeting, the edges are removed by which threads leave the
/// others for good, so that its post-dominators say where the threads that stay
/// come together again. (Without that, an early `return` under `if (t >= n)`
/// would move every join to the exit.)
//===----------------------------------------------------------------------===//

#include "cudaopt/IR/Convergence.h"

#include "llvm/ADT/STLExtras.h"

using namespace cudaopt;
using ir::Block;
using ir::BlockId;

/// Returns the immediate post-dominator of each node of the graph \p Next with
/// respect to \p Sink (Cooper, Harvey and Kennedy, "A simple, fast dominance
/// algorithm", 2001). For Sink, and for a node from which Sink is not
/// reachable, that is the node itself.
static std::vector<BlockId>
findJoins(llvm::ArrayRef<llvm::SmallVector<BlockId, 2>> Next, BlockId Sink) {
  std::vector<llvm::SmallVector<BlockId, 2>> Before(Next.size());
  for (BlockId B = 0; B != Next.size(); ++B)
    for (BlockId To : Next[B])
      Before[To].push_back(B);
  // The nodes in post-order of the reversed graph; Sink is the last one.
  std::vector<unsigned> Number(Next.size(), 0); // 0: not reached.
  std::vector<BlockId> Order;
  std::vector<std::pair<BlockId, size_t>> Stack = {{Sink, 0}};
  llvm::BitVector Seen(Next.size());
  Seen.set(Sink);
  while (!Stack.empty()) {
    auto &[B, I] = Stack.back();
    if (I == Before[B].size()) {
      Order.push_back(B);
      Number[B] = Order.size();
      Stack.pop_back();
    } else if (const BlockId To = Before[B][I++]; !Seen.test(To)) {
      Seen.set(To);
      Stack.push_back({To, 0});
    }
  }
  std::vector<BlockId> Join(Next.size());
  for (BlockId B = 0; B != Next.size(); ++B)
    Join[B] = B;
  llvm::BitVector Known(Next.size());
  Known.set(Sink);
  const auto meet = [&](BlockId A, BlockId B) {
    while (A != B)
      (Number[A] < Number[B] ? A : B) = Join[Number[A] < Number[B] ? A : B];
    return A;
  };
  for (bool Changes = true; Changes;) {
    Changes = false;
    for (BlockId B : llvm::reverse(Order)) {
      if (B == Sink)
        continue;
      std::optional<BlockId> New;
      for (BlockId To : Next[B])
        if (Known.test(To))
          New = New ? meet(*New, To) : To;
      if (!New || (Known.test(B) && Join[B] == *New))
        continue;
      Known.set(B);
      Join[B] = *New;
      Changes = true;
    }
  }
  return Join;
}

/// Computes Ahead by a backward walk from the barriers.
void Convergence::findAhead() {
  Ahead = Barriers;
  for (bool Changes = true; Changes;) {
    Changes = false;
    for (const std::unique_ptr<Block> &B : llvm::reverse(F.blocks())) {
      if (isAhead(B->Id) || llvm::none_of(B->Successors, [&](const Block *To) {
            return isAhead(To->Id);
          }))
        continue;
      Ahead.set(B->Id);
      Changes = true;
    }
  }
}

/// Returns true if at the end of \p B some threads may take a path without a
/// barrier while others take a path with one.
bool Convergence::mayLose(const Block &B) const {
  return isAhead(B.Id) && (B.Terminator == Block::MayLeave ||
                           U.ofBranch(B) != Uniformity::Uniform);
}

/// Returns the successors of each block. With \p WithoutLeaving, a block from
/// which threads may leave others keeps only the edges to further barriers.
Convergence::Edges Convergence::findWays(bool WithoutLeaving) const {
  Edges Next(F.blocks().size());
  for (const std::unique_ptr<Block> &B : F.blocks()) {
    const bool Loses = WithoutLeaving && mayLose(*B) &&
                       llvm::any_of(B->Successors, [&](const Block *To) {
                         return isAhead(To->Id);
                       });
    for (const Block *To : B->Successors)
      if ((!Loses || isAhead(To->Id)) &&
          !llvm::is_contained(Next[B->Id], To->Id))
        Next[B->Id].push_back(To->Id);
  }
  return Next;
}

/// Returns the blocks that are reachable from \p From, which is one of them,
/// without going through \p End. With \p StopsAtBarriers, paths end at the
/// first block with a barrier.
llvm::BitVector Convergence::reach(const Edges &Next, BlockId From,
                                   std::optional<BlockId> End,
                                   bool StopsAtBarriers) const {
  llvm::BitVector Seen(Next.size());
  std::vector<BlockId> Stack;
  const auto visit = [&](BlockId B) {
    if (B == End || Seen.test(B))
      return;
    Seen.set(B);
    if (!StopsAtBarriers || !Barriers.test(B))
      Stack.push_back(B);
  };
  visit(From);
  while (!Stack.empty()) {
    const BlockId B = Stack.back();
    Stack.pop_back();
    for (BlockId To : Next[B])
      visit(To);
  }
  return Seen;
}

/// Adds the parting at the end of \p At, whose branch is not uniform.
void Convergence::addParting(const Block &At, Uniformity Level) {
  Parting New;
  New.At = &At;
  New.Level = Level;
  New.Alone.resize(F.blocks().size());
  const auto &Ways = Meeting[At.Id];
  New.Early.resize(F.blocks().size());
  for (const Block *To : At.Successors)
    if (!isAhead(To->Id)) {
      New.Leaves = true;
      New.Early |= reach(All, To->Id, std::nullopt, false);
    }
  const BlockId Join = JoinsOfMeeting[At.Id];
  // If all threads that stay take the same edge, none of them can miss a
  // barrier.
  const bool HasJoin = Ways.size() > 1 && Join != At.Id;
  for (BlockId To : Ways) {
    const llvm::BitVector Side =
        reach(Meeting, To, HasJoin ? std::optional(Join) : std::nullopt, false);
    New.Alone |= Side;
    New.MissesBarrier |= Ways.size() > 1 && Side.anyCommon(Barriers);
  }
  // If some threads bypass a barrier in a loop, they stay ahead of the others
  // in all further iterations, so that no block of the loop is common to all.
  if (New.MissesBarrier)
    for (const ir::Loop &L : F.loops())
      if (llvm::is_contained(L.Blocks, &At) &&
          llvm::any_of(L.Blocks,
                       [&](const Block *B) { return Barriers.test(B->Id); }))
        for (const Block *B : L.Blocks)
          New.Alone.set(B->Id);
  Partings.push_back(std::move(New));
}

/// Adds to Leaving the blocks that threads may reach from the branch of \p At
/// without a barrier, before they join those that take another side towards a
/// barrier. A thread that ends the kernel there leaves others behind.
void Convergence::findLeaving(const Block &At) {
  // A join with no barrier ahead does not count: the threads that get there
  // early may end the kernel while others are still on their way.
  const BlockId Join = JoinsOfAll[At.Id];
  const bool HasJoin = Join != At.Id && isAhead(Join);
  for (const Block *To : At.Successors) {
    if (llvm::none_of(At.Successors, [&](const Block *Other) {
          return Other != To && isAhead(Other->Id);
        }))
      continue;
    const llvm::BitVector Side =
        reach(All, To->Id, HasJoin ? std::optional(Join) : std::nullopt, true);
    for (unsigned B : Side.set_bits())
      if (!Barriers.test(B))
        Leaving.set(B);
    // The exit has no operations of its own; the edge to it starts in At.
    if (To == F.exit())
      Leaving.set(At.Id);
  }
}

Convergence::Convergence(const ir::Function &F, const BlockUniformity &U,
                         llvm::function_ref<bool(const Block &)> HasBarrier)
    : F(F), U(U), Barriers(F.blocks().size()), Leaving(F.blocks().size()) {
  for (const std::unique_ptr<Block> &B : F.blocks())
    if (HasBarrier(*B))
      Barriers.set(B->Id);
  findAhead();
  All = findWays(false);
  Meeting = findWays(true);
  JoinsOfAll = findJoins(All, F.exit()->Id);
  JoinsOfMeeting = findJoins(Meeting, F.exit()->Id);
  for (const std::unique_ptr<Block> &B : F.blocks()) {
    if (!isAhead(B->Id))
      continue;
    if (const Uniformity Level = U.ofBranch(*B); Level != Uniformity::Uniform) {
      addParting(*B, Level);
      findLeaving(*B);
    }
    // The last operation may end the thread while others go on to the barrier
    // ahead. One of extent Device would end the whole grid.
    if (B->Terminator == Block::MayLeave && !B->Operations.empty() &&
        B->Operations.back().Extent < ir::Scope::Device &&
        isAhead(B->Successors[0]->Id))
      Leaving.set(B->Id);
  }
}
