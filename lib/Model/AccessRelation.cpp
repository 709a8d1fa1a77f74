// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Translates the values of an instance to isl's quasi-affine functions and
/// uses them to prove bounds of subscripts.
///
/// C computes modulo 2^bits, isl over the integers. Each function therefore
/// carries the set on which C computes the same number (Valid). Sums and
/// products by constants may be formed modulo 2^bits (MayWrap) and are compared
/// with the range of their type only when the number itself matters: a result
/// inside the type's range that equals the exact one modulo 2^bits is the exact
/// one. This makes `(unsigned)(i - 1) + 1` exact although its first part may
/// wrap.
//===----------------------------------------------------------------------===//

#include "AccessRelation.h"
#include "cudaopt/Model/KernelBuilder.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

namespace cudaopt {

/// Piecewise functions with more pieces come from deep chains of ?: and cost
/// more than a proof is worth.
static constexpr unsigned MaxPieces = 64;

AccessRelations::AccessRelations(const KernelInstance &Instance,
                                 const IslContext &Isl)
    : Instance(Instance), Ctx(Isl.get()), Universe(isl::set(Ctx, "{ : }")) {}

isl::pw_aff AccessRelations::parameter(llvm::StringRef Name) {
  return isl::pw_aff::param_on_domain(Universe, isl::id(Ctx, Name.str()));
}

isl::pw_aff AccessRelations::number(int64_t N) {
  return isl::manage(isl_pw_aff_val_on_domain(
      Universe.copy(), isl_val_int_from_si(Ctx.get(), N)));
}

static int64_t minOf(ValueType Type) {
  return Type.IsSigned ? llvm::minIntN(Type.Bits) : 0;
}

/// A result inside the type's range cannot have wrapped: restricts the validity
/// of \p A to where it is in the range of \p Type.
AffineValue AccessRelations::makeExact(const AffineValue &A, ValueType Type) {
  return A.MayWrap ? restrictTo(A, Type) : A;
}

AffineValue AccessRelations::restrictTo(const AffineValue &A, ValueType Type) {
  isl::set Low = A.Function.ge_set(number(minOf(Type)));
  uint64_t Max = Type.IsSigned || Type.Bits == 64 ? llvm::maxIntN(Type.Bits)
                                                  : llvm::maxUIntN(Type.Bits);
  Low = Low.intersect(A.Function.le_set(number(Max)));
  return {A.Function, A.Valid.intersect(Low)};
}

std::optional<AffineValue> AccessRelations::toAffine(ValueId Id) {
  if (auto It = Affine.find(Id); It != Affine.end())
    return It->second;
  std::optional<AffineValue> Result = computeAffine(Id);
  if (Result && Result->Function.n_piece() > MaxPieces)
    Result.reset();
  Affine[Id] = Result;
  return Result;
}

std::optional<AffineValue> AccessRelations::computeLeaf(const Value &V) {
  std::string Index = std::to_string(V.Literal);
  switch (V.Kind) {
  case ValueKind::Constant:
    // Literals are stored in 64 signed bits, where the upper half of the
    // unsigned 64-bit numbers looks negative.
    if (V.Literal < 0 && !V.Type.IsSigned)
      return std::nullopt;
    return AffineValue{number(V.Literal), Universe};
  case ValueKind::ThreadIdx:
    return AffineValue{parameter("t" + Index), Universe};
  case ValueKind::BlockIdx:
    return AffineValue{parameter("b" + Index), Universe};
  case ValueKind::Iterator:
    return AffineValue{parameter("i" + Index), Universe};
  case ValueKind::Parameter:
    return AffineValue{parameter("p" + Index), Universe};
  case ValueKind::Sequence: {
    // { [i] -> [entry i] }: one piece for each entry; the last one also for all
    // greater i. Built from the end: with c = clamp(1 - (At - i), 0, 1), the
    // entry is chosen where c is not 0, that is, for At <= i.
    std::optional<AffineValue> At = toAffine(V.Operands[0]);
    llvm::ArrayRef<int64_t> Entries = Instance.Values.sequenceOf(V);
    bool HasHigh = !V.Type.IsSigned && llvm::any_of(Entries, [](int64_t E) {
      return E < 0; // See Constant.
    });
    if (!At || HasHigh || Entries.size() > MaxPieces)
      return std::nullopt;
    isl::pw_aff Result = number(Entries.back());
    for (size_t I = Entries.size() - 1; I-- > 0;)
      Result = At->Function.sub(number(I))
                   .neg()
                   .add_constant(1L)
                   .max(number(0))
                   .min(number(1))
                   .cond(number(Entries[I]), Result);
    return AffineValue{Result, At->Valid};
  }
  default:
    return std::nullopt;
  }
}

std::optional<AffineValue> AccessRelations::computeArithmetic(const Value &V) {
  const ValueGraph &G = Instance.Values;
  std::optional<AffineValue> L = toAffine(V.Operands[0]),
                             R = toAffine(V.Operands[1]);
  if (!L || !R)
    return std::nullopt;
  isl::set Valid = L->Valid.intersect(R->Valid);
  // Signed arithmetic has no overflow in a valid program; unsigned wraps.
  bool MayWrap = !V.Type.IsSigned || L->MayWrap || R->MayWrap;
  switch (V.Kind) {
  case ValueKind::Add:
    return AffineValue{L->Function.add(R->Function), Valid, MayWrap};
  case ValueKind::Sub:
    return AffineValue{L->Function.sub(R->Function), Valid, MayWrap};
  case ValueKind::Mul:
    if (auto C = G.asConstant(V.Operands[1]))
      return AffineValue{L->Function.scale(*C), Valid, MayWrap};
    if (auto C = G.asConstant(V.Operands[0]))
      return AffineValue{R->Function.scale(*C), Valid, MayWrap};
    return std::nullopt;
  case ValueKind::Shl: {
    std::optional<int64_t> C = G.asConstant(V.Operands[1]);
    if (!C || *C < 0 || *C > 31)
      return std::nullopt;
    // C++20 defines a left shift modulo 2^bits, for signed types, too.
    return AffineValue{L->Function.scale(long(1) << *C), Valid, true};
  }
  default:
    break;
  }
  // Minimum and maximum do not commute with wrapping, so the operands must be
  // exact.
  AffineValue A = makeExact(*L, V.Type), B = makeExact(*R, V.Type);
  Valid = A.Valid.intersect(B.Valid);
  if (V.Kind == ValueKind::Min)
    return AffineValue{A.Function.min(B.Function), Valid};
  return AffineValue{A.Function.max(B.Function), Valid};
}

/// A quotient, remainder or right shift by a positive constant. Division of
/// signed numbers truncates, as in C (tdiv); a right shift rounds down.
std::optional<AffineValue> AccessRelations::computeDivision(const Value &V) {
  std::optional<AffineValue> L = toAffine(V.Operands[0]);
  std::optional<int64_t> C = Instance.Values.asConstant(V.Operands[1]);
  if (!L || !C || *C <= 0 || (V.Kind == ValueKind::Shr && *C > 62))
    return std::nullopt;
  AffineValue A = makeExact(*L, V.Type);
  switch (V.Kind) {
  case ValueKind::Shr: // Arithmetic: rounds down.
    return AffineValue{A.Function.scale_down(long(1) << *C).floor(), A.Valid};
  case ValueKind::Div:
    if (!V.Type.IsSigned)
      return AffineValue{A.Function.scale_down(*C).floor(), A.Valid};
    return AffineValue{A.Function.tdiv_q(number(*C)), A.Valid};
  default:
    if (!V.Type.IsSigned)
      return AffineValue{A.Function.mod(*C), A.Valid};
    return AffineValue{A.Function.tdiv_r(number(*C)), A.Valid};
  }
}

/// x and m, x or m, x xor m for a constant m, bit by bit: with bit k of x =
/// floor(x / 2^k) mod 2,
///
///       x and m = sum over bits k of m of 2^k (bit k of x)
///       x xor m = x + m - 2 (x and m),  x or m = x + m - (x and m).
///
/// A run of ones [Low, High) in m needs only two terms: x mod 2^High - x mod
/// 2^Low.
std::optional<AffineValue> AccessRelations::computeBits(const Value &V) {
  const ValueGraph &G = Instance.Values;
  unsigned Variable = G.asConstant(V.Operands[0]) ? 1 : 0;
  std::optional<int64_t> Mask = G.asConstant(V.Operands[1 - Variable]);
  std::optional<AffineValue> X = toAffine(V.Operands[Variable]);
  if (!Mask || !X || (*Mask < 0 && !V.Type.IsSigned))
    return std::nullopt;
  AffineValue A = makeExact(*X, V.Type);
  auto lowBits = [&](unsigned Count) {
    return A.Function.mod(long(1) << Count);
  };
  bool IsInverted = *Mask < 0; // `x & ~15` is x minus its low bits.
  uint64_t Bits = IsInverted ? ~uint64_t(*Mask) : uint64_t(*Mask);
  if (V.Type.Bits == 32 && !V.Type.IsSigned && llvm::popcount(Bits) > 16) {
    IsInverted = true;
    Bits = ~Bits & 0xffffffff;
  }
  unsigned Runs = llvm::popcount(Bits & ~(Bits << 1));
  if (Bits > 0x7fffffff || Runs > 4)
    return std::nullopt;
  // Runs of ones, lowest first: [Low, High).
  isl::pw_aff And = number(0);
  for (uint64_t Rest = Bits; Rest;) {
    unsigned Low = llvm::countr_zero(Rest);
    unsigned High = Low + llvm::countr_one(Rest >> Low);
    And = And.add(lowBits(High).sub(lowBits(Low)));
    Rest &= ~((uint64_t(1) << High) - 1);
  }
  if (IsInverted)
    And = A.Function.sub(And);
  switch (V.Kind) {
  case ValueKind::And:
    return AffineValue{And, A.Valid};
  case ValueKind::Or:
    return AffineValue{A.Function.add_constant(*Mask).sub(And), A.Valid};
  default:
    return AffineValue{A.Function.add_constant(*Mask).sub(And.scale(2L)),
                       A.Valid};
  }
}

std::optional<AffineValue> AccessRelations::computeAffine(ValueId Id) {
  const Value V = Instance.Values[Id];
  switch (V.Kind) {
  case ValueKind::Constant:
  case ValueKind::ThreadIdx:
  case ValueKind::BlockIdx:
  case ValueKind::Iterator:
  case ValueKind::Sequence:
  case ValueKind::Parameter:
    return computeLeaf(V);
  case ValueKind::Add:
  case ValueKind::Sub:
  case ValueKind::Mul:
  case ValueKind::Shl:
  case ValueKind::Min:
  case ValueKind::Max:
    return computeArithmetic(V);
  case ValueKind::Div:
  case ValueKind::Rem:
  case ValueKind::Shr:
    return computeDivision(V);
  case ValueKind::And:
  case ValueKind::Or:
  case ValueKind::Xor:
    return computeBits(V);
  case ValueKind::Select: {
    std::optional<AffineCondition> If = toCondition(V.Operands[0]);
    std::optional<AffineValue> L = toAffine(V.Operands[1]),
                               R = toAffine(V.Operands[2]);
    if (!If || !L || !R)
      return std::nullopt;
    isl::set Else = If->Holds.complement();
    isl::pw_aff Function = L->Function.intersect_domain(If->Holds).union_add(
        R->Function.intersect_domain(Else));
    isl::set Valid = If->Holds.intersect(L->Valid)
                         .unite(Else.intersect(R->Valid))
                         .intersect(If->Valid);
    return AffineValue{Function, Valid, L->MayWrap || R->MayWrap};
  }
  case ValueKind::Cast: {
    std::optional<AffineValue> Operand = toAffine(V.Operands[0]);
    if (!Operand)
      return std::nullopt;
    ValueType From = Instance.Values[V.Operands[0]].Type;
    // A wider type takes the number as it is, so it must be exact before; a
    // narrower one, or one of other signedness, may wrap it.
    if (V.Type.Bits > From.Bits) {
      AffineValue Exact = makeExact(*Operand, From);
      Exact.MayWrap = From.IsSigned && !V.Type.IsSigned;
      return Exact;
    }
    if (V.Type != From)
      Operand->MayWrap = true;
    return Operand;
  }
  default: { // A comparison used as a number: 1 where it holds.
    std::optional<AffineCondition> C = toCondition(Id);
    if (!C)
      return std::nullopt;
    isl::pw_aff Function = number(1).intersect_domain(C->Holds).union_add(
        number(0).intersect_domain(C->Holds.complement()));
    return AffineValue{Function, C->Valid};
  }
  }
}

std::optional<AffineCondition> AccessRelations::toCondition(ValueId Id) {
  if (auto It = Conditions.find(Id); It != Conditions.end())
    return It->second;
  std::optional<AffineCondition> Result = computeCondition(Id);
  Conditions[Id] = Result;
  return Result;
}

std::optional<AffineCondition> AccessRelations::computeCondition(ValueId Id) {
  const Value V = Instance.Values[Id];
  switch (V.Kind) {
  case ValueKind::LogicalAnd:
  case ValueKind::LogicalOr: {
    std::optional<AffineCondition> L = toCondition(V.Operands[0]),
                                   R = toCondition(V.Operands[1]);
    if (!L || !R)
      return std::nullopt;
    isl::set Holds = V.Kind == ValueKind::LogicalAnd
                         ? L->Holds.intersect(R->Holds)
                         : L->Holds.unite(R->Holds);
    return AffineCondition{Holds, L->Valid.intersect(R->Valid)};
  }
  case ValueKind::LogicalNot: {
    std::optional<AffineCondition> C = toCondition(V.Operands[0]);
    if (!C)
      return std::nullopt;
    return AffineCondition{C->Holds.complement(), C->Valid};
  }
  case ValueKind::Less:
  case ValueKind::LessEqual:
  case ValueKind::Equal:
  case ValueKind::NotEqual: {
    std::optional<AffineValue> L = toAffine(V.Operands[0]),
                               R = toAffine(V.Operands[1]);
    if (!L || !R)
      return std::nullopt;
    AffineValue A = makeExact(*L, Instance.Values[V.Operands[0]].Type);
    AffineValue B = makeExact(*R, Instance.Values[V.Operands[1]].Type);
    isl::set Valid = A.Valid.intersect(B.Valid);
    if (V.Kind == ValueKind::Less)
      return AffineCondition{A.Function.lt_set(B.Function), Valid};
    if (V.Kind == ValueKind::LessEqual)
      return AffineCondition{A.Function.le_set(B.Function), Valid};
    if (V.Kind == ValueKind::Equal)
      return AffineCondition{A.Function.eq_set(B.Function), Valid};
    return AffineCondition{A.Function.ne_set(B.Function), Valid};
  }
  default: {
    std::optional<AffineValue> A = toAffine(Id);
    if (!A)
      return std::nullopt;
    AffineValue Exact = makeExact(*A, V.Type);
    return AffineCondition{Exact.Function.ne_set(number(0)), Exact.Valid};
  }
  }
}

bool AccessRelations::isInRange(ValueId Value, uint64_t Extent,
                                const Access &A) {
  std::tuple Key(Value, Extent, keyOf(A));
  if (auto It = InRange.find(Key); It != InRange.end())
    return It->second;
  // A domain is costly to compute, and is not needed if the value is not
  // affine.
  const bool Result =
      toAffine(Value) && computeInRange(Value, Extent, computeDomain(A));
  InRange.emplace(std::move(Key), Result);
  return Result;
}

bool AccessRelations::computeInRange(ValueId Value, uint64_t Extent,
                                     const isl::set &Domain) {
  const AffineValue A = *toAffine(Value);
  // Where the value is valid modulo 2^bits and in range, it is the exact
  // number, so that Valid need not exclude wrapping.
  if (isl_set_plain_is_universe(A.Valid.get()) != isl_bool_true &&
      !Domain.is_subset(A.Valid))
    return false;
  isl::set Outside =
      A.Function.lt_set(number(0)).unite(A.Function.ge_set(number(Extent)));
  return Domain.is_disjoint(Outside);
}

std::optional<isl::map>
AccessRelations::computeRelation(const Access &A, llvm::StringRef ArrayName,
                                 const isl::set &Domain) {
  isl::id_list Tuple(Ctx, 0);
  for (const char *Prefix : {"b", "t"})
    for (unsigned D = 0; D < 3; ++D)
      Tuple = Tuple.add(isl::id(Ctx, Prefix + std::to_string(D)));
  for (LoopId L : A.Loops)
    Tuple = Tuple.add(isl::id(Ctx, "i" + std::to_string(L)));
  isl::space Params = isl::space::unit(Ctx);
  isl::multi_id Bound(Params.add_named_tuple("S", Tuple.size()), Tuple);

  isl::pw_aff_list Subscripts(Ctx, 0);
  for (ValueId Index : A.Index) {
    std::optional<AffineValue> Subscript = toAffine(Index);
    if (!Subscript)
      return std::nullopt;
    AffineValue Exact = makeExact(*Subscript, Instance.Values[Index].Type);
    if (!Domain.is_subset(Exact.Valid))
      return std::nullopt;
    Subscripts = Subscripts.add(Exact.Function.intersect_domain(Domain));
  }
  isl::multi_pw_aff Function(
      Params.add_named_tuple(ArrayName.str(), Subscripts.size()), Subscripts);
  return Function.unbind_params_insert_domain(Bound).as_map().coalesce();
}

std::optional<isl::map> computeRelation(const KernelInstance &Instance,
                                        const Access &A,
                                        const IslContext &Isl) {
  std::optional<isl::map> Relation;
  if (A.isOpaque() || !Isl.attempt([&] {
        AccessRelations Relations(Instance, Isl);
        Relation =
            Relations.computeRelation(A, "A", Relations.computeDomain(A));
      }))
    return std::nullopt;
  return Relation;
}

} // namespace cudaopt
