// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Checks that two variables may share bytes although no barrier separates
/// their accesses (InPlaceClaim): runs all threads of a block, and looks which
/// threads access each byte, and in what order.
///
///   __shared__ float a[64], b[64];
///   b[t] = 2 * a[t];    b may be stored in place of a, since thread t alone
///                       accesses a[t] and b[t], and is done with a[t] first
//===----------------------------------------------------------------------===//

#include "BlockRuns.h"

#include "cudaopt/Check/RunCheck.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace llvm;
using namespace cudaopt;
using namespace cudaopt::check;

/// The most operations of warps that are run for one pair: some 0.2 s.
static constexpr uint64_t MaxSteps = 4'000'000;

namespace {

/// An access of one thread to a byte of the block's memory, as part of A or of
/// B.
struct ByteUse {
  bool IsOfB;
  int Step;      ///< The step of the kernel that makes the access.
  uint64_t Byte; ///< Where the plan stores the byte.
};

class InPlaceChecker {
public:
  InPlaceChecker(const DeviceCheck &Code, const KernelClaims &Claims,
                 const InPlaceClaim &InPlace)
      : Facts(Code.facts()), Claims(Claims), InPlace(InPlace),
        Numbers(findVariables(Claims, Facts)) {}

  std::optional<Disagreement> run();

private:
  enum class Direction { None, AFirst, BFirst };
  /// The thread that accesses each byte, or Many.
  using Owners = DenseMap<uint64_t, unsigned>;
  static constexpr unsigned Many = ~0u;
  using Result = std::optional<Disagreement>;

  static Disagreement makeError(const Twine &Text) {
    return {Disagreement::Kind::Element, Text.str(), {}};
  }
  const InPlaceClaim::Side &side(bool IsOfB) const {
    return IsOfB ? InPlace.B : InPlace.A;
  }
  const std::string &name(bool IsOfB) const {
    return Claims.Variables[side(IsOfB).Variable].Name;
  }
  int stepOf(unsigned Place, bool IsOfB);
  Result addThread(unsigned Thread, unsigned Lane, ArrayRef<WarpEvent> Events);
  Result addAccess(unsigned Thread, unsigned Lane, const WarpEvent &Event,
                   bool IsOfB, std::vector<ByteUse> &Segment);
  Result addSegment(ArrayRef<ByteUse> Segment);
  Result addDirection(int Step, Direction New);
  Result comparePairs();

  DeviceCheck::Facts &Facts;
  const KernelClaims &Claims;
  const InPlaceClaim &InPlace;
  const std::vector<std::optional<unsigned>>
      Numbers; ///< The variable of the claims that each variable of runs is.
  /// The step of each place, for the sides A (false) and B (true).
  std::map<std::pair<unsigned, bool>, int> Steps;
  /// The owners of the bytes that each step accesses, by side.
  std::map<std::pair<bool, int>, Owners> OwnersOf;
  /// Which variable comes first in the bytes that each step accesses.
  DenseMap<int, Direction> Directions;
};

} // namespace

/// Returns the step of the claims that may explain a place; NotKnown if there
/// is none, or if they are of several steps.
int InPlaceChecker::stepOf(unsigned Id, bool IsOfB) {
  auto [Known, IsNew] = Steps.try_emplace({Id, IsOfB}, InPlaceClaim::NotKnown);
  if (!IsNew)
    return Known->second;
  const RunPlace &Place = Facts.Runs.Places[Id];
  std::set<int> Found;
  for (auto [I, C] : enumerate(Claims.Accesses))
    if (C.Variable == side(IsOfB).Variable &&
        fits(Place.Kind, Place.Width, Place.Points, C))
      Found.insert(InPlace.Steps[I]);
  if (Found.size() == 1)
    Known->second = *Found.begin();
  return Known->second;
}

/// Records the order of a step. All its bytes must have the same one.
InPlaceChecker::Result InPlaceChecker::addDirection(int Step, Direction New) {
  if (Directions.try_emplace(Step, New).first->second != New)
    return makeError("step " + Twine(Step) + " lies between accesses to both");
  return std::nullopt;
}

/// Checks what a thread does between two barriers. In a step that accesses both
/// variables, each shared byte must be accessed as part of the one, and then
/// only as part of the other.
InPlaceChecker::Result InPlaceChecker::addSegment(ArrayRef<ByteUse> Segment) {
  struct Seen {
    bool IsOfB;       ///< Whether the first access was to B.
    bool Has = false; ///< Whether the other variable was accessed since.
  };
  std::map<std::pair<int, uint64_t>, Seen> Bytes;
  for (const ByteUse &Use : Segment) {
    auto [It, IsNew] = Bytes.try_emplace({Use.Step, Use.Byte}, Seen{Use.IsOfB});
    Seen &Known = It->second;
    if (IsNew || (Known.IsOfB == Use.IsOfB && !Known.Has))
      continue;
    if (Known.IsOfB == Use.IsOfB)
      return makeError("a thread accesses byte " + Twine(Use.Byte) +
                       " as the one, as the other and as the one again");
    Known.Has = true;
    const auto Loses = InPlace.MayLose.find(Use.Step);
    if (Loses != InPlace.MayLose.end() && Loses->second[Known.IsOfB])
      return makeError("step " + Twine(Use.Step) +
                       " may read what it has overwritten");
    if (auto Found = addDirection(Use.Step, Known.IsOfB ? Direction::BFirst
                                                        : Direction::AFirst))
      return Found;
  }
  return std::nullopt;
}

InPlaceChecker::Result
InPlaceChecker::addAccess(unsigned Thread, unsigned Lane,
                          const WarpEvent &Event, bool IsOfB,
                          std::vector<ByteUse> &Segment) {
  const RunPlace &Place = Facts.Runs.Places[Event.Place];
  const InPlaceClaim::Side &Side = side(IsOfB);
  const int Step = stepOf(Event.Place, IsOfB);
  if (Step == InPlaceClaim::OfNoPair)
    return std::nullopt;
  if (Step == InPlaceClaim::NotKnown)
    return makeError("'" + Twine(name(IsOfB)) +
                     "' is accessed by more than its subscripts");
  const auto Number =
      Event.Known >> Lane & 1 ? Event.variable(Lane) : std::nullopt;
  const int64_t Offset = Number ? Event.offset(Lane, *Number) : -1;
  const uint64_t Width = countBytes(Place, Claims, Side.Variable);
  if (Offset < 0 || !Width)
    return makeError("thread " + Twine(Thread) + " accesses an element of '" +
                     name(IsOfB) + "' that is not known or not there");
  Owners &Known = OwnersOf[{IsOfB, Step}];
  for (uint64_t Byte = Offset; Byte != Offset + Width; ++Byte) {
    const uint64_t At = Side.Offset + (Side.Moved ? Side.Moved(Byte) : Byte);
    Segment.push_back({IsOfB, Step, At});
    unsigned &Owner = Known.try_emplace(At, Thread).first->second;
    if (Owner != Thread)
      Owner = Many;
  }
  return std::nullopt;
}

/// Adds all accesses of one thread, segment by segment between barriers.
InPlaceChecker::Result InPlaceChecker::addThread(unsigned Thread, unsigned Lane,
                                                 ArrayRef<WarpEvent> Events) {
  std::vector<ByteUse> Segment;
  for (const WarpEvent &Event : Events) {
    if (!(Event.Lanes >> Lane & 1))
      continue;
    if (Event.Place == WarpEvent::Barrier) {
      if (auto Found = addSegment(Segment))
        return Found;
      Segment.clear();
      continue;
    }
    // An unknown address may be in each variable of the place.
    const bool IsKnown = Event.Known >> Lane & 1;
    std::vector<unsigned> Which = Facts.Runs.Places[Event.Place].Variables;
    if (IsKnown)
      Which = {*Event.variable(Lane)};
    for (unsigned Number : Which)
      for (const bool IsOfB : {false, true})
        if (Number < Numbers.size() && Numbers[Number] == side(IsOfB).Variable)
          if (auto Found = addAccess(Thread, Lane, Event, IsOfB, Segment))
            return Found;
  }
  return addSegment(Segment);
}

/// Checks that each byte that both steps of a pair access is accessed by one
/// thread only, and that the steps have one order.
InPlaceChecker::Result InPlaceChecker::comparePairs() {
  for (const InPlaceClaim::Pair &P : InPlace.Pairs) {
    const int A = P.OfA, B = P.OfB;
    const Owners &OfA = OwnersOf[{false, A}], &OfB = OwnersOf[{true, B}];
    bool Share = false;
    for (auto [Byte, Owner] : OfA) {
      auto Other = OfB.find(Byte);
      if (Other == OfB.end())
        continue;
      Share = true;
      if (Owner == Many || Other->second != Owner)
        return makeError("several threads access byte " + Twine(Byte));
    }
    if (!Share)
      continue;
    if (A == B ? P.IsBehind : P.IsBehind && P.IsBefore)
      return makeError("steps " + Twine(A) + " and " + Twine(B) +
                       " have no order");
    if (A == B || (!P.IsBehind && !P.IsBefore))
      continue; // addSegment() checks one step; or no thread comes to both.
    for (int Step : {A, B})
      if (auto Found = addDirection(Step, P.IsBehind ? Direction::AFirst
                                                     : Direction::BFirst))
        return Found;
  }
  return std::nullopt;
}

InPlaceChecker::Result InPlaceChecker::run() {
  const Function *Kernel = findKernel(Facts.M, Claims);
  if (!Kernel)
    return makeError("clang makes no code of it");
  if (!Claims.Launch.isKnown())
    return makeError("the threads are not known");
  WarpRun Run(Facts.Runs, *Kernel, Claims.Launch.Block, Claims.Launch.Grid,
              MaxSteps);
  std::vector<WarpEvent> Events;
  for (const Dim3 &Index : chooseBlocks(Claims.Launch.Grid)) {
    OwnersOf.clear();
    for (unsigned First = 0; First < Run.numThreads(); First += WarpSize) {
      Events.clear();
      if (!Run.run(First, Index, Events))
        return makeError("its threads do too much to be run");
      for (unsigned Lane = 0; Lane != WarpSize; ++Lane)
        if (First + Lane < Run.numThreads())
          if (auto Found = addThread(First + Lane, Lane, Events))
            return Found;
    }
    if (!Run.isComplete())
      return makeError("its threads cannot be run");
    if (auto Found = comparePairs())
      return Found;
  }
  return std::nullopt;
}

std::optional<Disagreement>
cudaopt::check::compareInPlace(const DeviceCheck &Code,
                               const KernelClaims &Claims,
                               const InPlaceClaim &InPlace) {
  return InPlaceChecker(Code, Claims, InPlace).run();
}
