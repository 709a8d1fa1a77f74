// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Where diverged lanes meet: the immediate post-dominator, except for lanes
/// that leave early. A trap ends the kernel and an early return ends a lane, so
/// that neither keeps the other lanes from meeting: a barrier behind `if (i <
/// n) { if (bad) return; ... }` is not divergent.
///
/// Post-dominance is computed first among the blocks from which the last exit
/// of the kernel can be reached, considering paths to that exit only; then
/// among the others, which only lead to earlier exits. Paths from a block of
/// the second kind never come back to the first, so that regions nest as the
/// interpreter's stack of paths needs it.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_SIMT_RECONVERGENCE_H
#define CUDAOPT_LIB_SIMT_RECONVERGENCE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include <algorithm>
#include <map>
#include <vector>

namespace cudaopt::simt {

/// The reconvergence points of all blocks of a function.
class Reconvergence {
public:
  explicit Reconvergence(const llvm::Function &F);
  /// Returns the block where lanes that diverge at the end of \p BB meet; null
  /// if that is the exit.
  const llvm::BasicBlock *pointOf(const llvm::BasicBlock &BB) const {
    int Point = Points[static_cast<size_t>(Numbers.at(&BB))];
    return Point < 0 ? nullptr : Blocks[static_cast<size_t>(Point)];
  }

private:
  /// Returns true if lanes exit the kernel in \p BB.
  static bool leaves(const llvm::BasicBlock &BB);
  /// Returns true if \p BB does nothing but return.
  static bool isBareReturn(const llvm::BasicBlock &BB);
  /// Sets the points of the blocks that have none yet and reach one of \p
  /// Exits.
  void meetBefore(const std::vector<int> &Exits);
  /// Returns the blocks that have no point yet and reach one of \p Exits, in
  /// post-order of the reversed graph.
  std::vector<int> postOrderTo(const std::vector<int> &Exits) const;

  std::vector<const llvm::BasicBlock *> Blocks;
  std::map<const llvm::BasicBlock *, int> Numbers;
  std::vector<llvm::SmallVector<int, 2>> Successors, Predecessors;
  std::vector<int> Points; ///< By block; -1 if lanes meet at the exit.
  std::vector<bool> IsDone;
};

inline bool Reconvergence::leaves(const llvm::BasicBlock &BB) {
  return llvm::isa<llvm::ReturnInst>(BB.getTerminator()) ||
         llvm::any_of(BB, [](const llvm::Instruction &I) {
           const auto *Call = llvm::dyn_cast<llvm::IntrinsicInst>(&I);
           return Call && Call->getIntrinsicID() == llvm::Intrinsic::nvvm_exit;
         });
}

inline bool Reconvergence::isBareReturn(const llvm::BasicBlock &BB) {
  return llvm::all_of(BB, [](const llvm::Instruction &I) {
    return I.isDebugOrPseudoInst() || I.isLifetimeStartOrEnd() ||
           llvm::isa<llvm::ReturnInst>(I);
  });
}

inline Reconvergence::Reconvergence(const llvm::Function &F) {
  for (const llvm::BasicBlock &BB : F) {
    Numbers[&BB] = static_cast<int>(Blocks.size());
    Blocks.push_back(&BB);
  }
  Successors.resize(Blocks.size());
  Predecessors.resize(Blocks.size());
  Points.resize(Blocks.size(), -1);
  IsDone.resize(Blocks.size());

  // Clang merges all returns into one block. An edge to a bare return therefore
  // counts as an exit itself: one of them is the end of the kernel, the others
  // are early returns.
  std::vector<int> Exits;
  for (size_t B = 0; B < Blocks.size(); ++B) {
    bool IsExit = leaves(*Blocks[B]) && (!isBareReturn(*Blocks[B]) ||
                                         Blocks[B]->hasNPredecessors(0) ||
                                         Blocks[B]->getSinglePredecessor());
    for (const llvm::BasicBlock *To : llvm::successors(Blocks[B])) {
      if (leaves(*Blocks[B]))
        break;
      if (isBareReturn(*To) && !To->getSinglePredecessor()) {
        IsExit = true;
        continue;
      }
      Successors[B].push_back(Numbers[To]);
      Predecessors[static_cast<size_t>(Numbers[To])].push_back(
          static_cast<int>(B));
    }
    if (IsExit)
      Exits.push_back(static_cast<int>(B));
  }
  if (Exits.empty())
    return;
  meetBefore({Exits.back()});
  meetBefore(Exits);
}

inline std::vector<int>
Reconvergence::postOrderTo(const std::vector<int> &Exits) const {
  std::vector<int> Order;
  std::vector<bool> Seen = IsDone;
  for (int Exit : Exits) {
    if (Seen[static_cast<size_t>(Exit)])
      continue;
    Seen[static_cast<size_t>(Exit)] = true;
    llvm::SmallVector<std::pair<int, size_t>, 32> Stack = {{Exit, 0}};
    while (!Stack.empty()) {
      auto &[B, Next] = Stack.back();
      const auto &Before = Predecessors[static_cast<size_t>(B)];
      if (Next == Before.size()) {
        Order.push_back(B);
        Stack.pop_back();
        continue;
      }
      int Predecessor = Before[Next++];
      if (!Seen[static_cast<size_t>(Predecessor)]) {
        Seen[static_cast<size_t>(Predecessor)] = true;
        Stack.emplace_back(Predecessor, 0);
      }
    }
  }
  return Order;
}

/// The algorithm of Cooper, Harvey and Kennedy, "A Simple, Fast Dominance
/// Algorithm", on the reversed graph. Its root is a virtual exit behind all
/// exits.
inline void Reconvergence::meetBefore(const std::vector<int> &Exits) {
  std::vector<int> Order = postOrderTo(Exits);
  const int Root = static_cast<int>(Order.size());
  constexpr int Unknown = -1;
  std::vector<int> Rank(Blocks.size(), Unknown);
  for (size_t I = 0; I < Order.size(); ++I)
    Rank[static_cast<size_t>(Order[I])] = static_cast<int>(I);
  std::vector<int> Next(Order.size() + 1, Unknown);
  Next.back() = Root;
  auto Meet = [&Next](int A, int B) {
    while (A != B)
      (A < B ? A : B) = Next[static_cast<size_t>(A < B ? A : B)];
    return A;
  };
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (int I = Root - 1; I >= 0; --I) {
      int B = Order[static_cast<size_t>(I)];
      int Found = llvm::is_contained(Exits, B) ? Root : Unknown;
      for (int To : Successors[static_cast<size_t>(B)]) {
        int R = Rank[static_cast<size_t>(To)];
        if (R != Unknown && Next[static_cast<size_t>(R)] != Unknown)
          Found = Found == Unknown ? R : Meet(Found, R);
      }
      if (Found != Next[static_cast<size_t>(I)]) {
        Next[static_cast<size_t>(I)] = Found;
        Changed = true;
      }
    }
  }
  for (int I = 0; I < Root; ++I) {
    auto B = static_cast<size_t>(Order[static_cast<size_t>(I)]);
    int Point = Next[static_cast<size_t>(I)];
    Points[B] = Point == Root ? -1 : Order[static_cast<size_t>(Point)];
    IsDone[B] = true;
  }
}

} // namespace cudaopt::simt

#endif // CUDAOPT_LIB_SIMT_RECONVERGENCE_H
