// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What variables hold that never change.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_IR_CONSTANTS_H
#define CUDAOPT_LIB_IR_CONSTANTS_H

#include "cudaopt/IR/Function.h"

#include "clang/AST/APValue.h"

namespace cudaopt::ir {

/// The number of type \p Ty that is \p Offset bytes behind the beginning of
/// \p O, which is unchanged and lives as long as the program; none if it is
/// not initialised before the program runs.
std::optional<clang::APValue> readConstant(const Object &O, uint64_t Offset,
                                           Type Ty,
                                           const clang::ASTContext &Context);

} // namespace cudaopt::ir

#endif // CUDAOPT_LIB_IR_CONSTANTS_H
