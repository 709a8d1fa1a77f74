// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Operations of C++ on ranges and on known bits.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_IR_RANGETRANSFER_H
#define CUDAOPT_LIB_IR_RANGETRANSFER_H

#include "cudaopt/IR/Value.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/Support/KnownBits.h"

namespace cudaopt::ir {

/// Where two ranges are possible, the one that does not cross the type's ends.
inline llvm::ConstantRange::PreferredRangeType preferred(const Type &T) {
  return T.IsSigned ? llvm::ConstantRange::Signed
                    : llvm::ConstantRange::Unsigned;
}

/// None if \p Opcode is no comparison.
std::optional<llvm::CmpInst::Predicate>
predicateOf(clang::BinaryOperatorKind Opcode, bool IsSigned);

/// \p Wraps: signed overflow is defined.
llvm::ConstantRange rangeOfUnary(const Value &V, const llvm::ConstantRange &X,
                                 bool Wraps);
llvm::ConstantRange rangeOfBinary(const Value &V, const Type &OfOperands,
                                  const llvm::ConstantRange &L,
                                  const llvm::ConstantRange &R, bool Wraps);
llvm::ConstantRange rangeOfConversion(const Type &From, const Type &To,
                                      const llvm::ConstantRange &X);
/// Of a function that is known by its name.
llvm::ConstantRange rangeOfCall(const Value &V,
                                llvm::ArrayRef<llvm::ConstantRange> Operands);

/// \p First is the type of the first operand.
llvm::KnownBits bitsOfOperation(const Value &V, const Type &First,
                                llvm::ArrayRef<llvm::KnownBits> Operands);

} // namespace cudaopt::ir

#endif // CUDAOPT_LIB_IR_RANGETRANSFER_H
