// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The integer arithmetic of C on numbers held in 64 bits: what folding and
/// evaluating values share. Inline, because evaluation runs it for every lane.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_MODEL_VALUEARITHMETIC_H
#define CUDAOPT_MODEL_VALUEARITHMETIC_H

#include "cudaopt/Model/ValueGraph.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"

namespace cudaopt {

/// Returns \p Number as an object of type \p Type holds it. One bit is `bool`:
/// every number but 0 becomes 1.
inline int64_t convert(int64_t Number, ValueType Type) {
  if (Type.Bits == 1)
    return Number != 0;
  if (Type.Bits >= 64)
    return Number;
  if (Type.IsSigned)
    return llvm::SignExtend64(static_cast<uint64_t>(Number), Type.Bits);
  return static_cast<int64_t>(static_cast<uint64_t>(Number) &
                              llvm::maskTrailingOnes<uint64_t>(Type.Bits));
}

/// Returns the type to which C converts an \p A and a \p B to compare them (the
/// usual arithmetic conversions).
inline ValueType commonType(ValueType A, ValueType B) {
  auto Promote = [](ValueType T) { return T.Bits < 32 ? ValueType{} : T; };
  A = Promote(A);
  B = Promote(B);
  if (A.Bits != B.Bits)
    return A.Bits > B.Bits ? A : B;
  return {A.Bits, A.IsSigned && B.IsSigned};
}

inline bool isLess(int64_t A, int64_t B, ValueType Type) {
  return Type.IsSigned ? A < B
                       : static_cast<uint64_t>(A) < static_cast<uint64_t>(B);
}

/// Returns the quotient or remainder; std::nullopt for a division by 0, or one
/// whose quotient does not fit.
inline std::optional<int64_t> divide(ValueKind Kind, ValueType Type, int64_t A,
                                     int64_t B) {
  if (B == 0)
    return std::nullopt;
  if (!Type.IsSigned) {
    uint64_t UA = A, UB = B;
    return static_cast<int64_t>(Kind == ValueKind::Div ? UA / UB : UA % UB);
  }
  // The quotient would not fit, and the host would trap.
  if (B == -1)
    return A == llvm::minIntN(Type.Bits)
               ? std::nullopt
               : std::optional(Kind == ValueKind::Div ? -A : 0);
  return Kind == ValueKind::Div ? A / B : A % B;
}

/// Returns std::nullopt if the shift amount is out of range.
inline std::optional<int64_t> shift(ValueKind Kind, ValueType Type, int64_t A,
                                    int64_t Amount) {
  if (Amount < 0 || Amount >= Type.Bits)
    return std::nullopt;
  if (Kind == ValueKind::Shl)
    return static_cast<int64_t>(static_cast<uint64_t>(A) << Amount);
  return Type.IsSigned
             ? A >> Amount
             : static_cast<int64_t>(static_cast<uint64_t>(A) >> Amount);
}

/// Computes \p A Kind \p B for an arithmetic kind, with operands converted to
/// \p Type. The result is not yet wrapped to \p Type. Sums are formed in
/// unsigned arithmetic, since signed overflow is undefined in the host program,
/// too.
inline std::optional<int64_t> computeArithmetic(ValueKind Kind, ValueType Type,
                                                int64_t A, int64_t B) {
  uint64_t UA = A, UB = B;
  switch (Kind) {
  case ValueKind::Add:
    return static_cast<int64_t>(UA + UB);
  case ValueKind::Sub:
    return static_cast<int64_t>(UA - UB);
  case ValueKind::Mul:
    return static_cast<int64_t>(UA * UB);
  case ValueKind::Div:
  case ValueKind::Rem:
    return divide(Kind, Type, A, B);
  case ValueKind::And:
    return A & B;
  case ValueKind::Or:
    return A | B;
  case ValueKind::Xor:
    return A ^ B;
  case ValueKind::Min:
    return isLess(B, A, Type) ? B : A;
  case ValueKind::Max:
    return isLess(A, B, Type) ? B : A;
  default:
    llvm_unreachable("not an arithmetic operation");
  }
}

inline bool isComparison(ValueKind Kind) {
  return Kind >= ValueKind::Less && Kind <= ValueKind::NotEqual;
}

/// Returns true for comparisons and logical operations, whose values are 0 and
/// 1.
inline bool isTruthValue(ValueKind Kind) {
  return Kind >= ValueKind::Less && Kind <= ValueKind::LogicalNot;
}

inline bool isCommutative(ValueKind Kind) {
  switch (Kind) {
  case ValueKind::Add:
  case ValueKind::Mul:
  case ValueKind::And:
  case ValueKind::Or:
  case ValueKind::Xor:
  case ValueKind::Min:
  case ValueKind::Max:
  case ValueKind::Equal:
  case ValueKind::NotEqual:
    return true;
  default:
    return false;
  }
}

/// Compares \p A and \p B, converted to the type \p Common.
inline int64_t compare(ValueKind Kind, ValueType Common, int64_t A, int64_t B) {
  A = convert(A, Common);
  B = convert(B, Common);
  switch (Kind) {
  case ValueKind::Less:
    return isLess(A, B, Common);
  case ValueKind::LessEqual:
    return !isLess(B, A, Common);
  case ValueKind::Equal:
    return A == B;
  default:
    return A != B;
  }
}

/// Computes the binary operation \p Kind, of type \p Type, on numbers of the
/// types \p TypeA and \p TypeB; std::nullopt if it is undefined in C.
inline std::optional<int64_t> computeBinary(ValueKind Kind, ValueType Type,
                                            int64_t A, ValueType TypeA,
                                            int64_t B, ValueType TypeB) {
  if (isComparison(Kind))
    return compare(Kind, commonType(TypeA, TypeB), A, B);
  std::optional<int64_t> Result;
  // The amount of a shift keeps its own type.
  if (Kind == ValueKind::Shl || Kind == ValueKind::Shr)
    Result = shift(Kind, Type, convert(A, Type), B);
  else
    Result = computeArithmetic(Kind, Type, convert(A, Type), convert(B, Type));
  if (!Result)
    return std::nullopt;
  return convert(*Result, Type);
}

} // namespace cudaopt

#endif // CUDAOPT_MODEL_VALUEARITHMETIC_H
