// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The ways by which control leaves a statement from its inside, for another
/// statement of the function or for its caller. ThreadExits.h has those by
/// which the thread ends.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_EXITS_H
#define CUDAOPT_LIB_MODEL_EXITS_H

namespace clang {
class Stmt;
}

namespace cudaopt {

/// Statements that end the function, or a loop or an iteration around the
/// statement that is looked at. (A `break` may also end a switch around it.)
struct Exits {
  bool HasReturn = false, HasBreak = false, HasContinue = false;

  bool leavesLoop() const { return HasReturn || HasBreak; }
};

/// None if \p S is null.
Exits findExits(const clang::Stmt *S);

/// The first loop or switch in \p S with a break or continue in its head; null
/// if there is none. Compilers differ in which loop that ends.
const clang::Stmt *findBreakInHead(const clang::Stmt *S);

/// The same, or the first label or goto.
const clang::Stmt *findJump(const clang::Stmt *S);

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_EXITS_H
