// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Closed forms of induction variables. Sums have the form init + i * step. A
/// geometric step (`s *= 2`, `s >>= 1`) from a constant gives a table of its
/// values, which soon ends in a fixed point or at the end of the type; from a
/// variable, a product or quotient with a table of powers.
//===----------------------------------------------------------------------===//

#include "Induction.h"

#include "cudaopt/Model/ValueArithmetic.h"
#include "cudaopt/Model/ValueLeaves.h"

#include "llvm/Support/MathExtras.h"

namespace cudaopt {

/// Returns the type in which C computes `variable op amount`.
static ValueType getCommonType(ValueType A, ValueType B) {
  uint8_t Bits = std::max<uint8_t>({A.Bits, B.Bits, 32});
  auto staysUnsigned = [&](ValueType T) {
    return T.Bits == Bits && !T.IsSigned;
  };
  return {Bits, !staysUnsigned(A) && !staysUnsigned(B)};
}

/// Returns the values that repeated steps give, from \p Start on, if they reach
/// a fixed point (mostly 0) or the end of the type within 64 steps. The last
/// value then stands for all that follow.
static std::optional<std::vector<int64_t>>
listEntries(ValueGraph &G, ValueKind Kind, ValueType Type, int64_t Start,
            ValueId Amount) {
  ValueType Common = getCommonType(Type, G[Amount].Type);
  std::vector<int64_t> Entries = {Start};
  while (Entries.size() <= 64) {
    const ValueId Next = G.operation(
        Kind, Common,
        {G.constant(Entries.back(), Common), G.cast(Amount, Common)});
    const std::optional<int64_t> Number = G.asConstant(G.cast(Next, Type));
    if (!Number)
      return std::nullopt;
    if (*Number == Entries.back())
      return Entries;
    // A signed product does not overflow in a valid program, so that the loop
    // ends before this entry.
    if (*Number < 0 && Kind == ValueKind::Mul && Common == Type &&
        Type.IsSigned)
      return Entries;
    Entries.push_back(*Number);
  }
  return std::nullopt;
}

/// Returns the powers of an even \p Factor as \p Type holds them, from 1 to 0.
static std::vector<int64_t> listPowers(int64_t Factor, ValueType Type) {
  std::vector<int64_t> Powers = {1};
  while (Powers.size() <= Type.Bits) {
    int64_t Next = cudaopt::convert(
        static_cast<int64_t>(uint64_t(Powers.back()) * uint64_t(Factor)), Type);
    if (Next == Powers.back())
      break;
    Powers.push_back(Next);
  }
  return Powers;
}

/// Returns the value after \p Iteration steps `Init *= Factor` for any value
/// Init: its product with a power, modulo 2^bits. An odd factor has no power
/// that is 0, and is not handled.
static std::optional<ValueId> scale(ValueGraph &G, ValueId Iteration,
                                    ValueId Init, int64_t Factor) {
  if (Factor % 2)
    return std::nullopt;
  ValueType Type = G[Init].Type;
  ValueId Power = G.sequence(Iteration, listPowers(Factor, Type), Type);
  return G.operation(ValueKind::Mul, Type, {Init, Power});
}

/// Returns the value after \p Iteration steps `Init >>= Bits`, for a type of 32
/// bits.
static ValueId shiftRight(ValueGraph &G, ValueId Iteration, ValueId Init,
                          int64_t Bits) {
  const ValueType Type = G[Init].Type;
  std::vector<int64_t> Amounts;
  for (int64_t Amount = 0; Amount < Type.Bits; Amount += Bits)
    Amounts.push_back(Amount);
  ValueId IsWithin =
      G.operation(ValueKind::Less, {},
                  {Iteration, G.constant(Amounts.size(), G[Iteration].Type)});
  ValueId Within = G.operation(ValueKind::Shr, Type,
                               {Init, G.sequence(Iteration, Amounts, Type)});
  // All bits have been shifted out, but for copies of the sign.
  ValueId Beyond = Type.IsSigned
                       ? G.operation(ValueKind::Shr, Type,
                                     {Init, G.constant(Type.Bits - 1, Type)})
                       : G.constant(0, Type);
  return G.operation(ValueKind::Select, Type, {IsWithin, Within, Beyond});
}

/// Returns the value after \p Iteration steps `Init /= 2^Bits`, for a signed
/// type of 32 bits. Truncating division satisfies (x / a) / b = x / (a b), so a
/// single division by a power suffices.
static ValueId divide(ValueGraph &G, ValueId Iteration, ValueId Init,
                      int64_t Bits) {
  const ValueType Type = G[Init].Type;
  std::vector<int64_t> Divisors;
  for (int64_t Log = 0; Log < Type.Bits - 1; Log += Bits)
    Divisors.push_back(int64_t(1) << Log);
  const int64_t Count = Divisors.size();
  auto IsBelow = [&](int64_t Bound) {
    return G.operation(ValueKind::Less, {},
                       {Iteration, G.constant(Bound, G[Iteration].Type)});
  };
  ValueId Within =
      G.operation(ValueKind::Div, Type,
                  {Init, G.sequence(Iteration, std::move(Divisors), Type)});
  // The least number of the type may leave -1, which takes one more step.
  ValueId Last = G.operation(ValueKind::Div, Type,
                             {Within, G.constant(int64_t(1) << Bits, Type)});
  ValueId Beyond = G.operation(ValueKind::Select, Type,
                               {IsBelow(Count + 1), Last, G.constant(0, Type)});
  return G.operation(ValueKind::Select, Type, {IsBelow(Count), Within, Beyond});
}

/// Returns the value after \p Iteration geometric steps from a value that is
/// not constant.
static std::optional<ValueId> computeGeometric(ValueGraph &G, ValueId Iteration,
                                               ValueKind Kind, ValueId Init,
                                               int64_t Amount) {
  constexpr int64_t MaxAmount = 16;
  if (G[Init].Type.Bits != 32 || Amount < 1 || Amount > MaxAmount)
    return std::nullopt;
  switch (Kind) {
  case ValueKind::Mul:
    return scale(G, Iteration, Init, Amount);
  case ValueKind::Shl:
    return scale(G, Iteration, Init, int64_t(1) << Amount);
  case ValueKind::Shr:
    return shiftRight(G, Iteration, Init, Amount);
  case ValueKind::Div:
    if (!llvm::isPowerOf2_64(Amount) || Amount == 1)
      return std::nullopt;
    return G[Init].Type.IsSigned
               ? divide(G, Iteration, Init, llvm::Log2_64(Amount))
               : shiftRight(G, Iteration, Init, llvm::Log2_64(Amount));
  default:
    return std::nullopt;
  }
}

std::optional<ValueId> computeInduction(ValueGraph &G, ValueId Iteration,
                                        ValueKind Kind, ValueId Init,
                                        ValueId Amount) {
  ValueType Type = G[Init].Type;
  if (Kind == ValueKind::Add || Kind == ValueKind::Sub) {
    // Wrapping in the common type, and the conversion to the variable's type,
    // commute with the sum over the iterations.
    ValueType Common = getCommonType(Type, G[Amount].Type);
    ValueId Distance =
        G.operation(ValueKind::Mul, Common,
                    {G.cast(Iteration, Common), G.cast(Amount, Common)});
    ValueId Sum = G.operation(Kind, Common, {G.cast(Init, Common), Distance});
    return G.cast(Sum, Type);
  }
  std::optional<int64_t> Start = G.asConstant(Init), By = G.asConstant(Amount);
  if (!By)
    return std::nullopt;
  if (!Start)
    return computeGeometric(G, Iteration, Kind, Init, *By);
  if (*Start < 0)
    return std::nullopt;
  std::optional<std::vector<int64_t>> Entries =
      listEntries(G, Kind, Type, *Start, Amount);
  if (!Entries)
    return std::nullopt;
  return G.sequence(Iteration, std::move(*Entries), Type);
}

/// Returns true if \p Id depends on nothing but the iterator of \p Loop.
static bool dependsOnlyOn(const ValueGraph &G, ValueId Id, LoopId Loop) {
  const Leaves On = findLeaves(G, Id);
  return On.areLoopsOnly() &&
         llvm::all_of(On.Loops, [&](LoopId Each) { return Each == Loop; });
}

std::optional<int64_t> countTrips(const KernelInstance &Instance, LoopId Loop) {
  constexpr int64_t MaxTrips = 4096;
  const std::optional<ValueId> Condition = Instance.Loops[Loop].Condition;
  if (!Condition || !dependsOnlyOn(Instance.Values, *Condition, Loop))
    return std::nullopt;
  Evaluator Values(Instance.Values);
  std::vector<int64_t> Iterators(Instance.Loops.size());
  for (int64_t I = 0; I < MaxTrips; ++I) {
    Iterators[Loop] = I;
    Values.moveTo({{}, {}, Iterators});
    std::optional<int64_t> Holds = Values.evaluate(*Condition);
    if (!Holds)
      return std::nullopt;
    if (!*Holds)
      return I;
  }
  return std::nullopt;
}

} // namespace cudaopt
