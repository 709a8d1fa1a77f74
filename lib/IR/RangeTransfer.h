// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The transfer functions of value range analysis: what the operations of C++
/// make of intervals (llvm::ConstantRange) and of known bits
/// (llvm::KnownBits).
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_IR_RANGETRANSFER_H
#define CUDAOPT_LIB_IR_RANGETRANSFER_H

#include "cudaopt/IR/Value.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/Support/KnownBits.h"

namespace cudaopt::ir {

/// Returns which of two possible intervals to prefer: the one that does not
/// wrap around the ends of the type, by its sign.
inline llvm::ConstantRange::PreferredRangeType preferred(const Type &T) {
  return T.IsSigned ? llvm::ConstantRange::Signed
                    : llvm::ConstantRange::Unsigned;
}

/// Returns LLVM's predicate for a comparison; std::nullopt if \p Opcode is
/// none.
std::optional<llvm::CmpInst::Predicate>
predicateOf(clang::BinaryOperatorKind Opcode, bool IsSigned);

/// The range of \p V, an operation on operands with the given ranges. \p Wraps
/// says whether signed overflow is defined; if not, results that overflow are
/// excluded.
llvm::ConstantRange rangeOfUnary(const Value &V, const llvm::ConstantRange &X,
                                 bool Wraps);
llvm::ConstantRange rangeOfBinary(const Value &V, const Type &OfOperands,
                                  const llvm::ConstantRange &L,
                                  const llvm::ConstantRange &R, bool Wraps);
llvm::ConstantRange rangeOfConversion(const Type &From, const Type &To,
                                      const llvm::ConstantRange &X);
/// The range of \p V, a call of a pure function that is known by its name:
/// `min` and `max`, `__popc`, `__clz`, `__ffs`. Full for others.
llvm::ConstantRange rangeOfCall(const Value &V,
                                llvm::ArrayRef<llvm::ConstantRange> Operands);

/// The known bits of \p V; \p First is the type of its first operand.
llvm::KnownBits bitsOfOperation(const Value &V, const Type &First,
                                llvm::ArrayRef<llvm::KnownBits> Operands);

} // namespace cudaopt::ir

#endif // CUDAOPT_LIB_IR_RANGETRANSFER_H
