// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Jumps in the text of a function that keep statements from being followed in
/// their order.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_JUMPS_H
#define CUDAOPT_LIB_MODEL_JUMPS_H

namespace clang {
class Stmt;
}

namespace cudaopt {

/// The first loop or switch in \p S with a break or continue in its head; null
/// if there is none. Compilers differ in which loop that ends.
const clang::Stmt *findBreakInHead(const clang::Stmt *S);

/// The same, or the first label or goto.
const clang::Stmt *findJump(const clang::Stmt *S);

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_JUMPS_H
