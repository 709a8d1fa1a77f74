// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What calls of library functions, whose bodies are mostly not seen, do with
/// the addresses that they get.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_LIBRARYCALLS_H
#define CUDAOPT_LIB_MODEL_LIBRARYCALLS_H

#include "cudaopt/IR/PointsTo.h"
#include "cudaopt/Support/Reason.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"

namespace cudaopt {

/// Returns the arguments of a call or construction, the object of a method
/// included.
llvm::SmallVector<const clang::Expr *, 8> argumentsOf(const clang::Expr *Call);

/// Returns where the opaque operation \p O may keep the addresses that it gets.
/// Functions of libraries are trusted to keep them in their operands, as the
/// constructor of CUB's BlockScan does.
ir::Retention findRetention(const ir::Operation &O,
                            const clang::ASTContext &Context);

/// Returns why \p Call, a call or construction, lets the addresses escape that
/// it gets.
Reason classifyEscape(const clang::Expr *Call,
                      const clang::ASTContext &Context);

/// Returns true if the opaque operation \p O may run a function of the user,
/// such as the body of a lambda that a library function is given.
bool mayRunUserCode(const ir::Operation &O, const clang::ASTContext &Context);

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_LIBRARYCALLS_H
