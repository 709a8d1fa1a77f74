// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Floating-point numbers that are literals.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_IR_FLOATLITERALS_H
#define CUDAOPT_LIB_IR_FLOATLITERALS_H

#include "cudaopt/IR/Value.h"

#include "llvm/ADT/APFloat.h"
#include <optional>

namespace cudaopt::ir {

/// The number that \p V is; none if it is no literal of type float or double.
std::optional<llvm::APFloat> toFloat(const Value &V);

} // namespace cudaopt::ir

#endif // CUDAOPT_LIB_IR_FLOATLITERALS_H
