// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Checks the storage of variables: verifyStorage(). For each pair of variables
/// that share bytes, it follows on all paths through the steps what becomes of
/// these bytes, by a forward data-flow analysis whose state says which bytes of
/// a variable hold a value, and which values the other variable has
/// overwritten. A read of an overwritten value is an error. This is another
/// formulation than that of the live ranges (LiveRanges.h), and shares no code
/// with them.
//===----------------------------------------------------------------------===//

#include "BarrierFlow.h"

#include "cudaopt/Verify/Verify.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <array>
#include <numeric>

using namespace cudaopt;

using Bits = llvm::BitVector;

namespace {
/// The bytes that two variables share. They are divided into units of equal
/// size, such that elements of both variables consist of whole units; sets of
/// units are bit vectors.
struct Window {
  uint64_t Low, High; ///< The byte range [Low, High) of the block's memory.
  uint64_t Unit;      ///< The bytes of a unit.
  /// Returns the number of units.
  unsigned size() const { return (High - Low + Unit - 1) / Unit; }
};

/// What a step does to one variable inside of a window: the units that it may
/// access, may write, surely writes, may read although the thread has not
/// written them, and accesses asynchronously.
struct Touch {
  StepId Where;
  Bits Any, Written, Surely, Exposed, Issued;
};

/// The state of the analysis in front of a step, for one of the two variables.
/// All sets are unions over the paths that lead there.
struct State {
  /// The units that may hold a value of the variable.
  Bits Held;
  /// The units that held a value which the other variable may have overwritten
  /// before the last barrier, so that every thread finds it gone.
  Bits Lost;
  /// The units that will be in Lost behind the next barrier: those of Lost that
  /// the block does not surely write anew on the way, and those that the other
  /// variable overwrites on the way.
  Bits StillLost;

  /// Joins \p Other. Returns true if that adds anything.
  bool add(const State &Other) {
    const bool IsNew = Other.Held.test(Held) || Other.Lost.test(Lost) ||
                       Other.StillLost.test(StillLost);
    Held |= Other.Held;
    Lost |= Other.Lost;
    StillLost |= Other.StillLost;
    return IsNew;
  }
};

/// The check of two variables that share bytes; side 0 or 1 selects one of
/// them.
class SharingPair {
public:
  SharingPair(const BarrierFlow &F, llvm::ArrayRef<StoredAt> Places,
              VariableId A, VariableId B);

  llvm::Error verify(UnorderedCheck Check);

private:
  llvm::Error verifyBarriers(UnorderedCheck Check);
  llvm::Error verifyPending(unsigned Side) const;
  llvm::Error verifyValues(unsigned Side) const;
  void addReturns(unsigned Side, StepId Begin, const State &Behind,
                  std::vector<State> &Front, bool &Changed) const;

  Bits project(const Bits &Elements, bool Unknown, VariableId V) const;
  void collect(unsigned Side);
  const Touch *find(unsigned Side, StepId S) const {
    const auto It = llvm::lower_bound(
        Touches[Side], S, [](const Touch &T, StepId S) { return T.Where < S; });
    return It != Touches[Side].end() && It->Where == S ? &*It : nullptr;
  }
  template <typename... Ts>
  llvm::Error makeError(unsigned Side, const char *Format, Ts &&...Rest) const {
    const auto &Variables = F.P.Variables;
    return llvm::createStringError(
        "'" + Variables[Ids[Side]].Name + "' shares bytes with '" +
        Variables[Ids[!Side]].Name +
        "': " + llvm::formatv(Format, std::forward<Ts>(Rest)...).str());
  }

  const BarrierFlow &F;
  const llvm::ArrayRef<StoredAt> Places;
  const std::array<VariableId, 2> Ids;
  Window Shared;
  /// By side: what the reachable steps do, in ascending order of steps.
  std::array<std::vector<Touch>, 2> Touches;
  /// True if the variables are accessed in one barrier interval, in place: then
  /// a thread may lose a value without a barrier in between.
  bool IsInPlace = false;
};
} // namespace

SharingPair::SharingPair(const BarrierFlow &F, llvm::ArrayRef<StoredAt> Places,
                         VariableId A, VariableId B)
    : F(F), Places(Places), Ids{A, B} {
  Shared.Low = std::max(Places[A].Offset, Places[B].Offset);
  Shared.High = std::min(Places[A].Offset + Places[A].Size,
                         Places[B].Offset + Places[B].Size);
  Shared.Unit = 0;
  for (const VariableId V : Ids) {
    Shared.Unit = std::gcd(Shared.Unit, F.P.Variables[V].ElementSize);
    Shared.Unit = std::gcd(Shared.Unit, Places[V].Offset - Shared.Low);
  }
  Shared.Unit = std::max<uint64_t>(Shared.Unit, 1);
  collect(0);
  collect(1);
}

/// Returns the units of the window that hold \p Elements of \p V. If the set
/// has not the size of V, its elements are unknown: all units if \p Unknown,
/// else none.
Bits SharingPair::project(const Bits &Elements, bool Unknown,
                          VariableId V) const {
  const SharedVariable &Variable = F.P.Variables[V];
  const uint64_t Bytes = Variable.ElementSize, Count = Variable.numElements();
  if (Count == 0 || Elements.size() != Count)
    return Bits(Shared.size(), Unknown);
  Bits Result(Shared.size());
  for (const unsigned E : Elements.set_bits()) {
    const uint64_t Begin = Places[V].Offset + E * Bytes;
    // The bytes behind the last whole element belong to that element.
    const uint64_t End =
        E + 1 == Count ? Places[V].Offset + Variable.Size : Begin + Bytes;
    if (End <= Shared.Low || Begin >= Shared.High)
      continue;
    const uint64_t First = std::max(Begin, Shared.Low) - Shared.Low;
    const uint64_t Last = std::min(End, Shared.High) - Shared.Low;
    Result.set(First / Shared.Unit, (Last + Shared.Unit - 1) / Shared.Unit);
  }
  return Result;
}

/// Fills in Touches of the variable \p Side.
void SharingPair::collect(unsigned Side) {
  const VariableId V = Ids[Side];
  for (StepId S = 0; S < F.P.Steps.size(); ++S) {
    if (!F.isReached(S))
      continue;
    Touch *New = nullptr;
    for (const SharedUse &Use : F.P.Steps[S].Uses) {
      if (Use.Variable != V)
        continue;
      const Bits None(Shared.size());
      if (!New)
        New =
            &Touches[Side].emplace_back(Touch{S, None, None, None, None, None});
      const Bits May = project(Use.May, true, V);
      New->Any |= May;
      if (Use.IsPending)
        New->Issued |= May;
      if (Use.Reads) {
        const Bits Exposed = project(Use.Exposed, true, V);
        New->Any |= Exposed;
        New->Exposed |= Exposed;
      }
      if (Use.Writes) {
        const Bits Surely = project(Use.Must, false, V);
        New->Any |= Surely;
        New->Surely |= Surely;
        New->Written |= May;
        New->Written |= Surely;
      }
    }
  }
}

/// Checks that a barrier orders each access of the one variable and each access
/// of the other to the same bytes; pairs without one must pass \p Check.
llvm::Error SharingPair::verifyBarriers(UnorderedCheck Check) {
  UnorderedSteps Found{Ids[0], Ids[1], {}};
  const bool MayBeAnywhere =
      Places[Ids[0]].IsPermuted || Places[Ids[1]].IsPermuted;
  for (const Touch &A : Touches[0])
    for (const Touch &B : Touches[1])
      if ((MayBeAnywhere || A.Any.anyCommon(B.Any)) &&
          F.areUnordered(A.Where, B.Where))
        Found.Pairs.push_back({A.Where, B.Where});
  if (Found.Pairs.empty())
    return llvm::Error::success();
  const std::string Where =
      llvm::formatv("no barrier separates the access in step {0} from that in "
                    "step {1}",
                    Found.Pairs.front().first, Found.Pairs.front().second);
  if (!Check)
    return makeError(0, "{0}", Where);
  if (llvm::Error E = Check(Found))
    return makeError(0, "{0}: {1}", Where, llvm::toString(std::move(E)));
  IsInPlace = true;
  return llvm::Error::success();
}

/// Checks that while an asynchronous access to the variable \p Side is pending,
/// the other variable is not accessed.
llvm::Error SharingPair::verifyPending(unsigned Side) const {
  if (llvm::none_of(Touches[Side],
                    [](const Touch &T) { return T.Issued.any(); }))
    return llvm::Error::success();
  const unsigned NumSteps = F.P.Steps.size();
  // In front of each step: accesses for which their thread has not waited, and
  // those for which it has waited since the last barrier, so that other threads
  // cannot know yet that they are complete.
  std::vector<Bits> Open(NumSteps, Bits(Shared.size())), Waited = Open;
  std::vector<Bits> Behind = Open;
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (StepId S = 0; S < NumSteps; ++S) {
      Bits Now = Open[S], Done = Waited[S];
      if (const Touch *T = find(Side, S))
        Now |= T->Issued;
      if (F.P.Steps[S].WaitsForPending) {
        Done |= Now;
        Now.reset();
      }
      if (F.isBarrier(S))
        Done.reset();
      Behind[S] = Now;
      for (const StepId Next : F.P.Steps[S].Successors) {
        Changed |= Now.test(Open[Next]) || Done.test(Waited[Next]);
        Open[Next] |= Now;
        Waited[Next] |= Done;
      }
    }
  }
  Bits Forever(Shared.size());
  for (StepId S = 0; S < NumSteps; ++S)
    if (F.mayLeaveOthers(S))
      Forever |= Behind[S];
  for (const Touch &Other : Touches[!Side]) {
    Bits InFlight = Open[Other.Where];
    InFlight |= Waited[Other.Where];
    InFlight |= Forever;
    if (InFlight.anyCommon(Other.Any))
      return makeError(Side,
                       "an access of its may be pending when step {0} accesses "
                       "the other",
                       Other.Where);
  }
  return llvm::Error::success();
}

/// Adds the effects of threads that return behind the barrier \p Begin to the
/// states in front of the next barriers: they happen while the other threads
/// are on their way there. \p Behind is the state behind Begin.
void SharingPair::addReturns(unsigned Side, StepId Begin, const State &Behind,
                             std::vector<State> &Front, bool &Changed) const {
  State Now = Behind;
  for (const StepId S : F.Returning[Begin]) {
    if (const Touch *Own = find(Side, S))
      Now.Held |= Own->Written;
    if (const Touch *Other = find(!Side, S)) {
      Bits Overwritten = Behind.Held;
      Overwritten &= Other->Written;
      Now.StillLost |= Overwritten;
    }
  }
  // The lost values of Behind itself get to the next barriers on the paths of
  // the other threads, which may write them anew; here, only what the returning
  // threads overwrite is added.
  Now.StillLost.reset(Behind.StillLost);
  for (const StepId Next : F.Meeting[Begin])
    Changed |= Front[Next].add(Now);
}

/// Checks that no read of the variable \p Side may find what the other variable
/// has left there.
llvm::Error SharingPair::verifyValues(unsigned Side) const {
  const unsigned NumSteps = F.P.Steps.size();
  const Bits None(Shared.size());
  std::vector<State> Front(NumSteps, State{None, None, None});
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (StepId S = 0; S < NumSteps; ++S) {
      State Now = Front[S];
      const Touch *Own = find(Side, S), *Other = find(!Side, S);
      if (Own) {
        Now.StillLost.reset(Own->Surely);
        Now.Held |= Own->Written;
      }
      if (Other) {
        Bits Overwritten = Now.Held;
        Overwritten &= Other->Written;
        Now.StillLost |= Overwritten;
      }
      if (F.isBarrier(S))
        Now.Lost = Now.StillLost;
      for (const StepId Next : F.P.Steps[S].Successors)
        Changed |= Front[Next].add(Now);
      if (!F.Returning[S].empty())
        addReturns(Side, S, Now, Front, Changed);
    }
  }
  for (const Touch &T : Touches[Side])
    if (T.Exposed.anyCommon(Front[T.Where].Lost) ||
        (IsInPlace && T.Exposed.anyCommon(Front[T.Where].StillLost)))
      return makeError(Side, "step {0} may read what the other has overwritten",
                       T.Where);
  return llvm::Error::success();
}

llvm::Error SharingPair::verify(UnorderedCheck Check) {
  for (const unsigned Side : {0, 1})
    if (const auto &Pinned = F.P.Variables[Ids[Side]].Pinned)
      return makeError(Side, "{0}", Pinned->text());
  if (F.P.Refused)
    return makeError(0, "{0}", F.P.Refused->text());
  if (llvm::Error E = verifyBarriers(Check))
    return E;
  for (const unsigned Side : {0, 1}) {
    if (llvm::Error E = verifyPending(Side))
      return E;
    if (llvm::Error E = verifyValues(Side))
      return E;
  }
  return llvm::Error::success();
}

/// Checks that \p Place is aligned as \p V must be, and has room for every
/// element that a step may access.
static llvm::Error verifyPlace(const SharedProgram &P, VariableId V,
                               const StoredAt &Place) {
  const SharedVariable &Variable = P.Variables[V];
  if (Variable.Alignment && Place.Offset % Variable.Alignment)
    return llvm::createStringError(
        "'" + Variable.Name +
        llvm::formatv("' lies at byte {0}, which is not a multiple of {1}",
                      Place.Offset, Variable.Alignment)
            .str());
  if (Place.IsPermuted)
    return llvm::Error::success(); // verifyLayout() checks its size.
  uint64_t Needed = 0;
  for (const Step &S : P.Steps)
    for (const SharedUse &Use : S.Uses) {
      if (Use.Variable != V)
        continue;
      const bool IsKnown = Variable.numElements() > 0 &&
                           Use.May.size() == Variable.numElements();
      const int Last = Use.May.find_last();
      const uint64_t End = uint64_t(Last + 1) * Variable.ElementSize;
      Needed = std::max(Needed, IsKnown ? End : Variable.Size);
    }
  if (Needed > Place.Size)
    return llvm::createStringError(
        "'" + Variable.Name +
        llvm::formatv("' needs {0} bytes and has {1}", Needed, Place.Size)
            .str());
  return llvm::Error::success();
}

llvm::Error cudaopt::verifyStorage(const SharedProgram &P,
                                   llvm::ArrayRef<StoredAt> Places,
                                   UnorderedCheck Check) {
  const unsigned NumVariables = P.Variables.size();
  if (Places.size() != NumVariables)
    return llvm::createStringError("not every variable has a place");
  for (VariableId V = 0; V < NumVariables; ++V)
    if (llvm::Error E = verifyPlace(P, V, Places[V]))
      return E;
  const BarrierFlow F(P);
  for (VariableId A = 0; A < NumVariables; ++A)
    for (VariableId B = A + 1; B < NumVariables; ++B) {
      if (Places[A].Offset >= Places[B].Offset + Places[B].Size ||
          Places[B].Offset >= Places[A].Offset + Places[A].Size)
        continue;
      if (llvm::Error E = SharingPair(F, Places, A, B).verify(Check))
        return E;
    }
  return llvm::Error::success();
}
