// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Interval arithmetic on values. Each operation is exact over the integers; a
/// result that may lie outside of the value's type is dropped, since it may
/// have wrapped.
//===----------------------------------------------------------------------===//

#include "cudaopt/Model/ValueInterval.h"
#include "cudaopt/Model/ValueLeaves.h"

#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <limits>

namespace cudaopt {

using Wide = __int128; ///< Holds sums and products of two int64_t.

static constexpr int64_t Lowest = std::numeric_limits<int64_t>::min();
static constexpr int64_t Highest = std::numeric_limits<int64_t>::max();

/// Returns the numbers of a type, as far as they fit into 64 signed bits.
static Interval rangeOf(ValueType Type) {
  if (Type.Bits == 1)
    return {0, 1};
  if (Type.IsSigned)
    return {llvm::minIntN(Type.Bits), llvm::maxIntN(Type.Bits)};
  return {0, Type.Bits == 64 ? Highest
                             : static_cast<int64_t>(llvm::maxUIntN(Type.Bits))};
}

/// A result inside the type's range cannot have wrapped; returns std::nullopt
/// for others.
static std::optional<Interval> makeExact(Wide Low, Wide High, ValueType Type) {
  Interval Range = rangeOf(Type);
  if (Low < Range.Low || High > Range.High)
    return std::nullopt;
  return Interval{static_cast<int64_t>(Low), static_cast<int64_t>(High)};
}

static Interval unite(Interval A, Interval B) {
  return {std::min(A.Low, B.Low), std::max(A.High, B.High)};
}

ValueIntervals::ValueIntervals(const KernelInstance &Instance, const Access &A)
    : Instance(Instance), Values(Instance.Values) {
  for (ValueId Guard : A.Guards)
    assume(Guard, false);
  for (LoopId Loop : A.Loops)
    if (Instance.Loops[Loop].Condition)
      assume(*Instance.Loops[Loop].Condition, false);
}

/// Narrows the assumed interval of \p Id.
void ValueIntervals::limit(ValueId Id, std::optional<int64_t> Low,
                           std::optional<int64_t> High) {
  Interval &I =
      Assumed.try_emplace(Id, Interval{Lowest, Highest}).first->second;
  I.Low = std::max(I.Low, Low.value_or(Lowest));
  I.High = std::min(I.High, High.value_or(Highest));
}

/// Records what a condition (or its negation) says of values that it compares
/// with constants.
void ValueIntervals::assume(ValueId Condition, bool Negated) {
  const Value &V = Values[Condition];
  switch (V.Kind) {
  case ValueKind::LogicalNot:
    return assume(V.Operands[0], !Negated);
  case ValueKind::LogicalAnd:
  case ValueKind::LogicalOr:
    if ((V.Kind == ValueKind::LogicalAnd) == Negated)
      return; // One of the two holds, but which?
    assume(V.Operands[0], Negated);
    return assume(V.Operands[1], Negated);
  case ValueKind::Equal:
  case ValueKind::Less:
  case ValueKind::LessEqual:
    break;
  default:
    return;
  }
  auto [A, B, Unused] = V.Operands;
  std::optional<int64_t> Left = Values.asConstant(A),
                         Right = Values.asConstant(B);
  // The upper half of the unsigned 64-bit numbers looks negative.
  if ((Left && *Left < 0 && !Values[A].Type.IsSigned) ||
      (Right && *Right < 0 && !Values[B].Type.IsSigned))
    return;
  if (V.Kind == ValueKind::Equal) {
    if (Right && !Negated)
      limit(A, Right, Right);
    if (Left && !Negated)
      limit(B, Left, Left);
    return;
  }
  // A < B is the same as not(B <= A), and A <= B as not(B < A).
  bool IsStrict = (V.Kind == ValueKind::Less) != Negated;
  if (Negated) {
    std::swap(A, B);
    std::swap(Left, Right);
  }
  if (Right && *Right > Lowest)
    limit(A, std::nullopt, *Right - IsStrict);
  if (Left && *Left < Highest)
    limit(B, *Left + IsStrict, std::nullopt);
}

/// Combines the interval that follows from the operands with what is assumed. A
/// value that depends on itself (an iterator whose bound needs the iterator)
/// has none while it is being computed.
std::optional<Interval> ValueIntervals::find(ValueId Id) {
  if (auto It = Known.find(Id); It != Known.end())
    return It->second;
  if (!InProgress.insert(Id).second)
    return std::nullopt;
  std::optional<Interval> Result = compute(Values[Id]);
  InProgress.erase(Id);
  if (auto It = Assumed.find(Id); It != Assumed.end()) {
    // A value that may wrap still has the numbers of its type; those of 64
    // unsigned bits fit only if they are known to be small.
    ValueType Type = Values[Id].Type;
    if (!Result && !Type.IsSigned && Type.Bits == 64 &&
        It->second.High == Highest)
      return Known[Id] = std::nullopt;
    if (!Result)
      Result = rangeOf(Type);
    Result->Low = std::max(Result->Low, It->second.Low);
    Result->High = std::min(Result->High, It->second.High);
  }
  return Known[Id] = Result;
}

bool ValueIntervals::isInRange(ValueId Id, uint64_t Extent) {
  std::optional<Interval> I = find(Id);
  return I && I->Low >= 0 && I->High < static_cast<Wide>(Extent);
}

/// Computes an interval from the operands alone.
std::optional<Interval> ValueIntervals::compute(const Value &V) {
  switch (V.Kind) {
  case ValueKind::Constant:
  case ValueKind::ThreadIdx:
  case ValueKind::BlockIdx:
  case ValueKind::Iterator:
  case ValueKind::Sequence:
    return computeLeaf(V);
  case ValueKind::Parameter:
    return std::nullopt;
  case ValueKind::Less:
  case ValueKind::LessEqual:
  case ValueKind::Equal:
  case ValueKind::NotEqual:
  case ValueKind::LogicalAnd:
  case ValueKind::LogicalOr:
  case ValueKind::LogicalNot:
    return Interval{0, 1};
  case ValueKind::Select: {
    std::optional<Interval> A = find(V.Operands[1]), B = find(V.Operands[2]);
    if (!A || !B)
      return std::nullopt;
    return unite(*A, *B);
  }
  case ValueKind::Cast: {
    std::optional<Interval> A = find(V.Operands[0]);
    if (V.Type.Bits == 1)
      return Interval{0, 1};
    return A ? makeExact(A->Low, A->High, V.Type) : std::nullopt;
  }
  default:
    return computeBinary(V);
  }
}

std::optional<Interval> ValueIntervals::computeLeaf(const Value &V) {
  const BlockShape &B = Instance.Block;
  switch (V.Kind) {
  case ValueKind::Constant:
    if (V.Literal < 0 && !V.Type.IsSigned)
      return std::nullopt;
    return Interval{V.Literal, V.Literal};
  case ValueKind::ThreadIdx:
    return Interval{0, int64_t(B.maxExtent(V.Literal)) - 1};
  case ValueKind::BlockIdx:
    if (uint32_t Blocks = B.Grid[V.Literal])
      return Interval{0, int64_t(Blocks) - 1};
    // Left to isl, which is told that blockIdx * blockDim does not wrap.
    return std::nullopt;
  case ValueKind::Iterator:
    return computeIterator(static_cast<LoopId>(V.Literal));
  default: {
    llvm::ArrayRef<int64_t> Entries = Values.sequenceOf(V);
    auto [Low, High] = std::minmax_element(Entries.begin(), Entries.end());
    if (Low == Entries.end() || (*Low < 0 && !V.Type.IsSigned))
      return std::nullopt;
    return Interval{*Low, *High};
  }
  }
}

/// Only constant positive divisors: truncation is then monotonic.
static std::optional<Interval> divide(Interval A, Interval B, ValueType Type) {
  if (B.Low != B.High || B.Low <= 0)
    return std::nullopt;
  return makeExact(A.Low / B.Low, A.High / B.Low, Type);
}

/// The remainder has the sign of the dividend, as in C.
static std::optional<Interval> takeRemainder(Interval A, Interval B) {
  if (B.Low != B.High || B.Low <= 0)
    return std::nullopt;
  if (A.Low >= 0 && A.High < B.Low)
    return A;
  return Interval{A.Low < 0 ? 1 - B.Low : 0, A.High > 0 ? B.Low - 1 : 0};
}

static std::optional<Interval> shift(ValueKind Kind, Interval A, Interval B,
                                     ValueType Type) {
  if (B.Low != B.High || B.Low < 0 || B.Low >= Type.Bits)
    return std::nullopt;
  if (Kind == ValueKind::Shr)
    return Interval{A.Low >> B.Low, A.High >> B.Low};
  if (A.Low < 0)
    return std::nullopt;
  Wide Factor = Wide(1) << B.Low;
  return makeExact(A.Low * Factor, A.High * Factor, Type);
}

/// Bitwise operations on numbers that are not negative.
static std::optional<Interval> combineBits(ValueKind Kind, Interval A,
                                           Interval B) {
  if (Kind == ValueKind::And) {
    // One operand that is not negative clears the other's sign.
    if (A.Low < 0 && B.Low < 0)
      return std::nullopt;
    int64_t High =
        std::min(A.Low < 0 ? Highest : A.High, B.Low < 0 ? Highest : B.High);
    return Interval{0, High};
  }
  if (A.Low < 0 || B.Low < 0)
    return std::nullopt;
  unsigned Width = llvm::bit_width(static_cast<uint64_t>(A.High | B.High));
  return Interval{0, Width >= 63 ? Highest : (int64_t(1) << Width) - 1};
}

std::optional<Interval> ValueIntervals::computeBinary(const Value &V) {
  std::optional<Interval> A = find(V.Operands[0]), B = find(V.Operands[1]);
  if (!A || !B || A->Low > A->High || B->Low > B->High)
    return std::nullopt;
  switch (V.Kind) {
  case ValueKind::Add:
    return makeExact(Wide(A->Low) + B->Low, Wide(A->High) + B->High, V.Type);
  case ValueKind::Sub:
    return makeExact(Wide(A->Low) - B->High, Wide(A->High) - B->Low, V.Type);
  case ValueKind::Mul: {
    auto [Low, High] =
        std::minmax({Wide(A->Low) * B->Low, Wide(A->Low) * B->High,
                     Wide(A->High) * B->Low, Wide(A->High) * B->High});
    return makeExact(Low, High, V.Type);
  }
  case ValueKind::Div:
    return divide(*A, *B, V.Type);
  case ValueKind::Rem:
    return takeRemainder(*A, *B);
  case ValueKind::Shl:
  case ValueKind::Shr:
    return shift(V.Kind, *A, *B, V.Type);
  case ValueKind::And:
  case ValueKind::Or:
  case ValueKind::Xor:
    return combineBits(V.Kind, *A, *B);
  case ValueKind::Min:
    return Interval{std::min(A->Low, B->Low), std::min(A->High, B->High)};
  case ValueKind::Max:
    return Interval{std::max(A->Low, B->Low), std::max(A->High, B->High)};
  default:
    return std::nullopt;
  }
}

/// An iterator counts from 0 until the loop's test fails for the first time, so
/// an upper bound of the number of iterations bounds it.
std::optional<Interval> ValueIntervals::computeIterator(LoopId Loop) {
  const std::optional<ValueId> &Condition = Instance.Loops[Loop].Condition;
  if (!Condition)
    return std::nullopt;
  std::optional<int64_t> Count = countIterations(*Condition, Loop);
  if (!Count)
    return std::nullopt;
  return Interval{0, std::max<int64_t>(*Count, 1) - 1};
}

bool ValueIntervals::dependsOn(ValueId Id, LoopId Loop) const {
  return llvm::is_contained(findLeaves(Values, Id).Loops, Loop);
}

/// Returns an upper bound of the number of iterations that pass the test Factor
/// * i + Rest < Limit with a positive Factor. Rest and Limit are the same in
/// all iterations. The left side grows from a number that is not negative and
/// passes Limit before it can wrap, so that the first failure is the one
/// computed here.
std::optional<int64_t> ValueIntervals::countIterations(ValueId Condition,
                                                       LoopId Loop) {
  const Value &V = Values[Condition];
  if (V.Kind == ValueKind::LogicalAnd) {
    std::optional<int64_t> A = countIterations(V.Operands[0], Loop),
                           B = countIterations(V.Operands[1], Loop);
    return A && B ? std::min(*A, *B) : A ? A : B;
  }
  if ((V.Kind != ValueKind::Less && V.Kind != ValueKind::LessEqual) ||
      dependsOn(V.Operands[1], Loop))
    return std::nullopt;
  std::optional<Interval> Limit = find(V.Operands[1]);
  std::optional<LinearForm> Left = toLinear(V.Operands[0], Loop);
  if (!Limit || !Left || Left->Factor <= 0 || Left->Rest.Low < 0)
    return std::nullopt;
  Wide Bound = Wide(Limit->High) + (V.Kind == ValueKind::LessEqual);
  if (Bound + Left->Factor + Left->Rest.High > Left->Max)
    return std::nullopt;
  if (Bound <= Left->Rest.Low)
    return 0;
  return static_cast<int64_t>((Bound - Left->Rest.Low + Left->Factor - 1) /
                              Left->Factor);
}

std::optional<ValueIntervals::LinearForm>
ValueIntervals::toLinear(ValueId Id, LoopId Loop) {
  if (!dependsOn(Id, Loop)) {
    std::optional<Interval> I = find(Id);
    return I ? std::optional(LinearForm{0, *I}) : std::nullopt;
  }
  std::optional<LinearForm> Form = computeLinear(Values[Id], Loop);
  if (Form)
    Form->Max = std::min(Form->Max, rangeOf(Values[Id].Type).High);
  return Form;
}

/// Handles only sums and multiples of parts that are not negative: then no part
/// is greater than the whole, and a bound of the whole shows that none of them
/// wraps.
std::optional<ValueIntervals::LinearForm>
ValueIntervals::computeLinear(const Value &V, LoopId Loop) {
  if (V.Kind == ValueKind::Iterator)
    return LinearForm{1, {0, 0}};
  if (V.Kind == ValueKind::Cast && V.Type.Bits > 1)
    return toLinear(V.Operands[0], Loop);
  if (V.Kind != ValueKind::Add && V.Kind != ValueKind::Mul)
    return std::nullopt;
  std::optional<LinearForm> A = toLinear(V.Operands[0], Loop),
                            B = toLinear(V.Operands[1], Loop);
  if (!A || !B || A->Rest.Low < 0 || B->Rest.Low < 0)
    return std::nullopt;
  Wide Factor = Wide(A->Factor) + B->Factor;
  std::optional<Interval> Rest;
  if (V.Kind == ValueKind::Add) {
    Rest = makeExact(Wide(A->Rest.Low) + B->Rest.Low,
                     Wide(A->Rest.High) + B->Rest.High, V.Type);
  } else {
    if (B->Factor)
      std::swap(A, B);
    if (B->Factor || B->Rest.Low != B->Rest.High || B->Rest.Low == 0)
      return std::nullopt;
    Factor = Wide(A->Factor) * B->Rest.Low;
    Rest = makeExact(Wide(A->Rest.Low) * B->Rest.Low,
                     Wide(A->Rest.High) * B->Rest.Low, V.Type);
  }
  if (!Rest || Factor > Highest)
    return std::nullopt;
  return LinearForm{static_cast<int64_t>(Factor), *Rest,
                    std::min(A->Max, B->Max)};
}

} // namespace cudaopt
