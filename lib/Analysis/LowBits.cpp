// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The transfer functions of the two abstract domains. Hashes of unknown terms
/// are combined linearly (sums of hashes, multiples by constants), so that
/// `4 * (t + 1)` and `4 * t + 4` have the same unknown term.
//===----------------------------------------------------------------------===//

#include "LowBits.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <bit>

using llvm::SmallVector;

namespace cudaopt {

LowBits LowBitsFinder::find(ValueId Id) {
  if (auto It = Found.find(Id); It != Found.end())
    return It->second;
  LowBits Bits = compute(Graph[Id]);
  Bits.Zero = std::min(Bits.Zero, Bits.Known);
  return Found[Id] = Bits;
}

// Thread and block indices and parameters are unknown from the lowest bit on;
// what is computed from constants only is a constant.
LowBits LowBitsFinder::compute(const Value &V) {
  constexpr unsigned All = LowBits::All;
  if (V.Kind == ValueKind::Constant)
    return {All, static_cast<unsigned>(
                     std::countr_zero(static_cast<uint64_t>(V.Literal)))};
  if (V.Kind == ValueKind::Iterator)
    return {llvm::is_contained(Unrolled, V.Literal) ? All : 0, 0};
  if (V.NumOperands == 0)
    return {0, 0};
  SmallVector<LowBits, 3> Operands;
  for (unsigned I = 0; I < V.NumOperands; ++I)
    Operands.push_back(find(V.Operands[I]));
  const bool IsConstant =
      llvm::all_of(Operands, [](LowBits B) { return B.Known >= All; });
  LowBits Bits = {0, 0};
  if (V.Kind == ValueKind::Cast && V.Type.Bits >= 8)
    Bits = {std::min<unsigned>(Operands[0].Known, V.Type.Bits),
            Operands[0].Zero};
  else if (V.NumOperands == 2)
    Bits = computeBinary(V, Operands[0], Operands[1]);
  if (IsConstant)
    Bits.Known = All;
  return Bits;
}

LowBits LowBitsFinder::computeBinary(const Value &V, LowBits A, LowBits B) {
  const unsigned Known = std::min(A.Known, B.Known);
  const unsigned Zero = std::min(A.Zero, B.Zero);
  const std::optional<int64_t> Right = Graph.asConstant(V.Operands[1]);
  switch (V.Kind) {
  case ValueKind::Add:
  case ValueKind::Sub:
  case ValueKind::Or:
  case ValueKind::Xor:
    return {Known, Zero};
  // A bit that is 0 in one operand is 0 in the result, whatever the other is.
  case ValueKind::And: {
    const unsigned EitherZero = std::max(A.Zero, B.Zero);
    return {std::max(Known, EitherZero), EitherZero};
  }
  // The lowest unknown bit of A is moved up at least as many places as B has
  // zeros, and the other way round.
  case ValueKind::Mul:
    return {std::min(A.Known + B.Zero, B.Known + A.Zero), A.Zero + B.Zero};
  case ValueKind::Shl:
    if (Right && *Right >= 0 && *Right < 32)
      return {A.Known + static_cast<unsigned>(*Right),
              A.Zero + static_cast<unsigned>(*Right)};
    return {0, 0};
  case ValueKind::Shr:
    if (Right && *Right >= 0 && *Right <= A.Zero)
      return {A.Known - static_cast<unsigned>(*Right),
              A.Zero - static_cast<unsigned>(*Right)};
    return {0, 0};
  case ValueKind::Rem:
    if (Right && *Right > 0 && llvm::isPowerOf2_64(*Right)) {
      const auto Width = static_cast<unsigned>(
          std::countr_zero(static_cast<uint64_t>(*Right)));
      return {std::min(A.Known, Width), A.Zero};
    }
    return {0, 0};
  default:
    return {0, 0};
  }
}

SymbolicSum SymbolicEvaluator::evaluate(ValueId Id) {
  if (auto It = Known.find(Id); It != Known.end())
    return It->second;
  SymbolicSum Sum = compute(Id);
  return Known[Id] = Sum;
}

SymbolicSum SymbolicEvaluator::compute(ValueId Id) {
  const Value &V = Graph[Id];
  if (V.Kind == ValueKind::Constant)
    return {0, V.Literal};
  if (V.Kind == ValueKind::Iterator && Iterators[V.Literal])
    return *Iterators[V.Literal];
  // Hashes of unknown terms are odd, so that none of them is 0.
  const SymbolicSum Opaque = {llvm::hash_combine(Id) | 1, 0};
  if (V.NumOperands == 0)
    return Opaque;
  SmallVector<SymbolicSum, 3> Operands;
  for (unsigned I = 0; I < V.NumOperands; ++I)
    Operands.push_back(evaluate(V.Operands[I]));
  const SymbolicSum &A = Operands[0], &B = Operands[V.NumOperands - 1];
  const auto Number = [](int64_t X) { return static_cast<uint64_t>(X); };
  switch (V.Kind) {
  case ValueKind::Cast:
    if (V.Type.Bits >= 32)
      return A;
    break;
  case ValueKind::Add:
    return {A.Unknown + B.Unknown,
            static_cast<int64_t>(Number(A.Number) + Number(B.Number))};
  case ValueKind::Sub:
    return {A.Unknown - B.Unknown,
            static_cast<int64_t>(Number(A.Number) - Number(B.Number))};
  case ValueKind::Mul:
    if (!B.Unknown)
      return {A.Unknown * Number(B.Number),
              static_cast<int64_t>(Number(A.Number) * Number(B.Number))};
    if (!A.Unknown)
      return {B.Unknown * Number(A.Number),
              static_cast<int64_t>(Number(A.Number) * Number(B.Number))};
    break;
  case ValueKind::Shl:
    if (!B.Unknown && B.Number >= 0 && B.Number < 32)
      return {A.Unknown << B.Number,
              static_cast<int64_t>(Number(A.Number) << B.Number)};
    break;
  default:
    break;
  }
  // Any other operation on constants is a constant; on unknown terms, it is a
  // new unknown term, equal for equal operands.
  if (llvm::all_of(Operands, [](const SymbolicSum &S) { return !S.Unknown; }))
    if (std::optional<int64_t> Constant = Numbers.evaluate(Id))
      return {0, *Constant};
  llvm::hash_code Hash = llvm::hash_combine(V.Kind, V.Literal, V.Type.Bits);
  for (const SymbolicSum &Operand : Operands)
    Hash = llvm::hash_combine(Hash, Operand.Unknown, Operand.Number);
  return {uint64_t(Hash) | 1, 0};
}

} // namespace cudaopt
