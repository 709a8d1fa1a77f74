// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Checks where variables are stored by following, for each two that share
/// bytes, what becomes of these bytes on all ways through the steps.
//===----------------------------------------------------------------------===//

#include "BarrierFlow.h"

#include "cudaopt/Transforms/Verify.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <array>
#include <numeric>

using namespace cudaopt;

using Bits = llvm::BitVector;

namespace {
/// Bytes that two variables share, in units that belong together.
struct Window {
  uint64_t Low, High; ///< Of the block's memory.
  uint64_t Unit;
  unsigned size() const { return (High - Low + Unit - 1) / Unit; }
};

/// What a step does to one variable inside of a window.
struct Touch {
  StepId Where;
  Bits Any, Written, Surely, Exposed, Issued;
};

/// What has become of the values of one variable in front of a step.
struct State {
  Bits Held; ///< May have a value.
  Bits Lost; ///< Had one, which the other may have overwritten before the last
             ///< barrier.
  Bits StillLost; ///< Will be lost at the next barrier; the block writes the
                  ///< rest of Lost anew on the way.

  /// Returns true if \p Other brings anything new.
  bool add(const State &Other) {
    const bool IsNew = Other.Held.test(Held) || Other.Lost.test(Lost) ||
                       Other.StillLost.test(StillLost);
    Held |= Other.Held;
    Lost |= Other.Lost;
    StillLost |= Other.StillLost;
    return IsNew;
  }
};

/// Two variables that share bytes.
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
  std::array<std::vector<Touch>, 2> Touches;
  /// One thread accesses both, so that it loses values without a barrier.
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

/// The units of the window that hold \p Elements of \p V; all of them or none,
/// as \p Unknown says, if the set does not speak of V's elements.
Bits SharingPair::project(const Bits &Elements, bool Unknown,
                          VariableId V) const {
  const SharedVariable &Variable = F.P.Variables[V];
  const uint64_t Bytes = Variable.ElementSize, Count = Variable.numElements();
  if (Count == 0 || Elements.size() != Count)
    return Bits(Shared.size(), Unknown);
  Bits Result(Shared.size());
  for (const unsigned E : Elements.set_bits()) {
    const uint64_t Begin = Places[V].Offset + E * Bytes;
    // Bytes behind the last whole element go with it.
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

/// Between accesses of one and accesses of the other lies a barrier; or else
/// \p Check has nothing against it.
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

/// While an access of the variable is pending, the other is not accessed.
llvm::Error SharingPair::verifyPending(unsigned Side) const {
  if (llvm::none_of(Touches[Side],
                    [](const Touch &T) { return T.Issued.any(); }))
    return llvm::Error::success();
  const unsigned NumSteps = F.P.Steps.size();
  // In front of each step: what nobody has waited for, and what has been waited
  // for since the last barrier, so that other threads do not know of it.
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

/// What threads that return do behind \p Begin happens in front of the barriers
/// where the others meet.
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
  // What the others write anew is not lost.
  Now.StillLost.reset(Behind.StillLost);
  for (const StepId Next : F.Meeting[Begin])
    Changed |= Front[Next].add(Now);
}

/// No read finds what the other variable has left there.
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

/// Every element that a step may access has its bytes, aligned as it must be.
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
    return llvm::Error::success(); // What it needs is checked with its layout.
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
