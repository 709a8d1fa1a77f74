// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Executes the operations of a warp, and its control flow.
///
/// Divergence: a warp has a stack of paths (Warp.h). When its lanes take
/// different edges, the current path moves to the reconvergence point and one
/// path per target is pushed on top. The topmost path runs until it reaches its
/// reconvergence point; then it is popped, and the next one runs:
///
///   if (c) A; else B; C;     stack, topmost last: C (all lanes), B, A
//===----------------------------------------------------------------------===//

#include "Execution.h"

#include "Arithmetic.h"
#include "DeviceOutput.h"
#include "PathTurns.h"
#include "SpecialRegisters.h"
#include "SymbolicLanes.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <numeric>

namespace cudaopt::simt {

Execution::Execution(RunState &State)
    : S(State), P(State.P), Memory(State), Operations(State, Memory.races()),
      BlockBarriers(State, Memory, Warps), Objects(State, Memory, Warps),
      Random(S.Options.ScheduleSeed) {
  unsigned NumWarps = (S.numThreads() + WarpSize - 1) / WarpSize;
  for (unsigned Id = 0; Id < NumWarps; ++Id) {
    Warps.emplace_back(Id, P.NumRegisters);
    initialise(Warps.back());
  }
  Order.resize(NumWarps);
  std::iota(Order.begin(), Order.end(), 0);
  if (isDescending())
    std::ranges::reverse(Order);
}

/// Makes a constant the address of a shared variable, as a term, instead of a
/// number.
void Execution::initialise(Warp &W, const SharedConstant &C) {
  const SharedVariable &V = P.Shared[C.Variable];
  uint32_t Base = S.Terms->sharedBase(V.Key, V.Name, V.PromisedAlignment);
  S.AddressOfBase[Base] = V.Address;
  const uint64_t Number = W[C.R][0];
  SharedAddress Where = {Base, 0, 64, isShared(Number)};
  Where.Offset = static_cast<int64_t>(Number - V.Address -
                                      (Where.IsGeneric ? SharedWindow : 0));
  TermId Term = S.Terms->address(Where);
  // A constant made of several addresses, or of parts of one, becomes some term
  // that depends on the number of the address and equals no other value.
  if (C.IsNumber)
    Term = S.Terms->apply(Opcode::ByteSwap, 0, 64, 0,
                          S.Terms->address({Base, 0, 64, true}));
  for (unsigned Lane = 0; Lane < WarpSize; ++Lane)
    S.put(W, C.R, Lane, Term);
}

/// Sets the registers that the program does not change: constants, undefined
/// values and parameters.
void Execution::initialise(Warp &W) {
  auto Fill = [&W](Register R, uint64_t Value) {
    for (unsigned Lane = 0; Lane < WarpSize; ++Lane)
      W.put(R, Lane, Value);
  };
  for (auto [R, Value] : P.Constants)
    Fill(R, Value);
  for (const SharedConstant &C : P.SharedConstants)
    if (llvm::is_contained(S.Options.AddressTerms, C.Variable))
      initialise(W, C);
  for (auto [R, Bits] : P.Undefined) {
    Fill(R, UndefinedBytes & maskOf(Bits));
    for (unsigned Lane = 0; S.tracksUndefined() && Lane < WarpSize; ++Lane)
      S.put(W, R, Lane, S.Terms->undefined(Bits));
  }
  for (auto [Formal, Actual] : llvm::zip(P.Parameters, S.L.Arguments)) {
    if (Formal.IsByValue) {
      Fill(Formal.Value, Memory.addressOf(Formal));
      continue;
    }
    uint64_t Value = 0;
    std::memcpy(&Value, Actual.Bytes.data(),
                std::min<size_t>(Actual.Bytes.size(), sizeof(Value)));
    Fill(Formal.Value, Value & maskOf(Formal.Bits));
    if (Actual.Term)
      for (unsigned Lane = 0; Lane < WarpSize; ++Lane)
        S.put(W, Formal.Value, Lane, Actual.Term);
  }
}

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

/// Pops paths that have no lanes left or have reached their end. The warp
/// continues with the topmost one that remains or, if its lanes are blocked,
/// with another path, and polls if there is none.
void Execution::settle(Warp &W) {
  W.Next = 0;
  while (!W.Paths.empty()) {
    const Path &Top = W.Paths.back();
    if (Top.Lanes && Top.Block != Top.Reconvergence) {
      W.Active.set(Top.Lanes);
      if (W.Blocked && !PathTurns(W).takeOther())
        W.State = WarpState::Polling;
      return;
    }
    W.Paths.pop_back();
  }
  W.State = WarpState::Done;
}

/// Removes lanes that exit from the warp and from all its paths.
void Execution::leave(Warp &W, uint32_t Lanes) {
  W.Live &= ~Lanes;
  for (Path &Each : W.Paths)
    Each.Lanes &= ~Lanes;
}

/// Ends the lanes whose condition is true. Returns true if others continue with
/// the next operation of the block.
bool Execution::leaveIf(const Operation &Op, Warp &W) {
  if (W.symbolic(Op.A) & W.Active.Bits) {
    S.dependsOnData("an exit", Op);
    return false;
  }
  uint32_t Lanes = 0;
  forEachLane(W.Active.Bits, [&](unsigned Lane) {
    Lanes |= static_cast<uint32_t>(W[Op.A][Lane] & 1) << Lane;
  });
  const uint32_t Others = W.Active.Bits & ~Lanes;
  leave(W, Lanes);
  if (Others)
    W.Active.set(Others);
  else
    settle(W);
  return Others != 0;
}

/// Assigns the values of phi nodes, all in parallel. Copies are buffered only
/// if one reads what an earlier one wrote.
void Execution::follow(const Edge &E, Warp &W, uint32_t Lanes) {
  bool Overlap = false;
  for (size_t I = 0; I < E.Copies.size(); ++I)
    for (size_t Later = I + 1; Later < E.Copies.size(); ++Later)
      Overlap |= E.Copies[Later].second == E.Copies[I].first;
  if (!Overlap) {
    for (auto [To, From] : E.Copies)
      W.move(To, From, Lanes);
    return;
  }
  Copies.clear();
  for (auto [To, From] : E.Copies)
    Copies.emplace_back(W[From], W.symbolic(From));
  for (auto [Copy, Value] : llvm::zip(E.Copies, Copies))
    forEachLane(Lanes, [&, To = Copy.first](unsigned Lane) {
      if (Value.second >> Lane & 1)
        W.putTerm(To, Lane, static_cast<TermId>(Value.first[Lane]));
      else
        W.put(To, Lane, Value.first[Lane]);
    });
}

/// Sends the active lanes to the blocks that Parts says.
void Execution::diverge(const Block &B, Warp &W) {
  if (Parts.size() == 1) {
    W.Paths.back().Block = Parts.front().first;
    return settle(W);
  }
  // The current path continues where its parts meet. If that is its own end, or
  // the exit, nothing is left for it to do, and it is replaced by its parts.
  if (B.Reconvergence < 0 || B.Reconvergence == W.Paths.back().Reconvergence)
    W.Paths.pop_back();
  else
    W.Paths.back().Block = B.Reconvergence;
  for (auto [To, Lanes] : llvm::reverse(Parts))
    W.Paths.push_back({To, B.Reconvergence, Lanes});
  settle(W);
}

/// Both edges may lead to one block; then the lanes do not diverge.
void Execution::conditional(const Operation &Op, const Block &B, Warp &W) {
  if (W.symbolic(Op.A) & W.Active.Bits)
    return S.dependsOnData("a branch", Op);
  uint32_t Taken = 0;
  for (unsigned Lane = 0; Lane < WarpSize; ++Lane)
    Taken |= static_cast<uint32_t>(W[Op.A][Lane] & 1) << Lane;
  const uint32_t Sides[] = {Taken & W.Active.Bits, W.Active.Bits & ~Taken};
  Parts.clear();
  for (unsigned Side : {0, 1}) {
    if (!Sides[Side])
      continue;
    follow(B.Edges[Side], W, Sides[Side]);
    auto To = static_cast<int>(B.Edges[Side].To);
    if (!Parts.empty() && Parts.front().first == To)
      Parts.front().second |= Sides[Side];
    else
      Parts.emplace_back(To, Sides[Side]);
  }
  diverge(B, W);
}

/// A switch. Lanes with equal values go together; edges to one block form one
/// part.
void Execution::choose(const Operation &Op, const Block &B, Warp &W) {
  if (W.symbolic(Op.A) & W.Active.Bits)
    return S.dependsOnData("a switch", Op);
  Parts.clear();
  uint32_t Left = W.Active.Bits;
  auto Send = [&](const Edge &E, uint32_t Lanes) {
    if (!Lanes)
      return;
    follow(E, W, Lanes);
    auto To = static_cast<int>(E.To);
    auto Same = llvm::find_if(Parts, [To](auto &P) { return P.first == To; });
    if (Same == Parts.end())
      Parts.emplace_back(To, Lanes);
    else
      Same->second |= Lanes;
  };
  for (auto [Index, Value] : Op.Extra) {
    uint32_t Lanes = 0;
    forEachLane(Left, [&, Value = static_cast<uint64_t>(Value)](unsigned Lane) {
      Lanes |= static_cast<uint32_t>(W[Op.A][Lane] == Value) << Lane;
    });
    Left &= ~Lanes;
    Send(B.Edges[static_cast<size_t>(Index)], Lanes);
  }
  Send(B.Edges[0], Left);
  diverge(B, W);
}

/// Executes the control operation at the end of a basic block.
void Execution::branch(const Operation &Op, const Block &B, Warp &W) {
  switch (Op.Code) {
  case Opcode::CondBranch:
    return conditional(Op, B, W);
  case Opcode::Switch:
    return choose(Op, B, W);
  case Opcode::Return:
    leave(W, W.Active.Bits);
    return settle(W);
  case Opcode::Trap:
    S.report(FindingKind::Trapped, Op, W, W.Active.Bits);
    return S.stop();
  default:
    follow(B.Edges[0], W, W.Active.Bits);
    W.Paths.back().Block = static_cast<int>(B.Edges[0].To);
    settle(W);
  }
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Lanes in which all operands are numbers are computed at once, the others as
/// terms.
void Execution::compute(const Operation &Op, Warp &W) {
  if (Op.Code == Opcode::Move)
    return W.move(Op.D, Op.A, W.Active.Bits);
  uint32_t ByZero = 0;
  uint32_t Lanes = S.Terms ? SymbolicLanes::of(Op, W) : 0;
  if (!Lanes) {
    ByZero = evaluate(Op, W);
    if (S.Terms)
      W.setConcrete(Op.D, W.Active.Bits);
  } else {
    const uint32_t Active = W.Active.Bits;
    if (Active & ~Lanes) {
      W.Active.set(Active & ~Lanes);
      ByZero = evaluate(Op, W);
      W.setConcrete(Op.D, W.Active.Bits);
      W.Active.set(Active);
    }
    SymbolicLanes(S).evaluate(Op, W, Lanes);
  }
  if (ByZero)
    S.report(FindingKind::DivisionByZero, Op, W, ByZero);
}

void Execution::execute(const Operation &Op, Warp &W) {
  switch (Op.Code) {
  case Opcode::Load:
    return Memory.load(Op, W);
  case Opcode::Store:
    return Memory.store(Op, W);
  case Opcode::Copy:
    return Memory.copy(Op, W);
  case Opcode::Fill:
    return Memory.fill(Op, W);
  case Opcode::AtomicRmw:
    return Memory.atomicRmw(Op, W);
  case Opcode::AtomicCas:
    return Memory.atomicCas(Op, W);
  case Opcode::CopyAsync:
    return Memory.copyAsync(Op, W);
  case Opcode::CommitAsync:
    return Memory.commitAsync(W);
  case Opcode::WaitAsync:
    return Memory.waitAsync(Op, W);
  case Opcode::Alloca:
    return Memory.allocate(Op, W);
  case Opcode::IsSpace:
    return Memory.isInSpace(Op, W);
  case Opcode::SpecialRegister:
    return readSpecial(S, Op, W);
  case Opcode::MbarrierInit:
  case Opcode::MbarrierInval:
  case Opcode::MbarrierArrive:
  case Opcode::MbarrierWait:
  case Opcode::MbarrierBytes:
  case Opcode::MbarrierCopies:
  case Opcode::CopyBulk:
    return Objects.run(Op, W);
  case Opcode::Barrier:
  case Opcode::BarrierReduce:
    return BlockBarriers.arrive(Op, W);
  case Opcode::Print:
    return printFormatted(S, Memory, Op, W);
  case Opcode::AssertFail:
    return failAssertion(S, Memory, Op, W);
  case Opcode::Clock:
    return forEachLane(W.Active.Bits, [&](unsigned Lane) {
      W.put(Op.D, Lane, S.Result.Seen.WarpInstructions & maskOf(Op.Bits));
    });
  // The interpreter's memory is sequentially consistent: only the race detector
  // needs to know of fences.
  case Opcode::Fence:
    return Memory.fence();
  default:
    return Operations.run(Op, W);
  }
}

/// Runs operations of a basic block until control leaves it or the warp waits.
void Execution::runOperations(Warp &W) {
  const Block &B = P.Blocks[static_cast<size_t>(W.Paths.back().Block)];
  uint64_t &Count = S.Result.Seen.WarpInstructions;
  for (size_t I = W.Next, N = B.Operations.size(); I < N; ++I) {
    const Operation &Op = B.Operations[I];
    ++Count;
    if (isArithmetic(Op.Code)) {
      compute(Op, W);
      continue;
    }
    if (Op.Code >= Opcode::Branch && Op.Code <= Opcode::Trap)
      return branch(Op, B, W);
    W.Next = I + 1;
    if (Op.Code == Opcode::LeaveIf) {
      if (!leaveIf(Op, W))
        return;
      continue;
    }
    execute(Op, W);
    if (W.State == WarpState::Waiting || S.isStopped())
      return;
  }
}

/// Runs a warp for a time slice, or until it waits.
void Execution::runWarp(Warp &W) {
  uint64_t &Count = S.Result.Seen.WarpInstructions;
  const uint64_t Limit = S.Options.MaxWarpInstructions;
  const uint64_t End = std::min(Count + SliceLength, Limit);
  while (W.State == WarpState::Ready && Count < End && !S.isStopped())
    runOperations(W);
  if (W.State == WarpState::Ready && Count >= Limit && !S.isStopped()) {
    const Block &B = P.Blocks[static_cast<size_t>(W.Paths.back().Block)];
    S.report(FindingKind::NoProgress, B.Operations[W.Next], W, W.Active.Bits);
    S.stop();
  }
  if (S.Options.Progress && Count >= NextProgress) {
    S.Options.Progress(Count);
    NextProgress = Count + ProgressStep;
  }
}

} // namespace cudaopt::simt
