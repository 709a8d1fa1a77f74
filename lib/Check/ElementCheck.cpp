// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Checks the claims about which elements of an array the threads of a block
/// access (PrivateClaim, TrimmedClaim), by running all threads.
//===----------------------------------------------------------------------===//

#include "BlockRuns.h"

#include "cudaopt/Check/RunCheck.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;
using namespace cudaopt;
using namespace cudaopt::check;

/// The most operations of warps that are run for one array: some 0.2 s.
static constexpr uint64_t MaxSteps = 4'000'000;
/// The most threads of a block along a dimension, as hardware has them.
static constexpr Dim3 MaxExtents = {1024, 1024, 64};

/// Returns the shapes of blocks to run: that of a known launch; for other
/// launches, shapes that have the most threads in some dimension, since these
/// access the elements with the largest indices.
static SmallVector<Dim3, 4> listBlocks(const LaunchClaim &Launch) {
  if (Launch.isKnown())
    return {Launch.Block};
  const uint32_t Most = Launch.MaxThreads;
  const uint32_t Deep = std::min(Most, MaxExtents[2]);
  return {{Most, 1, 1},
          {1, Most, 1},
          {std::max(Most / Deep, 1u), 1, Deep},
          {std::min(Most, WarpSize), std::max(Most / WarpSize, 1u), 1}};
}

namespace {

/// An access of a thread to an array.
struct ElementUse {
  unsigned Place;
  uint32_t Iteration; ///< See WarpEvent::Iteration.
  /// The element, or the last one if there are several; std::nullopt if it is
  /// not known or outside of the array.
  std::optional<uint64_t> Element = std::nullopt;
  bool AreSeveral = false, IsCertain = true;
  bool operator==(const ElementUse &) const = default;
};

/// Runs the threads that access one array.
class ElementRun {
public:
  /// \p Claim is a PrivateClaim or a TrimmedClaim.
  template <class T>
  ElementRun(const DeviceCheck &Code, const KernelClaims &Claims,
             const T &Claim, uint64_t NumElements)
      : Facts(Code.facts()), Claims(Claims), Variable(Claim.Variable),
        ElementSize(Claim.ElementSize), NumElements(NumElements) {
    for (const auto Number : findVariables(Claims, Facts))
      IsOurs.push_back(Number == Variable);
    for (const RunPlace &Place : Facts.Runs.Places)
      Widths.push_back(
          any_of(Place.Variables, [&](unsigned V) { return IsOurs[V]; })
              ? countBytes(Place, Claims, Variable)
              : 0);
  }

  /// Runs each thread of a block of shape \p Block, in the blocks of the grid
  /// with the indices \p Blocks, and calls \p Visit with its accesses, in its
  /// order. Returns the first disagreement that \p Visit returns, or one of its
  /// own if the threads cannot be run to the end.
  using Visitor = function_ref<std::optional<Disagreement>(
      unsigned Thread, ArrayRef<ElementUse> Uses)>;
  std::optional<Disagreement> run(const Dim3 &Block, ArrayRef<Dim3> Blocks,
                                  Visitor Visit) const;
  Disagreement makeError(const Twine &Text) const {
    return {Disagreement::Kind::Element, Text.str(), {}};
  }
  const std::string &name() const { return Claims.Variables[Variable].Name; }

private:
  std::optional<ElementUse> makeUse(const WarpEvent &Event,
                                    unsigned Lane) const;

  DeviceCheck::Facts &Facts;
  const KernelClaims &Claims;
  const unsigned Variable;
  const uint64_t ElementSize, NumElements;
  std::vector<bool> IsOurs; ///< Whether each variable of RunFacts is the array.
  /// The bytes that a lane accesses at each place; 0 if that is not known.
  std::vector<uint64_t> Widths;
};

} // namespace

/// Returns the access of \p Lane; std::nullopt if it accesses another variable.
std::optional<ElementUse> ElementRun::makeUse(const WarpEvent &Event,
                                              unsigned Lane) const {
  ElementUse Use{Event.Place, Event.Iteration};
  Use.IsCertain = Event.Certain >> Lane & 1;
  const RunPlace &Place = Facts.Runs.Places[Event.Place];
  if (!(Event.Known >> Lane & 1)) {
    if (any_of(Place.Variables, [&](unsigned V) { return IsOurs[V]; }))
      return Use;
    return std::nullopt;
  }
  const unsigned Number = *Event.variable(Lane);
  if (Number >= IsOurs.size() || !IsOurs[Number])
    return std::nullopt;
  const int64_t Begin = Event.offset(Lane, Number);
  const uint64_t Width = Widths[Event.Place];
  if (Begin < 0 || !Width || Event.Outside >> Lane & 1)
    return Use;
  const uint64_t End = Begin + Width;
  const uint64_t First = Begin / ElementSize, Last = (End - 1) / ElementSize;
  Use.AreSeveral = First != Last;
  if (Last < NumElements)
    Use.Element = Last;
  return Use;
}

std::optional<Disagreement>
ElementRun::run(const Dim3 &Block, ArrayRef<Dim3> Blocks, Visitor Visit) const {
  const Function *Kernel = findKernel(Facts.M, Claims);
  if (!Kernel)
    return std::nullopt; // DeviceCheck::compare says so.
  WarpRun Run(Facts.Runs, *Kernel, Block, Claims.Launch.Grid, MaxSteps);
  std::vector<WarpEvent> Events;
  std::array<std::vector<ElementUse>, WarpSize> Uses;
  for (const Dim3 &Index : Blocks)
    for (unsigned First = 0; First < Run.numThreads(); First += WarpSize) {
      Events.clear();
      for (std::vector<ElementUse> &Each : Uses)
        Each.clear();
      if (!Run.run(First, Index, Events))
        return makeError("the threads that access '" + Twine(name()) +
                         "' do too much to be run");
      for (const WarpEvent &Event : Events)
        for (unsigned Lane = 0; Lane != WarpSize; ++Lane)
          if (Event.Place != WarpEvent::Barrier && Event.Lanes >> Lane & 1)
            if (const auto Use = makeUse(Event, Lane))
              Uses[Lane].push_back(*Use);
      for (unsigned Lane = 0; Lane != WarpSize; ++Lane)
        if (First + Lane < Run.numThreads())
          if (auto Found = Visit(First + Lane, Uses[Lane]))
            return Found;
    }
  if (!Run.isComplete())
    return makeError("the threads that access '" + Twine(name()) +
                     "' cannot be run");
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Private arrays
//===----------------------------------------------------------------------===//

/// Returns a shape of blocks to look for duplicates in: two threads in each
/// dimension that is not \p Observed, and in the others as many as the hardware
/// and the array allow, but the same number in all of these.
static Dim3 chooseDuplicates(const std::array<bool, 3> &Observed,
                             uint64_t LeastExtent, uint32_t MaxThreads) {
  for (uint64_t Size = LeastExtent;; --Size) {
    Dim3 Block = {2, 2, 2};
    uint64_t NumThreads = 1;
    for (unsigned D = 0; D != 3; ++D) {
      if (Observed[D])
        Block[D] = std::min<uint64_t>(Size, MaxExtents[D]);
      NumThreads *= Block[D];
    }
    if (NumThreads <= MaxThreads || Size <= 1)
      return Block;
  }
}

/// Checks an array with duplicate threads: threads that Observed tells apart
/// access different elements, and duplicates make the same accesses in the same
/// order.
static std::optional<Disagreement>
compareDuplicates(const ElementRun &Run, const KernelClaims &Claims,
                  const PrivateClaim &Claim) {
  if (!Claims.Observed)
    return Run.makeError("the threads that access '" + Twine(Run.name()) +
                         "' are not known");
  const Dim3 Block = chooseDuplicates(*Claims.Observed, Claim.LeastExtent,
                                      Claims.Launch.MaxThreads);
  // The accesses of the first thread of each set of duplicates.
  std::map<Dim3, std::vector<ElementUse>> Known;
  std::vector<std::optional<Dim3>> Owners(Claim.NumElements);
  return Run.run(
      Block, {Dim3{0, 0, 0}},
      [&](unsigned Thread,
          ArrayRef<ElementUse> Uses) -> std::optional<Disagreement> {
        const Dim3 Index = {Thread % Block[0], Thread / Block[0] % Block[1],
                            Thread / Block[0] / Block[1]};
        Dim3 First = {};
        for (unsigned D = 0; D != 3; ++D)
          First[D] = (*Claims.Observed)[D] ? Index[D] : 0;
        for (const ElementUse &Use : Uses)
          if (!Use.Element || Use.AreSeveral ||
              Use.Element != Uses.front().Element ||
              std::exchange(Owners[*Use.Element], First).value_or(First) !=
                  First)
            return Run.makeError("element of '" + Twine(Run.name()) +
                                 "' that thread " + Twine(Thread) +
                                 " accesses is not its own");
        const auto [Same, IsNew] = Known.try_emplace(First, Uses);
        if (!IsNew && !equal(Same->second, Uses))
          return Run.makeError("thread " + Twine(Thread) +
                               " does not access '" + Run.name() +
                               "' as those do that are said to be its "
                               "duplicates");
        return std::nullopt;
      });
}

/// Checks that each thread accesses one element, and no two threads the same
/// one.
static std::optional<Disagreement> comparePrivate(const DeviceCheck &Code,
                                                  const KernelClaims &Claims,
                                                  const PrivateClaim &Claim) {
  const ElementRun Run(Code, Claims, Claim, Claim.NumElements);
  if (Claims.Launch.IsUnseen) {
    if (Claim.IsDuplicated)
      return compareDuplicates(Run, Claims, Claim);
    // Two threads with one element would race in the program as it is, which is
    // undefined behaviour.
    return std::nullopt;
  }
  if (!Claims.Launch.isKnown())
    return Run.makeError("the threads that access '" + Twine(Run.name()) +
                         "' are not known");
  const Dim3 &Block = Claims.Launch.Block;
  std::vector<std::optional<unsigned>> Owners(Claim.NumElements);
  std::vector<std::optional<uint64_t>> Owned(Block[0] * Block[1] * Block[2]);
  const auto visit =
      [&](unsigned Thread,
          ArrayRef<ElementUse> Uses) -> std::optional<Disagreement> {
    for (const ElementUse &Use : Uses) {
      if (!Use.Element || Use.AreSeveral)
        return Run.makeError("thread " + Twine(Thread) +
                             " accesses an element of '" + Run.name() +
                             "' that is not known or not there");
      if (Owners[*Use.Element].value_or(Thread) != Thread)
        return Run.makeError("threads " + Twine(*Owners[*Use.Element]) +
                             " and " + Twine(Thread) + " access element " +
                             Twine(*Use.Element) + " of '" + Run.name() + "'");
      if (Owned[Thread].value_or(*Use.Element) != *Use.Element)
        return Run.makeError("thread " + Twine(Thread) + " accesses elements " +
                             Twine(*Owned[Thread]) + " and " +
                             Twine(*Use.Element) + " of '" + Run.name() + "'");
      Owners[*Use.Element] = Thread;
      Owned[Thread] = Use.Element;
    }
    return std::nullopt;
  };
  return Run.run(Block, chooseBlocks(Claims.Launch.Grid), visit);
}

//===----------------------------------------------------------------------===//
// Trimmed arrays
//===----------------------------------------------------------------------===//

/// Checks that no thread accesses an element that is cut off.
static std::optional<Disagreement> compareTrimmed(const DeviceCheck &Code,
                                                  const KernelClaims &Claims,
                                                  const TrimmedClaim &Claim) {
  const ElementRun Run(Code, Claims, Claim, Claim.OldElements);
  const auto visit =
      [&](unsigned Thread,
          ArrayRef<ElementUse> Uses) -> std::optional<Disagreement> {
    for (const ElementUse &Use : Uses) {
      // In a block of a shape that the author did not intend, subscripts may
      // leave the array.
      if (!Use.Element && Claims.Launch.isKnown())
        return Run.makeError("thread " + Twine(Thread) +
                             " accesses an element of '" + Run.name() +
                             "' that is not known or not there");
      if (Use.Element && *Use.Element >= Claim.NumElements)
        return Run.makeError("thread " + Twine(Thread) + " accesses element " +
                             Twine(*Use.Element) + " of '" + Run.name() +
                             "', which has " + Twine(Claim.NumElements));
    }
    return std::nullopt;
  };
  for (const Dim3 &Block : listBlocks(Claims.Launch))
    if (auto Found = Run.run(Block, chooseBlocks(Claims.Launch.Grid), visit))
      return Found;
  return std::nullopt;
}

std::optional<Disagreement>
cudaopt::check::compareElements(const DeviceCheck &Code,
                                const KernelClaims &Claims) {
  if (Claims.Launch.IsAssumed)
    return std::nullopt;
  for (const PrivateClaim &Claim : Claims.Private)
    if (auto Found = comparePrivate(Code, Claims, Claim))
      return Found;
  for (const TrimmedClaim &Claim : Claims.Trimmed)
    if (auto Found = compareTrimmed(Code, Claims, Claim))
      return Found;
  return std::nullopt;
}
