// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which calls and statements order all threads of a block, and which start or
/// await copies that the hardware does on its own.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_BLOCKBARRIERS_H
#define CUDAOPT_LIB_MODEL_BLOCKBARRIERS_H

#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"

namespace cudaopt {

/// True if all threads of the block wait for one another in \p Call itself:
/// `__syncthreads()`, `block.sync()`. Neither warps nor tiles nor named
/// barriers count, nor what a callee's body does.
bool isBlockBarrier(const clang::CallExpr *Call,
                    const clang::ASTContext &Context);
/// The same of `asm("bar.sync 0;")`.
bool isBlockBarrier(const clang::AsmStmt *Asm);

/// What a call means for copies that run beside the threads (`cp.async`).
enum class AsyncCopy {
  None,
  Issue,         ///< Starts one, which is pending from here on.
  Commit,        ///< Closes the batch of those started.
  WaitCommitted, ///< Waits for all that are committed.
  WaitAll,
};
AsyncCopy classifyAsyncCopy(const clang::CallExpr *Call,
                            const clang::ASTContext &Context);

/// True if \p Type is one whose objects the hardware works on (a barrier in
/// shared memory, the state of a pipeline), or contains one; \p Name is then
/// its name.
bool isHardwareObject(clang::QualType Type, std::string &Name);

/// The outermost named namespace around \p D, and whether one around it is
/// called \p Inner.
bool isInNamespace(const clang::Decl *D, llvm::StringRef Outer,
                   llvm::StringRef Inner = "");

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_BLOCKBARRIERS_H
