// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Classifies calls and inline assembly by what they do to the threads that
/// execute them: which are barriers of the whole block (`__syncthreads()`),
/// which start or await asynchronous copies (`cp.async`), and which may end a
/// thread (`exit`, `__trap()`). Callees are recognised by their names and
/// namespaces, assembly by its text; no bodies are followed.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_IR_DEVICECALLS_H
#define CUDAOPT_IR_DEVICECALLS_H

#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace cudaopt::ir {

/// Returns true for builtins of the compiler, implicit functions, and functions
/// that are declared in a system header, such as those of the CUDA toolkit.
bool isLibraryFunction(const clang::ASTContext &Context,
                       const clang::FunctionDecl *Callee);

/// Returns true if the outermost named namespace around \p D is \p Outer and,
/// if
/// \p Inner is not empty, some namespace around \p D is named \p Inner. Inline
/// namespaces between the two do not matter.
bool isInNamespace(const clang::Decl *D, llvm::StringRef Outer,
                   llvm::StringRef Inner = "");

/// Returns true if \p Call itself is a barrier of all threads of the block (or
/// of more, as of a cluster): `__syncthreads()`, `block.sync()`. Barriers of
/// warps and tiles and named barriers other than 0 do not count, nor does what
/// the body of a callee does.
bool isBlockBarrier(const clang::CallExpr *Call,
                    const clang::ASTContext &Context);

/// What a call does to copies that run asynchronously beside the threads, as
/// those of the PTX instruction `cp.async` do. The calls are those of libraries
/// that have a body (cooperative groups, `cuda::pipeline`) and of
/// `__pipeline_memcpy_async()`. `__pipeline_commit()` and
/// `__pipeline_wait_prior()` are operations of the IR instead
/// (Operation::Commit, Operation::Wait).
enum class AsyncCopy {
  None,
  Issue,         ///< Starts a copy, which is pending from here on.
  Commit,        ///< Closes the batch of copies that were started so far.
  WaitCommitted, ///< Waits for all batches that are closed.
  WaitAll,       ///< Waits for all copies that the thread has started.
};
AsyncCopy classifyAsyncCopy(const clang::CallExpr *Call,
                            const clang::ASTContext &Context);

/// The shape in memory of the matrix that a `wmma::fragment` is loaded from or
/// stored to: \c Number lines (rows or columns, by its layout) of \c Length
/// consecutive elements each.
struct FragmentLines {
  uint64_t Number = 0, Length = 0;
  /// True for an accumulator, whose layout is no part of its type but an
  /// argument of the load or store.
  bool IsSum = false;
};

/// Returns the shape of \p Fragment, a type; std::nullopt if it is no
/// `wmma::fragment`. \p SumIsByRows gives the layout of an accumulator: true
/// for row-major.
std::optional<FragmentLines> describeFragment(clang::QualType Fragment,
                                              bool SumIsByRows);

/// Which threads may end in a statement, so that they do not get behind it.
enum class Ending {
  None,
  Thread, ///< A thread may end there while others go on.
  Grid,   ///< The whole grid ends with an error, as by a trap.
};

/// Returns what \p S itself may end: assembly, calls of functions that do not
/// return, and calls of functions whose definition is not seen, which may do
/// anything. The children of \p S and the bodies of callees are not looked at.
Ending findEnding(const clang::Stmt *S, const clang::ASTContext &Context);

} // namespace cudaopt::ir

#endif // CUDAOPT_IR_DEVICECALLS_H
