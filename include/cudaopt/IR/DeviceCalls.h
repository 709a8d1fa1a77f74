// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What calls and inline assembly do to the threads that come to them, by their
/// names and their text: which order all threads of a block, which start or
/// await copies that the hardware does on its own, and which may end a thread.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_IR_DEVICECALLS_H
#define CUDAOPT_IR_DEVICECALLS_H

#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace cudaopt::ir {

/// True for builtins of the compiler and functions of the toolkit.
bool isLibraryFunction(const clang::ASTContext &Context,
                       const clang::FunctionDecl *Callee);

/// The outermost named namespace around \p D is \p Outer, and one around it is
/// \p Inner, if that is given.
bool isInNamespace(const clang::Decl *D, llvm::StringRef Outer,
                   llvm::StringRef Inner = "");

/// True if all threads of the block wait for one another in \p Call itself:
/// `__syncthreads()`, `block.sync()`. Neither warps nor tiles nor named
/// barriers count, nor what a callee's body does.
bool isBlockBarrier(const clang::CallExpr *Call,
                    const clang::ASTContext &Context);

/// What a call of a library with a body means for copies that run beside the
/// threads (`cp.async`). Commits and waits of less are operations of the IR.
enum class AsyncCopy {
  None,
  Issue,         ///< Starts one, which is pending from here on.
  Commit,        ///< Closes the batch of those started.
  WaitCommitted, ///< Waits for all that are committed.
  WaitAll,
};
AsyncCopy classifyAsyncCopy(const clang::CallExpr *Call,
                            const clang::ASTContext &Context);

/// The lines in which a `wmma::fragment` lies in memory, of \c Length elements
/// each.
struct FragmentLines {
  uint64_t Number = 0, Length = 0;
  bool IsSum = false; ///< An accumulator: its layout is an argument.
};

/// Nothing if \p Fragment is none. \p SumIsByRows says how an accumulator lies.
std::optional<FragmentLines> describeFragment(clang::QualType Fragment,
                                              bool SumIsByRows);

/// Who may not come to what is behind a statement.
enum class Ending {
  None,
  Thread, ///< A thread may end there, and others go on.
  Grid,   ///< The whole grid ends with an error, as by a trap.
};

/// What \p S itself may end, without its parts and without the bodies that it
/// calls: assembly, functions that do not return, functions that are not seen.
Ending findEnding(const clang::Stmt *S, const clang::ASTContext &Context);

} // namespace cudaopt::ir

#endif // CUDAOPT_IR_DEVICECALLS_H
