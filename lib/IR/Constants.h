// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Reads the initial values of variables that never change, as clang's constant
/// evaluator knows them.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_IR_CONSTANTS_H
#define CUDAOPT_LIB_IR_CONSTANTS_H

#include "cudaopt/IR/Function.h"

#include "clang/AST/APValue.h"

namespace cudaopt::ir {

/// Returns the scalar of type \p Ty that the object \p O holds \p Offset bytes
/// behind its beginning. Returns std::nullopt unless \p O is an unchanged
/// variable of static storage duration with a constant initialiser, and a
/// scalar of exactly that type begins there.
std::optional<clang::APValue> readConstant(const Object &O, uint64_t Offset,
                                           Type Ty,
                                           const clang::ASTContext &Context);

} // namespace cudaopt::ir

#endif // CUDAOPT_LIB_IR_CONSTANTS_H
