// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The properties of kernels: sizes, well-formedness, and cost.
//===----------------------------------------------------------------------===//

#include "Kernel.h"

#include <algorithm>
#include <numeric>

namespace cudaopt::fuzz {

unsigned sizeOf(Element E) {
  switch (E) {
  case Element::Char:
    return 1;
  case Element::Short:
    return 2;
  case Element::Int:
  case Element::Unsigned:
  case Element::Float:
    return 4;
  case Element::LongLong:
  case Element::Double:
  case Element::Mixed:
    return 8;
  case Element::Float4:
  case Element::Double2:
    return 16;
  }
  return 0;
}

unsigned Array::numElements() const {
  return std::accumulate(Extents.begin(), Extents.end(), 1u,
                         std::multiplies<>());
}

std::string Kernel::name() const { return "fz" + std::to_string(Number) + "k"; }

unsigned Kernel::dynamicBytes() const {
  unsigned Bytes = 0;
  for (const Array &A : Arrays)
    if (A.IsDynamic)
      Bytes += A.numElements() * sizeOf(A.Type);
  return Bytes;
}

bool usesOwned(const Statement &S) {
  return S.What == Statement::Kind::Special &&
         (S.Of == Feature::PointerBytes || S.Of == Feature::Aggregate ||
          S.Of == Feature::PrivateArray || S.Of == Feature::Contraction);
}

std::vector<Range> variablesOf(const Kernel &K, const Statement &S,
                               bool Inside) {
  unsigned MaxTid = K.numThreads() - 1, MaxTx = K.Block[0] - 1;
  if (S.Who.Shape == Guard::Form::TidBelow)
    MaxTid = std::min(MaxTid, S.Who.Limit - 1);
  if (S.Who.Shape == Guard::Form::TxBelow)
    MaxTx = std::min(MaxTx, S.Who.Limit - 1);
  std::vector<Range> Result = {{Variable::Tid, MaxTid}, {Variable::Tx, MaxTx}};
  if (K.Block[1] > 1)
    Result.push_back({Variable::Ty, K.Block[1] - 1});
  if (K.Block[2] > 1)
    Result.push_back({Variable::Tz, K.Block[2] - 1});
  if (Inside)
    Result.push_back({Variable::Trip, K.Trips - 1});
  if (S.What == Statement::Kind::Special)
    return Result;
  if (S.What == Statement::Kind::Accumulate ||
      S.What == Statement::Kind::Count) {
    if (S.Steps > 1)
      Result.push_back({Variable::Step, S.Steps - 1});
    return Result;
  }
  const std::vector<unsigned> &Extents = K.Arrays[S.Array].Extents;
  unsigned Name = unsigned(Variable::Column) + 1 - Extents.size();
  for (unsigned Extent : Extents)
    Result.push_back({Variable(Name++), Extent - 1});
  return Result;
}

/// Returns true if the subscript stays below its extent for all values of its
/// variable.
static bool fits(const Index &I, const std::vector<Range> &Variables) {
  using Form = Index::Form;
  if (I.Shape == Form::Constant)
    return I.Offset < I.Extent;
  auto V = std::find_if(Variables.begin(), Variables.end(),
                        [&](const Range &V) { return V.Name == I.Base; });
  if (V == Variables.end())
    return false;
  switch (I.Shape) {
  case Form::Affine:
    return V->Max * I.Factor + I.Offset < I.Extent;
  case Form::Quotient:
    return V->Max / I.Factor < I.Extent;
  case Form::Reversed:
  case Form::Exclusive:
  case Form::Next:
  case Form::Previous:
    return V->Max < I.Extent;
  default:
    return true;
  }
}

static bool staysInside(const Kernel &K, const Statement &S, bool Inside) {
  std::vector<Range> Variables = variablesOf(K, S, Inside);
  for (const Access &Read : S.Reads)
    for (const Index &I : Read.Subscripts)
      if (!fits(I, Variables))
        return false;
  return true;
}

namespace {
/// How arrays were used since the last barrier.
struct ArrayUses {
  std::vector<bool> Written, Used; ///< By array.

  explicit ArrayUses(size_t NumArrays) : Written(NumArrays), Used(NumArrays) {}
  void add(const Phase &P);
  void add(const ArrayUses &Other);
  bool racesWith(const ArrayUses &Other) const;
};
} // namespace

void ArrayUses::add(const Phase &P) {
  for (const Statement &S : P.Statements) {
    for (const Access &Read : S.Reads)
      Used[Read.Array] = true;
    if (S.What == Statement::Kind::Special) {
      // The statement may exchange pointers, so that any of its arrays may be
      // written.
      for (const Access &Read : S.Reads)
        Written[Read.Array] = Written[Read.Array] || S.IsWriter;
    } else if (S.What == Statement::Kind::Count)
      Written[S.Reads.front().Array] = true;
    else if (S.What != Statement::Kind::Accumulate)
      (S.What == Statement::Kind::Output ? Used : Written)[S.Array] = true;
  }
}

void ArrayUses::add(const ArrayUses &Other) {
  for (size_t A = 0; A < Written.size(); ++A) {
    Written[A] = Written[A] || Other.Written[A];
    Used[A] = Used[A] || Other.Used[A];
  }
}

/// Two uses conflict if at least one of them writes.
bool ArrayUses::racesWith(const ArrayUses &Other) const {
  for (size_t A = 0; A < Written.size(); ++A)
    if ((Written[A] && (Other.Written[A] || Other.Used[A])) ||
        (Used[A] && Other.Written[A]))
      return true;
  return false;
}

/// Returns true if barriers separate all conflicting uses. The loop is walked
/// twice, because its second iteration meets the uses of the first.
static bool hasBarriers(const Kernel &K) {
  std::vector<size_t> Order;
  for (size_t I = 0; I < K.Phases.size(); ++I) {
    Order.push_back(I);
    if (I + 1 == K.LoopEnd)
      for (size_t J = K.LoopBegin; J < K.LoopEnd; ++J)
        Order.push_back(J);
  }
  const ArrayUses None(K.Arrays.size());
  ArrayUses Open = None;
  for (size_t I : Order) {
    const Phase &P = K.Phases[I];
    ArrayUses Own = None;
    Own.add(P);
    if (Own.racesWith(Open))
      return false;
    const bool IsSkipped = P.Shape == Phase::Form::Uniform && P.IsBarrierInside;
    if (!P.HasBarrier)
      Open.add(Own);
    else if (!IsSkipped)
      Open = None;
  }
  return true;
}

/// Walks the phases in order. An array counts as filled only if all threads
/// fill it: after threads have left, under a condition, or behind an early
/// return, that is not certain.
bool isWellFormed(const Kernel &K) {
  std::vector<bool> IsFilled(K.Arrays.size());
  bool HasLeft = false;
  for (size_t I = 0; I < K.Phases.size(); ++I) {
    std::vector<bool> After = IsFilled;
    HasLeft |= K.Phases[I].Leaving.Shape != Guard::Form::None;
    // A barrier that some threads do not reach.
    if (K.Phases[I].Returning.Shape != Guard::Form::None &&
        K.Phases[I].IsBarrierInside)
      return false;
    const bool IsSure = !HasLeft && K.Phases[I].Shape != Phase::Form::Uniform &&
                        K.Phases[I].Returning.Shape == Guard::Form::None;
    for (const Statement &S : K.Phases[I].Statements) {
      if (!staysInside(K, S, K.LoopBegin <= I && I < K.LoopEnd))
        return false;
      if (S.What == Statement::Kind::Fill && IsSure)
        After[S.Array] = true;
      else if (S.What != Statement::Kind::Accumulate &&
               S.What != Statement::Kind::Special &&
               S.What != Statement::Kind::Count && !IsFilled[S.Array])
        return false;
      for (const Access &Read : S.Reads)
        if (!IsFilled[Read.Array])
          return false;
    }
    IsFilled = After;
  }
  return hasBarriers(K);
}

bool dependsOnData(const Kernel &K) {
  for (const Phase &P : K.Phases) {
    if (P.Leaving.Shape == Guard::Form::Data ||
        P.Returning.Shape == Guard::Form::Data)
      return true;
    for (const Statement &S : P.Statements) {
      if (S.Who.Shape == Guard::Form::Data)
        return true;
      for (const Access &Read : S.Reads)
        for (const Index &I : Read.Subscripts)
          if (I.Shape == Index::Form::Data)
            return true;
    }
  }
  return false;
}

/// Returns how often a warp executes the body of \p S.
static uint64_t countIterations(const Kernel &K, const Statement &S) {
  if (S.What == Statement::Kind::Accumulate || S.What == Statement::Kind::Count)
    return S.Steps;
  if (S.What == Statement::Kind::Special)
    return 16;
  const Array &A = K.Arrays[S.Array];
  auto Rounds = [](unsigned Extent, unsigned Threads) {
    return (Extent + Threads - 1) / Threads;
  };
  if (S.Drivers.empty())
    return Rounds(A.numElements(), K.numThreads());
  uint64_t Count = 1;
  for (size_t D = 0; D < A.Extents.size(); ++D) {
    switch (S.Drivers[D]) {
    case Driver::Sequence:
      Count *= A.Extents[D];
      break;
    case Driver::Tid:
      Count *= Rounds(A.Extents[D], K.numThreads());
      break;
    default:
      Count *= Rounds(A.Extents[D],
                      K.Block[unsigned(S.Drivers[D]) - unsigned(Driver::Tx)]);
    }
  }
  return Count;
}

/// The constants are rough; they only keep kernels affordable for the
/// interpreter.
uint64_t estimateCost(const Kernel &K) {
  uint64_t Cost = 20;
  for (size_t I = 0; I < K.Phases.size(); ++I)
    for (const Statement &S : K.Phases[I].Statements) {
      bool Inside = K.LoopBegin <= I && I < K.LoopEnd;
      Cost += countIterations(K, S) * (15 + 12 * S.Reads.size()) *
              (Inside ? K.Trips : 1);
    }
  return Cost * ((K.numThreads() + 31) / 32) * K.Grid;
}

} // namespace cudaopt::fuzz
