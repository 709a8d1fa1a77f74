// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cudaopt/Analysis/Convergence.h"

#include "llvm/ADT/STLExtras.h"

using namespace cudaopt;
using ir::Block;
using ir::BlockId;

/// For each node of the graph \p Next, the first one through which all its ways
/// to \p Sink lead (Cooper, Harvey and Kennedy 2001). A node without such a way
/// has itself.
static std::vector<BlockId>
findJoins(llvm::ArrayRef<llvm::SmallVector<BlockId, 2>> Next, BlockId Sink) {
  std::vector<llvm::SmallVector<BlockId, 2>> Before(Next.size());
  for (BlockId B = 0; B != Next.size(); ++B)
    for (BlockId To : Next[B])
      Before[To].push_back(B);
  // In post-order of the reversed graph.
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

/// True if some threads may go from \p B to where no barrier is, and others
/// not.
bool Convergence::mayLose(const Block &B) const {
  return isAhead(B.Id) && (B.Terminator == Block::MayLeave ||
                           U.ofBranch(B) != Uniformity::Uniform);
}

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

/// The blocks that a thread comes to from \p From on, up to \p End.
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
  // With one way, there is none to miss a barrier on.
  const bool HasJoin = Ways.size() > 1 && Join != At.Id;
  for (BlockId To : Ways) {
    const llvm::BitVector Side =
        reach(Meeting, To, HasJoin ? std::optional(Join) : std::nullopt, false);
    New.Alone |= Side;
    New.MissesBarrier |= Ways.size() > 1 && Side.anyCommon(Barriers);
  }
  // Where some have gone round a barrier, they are ahead of the others also in
  // the next iteration.
  if (New.MissesBarrier)
    for (const ir::Loop &L : F.loops())
      if (llvm::is_contained(L.Blocks, &At) &&
          llvm::any_of(L.Blocks,
                       [&](const Block *B) { return Barriers.test(B->Id); }))
        for (const Block *B : L.Blocks)
          New.Alone.set(B->Id);
  Partings.push_back(std::move(New));
}

/// Notes the ends of the kernel that threads may come to from \p At without a
/// barrier, before they meet those again that take another way.
void Convergence::findLeaving(const Block &At) {
  // Where no barrier is ahead, those that come early leave the others.
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
    // The exit itself has no operations; the way to it begins here.
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
    // What is not seen, or a function that ends the thread.
    if (B->Terminator == Block::MayLeave && !B->Operations.empty() &&
        B->Operations.back().Extent < ir::Scope::Device &&
        isAhead(B->Successors[0]->Id))
      Leaving.set(B->Id);
  }
}
