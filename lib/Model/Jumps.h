// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Control flow that leaves the structure of statements: jumps that a walk of
/// the text cannot follow.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_JUMPS_H
#define CUDAOPT_LIB_MODEL_JUMPS_H

namespace clang {
class Stmt;
}

namespace cudaopt {

/// Returns the first loop or switch in \p S with a break or continue in its
/// head, `while (({ break; true; }))`; null if there is none. Compilers differ
/// in which loop that ends.
const clang::Stmt *findBreakInHead(const clang::Stmt *S);

/// Returns the first of these, or the first label or goto, in \p S; null if
/// there is none.
const clang::Stmt *findJump(const clang::Stmt *S);

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_JUMPS_H
