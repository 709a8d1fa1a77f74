// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Recounts the wavefronts of layouts by running every warp of a block, and
/// checks that threads stay inside the rows and the sub-arrays.
///
/// The kernel runs with its old addresses; the claims map each byte to where
/// the new layout stores it. So one run gives the wavefronts of both layouts.
//===----------------------------------------------------------------------===//

#include "DeviceFacts.h"

#include "cudaopt/Check/RunCheck.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cmath>

using namespace llvm;
using namespace cudaopt;
using namespace cudaopt::check;

/// The most operations of warps that are run for one kernel: some 0.3 s.
static constexpr uint64_t MaxSteps = 4'000'000;
/// A grid with more blocks, or one that needs more steps, is sampled.
static constexpr uint64_t MaxBlocks = 4096;
static constexpr uint64_t NumSampledBlocks = 64;
static constexpr uint64_t NumSampledSteps = 1'000'000;
/// The most operations that are run to see whether threads stay inside
/// sub-arrays.
static constexpr uint64_t MaxStepsOfParts = 1'000'000;

namespace {

/// The wavefronts of one array.
struct Recount {
  double Before = 0, After = 0; ///< With the old and the new layout.
  bool IsExact = true;
  bool IsWhole = true;    ///< False if some accesses are not counted.
  bool LeavesRow = false; ///< True if a copy along a row leaves it.
  /// True if a subscript certainly is outside of its dimension.
  bool IsOutside = false;

  void add(const Recount &Other) {
    Before += Other.Before;
    After += Other.After;
    IsExact &= Other.IsExact;
    IsWhole &= Other.IsWhole;
    LeavesRow |= Other.LeavesRow;
    IsOutside |= Other.IsOutside;
  }
};
using Recounts = std::vector<Recount>; ///< One for each layout of an instance.

/// What the claims say of the accesses at a place.
struct PlaceClaims {
  std::vector<AccessPiece> Pieces; ///< The requests that each lane makes.
  bool IsCounted = true;           ///< False if the requests are not known.
  bool IsClear = true;             ///< False if claims contradict one another.
  /// If it is a copy along a row: the most bytes; 0 if that is not known.
  std::optional<uint64_t> Copied;
};

/// Counts the wavefronts of the layouts of one instance.
class Recounter {
public:
  Recounter(DeviceCheck::Facts &Facts, const Function &Kernel,
            const KernelClaims &Claims, const BankMap &Banks, uint64_t MaxSteps)
      : Facts(Facts), Claims(Claims), Banks(Banks),
        Run(Facts.Runs, Kernel, Claims.Launch.Block, Claims.Launch.Grid,
            MaxSteps),
        StepLimit(MaxSteps), Numbers(findVariables(Claims, Facts)) {}

  /// Returns the wavefronts per block of each layout, on average over the grid.
  Recounts recount();
  uint64_t steps() const { return Run.steps(); }

private:
  Recounts zero() const;
  std::optional<Recounts> runBlock(const Dim3 &Index);
  uint64_t affordable(uint64_t NumBlocks) const;
  void addCost(const WarpEvent &Event, Recounts &Sum);
  void count(const WarpEvent &Event, Recounts &Sum);
  void countLanes(const WarpEvent &Event, uint32_t Lanes, unsigned Id,
                  Recount &Sum);
  std::optional<unsigned> findLayout(const WarpEvent &Event,
                                     unsigned Lane) const;
  const PlaceClaims &claimsOf(unsigned Place);
  bool isOf(unsigned Place, const LayoutClaim &Layout) const;

  DeviceCheck::Facts &Facts;
  const KernelClaims &Claims;
  const BankMap &Banks;
  WarpRun Run;
  const uint64_t StepLimit;
  uint64_t StepsOfBlock = 0; ///< The most steps that a block took so far.
  const std::vector<std::optional<unsigned>>
      Numbers; ///< The variable of the claims that each variable of runs is.
  std::map<unsigned, PlaceClaims> Known; ///< The result of claimsOf().
  /// The last event at a place, and what it cost.
  struct Counted {
    WarpEvent Event;
    Recounts Cost;
  };
  std::map<unsigned, Counted> Last; ///< The last event at each place.
};

} // namespace

//===----------------------------------------------------------------------===//
// One event
//===----------------------------------------------------------------------===//

/// Returns what the claims say of a place; computed once for each place.
const PlaceClaims &Recounter::claimsOf(unsigned Id) {
  auto [It, IsNew] = Known.try_emplace(Id);
  PlaceClaims &Result = It->second;
  if (!IsNew)
    return Result;
  const RunPlace &Place = Facts.Runs.Places[Id];
  bool IsFirst = true;
  for (const AccessClaim &C : Claims.Accesses) {
    if (none_of(Place.Variables,
                [&](unsigned V) { return Numbers[V] == C.Variable; }) ||
        !fits(Place.Kind, Place.Width, Place.Points, C))
      continue;
    if (std::exchange(IsFirst, false))
      Result.Pieces = C.Pieces;
    Result.IsClear &= Result.Pieces == C.Pieces;
    if (C.Copied)
      Result.Copied = std::max(Result.Copied.value_or(0), *C.Copied);
  }
  // A plain instruction is one request of its own width, whatever is claimed.
  const bool IsPlain =
      isa_and_nonnull<LoadInst, StoreInst, AtomicRMWInst, AtomicCmpXchgInst>(
          Place.By);
  if (IsPlain && Place.Kind != UseKind::Any) {
    Result.Pieces = {{Place.Kind, 0, Place.Width}};
    Result.IsClear = true;
  } else {
    Result.IsClear &= !IsFirst;
    Result.IsCounted = !Result.Pieces.empty();
  }
  return Result;
}

/// Returns the index of the layout of the array, or the sub-array, that \p Lane
/// accesses; std::nullopt if its layout does not change.
std::optional<unsigned> Recounter::findLayout(const WarpEvent &Event,
                                              unsigned Lane) const {
  const unsigned Variable = *Event.variable(Lane);
  if (Variable >= Numbers.size() || !Numbers[Variable])
    return std::nullopt;
  const int64_t Offset = Event.offset(Lane, Variable);
  for (auto [Id, Layout] : enumerate(Claims.Layouts))
    if (Layout.Variable == *Numbers[Variable] &&
        Offset >= int64_t(Layout.Begin) &&
        Offset < int64_t(Layout.Begin + Layout.Size))
      return Id;
  return std::nullopt;
}

/// Returns whether a place may access the variable of \p Layout.
bool Recounter::isOf(unsigned Place, const LayoutClaim &Layout) const {
  return any_of(Facts.Runs.Places[Place].Variables,
                [&](unsigned V) { return Numbers[V] == Layout.Variable; });
}

/// Adds the wavefronts of the requests that \p Lanes make, all of which access
/// the array of layout \p Id.
void Recounter::countLanes(const WarpEvent &Event, uint32_t Lanes, unsigned Id,
                           Recount &Sum) {
  const LayoutClaim &Layout = Claims.Layouts[Id];
  const PlaceClaims &Place = claimsOf(Event.Place);
  Sum.IsExact &= Place.IsClear && (Lanes & ~Event.Certain) == 0;
  const auto byteOf = [&](unsigned Lane) {
    return uint64_t(Event.offset(Lane, *Event.variable(Lane))) - Layout.Begin;
  };
  if (Place.Copied)
    for (unsigned Lane = 0; Lane != WarpSize; ++Lane)
      if (Lanes >> Lane & 1)
        Sum.LeavesRow |= Layout.Row == 0 ||
                         byteOf(Lane) % Layout.Row + *Place.Copied > Layout.Row;
  const uint64_t First = Place.Pieces.empty() ? 0 : Place.Pieces[0].Offset;
  for (const AccessPiece &Piece : Place.Pieces) {
    if (!isPowerOf2_64(Piece.Width) || Piece.Width > 16) {
      Sum.IsExact = false;
      continue;
    }
    WarpRequest Before;
    Before.Op = opOf(Piece.Kind);
    Before.Width = Piece.Width;
    Before.ActiveLanes = Lanes;
    WarpRequest After = Before;
    for (unsigned Lane = 0; Lane != WarpSize; ++Lane) {
      if (!(Lanes >> Lane & 1))
        continue;
      const uint64_t Byte = byteOf(Lane) + Piece.Offset - First;
      Sum.IsExact &= Byte + Piece.Width <= Layout.Size;
      if (Byte + Piece.Width > Layout.Size)
        return;
      Before.Addresses[Lane] = Byte;
      After.Addresses[Lane] = Layout.Offset + Layout.Moved(Byte);
    }
    Sum.Before += countWavefronts(Banks, Before);
    Sum.After += countWavefronts(Banks, After);
  }
}

/// Adds the wavefronts of \p Event, by the arrays that its lanes access.
void Recounter::count(const WarpEvent &Event, Recounts &Sum) {
  std::vector<uint32_t> Lanes(Claims.Layouts.size());
  uint32_t Elsewhere = Event.Lanes & ~Event.Known;
  for (unsigned Lane = 0; Lane != WarpSize; ++Lane)
    if (Event.Known >> Lane & 1) {
      if (const auto Id = findLayout(Event, Lane))
        Lanes[*Id] |= 1u << Lane;
      else
        Elsewhere |= 1u << Lane;
    }
  for (auto [Id, Layout] : enumerate(Claims.Layouts)) {
    if (Lanes[Id])
      countLanes(Event, Lanes[Id], Id, Sum[Id]);
    // Lanes whose address is not known, or is outside of the array.
    if (Elsewhere && !Layout.IsPart && isOf(Event.Place, Layout))
      Sum[Id].IsExact = false;
    if ((Event.Lanes & ~Event.Known) && isOf(Event.Place, Layout))
      Sum[Id].IsExact = false;
    if (Layout.HasRows && (Event.Known & Event.Certain & Event.Outside) &&
        isOf(Event.Place, Layout))
      Sum[Id].IsOutside = true;
  }
}

/// Returns true if two events at one place are the same but for their
/// iterations.
static bool areAlike(const WarpEvent &A, const WarpEvent &B) {
  return A.Lanes == B.Lanes && A.Certain == B.Certain && A.Known == B.Known &&
         A.Outside == B.Outside && A.Addresses == B.Addresses;
}

/// Adds what \p Event costs. Often that is what the last event at its place
/// cost, which is remembered, since counting is expensive.
void Recounter::addCost(const WarpEvent &Event, Recounts &Sum) {
  auto [It, IsNew] = Last.try_emplace(Event.Place);
  Counted &Before = It->second;
  if (IsNew || !areAlike(Event, Before.Event)) {
    Before = {Event, zero()};
    count(Event, Before.Cost);
  }
  for (auto [Total, Cost] : zip(Sum, Before.Cost))
    Total.add(Cost);
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

Recounts Recounter::zero() const {
  Recounts Zero(Claims.Layouts.size());
  for (auto [Sum, Layout] : zip(Zero, Claims.Layouts))
    Sum.IsWhole = Layout.IsCounted;
  return Zero;
}

/// Returns the wavefronts of a block; std::nullopt if the steps are used up.
std::optional<Recounts> Recounter::runBlock(const Dim3 &Index) {
  Recounts Sum = zero();
  const uint64_t StepsBefore = steps();
  std::vector<WarpEvent> Events;
  for (unsigned First = 0; First < Run.numThreads(); First += WarpSize) {
    Events.clear();
    if (!Run.run(First, Index, Events))
      return std::nullopt;
    for (const WarpEvent &Event : Events)
      if (Event.Place != WarpEvent::Barrier)
        addCost(Event, Sum);
  }
  StepsOfBlock = std::max(StepsOfBlock, steps() - StepsBefore);
  return Sum;
}

/// Returns how many blocks may differ in their work if that depends only on the
/// \p Dimensions (a bit mask) of the block's index; 0 if the grid is not known
/// in one of these.
static uint64_t countBlocks(const Dim3 &Grid, unsigned Dimensions) {
  uint64_t NumBlocks = 1;
  for (unsigned D = 0; D != 3; ++D)
    if (Dimensions >> D & 1)
      NumBlocks *= Grid[D];
  return NumBlocks;
}

/// Returns \p NumChosen of the blocks that countBlocks counts, evenly spread;
/// the first one if the grid is not known.
static std::vector<Dim3> spreadBlocks(Dim3 Grid, unsigned Dimensions,
                                      uint64_t NumChosen) {
  const uint64_t NumBlocks = countBlocks(Grid, Dimensions);
  if (NumBlocks == 0)
    return {{0, 0, 0}};
  for (unsigned D = 0; D != 3; ++D)
    if (!(Dimensions >> D & 1))
      Grid[D] = 1;
  std::vector<Dim3> Blocks;
  for (uint64_t I = 0; I < NumChosen; ++I) {
    const uint64_t Block = I * NumBlocks / NumChosen;
    Blocks.push_back({uint32_t(Block % Grid[0]),
                      uint32_t(Block / Grid[0] % Grid[1]),
                      uint32_t(Block / Grid[0] / Grid[1])});
  }
  return Blocks;
}

/// Returns how many of \p NumBlocks blocks to run: all, if the steps suffice.
uint64_t Recounter::affordable(uint64_t NumBlocks) const {
  if (NumBlocks <= MaxBlocks &&
      NumBlocks * StepsOfBlock <= StepLimit - std::min(StepLimit, steps()))
    return NumBlocks;
  return std::clamp<uint64_t>(NumSampledSteps /
                                  std::max<uint64_t>(1, StepsOfBlock),
                              1, std::min(NumBlocks, NumSampledBlocks));
}

Recounts Recounter::recount() {
  const Dim3 &Grid = Claims.Launch.Grid;
  Recounts Sum;
  unsigned Dimensions;
  uint64_t NumBlocks, NumRun;
  bool IsCut = false;
  // The first block says on which dimensions its work depends; if other blocks
  // meet more, start over with these.
  do {
    Sum = zero();
    NumRun = 0;
    Dimensions = Run.blockDimensions();
    NumBlocks = countBlocks(Grid, Dimensions);
    for (const Dim3 &Index :
         spreadBlocks(Grid, Dimensions, affordable(NumBlocks))) {
      const std::optional<Recounts> Block = runBlock(Index);
      IsCut = !Block;
      if (IsCut)
        break;
      ++NumRun;
      for (auto [Total, Cost] : zip(Sum, *Block))
        Total.add(Cost);
    }
  } while (!IsCut && Dimensions != Run.blockDimensions());

  const bool IsExact = !IsCut && Run.isComplete() && NumRun == NumBlocks;
  for (Recount &Cost : Sum) {
    Cost.Before /= std::max<uint64_t>(NumRun, 1);
    Cost.After /= std::max<uint64_t>(NumRun, 1);
    Cost.IsExact &= IsExact;
  }
  return Sum;
}

//===----------------------------------------------------------------------===//
// Promises
//===----------------------------------------------------------------------===//

static std::string text(double Number) {
  std::string Text;
  raw_string_ostream(Text) << format("%.10g", Number);
  return Text;
}

static bool isNear(double A, double B) {
  return std::abs(A - B) <= 1e-9 * std::max(std::abs(A), std::abs(B));
}

/// Compares what the plan promises of an array with the recount. Numbers are
/// compared if both are exact; that a layout makes things worse is always a
/// disagreement, unless the plan allows it and both are exact.
static std::optional<Disagreement> compareCost(const WavefrontClaim &Planned,
                                               const Recount &Cost) {
  const auto makeError = [&](const Twine &Text) {
    return Disagreement{Disagreement::Kind::Wavefront, Text.str(), {}};
  };
  if (Cost.LeavesRow)
    return makeError("a copy to or from '" + Planned.Name + "' leaves its row");
  if (Cost.IsOutside)
    return makeError("a thread leaves a row of '" + Planned.Name + "'");
  if (!Cost.IsWhole)
    return std::nullopt;
  const bool IsComparable = Cost.IsExact && Planned.IsExact;
  const bool IsWorse =
      Cost.After > Cost.Before && !isNear(Cost.After, Cost.Before);
  const std::string Recounted =
      "wavefronts of '" + Planned.Name + "' recounted: ";
  // A layout for wider accesses than the source has may lose without them; then
  // all numbers must be right.
  if (IsWorse && !(IsComparable && Planned.MayLose))
    return makeError(Recounted + text(Cost.Before) + " before, " +
                     text(Cost.After) + " after");
  if (!IsComparable)
    return std::nullopt;
  if (!isNear(Cost.Before, Planned.Before))
    return makeError(Recounted + "before " + text(Cost.Before) +
                     " (plan says " + text(Planned.Before) + ")");
  if (!isNear(Cost.After, Planned.After))
    return makeError(Recounted + "after " + text(Cost.After) + " (plan says " +
                     text(Planned.After) + ")");
  return std::nullopt;
}

std::optional<Disagreement> cudaopt::check::compareWavefronts(
    const DeviceCheck &Code, ArrayRef<KernelClaims> Instances,
    ArrayRef<WavefrontClaim> Promises, const BankMap &Banks) {
  Recounts Sum(Promises.size());
  uint64_t Steps = 0;
  for (const KernelClaims &Claims : Instances) {
    const Function *Kernel = findKernel(Code.facts().M, Claims);
    if (Claims.Launch.IsUnseen || Claims.Layouts.empty() || !Kernel)
      continue; // Nothing is counted for it; or DeviceCheck::compare says so.
    if (!Claims.Launch.isKnown() || Claims.Launch.IsAssumed)
      for (Recount &Cost : Sum)
        Cost.IsExact = false;
    if (!Claims.Launch.isKnown())
      continue;
    Recounter Counter(Code.facts(), *Kernel, Claims, Banks,
                      MaxSteps - std::min(Steps, MaxSteps));
    for (auto [Layout, Cost] : zip(Claims.Layouts, Counter.recount()))
      Sum[Layout.Array].add(Cost);
    Steps += Counter.steps();
  }
  for (auto [Planned, Cost] : zip(Promises, Sum))
    if (auto Found = compareCost(Planned, Cost))
      return Found;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

std::optional<Disagreement>
cudaopt::check::compareParts(const DeviceCheck &Code,
                             const KernelClaims &Claims) {
  DeviceCheck::Facts &Facts = Code.facts();
  const Function *Kernel = findKernel(Facts.M, Claims);
  if (none_of(Claims.Layouts,
              [](const LayoutClaim &Layout) { return Layout.IsPart; }) ||
      !Claims.Launch.isKnown() || Claims.Launch.IsAssumed || !Kernel)
    return std::nullopt;
  const auto Numbers = findVariables(Claims, Facts);
  WarpRun Run(Facts.Runs, *Kernel, Claims.Launch.Block, Claims.Launch.Grid,
              MaxStepsOfParts);
  const auto staysInside = [&](const WarpEvent &Event, unsigned Lane) {
    const RunPlace &Place = Facts.Runs.Places[Event.Place];
    const unsigned Number = *Event.variable(Lane);
    if (Number >= Numbers.size())
      return true;
    const std::optional<unsigned> Variable = Numbers[Number];
    const bool IsDivided = any_of(Claims.Layouts, [&](const LayoutClaim &L) {
      return L.IsPart && L.Variable == Variable;
    });
    if (!Variable || !IsDivided)
      return true;
    const int64_t Offset = Event.offset(Lane, Number);
    bool IsClaimed = false;
    for (const AccessClaim &C : Claims.Accesses) {
      if (C.Variable != *Variable || !C.Size ||
          !fits(Place.Kind, Place.Width, Place.Points, C))
        continue;
      IsClaimed = true;
      if (Offset >= int64_t(C.Begin) && Offset < int64_t(C.Begin + C.Size))
        return true;
    }
    return !IsClaimed;
  };
  std::vector<WarpEvent> Events;
  for (unsigned First = 0; First < Run.numThreads(); First += WarpSize) {
    Events.clear();
    const bool IsWhole = Run.run(First, {0, 0, 0}, Events);
    for (const WarpEvent &Event : Events)
      for (unsigned Lane = 0; Lane != WarpSize; ++Lane)
        if (Event.Place != WarpEvent::Barrier &&
            Event.Known & Event.Certain & 1u << Lane &&
            !staysInside(Event, Lane))
          return Disagreement{Disagreement::Kind::Element,
                              "thread " + std::to_string(First + Lane) +
                                  " leaves a part of the dynamic shared memory",
                              {}};
    if (!IsWhole)
      break;
  }
  return std::nullopt;
}
