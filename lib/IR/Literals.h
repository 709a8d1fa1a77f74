// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Helpers for folding operations on literals.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_IR_LITERALS_H
#define CUDAOPT_LIB_IR_LITERALS_H

#include "cudaopt/IR/Value.h"

#include "llvm/ADT/APFloat.h"
#include <optional>

namespace cudaopt::ir {

/// Returns the number that \p V is; std::nullopt if it is no literal of type
/// float or double.
std::optional<llvm::APFloat> toFloat(const Value &V);

/// Returns the result of comparing \p L and \p R, two integers or two
/// floating-point numbers of one type; std::nullopt if \p Opcode is no
/// comparison.
template <typename Number>
std::optional<bool> compareLiterals(clang::BinaryOperatorKind Opcode,
                                    const Number &L, const Number &R) {
  switch (Opcode) {
  case clang::BO_LT:
    return L < R;
  case clang::BO_GT:
    return L > R;
  case clang::BO_LE:
    return L <= R;
  case clang::BO_GE:
    return L >= R;
  case clang::BO_EQ:
    return L == R;
  case clang::BO_NE:
    return L != R;
  default:
    return std::nullopt;
  }
}

} // namespace cudaopt::ir

#endif // CUDAOPT_LIB_IR_LITERALS_H
