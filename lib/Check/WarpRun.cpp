// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Runs a warp through a kernel: control flow, calls and accesses.
/// LaneValues.cpp computes the values.
//===----------------------------------------------------------------------===//

#include "WarpRun.h"

#include "LaneValues.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;
using namespace cudaopt;
using namespace cudaopt::check;

/// The number of iterations after which a loop that may have ended is widened:
/// one further iteration, with values that are not known where they differ,
/// stands for all that may follow.
static constexpr uint32_t UnknownTripCount = 10;

//===----------------------------------------------------------------------===//
// Frames
//===----------------------------------------------------------------------===//

bool WarpRun::run(unsigned NewFirstThread, Dim3 NewBlockIndex,
                  std::vector<WarpEvent> &NewEvents) {
  FirstThread = NewFirstThread;
  BlockIndex = NewBlockIndex;
  Events = &NewEvents;
  if (Frames.empty())
    Frames.push_back(std::make_unique<Frame>());
  Frame &F = *Frames.front();
  begin(F, Facts.codeOf(Kernel));
  for (LaneSlot Argument : F.Code->Arguments)
    F.Slots[Argument] = {};
  for (auto [Index, Number] : KnownArguments)
    if (const LaneSlot Slot = F.Code->Arguments[Index]; Slot != NoSlot) {
      F.Slots[Slot].Numbers.fill(Number);
      F.Slots[Slot].Known = F.Slots[Slot].MadeUp = ~0u;
    }
  const unsigned Left = numThreads() - FirstThread;
  runFrame(0, Left >= WarpSize ? ~0u : (1u << Left) - 1);
  return Steps <= MaxSteps;
}

/// Prepares \p F for a call of \p Code. The values of earlier calls need no
/// reset, since each is set before it is used.
void WarpRun::begin(Frame &F, const WarpCode &Code) {
  if (F.Code != &Code) {
    F.Code = &Code;
    F.Slots.assign(Code.NumSlots, {});
    for (auto [Slot, Number] : Code.Constants) {
      F.Slots[Slot].Numbers.fill(Number);
      F.Slots[Slot].Known = ~0u;
    }
    F.Loops.assign(Code.Loops.size(), {});
    F.Executed = &Executed[&Code];
    F.Executed->resize(Code.Blocks.size());
  }
  F.Waiting.assign(Code.Blocks.size(), 0);
  F.Forks.clear();
  F.Uncertain = F.Returned = F.Left = 0;
  F.Iteration = 0;
  IsComplete &= Code.IsReducible;
}

/// Runs \p Lanes through the function of the frame at \p Depth: always executes
/// the first block for which lanes wait, until there is none.
void WarpRun::runFrame(unsigned Depth, uint32_t Lanes) {
  Frame &F = *Frames[Depth];
  F.Waiting[0] = Lanes;
  for (unsigned Block = 0; Block < F.Waiting.size() && Steps <= MaxSteps;) {
    if (F.Waiting[Block])
      Block = std::min(Block + 1, runBlock(Depth, Block));
    else
      ++Block;
  }
}

/// Executes one block. Returns a block such that lanes wait for none between
/// the next block and it: the first that lanes now go to, or the next one.
unsigned WarpRun::runBlock(unsigned Depth, unsigned Number) {
  Frame &F = *Frames[Depth];
  const LaneBlock &B = F.Code->Blocks[Number];
  uint32_t Lanes = std::exchange(F.Waiting[Number], 0);
  ++Steps;
  ++(*F.Executed)[Number];
  erase_if(F.Forks,
           [&](const Fork &Each) { return Each.Reconvergence == Number; });
  if (B.Ends == LaneBlock::Latch) {
    runLatch(F, Number, Lanes);
    return F.Code->Loops[B.Loop].Header;
  }
  if (B.IsHeader) {
    Frame::LoopState &State = F.Loops[B.Loop];
    const int Parent = F.Code->Loops[B.Loop].Parent;
    State.Iteration =
        number(Parent < 0 ? F.Iteration : F.Loops[Parent].Iteration,
               uint64_t(B.Loop) << 32 | State.Count);
  }
  for (const LaneOperation &Op : B.Operations) {
    ++Steps;
    Lanes = execute(Depth, Op, Number, Lanes);
    if (!Lanes || Steps > MaxSteps)
      return Number + 1;
  }
  return runTerminator(F, Number, Lanes);
}

void WarpRun::visitExecuted(
    function_ref<void(const BasicBlock &, uint64_t)> Visit) const {
  for (const auto &[Code, Times] : Executed)
    for (auto [Block, Number] : zip(Code->Blocks, Times))
      if (Block.From && Number)
        Visit(*Block.From, Number);
}

/// Returns the number of the iteration or call \p What inside of the iteration
/// \p Outer. The same pair always gets the same number, in all warps.
uint32_t WarpRun::number(uint32_t Outer, uint64_t What) {
  return Iterations.try_emplace({Outer, What}, Iterations.size() + 1)
      .first->second;
}

/// Returns the number of the current iteration of the innermost loop around a
/// block, or of the call.
uint32_t WarpRun::iterationOf(const Frame &F, unsigned Number) const {
  const int Loop = F.Code->Blocks[Number].Loop;
  return Loop < 0 ? F.Iteration : F.Loops[Loop].Iteration;
}

/// Returns the lanes that may not really be here: their path depends on an
/// unknown condition.
uint32_t WarpRun::uncertainOf(const Frame &F) const {
  uint32_t Result = F.Uncertain;
  for (const Fork &Each : F.Forks)
    Result |= Each.Lanes;
  return Result;
}

/// Records that \p Lanes take several paths from block \p By to block
/// \p Reconvergence.
void WarpRun::addFork(Frame &F, unsigned By, unsigned Reconvergence,
                      uint32_t Lanes) {
  if (!Lanes)
    return;
  const auto Same = find_if(F.Forks, [&](const Fork &Each) {
    return Each.By == By && Each.Reconvergence == Reconvergence;
  });
  if (Same != F.Forks.end())
    Same->Lanes |= Lanes;
  else
    F.Forks.push_back({By, Reconvergence, Lanes});
}

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

/// Begins the next iteration of the loop whose latch this is.
///
/// Lanes of an exit condition of unknown value both leave and stay. After
/// UnknownTripCount iterations, these are widened: instead of taking the next
/// values of the phis, they keep only what does not change from one iteration
/// to the next. Once nothing changes any more, the iteration stands for all
/// that may follow, and the lanes stay no longer. This ends, since a value that
/// is unknown remains so.
void WarpRun::runLatch(Frame &F, unsigned Number, uint32_t Lanes) {
  const int Id = F.Code->Blocks[Number].Loop;
  const LaneLoop &Loop = F.Code->Loops[Id];
  Frame::LoopState &State = F.Loops[Id];
  uint32_t MayHaveEnded = 0;
  for (const Fork &Each : F.Forks)
    if (Loop.contains(Each.By) && !Loop.contains(Each.Reconvergence))
      MayHaveEnded |= Each.Lanes & Lanes;
  const uint32_t Wide = State.Count + 1 >= UnknownTripCount ? MayHaveEnded : 0;
  uint32_t Changed = 0;
  for (auto [Phi, Next] : Loop.Phis) {
    assign(F.Slots[Phi], F.Slots[Next], Lanes & ~Wide);
    Changed |= join(F.Slots[Phi], F.Slots[Next], Wide);
  }
  const uint32_t Done = Wide & State.Widened & ~Changed;
  State.Widened |= Wide;
  ++State.Count;
  F.Waiting[Loop.Header] |= Lanes & ~Done;
}

/// Sends \p Lanes along \p Edge. Lanes that wait for its target already, having
/// arrived by another edge, keep what is the same on both.
void WarpRun::follow(Frame &F, const LaneEdge &Edge, uint32_t Lanes) {
  if (!Lanes)
    return;
  for (unsigned Id : Edge.Left) {
    uint32_t &Left = F.Loops[Id].Left;
    for (auto [From, To] : F.Code->Loops[Id].Results) {
      assign(F.Slots[To], F.Slots[From], Lanes & ~Left);
      join(F.Slots[To], F.Slots[From], Lanes & Left);
    }
    Left |= Lanes;
  }
  uint32_t &Waiting = F.Waiting[Edge.To];
  for (auto [To, From] : Edge.Copies) {
    assign(F.Slots[To], F.Slots[From], Lanes & ~Waiting);
    join(F.Slots[To], F.Slots[From], Lanes & Waiting);
  }
  Waiting |= Lanes;
  if (const LaneBlock &To = F.Code->Blocks[Edge.To]; To.IsHeader) {
    Frame::LoopState &State = F.Loops[To.Loop];
    State.Count = 0;
    State.Left &= ~Lanes;
    State.Widened &= ~Lanes;
  }
}

/// Lets \p Lanes return. A lane that has returned on another path, too, keeps
/// the result if it is the same.
void WarpRun::leaveFunction(Frame &F, const LaneBlock &B, uint32_t Lanes) {
  const LaneValue &Result = F.Slots[B.Condition];
  assign(F.Result, Result, Lanes & ~F.Returned);
  join(F.Result, Result, Lanes & F.Returned);
  F.Returned |= Lanes;
}

/// Sends \p Lanes to the successors of a block; those for which the condition
/// is not known to all of them. Returns the first block to which lanes go, or
/// the next block.
unsigned WarpRun::runTerminator(Frame &F, unsigned Number, uint32_t Lanes) {
  const LaneBlock &B = F.Code->Blocks[Number];
  if (B.Ends == LaneBlock::Return) {
    leaveFunction(F, B, Lanes);
    return Number + 1;
  }
  if (B.Ends == LaneBlock::End)
    F.Left |= Lanes;
  if (B.Edges.empty())
    return Number + 1;
  const LaneValue &Condition = F.Slots[B.Condition];
  const bool IsJump = B.Ends == LaneBlock::Jump;
  const uint32_t Unknown =
      IsJump ? 0 : Lanes & (~Condition.Known | Condition.MadeUp);
  addFork(F, Number, B.Reconvergence, Unknown);
  SmallVector<uint32_t, 4> Ways(B.Edges.size(), Unknown);
  uint32_t Rest = Lanes & ~Unknown;
  if (!IsJump)
    noteBlocks(Condition, Lanes);
  if (B.Ends == LaneBlock::Branch) {
    uint32_t Taken = 0;
    for (unsigned Lane = 0; Lane != WarpSize; ++Lane)
      Taken |= uint32_t(Condition.Numbers[Lane] & 1) << Lane;
    Ways[1] |= Rest & ~Taken;
    Rest &= Taken;
  } else if (B.Ends == LaneBlock::Switch) {
    for (auto [Case, Value] : enumerate(B.Cases))
      for (unsigned Lane = 0; Lane != WarpSize; ++Lane)
        if (Rest >> Lane & 1 && Condition.Numbers[Lane] == Value) {
          Ways[Case + 1] |= 1u << Lane;
          Rest &= ~(1u << Lane);
        }
  }
  Ways[0] |= Rest;
  unsigned First = Number + 1;
  for (auto [Edge, Way] : zip(B.Edges, Ways)) {
    follow(F, Edge, Way);
    if (Way)
      First = std::min(First, Edge.To);
  }
  return First;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Executes one operation. Returns the lanes that go on behind it.
uint32_t WarpRun::execute(unsigned Depth, const LaneOperation &Op,
                          unsigned Number, uint32_t Lanes) {
  Frame &F = *Frames[Depth];
  if (!Op.Accesses.empty())
    access(F, Op, iterationOf(F, Number), Lanes);
  switch (Op.What) {
  case LaneOperation::Call:
    return call(Depth, Op, Number, Lanes);
  case LaneOperation::Barrier:
    Events->push_back({WarpEvent::Barrier, iterationOf(F, Number), Lanes,
                       Lanes & ~uncertainOf(F)});
    break;
  case LaneOperation::MayLeave:
    F.Left |= Lanes;
    addFork(F, Number, F.Waiting.size(), Lanes);
    break;
  case LaneOperation::Opaque:
    IsComplete &= !Facts.AreCalledUnseen;
    F.Left |= Lanes;
    addFork(F, Number, F.Waiting.size(), Lanes);
    break;
  default:
    if (Op.D == NoSlot)
      return Lanes;
    if (Lanes == ~0u) {
      compute(F, Op, Lanes, F.Slots[Op.D]);
    } else {
      LaneValue Result;
      compute(F, Op, Lanes, Result);
      assign(F.Slots[Op.D], Result, Lanes);
    }
    return Lanes;
  }
  if (Op.D != NoSlot)
    assign(F.Slots[Op.D], {}, Lanes);
  return Lanes;
}

/// Finds the address of an access by a library function, of which it is not
/// known which argument is the address: takes the first argument that points to
/// a variable of the place and that no other place of the call has taken.
void WarpRun::passAddress(const Frame &F, const LaneOperation &Op,
                          WarpEvent &Event, std::vector<bool> &Taken) const {
  const auto &Variables = Facts.Places[Event.Place].Variables;
  for (auto [Index, Slot] : enumerate(Op.Arguments)) {
    const LaneValue &Argument = F.Slots[Slot];
    if (Taken[Index])
      continue;
    Event.Addresses = Argument.Numbers;
    Event.Known = 0;
    for (unsigned Lane = 0; Lane != WarpSize; ++Lane)
      if (const auto V = Event.variable(Lane);
          Argument.Known & Event.Lanes & 1u << Lane && V &&
          is_contained(Variables, *V))
        Event.Known |= 1u << Lane;
    if (Event.Known) {
      Taken[Index] = true;
      return;
    }
  }
}

/// Records the accesses of \p Op by \p Lanes. Lanes whose address is known to
/// be outside of shared variables are left out.
void WarpRun::access(Frame &F, const LaneOperation &Op, uint32_t Iteration,
                     uint32_t Lanes) {
  std::vector<bool> Taken(Op.Arguments.size());
  const uint32_t Certain = Lanes & ~uncertainOf(F);
  for (auto [Place, Slot] : Op.Accesses) {
    WarpEvent Event{Place, Iteration, Lanes, Certain};
    if (Slot == NoSlot) {
      passAddress(F, Op, Event, Taken);
    } else {
      const LaneValue &Address = F.Slots[Slot];
      Event.Addresses = Address.Numbers;
      Event.Known = Address.Known & Lanes;
      Event.Outside = Address.Outside & Lanes;
      noteBlocks(Address, Lanes);
      for (unsigned Lane = 0; Lane != WarpSize; ++Lane)
        if (Event.Known >> Lane & 1 && !Event.variable(Lane))
          Event.Lanes &= ~(1u << Lane); // Of other memory.
    }
    Event.Known &= Event.Lanes;
    Event.Certain &= Event.Lanes;
    if (Event.Lanes)
      Events->push_back(Event);
  }
}

/// Runs a call. Returns the lanes that come back. Lanes that may have ended in
/// the callee, and may also come back, are uncertain from then on.
uint32_t WarpRun::call(unsigned Depth, const LaneOperation &Op, unsigned Number,
                       uint32_t Lanes) {
  if (Depth + 1 >= MaxDepth) {
    IsComplete = false;
    if (Op.D != NoSlot)
      assign(Frames[Depth]->Slots[Op.D], {}, Lanes);
    return Lanes;
  }
  if (Frames.size() <= Depth + 1)
    Frames.push_back(std::make_unique<Frame>());
  Frame &F = *Frames[Depth], &Callee = *Frames[Depth + 1];
  begin(Callee, Facts.codeOf(*Op.Callee));
  Callee.Uncertain = uncertainOf(F);
  Callee.Iteration =
      this->number(iterationOf(F, Number), reinterpret_cast<uintptr_t>(Op.By));
  for (auto [To, From] : zip(Callee.Code->Arguments, Op.Arguments))
    if (To != NoSlot)
      assign(Callee.Slots[To], F.Slots[From], Lanes);
  runFrame(Depth + 1, Lanes);
  if (Op.D != NoSlot)
    assign(F.Slots[Op.D], Callee.Result, Callee.Returned);
  F.Left |= Callee.Left;
  addFork(F, Number, F.Waiting.size(), Callee.Left & Callee.Returned);
  return Callee.Returned;
}

/// Records on which dimensions of blockIdx \p Value depends.
void WarpRun::noteBlocks(const LaneValue &Value, uint32_t Lanes) {
  for (unsigned D = 0; D != 3; ++D)
    if (Value.Blocks[D] & Lanes)
      BlockDimensions |= 1u << D;
}

/// Reads a special register. blockIdx is known, but depends on the block that
/// is run.
void WarpRun::readRegister(unsigned Which, LaneValue &Result) const {
  const unsigned D = Which % 4;
  Result = {};
  Result.Known = ~0u;
  switch (LaneRegister(Which / 4)) {
  case LaneRegister::Thread:
    for (unsigned Lane = 0; Lane != WarpSize; ++Lane) {
      const unsigned Thread = FirstThread + Lane;
      const Dim3 Index = {Thread % Block[0], Thread / Block[0] % Block[1],
                          Thread / Block[0] / Block[1]};
      Result.Numbers[Lane] = Index[D];
    }
    return;
  case LaneRegister::BlockSize:
    return Result.Numbers.fill(Block[D]);
  case LaneRegister::Block:
    Result.Blocks[D] = ~0u;
    return Result.Numbers.fill(BlockIndex[D]);
  case LaneRegister::GridSize:
    Result.Known = Grid[D] ? ~0u : 0;
    return Result.Numbers.fill(Grid[D]);
  }
}

/// Returns the lanes in which \p Subscript is known to be no index of a
/// dimension with \p Extent elements.
static uint32_t findOutside(const LaneValue &Subscript, uint64_t Extent) {
  uint32_t Result = 0;
  for (unsigned Lane = 0; Lane != WarpSize; ++Lane)
    Result |= uint32_t(Subscript.Numbers[Lane] >= Extent) << Lane;
  return Result & Subscript.Known;
}

/// Computes the result of \p Op in all lanes. A selection records on which
/// dimensions of blockIdx its condition depends, since its result does not show
/// that.
void WarpRun::compute(const Frame &F, const LaneOperation &Op, uint32_t Lanes,
                      LaneValue &Result) {
  const LaneValue &A = F.Slots[Op.A], &B = F.Slots[Op.B];
  switch (Op.What) {
  case LaneOperation::Copy:
    return truncate(A, Op.Bits, Result);
  case LaneOperation::Binary:
    return computeBinary(Op.Opcode, Op.Bits, A, B, Result);
  case LaneOperation::Compare:
    return compare(Op.Opcode, Op.Bits, A, B, Result);
  case LaneOperation::Extend:
    return extend(A, Op.Opcode, Op.Bits, Result);
  case LaneOperation::Select:
    noteBlocks(A, Lanes);
    return select(A, B, F.Slots[Op.C], Result);
  case LaneOperation::Extremum: {
    LaneValue IsA;
    compare(Op.Opcode, Op.Bits, A, B, IsA);
    noteBlocks(IsA, Lanes);
    return select(IsA, A, B, Result);
  }
  case LaneOperation::Register:
    return readRegister(Op.Opcode, Result);
  case LaneOperation::Address:
    Result = A;
    if (Op.Addend)
      add(Result, Op.Addend);
    for (auto [Term, Factor] : Op.Terms)
      addScaled(Result, F.Slots[Term], Factor);
    Result.Outside = Op.IsOfWhole ? A.Outside : 0;
    for (auto [Subscript, Extent] : Op.Extents)
      Result.Outside |= findOutside(F.Slots[Subscript], Extent);
    return;
  default:
    Result = {};
  }
}
