// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Walks the blocks, warps and iterations of a group of accesses.
//===----------------------------------------------------------------------===//

#include "AccessWalk.h"
#include "LowBits.h"
#include "cudaopt/Model/ValueLeaves.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

using namespace cudaopt;
using llvm::ArrayRef;
using llvm::SmallVector;

/// So many blocks at least must fit into the budget of an access, if the grid
/// has them; loops are cut to make that so.
static constexpr uint64_t MinBlocks = 16;
/// No more blocks than these are evaluated.
static constexpr uint64_t MaxBlocks = 4096;
/// The iterations that a loop of unknown trip count is taken to have.
static constexpr uint64_t DefaultTrips = 10;
/// Greater trip counts count as unknown.
static constexpr uint64_t MaxTrips = 1 << 24;

AccessWalk::AccessWalk(const KernelInstance &Instance, const AccessGroup &Group,
                       Evaluator &Values, uint64_t Budget)
    : Instance(Instance), Group(Group), A(*Group.Members.front().A),
      Shape(Instance.Shapes[A.Array]), Values(Values), Budget(Budget),
      GuardsAt(A.Loops.size() + 1), Iterators(Instance.Loops.size()),
      IsCounted(Group.Members.size(), true) {
  IsExact = A.DomainIsExact;

  SmallVector<ValueId, 16> Roots(A.Guards.begin(), A.Guards.end());
  for (const MergeableAccess &Member : Group.Members)
    llvm::append_range(Roots, Member.A->Index);
  for (LoopId Id : A.Loops)
    if (Instance.Loops[Id].Condition)
      Roots.push_back(*Instance.Loops[Id].Condition);
  // A guard without a value is taken to hold in all blocks, so that it does not
  // make the group depend on the block.
  std::vector<bool> Numbers = findNumbers(Instance.Values);
  findBlocks(findLeaves(Instance.Values, Roots, &Numbers).Blocks);
  placeGuards();
}

/// Determines the blocks to be walked from the \p UsedDimensions of the block
/// index. Without a known grid, only block 0 is.
void AccessWalk::findBlocks(const std::array<bool, 3> &UsedDimensions) {
  for (unsigned D = 0; D < 3; ++D) {
    if (!UsedDimensions[D])
      continue;
    BlockDimensions.push_back(D);
    IsGridKnown &= Instance.Block.Grid[D] != 0;
    NumBlocks *= Instance.Block.Grid[D];
  }
  if (!IsGridKnown)
    NumBlocks = 1;
  IsExact &= IsGridKnown;
  BlockBudget = Budget / std::min(NumBlocks, MinBlocks);
}

/// Fills GuardsAt. Evaluating a guard as far outside as possible saves most of
/// the work: it often turns off whole warps.
void AccessWalk::placeGuards() {
  for (ValueId Guard : A.Guards) {
    if (!IsGridKnown && Instance.Values.dependsOnBlock(Guard))
      continue; // Taken to hold.
    size_t Depth = 0;
    bool IsInScope = true;
    for (LoopId Id : findLeaves(Instance.Values, Guard).Loops) {
      const auto *Place = llvm::find(A.Loops, Id);
      IsInScope &= Place != A.Loops.end();
      Depth = std::max<size_t>(Depth, Place - A.Loops.begin() + 1);
    }
    if (IsInScope)
      GuardsAt[Depth].push_back(Guard);
    else
      IsExact = false;
  }
}

/// Returns a number coprime to \p Count and near its golden section: its
/// multiples modulo Count visit every residue once, and any first few of them
/// are spread evenly. So a sample of blocks is representative, and
/// deterministic.
static uint64_t chooseStep(uint64_t Count) {
  auto Step = std::max<uint64_t>(1, Count / 1.618033988749895);
  while (std::gcd(Step, Count) != 1)
    ++Step;
  return Step;
}

void AccessWalk::addPatterns(PatternSet &Result) {
  // The cost of the first block tells how many blocks the budget allows.
  walkBlock(0);
  if (Spent > BlockBudget && !A.Loops.empty()) {
    cutLoops();
    walkBlock(0);
  }
  uint64_t Affordable =
      std::max<uint64_t>(1, Budget / std::max<uint64_t>(1, Spent));
  uint64_t Count = std::min({NumBlocks, MaxBlocks, Affordable});
  if (Count < NumBlocks)
    IsExact = false;

  const uint64_t Step = chooseStep(NumBlocks);
  uint64_t Number = 0;
  for (uint64_t I = 0; I < Count; ++I) {
    if (I != 0)
      walkBlock(Number);
    Result.addScaled(OfBlock, 1.0 / Count);
    Number = (Number + Step) % NumBlocks;
  }
}

/// Cuts all loops to the same number of iterations, so that a block fits into
/// its budget. The number is a multiple of 4 where possible, as the accesses of
/// consecutive iterations may merge.
void AccessWalk::cutLoops() {
  IsExact = false;
  uint64_t PerIteration =
      (A.Index.size() * Group.Members.size() + A.Guards.size() + 1) *
      Instance.Block.numThreads();
  double Iterations = static_cast<double>(BlockBudget) / PerIteration;
  LoopCap = std::max(2.0, std::pow(Iterations, 1.0 / A.Loops.size()));
  if (LoopCap > 4)
    LoopCap -= LoopCap % 4;
}

/// Fills OfBlock with the patterns of block \p Number, counted with x fastest
/// in BlockDimensions. Gives up when the block exceeds its budget, unless loops
/// are cut already.
void AccessWalk::walkBlock(uint64_t Number) {
  SpentBefore += Spent;
  Spent = 0;
  OfBlock = {};
  for (unsigned D : BlockDimensions) {
    uint64_t Extent = std::max<uint64_t>(1, Instance.Block.Grid[D]);
    Block[D] = Number % Extent;
    Number /= Extent;
  }

  const auto &Extents = Instance.Block.Threads;
  const uint32_t NumThreads = Instance.Block.numThreads();
  for (uint32_t First = 0; First < NumThreads; First += WarpSize) {
    uint32_t NumLanes = std::min(NumThreads - First, WarpSize);
    for (uint32_t Lane = 0; Lane < NumLanes; ++Lane) {
      uint32_t T = First + Lane;
      Threads[Lane] = {T % Extents[0], T / Extents[0] % Extents[1],
                       T / Extents[0] / Extents[1]};
    }
    uint32_t Active = llvm::maskTrailingOnes<uint32_t>(NumLanes);
    walkLoops(0, keepLanes(Active, GuardsAt[0]), {});
  }
}

/// Enumerates the iterations of the loops from \p Depth inwards that the lanes
/// \p Active execute. A lane whose condition fails has left the loop for good.
void AccessWalk::walkLoops(unsigned Depth, uint32_t Active, Executions Number) {
  if (!Active)
    return;
  if (Depth == A.Loops.size())
    return addExecutions(Active, Number);

  const Loop &L = Instance.Loops[A.Loops[Depth]];
  bool IsKnown =
      L.Condition && !Instance.Values.dependsOnParameter(*L.Condition);
  const bool IsHoisted = Depth >= Group.HoistedDepth && Depth < Group.Depth;
  uint64_t Limit = IsKnown ? MaxTrips : DefaultTrips;
  if (LoopCap) {
    uint64_t Trips = IsKnown ? countTrips(L, Active) : DefaultTrips;
    Limit = std::min(Trips, LoopCap);
    const double Left =
        static_cast<double>(Trips) / std::max<uint64_t>(1, Limit);
    Number.Source *= Left;
    Number.Compiled *= IsHoisted ? 1 : Left;
  }
  IsExact &= IsKnown;

  for (uint64_t I = 0; I < Limit; ++I) {
    if (!LoopCap && Spent > BlockBudget)
      break;
    Iterators[L.Id] = I;
    if (L.Condition)
      Active = keepLanes(Active, *L.Condition);
    if (!Active)
      break;
    if (IsHoisted && I > 0)
      Number.Compiled = 0;
    walkLoops(Depth + 1, keepLanes(Active, GuardsAt[Depth + 1]), Number);
    if (Depth == Group.Depth && (I + 1) % Group.Iterations == 0)
      mergePending();
  }
  Iterators[L.Id] = 0;
  if (Depth == Group.Depth)
    mergePending();
}

/// Returns the number of iterations for which some lane of \p Active stays in
/// the loop \p L, found by exponential and then binary search: that relies on a
/// condition that stays false once it is false. Returns DefaultTrips if the
/// loop runs MaxTrips times or more.
uint64_t AccessWalk::countTrips(const Loop &L, uint32_t Active) {
  auto IsLeftAt = [&](uint64_t I) {
    Iterators[L.Id] = I;
    return keepLanes(Active, *L.Condition) == 0;
  };
  uint64_t End = 1;
  while (End < MaxTrips && !IsLeftAt(End))
    End *= 2;
  uint64_t Begin = 0; // Iteration 0 has not been tested yet.
  if (End >= MaxTrips)
    return DefaultTrips;
  while (Begin < End) {
    uint64_t Middle = std::midpoint(Begin, End);
    if (IsLeftAt(Middle))
      End = Middle;
    else
      Begin = Middle + 1;
  }
  return End;
}

/// Returns the lanes of \p Active in which all of \p Conditions hold. A
/// condition that has no value is taken to hold, and makes the result inexact.
uint32_t AccessWalk::keepLanes(uint32_t Active, ArrayRef<ValueId> Conditions) {
  if (Conditions.empty())
    return Active;
  Spent += std::popcount(Active) * Conditions.size();
  uint32_t Kept = Active;
  for (unsigned Lane = 0; Lane < WarpSize; ++Lane) {
    if (!(Active >> Lane & 1))
      continue;
    moveTo(Lane);
    for (ValueId Id : Conditions) {
      std::optional<int64_t> Holds = Values.evaluate(Id);
      IsExact &= Holds.has_value();
      if (Holds && *Holds == 0) {
        Kept &= ~(1u << Lane);
        break;
      }
    }
  }
  return Kept;
}

/// Adds one execution of each member in the lanes \p Active, which stands for
/// \p Number executions.
void AccessWalk::addExecutions(uint32_t Active, const Executions &Number) {
  LanePattern P = {};
  P.Op = memoryOpOf(A.Kind);
  P.Width = A.Width;
  P.Pitch = A.Split ? A.Split->Pitch : 0;
  P.ActiveLanes = Active;
  P.Weight = Number.Compiled;
  P.SourceWeight = Number.Source;
  P.BaseAlignment = Shape.BaseAlignment;
  for (auto [I, Member] : llvm::enumerate(Group.Members)) {
    P.Offset = Member.A->Offset;
    if (!addExecution(Member, P))
      IsCounted[I] = IsExact = false;
  }
  if (Group.Depth == A.Loops.size())
    mergePending();
}

/// Adds an execution of \p Member, either to the block's patterns or, if it may
/// be merged with others, to Pending. Returns false, and adds nothing, if the
/// element of some lane is unknown or out of bounds.
bool AccessWalk::addExecution(const MergeableAccess &Member, LanePattern P) {
  Spent += std::popcount(P.ActiveLanes) * A.Index.size();
  for (unsigned Lane = 0; Lane < WarpSize; ++Lane) {
    if (!(P.ActiveLanes >> Lane & 1))
      continue;
    moveTo(Lane);
    std::optional<uint32_t> Element = findElement(*Member.A);
    if (!Element)
      return false;
    P.Elements[Lane] = *Element;
  }
  if (Member.MaxCount == 1 && !Member.IsLoadedOnce)
    OfBlock.add(P);
  else
    setPlace(Member, Pending.emplace_back(PatternExecution{
                         P, Member.MaxCount, Member.IsLoadedOnce, 0}));
  return true;
}

/// Fills in the members of \p E that decide with which executions it may be
/// merged: Origin, Place, Elsewhere, and whether it may be merged at all.
void AccessWalk::setPlace(const MergeableAccess &Member, PatternExecution &E) {
  const unsigned First = std::countr_zero(E.Pattern.ActiveLanes);
  const uint32_t Element = E.Pattern.Elements[First];
  moveTo(First);
  E.Origin = findOrigin(Member);
  E.Pattern.KeptChunk = Member.Sum.Chunk;
  if (Member.Column) {
    std::optional<int64_t> Column = Values.evaluate(*Member.Column);
    if (Column && *Column >= 0)
      E.Place = *Column;
    else
      E.MaxCount = 1;
  } else {
    E.Pattern.MemberStep = A.Width;
    E.Place = E.Pattern.Offset / A.Width;
    if (E.Pattern.Offset % A.Width)
      E.MaxCount = 1;
  }
  // An element one step away stands for all other executions: the one behind
  // this element or, at the end of the array, the one in front of it.
  const uint64_t Step = Member.StepElsewhere;
  if (Step && Element + Step + E.MaxCount <= Shape.numElements())
    E.Pattern.Elsewhere = Element + Step;
  else if (Step && Step <= Element)
    E.Pattern.Elsewhere = Element - Step;
}

/// Returns a hash that is equal for two executions of which the compiler knows
/// that only their columns differ: of the symbolic part of all subscripts, and
/// of the numeric part of all but the column. The iterators of unrolled loops
/// are numbers to the compiler; in a partly unrolled loop that is so for the
/// iterator modulo the unroll factor.
uint64_t AccessWalk::findOrigin(const MergeableAccess &Member) {
  std::vector<std::optional<SymbolicSum>> Unrolled(Instance.Loops.size());
  for (LoopId Id : ArrayRef(A.Loops).drop_front(Group.Depth))
    Unrolled[Id] = {0, Iterators[Id]};
  if (Group.IsPartial) {
    const LoopId Id = A.Loops[Group.Depth];
    Unrolled[Id] = {llvm::hash_combine(Id) | 1,
                    Iterators[Id] % static_cast<int64_t>(Group.Iterations)};
  }
  SymbolicEvaluator Symbols(Instance.Values, Values, Unrolled);
  llvm::hash_code Origin = 0;
  for (ValueId Id : Member.A->Index) {
    SymbolicSum Sum = Symbols.evaluate(Id);
    if (Member.Column && Id == Member.A->Index.back())
      Sum.Number = 0;
    Origin = llvm::hash_combine(Origin, Sum.Unknown, Sum.Number);
  }
  return Origin;
}

void AccessWalk::mergePending() {
  for (const LanePattern &P : mergeExecutions(Pending))
    OfBlock.add(P);
  Pending.clear();
}

/// Returns the row-major number of the element that \p A accesses at the
/// evaluator's point; std::nullopt if it is unknown or out of bounds.
std::optional<uint32_t> AccessWalk::findElement(const Access &A) {
  uint64_t Element = 0;
  for (auto [Id, Extent] : llvm::zip_equal(A.Index, Shape.Extents)) {
    std::optional<int64_t> Subscript = Values.evaluate(Id);
    if (!Subscript || *Subscript < 0 ||
        static_cast<uint64_t>(*Subscript) >= Extent)
      return std::nullopt;
    Element = Element * Extent + *Subscript;
  }
  return Element;
}
